"""PCM section 6: the dialect of patterns, matched by sets of places, never by backtracking."""

import re

from .text import Refused

ESCAPABLE = set("\\^$.|?*+()[]{}-/")
DIGITS = [("0", "9")]
WORD = [("0", "9"), ("A", "Z"), ("a", "z"), ("_", "_")]
LINE_ENDS = [(char, char) for char in "\n\r\u2028\u2029"]
SPECIAL = set("\\^$.|?*+()[]{}")
SPECIAL_IN_SET = set("[]\\^")
COUNT = re.compile(r"\*|\+|\?|\{([0-9]{1,5})(?:(,)([0-9]{0,5}))?\}")
MAX_COUNT, MAX_DEPTH, MAX_STATES, MAX_PIECES = 1000, 64, 4096, 16384


class Parser:
    def __init__(self, pattern):
        self.rest = pattern
        self.depth = 0

    def fail(self):
        raise Refused("PCM_SCHEMA_PATTERN")

    def take(self):
        if not self.rest:
            self.fail()
        char, self.rest = self.rest[0], self.rest[1:]
        return char

    def alternatives(self):
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.fail()
        branches = [self.sequence()]
        while self.rest.startswith("|"):
            self.take()
            branches.append(self.sequence())
        self.depth -= 1
        return ("any", branches) if len(branches) > 1 else branches[0]

    def sequence(self):
        parts = []
        while self.rest and self.rest[0] not in "|)":
            parts.append(self.counted(self.atom()))
        return ("all", parts)

    def counted(self, atom):
        found = COUNT.match(self.rest)
        if found is None:
            return atom
        self.rest = self.rest[found.end() :]
        if self.rest[:1] in ("*", "+", "?", "{"):
            self.fail()
        if found[0] in "*+?":
            return ("count", atom, *{"*": (0, None), "+": (1, None), "?": (0, 1)}[found[0]])
        low = int(found[1])
        high = low if found[2] is None else None if found[3] == "" else int(found[3])
        if low > MAX_COUNT or (high is not None and not low <= high <= MAX_COUNT):
            self.fail()
        return atom if low == high == 1 else ("count", atom, low, high)

    def atom(self):
        char = self.take()
        if char == "(":
            if self.rest.startswith("?:"):
                self.rest = self.rest[2:]
            inner = self.alternatives()
            if self.take() != ")":
                self.fail()
            return inner
        if char == "[":
            return self.set()
        if char == ".":
            return ("set", False, LINE_ENDS)
        if char == "\\":
            return ("set", True, self.escape())
        if char in SPECIAL:
            self.fail()
        return ("set", True, [(char, char)])

    def escape(self):
        char = self.take()
        if char in ESCAPABLE:
            return [(char, char)]
        return {"d": DIGITS, "w": WORD}.get(char) or self.fail()

    def set(self):
        is_in = not self.rest.startswith("^")
        if not is_in:
            self.take()
        ranges = []
        while (char := self.take()) != "]":
            single = self.escape() if char == "\\" else [(char, char)]
            if char != "\\" and char in SPECIAL_IN_SET:
                self.fail()
            if self.rest[:1] != "-" or self.rest[1:2] == "]":
                ranges += single
                continue
            self.take()
            end = self.take()
            if char == "\\" or end in SPECIAL_IN_SET or end < char:
                self.fail()
            ranges.append((char, end))
        return ("set", is_in, ranges) if ranges else self.fail()


def parse(pattern):
    body = pattern[1:] if pattern.startswith("^") else pattern
    if body.endswith("$") and (len(body) - len(body[:-1].rstrip("\\"))) % 2 == 1:
        body = body[:-1]
    parser = Parser(body)
    node = parser.alternatives()
    if parser.rest or _states(node) + 1 > MAX_STATES or _pieces(node) > MAX_PIECES:
        parser.fail()
    return node


def _states(node):
    """What the automaton has for a node, its repetitions written out."""
    if node[0] == "set":
        return 1
    if node[0] in ("any", "all"):
        return (node[0] == "any") + sum(map(_states, node[1]))
    _, atom, low, high = node
    return low * _states(atom) + (1 if high is None else high - low) * (1 + _states(atom))


def _pieces(node):
    if node[0] == "set":
        return 1
    if node[0] in ("any", "all"):
        return 1 + sum(map(_pieces, node[1]))
    _, atom, low, high = node
    return 1 + (low + 1 if high is None else high) * _pieces(atom)


def _ends(node, text, starts):
    """The places where a match that begins at one of the starts may end."""
    kind = node[0]
    if kind == "set":
        return {at + 1 for at in starts if at < len(text) and any(a <= text[at] <= b for a, b in node[2]) == node[1]}
    if kind == "any":
        return set().union(*(_ends(branch, text, starts) for branch in node[1]))
    if kind == "all":
        for part in node[1]:
            starts = _ends(part, text, starts)
        return starts
    _, atom, low, high = node
    for _ in range(low):
        starts = _ends(atom, text, starts)
    reached, fresh, rounds = set(starts), starts, 0
    while fresh and (high is None or rounds < high - low):
        fresh = _ends(atom, text, fresh) - reached
        reached |= fresh
        rounds += 1
    return reached


def matches(node, text):
    return len(text) in _ends(node, text, {0})
