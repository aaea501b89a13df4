"""The seams of METHODS.md section 5 as decisions with the data that show them: one or two for each row.

`unsafe` rows were answered above the truth once (`old_answers.jsonl` keeps what was answered then); `careful` rows were
answered far below it, or not at all.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from tests.oracles.judge.drawing import Case, Fields, Told, effects_of
from tests.oracles.judge.people import Table
from tests.oracles.judge.verdicts import Verdict, judged
from tests.oracles.judge.world import Earlier, World


@dataclass(frozen=True, kw_only=True)
class Row:
    """One seam: its name in the table, the decision and its data, and on which side the old answer was wrong."""

    key: str
    what: str
    case: Case
    side: str = "unsafe"
    granted: tuple[str, ...] = ()  # what the answer may assume, whether it says so or not


def judged_row(row: Row, assessment: Told) -> Verdict:
    """Return the verdict on a row's answer."""
    if "answers" in assessment:
        (answer,) = assessment["answers"]
        answer = answer | {"assumptions": [*(answer["assumptions"] or ()), *row.granted]}
        assessment = assessment | {"answers": [answer]}
    return judged(row.case, assessment)[0]


def rows(fields: Fields) -> list[Row]:
    """Return every row, told as far as the format of that time could tell it."""
    return [row(fields) for row in _ROWS]


# ------------------------------------------------------------------------------------------- releases


def _case(fields: Fields, world: World, asked: Told, *, lie: str | None = None, **more: Any) -> Case:
    """Return the decision that states of WORLD whatever the format can state."""
    if fields == "new" and "attributes" in asked:
        named = [one | {"name": f"x{i + 1}"} for i, one in enumerate(asked["attributes"])]
        asked = asked | {"attributes": named}
    other = "replace" if world.neighbours == "add_remove" else "add_remove"
    release: Told = {"unit": "one person", "neighbours": world.neighbours, "repetitions": world.repetitions}
    if world.delta is not None:
        release["delta"] = world.delta
    parts = []
    for table in world.tables:
        part: Told = {"statistic": table.statistic, "mechanism": table.mechanism, "dimension": table.dimension}
        part["sensitivity"] = world.sensitivity(table, world.neighbours)
        if (fields == "new" or len(world.tables) == 1) and world.sensitivity(table, other) < math.inf:
            part["sensitivity_other"] = world.sensitivity(table, other)
        if fields == "new" and effects_of(world, table):
            part |= {"effects": effects_of(world, table), "reads": list(table.attributes)}
        if fields != "before" and table.statistic == "sum" and table.mechanism == "geometric":
            part["step"] = 1
        parts.append(part)
    if len(parts) == 1:
        release |= parts[0]
    else:
        release |= {"statistic": "vector", "mechanism": world.tables[0].mechanism}
        if fields == "before":
            release["sensitivity"] = world.total(world.neighbours)
            release["sensitivity_other"] = world.total(other)
        for part, table in zip(parts, world.tables, strict=True):
            part |= {"name": table.name, "share": table.share}
            if table.region is not None:
                part["disjoint_with"] = [t.name for t in world.tables if t.region not in (None, table.region)]
                if fields == "new":
                    part["moves"] = world.moves
        release["parts"] = parts
    if world.earlier:
        release["priors_from"] = "before_all"
        release["spent"] = [
            {"epsilon": old.epsilon, "neighbours": old.neighbours, "record": old.table.name} for old in world.earlier
        ]
        if fields == "new":
            for stated in release["spent"]:
                stated["mechanism"] = "laplace"
    decision = {"format": "dpwizard.decision/1", "release": release | more, "requirements": [asked], "epsilon": 0.5}
    return Case(decision=decision, world=world, lie=lie)


def _world(*tables: Table, neighbours: str = "add_remove", **more: Any) -> World:
    attributes = {
        "flag": (0, 1),
        "group": (0, 1, 2),
        "x1": (0.0, 5.0, 10.0),
        "rows": ((), (0,), (0, 0), (0, 1), (1, 1)),
    }
    attributes |= {"x2": (0.0, 1.0), "region": (0, 1)}
    read = {name for table in tables for name in table.attributes} | set(more.pop("also", ()))
    attributes |= more.pop("values", {})
    kept = {name: values for name, values in attributes.items() if name in read}
    return World(attributes=kept, tables=tables, neighbours=neighbours, **more)


COUNT = Table(name="count", statistic="count", reads="flag")
HISTOGRAM = Table(name="histogram", statistic="histogram", reads="cells", cells=3)
SUM = Table(name="sum", statistic="sum", reads="weights", weights=(("x1", 1.0),))


def _with(table: Table, **more: Any) -> Table:
    return Table(**{name: more.get(name, getattr(table, name)) for name in table.__dataclass_fields__})


def _guess(prior: Told, truth: Any, precision: float, advantage: float, effect: float = 1.0, **more: Any) -> Told:
    one = {"prior": prior, "truth": truth, "precision": precision, "effect": effect}
    return {"kind": "guessing_advantage", "name": "guess", "attributes": [one], "advantage": advantage, **more}


