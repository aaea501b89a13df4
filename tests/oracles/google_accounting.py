"""Composes releases with Google's dp-accounting. Run by Python of .venv-oracles, which holds it.

Standard input: a JSON line for each {"mechanism", "levels": [[epsilon0, times], ..], "sensitivity", "delta",
"interval"} (gaussian: "sd" in place of levels, with "times"). Standard output, line for line: {"least", "most"}, the
epsilons of its optimistic and its pessimistic privacy loss distribution; null where it gives infinity. A line with
"parts" in place of "mechanism", as accounting.read takes releases, and "at", an epsilon, gives {"epsilon", "delta"} by
connecting the dots: upper bounds.
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


def dots(part: dict, interval: float) -> pld.PrivacyLossDistribution:
    options = {"value_discretization_interval": interval, "use_connect_dots": True}
    if part["noise"] == "laplace":
        return pld.from_laplace_mechanism(1.0 / part["epsilon"], sensitivity=1, **options)
    if part["noise"] == "geometric":
        return pld.from_discrete_laplace_mechanism(part["rate"], sensitivity=part["move"], **options)
    if part["noise"] == "discrete_gaussian":
        return pld.from_discrete_gaussian_mechanism(part["sigma"], sensitivity=part["move"], **options)
    return pld.from_gaussian_mechanism(1.0 / part["mu"], sensitivity=1, **options)


def mixture(case: dict) -> dict:
    whole = None
    for each in case["parts"]:
        part = dots(each, case["interval"])
        part = part.self_compose(each["times"]) if each["times"] > 1 else part
        whole = part if whole is None else whole.compose(part)
    found = whole.get_epsilon_for_delta(case["delta"])
    return {"epsilon": found if math.isfinite(found) else None, "delta": whole.get_delta_for_epsilon(case["at"])}


def answer(case: dict) -> dict:
    if "parts" in case:
        return mixture(case)
    return {"least": epsilon(case, False), "most": epsilon(case, True)}


if __name__ == "__main__":
    for line in sys.stdin:
        sys.stdout.write(json.dumps(answer(json.loads(line))) + "\n")
        sys.stdout.flush()
