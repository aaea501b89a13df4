"""Times the same work with dp_accounting and OpenDP. Run by Python of .venv-oracles, which holds both.

Standard output: a JSON object of the seconds of each piece of work, the median of five after one that is not counted,
and of what it came to.
"""

import json
import statistics
import sys
import time

import opendp.prelude as dp
from dp_accounting.pld import privacy_loss_distribution as pld

INTERVAL = 1e-4  # of its lattice of losses: the one that its documentation begins with
dp.enable_features("contrib")


def seventy_two(case):
    """Return epsilon of different discrete Gaussian noises, connecting the dots."""
    whole = None
    for sigma in case["sigmas"]:
        part = pld.from_discrete_gaussian_mechanism(
            sigma, sensitivity=1, value_discretization_interval=INTERVAL, use_connect_dots=True
        )
        whole = part if whole is None else whole.compose(part)
    return whole.get_epsilon_for_delta(case["delta"])


def thousand(case):
    """Return epsilon of equal geometric releases."""
    one = pld.from_discrete_laplace_mechanism(
        case["epsilon"], sensitivity=1, value_discretization_interval=INTERVAL, use_connect_dots=True
    )
    return one.self_compose(case["times"]).get_epsilon_for_delta(case["delta"])


def largest_budget(case):
    """Return the smallest scale of whole Gaussian noise within rho, as OpenDP searches for it."""
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.l2_distance(T=float)
    return dp.binary_search_param(
        lambda scale: dp.m.make_gaussian(*space, scale), d_in=case["sensitivity"], d_out=case["rho"]
    )


WORK = {"seventy_two": seventy_two, "thousand": thousand, "largest_budget": largest_budget}


def timed(work, case):
    """Return the median seconds of WORK, and what it gave."""
    found, seconds = work(case), []
    for _ in range(5):
        begun = time.perf_counter()
        found = work(case)
        seconds.append(time.perf_counter() - begun)
    return {"seconds": statistics.median(seconds), "found": found}


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    json.dump({name: timed(WORK[name], case) for name, case in asked.items()}, sys.stdout)
