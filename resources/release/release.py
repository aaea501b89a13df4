"""The release that a plan asks for, made once from the microdata; and rehearsals of it from made-up data."""

import argparse
import csv
import io
import json
import os
import shutil
import sys
import time
from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path
from secrets import choice, randbelow
from typing import Any

from exact_noise import LIBRARY, drawer
from microdata import counted, sha256, units_in
from signed_plan import (
    Column,
    Plan,
    RefusedError,
    Table,
    Total,
    WrongPlanError,
    heading_of,
    plan_hash,
    read_plan,
    source_of,
)
from sums import cells_of, made_to_add_up, require_fitted

REGISTER = Path.home() / ".dpwizard-releases"  # a file for each plan that was drawn, on this computer
Drawer = Callable[[list[int]], list[int]]
# what a wrong plan may lead to
FAULTS = (LookupError, ValueError, TypeError, AttributeError, ArithmeticError, RecursionError)

# ---------------------------------------------------------------- the release, once


def markers(plan: Plan, plan_path: Path, register: Path) -> tuple[Path, Path]:
    """Return the files that note that the plan was drawn: in the register of this computer, and beside the plan."""
    return register / f"{plan_hash(plan)}.json", plan_path.with_name(f"{plan_path.name}.drawn")


def claim(plan: Plan, plan_path: Path, register: Path) -> None:
    """Note that the plan is drawn now; raises RefusedError where it was before.

    Both files are made with O_EXCL, so that of two runs at the same time one is refused.
    """
    register.mkdir(parents=True, exist_ok=True)
    noted: list[Path] = []
    for marker in markers(plan, plan_path, register):
        try:
            with os.fdopen(os.open(marker, os.O_CREAT | os.O_EXCL | os.O_WRONLY), "w", encoding="utf-8") as file:
                noted.append(marker)
                json.dump({"plan_sha256": plan_hash(plan), "record": plan.raw["record"], "begun_at": now()}, file)
        except FileExistsError:
            raise RefusedError(
                f"A release was drawn from this plan before ({marker}). A second draw would spend the budget again: "
                "decide on it and sign a new plan."
            ) from None
        except OSError:  # nothing is drawn: no note of it stays
            for path in noted:
                path.unlink()
            raise


def now() -> str:
    """Return the time in UTC."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def decimal(exact: Fraction) -> str:
    """Return EXACT, a whole number or a decimal, as it is published."""
    if exact.denominator == 1:
        return str(exact.numerator)
    with localcontext() as context:
        context.prec = 60
        return format(Decimal(exact.numerator) / Decimal(exact.denominator), "f")


def as_csv(plan: Plan, table: Table | Total, published: list[int]) -> bytes:
    """Return TABLE as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*table.reads, "count" if table.sums is None else f"sum of {table.sums}"])
    finest = not any(table.name in above for above in plan.sums.values())  # what others add up to stays their sum
    clamped = plan.clamped and finest and (table.sums is None or plan.columns[table.sums].low >= 0)
    for cell, steps in zip(cells_of(plan, table), published, strict=True):
        shown = max(steps, 0) if clamped else steps
        writer.writerow([*cell, decimal(shown * table.step)])
    return text.getvalue().encode("utf-8")


def made(
    plan: Plan, totals: list[dict[tuple[str, ...], int]], draws: list[Drawer]
) -> tuple[dict[str, bytes], list[dict[str, Any]]]:
    """Return the file of each table, and the errors of its numbers in steps, which are confidential."""
    true = {
        table.name: [found.get(cell, 0) for cell in cells_of(plan, table)]
        for table, found in zip(plan.read, totals, strict=True)
    }
    noisy = {table.name: draw(true[table.name]) for table, draw in zip(plan.tables, draws, strict=True)}
    published = made_to_add_up(plan, true | noisy)
    files = {table.file: as_csv(plan, table, published[table.name]) for table in plan.every}
    errors = [
        {"table": name, "errors": [after - before for before, after in zip(numbers, published[name], strict=True)]}
        for name, numbers in true.items()
    ]
    return files, errors


