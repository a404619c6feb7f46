"""PCM section 6: schema documents, and the args of a message."""

import re

from . import patterns
from .text import MAX_DOCUMENT, Refused, digest, has_members, is_integer, is_text, is_time, read

NAME = re.compile(r"[!-?A-~]{1,256}")
REF = re.compile(r".{1,256}@sha256:[0-9a-f]{64}", re.DOTALL)
CLAIM_TYPES = ("approved_by", "tests_passed", "reached_host", "file_written")
PARAMETERS = {
    "string": ("max",),
    "int": ("min", "max"),
    "money": ("currency", "max"),
    "id": ("pattern",),
    "enum": ("values",),
    "bool": (),
    "time": (),
}
MAX_ID = 128


def is_distinct_texts(values):
    return isinstance(values, list) and all(map(is_text, values)) and len(set(values)) == len(values)


def _is_field(field):
    if not isinstance(field, dict) or not is_text(field.get("type")) or field["type"] not in PARAMETERS:
        return False
    kind = field["type"]
    if not has_members(field, ("type", *PARAMETERS[kind]), ("optional",)):
        return False
    if type(field.get("optional", True)) is not bool:
        return False
    if kind == "string":
        return is_integer(field["max"]) and 1 <= field["max"] <= 65536
    if kind == "int":
        return is_integer(field["min"]) and is_integer(field["max"]) and field["min"] <= field["max"]
    if kind == "money":
        is_currency = is_text(field["currency"]) and re.fullmatch("[A-Z]{3}", field["currency"])
        return is_currency and is_integer(field["max"]) and field["max"] >= 0
    if kind == "id":
        return is_text(field["pattern"])
    return kind != "enum" or (is_distinct_texts(field["values"]) and len(field["values"]) > 0)


class Schema:
    """A document that the receiver has, by its ref."""

    def __init__(self, document):
        self.ref = f"{document['name']}@{digest(document)}"
        self.fields = document["fields"]
        self.listed = document.get("claims", [])
        self.needs_grant = document.get("grant", False)
        self.tool = document.get("tool")
        self.patterns = {
            name: patterns.parse(field["pattern"]) for name, field in self.fields.items() if field["type"] == "id"
        }

    def passes(self, name, value):
        field = self.fields[name]
        kind = field["type"]
        if kind == "int":
            return is_integer(value) and field["min"] <= value <= field["max"]
        if kind == "money":
            return is_integer(value) and 0 <= value <= field["max"]
        if kind == "bool":
            return type(value) is bool
        if kind == "time":
            return is_time(value)
        if not is_text(value):
            return False
        if kind == "string":
            return len(value) <= field["max"]
        if kind == "enum":
            return value in field["values"]
        return len(value) <= MAX_ID and patterns.matches(self.patterns[name], value)

    def accepts(self, args):
        missing = (name for name, field in self.fields.items() if name not in args and not field.get("optional", False))
        return next(missing, None) is None and all(
            name in self.fields and self.passes(name, value) for name, value in args.items()
        )


def read_schema(data):
    document = read(data, MAX_DOCUMENT)
    refused = Refused("PCM_SCHEMA_DOCUMENT")
    if not has_members(document, ("pcm_schema", "name", "fields"), ("claims", "grant", "tool")):
        raise refused
    claims, tool, name = document.get("claims", []), document.get("tool", "-"), document["name"]
    if not is_integer(document["pcm_schema"]) or document["pcm_schema"] != 0 or not is_text(name):
        raise refused
    if NAME.fullmatch(name) is None or not isinstance(document["fields"], dict):
        raise refused
    if not all(map(_is_field, document["fields"].values())):
        raise refused
    if not isinstance(claims, list) or not all(one in CLAIM_TYPES for one in claims):
        raise refused
    if type(document.get("grant", False)) is not bool or not is_text(tool) or not 1 <= len(tool) <= 256:
        raise refused
    return Schema(document)