FLAT = {"family": "uniform", "low": 0, "high": 10}
CATEGORY = {
    "kind": "categorical_advantage",
    "name": "category",
    "prior": {"a": 1, "b": 1},
    "truth": "a",
    "advantage": 0.2,
}


# ------------------------------------------------------------------------------------------- the rows


def _ratios(fields: Fields) -> Row:
    world = _world(_with(COUNT, share=0.1), _with(HISTOGRAM, share=0.9))
    return Row(key="ratios", what="tables whose ratios of sensitivities differ", case=_case(fields, world, CATEGORY))


def _ratios_of_risk(fields: Fields) -> Row:
    world = _world(_with(COUNT, share=0.1), _with(HISTOGRAM, share=0.9))
    asked = {
        "kind": "relative_risk",
        "name": "value",
        "adversary": "attribute",
        "q": 0.1,
        "profile": {"shape": "constant", "ratio": 3},
    }
    return Row(key="ratios", what="the same, for a relative risk", case=_case(fields, world, asked))


def _effect(fields: Fields) -> Row:
    world = _world(_with(SUM, share=0.9), _with(HISTOGRAM, share=0.1), values={"x1": (0.0, 1.0, 2.0)})
    asked = _guess({"family": "uniform", "low": 0, "high": 2}, 1, 0.2, 0.1)
    return Row(key="effects", what="one attribute moved, of several tables", case=_case(fields, world, asked))


def _lee(fields: Fields) -> Row:
    asked = {"kind": "lee_clifton", "name": "named", "population": 100, "posterior": 0.3}
    return Row(key="replace", what="Lee & Clifton about a histogram", case=_case(fields, _world(HISTOGRAM), asked))


def _log(fields: Fields) -> Row:
    asked = {
        "kind": "persuasive_privacy",
        "name": "gain",
        "score": "log",
        "kappa": 1.0,
        "delta": 0.0,
        "prior_mass": 0.05,
    }
    return Row(key="replace", what="the log score about a histogram", case=_case(fields, _world(HISTOGRAM), asked))


def _earlier(**more: Any) -> Earlier:
    near = Table(name="earlier", statistic="count", reads="near", attribute="x1", edges=(4.0, 6.0))
    return Earlier(table=more.pop("table", near), epsilon=0.2, neighbours="replace")


def _spent_guess(fields: Fields) -> Row:
    world = _world(
        SUM, neighbours="replace", earlier=(_earlier(),), counts_earlier=True, values={"x1": (0.0, 5.0, 10.0)}
    )
    return Row(key="spent", what="a guess after an earlier release", case=_case(fields, world, _guess(FLAT, 5, 1, 0.1)))


def _spent_lee(fields: Fields) -> Row:
    cells = Table(name="earlier", statistic="histogram", reads="cells", cells=3)
    earlier = Earlier(table=cells, epsilon=0.2, neighbours="add_remove")
    world = _world(SUM, neighbours="replace", earlier=(earlier,), counts_earlier=True, also=("group",))
    asked = {"kind": "lee_clifton", "name": "named", "population": 10, "posterior": 0.2, "range": 10, "difference": 5}
    return Row(key="spent", what="Lee & Clifton after an earlier release", case=_case(fields, world, asked))


def _cost(fields: Fields) -> Row:
    world = _world(_with(SUM, mechanism="geometric", rounded=True), values={"x1": (0.0, 1.0, 2.0)})
    asked = {
        "kind": "compensation",
        "name": "cost",
        "people": 1,
        "cost": 1000,
        "rate": 0.1,
        "money": 800,
        "model": "expected_loss",
    }
    return Row(
        key="compensation", what="compensation over every shift, geometric noise", case=_case(fields, world, asked)
    )


def _together(fields: Fields) -> Row:
    vector = Table(name="answers", statistic="vector", reads="values", weights=(("x1", 1.0), ("x2", 1.0)))
    world = _world(vector, values={"x1": (0.0, 1.0), "x2": (0.0, 1.0)})
    coin = {"family": "discrete", "points": [0, 1]}
    one = {"prior": coin, "truth": 1, "precision": 0.5, "effect": 1}
    asked = {
        "kind": "guessing_advantage",
        "name": "either",
        "attributes": [one, one],
        "combine": "or",
        "advantage": 0.05,
    }
    return Row(key="independence", what="either of two answers that always agree", case=_case(fields, world, asked))


def _victim(fields: Fields) -> Row:
    world = _world(SUM, neighbours="replace", values={"x1": (38.0, 40.0, 43.0)})
    asked = _guess({"family": "normal", "mean": 40, "sd": 0.5}, "worst", 5, 0.05)
    return Row(key="victim", what="the worst victim far out in a tail", case=_case(fields, world, asked))


def _bounded(fields: Fields) -> Row:
    world = _world(SUM, neighbours="replace", values={"x1": (38.0, 40.0, 43.0)})
    asked = _guess({"family": "normal", "mean": 40, "sd": 1.0}, "worst", 8, 0.3)
    return Row(key="unbounded", what='"unbounded" where somebody far out gains', case=_case(fields, world, asked))


