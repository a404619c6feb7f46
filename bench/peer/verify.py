"""Section 8 of docs/FORMAT.md in its order: signature, digests and commitments, shape, edges, profile, admissibility, rules."""

import base64
from hashlib import sha256

import admissible
import rules
from canonical import (CAPTURE, COMMITMENTS, PROFILE, RECEIPT, Refused, canonical, commitments, digest, merkle_root)
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from edges import derive
from shapes import COLLECTIONS, TESTS

BUNDLE_MEMBERS = {"format", "profile_version", "edges", *(row[0] for row in COLLECTIONS)}
EDGE_MEMBERS = {"source_type", "source_id", "destination_type", "destination_id", "relation", "metadata", "edge_id"}
BODY_MEMBERS = {
    "format", "incident_root", "capture_digest", "commitment_count", "commitments_digest", "incident_id", "profile_id",
    "profile_digest", "families_digest", "settings_digest", "capture_backend", "signer_id", "key_id", "algorithm", "issued_at",
}


def need(condition, what):
    if not condition:
        raise Refused(what)


class Ground:
    """Profile and trust store, read once."""

    def __init__(self, profile, trust):
        self.profile = profile
        self.profile_digest = digest(PROFILE, canonical(profile))
        self.keys = {}
        for signer in trust["signers"]:
            for key in signer["keys"]:
                public = base64.b64decode(key["public_key"])
                need(key["key_id"] == "sha256:" + sha256(public).hexdigest(), "key_id")
                self.keys[signer["signer_id"], key["key_id"]] = (key, Ed25519PublicKey.from_public_bytes(public))


def check_signature(receipt, ground):
    body = receipt["body"]
    need(receipt.keys() == {"body", "signature", "commitments"} and body.keys() == BODY_MEMBERS, "form of the receipt")
    need(body["format"] == "a2aft.receipt.v3" and body["algorithm"] == "Ed25519", "format of the receipt")
    key, public = ground.keys[body["signer_id"], body["key_id"]]
    need(key["status"] == "active" and key["valid_from"] <= body["issued_at"], "key")
    try:
        public.verify(base64.b64decode(receipt["signature"]), RECEIPT + canonical(body))
    except InvalidSignature:
        raise Refused("signature") from None
    return body


def check_commitments(bundle, receipt, body):
    entries = commitments(bundle)
    need(digest(CAPTURE, canonical(bundle)) == body["capture_digest"], "capture digest")
    need(len(entries) == body["commitment_count"], "count")
    need(merkle_root(entries) == body["incident_root"], "root")
    need(entries == receipt["commitments"], "commitments")
    need(digest(COMMITMENTS, canonical(receipt["commitments"])) == body["commitments_digest"], "commitments digest")
    metadata = bundle["trace_metadata"][0]
    for name in ("incident_id", "profile_id", "capture_backend"):
        need(metadata[name] == body[name], name)


def check_shape(bundle, body):
    """Returns every record by collection and id."""
    need(bundle.keys() == BUNDLE_MEMBERS and bundle["profile_version"] == "3", "members of the bundle")
    need(len(bundle["trace_metadata"]) == 1, "trace_metadata")
    index, sequences, count = {}, set(), 0
    for collection, kind, id_member, _ in COLLECTIONS:
        tests = TESTS[kind]
        records = index[collection] = {}
        for record in bundle[collection]:
            need(record.keys() - {"attributes"} == tests.keys(), "members of a record")
            for member, holds in tests.items():
                if not holds(record[member]):
                    raise Refused(f"{collection}.{member}")
            need(record["observed_at"] <= body["issued_at"], "issued_at")
            records[record[id_member]] = record
            sequences.add(record["sequence"])
        count += len(bundle[collection])
        need(len(records) == len(bundle[collection]), "an id is used twice")
    need(len(sequences) == count, "a sequence is used twice")
    return index


def check_edges(bundle, index):
    derived = derive(bundle, index)
    need(len(derived) == len(bundle["edges"]), "number of edges")
    for edge in bundle["edges"]:
        need(edge.keys() == EDGE_MEMBERS and derived.get(edge["edge_id"]) == edge, "edge")
    return derived


def verify(bundle, receipt, ground):
    """The verdict on a bundle that benchmarks make; raises Refused on any other."""
    need(bundle["format"] == "a2aft.bundle.v3", "format")
    body = check_signature(receipt, ground)
    check_commitments(bundle, receipt, body)
    index = check_shape(bundle, body)
    derived = check_edges(bundle, index)
    profile = ground.profile
    need((body["profile_id"], body["profile_digest"]) == (profile["profile_id"], ground.profile_digest), "profile")
    admissible.check(bundle, index, profile)
    found = rules.evaluate(bundle, index, derived, profile)
    return "FORENSICALLY_INDICATED" if found else "FORENSICALLY_CONSISTENT"
