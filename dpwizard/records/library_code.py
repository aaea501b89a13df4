"""Code that adds the noise of a decision with OpenDP, made from the rows of a record's `implementation`.

OpenDP is not part of this program. Each mechanism knows the code that makes its noise (mechanisms/source_code.py).
"""

from __future__ import annotations

from typing import Any

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message
from dpwizard.privacy.mechanisms import BY_OWN_RHO, Mechanism, Noise, mechanism_named
from dpwizard.records.record import Implementation, Record

HEAD = """# Adds the noise of the decision record {title!r}
# with OpenDP (tested against version 0.16). Made from the record; {budget} = {amount}.
#
# The noise scale is raised until OpenDP certifies a loss of at most that {budget}: {formula} itself
# certifies a little more for half of all values.

import math

import opendp.prelude as dp

dp.enable_features("contrib")
"""
REPEATED = """
# The release is made {times} times on the same people: call each function once each time, with fresh noise. All
# repetitions together lose {times} times that {budget}.
"""
MADE_AGAIN = """

# The table {part!r} is made {times} times in each release: call {name} once each time, with fresh noise.
# Each call loses the {budget} that its measurement states; together they use the table's share.
"""
NO_CODE = """

# The table {part!r} ({name}) has no function here: {why}.
"""
RELEASE = '''

def {name}(value):
    """Return VALUE, {what}, with {words} noise."""
    return {name}_measurement()(value)
'''


def release_code(record: Record) -> str:
    """Return Python code that adds the record's noise with OpenDP: one function for each table, and its measurement.

    The loss that OpenDP certifies never exceeds the epsilon, or the rho, decided. A table that lacks an answer, or is
    published without noise, has no function and is named. Raises InvalidInput where there is no noise to add, or noise
    in whole steps would be added to figures that are not whole numbers.
    """
    decision, rows = record.decision, record.implementation
    if not any(_noise(row) for row in rows):
        raise InvalidInput("there is no noise to add", "$.epsilon", "Choose an epsilon and a type of noise.")
    release = decision.release
    budget = "rho" if all(row.epsilon is None for row in rows if _noise(row)) else "epsilon"
    formula = "sensitivity / epsilon" if budget == "epsilon" else "sensitivity / sqrt(2 rho)"
    stated = decision.rho if budget == "rho" else decision.epsilon
    text = HEAD.format(
        title=decision.title or "untitled",
        budget=budget,
        amount=record.chosen if stated is None else stated,
        formula=formula,
    )
    if release.repetitions > 1:
        text += REPEATED.format(times=release.repetitions, budget=budget)
    for index, table in enumerate(release.tables):
        named = f"release_{index + 1}" if len(release.tables) > 1 else "release"
        row = next((candidate for candidate in rows if candidate.part == table.name), None)
        noise = None if row is None else _noise(row, table.noise.one)
        if row is None or noise is None:
            text += NO_CODE.format(part=table.name, name=named, why=_why_none(row))
            continue
        _require_whole(noise, row, table.statistic, table.place)
        figures = {**_figures(noise, row, named), **dict(table.parameters)}
        code = noise.opendp.code if row.rho is None else BY_OWN_RHO if row.epsilon is None else noise.opendp.by_rho
        if table.times_released > 1:
            text += MADE_AGAIN.format(part=table.name, times=table.times_released, name=named, budget=budget)
        text += code.format(**figures) + RELEASE.format(**figures)
    return text


def _why_none(row: Implementation | None) -> str:
    if row is None:
        return "the decision lacks an answer that its noise depends on"
    return (
        "it is published without noise"
        if mechanism_named(row.mechanism).noise is None
        else "no finite noise is needed, or none is enough"
    )


def _noise(row: Implementation, mechanism: Mechanism | None = None) -> Noise | None:
    """Return the noise to be added to one table; None where there is none, or not finite.

    MECHANISM is that of the table, with its parameters; without it those are not known.
    """
    lost = row.rho if row.epsilon is None else row.epsilon
    answered = all((value or 0.0) > 0.0 for value in (lost, row.scale, row.sensitivity))
    mechanism = mechanism or mechanism_named(row.mechanism)
    return mechanism.noise if answered else None


def _require_whole(noise: Noise, row: Implementation, statistic: str | None, place: str) -> None:
    sensitivity = row.sensitivity or 0.0
    if not noise.integer_valued:
        return
    if _counted(noise) and not float(sensitivity).is_integer():
        raise InvalidInput(
            message("must be a whole number for geometric noise; found {found}", found=sensitivity),
            f"{place}.sensitivity",
            "Correct it.",
        )
    if statistic == "mean":
        raise InvalidInput(
            "this noise is for whole numbers, and a mean is not a whole number",
            f"{place}.mechanism",
            "Choose Laplace or Gaussian noise.",
        )


def _counted(noise: Noise) -> bool:
    """Return whether its sensitivity is a number of steps: an L2 distance of whole numbers need not be whole."""
    return noise.integer_valued and not noise.uses_l2


def _space(noise: Noise, dimension: int) -> tuple[str, str]:
    """Return the domain and metric in OpenDP's words, and what is released in ours; whole numbers have 64 bits."""
    whole = noise.integer_valued
    atom = 'dp.atom_domain(T="i64")' if whole else "dp.atom_domain(T=float, nan=False)"
    number = '"i64"' if _counted(noise) else "float"
    if dimension > 1:
        norm = "l2" if noise.uses_l2 else "l1"
        return f"dp.vector_domain({atom}), dp.{norm}_distance(T={number})", f"a list of {dimension} numbers"
    return f"{atom}, dp.absolute_distance(T={number})", "a whole number" if whole else "a number"


def _figures(noise: Noise, row: Implementation, name: str) -> dict[str, Any]:
    sensitivity = row.sensitivity or 0.0
    space, what = _space(noise, row.dimension)
    return {
        "name": name,
        "what": what,
        "space": space,
        "words": noise.opendp.words,
        "maker": noise.opendp.maker,
        "epsilon": row.epsilon,
        "delta": row.delta,
        "scale": row.scale,
        "rho": row.rho,
        "sensitivity": repr(int(sensitivity)) if _counted(noise) else repr(float(sensitivity)),
    }
