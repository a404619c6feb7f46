"""PCM section 3: the envelope, and what is signed."""

from .schema import REF
from .text import HEX_32, canonical, from_base64, has_members, is_integer, is_text, is_time

MAX_CLAIMS = 64


def is_name(value):
    """Text of 1 to 256 UTF-16 units."""
    return is_text(value) and 1 <= len(value.encode("utf-16-le")) // 2 <= 256


def are_names(value, names):
    return has_members(value, names) and all(is_name(value[name]) for name in names)


def is_hex(value):
    return is_text(value) and HEX_32.fullmatch(value) is not None


def is_ref(value):
    return is_text(value) and REF.fullmatch(value) is not None


def is_signature(value):
    return has_members(value, ("key", "sig")) and is_text(value["key"]) and is_text(value["sig"])


def is_zero(value):
    return is_integer(value) and value == 0


def _is_claim(value):
    is_shaped = has_members(value, ("type", "args"), ("evidence",))
    return is_shaped and is_text(value["type"]) and isinstance(value["args"], dict)


def _is_payload(value):
    kind = value.get("kind") if isinstance(value, dict) else None
    if kind == "text":
        return has_members(value, ("kind", "text")) and is_text(value["text"])
    return kind == "data" and has_members(value, ("kind", "data"))


def is_envelope(message):
    required = ("pcm", "id", "nonce", "ts", "from", "to", "intent", "sig")
    if not has_members(message, required, ("claims", "grants", "payload")):
        return False
    claims, intent = message.get("claims", []), message["intent"]
    return (
        is_zero(message["pcm"])
        and is_hex(message["id"])
        and is_hex(message["nonce"])
        and is_time(message["ts"])
        and are_names(message["from"], ("agent", "run", "tenant"))
        and are_names(message["to"], ("agent",))
        and has_members(intent, ("type", "args"))
        and is_ref(intent["type"])
        and isinstance(intent["args"], dict)
        and isinstance(claims, list)
        and len(claims) <= MAX_CLAIMS
        and all(map(_is_claim, claims))
        and isinstance(message.get("grants", []), list)
        and ("payload" not in message or _is_payload(message["payload"]))
        and is_signature(message["sig"])
    )


def is_signed(signed, tag, key):
    """Whether the key signed the object under the tag; None when the signature is no 64 bytes of base64."""
    signature = from_base64(signed["sig"]["sig"])
    if signature is None or len(signature) != 64:
        return None
    body = {name: value for name, value in signed.items() if name != "sig"}
    return key.signed(canonical({**body, "t": tag}), signature)
