"""The command ``metaspace``."""
