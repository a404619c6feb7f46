"""FORMAT sections 2, 3 and 5: tags, the order of collections, envelopes, Merkle root, digests."""

import hashlib

from .restricted_json import canonical

COLLECTIONS = {
    "trace_metadata": ("TraceMetadata", "trace_id"),
    "candidate_cards": ("AgentCardSnapshot", "card_id"),
    "trusted_cards": ("AgentCardSnapshot", "card_id"),
    "selected_cards": ("AgentCardSnapshot", "card_id"),
    "endpoints": ("SelectedEndpoint", "endpoint_id"),
    "discovery_events": ("DiscoveryEventEvidence", "discovery_id"),
    "exchanges": ("RuntimeExchange", "exchange_id"),
    "capability_invocations": ("CapabilityInvocationEvidence", "invocation_id"),
    "routing_events": ("RoutingEventEvidence", "routing_id"),
    "task_transitions": ("TaskStateTransition", "transition_id"),
    "task_load_snapshots": ("TaskLoadSnapshot", "snapshot_id"),
    "uri_references": ("UriReferenceEvidence", "reference_id"),
    "uri_dereferences": ("UriDereferenceEvidence", "dereference_id"),
    "dereference_responses": ("DereferenceResponseEvidence", "response_id"),
    "artifacts": ("ArtifactEvidence", "artifact_record_id"),
    "artifact_renders": ("ArtifactRenderEvidence", "render_id"),
    "sanitizers": ("SanitizerEvidence", "sanitizer_id"),
}
LISTS = (*COLLECTIONS, "edges")


def message(tag, data):
    return tag.encode("utf-8") + b"\0" + data


def digest(tag, data):
    """D(tag, z) in hex."""
    return hashlib.sha256(message(tag, data)).hexdigest()


def rows_of(bundle, name):
    rows = bundle.get(name)
    return rows if isinstance(rows, list) else []


def row_id(name, row):
    """The id of a row; None where it has none that is a string."""
    member = "edge_id" if name == "edges" else COLLECTIONS[name][1]
    value = row.get(member) if isinstance(row, dict) else None
    return value if isinstance(value, str) else None


def edge_id(payload):
    return digest("A2AFT.EdgeId.v3", canonical(payload))[:24]


def leaf(name, row):
    identifier = row_id(name, row)
    if name == "edges":
        payload = {k: v for k, v in row.items() if k != "edge_id"} if isinstance(row, dict) else row
        return digest("A2AFT.Edge.v3", canonical({"e": payload, "i": identifier, "v": "3"}))
    envelope = {"c": name, "i": identifier, "p": row, "t": COLLECTIONS[name][0], "v": "3"}
    return digest("A2AFT.Record.v3", canonical(envelope))


def commitments(bundle):
    """Λ as (c, i, h): per list by id in byte order, rows of equal id in stored order, rows of no id first."""
    result = []
    for name in LISTS:
        entries = [(name, row_id(name, row), leaf(name, row)) for row in rows_of(bundle, name)]
        entries.sort(key=lambda entry: (entry[1] is not None, (entry[1] or "").encode("utf-8")))
        result.extend(entries)
    return result


def root(leaves):
    """R_T in hex of leaf hashes in hex; None of none."""
    level = [bytes.fromhex(h) for h in leaves]
    if not level:
        return None
    while len(level) > 1:
        level = [
            bytes.fromhex(digest("A2AFT.MerkleNode.v3", left + (level[2 * k + 1] if 2 * k + 1 < len(level) else left)))
            for k, left in enumerate(level[::2])
        ]
    return level[0].hex()


def capture_digest(bundle):
    return digest("A2AFT.Capture.v3", canonical(bundle))


def commitments_digest(entries):
    """Of the receipt's list, entries as objects."""
    return digest("A2AFT.Commitments.v3", canonical(entries))
