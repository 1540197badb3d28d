"""A detector of transformers, tiny and random, from a folder; ./dev test-local runs these tests."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace import pipeline, testing, tracking
from pytest_metaspace.errors import TrackerError
from pytest_metaspace.tracking import TrackerContext

if TYPE_CHECKING:
    from pathlib import Path

torch = pytest.importorskip("torch", reason="torch is not installed; see ./dev test-local")
transformers = pytest.importorskip("transformers", reason="not installed; see ./dev test-local")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A YOLOS of some thousand parameters, whose few boxes mean nothing."""
    made = tmp_path_factory.mktemp("models") / "yolos"
    config = transformers.YolosConfig(
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        image_size=[64, 64],
        patch_size=16,
        num_detection_tokens=5,
        id2label={0: "chair", 1: "table"},
        label2id={"chair": 0, "table": 1},
    )
    torch.manual_seed(0)
    transformers.YolosForObjectDetection(config).save_pretrained(made)
    size = {"shortest_edge": 64, "longest_edge": 96}
    transformers.YolosImageProcessor(size=size).save_pretrained(made)
    return made


def built(folder: Path) -> Any:
    registries = pipeline.Registries.built_in()
    context = TrackerContext(root=folder, device="cpu")
    return tracking.build(f"detr:{folder}", registries.trackers, context)


def test_the_check_of_trackers_passes(folder: Path) -> None:
    testing.check_tracker(f"detr:{folder}")


def test_its_identity_follows_its_weights(folder: Path) -> None:
    before = built(folder).identity
    config = folder / "config.json"
    told = json.loads(config.read_text())
    config.write_text(json.dumps({**told, "note": "other"}))
    assert built(folder).identity != before


def test_a_folder_without_weights_says_where_to_get_some(folder: Path, tmp_path: Path) -> None:
    for name in ("config.json", "preprocessor_config.json"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    with pytest.raises(TrackerError, match=r"cannot be loaded as an object detector .* Write "):
        built(tmp_path).detect([])
