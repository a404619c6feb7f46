"""FORMAT section 8: the steps of verification up to the edges, each with its refusals and the rows they name."""

import functools
import re

from .commitments import COLLECTIONS, LISTS, capture_digest, commitments, edge_id, root, row_id, rows_of
from .edges import CARD_ROLES, derive
from .receipt import list_refusals, signature_refusals
from .restricted_json import Unreadable, canonical, read
from .shapes import is_id, is_integer
from .trust import Untrusted, read_trust

MEMBERS = ("format", "profile_version", *LISTS)
EDGE_ID = re.compile(r"[0-9a-f]{24}")
EDGE_MEMBERS = {"relation", "source_type", "source_id", "destination_type", "destination_id", "metadata", "edge_id"}


class Refusals:
    def __init__(self):
        self.reasons, self.named = [], set()

    def add(self, reason, row=None):
        self.reasons.append(reason if row is None else f"{reason}: {row[0]} {row[1] or 'null'}")
        if row is not None:
            self.named.add(row)


def localise(found, bundle, listed):
    """Step commitments, where the receipt lists them: which rows were changed, inserted, removed."""
    rows = {}
    for name, identifier, digest in commitments(bundle):
        rows.setdefault((name, identifier), []).append(digest)
    for row, digests in rows.items():
        if row in listed and listed[row] not in digests:
            found.add("changed", row)
        for _ in range(len(digests) - (row in listed)):
            found.add("inserted", row)
    for row in listed.keys() - rows.keys():
        found.add("removed", row)


def commitment_refusals(bundle, receipt):
    found, body = Refusals(), receipt["body"]
    leaves = [digest for _, _, digest in commitments(bundle)]
    same_rows = True
    if len(leaves) != body["commitment_count"]:
        same_rows = False
        found.add("another number of records and edges")
    if root(leaves) != body["incident_root"]:
        same_rows = False
        found.add("another root")
    if capture_digest(bundle) != body["capture_digest"]:
        found.add("another capture digest")
        if same_rows:
            well_formed = set(bundle) == set(MEMBERS) and bundle["profile_version"] == "3"
            lists = all(isinstance(bundle.get(name), list) for name in LISTS)
            found.add("reordered" if well_formed and lists else "altered outside records")
    reasons, listed = list_refusals(receipt)
    for reason in reasons:
        found.add(reason)
    if listed is not None and not reasons:
        localise(found, bundle, listed)
    metadata = next(iter(rows_of(bundle, "trace_metadata")), None)
    for name in ("incident_id", "profile_id", "capture_backend"):
        if not isinstance(metadata, dict) or metadata.get(name) != body[name]:
            found.add(f"{name} is not TraceMetadata's")
    return found


def edge_faults(edge):
    if not isinstance(edge, dict):
        return ["no object"]
    faults = [f"{name} is unknown or missing" for name in set(edge) ^ EDGE_MEMBERS]
    if "edge_id" in edge and not (isinstance(edge["edge_id"], str) and EDGE_ID.fullmatch(edge["edge_id"])):
        faults.append("edge_id is no edge id")
    for name in ("source_id", "destination_id"):
        if name in edge and not is_id(edge[name]):
            faults.append(f"{name} is no id")
    for name in ("source_type", "destination_type"):
        if name in edge and not isinstance(edge[name], str):
            faults.append(f"{name} is no string")
    if "relation" in edge and not (isinstance(edge["relation"], str) and edge["relation"] in RELATIONS):
        faults.append("relation is unknown")
    if "metadata" in edge:
        metadata = edge["metadata"]
        if not isinstance(metadata, dict) or not all(isinstance(v, str) or is_integer(v) for v in metadata.values()):
            faults.append("metadata is not flat")
    return faults


RELATIONS = set(
    """DISCOVERY_CONSIDERED_CARD DISCOVERY_REFERENCED_TRUSTED_CARD DISCOVERY_SELECTED_CARD
    AGENTCARD_RESOLVES_TO_ENDPOINT ENDPOINT_SERVED_EXCHANGE ENDPOINT_SAMPLED_LOAD EXCHANGE_INVOKED_CAPABILITY
    AGENTCARD_DECLARES_CAPABILITY EXCHANGE_ROUTED_STEP ROUTING_STEP_FOLLOWS EXCHANGE_CAUSED_TRANSITION
    TRANSITION_FOLLOWS TASK_OCCUPIES_SLOT EXCHANGE_REFERENCED_URI ARTIFACT_REFERENCED_URI URI_REFERENCE_DEREFERENCED
    DEREFERENCE_REDIRECTED_TO DEREFERENCE_RECEIVED_RESPONSE EXCHANGE_PRODUCED_ARTIFACT ARTIFACT_APPENDS_TO
    ARTIFACT_RENDERED ARTIFACT_SANITIZED RENDER_SANITIZER_STATE""".split()
)


