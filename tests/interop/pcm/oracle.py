"""Verifies messages as docs/PCM.md says, without a line of the TypeScript verifier.

    python oracle.py MESSAGE TRUST SCHEMA…     one JSON result, without replay and recipient
    python oracle.py --batch                   JSON lines on stdin, JSON lines on stdout, in order

A batch line is {message, trust, schemas, me, strict, now, replay: {started, max_nonces, prior: [{message, now, me}]} or
null}, documents as base64 of their bytes; the answer is a result, or {"verdict": "config-error", "reasons": [REASON]}.
"""

import base64
import functools
import json
import pathlib
import sys

sys.path.insert(1, str(pathlib.Path(__file__).resolve().parents[1]))

from second.keys import read_trust  # noqa: E402
from second.replay import Replay  # noqa: E402
from second.schema import read_schema  # noqa: E402
from second.text import Refused  # noqa: E402
from second.verify import verify  # noqa: E402

trust_of = functools.lru_cache(maxsize=256)(lambda text: read_trust(base64.b64decode(text)))
schema_of = functools.lru_cache(maxsize=256)(lambda text: read_schema(base64.b64decode(text)))


def answer(asked):
    try:
        trust = trust_of(asked["trust"])
        schemas = {one.ref: one for one in map(schema_of, asked["schemas"])}
    except Refused as refused:
        return {"verdict": "config-error", "reasons": [refused.reason]}
    setup, replay = asked["replay"], None

    def judge(message, me, now):
        data = base64.b64decode(message)
        return verify(data, trust, schemas, me, asked["strict"], replay, now)

    if setup is not None:
        replay = Replay(setup["started"], setup["max_nonces"])
        for prior in setup["prior"]:
            judge(prior["message"], prior.get("me", asked["me"]), prior["now"])
    return judge(asked["message"], asked["me"], asked["now"])


def main(arguments):
    if arguments == ["--batch"]:
        for line in sys.stdin.buffer:
            print(json.dumps(answer(json.loads(line))), flush=True)
        return 0
    if len(arguments) < 3:
        print(__doc__, file=sys.stderr)
        return 64
    message, trust, *schemas = (base64.b64encode(pathlib.Path(name).read_bytes()).decode() for name in arguments)
    asked = {"message": message, "trust": trust, "schemas": schemas, "strict": False}
    print(json.dumps(answer({**asked, "me": None, "now": None, "replay": None}), indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
