"""PCM section 13: one message, in order."""

from .claims import Context, judge
from .envelope import is_envelope, is_signed
from .grants import check_grants
from .text import Refused, read


def _rejected_at_signature(reason, skipped):
    return {
        "verdict": "reject",
        "signature": {"ok": False, "key": None},
        "replay": {"ok": None},
        "schema": {"ok": None, "ref": None},
        "grants": {"result": "skipped", "steps": 0, "root": None},
        "claims": [],
        "skipped": skipped,
        "reasons": [reason],
    }


def _signature(message, trust):
    """The key that signed the message; raises Refused."""
    if not is_envelope(message):
        raise Refused("PCM_ENVELOPE")
    key = trust.log(message["sig"]["key"])
    if key is None:
        raise Refused("PCM_SIGNATURE_KEY")
    signed = is_signed(message, "pcm.message.v0", key)
    if signed is None:
        raise Refused("PCM_SIGNATURE_ENCODING")
    if not signed:
        raise Refused("PCM_SIGNATURE")
    return key


def _unmet(message, claims, schema):
    """The types that the schema lists and no proven claim meets."""
    proven = {
        claim["type"]
        for claim, judged in zip(message.get("claims", []), claims)
        if judged["result"] == "proven" and (claim["type"] != "approved_by" or claim["args"].get("covers") is True)
    }
    return [one for one in (schema.listed if schema else []) if one not in proven]


def verify(data, trust, schemas, me=None, strict=False, replay=None, now=None):
    """The result of a message given as bytes; schemas by ref."""
    try:
        message = read(data)
    except Refused as refused:
        return {"verdict": "bad-input", "reasons": [refused.reason]}
    skipped = [name for name, given in (("replay", replay), ("recipient", me)) if given is None]
    try:
        key = _signature(message, trust)
    except Refused as refused:
        return _rejected_at_signature(refused.reason, skipped)
    sender, schema = (key.public, message["from"]["agent"]), schemas.get(message["intent"]["type"])
    fault = None
    if me is not None and message["to"]["agent"] != me:
        fault = "PCM_REPLAY_RECIPIENT"
    elif replay is not None:
        fault = replay.fault(sender, message, now)
    schema_fault = "PCM_SCHEMA_UNKNOWN" if schema is None else None
    if schema is not None and not schema.accepts(message["intent"]["args"]):
        schema_fault = "PCM_SCHEMA_ARGS"
    if replay is not None and fault is None and schema_fault is None:
        replay.spend(sender, message)
    word, root, problems = check_grants(message, key, schema)
    claims = [judge(one, Context(message, key, trust, schema, root)) for one in message.get("claims", [])]
    unmet = _unmet(message, claims, schema)
    reasons = [one for one in (fault, schema_fault) if one is not None] + problems
    is_rejected = bool(reasons) or any(one["result"] == "failed" for one in claims) or (strict and bool(unmet))
    is_short = bool(unmet) or any(one["result"] == "unproven" for one in claims)
    return {
        "verdict": "reject" if is_rejected else "accept-unproven" if is_short else "accept",
        "signature": {"ok": True, "key": key.label},
        "replay": {"ok": False if fault else None if replay is None else True},
        "schema": {"ok": schema_fault is None, "ref": message["intent"]["type"]},
        "grants": {
            "result": word,
            "steps": len(message.get("grants", [])),
            "root": root and {name: root[name] for name in ("kind", "id", "person")},
        },
        "claims": claims,
        "skipped": skipped,
        "reasons": reasons
        + [one["reason"] for one in claims if one["result"] != "proven"]
        + ["PCM_CLAIM_REQUIRED"] * len(unmet),
    }
