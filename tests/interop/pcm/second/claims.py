"""PCM sections 8 and 10 to 12: the result of one claim."""

import hashlib
from dataclasses import dataclass

from . import approvals, hosts, paths
from .commands import is_test_command
from .evidence import opened_calls, read_evidence
from .page import TOOL_CLASSES
from .text import Refused, has_members, is_digest, is_integer, is_text, seconds_between


@dataclass(frozen=True)
class Context:
    message: dict
    key: object
    trust: object
    schema: object
    root: object


def _best(found):
    """Of what single records say: proven, else unproven, else failed."""
    if "PCM_CLAIM_PROVEN" in found:
        return "proven", "PCM_CLAIM_PROVEN", None
    return ("unproven", found[0], None) if found else ("failed", "PCM_CLAIM_NOT_SAID", None)


def _call_says(call, is_of_class):
    if not is_of_class:
        return "PCM_CLAIM_UNPLACED_TOOL"
    return "PCM_CLAIM_PROVEN" if call.is_attested else "PCM_CLAIM_AGENT_WORD"


def _tests_passed(args, records, _):
    return _best(
        [
            _call_says(call, TOOL_CLASSES.get(call.tool) == "shell")
            for call in opened_calls(records)
            if call.args.get("command") == args["suite"]
        ]
    )


def _effect_says(event, host):
    data = event["data"]
    at = hosts.of_plain(data["host"]) if is_text(data.get("host")) else hosts.NOWHERE
    if event["source"] != "signer" or at not in (host, hosts.UNTOLD) or data.get("kind") not in ("net", "connect"):
        return None
    if data["kind"] == "connect" and data.get("denied") is True:
        return None
    if at is hosts.UNTOLD:
        return "PCM_CLAIM_HOST_UNTOLD"
    if data["kind"] == "connect":
        return "PCM_CLAIM_ATTEMPT"
    count = data.get("connections")
    return "PCM_CLAIM_PROVEN" if is_integer(count) and count > 0 else "PCM_CLAIM_NO_CONNECTION"


def _url_says(call, host):
    url = call.args.get("url")
    at = hosts.of_url(url) if is_text(url) else hosts.NOWHERE
    if at is hosts.UNTOLD:
        return "PCM_CLAIM_HOST_UNTOLD"
    return _call_says(call, TOOL_CLASSES.get(call.tool) == "http") if at == host else None


def _reached_host(args, records, _):
    host = hosts.of_plain(args["host"])
    if host is hosts.UNTOLD:
        return "unproven", "PCM_CLAIM_HOST_UNTOLD", None
    said = [_effect_says(one.event, host) for one in records if one.type == "effect.observed"]
    said += [_url_says(call, host) for call in opened_calls(records)]
    return _best([one for one in said if one is not None])


def _file_written(args, records, _):
    said = []
    for call in opened_calls(records):
        content, path = call.args.get("content"), call.args.get("file_path", call.args.get("path"))
        if call.tool != "Write" or not is_text(content) or not is_text(path):
            continue
        if "sha256:" + hashlib.sha256(content.encode("utf-8")).hexdigest() != args["digest"]:
            continue
        at = paths.compare(path, args["path"])
        if at == paths.UNTOLD:
            said.append("PCM_CLAIM_PATH_UNTOLD")
        elif at == paths.SAME:
            said.append(_call_says(call, True))
    return _best(said)


CHECKERS = {
    "approved_by": (approvals.is_well_formed, approvals.judge),
    "tests_passed": (
        lambda args: has_members(args, ("suite",)) and is_test_command(args["suite"]),
        _tests_passed,
    ),
    "reached_host": (
        lambda args: has_members(args, ("host",)) and is_text(args["host"]) and hosts.is_claimable(args["host"]),
        _reached_host,
    ),
    "file_written": (
        lambda args: has_members(args, ("path", "digest"))
        and is_text(args["path"])
        and is_digest(args["digest"])
        and paths.is_claimable(args["path"]),
        _file_written,
    ),
}


def judge(claim, context):
    """The claim's member of the result."""
    result, reason, approved, age = _judge(claim, context)
    judged = {"type": claim["type"], "result": result, "reason": reason}
    if approved is not None:
        judged["approved"] = approved
    if age is not None:
        judged["evidence_age_s"] = age
    return judged


def _judge(claim, context):
    if claim["type"] not in CHECKERS:
        return "failed", "PCM_CLAIM_UNKNOWN_TYPE", None, None
    is_well_formed, check = CHECKERS[claim["type"]]
    if not is_well_formed(claim["args"]):
        return "failed", "PCM_CLAIM_MALFORMED", None, None
    if claim.get("evidence") is None:
        return "unproven", "PCM_CLAIM_NO_EVIDENCE", None, None
    try:
        records = read_evidence(claim["evidence"], context.message, context.key, context.trust)
    except Refused as refused:
        return "failed", refused.reason, None, None
    result, reason, approved = check(claim["args"], records, context)
    oldest = min(one.event["ts"] for one in records)
    age = seconds_between(oldest, context.message["ts"]) if result == "proven" else None
    return result, reason, approved, age
