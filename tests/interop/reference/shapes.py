"""FORMAT section 9, read off the page: its tables are the schema."""

import re

from .restricted_json import is_time

ID = re.compile(r"[A-Za-z0-9._:-]{1,128}")
HEX32 = re.compile(r"[0-9a-f]{32}")
HEX64 = re.compile(r"[0-9a-f]{64}")
ROW = re.compile(r"\| `([^`]+)` \| (.*?) \| (yes|no) \| (.*) \|")
HEADERS = ("content-type", "content-encoding", "a2a-version", "a2a-extensions", "location")
WORD = re.compile(r"`([^`]*)`")


def is_id(value):
    return isinstance(value, str) and ID.fullmatch(value) is not None


def is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool)


class Shapes:
    """The record types of the page; `faults` says what is wrong with a row."""

    def __init__(self, page):
        section = page.split("\n## 9. ", 1)[1].split("\n## 10. ", 1)[0]
        tables = {}
        for block in section.split("\n### ")[1:]:
            title, rest = block.split("\n", 1)
            rows = [ROW.fullmatch(line) for line in rest.splitlines() if line.startswith("| `")]
            if not rows or None in rows:
                raise ValueError(f"the table of {title} is not understood")
            tables[title] = members_of([(row[1], row[2].replace("\\|", "|"), row[3] == "yes") for row in rows])
        self.body = tables.pop("body")
        common = tables.pop("Every record")
        self.types = {title: {**common, **members} for title, members in tables.items()}

    def faults(self, type_name, row):
        """What is wrong with a record, as lines; empty when nothing is."""
        return self._object(self.types[type_name], row)

    def _object(self, members, value):
        if not isinstance(value, dict):
            return ["no object"]
        faults = [f"{name} is unknown" for name in value if name not in members]
        for name, (kind, required, inner) in members.items():
            if name in value:
                faults += [f"{name}: {fault}" for fault in self._value(kind, inner, value[name])]
            elif required:
                faults.append(f"{name} is missing")
        return faults

    def _value(self, kind, inner, value):
        if kind.endswith(" or null"):
            if value is None:
                return []
            kind = kind.removesuffix(" or null")
        wrong = [f"not {kind}"]
        if ", at most " in kind:
            kind, most = kind.split(", at most ")
            if isinstance(value, list) and len(value) > int(most):
                return wrong
        if kind == "body":
            return self._object(self.body, value)
        if kind.startswith("list of "):
            if not isinstance(value, list):
                return wrong
            if inner:
                return [fault for element in value for fault in self._object(inner, element)]
            return [] if all(holds(kind.removeprefix("list of "), element) for element in value) else wrong
        if inner:
            return self._object(inner, value)
        return [] if holds(kind, value) else wrong


def members_of(rows):
    """Rows of a table by member: (kind, required, the members under it)."""
    members = {}
    for path, kind, required in rows:
        outer, _, rest = path.replace("[]", "").rpartition(".")
        if outer:
            members[outer][2][rest] = (kind, required, {})
        else:
            members[path] = (kind, required, {})
    return members


def holds(kind, value):
    """Whether a value is of a kind that no table row spells out further."""
    if kind.startswith("`"):
        return isinstance(value, str) and value in WORD.findall(kind)
    if kind == "[name, value]":
        return isinstance(value, list) and len(value) == 2 and value[0] in HEADERS and isinstance(value[1], str)
    if kind.startswith("object of `"):
        return isinstance(value, dict) and all(holds(kind.removeprefix("object of "), issue) for issue in value.values())
    if kind == "object of strings":
        return isinstance(value, dict) and all(isinstance(member, str) for member in value.values())
    return KINDS[kind](value)


KINDS = {
    "id": is_id,
    "ids": is_id,
    "time": is_time,
    "string": lambda value: isinstance(value, str),
    "strings": lambda value: isinstance(value, str),
    "string, not empty": lambda value: isinstance(value, str) and value != "",
    "boolean": lambda value: isinstance(value, bool),
    "integer": is_integer,
    "integer ≥ 0": lambda value: is_integer(value) and value >= 0,
    "integer 100..999": lambda value: is_integer(value) and 100 <= value <= 999,
    "32 hex digits": lambda value: isinstance(value, str) and HEX32.fullmatch(value) is not None,
    "64 hex digits": lambda value: isinstance(value, str) and HEX64.fullmatch(value) is not None,
}
