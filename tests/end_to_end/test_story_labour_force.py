"""A labour-force programme from files: eight quarters, three levels, three queries; solved, signed, and released.

Tables and needs come from CSV, the microdata's description from JSON. Needs speak of the published numbers.
"""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path
from typing import Any

import pytest

from dpwizard import cli
from dpwizard.base.csv_text import rows_of
from dpwizard.decision import assumptions, edits, read_decision, to_json
from dpwizard.decision.needs_csv import with_needs
from dpwizard.records import Record, read
from dpwizard.report import document
from dpwizard.report.blocks import Figure, PageBreak, Pairs, Table
from dpwizard.report.pdf_objects import page_count
from dpwizard.sheets import guessed, read_tables, with_tables
from tests.end_to_end.test_record_commands import desk, identities, sign
from tests.end_to_end.test_release_script import loaded
from tests.samples.labour_force import AREAS, LABOUR, NEEDS, PLAIN, QUARTERS, WIDTHS, labour_csv

__all__ = ["desk", "identities"]
pytestmark = pytest.mark.slow  # a key of its own, 72 tables on paper, and their noise


def microdata() -> str:
    """Return made-up persons, each in two of the quarters."""
    dice = random.Random(7)
    lines = ["person,quarter,area,sex,status"]
    for number in range(1_500):
        area, sex = dice.choice(AREAS), dice.choice("fm")
        for quarter in dice.sample(QUARTERS, 2):
            lines.append(f"P{number},{quarter},{area},{sex},{dice.choice(LABOUR['columns']['status']['classes'])}")
    return "\n".join([*lines, ""])


def solved(folder: Path, capfd: pytest.CaptureFixture[str]) -> dict[str, Any]:
    capfd.readouterr()
    assert cli.main(["solve", str(folder / "labour.json"), "--needs", str(folder / "needs.csv")]) == 0
    out, said = capfd.readouterr()
    assert "Which accuracy requirements make up the total: " in said
    found: dict[str, Any] = json.loads(out)
    return found


def test_a_labour_force_programme_is_solved_signed_and_released_from_files(
    desk: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (desk / "tables.csv").write_text(labour_csv(), "utf-8")
    (desk / "needs.csv").write_text(NEEDS, "utf-8")
    (desk / "data.json").write_text(json.dumps(LABOUR), "utf-8")
    rows = rows_of((desk / "tables.csv").read_text("utf-8"))
    reading = read_tables(rows, guessed(rows))
    assert reading.problems == ()
    decision = with_tables(read_decision(PLAIN), reading.tables)
    decision = edits.put(decision, "$.release.data", json.loads((desk / "data.json").read_text("utf-8")))
    (desk / "labour.json").write_text(json.dumps(to_json(decision)), "utf-8")
    found = solved(desk, capfd)
    assert [one["status"] for one in found["answers"]] == ["allowed"] * 10
    assert [one["tables"] for one in found["answers"][1:]] == [8] * 9
    least = found["window"]["rho"]["lower"]
    apart = json.loads((desk / "labour.json").read_text("utf-8"))
    apart["release"]["adding_up"] = "none"
    (desk / "labour.json").write_text(json.dumps(apart), "utf-8")
    assert least < 0.9 * solved(desk, capfd)["window"]["rho"]["lower"]  # accuracy is not bought twice

    chosen = edits.put(with_needs(decision, NEEDS), "$.rho", least)
    accepted = [{"assumption": key, "text": "It is so."} for key in assumptions(chosen.planned)]
    chosen = edits.put(chosen, "$.acknowledged", accepted)
    (desk / "labour.json").write_text(json.dumps(to_json(chosen)), "utf-8")
    assert sign(desk, desk / "labour.json", "--out", desk / "record") == 0
    signed = json.loads((desk / "record.json").read_text("utf-8"))
    assert all(one["met"] for one in signed["assessment"]["answers"])
    _check_pages(read((desk / "record.json").read_bytes()), (desk / "record.pdf").read_bytes())
    script = ["export", str(desk / "record.json"), "--to", "script", "--out", str(desk / "release.py")]
    (desk / "data.csv").write_text(microdata(), "utf-8")
    assert cli.main([*script, "--unverified"]) == 0
    module = loaded(desk)
    places = [str(desk / name) for name in ("plan.json", "data.csv", "out")]
    assert module.main([*places, "--register", str(desk / "register")]) == 0
    check_sums(desk / "out")


def _check_pages(record: Record, pdf: bytes) -> None:
    """Check that 72 tables stand on few pages, and that page two says what is needed of them in three sentences."""
    assert page_count(pdf) <= 10
    blocks = document.blocks(record)
    breaks = [at for at, block in enumerate(blocks) if isinstance(block, PageBreak)]
    (axis,) = [block.scene for block in blocks[slice(*breaks[:2])] if isinstance(block, Figure)]
    assert [name for name, _ in axis.rows] == [
        "With and without one record",
        *(
            f"{level}, {level} by sex, {level} by status: within ±{width} in 95 of 100"
            for level, width in WIDTHS.items()
        ),
    ]
    tables = [block.rows for block in blocks if isinstance(block, Table) and block.rows[0][0] == "nation [Period]"]
    assert [len(rows) for rows in tables] == [9, 9, 9]  # of the release, of the noise, and of its accuracy
    assert ("Period", "; ".join(QUARTERS)) in [row for one in blocks if isinstance(one, Pairs) for row in one.rows]


def check_sums(out: Path) -> None:
    """Check that every published sum of every quarter holds."""
    for quarter in QUARTERS:
        _check_quarter(out, quarter)


def _check_quarter(out: Path, quarter: str) -> None:
    lines = {path.stem: path.read_text("utf-8").splitlines()[1:] for path in out.glob("*.csv")}
    tables = {name: list(csv.reader(rows)) for name, rows in lines.items()}
    end = f"-{quarter.lower()}"
    own = {name.removesuffix(end): rows for name, rows in tables.items() if name.endswith(end)}
    assert len(own) == 9
    whole = sum(int(row[-1]) for row in own["nation"])
    for level in WIDTHS:
        assert sum(int(row[-1]) for row in own[level]) == whole
        for query in ("sex", "status"):
            by = own[f"{level}-by-{query}"]
            for row in own[level]:
                assert int(row[-1]) == sum(int(one[-1]) for one in by if one[: len(row) - 1] == row[:-1])
