"""What an option holds: what was typed, else what the ini file says, else its default."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_metaspace.errors import UsageProblem

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from pytest_metaspace.option import Option


def value_of(config: pytest.Config, option: Option) -> Any:
    """Return what an option holds: command line over ini file over default.

    Raises:
        UsageProblem: a wrong choice, or an option that is typed and empty: a CI whose variable is
            not set would spend without a cap, pass without a gate, or test something else.
    """
    given = config.getoption(option.dest)
    typed = given if option.many else [given]
    if given is not None and not option.flag and not all(text.strip(" ,") for text in typed):
        raise UsageProblem(
            f"metaspace: --metaspace-{option.name} is empty; is a variable not set? Write "
            f"--metaspace-{option.name}={option.metavar}, or leave the option out."
        )
    if given is None and option.ini:
        given = config.getini(option.dest)
        if option.choices and given not in option.choices:
            raise UsageProblem(
                f"metaspace: ini option {option.dest} = {given}: expected "
                f"{', '.join(option.choices)}."
            )
    if not option.many:
        return given
    parts = [text.split(",") if option.listed else [text] for text in given or []]
    return [word.strip() for words in parts for word in words if word.strip()]


def place_of(config: pytest.Config, name: str, given: str | None) -> Path | None:
    """Return the file that an option names: from where pytest was typed, or of the ini file."""
    if given in (None, "", "off"):
        return None
    return folder_of(config, name) / given


def folder_of(config: pytest.Config, name: str) -> Path:
    """Return from where an option is told: where pytest was typed, or the ini file lies."""
    typed = config.getoption(f"metaspace_{name.replace('-', '_')}") is not None
    return config.invocation_params.dir if typed else config.rootpath
