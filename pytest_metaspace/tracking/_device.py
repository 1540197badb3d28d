"""Where torch computes."""

from __future__ import annotations

from pytest_metaspace.errors import UsageProblem


def chosen(wish: str) -> str:
    """Return the device that is wished for, or for ``auto`` the best that is there.

    Raises:
        UsageProblem: it is not there.
    """
    import torch

    if wish == "auto":
        if torch.cuda.is_available():
            return "cuda:0"
        return "mps" if torch.backends.mps.is_available() else "cpu"
    try:
        torch.zeros(1, device=torch.device(wish))
    except (RuntimeError, AssertionError, NotImplementedError) as problem:
        what = " ".join(str(problem).split())[:200].rstrip(".")
        raise UsageProblem(
            f"metaspace: --metaspace-device {wish}: torch {torch.__version__} cannot use it here: "
            f"{what}. Write auto, cpu, cuda, cuda:1 or mps."
        ) from problem
    return wish
