"""PCM section 8: records, and the calls that they open."""

import hashlib
import hmac
import re
from dataclasses import dataclass

from .envelope import is_name
from .keys import is_included, read_checkpoint
from .text import Refused, canonical, digest, from_base64, has_members, is_digest, is_integer, is_text, is_time

SALT = re.compile(r"[0-9a-f]{64}")
MAX_RECORDS, MAX_PROOF = 256, 64


@dataclass(frozen=True)
class Record:
    event: dict
    is_opened: bool
    args: object

    @property
    def type(self):
        return self.event["type"]

    @property
    def data(self):
        return self.event["data"]


@dataclass(frozen=True)
class Call:
    """An opened call with one of its results."""

    tool: str
    args: dict
    is_attested: bool


def _is_record(value):
    if not has_members(value, ("event", "hash", "proof"), ("salt", "args")) or not isinstance(value["event"], dict):
        return False
    proof, salt = value["proof"], value.get("salt", "0" * 64)
    return (
        is_digest(value["hash"])
        and isinstance(proof, list)
        and len(proof) <= MAX_PROOF
        and all(map(is_text, proof))
        and is_text(salt)
        and SALT.fullmatch(salt) is not None
        and isinstance(value.get("args", {}), dict)
    )


def _is_event(event):
    return (
        event.get("schema_version") == "tracekit.event.v2"
        and is_integer(event.get("seq"))
        and event["seq"] >= 0
        and is_time(event.get("ts"))
        and is_name(event.get("run_id"))
        and is_name(event.get("tenant"))
        and is_text(event.get("tier", ""))
        and is_text(event.get("source"))
        and is_text(event.get("type"))
        and isinstance(event.get("data"), dict)
    )


def _is_opening(record):
    event = record["event"]
    if event["type"] != "policy.decision" or "salt" not in record or "args" not in record:
        return False
    tool = event["data"].get("tool")
    opened = digest({"args": record["args"], "tool": tool}).encode("ascii")
    mac = hmac.new(bytes.fromhex(record["salt"]), opened, hashlib.sha256).hexdigest()
    return event["data"].get("args_commitment") == f"hmac-sha256:{mac}"


def _proof_bytes(proof):
    hashes = list(map(from_base64, proof))
    if any(one is None or len(one) != 32 for one in hashes):
        raise Refused("PCM_EVIDENCE_PROOF")
    return hashes


def read_evidence(evidence, message, key, trust):
    """The records of evidence that verifies; raises Refused."""
    if not has_members(evidence, ("checkpoint", "records")) or not is_text(evidence["checkpoint"]):
        raise Refused("PCM_EVIDENCE_SHAPE")
    records = evidence["records"]
    if not isinstance(records, list) or not 1 <= len(records) <= MAX_RECORDS:
        raise Refused("PCM_EVIDENCE_SHAPE")
    checkpoint = read_checkpoint(evidence["checkpoint"], trust)
    if checkpoint.origin != key.name:
        raise Refused("PCM_EVIDENCE_OTHER_LOG")
    if checkpoint.witnesses < trust.required:
        raise Refused("PCM_EVIDENCE_WITNESSES")
    seen = set()
    for record in records:
        if not _is_record(record):
            raise Refused("PCM_EVIDENCE_SHAPE")
        event, stated = record["event"], record["hash"]
        if not _is_event(event):
            raise Refused("PCM_EVIDENCE_EVENT")
        if hashlib.sha256(canonical(event)).hexdigest() != stated[7:]:
            raise Refused("PCM_EVIDENCE_HASH")
        if not is_included(bytes.fromhex(stated[7:]), event["seq"], _proof_bytes(record["proof"]), checkpoint):
            raise Refused("PCM_EVIDENCE_PROOF")
        if event.get("run_id") != message["from"]["run"] or event.get("tenant") != message["from"]["tenant"]:
            raise Refused("PCM_EVIDENCE_OTHER_RUN")
        if ("salt" in record or "args" in record) and not _is_opening(record):
            raise Refused("PCM_EVIDENCE_OPENING")
        if stated in seen:
            raise Refused("PCM_EVIDENCE_REPEATED")
        seen.add(stated)
    return [Record(one["event"], "salt" in one, one.get("args")) for one in records]


def opened_calls(records):
    """Every opened decision that is not deny and has a tool, with every result of it that is ok."""
    results = [one for one in records if one.type == "tool.result" and one.data.get("ok") is True]
    return [
        Call(one.data["tool"], one.args, result.event["source"] == "gateway" and result.event.get("tier") == "T2")
        for one in records
        if one.type == "policy.decision" and one.is_opened
        if one.data.get("decision") != "deny" and is_text(one.data.get("tool"))
        for result in results
        if is_text(one.data.get("decision_id")) and result.data.get("decision_id") == one.data["decision_id"]
    ]
