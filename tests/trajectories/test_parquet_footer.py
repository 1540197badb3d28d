"""Footers of Parquet files: row groups told one by one are those that the whole footer tells."""

from __future__ import annotations

import io
import tracemalloc
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.trajectories import _lerobot_meta as meta
from pytest_metaspace.trajectories import _parquet, _parquet_footer
from tests.trajectories.writers import lerobot as writer

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FUZZED = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
VALUES: dict[str, Callable[[int], list[Any]]] = {
    "whole": lambda n: list(range(n)),
    "flags": lambda n: [i % 2 == 0 for i in range(n)],
    "texts": lambda n: ["x" * (7 * i) for i in range(n)],
    "lists": lambda n: [[0.5] * i for i in range(n)],
    "nothing": lambda n: [None] * n,
    "nested": lambda n: [{"a": i, "b": [str(i)]} for i in range(n)],
}


@FUZZED
@given(
    columns=st.lists(st.sampled_from(sorted(VALUES)), min_size=1, unique=True),
    counts=st.lists(st.integers(1, 40), min_size=0, max_size=20),
    piece=st.sampled_from([1, 50, 1000, 1 << 16]),
    options=st.fixed_dictionaries({
        "write_page_index": st.booleans(), "compression": st.sampled_from(["none", "zstd"]),
        "write_statistics": st.booleans(), "use_dictionary": st.booleans(),
    }),
)  # fmt: skip
def test_a_footer_of_some_row_groups_tells_what_the_whole_one_tells(
    columns: list[str], counts: list[int], piece: int, options: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "a.parquet"
    parts = [pa.table({name: VALUES[name](count) for name in columns}) for count in [40, *counts]]
    with pq.ParquetWriter(path, parts[0].schema, **options) as file:
        for part in parts:
            file.write_table(part.cast(parts[0].schema))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_parquet_footer, "_PIECE", piece)
        found = _parquet_footer.walked(path)
    whole = pq.read_metadata(path)
    told = [whole.row_group(number).to_dict() for number in range(whole.num_row_groups)]
    for first in range(len(told)):
        some = found.of(first, min(first + 3, len(told)))
        assert [some.row_group(number).to_dict() for number in range(some.num_row_groups)] == told[
            first : first + 3
        ]
    assert found.of().num_row_groups == 0
    assert found.of().schema.equals(whole.schema)


@FUZZED
@given(place=st.integers(0, 10**6), new=st.binary(max_size=12), dropped=st.integers(0, 12))
def test_whatever_a_footer_says_it_ends_with_our_error(
    place: int, new: bytes, dropped: int, tmp_path: Path
) -> None:
    path = tmp_path / "a.parquet"
    if not path.exists():
        pq.write_table(pa.table({"key": range(300), "text": ["a"] * 300}), path, row_group_size=30)
        path.with_suffix(".kept").write_bytes(path.read_bytes())
    content = bytearray(path.with_suffix(".kept").read_bytes())
    end = len(content) - 8
    start = end - int.from_bytes(content[end : end + 4], "little")
    place = start + place % (end - start)
    content[place : min(place + dropped, end)] = new
    length = len(content) - 8 - start
    content[-8:-4] = length.to_bytes(4, "little")
    path.write_bytes(content)
    try:
        list(_parquet.matching(path, ["text"], "key", 40))
    except TrajectoryError as problem:
        assert str(problem).startswith(f"{path}: ")  # noqa: PT017 - and nothing else is raised


