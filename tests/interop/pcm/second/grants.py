"""PCM section 7: the chain of grants."""

from .envelope import are_names, is_name, is_signature, is_signed, is_zero
from .schema import is_distinct_texts
from .text import digest, has_members, is_digest, is_integer, is_text, is_time

MEMBERS = ("pcm_grant", "ts", "issuer", "subject", "intent", "caveats", "expires_at", "delegable", "parent", "sig")
PERSON = ("kind", "id", "run", "tenant", "approval_id", "person")
AGENT = ("kind", "id", "run", "tenant")
OPS = {
    "int": ("==", "<=", ">=", "<", ">"),
    "money": ("==", "<=", ">=", "<", ">"),
    "time": ("==", "<=", ">="),
    "string": ("==", "in"),
    "id": ("==", "in"),
    "enum": ("==", "in"),
    "bool": ("==",),
}
MAX_GRANTS, MAX_CAVEATS, MAX_IN = 32, 256, 64


def _is_issuer(issuer):
    kind = issuer.get("kind") if isinstance(issuer, dict) else None
    return (kind == "person" and are_names(issuer, PERSON)) or (kind == "agent" and are_names(issuer, AGENT))


def _is_caveat(value):
    return has_members(value, ("field", "op", "value")) and is_text(value["field"]) and is_text(value["op"])


def is_grant(grant):
    return (
        has_members(grant, MEMBERS)
        and is_zero(grant["pcm_grant"])
        and is_time(grant["ts"])
        and is_time(grant["expires_at"])
        and _is_issuer(grant["issuer"])
        and is_name(grant["subject"])
        and is_text(grant["intent"])
        and isinstance(grant["caveats"], list)
        and len(grant["caveats"]) <= MAX_CAVEATS
        and all(map(_is_caveat, grant["caveats"]))
        and type(grant["delegable"]) is bool
        and (grant["parent"] is None or is_digest(grant["parent"]))
        and is_signature(grant["sig"])
    )


def _fits(caveat, schema):
    field = schema.fields.get(caveat["field"])
    if field is None or caveat["op"] not in OPS[field["type"]]:
        return False
    kind, value = field["type"], caveat["value"]
    if caveat["op"] == "in":
        return is_distinct_texts(value) and 1 <= len(value) <= MAX_IN
    if kind in ("int", "money"):
        return is_integer(value)
    return type(value) is bool if kind == "bool" else is_time(value) if kind == "time" else is_text(value)


def _plain(caveat):
    """Without < and >, which only integers have."""
    field, op, value = caveat["field"], caveat["op"], caveat["value"]
    return (field, "<=", value - 1) if op == "<" else (field, ">=", value + 1) if op == ">" else (field, op, value)


def _implies(child, parent):
    (field, op, value), (parent_field, parent_op, bound) = child, parent
    if field != parent_field:
        return False
    if parent_op == "==":
        return (op == "==" and value == bound) or (op == "in" and value == [bound])
    if parent_op == "in":
        return (op == "==" and value in bound) or (op == "in" and set(value) <= set(bound))
    return op in ("==", parent_op) and (value <= bound if parent_op == "<=" else value >= bound)


def _holds(caveat, args, schema):
    field, op, bound = _plain(caveat)
    if field not in args or not _fits({"field": field, "op": "==", "value": args[field]}, schema):
        return False
    value = args[field]
    if op == "in":
        return value in bound
    return value == bound if op == "==" else value <= bound if op == "<=" else value >= bound


def _problems(grants, message, key, schema):
    """The reasons, grant by grant, for which a chain of well-formed grants fails."""
    sender, args = message["from"], message["intent"]["args"]
    for place, grant in enumerate(grants):
        before, issuer = grants[place - 1] if place else None, grant["issuer"]
        if grant["sig"]["key"] != key.label or not is_signed(grant, "pcm.grant.v0", key):
            yield "PCM_GRANT_SIGNATURE"
        if before is None:
            if grant["parent"] is not None or issuer["kind"] != "person" or issuer["id"] == grant["subject"]:
                yield "PCM_GRANT_ROOT"
        elif (
            grant["parent"] != digest(before)
            or not before["delegable"]
            or issuer["kind"] != "agent"
            or issuer["id"] != before["subject"]
        ):
            yield "PCM_GRANT_LINK"
        if grant["intent"] != message["intent"]["type"]:
            yield "PCM_GRANT_INTENT"
        if issuer["tenant"] != sender["tenant"]:
            yield "PCM_GRANT_TENANT"
        if message["ts"] >= grant["expires_at"]:
            yield "PCM_GRANT_EXPIRED"
        if before is not None and grant["expires_at"] > before["expires_at"]:
            yield "PCM_GRANT_WIDER"
        if schema is None or not all(_fits(one, schema) for one in grant["caveats"]):
            yield "PCM_GRANT_CAVEAT"
            continue
        caveats = [_plain(one) for one in grant["caveats"]]
        if before is not None and all(_fits(one, schema) for one in before["caveats"]):
            if not all(any(_implies(one, _plain(bound)) for one in caveats) for bound in before["caveats"]):
                yield "PCM_GRANT_WIDER"
        if not all(_holds(one, args, schema) for one in grant["caveats"]):
            yield "PCM_GRANT_ARGS"
    if grants[-1]["subject"] != sender["agent"]:
        yield "PCM_GRANT_SUBJECT"


def check_grants(message, key, schema):
    """Result word, root issuer (None without one) and the reasons of a chain."""
    grants = message.get("grants", [])
    if not grants:
        is_missing = schema is not None and schema.needs_grant
        return ("failed", None, ["PCM_GRANT_MISSING"]) if is_missing else ("none", None, [])
    if len(grants) > MAX_GRANTS:
        return "failed", None, ["PCM_GRANT_TOO_MANY"]
    root = grants[0]["issuer"] if is_grant(grants[0]) and grants[0]["issuer"]["kind"] == "person" else None
    if not all(map(is_grant, grants)):
        return "failed", root, ["PCM_GRANT_SHAPE"]
    problems = list(_problems(grants, message, key, schema))
    return ("failed" if problems else "ok"), root, problems