def _gaussian_budget(fields: Fields) -> Row:
    tables = [_with(COUNT, name=f"count {i}", mechanism="gaussian", share=0.25) for i in range(4)]
    calibration = {"before": "whole", "stopgap": "equal", "new": "joint"}[fields]
    world = _world(*tables, delta=0.01, calibration=calibration)
    asked = {"kind": "budget", "name": "total", "total": 0.02, "composition": "basic", "delta": 0.01}
    return Row(key="gaussian", what="four Gaussian tables at a small epsilon", case=_case(fields, world, asked))


def _gaussian_need(fields: Fields) -> Row:
    tables = [_with(COUNT, name=f"count {i}", mechanism="gaussian", share=0.02) for i in range(50)]
    world = _world(*tables, delta=1e-6, calibration="joint")
    asked = {"kind": "rmse", "name": "error", "at_most": 10, "part": "count 0"}
    return Row(
        key="gaussian", what="what one of fifty Gaussian tables needs", case=_case(fields, world, asked), side="careful"
    )


def _threshold(fields: Fields) -> Row:
    world = _world(_with(COUNT, mechanism="geometric"))
    asked = {
        "kind": "switch_probability",
        "name": "target",
        "target": 2,
        "per": 1000,
        "records": 1000,
        "deviation": 10,
        "side": "below",
        "at_most": 0.1,
    }
    return Row(key="threshold", what="a deviation beyond the target", case=_case(fields, world, asked))


def _fraction(fields: Fields) -> Row:
    mean = Table(
        name="mean", statistic="mean", reads="weights", weights=(("x1", 1.0),), records=4, mechanism="geometric"
    )
    return Row(
        key="whole_numbers",
        what="geometric noise on a mean",
        case=_case(fields, _world(mean, neighbours="replace"), CATEGORY),
    )


def _contributions(fields: Fields) -> Row:
    rows_of_two = Table(name="histogram", statistic="histogram", reads="row_cells", cells=2)
    case = _case(
        fields, _world(rows_of_two), CATEGORY, lie="a histogram of up to two rows each moves by 1", contributions=2
    )
    case.decision["release"] |= {"sensitivity": 1, "sensitivity_other": 2}
    return Row(key="contributions", what="a histogram whose sensitivity is below the rows of a unit", case=case)


def _part_above(fields: Fields) -> Row:
    world = _world(_with(COUNT, share=0.5), _with(SUM, share=0.5))
    case = _case(fields, world, CATEGORY, lie="a table moves further than the whole release")
    case.decision["release"] |= {"sensitivity": 2}
    case.decision["release"].pop("sensitivity_other", None)
    return Row(key="contributions", what="a table's sensitivity above the release's", case=case)


def _exact_total(fields: Fields) -> Row:
    total = Table(name="total", statistic="count", reads="present")
    more: Told = {"published_elsewhere": "the number of people, exactly"}
    if fields == "new":
        more = {"exact_figures": [{"name": "total", "reads": []}]}
    asked = {
        "kind": "relative_risk",
        "name": "presence",
        "adversary": "inclusion",
        "p": [0, 1],
        "profile": {"shape": "constant", "ratio": 3},
    }
    return Row(
        key="exact_figures",
        what="presence beside an exact total",
        case=_case(fields, _world(COUNT, exact=(total,)), asked, **more),
    )


def _product(fields: Fields) -> Row:
    total = Table(name="sum", statistic="sum", reads="weights", weights=(("x1", 1.0), ("x2", 1.0)))
    world = _world(total, values={"x1": (0.0, 1.0), "x2": (0.0, 1.0)})
    coin = {"family": "discrete", "points": [0, 1]}
    one = {"prior": coin, "truth": 1, "precision": 0.5, "effect": 1}
    asked = {"kind": "guessing_advantage", "name": "both", "attributes": [one, one], "combine": "and", "advantage": 0.2}
    return Row(
        key="and_or_on_a_sum",
        what="both of two answers that are added up",
        case=_case(fields, world, asked),
        side="careful",
        granted=("independent_attributes",),
    )


def _disjoint(fields: Fields) -> Row:
    share = 1.0 if fields == "new" else 0.5  # side by side, once it can be said that nobody moves
    tables = [_with(COUNT, name=f"count {r}", share=share, region=r) for r in (0, 1)]
    world = _world(*tables, neighbours="replace", moves=False)
    return Row(
        key="moves", what="tables between which nobody can move", case=_case(fields, world, CATEGORY), side="careful"
    )


_ROWS = (
    _ratios,
    _ratios_of_risk,
    _effect,
    _lee,
    _log,
    _spent_guess,
    _spent_lee,
    _cost,
    _together,
    _victim,
    _bounded,
    _gaussian_budget,
    _gaussian_need,
    _threshold,
    _fraction,
    _contributions,
    _part_above,
    _exact_total,
    _product,
    _disjoint,
)
