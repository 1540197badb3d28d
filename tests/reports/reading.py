"""JUnit files read as their readers read them."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

from lxml import etree

SCHEMA = etree.XMLSchema(etree.parse(str(Path(__file__).with_name("junit.xsd"))))


def read(path: Path) -> ET.Element:
    """Read a file as strict readers do, hold it to the schema and its counts to its elements."""
    content = path.read_bytes()
    SCHEMA.assertValid(etree.fromstring(content))  # with the parser's own limits on text
    root = ET.fromstring(content)
    for suite in root:
        assert int(suite.attrib["tests"]) == len(suite.findall("testcase"))
        for count, element in (("failures", "failure"), ("errors", "error"), ("skipped",) * 2):
            assert int(suite.attrib[count]) == len(suite.findall(f"testcase/{element}"))
    assert int(root.attrib["tests"]) == len(root.findall("testsuite/testcase"))
    return root