@pytest.mark.parametrize(
    ("footer", "expected"),
    [
        (b"\x49\xfc\xff\xff\xff\xff\x0f", "says that it has 4294967295 row groups"),
        (b"\x49\xfc\xff\xff\x0f", "is cut off"),
        (b"\x49\x1c" + b"\x1c" * 50, "nested too deeply"),
        (b"\x15\x02\x00", "tells of no row groups"),
        (b"\x15" + b"\xff" * 30, "a number of too many bytes"),
        (b"\x1d\x00", "a value of no known kind"),
        (b"", "does not end as one"),
    ],
)
def test_lies_of_a_footer_are_named(footer: bytes, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    path.write_bytes(b"PAR1" + footer + len(footer).to_bytes(4, "little") + b"PAR1")
    with pytest.raises(TrajectoryError, match=expected):
        list(_parquet.matching(path, [], "key", 0))


def test_a_part_of_a_footer_may_not_be_absurdly_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"key": range(300)}), path)
    monkeypatch.setattr(_parquet_footer, "_LARGEST", 100)
    with pytest.raises(ValueError, match="more than the 100 allowed"):
        _parquet_footer.walked(path)
    monkeypatch.setattr(_parquet_footer, "_LARGEST", 1 << 20)
    monkeypatch.setattr(_parquet_footer, "_LARGEST_PART", 10)
    monkeypatch.setattr(_parquet_footer, "_PIECE", 1)
    with pytest.raises(ValueError, match="absurdly large"):
        _parquet_footer.walked(path)


# ------------------------------------------------------------- nothing is kept of an episode


def data_set(root: Path, version: str, episodes: int) -> Path:
    """Write what tells where episodes lie, one a row group or line; there are no rows."""
    main = root / "meta" / "info.json"
    writer.put(main, writer.info(version, total_episodes=episodes))
    for kind in ("data", "videos"):
        for pattern in (writer.V2, writer.V3):
            path = pattern["data_path" if kind == "data" else "video_path"].format(
                episode_chunk=0, episode_index=1, chunk_index=0, file_index=0,
                video_key=writer.CAMERA,
            )  # fmt: skip
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).touch()
    if version == "v2.1":
        lines = (f'{{"episode_index": {n}, "length": 5}}\n' for n in reversed(range(episodes)))
        main.with_name("episodes.jsonl").write_text("".join(lines))
        return main
    at = "videos/" + writer.CAMERA
    row: dict[str, list[Any]] = {
        "episode_index": [0], "length": [5], "data/chunk_index": [0], "data/file_index": [0],
        f"{at}/chunk_index": [0], f"{at}/file_index": [0],
        f"{at}/from_timestamp": [0.0], f"{at}/to_timestamp": [0.5],
    }  # fmt: skip
    table = pa.table(row)
    made = io.BytesIO()
    with pq.ParquetWriter(made, table.schema) as file:
        for number in reversed(range(episodes)):
            file.write_table(table.set_column(0, "episode_index", pa.array([number])))
    folder = main.with_name("episodes") / "chunk-000"
    folder.mkdir(parents=True)
    (folder / "file-000.parquet").write_bytes(made.getvalue())
    return main


def peak(main: Path) -> int:
    """Return the bytes that Python held at once to list a data set and to find an episode."""
    tracemalloc.start()
    try:
        info = meta.info_of(main)
        assert meta.episode_of(main, info, 1, writer.CAMERA).number == 1
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("version", ["v2.1", "v3.0"])
def test_nothing_is_kept_of_episodes_that_were_not_drawn(
    version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_parquet_footer, "_PIECE", 2048)  # less than few episodes take
    peak(data_set(tmp_path / "warm", version, 3))  # imports
    few = peak(data_set(tmp_path / "few", version, 40))
    many = peak(data_set(tmp_path / "many", version, 240))
    numbers_of_row_groups = 200 * 5 * 8 if version == "v3.0" else 0
    assert many - few < 2 * numbers_of_row_groups + 1000


def test_no_footer_is_decoded_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    main = data_set(tmp_path, "v3.0", 100)
    seen: list[int] = []
    inner = pq.read_metadata

    def watched(*args: Any, **options: Any) -> Any:
        made = inner(*args, **options)
        seen.append(made.num_row_groups)
        return made

    monkeypatch.setattr(pq, "read_metadata", watched)
    file = main.with_name("episodes") / "chunk-000" / "file-000.parquet"
    for number in (1, 50, 99):
        assert len(list(_parquet.matching(file, ["length"], "episode_index", number))) == 1
    assert sum(seen) == 100 + 3  # each is told once, and again where it is read
    assert max(seen) == 16
