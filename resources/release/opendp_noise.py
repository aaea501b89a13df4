#!/usr/bin/env python3
"""Makes the protected tables of a signed plan from microdata, with the noise of OpenDP 0.16.

    pip install 'opendp==0.16.*'
    python release.py plan.json microdata.csv out       the release; it can be made once
    python release.py plan.json --rehearse out          the same from made-up rows, as often as wanted

What it writes to the new folder out:
    NAME.csv                each table, to be published
    public_log.json         to be published: what was spent, and how the numbers were made
    confidential_log.json   NOT to be published: what was found in the data
Exit status: 0, done; 1, the data do not keep what the plan promises, or the release was made before, and nothing was
written; 2, the plan or the command is wrong, or OpenDP adds too little noise.

OpenDP draws the noise of each table and certifies that table's loss at the table's own sensitivity. OpenDP does not
check what follows; this script does:
- that no unit changes a table by more than the plan says: OpenDP believes the sensitivity it is given;
- that the tables together spend no more than the plan: tables that share no unit are not known to OpenDP;
- that every row has a class of the public lists, and that empty cells get noise too;
- that its scale is at least the planned one, scale^2 >= D^2 / (2 rho);
- that the release is made once, and what the logs say.
Nobody checks that the plan's sensitivity is true of files other than this one.
- A refusal is an output too: what the plan promises holds among files that pass the checks.
- Messages on the screen name lines and values of the microdata: they are confidential.
- Drawing may take longer for larger noise: run this where nobody can measure how long it takes.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from importlib.metadata import version

import opendp.prelude as dp

dp.enable_features("contrib")

LIBRARY = f"OpenDP {version('opendp')}"


def downwards(exact: Fraction) -> float:
    """Return EXACT as a number that is never above it."""
    found = float(exact)
    return found if Fraction(found) <= exact else math.nextafter(found, 0.0)


def root_upwards(square: Fraction) -> float:
    """Return the root of SQUARE as a number that is never below it."""
    found = math.sqrt(square)
    while Fraction(found) ** 2 < square:
        found = math.nextafter(found, math.inf)
    return found


def drawer(noise: str, budget: Fraction, distance: Fraction) -> Callable[[list[int]], list[int]]:
    """Return what adds to each of the true numbers of a table a noise of its own: OpenDP's measurement.

    BUDGET is the table's rho for discrete Gaussian noise and its epsilon for geometric noise. DISTANCE is the square
    of how far one unit moves the table in L2, or how far it moves it in L1. Raises ValueError where OpenDP's scale is
    smaller than the planned one, or BUDGET is too small for it.
    """
    if not downwards(budget):
        raise ValueError("the budget is too small for OpenDP")
    numbers = dp.vector_domain(dp.atom_domain(T="i64"))
    normal = noise == "discrete_gaussian"
    space = (numbers, dp.l2_distance(T=float)) if normal else (numbers, dp.l1_distance(T="i64"))
    maker = dp.m.then_gaussian if normal else dp.m.then_laplace
    moved = root_upwards(distance) if normal else math.ceil(distance)
    scale = dp.binary_search_param(lambda tried: space >> maker(tried), d_in=moved, d_out=downwards(budget))
    planned = distance / (2 * budget) if normal else (distance / budget) ** 2
    if Fraction(scale) ** 2 < planned:
        raise ValueError(f"OpenDP's scale {scale} is smaller than the planned {math.sqrt(planned)}")
    measurement = space >> maker(scale)
    return lambda true: [int(value) for value in measurement(true)]