def public_log(plan: Plan, files: dict[str, bytes]) -> dict[str, Any]:
    """Return what may be published of how the tables were made."""
    tables = [
        {
            "name": table.name,
            "file": table.file,
            "sha256": sha256(files[table.file]),
            "noise": table.noise,
            "rho" if table.noise == "discrete_gaussian" else "epsilon": str(table.budget),
            "parameter": parameter(table),
            "step": str(table.step),
        }
        for table in plan.tables
    ]
    return {
        "plan_sha256": plan_hash(plan),
        "record": plan.raw["record"],
        "script_sha256": sha256(Path(__file__).read_bytes()),
        "library": LIBRARY,
        "made_at": now(),
        "spent": {name: plan.raw[name] for name in ("rho", "epsilon") if plan.raw[name]},
        "tables": tables,
        "made_to_add_up": bool(plan.sums),
        "published_without_noise": [one.name for one in plan.exact] + plan.raw["published_without_noise"],
    }


def parameter(table: Table) -> str:
    """Return the parameter of the noise of TABLE in steps: sigma^2 of exp(-x^2/(2 sigma^2)), or b of exp(-|x|/b)."""
    if table.noise == "discrete_gaussian":
        return f"sigma^2 = {table.distance / (2 * table.budget)}"
    return f"b = {table.distance / table.budget}"


