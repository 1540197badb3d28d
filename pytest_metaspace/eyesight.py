"""``metaspace doctor --agent NAME``: does an agent see several pictures, and in their order?

Some servers hand three or more pictures to their model in another order, some drop them. Every
spatial answer of such an agent is worthless, and nothing else shows it.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pytest_metaspace import asking, pipeline
from pytest_metaspace.answers import troubled
from pytest_metaspace.questions import own_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_metaspace.agents import ModelOptions

DIGITS: Final = ("7", "2", "9")
_SIZE: Final = 336
_TEXT: Final = (
    "Each of the three images shows one large digit, black on white. Write the three digits in "
    "the order of the images, and nothing else.\n"
)
BLIND: Final = "agent: CANNOT BE USED: "


def lines(agent: str, models: ModelOptions) -> Iterator[str]:
    """Yield what an agent makes of three numbered pictures; asks one question, and keeps nothing.

    A line that begins with ``BLIND`` says that it does not see them as they were sent.

    Args:
        agent: its full name, as for ``--metaspace-agent``.
        models: where and how to ask.

    Raises:
        UsageProblem: there is no such agent, or no key to ask it with.
    """
    made = pipeline.Registries.built_in().agent(agent, Path.cwd(), models)
    with tempfile.TemporaryDirectory(prefix="metaspace-") as folder:
        pictures = [_picture(Path(folder, f"{digit}.png"), digit) for digit in DIGITS]
        question = own_words(_TEXT, pictures)
        answer = asking.ask([question], made, None).answers[question.query]
    if answer.raw is None:
        yield f"{BLIND}it gave no answer: {answer.error}"
        return
    if answer.trouble is not None:
        yield f"{BLIND}{troubled(answer.trouble).reason}: {' '.join(answer.raw.split())[:80]!a}"
        return
    said = " ".join(answer.raw.split())[:80]
    read = tuple(re.findall(r"\d", answer.raw))
    if read == DIGITS:
        yield "agent: sees three pictures, in order"
    elif sorted(read) == sorted(DIGITS):
        yield f"{BLIND}it sees three pictures in another order than they were sent: {said!a}"
    else:
        yield f"{BLIND}it was shown {', '.join(DIGITS)} and answered {said!a}"


def _picture(path: Path, digit: str) -> Path:
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("RGB", (_SIZE, _SIZE), "white")
    font = ImageFont.load_default(size=_SIZE * 0.7)
    ImageDraw.Draw(image).text((_SIZE / 2, _SIZE / 2), digit, fill="black", font=font, anchor="mm")
    image.save(path)
    return path
