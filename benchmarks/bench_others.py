"""The same work done by this program, by dp_accounting and by OpenDP, in the same minutes."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator

from benchmarks.timing import ROOT, Row, median
from dpwizard.privacy.accounting import composition, functions
from dpwizard.privacy.mechanisms.calibration import WHOLE_IN_RHO
from dpwizard.privacy.mechanisms.discrete_gaussian import DiscreteGaussianNoise

TITLE = "Beside other programs"
INTRODUCTION = (
    "dp_accounting 0.6 (a lattice of 1e-4, connecting the dots) and OpenDP 0.16, each in its own warm process. "
    "`make soak` installs both. All three bound from the safe side."
)
ORACLES = ROOT / ".venv-oracles" / "bin" / "python"
SIGMAS = [4.0 + 0.25 * at for at in range(72)]
DELTA = 1e-6
CASES = {
    "seventy_two": {"sigmas": SIGMAS, "delta": DELTA},
    "thousand": {"epsilon": 0.1, "times": 1_000, "delta": DELTA},
    "largest_budget": {"sensitivity": 3.0, "rho": 0.1},
}
WORDS = {
    "seventy_two": ("72 different discrete Gaussian noises, epsilon at delta 1e-6", "dp_accounting"),
    "thousand": ("1,000 geometric releases at .1, epsilon at delta 1e-6", "dp_accounting"),
    "largest_budget": ("smallest whole Gaussian noise within rho .1 at sensitivity 3", "OpenDP"),
}


def run() -> Iterator[Row]:
    others = _others()
    for name, ours in OURS.items():
        words, program = WORDS[name]
        yield Row(what=words, seconds=median(ours, 5), note=f"gives {ours():.6g}")
        if others is not None:
            other = others[name]
            yield Row(what=f"the same by {program}", seconds=other["seconds"], note=f"gives {other['found']:.6g}")


def _others() -> dict[str, dict[str, float]] | None:
    """Return the seconds and the answers of the other programs; None where they are not set up."""
    if not ORACLES.exists():
        return None
    script = ROOT / "benchmarks" / "other_programs.py"
    done = subprocess.run(
        [ORACLES, script], input=json.dumps(CASES), capture_output=True, text=True, check=True, cwd=ROOT
    )
    found: dict[str, dict[str, float]] = json.loads(done.stdout)
    return found


def _seventy_two() -> float:
    releases = [{"noise": "discrete_gaussian", "sigma": sigma, "move": 1, "times": 1} for sigma in SIGMAS]
    return functions.read(releases=releases, read="epsilon", at=DELTA)


def _thousand() -> float:
    return composition.tight(mechanism="geometric", levels=[[0.1, 1_000]], delta=DELTA, sensitivity=1.0).upper


def _largest_budget() -> float:
    return DiscreteGaussianNoise(calibration=WHOLE_IN_RHO).scale(0.1, 3.0)


OURS: dict[str, Callable[[], float]] = {
    "seventy_two": _seventy_two,
    "thousand": _thousand,
    "largest_budget": _largest_budget,
}
