"""The script that makes the tables of a signed release, and the plan that it follows.

The script is assembled from resources/release: how noise is drawn, and what both libraries share, in one file.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable
from decimal import ROUND_FLOOR, Decimal, localcontext
from fractions import Fraction
from typing import Any, Literal

from dpwizard.base import json_text
from dpwizard.base.errors import InvalidInput
from dpwizard.base.fractional import exactly
from dpwizard.base.messages import message
from dpwizard.base.resource_files import resource
from dpwizard.decision import DataDescription, Release, Table, breakdown, months, used
from dpwizard.records.record import Implementation, Record, write
from dpwizard.records.registry import slug
from dpwizard.records.script_sums import NoScript, planned_sums

Library = Literal["reference", "opendp"]

ONE = Fraction(1)
DIGITS = 40  # of a budget that follows from a scale: exact ones of many tables have more together than can be written
FORMAT = "dpwizard.release/1"
NOISE = {"reference": "exact_noise", "opendp": "opendp_noise"}
SHARED = ("signed_plan", "microdata", "crossed_sums", "sums", "release")
BUDGETS = ("rho", "epsilon")
MADE = ("count", "histogram", "sum")
DATA = "$.release.data"


def release_script(record: Record, library: Library, *, sha256: str | None = None) -> dict[str, str]:
    """Return the script that makes the tables of RECORD, and the plan it follows: {"release.py", "plan.json"}.

    Arguments: record, whose planned release has a data description; library, "reference" (Python alone) or "opendp";
    sha256, of the record's file where RECORD was made again from it (absent: of RECORD as it is written).
    Budgets and sensitivities enter the plan as exact fractions: what the tables spend together is never more than was
    signed. Raises NoScript, with a key, where the microdata are not described (no_data_description), noise is not in
    whole steps (not_whole), a table is no count and no bounded sum (statistic), or numbers are part of sums of
    three kinds (sum_in_two); InvalidInput where a table is made several times, or the public lists do not make it.
    """
    if library not in NOISE:
        choices = ", ".join(NOISE)
        raise InvalidInput(
            message('must be one of {choices}; found "{found}"', choices=choices, found=library[:40]),
            "library",
            "Choose one of these.",
        )
    plan = plan_of(record, sha256 or hashlib.sha256(write(record)).hexdigest())
    return {"release.py": _assembled(NOISE[library]), "plan.json": json_text.document(plan).decode("utf-8")}


# ------------------------------------------------------------------------------------------------- the plan


def plan_of(record: Record, sha256: str) -> dict[str, Any]:
    """Return the plan of the release of RECORD, as JSON says it; SHA256 is that of its file.

    Raises what `release_script` raises.
    """
    release = record.planned.release
    described = _described(release)
    tables = [table for table in release.tables if not table.noise.absent]
    rows = {row.part: row for row in record.implementation}
    stated = record.decision.rho if release.counted_in == "rho" else record.decision.epsilon
    whole = release.stated_budget if stated is None else exactly(stated)
    share = None if whole is None else whole / max(ONE, used(release.histories))  # decimals may pass 1
    budgets = [_budget(table, rows.get(table.name), release, share) for table in tables]
    planned = [_of_table(*each, record, described) for each in zip(tables, budgets, strict=True)]
    sums = planned_sums(release, described, planned)
    every = [*planned, *sums.totals, *sums.exact]
    for each, file in zip(every, _file_names([each["name"] for each in every]), strict=True):
        each["file"] = file
    exact = {each["name"] for each in sums.exact}
    spent = {kind: sum((Fraction(each[kind]) for each in planned if kind in each), Fraction()) for kind in BUDGETS}
    if whole is not None and [kind for kind in BUDGETS if spent[kind]] == [release.counted_in]:
        spent[release.counted_in] = whole  # all tables divide what was signed
    return {
        "format": FORMAT,
        "title": record.decision.title or record.name,
        "record": {"name": record.name, "sha256": sha256},
        "neighbours": release.neighbours,
        "unit_column": described.unit_column,
        "leading_zeros": bool(described.leading_zeros),
        "most_rows_of_a_unit": release.cap,
        "period_column": described.period_column if any(each["months"] for each in every) else None,
        "columns": described.planned({name for each in every for name in (*each["reads"], each["sums"]) if name}),
        **{kind: str(amount) if amount else None for kind, amount in spent.items()},
        "some_share_no_unit": any(table.group or table.disjoint_with or table.year for table in tables)
        or release.in_periods is not None,
        "tables": planned,
        "totals": sums.totals,
        "exact": sums.exact,
        "sums": sums.above,
        "published_without_noise": [name for name, _ in release.exact if name not in exact],
        "below_zero": "zero" if "clamping" in release.post_processing else "keep",
    }


def _described(release: Release) -> DataDescription:
    """Return how the microdata of RELEASE look; raises InvalidInput where nothing can be made of them."""
    described = release.data
    if described is None or not described.unit_column or not described.columns:
        missing = described is not None and described.unit_column
        raise NoScript(
            "there is no data description",
            DATA if described is None else f"{DATA}.columns" if missing else f"{DATA}.unit_column",
            "State the heading of the person or thing and, for each attribute that a table reads, its public "
            "list of classes.",
        )
    if release.neighbours is None:
        raise InvalidInput("is missing", "$.release.neighbours", "State how neighbouring datasets differ.")
    timed = next((table for table in release.tables if table.period and not table.noise.absent), None)
    if timed is not None and not described.period_column:
        raise NoScript(
            message('"{name}" reads a period, and no heading gives the period of a row', name=timed.name),
            f"{DATA}.period_column",
            "State the heading of the period.",
        )
    if release.repetitions > 1:
        raise _recomputed(release.repetitions, "$.release.repetitions")
    if all(table.noise.absent for table in release.tables):
        raise InvalidInput("there is no noise to add", "$.release.mechanism", "Choose noise in whole steps.")
    return described


def _recomputed(times: int, where: str) -> InvalidInput:
    return InvalidInput(
        message("is made {times} times; the script makes each table once", times=times),
        where,
        "Sign a record for each release.",
    )


def _of_table(table: Table, budget: Fraction | None, record: Record, described: DataDescription) -> dict[str, Any]:
    """Return TABLE as the script reads it; BUDGET is what it spends."""
    if table.statistic not in MADE:
        raise NoScript(
            message(
                "the script makes counts, histograms and sums of bounded values; found {found}",
                found=table.statistic or "nothing",
            ),
            f"{table.place}.statistic",
            "Publish a sum and a count instead of a mean, and divide them after that.",
            "statistic",
        )
    if not table.noise.integer_valued:
        raise NoScript(
            message("the script adds noise in whole steps; found {found}", found=table.mechanism or "nothing"),
            f"{table.place}.mechanism",
            "Choose discrete Gaussian or geometric noise.",
            "not_whole",
        )
    if table.times_released > 1:
        raise _recomputed(table.times_released, f"{table.place}.times")
    reads, sums, step = breakdown(table, described)
    moved = exactly(table.sensitivity or 0.0) / step
    normal = table.noise.uses_l2
    if moved.denominator != 1 and not normal:
        raise NoScript(
            message("must be a whole number for geometric noise; found {found}", found=table.sensitivity),
            f"{table.place}.sensitivity",
            "Correct it.",
            "not_whole",
        )
    if budget is None or budget <= 0:
        raise InvalidInput("the record states no noise for this table", table.place, "Complete the decision.")
    return {
        "name": table.name or record.decision.title or record.name,
        "reads": reads,
        "sums": sums,
        "step": str(step),
        "noise": table.mechanism,
        "months": months(table.period) if table.period else None,
        **({"rho": str(budget), "squared_distance": str(moved**2)} if normal else {}),
        **({} if normal else {"epsilon": str(budget), "distance": str(moved)}),
    }


def _budget(table: Table, row: Implementation | None, release: Release, share: Fraction | None) -> Fraction | None:
    """Return what TABLE spends: rho of discrete Gaussian noise, epsilon of geometric noise; never more than signed.

    It is its exact portion of SHARE, or, of Gaussian noise under an epsilon and delta, what its scale comes to, rounded
    down to DIGITS. None where ROW of the record states no noise for it.
    """
    if row is None or not row.scale or not table.sensitivity:
        return None
    if table.fixed is not None:
        return table.fixed
    normal = table.noise.uses_l2
    if share is not None and table.portion is not None and normal == (release.counted_in == "rho"):
        return table.portion * share
    moved, scale = exactly(table.sensitivity), Fraction(row.scale)
    exact = moved**2 / (2 * scale**2) if normal else moved / scale
    with localcontext(prec=DIGITS, rounding=ROUND_FLOOR):
        return Fraction(Decimal(exact.numerator) / Decimal(exact.denominator))


def _file_names(names: Iterable[str | None]) -> list[str]:
    """Return the file of each table by its name: in plain letters, all numbered where two have the same."""
    plain = [slug(name or "table") for name in names]
    several = len(set(plain)) < len(plain)
    return [f"{number:03d}-{name}.csv" if several else f"{name}.csv" for number, name in enumerate(plain, 1)]


# ------------------------------------------------------------------------------------------------- the script


def _assembled(noise: str) -> str:
    """Return the modules of resources/release as one script with the module NOISE; its docstring is the head."""
    modules = (noise, *SHARED)
    texts = [resource("release", f"{name}.py").read_text("utf-8") for name in modules]
    imports: dict[str, set[str]] = {}
    bodies = []
    for text in texts:
        lines = text.splitlines(keepends=True)
        for node in reversed(ast.parse(text).body):
            if _is_docstring(node) or isinstance(node, ast.Import | ast.ImportFrom):
                del lines[node.lineno - 1 : node.end_lineno]
            if isinstance(node, ast.Import):
                imports |= {ast.unparse(node): set()}
            elif isinstance(node, ast.ImportFrom) and node.module not in (*NOISE.values(), *SHARED):
                imports.setdefault(f"from {node.module} import ", set()).update(name.name for name in node.names)
        bodies.append("".join(line for line in lines if not line.startswith("#!")).strip())
    head = texts[0][: texts[0].index('"""\n', texts[0].index('"""') + 3) + 4]
    sentences = sorted(f"{line}{', '.join(sorted(names))}" for line, names in imports.items())
    sentences.sort(key=lambda line: line.startswith("from "))
    return head + "\n" + "\n".join(sentences) + "\n\n" + "\n\n\n".join(bodies) + "\n"


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