def shape_refusals(bundle, receipt, shapes):
    """Step identifiers: schemas, ids, sequence, card roles, issue time."""
    found = Refusals()
    for name in set(bundle) ^ set(MEMBERS):
        found.add(f"{name} is unknown or missing")
    if bundle.get("profile_version", "3") != "3":
        found.add("profile_version")
    ids, sequences, cards, latest = set(), set(), {}, (receipt["body"]["issued_at"], None)
    for name in LISTS:
        if name in bundle and not isinstance(bundle[name], list):
            found.add(f"{name} is no list")
        for row in rows_of(bundle, name):
            where = (name, row_id(name, row))
            faults = edge_faults(row) if name == "edges" else shapes.faults(COLLECTIONS[name][0], row)
            for fault in faults:
                found.add(fault, where)
            if where[1] is not None and where in ids:
                found.add("id used twice", where)
            ids.add(where)
            if name == "edges" or not isinstance(row, dict):
                continue
            if name == "routing_events" and where[1] in ("root", "unknown"):
                found.add("reserved id", where)
            sequence = row.get("sequence")
            if is_integer(sequence):
                if sequence in sequences:
                    found.add("sequence used twice", where)
                sequences.add(sequence)
            if isinstance(row.get("observed_at"), str) and row["observed_at"] > latest[0]:
                latest = (row["observed_at"], where)
            if name in CARD_ROLES and not faults:
                role, content = cards.setdefault(where[1], (name, row["raw"]["sha256"]))
                if role != name and content != row["raw"]["sha256"]:
                    found.add("another content under a card id", where)
    if latest[1] is not None:
        found.add("observed after the receipt was issued", latest[1])
    if isinstance(bundle.get("trace_metadata"), list) and len(bundle["trace_metadata"]) != 1:
        found.add("not exactly one TraceMetadata")
    return found


def edge_refusals(bundle):
    found = Refusals()
    derived = {edge["edge_id"]: edge for edge in derive(bundle)}
    stored = {edge["edge_id"]: edge for edge in bundle["edges"]}
    for identifier, edge in stored.items():
        if identifier not in derived:
            found.add("does not derive from the records", ("edges", identifier))
        elif canonical(edge) != canonical(derived[identifier]):
            found.add("is not the edge derived under its id", ("edges", identifier))
    for identifier in derived.keys() - stored.keys():
        found.add("derives from the records and is missing", ("edges", identifier))
    return found


@functools.lru_cache(maxsize=16)
def trust_of(data):
    """The trust store in a document of these bytes, which thousands of cases share."""
    return read_trust(read(data))


def _answer(step, reasons, named=()):
    return {"verdict": "intact" if step == "intact" else "refused", "step": step, "reasons": list(reasons),
            "named": sorted(([c, i] for c, i in named), key=lambda row: (row[0], row[1] or ""))}


def verify(bundle_bytes, receipt_bytes, trust_bytes, shapes, expected_incident=None):
    """The first step that refuses (`intact` when none does), why, and the rows named."""
    try:
        trust = trust_of(trust_bytes)
    except (Unreadable, Untrusted) as error:
        return _answer("trust", [str(error)])
    try:
        bundle, receipt = read(bundle_bytes, is_bundle=True), read(receipt_bytes)
        if not isinstance(bundle, dict) or bundle.get("format") != "a2aft.bundle.v3":
            raise Unreadable("not a bundle of format a2aft.bundle.v3")
        if not isinstance(receipt, dict) or not isinstance(receipt.get("body"), dict):
            raise Unreadable("not a receipt")
        if receipt["body"].get("format") != "a2aft.receipt.v3":
            raise Unreadable("not a receipt of format a2aft.receipt.v3")
    except Unreadable as error:
        return _answer("read", [str(error)])
    reasons = signature_refusals(receipt, trust, expected_incident)
    if reasons:
        return _answer("signature", reasons)
    for step, judge in (
        ("commitments", lambda: commitment_refusals(bundle, receipt)),
        ("identifiers", lambda: shape_refusals(bundle, receipt, shapes)),
        ("edges", lambda: edge_refusals(bundle)),
    ):
        found = judge()
        if found.reasons:
            return _answer(step, found.reasons, found.named)
    return _answer("intact", [])
