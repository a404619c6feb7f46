"""Verifies a bundle as docs/FORMAT.md says, without a line of the TypeScript verifier.

    python oracle.py BUNDLE RECEIPT TRUST      one JSON answer; exit 0 intact, 4 refused, 2 unreadable
    python oracle.py --batch                   JSON lines on stdin, JSON lines on stdout, in order

A batch line is an object with one member that says what is asked: `verify` {bundle, receipt, trust, incident?},
`describe` (a bundle), `read` (a text taken as a bundle), `time` (a string), `ed25519` {public_key, message, signature}.
Documents are base64 of their bytes, the three of `ed25519` base64 as they stand.
"""

import base64
import hashlib
import json
import pathlib
import sys

from reference import ed25519
from reference.commitments import COLLECTIONS, capture_digest, commitments, commitments_digest, root, row_id, rows_of
from reference.edges import derive
from reference.restricted_json import Unreadable, canonical, is_time, read
from reference.shapes import Shapes
from reference.steps import verify

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "FORMAT.md"
SHAPES = Shapes(PAGE.read_text(encoding="utf-8"))
EXIT = {"intact": 0, "read": 2, "trust": 2}


def bytes_of(text):
    return base64.b64decode(text, validate=True)


def answer_verify(asked):
    files = (bytes_of(asked[name]) for name in ("bundle", "receipt", "trust"))
    return verify(*files, SHAPES, asked.get("incident"))


def answer_describe(text):
    bundle = read(bytes_of(text), is_bundle=True)
    entries = [{"c": c, "i": i, "h": h} for c, i, h in commitments(bundle)]
    return {
        "ids": [[name, row_id(name, row)] for name in COLLECTIONS for row in rows_of(bundle, name)],
        "edges": derive(bundle),
        "root": root([entry["h"] for entry in entries]),
        "capture_digest": capture_digest(bundle),
        "commitments_digest": commitments_digest(entries),
        "commitments": entries,
    }


def answer_read(text):
    try:
        value = read(bytes_of(text), is_bundle=True)
    except Unreadable as error:
        return {"read": False, "why": str(error)}
    return {"read": True, "sha256": hashlib.sha256(canonical(value)).hexdigest()}


def answer_ed25519(asked):
    public_key, signature = (ed25519.from_base64(asked[name]) for name in ("public_key", "signature"))
    message = bytes_of(asked["message"])
    fault = "no canonical base64" if public_key is None else ed25519.key_fault(public_key)
    decodes = public_key is not None and signature is not None
    return {
        "key_fault": fault,
        "equation": decodes and ed25519.equation_holds(public_key, message, signature),
        "openssl": decodes and ed25519.openssl_accepts(public_key, message, signature),
    }


ANSWERS = {
    "verify": answer_verify,
    "describe": answer_describe,
    "read": answer_read,
    "time": lambda value: {"time": is_time(value)},
    "ed25519": answer_ed25519,
}


def main(arguments):
    if arguments == ["--batch"]:
        for line in sys.stdin.buffer:
            ((kind, asked),) = json.loads(line).items()
            print(json.dumps(ANSWERS[kind](asked)))
        return 0
    if len(arguments) != 3:
        print(__doc__, file=sys.stderr)
        return 64
    answer = verify(*(pathlib.Path(name).read_bytes() for name in arguments), SHAPES)
    print(json.dumps(answer, indent=2))
    return EXIT.get(answer["step"], 4)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
