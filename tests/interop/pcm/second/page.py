"""The data that docs/PCM.md gives: tools by class (section 14), the beginnings of test commands (section 10)."""

import pathlib
import re

from .text import digest

TEXT = (pathlib.Path(__file__).resolve().parents[4] / "docs" / "PCM.md").read_text(encoding="utf-8")


def _section(number):
    return re.split(r"^## ", TEXT, flags=re.MULTILINE)[number]


def _tools():
    rows = re.findall(r"^\| `(\w+)` \| (.+) \|$", _section(14), flags=re.MULTILINE)
    return {tool: kind for kind, tools in rows for tool in re.findall("`([^`]+)`", tools)}


def _runners():
    list_of = re.search(r"begin with one of\n\n(.+?),\n\nexactly", _section(10), flags=re.DOTALL)[1]
    return [words.split() for words in re.findall("`([^`]+)`", list_of)]


TOOL_CLASSES = _tools()
RUNNERS = _runners()
if len(TOOL_CLASSES) != 54 or digest(TOOL_CLASSES) not in _section(14):
    raise ValueError("section 14 is not the table that its hash names")
