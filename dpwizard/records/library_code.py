"""Code that adds the noise of a decision with OpenDP, made from the rows of a record's `implementation`.

OpenDP is not part of this program. Its certified loss at scale = sensitivity / epsilon lies one unit in the last
place above epsilon for half of all epsilons, so the code raises the scale until the loss is at most epsilon.
"""

from __future__ import annotations

from typing import Any

from dpwizard.errors import InvalidInput
from dpwizard.numerics import down

__all__ = ["library_call", "release_code"]

NOISE = {"geometric": "two-sided geometric", "laplace": "Laplace", "gaussian": "Gaussian"}

HEAD = """# Adds the noise of the decision record {title!r}
# with OpenDP (tested against version 0.16). Made from the record; epsilon = {epsilon!r}.
#
# The noise scale is raised until OpenDP certifies a loss of at most that epsilon: sensitivity / epsilon itself
# certifies a little more for half of all epsilons.

import math

import opendp.prelude as dp

dp.enable_features("contrib")
"""
REPEATED = """
# The release is made {times} times on the same people: call each function once each time, with fresh noise. All
# repetitions together lose {times} times that epsilon.
"""
NO_CODE = """

# The table {part!r} ({name}) has no function here: {why}.
"""
PURE = '''

def {name}_measurement():
    """Return OpenDP's measurement that adds {words} noise for epsilon {epsilon!r} to {what}."""
    space = {space}
    scale = {scale!r}
    while (measurement := space >> dp.m.then_laplace(scale)).map({sensitivity}) > {epsilon!r}:
        scale = math.nextafter(scale, math.inf)
    return measurement
'''
GAUSSIAN = '''

def {name}_measurement():
    """Return OpenDP's measurement that adds Gaussian noise for epsilon {epsilon!r} and delta {delta!r} to {what}.

    OpenDP accounts for Gaussian noise by way of zCDP, which asks for a larger scale than the record's exact one
    ({scale!r}), often a tenth and at times a fifth: the figures are that much less accurate than the record says.
    """
    space = {space}

    def measured(scale):
        return dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(space >> dp.m.then_gaussian(scale)), {delta!r})

    low = high = {scale!r}
    while measured(high).map({sensitivity})[0] > {epsilon!r}:
        low, high = high, 1.1 * high
    while high > low * 1.000001:
        middle = (low + high) / 2
        if measured(middle).map({sensitivity})[0] > {epsilon!r}:
            low = middle
        else:
            high = middle
    return measured(high)
'''
RELEASE = '''

def {name}(value):
    """Return VALUE, {what}, with {words} noise."""
    return {name}_measurement()(value)
'''


def release_code(record: dict[str, Any]) -> str:
    """Return Python code that adds the record's noise with OpenDP: one function for each table, and its measurement.

    The loss that OpenDP certifies never exceeds the epsilon decided. A table that lacks an answer, or is published
    without noise, has no function and is named. Raises InvalidInput where there is no noise to add, or geometric noise
    would be added to figures that are not whole numbers.
    """
    decision = record["decision"]
    rows = record.get("implementation", [])
    noisy = [row for row in rows if _has_noise(row)]
    if not noisy:
        raise InvalidInput("there is no noise to add", "$.epsilon", "Choose an epsilon and a mechanism with noise.")
    release = decision.get("release", {})
    parts = release.get("parts", ())
    text = HEAD.format(title=decision.get("title") or "untitled", epsilon=decision.get("epsilon"))
    if release.get("repetitions", 1) > 1:
        text += REPEATED.format(times=release["repetitions"])
    for index, part in enumerate(parts or [None]):
        named = f"release_{index + 1}" if len(parts) > 1 else "release"
        row = next((found for found in rows if found.get("part") == (part or {}).get("name")), None)
        if row is None or row not in noisy:
            text += NO_CODE.format(part=(part or {}).get("name"), name=named, why=_why_none(row))
            continue
        place = "$.release" if part is None else f"$.release.parts[{index}]"
        _require_whole(row, (part or {}).get("statistic") or release.get("statistic"), place)
        dimension = (release if part is None else part).get("dimension", 1)  # its own, whichever tables have a row
        figures = _figures(row, dimension, named, _delta(row, rows, release))
        text += (GAUSSIAN if row["mechanism"] == "gaussian" else PURE).format(**figures) + RELEASE.format(**figures)
    return text


def _why_none(row: dict[str, Any] | None) -> str:
    if row is None:
        return "the decision lacks an answer that its noise depends on"
    return (
        "it is published without noise"
        if row["mechanism"] == "exact"
        else "no finite noise is needed, or none is enough"
    )


def library_call(row: dict[str, Any], dimension: int) -> str | None:
    """Return the call of OpenDP that makes the noise of one ROW of a record's implementation; None where there is none
    to make.

    The scale is the record's; `release_code` raises it where OpenDP certifies a little more than epsilon.
    """
    if not _has_noise(row) or (row["mechanism"] == "geometric" and not float(row["sensitivity"]).is_integer()):
        return None
    space, _ = _space(row["mechanism"], dimension)
    maker = "then_gaussian" if row["mechanism"] == "gaussian" else "then_laplace"
    return f"({space}) >> dp.m.{maker}({row['scale']!r})"


def _has_noise(row: dict[str, Any]) -> bool:
    return row["mechanism"] in NOISE and all((row.get(name) or 0) > 0 for name in ("epsilon", "scale", "sensitivity"))


def _require_whole(row: dict[str, Any], statistic: str | None, place: str) -> None:
    """Raise InvalidInput where geometric noise would be added to what is no whole number."""
    found = row["sensitivity"]
    if row["mechanism"] != "geometric":
        return
    if not float(found).is_integer():
        raise InvalidInput(
            f"must be a whole number for geometric noise; found {found}", f"{place}.sensitivity", "Correct it."
        )
    if statistic == "mean":
        message = "geometric noise is for whole numbers, and a mean is none"
        raise InvalidInput(message, f"{place}.mechanism", "Choose Laplace or Gaussian noise.")


def _space(kind: str, dimension: int) -> tuple[str, str]:
    """Return the domain and metric in OpenDP's words, and what is released in ours; whole numbers have 64 bits."""
    whole = kind == "geometric"
    atom = 'dp.atom_domain(T="i64")' if whole else "dp.atom_domain(T=float, nan=False)"
    number = '"i64"' if whole else "float"
    if dimension > 1:
        norm = "l2" if kind == "gaussian" else "l1"
        return f"dp.vector_domain({atom}), dp.{norm}_distance(T={number})", f"a list of {dimension} numbers"
    return f"{atom}, dp.absolute_distance(T={number})", "a whole number" if whole else "a number"


def _delta(row: dict[str, Any], rows: list[dict[str, Any]], release: dict[str, Any]) -> float | None:
    """Return the delta of one table; records of before it was stated in the row say only that of all tables
    together."""
    whole: float | None = release.get("delta")
    tables = sum(other["mechanism"] == "gaussian" for other in rows)
    return row.get("delta", whole if whole is None or tables < 2 else down(whole / tables, 1))


def _figures(row: dict[str, Any], dimension: int, name: str, delta: float | None) -> dict[str, Any]:
    kind, sensitivity = row["mechanism"], row["sensitivity"]
    space, what = _space(kind, dimension)
    return {
        "name": name,
        "what": what,
        "space": space,
        "words": NOISE[kind],
        "epsilon": row["epsilon"],
        "delta": delta,
        "scale": row["scale"],
        "sensitivity": repr(int(sensitivity)) if kind == "geometric" else repr(float(sensitivity)),
    }
