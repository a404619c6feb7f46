"""PCM sections 2 and 3: strict reading, canonical text, base64, digests and times."""

import base64
import binascii
import datetime
import hashlib
import json
import re

import rfc8785

MAX_INTEGER = 2**53 - 1
MAX_DEPTH = 128
MAX_MESSAGE = 1024 * 1024
MAX_DOCUMENT = 256 * 1024

DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
HEX_32 = re.compile(r"[0-9a-f]{32}")
TIME = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})\.[0-9]{6}Z")
STRUCTURE = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[{]|[\]}]', re.DOTALL)
HALF_PAIR = re.compile("[\ud800-\udfff]")


class Refused(Exception):
    """A refusal: the reason of section 15."""

    def __init__(self, reason):
        super().__init__(reason)
        self.reason = reason


def _integer(token):
    if len(token) > 17 or abs(int(token)) > MAX_INTEGER:
        raise Refused("PCM_READ_NUMBER")
    return int(token)


def _float(token):
    number = float(token)
    if abs(number) == float("inf"):
        raise Refused("PCM_READ_NUMBER")
    return number


def _constant(_):
    raise Refused("PCM_READ_SYNTAX")


def _members(pairs):
    members = dict(pairs)
    if len(members) != len(pairs):
        raise Refused("PCM_READ_DUPLICATE")
    return members


def _check_depth(text):
    depth = 0
    for found in STRUCTURE.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(found[0], 0)
        if depth > MAX_DEPTH:
            raise Refused("PCM_READ_DEPTH")


def _check_text(value):
    if isinstance(value, str) and HALF_PAIR.search(value):
        raise Refused("PCM_READ_SURROGATE")
    if isinstance(value, dict):
        for name, member in value.items():
            _check_text(name)
            _check_text(member)
    if isinstance(value, list):
        for item in value:
            _check_text(item)


def read(data, max_bytes=MAX_MESSAGE):
    """The value of strict JSON: an integer token is an int, any other number a float; raises Refused."""
    if len(data) > max_bytes:
        raise Refused("PCM_READ_TOO_LONG")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused("PCM_READ_UTF8") from None
    if text.startswith("\ufeff"):
        raise Refused("PCM_READ_BYTE_ORDER_MARK")
    _check_depth(text)
    try:
        value = json.loads(
            text, parse_int=_integer, parse_float=_float, parse_constant=_constant, object_pairs_hook=_members
        )
    except json.JSONDecodeError:
        raise Refused("PCM_READ_SYNTAX") from None
    _check_text(value)
    return value


def canonical(value):
    return rfc8785.dumps(value)


def digest(value):
    return "sha256:" + hashlib.sha256(canonical(value)).hexdigest()


def same(one, other):
    """Equal in JCS."""
    return canonical(one) == canonical(other)


def from_base64(text):
    """The bytes of canonical base64 (RFC 4648 section 4); None of any other text."""
    try:
        data = base64.b64decode(text.encode("ascii"), validate=True)
    except (UnicodeEncodeError, binascii.Error, ValueError):
        return None
    return data if base64.b64encode(data).decode("ascii") == text else None


def is_text(value):
    return isinstance(value, str)


def is_integer(value):
    return type(value) is int


def is_digest(value):
    return is_text(value) and DIGEST.fullmatch(value) is not None


def is_time(value):
    found = TIME.fullmatch(value) if is_text(value) else None
    if found is None:
        return False
    try:
        datetime.datetime(*(int(field) for field in found.groups()))
    except ValueError:
        return False
    return True


def seconds_between(earlier, later):
    one, other = (datetime.datetime.strptime(time, "%Y-%m-%dT%H:%M:%S.%fZ") for time in (earlier, later))
    return (other - one) / datetime.timedelta(seconds=1)


def has_members(value, required, optional=()):
    return isinstance(value, dict) and set(required) <= value.keys() <= set(required) | set(optional)
