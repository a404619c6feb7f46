"""Sections 1, 2 and 5 of docs/FORMAT.md: reading, S(x), domain-separated hashes, commitments, the Merkle root."""

import json
from hashlib import sha256

from shapes import COLLECTIONS

_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode


class Refused(Exception):
    """Evidence that is not what was signed, or that this profile cannot judge."""


def canonical(value):
    return _encode(value).encode()


def digest(tag, data):
    return sha256(tag + data).hexdigest()


RECORD, EDGE, EDGE_ID = b"A2AFT.Record.v3\0", b"A2AFT.Edge.v3\0", b"A2AFT.EdgeId.v3\0"
NODE, CAPTURE, COMMITMENTS = b"A2AFT.MerkleNode.v3\0", b"A2AFT.Capture.v3\0", b"A2AFT.Commitments.v3\0"
PROFILE, RECEIPT = b"A2AFT.Profile.v3\0", b"A2AFT.Receipt.v3\0"


def _unique(pairs):
    members = dict(pairs)
    if len(members) != len(pairs):
        raise Refused("a name stands twice")
    return members


def _outside(token):
    raise Refused(f"{token} is outside the model")


def read(data):
    """The value of a committed document; refuses a repeated name and a number that is no integer."""
    return json.loads(data, object_pairs_hook=_unique, parse_float=_outside, parse_constant=_outside)


def commitments(bundle):
    """The entries of a receipt's list, in the order of the leaves."""
    entries = []
    for collection, kind, id_member, _ in COLLECTIONS:
        for record in sorted(bundle[collection], key=lambda row: row[id_member]):
            identifier = record[id_member]
            envelope = {"c": collection, "i": identifier, "p": record, "t": kind, "v": "3"}
            entries.append({"c": collection, "i": identifier, "h": digest(RECORD, canonical(envelope))})
    for edge in sorted(bundle["edges"], key=lambda row: row["edge_id"]):
        payload = dict(edge)
        identifier = payload.pop("edge_id")
        h = digest(EDGE, canonical({"e": payload, "i": identifier, "v": "3"}))
        entries.append({"c": "edges", "i": identifier, "h": h})
    return entries


def merkle_root(entries):
    level = [bytes.fromhex(entry["h"]) for entry in entries]
    while len(level) > 1:
        if len(level) % 2:
            level.append(level[-1])
        level = [sha256(NODE + level[at] + level[at + 1]).digest() for at in range(0, len(level), 2)]
    return level[0].hex()
