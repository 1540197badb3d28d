"""Suites of test cases as files of JUnit XML, as many as the limits of their readers ask for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from xml.etree import ElementTree as ET

from pytest_metaspace.prompts.words import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_HEAD: Final = b'<?xml version="1.0" encoding="utf-8"?>\n'
_NAME: Final = "metaspace"
_PART: Final = f"{_NAME}, part "
PART: Final = _HEAD + f'<testsuites name="{_PART}'.encode()
"""How each of our files but the first begins."""
STARTS: Final = tuple(PART.removesuffix(b", part ").replace(b"\n", end) for end in (b"\n", b"\r\n"))
"""How each of our files begins, also where git has turned its line ends."""
_ROOT_SIZE: Final = 200
_ROOT_NODES: Final = 8
_SUITE_SLACK: Final = 40
"""Counts have more digits in a suite that is full than in the empty one that is measured."""
_LONGEST: Final = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a reader of JUnit files accepts; the defaults are GitLab's.

    Attributes:
        size: of a file, in bytes; each is smaller.
        nodes: elements and attributes of a file. GitLab counts elements; this is the safe side.
        total: of all files together, in bytes.
    """

    size: int = 30_000_000
    nodes: int = 250_000
    total: int = 100_000_000


@dataclass(frozen=True, slots=True)
class Suite:
    """A suite that may be laid out over several files.

    Attributes:
        name: of the suite.
        properties: in each of its parts.
        cases: test cases of the library; what they hold is clean.
    """

    name: str
    properties: Mapping[str, str]
    cases: tuple[Any, ...]


def documents(found: Iterable[Suite], run: Mapping[str, str], limits: Limits) -> Iterator[bytes]:
    """Yield files with as many test cases each as the limits let it have, at least one file.

    A test case that is too large by itself has a file of its own.

    Args:
        found: suites with at least one test case.
        run: properties of the run, for the first suite of each file.
        limits: of a file.
    """
    page, number = _Page(run, limits), 1
    for suite in found:
        for case in suite.cases:
            if not page.takes(suite, case):
                yield page.document(number)
                page, number = _Page(run, limits), number + 1
                page.takes(suite, case)
    yield page.document(number)


class _Page:
    """One file while it is filled."""

    def __init__(self, run: Mapping[str, str], limits: Limits) -> None:
        self._run = run
        self._limits = limits
        self._suites: list[tuple[Suite, list[Any]]] = []
        self._size = _ROOT_SIZE
        self._nodes = _ROOT_NODES

    def takes(self, suite: Suite, case: Any) -> bool:
        """Add a test case if it fits; the first one always does."""
        opens = not self._suites or self._suites[-1][0] is not suite
        added = [_element(suite.name, {}, [case])[0]]
        if opens:
            added.append(self._opened(suite, [], len(self._suites)))
        size = self._size + sum(map(_size, added)) + (_SUITE_SLACK if opens else 0)
        nodes = self._nodes + sum(map(_nodes, added))
        if self._suites and (size >= self._limits.size or nodes >= self._limits.nodes):
            return False
        self._size, self._nodes = size, nodes
        if opens:
            self._suites.append((suite, []))
        self._suites[-1][1].append(case)
        return True

    def _opened(self, suite: Suite, cases: list[Any], number: int) -> ET.Element:
        properties = suite.properties if number else {**self._run, **suite.properties}
        return _element(suite.name, properties, cases)

    def document(self, part: int) -> bytes:
        """Return the file, the so manyth from 1."""
        name = _NAME if part == 1 else f"{_PART}{part}"
        root = ET.Element("testsuites", {"name": name})
        root.text = "\n"
        for number, (suite, cases) in enumerate(self._suites):
            root.append(self._opened(suite, cases, number))
        for name in ("tests", "failures", "errors"):
            root.set(name, str(sum(int(suite.get(name, 0)) for suite in root)))
        root.set("time", "0")
        body: bytes = ET.tostring(root, encoding="utf-8")
        return _HEAD + body + b"\n"


def _element(name: str, properties: Mapping[str, str], cases: Iterable[Any]) -> ET.Element:
    """Return the element of a suite as the library makes it, in the words that all readers know.

    Its ``disabled`` is in no schema of today; a ``time`` that is missing is NaN to some readers.
    """
    from junit_xml import TestSuite

    clean = {one_line(key, _LONGEST): one_line(text, _LONGEST) for key, text in properties.items()}
    suite: ET.Element = TestSuite(name, list(cases), properties=clean).build_xml_doc()
    del suite.attrib["disabled"]
    suite.text = suite.tail = "\n"
    for child in suite:
        child.tail = "\n"
        if child.tag == "testcase":
            child.set("time", "0")
    return suite


def _size(element: ET.Element) -> int:
    return len(ET.tostring(element, encoding="utf-8"))


def _nodes(element: ET.Element) -> int:
    return sum(1 + len(part.attrib) for part in element.iter())
