"""REM (COLM 2025): what somebody who walks past coloured shapes has seen, counted and in order.

``metaspace build rem`` writes walks of ours (docs/suite-rem.md).
"""
