"""Where a limit for one release is applied to another: decisions with the data that show a mistake there."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from tests.oracles.judge.drawing import Case, Told, effects_of
from tests.oracles.judge.people import Table
from tests.oracles.judge.verdicts import Verdict, judged
from tests.oracles.judge.world import Earlier, World


@dataclass(frozen=True, kw_only=True)
class Row:
    """One seam: the decision and its data."""

    what: str
    case: Case
    granted: tuple[str, ...] = ()  # what the answer may assume, whether it says so or not


def judged_row(row: Row, assessment: Told) -> Verdict:
    """Return the verdict on a row's answer."""
    if "answers" in assessment:
        (answer,) = assessment["answers"]
        answer = answer | {"assumptions": [*(answer["assumptions"] or ()), *row.granted]}
        assessment = assessment | {"answers": [answer]}
    return judged(row.case, assessment)[0]


def rows() -> list[Row]:
    """Return every row."""
    return [row() for row in _ROWS]


# ------------------------------------------------------------------------------------------- releases


def _case(world: World, asked: Told, *, lie: str | None = None, **more: Any) -> Case:
    """Return the decision that states of WORLD whatever a file can state."""
    if "attributes" in asked:
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
        if world.sensitivity(table, other) < math.inf:
            part["sensitivity_other"] = world.sensitivity(table, other)
        if effects_of(world, table):
            part |= {"effects": effects_of(world, table), "reads": list(table.attributes)}
        if table.statistic == "sum" and table.mechanism == "geometric":
            part["step"] = 1
        parts.append(part)
    if len(parts) == 1:
        release |= parts[0]
    else:
        release |= {"statistic": "vector", "mechanism": world.tables[0].mechanism}
        for part, table in zip(parts, world.tables, strict=True):
            part |= {"name": table.name, "share": table.share}
            if table.region is not None:
                part["disjoint_with"] = [t.name for t in world.tables if t.region not in (None, table.region)]
                part["moves"] = world.moves
        release["parts"] = parts
    if world.earlier:
        release["priors_from"] = "before_all"
        release["spent"] = [
            {"epsilon": old.epsilon, "neighbours": old.neighbours, "record": old.table.name} for old in world.earlier
        ]
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


def _ratios() -> Row:
    world = _world(_with(COUNT, share=0.1), _with(HISTOGRAM, share=0.9))
    return Row(what="tables whose ratios of sensitivities differ", case=_case(world, CATEGORY))


def _ratios_of_risk() -> Row:
    world = _world(_with(COUNT, share=0.1), _with(HISTOGRAM, share=0.9))
    asked = {
        "kind": "relative_risk",
        "name": "value",
        "adversary": "attribute",
        "q": 0.1,
        "profile": {"shape": "constant", "ratio": 3},
    }
    return Row(what="the same, for a relative risk", case=_case(world, asked))


def _effect() -> Row:
    world = _world(_with(SUM, share=0.9), _with(HISTOGRAM, share=0.1), values={"x1": (0.0, 1.0, 2.0)})
    asked = _guess({"family": "uniform", "low": 0, "high": 2}, 1, 0.2, 0.1)
    return Row(what="one attribute moved, of several tables", case=_case(world, asked))


def _lee() -> Row:
    asked = {"kind": "lee_clifton", "name": "named", "population": 100, "posterior": 0.3}
    return Row(what="Lee & Clifton about a histogram", case=_case(_world(HISTOGRAM), asked))


def _log() -> Row:
    asked = {
        "kind": "persuasive_privacy",
        "name": "gain",
        "score": "log",
        "kappa": 1.0,
        "delta": 0.0,
        "prior_mass": 0.05,
    }
    return Row(what="the log score about a histogram", case=_case(_world(HISTOGRAM), asked))


def _earlier(**more: Any) -> Earlier:
    near = Table(name="earlier", statistic="count", reads="near", attribute="x1", edges=(4.0, 6.0))
    return Earlier(table=more.pop("table", near), epsilon=0.2, neighbours="replace")


def _spent_guess() -> Row:
    world = _world(
        SUM, neighbours="replace", earlier=(_earlier(),), counts_earlier=True, values={"x1": (0.0, 5.0, 10.0)}
    )
    return Row(what="a guess after an earlier release", case=_case(world, _guess(FLAT, 5, 1, 0.1)))