def write_all(out: Path, files: dict[str, bytes]) -> None:
    """Write FILES to the new folder OUT, all of them or none."""
    partial = out.with_name(f"{out.name}.partial-{os.getpid()}")
    partial.mkdir(parents=True)
    try:
        for name, data in files.items():
            with open(partial / name, "xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        partial.rename(out)
    except OSError:
        shutil.rmtree(partial, ignore_errors=True)
        raise


def as_json(value: Any) -> bytes:
    """Return VALUE as a JSON file."""
    return (json.dumps(value, indent=1, ensure_ascii=False) + "\n").encode("utf-8")


# ---------------------------------------------------------------- a rehearsal


def made_up(plan: Plan, units: int) -> bytes:
    """Return a CSV file of so many UNITS, a row each, drawn at random from the public lists."""
    last = sorted(plan.columns, key=lambda name: plan.columns[name].edges is not None)
    headings = {
        heading_of(name, plan.columns): plan.columns[name] for name in last if not source_of(name, plan.columns)
    }
    headings |= {heading_of(name, plan.columns): plan.columns[name] for name in last if plan.columns[name].edges}
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    timed = [] if plan.period_column is None else [plan.period_column]
    periods = [period_of(months[0]) for table in plan.tables if (months := table.months) is not None]
    writer.writerow([plan.unit_column, *headings, *timed])
    for number in range(1, units + 1):
        values = [made_up_value(plan, column) for column in headings.values()]
        writer.writerow([f"made up {number}", *values, *(choice(periods or [period_of(0)]) for _ in timed)])
    return text.getvalue().encode("utf-8")


def period_of(month: int) -> str:
    """Return a MONTH, counted from year 0, as a file may hold it."""
    return f"{month // 12:04d}-{month % 12 + 1:02d}"


def made_up_value(plan: Plan, column: Column) -> str:
    """Return a value of COLUMN as a file may hold it."""
    if column.mapped is not None:
        return choice(list(column.mapped))
    if column.edges is not None:
        return str(column.edges[0] + randbelow(column.edges[-1] - column.edges[0] + 10))
    if column.classes is not None:
        return choice(column.classes)
    steps = (table.step for table in plan.tables if table.sums is not None and plan.columns[table.sums] == column)
    step = next(steps, Fraction(1))
    return decimal(column.low + step * randbelow(int((column.high - column.low) / step) + 1))


# ---------------------------------------------------------------- the command


def planned(path: Path) -> tuple[Plan, list[Drawer]]:
    """Return the plan in the file PATH, and what draws the noise of each table; raises WrongPlanError."""
    try:
        raw = json.loads(path.read_bytes())
        json.dumps(raw, ensure_ascii=False).encode("utf-8")  # refuses halves of characters, which no file can hold
        plan = read_plan(raw)
        require_fitted(plan)
        return plan, [drawer(table.noise, table.budget, table.distance) for table in plan.tables]
    except FAULTS as problem:
        raise WrongPlanError(f"{type(problem).__name__}: {problem}") from None


def release(plan_path: Path, data_path: Path, out: Path, register: Path) -> str:
    """Make the release in the new folder OUT, and return what was done."""
    plan, draws = planned(plan_path)
    require_new(out)
    rows, found = units_in(plan, data_path.read_bytes())
    totals, largest = counted(plan, rows)
    claim(plan, plan_path, register)
    try:
        files, _ = made(plan, totals, draws)
        log = public_log(plan, files)
        write_all(out, files | {"public_log.json": as_json(log), "confidential_log.json": as_json(found | largest)})
    except (OSError, WrongPlanError, *FAULTS) as problem:
        raise RefusedError(
            f"{problem}. The draw is noted, and nobody has seen its numbers: whoever answers for the release may "
            f"remove the notes ({', '.join(map(str, markers(plan, plan_path, register)))}) and run this again."
        ) from None
    spent = " and ".join(f"{name} {amount}" for name, amount in log["spent"].items())
    exact = plan.raw["published_without_noise"]
    besides = f" Not made here, for they have no noise: {', '.join(exact)}." if exact else ""
    besides += f" Without noise, as signed: {', '.join(one.name for one in plan.exact)}." if plan.exact else ""
    return f"{len(plan.tables)} tables in {out}; {spent} spent.{besides}"


def rehearse(plan_path: Path, out: Path, units: int) -> str:
    """Make the tables of made-up UNITS in the new folder OUT, with the errors of all numbers; return what was done."""
    plan, draws = planned(plan_path)
    require_new(out)
    data = made_up(plan, units)
    rows, found = units_in(plan, data)
    totals, largest = counted(plan, rows)
    files, errors = made(plan, totals, draws)
    log = {"rehearsal": "made-up data: nothing here is a release"} | public_log(plan, files)
    files |= {"made_up.csv": data, "rehearsal.json": as_json(errors), "public_log.json": as_json(log)}
    write_all(out, files | {"confidential_log.json": as_json(found | largest)})
    return f"A rehearsal: {len(plan.tables)} tables of made-up data in {out}; nothing spent."


def require_new(out: Path) -> None:
    """Raise RefusedError where there is a folder OUT already."""
    if out.exists():
        raise RefusedError(f"{out} exists already. Name a new folder.")


def main(arguments: list[str]) -> int:
    """Run the command and return its exit status."""
    parser = argparse.ArgumentParser(description="Makes the protected tables of a signed plan.")
    parser.add_argument("plan", type=Path, help="plan.json")
    parser.add_argument("data", type=Path, nargs="?", help="the microdata, a CSV file in UTF-8; not with --rehearse")
    parser.add_argument("out", type=Path, help="a new folder")
    parser.add_argument("--rehearse", action="store_true", help="on made-up data, drawn from the public lists")
    parser.add_argument("--units", type=int, default=2_000, help="how many units to make up (default 2000)")
    parser.add_argument(
        "--register", type=Path, default=REGISTER, help=f"folder of what was drawn (default {REGISTER})"
    )
    given = parser.parse_args(arguments)
    if given.rehearse == (given.data is not None):
        parser.error("--rehearse works on made-up data only: name no file of microdata with it, and one without it")
    try:
        if given.rehearse:
            print(rehearse(given.plan, given.out, given.units))
        else:
            print(release(given.plan, given.data, given.out, given.register))
    except WrongPlanError as problem:
        print(f"The plan is wrong: {problem}", file=sys.stderr)
        return 2
    except (RefusedError, OSError) as problem:
        print(f"Nothing was released. {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
