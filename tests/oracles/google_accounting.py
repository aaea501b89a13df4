"""Composes releases with Google's dp-accounting. Run by Python of .venv-oracles, which holds it.

Standard input: a JSON line for each {"mechanism", "levels": [[epsilon0, times], ..], "sensitivity", "delta",
"interval"} (gaussian: "sd" in place of levels, with "times"). Standard output, line for line: {"least", "most"}, the
epsilons of its optimistic and its pessimistic privacy loss distribution; null where it gives infinity.
"""

import json
import math
import sys

from dp_accounting.pld import privacy_loss_distribution as pld


def one(case: dict, level: float, pessimistic: bool) -> pld.PrivacyLossDistribution:
    options = {"value_discretization_interval": case["interval"], "pessimistic_estimate": pessimistic}
    if case["mechanism"] == "laplace":
        return pld.from_laplace_mechanism(1.0 / level, sensitivity=1, **options)
    if case["mechanism"] == "geometric":  # its parameter is the rate, and the sensitivity a whole number
        return pld.from_discrete_laplace_mechanism(
            level / case["sensitivity"], sensitivity=case["sensitivity"], **options
        )
    return pld.from_gaussian_mechanism(level, sensitivity=case["sensitivity"], **options)


def epsilon(case: dict, pessimistic: bool) -> float | None:
    levels = case["levels"] if case["mechanism"] != "gaussian" else [[case["sd"], case["times"]]]
    whole = None
    for level, times in levels:
        part = one(case, level, pessimistic)
        part = part.self_compose(times) if times > 1 else part
        whole = part if whole is None else whole.compose(part)
    found = whole.get_epsilon_for_delta(case["delta"])
    return found if math.isfinite(found) else None


if __name__ == "__main__":
    for line in sys.stdin:
        read = json.loads(line)
        sys.stdout.write(json.dumps({"least": epsilon(read, False), "most": epsilon(read, True)}) + "\n")
        sys.stdout.flush()
