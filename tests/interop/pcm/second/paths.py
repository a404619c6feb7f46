"""PCM section 12: whether a call's path is the claimed one."""

import re

SAME, OTHER, UNTOLD = "same", "other", "untold"
DRIVE = re.compile(r"[A-Za-z]:[\\/]")


def _parts(path, is_drive):
    return [part for part in re.split(r"[\\/]" if is_drive else "/", path) if part not in ("", ".")]


def is_claimable(path):
    is_drive = DRIVE.match(path) is not None
    return (is_drive or path.startswith("/")) and ".." not in _parts(path, is_drive)


def _certain(parts):
    return parts[len(parts) - parts[::-1].index("..") :] if ".." in parts else parts


def _may_be(parts, claimed):
    """Whether the certain parts are the end of the claimed path."""
    certain = _certain(parts)
    return UNTOLD if claimed[len(claimed) - len(certain) :] == certain and len(certain) <= len(claimed) else OTHER


def _compare_on_drive(path, claimed):
    if path == claimed:
        return SAME
    wanted, parts = _parts(claimed, True), _parts(path, True)
    if DRIVE.match(path) and ".." not in parts:
        return UNTOLD if parts == wanted else OTHER
    if re.match("[A-Za-z]:", path):
        return _may_be(_parts(path[2:], True), wanted) if path[:2] == claimed[:2] else OTHER
    return _may_be(parts, wanted)


def compare(path, claimed):
    if DRIVE.match(claimed):
        return _compare_on_drive(path, claimed)
    wanted, parts = _parts(claimed, False), _parts(path, False)
    if path.startswith("/") and ".." not in parts:
        return SAME if parts == wanted else OTHER
    return _may_be(parts, wanted)
