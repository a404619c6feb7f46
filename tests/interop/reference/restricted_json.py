"""FORMAT section 1: the strict reader, and S(x)."""

import datetime
import json
import re

MAX_INTEGER = 2**53 - 1
MAX_STRING_BYTES = 16 * 1024 * 1024
MAX_ROWS = 2_000_000
MAX_DEPTH = 64

NAME = re.compile(r"[a-z][a-z0-9_]*")
INTEGER = re.compile(r"0|-?[1-9][0-9]{0,15}")
TIME = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})\.[0-9]{3}Z")
STRUCTURE = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[{]|[\]}]', re.DOTALL)


class Unreadable(Exception):
    """The text is not a document of section 1."""


class Members(list):
    """The members of one object as (name, value), before names are judged."""


def _integer(token):
    if not INTEGER.fullmatch(token) or abs(int(token)) > MAX_INTEGER:
        raise Unreadable(f"number {token[:40]} is outside the model")
    return int(token)


def _not_integer(token):
    raise Unreadable(f"{token[:40]} is no integer")


def _check_depth(text):
    depth = 0
    for token in STRUCTURE.finditer(text):
        first = text[token.start()]
        if first in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise Unreadable("nested deeper than 64")
        elif first in "]}":
            depth -= 1


def _check_string(text):
    try:
        size = len(text.encode("utf-8"))
    except UnicodeEncodeError:
        raise Unreadable("unpaired surrogate") from None
    if size > MAX_STRING_BYTES:
        raise Unreadable("string over 16 MiB")
    return text


def _plain(value, path, is_bundle):
    """Judges names and strings; `path` holds the steps from the root, list elements as None."""
    if isinstance(value, str):
        return _check_string(value)
    if isinstance(value, Members):
        free = is_bundle and len(path) == 3 and path[0] not in (None, "edges") and path[1:] == (None, "attributes")
        result = {}
        for name, member in value:
            _check_string(name)
            if name in result:
                raise Unreadable(f"member {name[:40]!r} stands twice")
            if free and not isinstance(member, str):
                raise Unreadable("attributes hold a value that is no string")
            if not free and not NAME.fullmatch(name):
                raise Unreadable(f"member name {name[:40]!r} is outside the grammar")
            result[name] = _plain(member, (*path, name), is_bundle)
        return result
    if isinstance(value, list):
        return [_plain(element, (*path, None), is_bundle) for element in value]
    return value


def read(data, is_bundle=False):
    """The value of a document in bytes; in a bundle a record's own `attributes` has free names."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise Unreadable("invalid UTF-8") from None
    if text.startswith("\ufeff"):
        raise Unreadable("byte-order mark")
    _check_depth(text)
    try:
        value = json.loads(
            text,
            object_pairs_hook=Members,
            parse_int=_integer,
            parse_float=_not_integer,
            parse_constant=_not_integer,
        )
    except json.JSONDecodeError as error:
        raise Unreadable(f"no JSON: {error.msg}") from None
    plain = _plain(value, (), is_bundle)
    if isinstance(plain, dict) and sum(len(rows) for rows in plain.values() if isinstance(rows, list)) > MAX_ROWS:
        raise Unreadable("more than 2,000,000 records and edges")
    return plain


CODE_POINT_ORDER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def canonical(value):
    """S(x) in bytes (RFC 8785)."""
    text = CODE_POINT_ORDER.encode(value)
    # Code points and UTF-16 code units sort apart only where a name goes beyond U+FFFF.
    return (text if text.isascii() or max(text) <= "\uffff" else _text(value)).encode("utf-8")


def _text(value):
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(f"{_text(name)}:{_text(value[name])}" for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_text, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def is_time(value):
    match = TIME.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return False
    try:
        datetime.datetime(*map(int, match.groups()))
    except ValueError:
        return False
    return True