def _spent_lee() -> Row:
    cells = Table(name="earlier", statistic="histogram", reads="cells", cells=3)
    earlier = Earlier(table=cells, epsilon=0.2, neighbours="add_remove")
    world = _world(SUM, neighbours="replace", earlier=(earlier,), counts_earlier=True, also=("group",))
    asked = {"kind": "lee_clifton", "name": "named", "population": 10, "posterior": 0.2, "range": 10, "difference": 5}
    return Row(what="Lee & Clifton after an earlier release", case=_case(world, asked))


def _cost() -> Row:
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
    return Row(what="compensation over every shift, geometric noise", case=_case(world, asked))


def _together() -> Row:
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
    return Row(what="either of two answers that always agree", case=_case(world, asked))


def _victim() -> Row:
    world = _world(SUM, neighbours="replace", values={"x1": (38.0, 40.0, 43.0)})
    asked = _guess({"family": "normal", "mean": 40, "sd": 0.5}, "worst", 5, 0.05)
    return Row(what="the worst victim far out in a tail", case=_case(world, asked))


def _bounded() -> Row:
    world = _world(SUM, neighbours="replace", values={"x1": (38.0, 40.0, 43.0)})
    asked = _guess({"family": "normal", "mean": 40, "sd": 1.0}, "worst", 8, 0.3)
    return Row(what='"unbounded" where somebody far out gains', case=_case(world, asked))


def _gaussian_budget() -> Row:
    tables = [_with(COUNT, name=f"count {i}", mechanism="gaussian", share=0.25) for i in range(4)]
    world = _world(*tables, delta=0.01)
    asked = {"kind": "budget", "name": "total", "total": 0.02, "composition": "basic", "delta": 0.01}
    return Row(what="four Gaussian tables at a small epsilon", case=_case(world, asked))


def _gaussian_need() -> Row:
    tables = [_with(COUNT, name=f"count {i}", mechanism="gaussian", share=0.02) for i in range(50)]
    world = _world(*tables, delta=1e-6)
    asked = {"kind": "rmse", "name": "error", "at_most": 10, "part": "count 0"}
    return Row(what="what one of fifty Gaussian tables needs", case=_case(world, asked))


def _threshold() -> Row:
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
    return Row(what="a deviation beyond the target", case=_case(world, asked))


def _fraction() -> Row:
    mean = Table(
        name="mean", statistic="mean", reads="weights", weights=(("x1", 1.0),), records=4, mechanism="geometric"
    )
    return Row(
        what="geometric noise on a mean",
        case=_case(_world(mean, neighbours="replace"), CATEGORY),
    )


def _contributions() -> Row:
    rows_of_two = Table(name="histogram", statistic="histogram", reads="row_cells", cells=2)
    case = _case(_world(rows_of_two), CATEGORY, lie="a histogram of up to two rows each moves by 1", contributions=2)
    case.decision["release"] |= {"sensitivity": 1, "sensitivity_other": 2}
    return Row(what="a histogram whose sensitivity is below the rows of a unit", case=case)


def _part_above() -> Row:
    world = _world(_with(COUNT, share=0.5), _with(SUM, share=0.5))
    case = _case(world, CATEGORY, lie="a table moves further than the whole release")
    case.decision["release"] |= {"sensitivity": 2}
    case.decision["release"].pop("sensitivity_other", None)
    return Row(what="a table's sensitivity above the release's", case=case)


def _exact_total() -> Row:
    total = Table(name="total", statistic="count", reads="present")
    asked = {
        "kind": "relative_risk",
        "name": "presence",
        "adversary": "inclusion",
        "p": [0, 1],
        "profile": {"shape": "constant", "ratio": 3},
    }
    return Row(
        what="presence beside an exact total",
        case=_case(_world(COUNT, exact=(total,)), asked, exact_figures=[{"name": "total", "reads": []}]),
    )


def _product() -> Row:
    total = Table(name="sum", statistic="sum", reads="weights", weights=(("x1", 1.0), ("x2", 1.0)))
    world = _world(total, values={"x1": (0.0, 1.0), "x2": (0.0, 1.0)})
    coin = {"family": "discrete", "points": [0, 1]}
    one = {"prior": coin, "truth": 1, "precision": 0.5, "effect": 1}
    asked = {"kind": "guessing_advantage", "name": "both", "attributes": [one, one], "combine": "and", "advantage": 0.2}
    return Row(
        what="both of two answers that are added up",
        case=_case(world, asked),
        granted=("independent_attributes",),
    )


def _disjoint() -> Row:
    tables = [_with(COUNT, name=f"count {r}", share=1.0, region=r) for r in (0, 1)]
    world = _world(*tables, neighbours="replace", moves=False)
    return Row(what="tables between which nobody can move", case=_case(world, CATEGORY))


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
