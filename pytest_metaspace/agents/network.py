"""Names of models behind an API or on a model hub: not in this version, and never replaced.

Until they arrive, the honest answer to ``--metaspace-agent=gpt-4o`` is what to do today.
"""

from __future__ import annotations

import re

_FAMILIES = re.compile(
    r"^(gpt|o[0-9]|chatgpt|claude|gemini|qwen|llava|internvl|deepseek|mistral|pixtral|llama|grok"
    r"|smolvlm|openai|anthropic|google|transformers|ollama|vllm)(?![a-z])",
    re.IGNORECASE,
)


def sorry(name: str) -> str | None:
    """Return what to tell who asks for a model that this version cannot reach, or None."""
    if not _FAMILIES.match(name):
        return None
    return (
        f"metaspace: {name!r} is the name of a model. This version does not call models itself "
        "yet, and it will not answer in a model's place. Wrap your client in a function "
        "(prompt, images) -> str and use --metaspace-agent=python:MODULE:FUNCTION "
        "(docs/options.md), or replay recorded answers with replay:FILE."
    )
