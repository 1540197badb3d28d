"""Test the spatial cognition of embodied agents with pytest."""

__version__ = "0.1.0"
