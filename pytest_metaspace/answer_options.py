"""Strict reading of answers that are an option: by its letter, or by its words.

Exactly one option is named, or the answer is *unreadable*: two letters are two answers, "before or
after" is neither, and what a word turns round ("not equal") or leaves open ("about equal") is none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pytest_metaspace.answer_words import HEDGES, bare, plain, stray, tokens
from pytest_metaspace.domain import Unreadable, Value

if TYPE_CHECKING:
    from pytest_metaspace.domain import AnswerFormat

#  A letter, with words before it that add nothing, and what stands behind it.
_LETTER: Final = re.compile(
    r"[\s*_`>#]*(?:(?:[Tt]he|[Mm]y|[Ff]inal|[Cc]orrect|[Aa]nswer|[Oo]ption|[Cc]hoice|[Ii]s|:)[\s*_`:]+)*"
    r"[(\[*_`]*([A-Z])(?![\w'])[)\].:,*_`]*(.*)",
    re.DOTALL,
)
_TURNING: Final = HEDGES | {"but", "either", "except", "fewer", "if", "least", "less", "or"}
"""Words that turn an option round, or leave it open, also where the question has them."""


def by_letter(raw: str, form: AnswerFormat) -> Value | Unreadable:
    """Read a letter, alone or with the words of its option; or those words alone.

    A lone letter is always the letter that was asked for, also where it is all that another option
    says; words that are as well a letter with what belongs to it name two options.
    """
    text = bare(raw)
    lone = form.options.get(text.upper()) if len(text) == 1 and text.isascii() else None
    if lone is not None:
        return Value(choice=lone)
    alike = [letter for letter, option in form.options.items() if bare(option) == text]
    named = set(alike if len(alike) == 1 else ())
    found = _LETTER.fullmatch(raw.strip())
    its_own = ("", bare(form.options.get(found[1], ""))) if found else ()
    if found and found[1] in form.options and bare(found[2]) in its_own:
        named.add(found[1])
    if len(named) == 1:
        return Value(choice=form.options[named.pop()])
    if named:
        return Unreadable(f"several options: {', '.join(sorted(named))}")
    said = [one for one in re.findall(r"\b[A-Z]\b", raw) if one in form.options]
    if len(set(said)) > 1:
        return Unreadable(f"several options: {', '.join(dict.fromkeys(said))}")
    if said:
        return Unreadable(f"more than an option: other words beside {said[0]}")
    return Unreadable(f"no option out of {', '.join(form.options)}")


def by_words(text: str, form: AnswerFormat) -> Value | Unreadable:
    """Read the words of one option, with words beside them that add nothing.

    A word of another option adds something: beside "cone" it is not idle to say "red" where "red
    cone" is an option, too.

    Args:
        text: what was said, as ``plain`` has it.
        form: the options.
    """
    same = [option for option in form.options if bare(plain(option)) == bare(text)]
    if len(same) == 1:
        return Value(choice=same[0])
    told, found = _spaced(text), list[str]()
    known = {option: _spaced(plain(option)) for option in form.options}
    for words in sorted(set(known.values()) - {""}, key=len, reverse=True):
        pattern = rf"(?<!\w){re.escape(words)}(?!\w)"
        if re.search(pattern, told):
            found += [option for option in known if known[option] == words]
            told = re.sub(pattern, " ", told)
    if len(found) > 1:
        return Unreadable(f"several options: {', '.join(found)}")
    if not found:
        return Unreadable(f"no option out of {', '.join(form.options)}")
    others = {word for words in known.values() for word in words.split()}
    extra = stray(told.split(), form.names - others, _TURNING)
    if extra is not None:
        return Unreadable(f"more than an option: the word {extra!a}")
    return Value(choice=found[0])


def _spaced(text: str) -> str:
    """Return words with one blank between them; a hyphen joins words that are told apart."""
    return " ".join(tokens(text)).replace("-", " ")
