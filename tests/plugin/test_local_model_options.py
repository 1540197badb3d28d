"""Options of local models: they reach the agent, wrong ones are told, and code is never trusted by a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.model_options import MODEL_OPTIONS, models_of

if TYPE_CHECKING:
    from tests.plugin.conftest import Project


def given(**values: Any) -> dict[str, Any]:
    """Return the values of all options of models, some of them as given."""
    named = {name.replace("_", "-"): value for name, value in values.items()}
    defaults = {option.name: option.default for option in MODEL_OPTIONS}
    return {**defaults, "prompting": "direct", "answers": "cached", **named}


def test_defaults_leave_the_choice_to_the_machine_and_trust_no_code() -> None:
    models = models_of(given())
    assert (models.device, models.dtype, models.batch_size) == ("auto", "auto", 8)
    assert models.trust_remote_code is False


def test_every_option_reaches_the_agent() -> None:
    models = models_of(
        given(device="cuda:1", dtype="float16", batch_size="3", trust_remote_code=True)
    )
    assert (models.device, models.dtype, models.batch_size) == ("cuda:1", "float16", 3)
    assert models.trust_remote_code is True


@pytest.mark.parametrize("size", ["0", "-1", "two", "1.5"])
def test_a_batch_has_at_least_one_question(size: str) -> None:
    with pytest.raises(UsageProblem, match="--metaspace-batch-size"):
        models_of(given(batch_size=size))


def test_a_file_of_the_repository_cannot_trust_code(project: Project) -> None:
    walk = str(project.walk())
    project.write("pytest.ini", "[pytest]\nmetaspace_trust_remote_code = true\n")
    result = project.run("--strict-config", walk, "--metaspace-agent=truth", "--co")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*Unknown config option: metaspace_trust_remote_code*"])
