"""Runs release code against the real OpenDP and prints the loss it certifies. Run by Python of .venv-oracles, which
holds OpenDP.

Standard input: a JSON line for each {"code", "sensitivity", "value"}. Standard output: {"epsilon", "delta",
"released"}.
"""

import json
import sys


def answer(case: dict) -> dict:
    space: dict = {}
    exec(compile(case["code"], "release.py", "exec"), space)
    loss = space["release_measurement"]().map(case["sensitivity"])
    epsilon, delta = loss if isinstance(loss, tuple) else (loss, 0.0)
    return {"epsilon": epsilon, "delta": delta, "released": space["release"](case["value"])}


if __name__ == "__main__":
    for line in sys.stdin:
        sys.stdout.write(json.dumps(answer(json.loads(line))) + "\n")
