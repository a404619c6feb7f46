"""FORMAT section 6: the form of a receipt, and its signature."""

import re

from .commitments import LISTS, commitments_digest, message, root
from .ed25519 import from_base64, openssl_accepts
from .restricted_json import canonical, is_time
from .shapes import HEX64, is_id, is_integer
from .trust import key_refusals

KEY_ID = re.compile(r"sha256:[0-9a-f]{64}")


def is_hex64(value):
    return isinstance(value, str) and HEX64.fullmatch(value) is not None


BODY = {
    "format": lambda value: value == "a2aft.receipt.v3",
    "incident_root": is_hex64,
    "capture_digest": is_hex64,
    "commitment_count": lambda value: is_integer(value) and value >= 1,
    "commitments_digest": lambda value: value is None or is_hex64(value),
    "incident_id": is_id,
    "profile_id": is_id,
    "profile_digest": is_hex64,
    "families_digest": is_hex64,
    "settings_digest": is_hex64,
    "capture_backend": is_id,
    "signer_id": is_id,
    "key_id": lambda value: isinstance(value, str) and KEY_ID.fullmatch(value) is not None,
    "algorithm": lambda value: value == "Ed25519",
    "issued_at": is_time,
}


def form_refusals(receipt):
    body = receipt["body"]
    refusals = [f"body.{name} is unknown" for name in body if name not in BODY]
    for name, is_right in BODY.items():
        if name not in body:
            refusals.append(f"body.{name} is missing")
        elif not is_right(body[name]):
            refusals.append(f"body.{name} is wrong")
    refusals += [f"{name} is unknown" for name in receipt if name not in ("body", "signature", "commitments")]
    if ("commitments" in receipt) != (body.get("commitments_digest") is not None):
        refusals.append("commitments and commitments_digest do not stand together")
    signature = receipt.get("signature")
    decoded = from_base64(signature) if isinstance(signature, str) else None
    if decoded is None or len(decoded) != 64:
        refusals.append("signature is no canonical base64 of 64 bytes")
    entries = receipt.get("commitments", [])
    if not isinstance(entries, list) or not all(map(is_entry, entries)):
        refusals.append("commitments is no list of c, i, h")
    return refusals


def is_entry(entry):
    return (
        isinstance(entry, dict)
        and set(entry) == {"c", "i", "h"}
        and entry["c"] in LISTS
        and (entry["i"] is None or isinstance(entry["i"], str))
        and is_hex64(entry["h"])
    )


def signature_refusals(receipt, trust, expected_incident):
    """Step signature: form, key, key state, signature, expected incident."""
    refusals = form_refusals(receipt)
    if refusals:
        return refusals
    body = receipt["body"]
    if expected_incident is not None and body["incident_id"] != expected_incident:
        refusals.append("another incident than expected")
    known = trust.get((body["signer_id"], body["key_id"]))
    if known is None:
        return [*refusals, "the trust store has no such key of that signer"]
    public_key, key = known
    refusals += key_refusals(key, body["issued_at"])
    signature = from_base64(receipt["signature"])
    signed = message("A2AFT.Receipt.v3", canonical(body))
    if not openssl_accepts(public_key, signed, signature):
        refusals.append("the signature is not that of the key")
    return refusals


def list_refusals(receipt):
    """Why the receipt's list of commitments is not the signed one, and its entries as (c, i) -> h, None of no list."""
    body, entries = receipt["body"], receipt.get("commitments")
    if entries is None:
        return [], None
    refusals = []
    listed = {(entry["c"], entry["i"]): entry["h"] for entry in entries}
    if len(listed) != len(entries):
        refusals.append("an entry of commitments stands twice")
    if commitments_digest(entries) != body["commitments_digest"]:
        refusals.append("commitments_digest is not that of commitments")
    if len(entries) != body["commitment_count"]:
        refusals.append("commitments has another length than the count")
    if root([entry["h"] for entry in entries]) != body["incident_root"]:
        refusals.append("commitments does not fold to incident_root")
    return refusals, listed
