"""Verifies bundles of a folder and says how long each verification took: one JSON question a line, one JSON answer a line.

    {"load": NAME}                                   reads NAME.bundle and NAME.receipt
    {"time": NAME, "source": S, "repeats": N}        milliseconds of N verifications, from objects or from bytes

Adapted from an implementation of the paper's verifier to the format of docs/FORMAT.md; see ORIGIN.md.
"""

import json
import pathlib
import platform
import sys
from hashlib import sha256
from time import perf_counter_ns

from canonical import Refused, read
from verify import Ground, verify


def main(folder):
    ground = Ground(read((folder / "profile").read_bytes()), read((folder / "trust").read_bytes()))
    files, values = {}, {}

    def once(name, source):
        if source == "bytes":
            bundle, receipt = files[name]
            # Every report states the digest of each file as received.
            sha256(bundle).hexdigest(), sha256(receipt).hexdigest()
            return verify(read(bundle), read(receipt), ground)
        return verify(*values[name], ground)

    def answer(question):
        if "load" in question:
            name = question["load"]
            files[name] = tuple((folder / f"{name}.{kind}").read_bytes() for kind in ("bundle", "receipt"))
            values[name] = tuple(read(data) for data in files[name])
            return True
        times = []
        for _ in range(question["repeats"]):
            start = perf_counter_ns()
            verdict = once(question["time"], question["source"])
            times.append((perf_counter_ns() - start) / 1e6)
            if verdict != "FORENSICALLY_CONSISTENT":
                raise Refused(verdict)
        return times

    print(platform.python_version(), flush=True)
    for line in sys.stdin:
        try:
            told = {"ok": answer(json.loads(line))}
        except Refused as error:
            told = {"error": str(error)}
        print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
