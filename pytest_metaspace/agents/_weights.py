"""Where a local model lies and what tells it from every other, read without loading anything.

A folder is told by the SHA-256 of its files, a model of the Hugging Face hub by its commit.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pytest_metaspace.agents._failures import clean
from pytest_metaspace.canonical import sha256
from pytest_metaspace.errors import UsageProblem

DTYPES: Final = ("float32", "bfloat16", "float16")
"""The number types that a model may be asked to compute in."""
_HUB_NAME: Final = re.compile(r"(?P<name>[\w.-]+/[\w.-]+)(?:@(?P<revision>[\w./-]+))?")
#  What a model is made of; a README beside it changes no answer.
_PARTS: Final = frozenset(
    {".bin", ".jinja", ".json", ".model", ".py", ".pt", ".safetensors", ".tiktoken", ".txt"}
)
_WEIGHTS: Final = ("*.safetensors", "*.bin")
#  The same weights once more, for programs that are not asked here.
_OTHER_FORMATS: Final = ("*.gguf", "*.h5", "*.msgpack", "*.onnx", "*.onnx_data", "*.pt", "*.pth")
_PATIENCE_S: Final = 5
_BLOCK: Final = 1 << 20
_TEMPLATES: Final = ("chat_template.json", "processor_config.json", "tokenizer_config.json")


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """A model on this disk.

    Attributes:
        folder: where its files lie.
        told_by: what tells it from every other model, for the identity of an agent.
        config: its ``config.json``.
        template: its chat template, as it stands in its files; None where it has none.
    """

    folder: Path
    told_by: dict[str, str]
    config: dict[str, Any]
    template: object

    @property
    def dtype(self) -> str:
        """The number type that the weights are meant for, as in ``"bfloat16"``."""
        inner = self.config.get("text_config")
        for config in (self.config, inner if isinstance(inner, dict) else {}):
            named = config.get("dtype") or config.get("torch_dtype")
            if isinstance(named, str) and named.removeprefix("torch.") in DTYPES:
                return named.removeprefix("torch.")
        return "float32"


def folder_of(name: str, root: Path) -> Path | None:
    """Return the folder that a name means; None where it is a name on the hub.

    Raises:
        UsageProblem: it is neither, or the folder holds no model.
    """
    for base in (root, Path.cwd()):
        folder = base / Path(name).expanduser()
        if folder.is_dir():
            _check(folder, name)
            return folder.resolve()
    if _HUB_NAME.fullmatch(name) is None or name.startswith("."):
        raise UsageProblem(
            f"metaspace: transformers:{name}: there is no folder {name!r} (looked for in {root} "
            "too), and a name on the hub is OWNER/MODEL or OWNER/MODEL@REVISION."
        )
    return None


def _check(folder: Path, name: str) -> None:
    if not (folder / "config.json").is_file():
        raise UsageProblem(
            f"metaspace: transformers:{name}: {folder} has no config.json, so it holds no model "
            "that transformers can load. Name the folder that save_pretrained wrote."
        )
    if not any(True for pattern in _WEIGHTS for _ in folder.glob(pattern)):
        raise UsageProblem(
            f"metaspace: transformers:{name}: {folder} has a config.json and no weights "
            f"({' or '.join(_WEIGHTS)}). Name a folder with both."
        )


def find(name: str, root: Path, *, offline: bool = False) -> Weights:
    """Return the model that a name means; downloads it where the hub can be reached.

    A model of the hub that lies in the local cache is taken from there, without asking the hub.

    Args:
        name: a folder, or ``OWNER/MODEL`` with or without ``@REVISION``.
        root: folder to which relative paths belong.
        offline: whether nothing may be looked up or downloaded.

    Raises:
        UsageProblem: there is none, here or there; the text says what to type.
    """
    folder = folder_of(name, root)
    if folder is not None:
        told_by = {"sha256": _digest_of(folder)}
    else:
        folder = _snapshot(name, offline=offline)
        told_by = {"model": name.partition("@")[0], "revision": folder.name}
    return Weights(
        folder=folder,
        told_by=told_by,
        config=_json(folder / "config.json"),
        template=_template(folder),
    )


def _snapshot(name: str, *, offline: bool) -> Path:
    """Return the folder of a model in the local cache of the hub."""
    from huggingface_hub import HfApi, snapshot_download, try_to_load_from_cache

    model, _, revision = name.partition("@")
    revision = revision or "main"
    cached = try_to_load_from_cache(model, "config.json", revision=revision)
    if isinstance(cached, str):
        folder = Path(cached).parent
        if _is_whole(folder):
            return folder
    fetch = f"hf download {model}{'' if revision == 'main' else f' --revision {revision}'}"
    if offline:
        raise UsageProblem(
            f"metaspace: transformers:{name}: the model is not in the local cache of the hub "
            f"({_hub_cache()}), and nothing is looked up where nothing is asked. Where there is "
            f"a network, type:  {fetch}"
        )
    try:
        # Asked first, as the download itself waits for a silent network without an end.
        about = HfApi().model_info(model, revision=revision, timeout=_PATIENCE_S)
        safe = any(one.rfilename.endswith(".safetensors") for one in about.siblings or ())
        unused = [*_OTHER_FORMATS, *(["*.bin"] if safe else [])]
        return Path(snapshot_download(model, revision=revision, ignore_patterns=unused))
    except Exception as problem:  # of the client, its transport, or the disk
        told = clean(str(problem))[:200]
        raise UsageProblem(
            f"metaspace: transformers:{name}: the model is not in the local cache of the hub "
            f"({_hub_cache()}) and could not be fetched: {type(problem).__name__}: {told}. "
            f"Where there is a network, type:  {fetch}   or name a folder that holds the model, "
            "as in transformers:models/mine."
        ) from problem


def _is_whole(folder: Path) -> bool:
    """Whether all weights are there; a download may have been cut off."""
    index = folder / "model.safetensors.index.json"
    if index.is_file():
        shards = set(_json(index).get("weight_map", {}).values())
        return all((folder / shard).is_file() for shard in shards)
    return any(True for pattern in _WEIGHTS for _ in folder.glob(pattern))


def _hub_cache() -> str:
    from huggingface_hub import constants

    return str(constants.HF_HUB_CACHE)


def _template(folder: Path) -> object:
    """Return a model's chat template as it stands in its files; None where it has none."""
    plain = folder / "chat_template.jinja"
    if plain.is_file():
        return plain.read_text(encoding="utf-8")
    for name in _TEMPLATES:
        path = folder / name
        template = _json(path).get("chat_template") if path.is_file() else None
        if template:
            return template
    return None


