"""FORMAT section 7: the trust store, and the state of a key at the time of issue."""

import hashlib

from .ed25519 import from_base64, key_fault
from .restricted_json import is_time
from .shapes import is_id

REASONS = ("compromise", "superseded", "cessation")


class Untrusted(Exception):
    """A fault of the trust store: the reader's own error, no refusal of evidence."""


def need(condition, what):
    if not condition:
        raise Untrusted(what)


def exactly(value, required, optional=()):
    need(isinstance(value, dict), "no object where one is needed")
    need(all(name in value for name in required), "member missing")
    need(all(name in required or name in optional for name in value), "unknown member")


def key_id_of(public_key):
    return "sha256:" + hashlib.sha256(public_key).hexdigest()


def _check_key(key):
    exactly(key, ("key_id", "public_key", "status", "valid_from"), ("valid_until", "revoked_at", "revocation_reason"))
    public_key = from_base64(key["public_key"]) if isinstance(key["public_key"], str) else None
    need(public_key is not None, "public_key is no canonical base64")
    fault = key_fault(public_key)
    need(fault is None, f"public_key: {fault}")
    need(key["key_id"] == key_id_of(public_key), "key_id is not that of its key")
    need(key["status"] in ("active", "retired", "revoked"), "status")
    need(all(is_time(key[name]) for name in ("valid_from", "valid_until", "revoked_at") if name in key), "time")
    need(key["status"] != "retired" or "valid_until" in key, "retired without valid_until")
    revoked = key["status"] == "revoked"
    need(("revoked_at" in key) == revoked and ("revocation_reason" in key) == revoked, "revocation")
    need(not revoked or key["revocation_reason"] in REASONS, "revocation_reason")
    return public_key


def read_trust(document):
    """(signer_id, key_id) -> (raw public key, key) of a store without fault."""
    exactly(document, ("format", "signers"))
    need(document["format"] == "a2aft.trust.v1", "format")
    need(isinstance(document["signers"], list), "signers")
    keys, signers, key_ids, public_keys = {}, set(), set(), set()
    for signer in document["signers"]:
        exactly(signer, ("signer_id", "keys"))
        need(is_id(signer["signer_id"]), "signer_id")
        need(signer["signer_id"] not in signers, "signer_id used twice")
        signers.add(signer["signer_id"])
        need(isinstance(signer["keys"], list), "keys")
        for key in signer["keys"]:
            public_key = _check_key(key)
            need(key["key_id"] not in key_ids and public_key not in public_keys, "key used twice")
            key_ids.add(key["key_id"])
            public_keys.add(public_key)
            keys[(signer["signer_id"], key["key_id"])] = (public_key, key)
    return keys


def key_refusals(key, issued_at):
    """Why a receipt of that issue time is not accepted under a key, in words."""
    refusals = []
    if issued_at < key["valid_from"]:
        refusals.append("issued before the key was valid")
    if "valid_until" in key and issued_at >= key["valid_until"]:
        refusals.append("issued after the key was valid")
    if key["status"] == "revoked":
        if key["revocation_reason"] == "compromise":
            refusals.append("the key is revoked for compromise")
        elif issued_at >= key["revoked_at"]:
            refusals.append("issued after the key was revoked")
    return refusals
