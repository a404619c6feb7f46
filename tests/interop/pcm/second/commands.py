"""PCM section 10: test commands."""

import re

from .page import RUNNERS

FORBIDDEN = set(";&|()<>$`\\#{}*?[]")
WORD = re.compile(r"""(?:[^ \t'"]|'[^']*'|"[^"]*")+""")
IDLE = ("--help", "--version", "--collect-only")


def words(command):
    """The words of a command line, quotes removed; None when quotes do not balance."""
    if re.fullmatch(r"""(?:[^'"]|'[^']*'|"[^"]*")*""", command) is None:
        return None
    return [re.sub(r"""'([^']*)'|"([^"]*)\"""", lambda m: m[1] or m[2] or "", word) for word in WORD.findall(command)]


def _is_plain(char):
    return char not in FORBIDDEN and (char >= " " or char == "\t") and char != "\x7f"


def is_test_command(command):
    if not isinstance(command, str) or not all(map(_is_plain, command)):
        return False
    found = words(command)
    if not found or not any(found[: len(runner)] == runner for runner in RUNNERS):
        return False
    return not any(
        word in ("-h", "-V") or (len(word) >= 3 and any(flag.startswith(word) for flag in IDLE)) for word in found
    )
