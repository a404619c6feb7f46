"""Tracekit 1.4.2 as the other side: it reads our checkpoint and proofs, then runs a signer of its own and shows what that logged.

stdin: {"vkey", "checkpoint", "records": [hash in hex], "proofs": [[base64]]}
stdout: {"read": [origin, size], "refused": places whose proof it refuses, "vkey", "checkpoint", "events": [], "proofs": [[base64]]}"""
import base64
import json
import sys
import tempfile

from tracekit.format.checkpoint import open_note
from tracekit.merkle import leaf_hash, verify_inclusion
from tracekit.signer.service import SignerService
from tracekit.storage.base import RECORDS


def read(ours):
    origin, size, root, _ = open_note(ours["checkpoint"], [ours["vkey"]])
    refused = [
        index
        for index, (record, proof) in enumerate(zip(ours["records"], ours["proofs"], strict=True))
        if not verify_inclusion(index, size, leaf_hash(bytes.fromhex(record)), [base64.b64decode(h) for h in proof], root)
    ]
    return {"read": [origin, size], "refused": refused}


def sign(folder):
    signer = SignerService(folder, origin="example.com/tracekit")
    run = signer.call(signer.identity, "register_run", {"request_id": "r", "agent": {"name": "agent-a"}})
    write = {"run_id": run["run_id"], "run_token": run["run_token"], "stream": "s", "value_digest": "sha256:" + "0" * 64}
    for i in range(40):
        signer.call(signer.identity, "state_write", {**write, "request_id": f"w{i}", "client_seq": i, "key": f"k{i}"})
    signer.checkpoint()
    storage = signer.log.storage
    size, note = storage.checkpoint_latest(RECORDS)
    events = [record["event"] for record in storage.iter_range(0, size)]
    proofs = [[base64.b64encode(h).decode() for h in storage.tree.inclusion_proof(i, size)] for i in range(size)]
    vkey = signer.vkey
    signer.close()
    return {"vkey": vkey, "checkpoint": note, "events": events, "proofs": proofs}


with tempfile.TemporaryDirectory() as folder:
    print(json.dumps({**read(json.load(sys.stdin)), **sign(folder)}))
