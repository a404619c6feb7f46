"""PCM section 5: verifier keys, the trust document, checkpoints and inclusion proofs."""

import hashlib
import re
from dataclasses import dataclass

from reference import ed25519

from .text import MAX_DOCUMENT, Refused, from_base64, is_integer, is_text, read

LOG, WITNESS = 1, 4
ID = re.compile(r"[0-9a-f]{8}")
SIZE = re.compile(r"0|[1-9][0-9]{0,19}")
NAME = re.compile(r"[^+\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+")
MAX_LINES = 64
MAX_NOTE = 65_536


@dataclass(frozen=True)
class Key:
    name: str
    id: str
    public: bytes

    @property
    def label(self):
        return f"{self.name}+{self.id}"

    def signed(self, message, signature):
        return len(signature) == 64 and ed25519.openssl_accepts(self.public, message, signature)


def is_key_name(text):
    return NAME.fullmatch(text) is not None and len(text.encode("utf-8")) <= 255


def read_key(vkey, kind):
    parts = vkey.split("+", 2) if is_text(vkey) else []
    data = from_base64(parts[2]) if len(parts) == 3 else None
    if data is None or len(data) != 33 or data[0] != kind:
        raise Refused("PCM_TRUST_KEY")
    name = parts[0].encode("utf-8")
    if not is_key_name(parts[0]):
        raise Refused("PCM_TRUST_KEY")
    if parts[1] != hashlib.sha256(name + b"\n" + data).hexdigest()[:8] or ed25519.key_fault(data[1:]) is not None:
        raise Refused("PCM_TRUST_KEY")
    return Key(parts[0], parts[1], data[1:])


def _distinct(keys, two_keys, two_names):
    by_name, by_key = {}, {}
    for key in keys:
        if by_name.setdefault(key.name, key) != key:
            raise Refused(two_keys)
        if by_key.setdefault(key.public, key) != key:
            raise Refused(two_names)
    return by_name


@dataclass(frozen=True)
class Trust:
    logs: dict
    witnesses: dict
    required: int

    def log(self, label):
        """The pinned log key that a message names as name+hex8."""
        return next((key for key in self.logs.values() if key.label == label), None)


def read_trust(data):
    document = read(data, MAX_DOCUMENT)
    members = document if isinstance(document, dict) else {}
    logs, witnesses = members.get("logs"), members.get("witnesses", [])
    required = members.get("witnesses_required", 0)
    if not isinstance(logs, list) or not logs or not isinstance(witnesses, list):
        raise Refused("PCM_TRUST_SHAPE")
    if not all(isinstance(one, dict) for one in witnesses) or not is_integer(required) or required < 0:
        raise Refused("PCM_TRUST_SHAPE")
    return Trust(
        _distinct([read_key(one, LOG) for one in logs], "PCM_TRUST_LOG_TWO_KEYS", "PCM_TRUST_LOG_TWO_NAMES"),
        _distinct(
            [read_key(one.get("vkey"), WITNESS) for one in witnesses],
            "PCM_TRUST_WITNESS_TWO_KEYS",
            "PCM_TRUST_WITNESS_TWO_NAMES",
        ),
        required,
    )


@dataclass(frozen=True)
class Checkpoint:
    origin: str
    size: int
    root: bytes
    witnesses: int


def _signature_line(line):
    found = re.fullmatch(r"— ([^ ]+) ([^ ]+)", line)
    blob = from_base64(found[2]) if found else None
    if blob is None or len(blob) < 5 or not is_key_name(found[1]):
        raise Refused("PCM_EVIDENCE_CHECKPOINT")
    return found[1], blob[:4].hex(), blob[4:]


def _cosigned(key, body, blob):
    time = int.from_bytes(blob[:8], "big")
    return key.signed(f"cosignature/v1\ntime {time}\n".encode() + body, blob[8:])


def read_checkpoint(note, trust):
    """A checkpoint that the pinned key of its origin signed; raises Refused."""
    refused = Refused("PCM_EVIDENCE_CHECKPOINT")
    if len(note.encode("utf-16-le")) > 2 * MAX_NOTE or not note.endswith("\n"):
        raise refused
    head, blank, tail = note.partition("\n\n")
    lines, signatures = head.split("\n"), tail[:-1].split("\n")
    if not blank or len(lines) != 3 or len(signatures) > MAX_LINES:
        raise refused
    origin, size, root = lines[0], lines[1], from_base64(lines[2])
    if SIZE.fullmatch(size) is None or root is None or len(root) != 32:
        raise refused
    body = f"{head}\n".encode()
    signers, seen = [], set()
    for name, key_id, blob in map(_signature_line, signatures):
        if (name, key_id) in seen:
            raise refused
        seen.add((name, key_id))
        log, witness = trust.logs.get(name), trust.witnesses.get(name)
        for key, verifies in ((log, Key.signed), (witness, _cosigned)):
            if key is None or key.id != key_id:
                continue
            if not verifies(key, body, blob):
                raise refused
            signers.append(key)
    if trust.logs.get(origin) not in signers:
        raise refused
    return Checkpoint(origin, int(size), root, sum(key in trust.witnesses.values() for key in signers))


def _node(left, right):
    return hashlib.sha256(b"\x01" + left + right).digest()


def is_included(record_hash, index, proof, checkpoint):
    """RFC 9162 section 2.1.3.2; the leaf is SHA-256(0x00, the 32 bytes of the hash)."""
    if index >= checkpoint.size:
        return False
    fn, sn = index, checkpoint.size - 1
    r = hashlib.sha256(b"\x00" + record_hash).digest()
    for p in proof:
        if sn == 0:
            return False
        if fn & 1 or fn == sn:
            r = _node(p, r)
            while not fn & 1 and fn:
                fn, sn = fn >> 1, sn >> 1
        else:
            r = _node(r, p)
        fn, sn = fn >> 1, sn >> 1
    return sn == 0 and r == checkpoint.root