def _json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise UsageProblem(f"metaspace: {path} cannot be read: {problem}.") from problem
    if not isinstance(found, dict):
        raise UsageProblem(f"metaspace: {path} is no JSON object.")
    return found


# ------------------------------------------------------------------------------ what it is


def _digest_of(folder: Path) -> str:
    """Return the SHA-256 of the files that make up a model, under their names."""
    known = _Known.read()
    parts = sorted(path for path in folder.iterdir() if path.suffix in _PARTS and path.is_file())
    parts += sorted(folder.glob("*/*.jinja"))
    digest = sha256([[p.relative_to(folder).as_posix(), known.digest(p)] for p in parts])
    known.write()
    return digest


class _Known:
    """Digests of files that were read before: gigabytes are read once while they stay the same.

    They lie in the user's cache folder. Losing them costs time, so whatever goes wrong there is
    passed over.
    """

    def __init__(self, path: Path, digests: dict[str, list[Any]]) -> None:
        self._path = path
        self._digests = digests
        self._changed = False

    @classmethod
    def read(cls) -> _Known:
        base = os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()
        path = Path(base, "pytest-metaspace", "weights.json")
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            found = {}
        return cls(path, found if isinstance(found, dict) else {})

    def digest(self, path: Path) -> str:
        status = path.stat()
        facts = [status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino]
        known = self._digests.get(str(path))
        if isinstance(known, list) and known[:-1] == facts and isinstance(known[-1], str):
            return known[-1]
        hashed = hashlib.sha256()
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                hashed.update(block)
        digest = hashed.hexdigest()
        self._digests[str(path)] = [*facts, digest]
        self._changed = True
        return digest

    def write(self) -> None:
        if not self._changed:
            return
        aside = self._path.with_suffix(f".{os.getpid()}")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            aside.write_text(json.dumps(self._digests), encoding="utf-8")
            aside.replace(self._path)
        except OSError:
            return
