"""A labour-force programme of eight quarters, three levels and three queries, from files: solved by command line; and
decided and signed in the window, by mouse and keys, from an empty page to the numbers that its script publishes.

Tables and needs come from CSV, the microdata's description from JSON. Needs speak of the published numbers.
"""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from dpwizard import cli
from dpwizard.base.csv_text import rows_of
from dpwizard.decision import edits, read_decision, to_json
from dpwizard.records import Record, read
from dpwizard.report import document
from dpwizard.report.blocks import Figure, PageBreak, Pairs, Table
from dpwizard.report.pdf_objects import page_count
from dpwizard.sheets import guessed, read_tables, with_tables
from tests.end_to_end.newcomer import Newcomer, begin, sign_with_first_key, signed
from tests.end_to_end.test_release_script import loaded
from tests.samples.labour_force import AREAS, LABOUR, NEEDS, PLAIN, QUARTERS, WIDTHS, labour_csv
from tests.ui.hands import Hands
from tests.ui.test_sheet_of_tables import asked
from ui.sheets import PasteDialog
from ui.signing import ExportDialog

pytestmark = [pytest.mark.plain_pages, pytest.mark.slow]  # a window of its own, 72 tables planned, and a signature

MOST = 40  # clicks, choices and typed fields
TABLES = 72


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with the three files."""
    monkeypatch.setenv("HOME", str(tmp_path))  # where keys and records lie if nobody names another place
    for name, text in (("tables.csv", labour_csv()), ("needs.csv", NEEDS), ("data.json", json.dumps(LABOUR))):
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


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


def test_a_labour_force_programme_is_solved_from_files(desk: Path, capfd: pytest.CaptureFixture[str]) -> None:
    rows = rows_of((desk / "tables.csv").read_text("utf-8"))
    reading = read_tables(rows, guessed(rows))
    assert reading.problems == ()
    decision = with_tables(read_decision(PLAIN), reading.tables)
    raw = to_json(edits.put(decision, "$.release.data", json.loads((desk / "data.json").read_text("utf-8"))))
    (desk / "labour.json").write_text(json.dumps(raw), "utf-8")
    found = solved(desk, capfd)
    assert [one["status"] for one in found["answers"]] == ["allowed"] * 10
    assert [one["tables"] for one in found["answers"][1:]] == [8] * 9
    raw["release"]["adding_up"] = "none"
    (desk / "labour.json").write_text(json.dumps(raw), "utf-8")
    apart = solved(desk, capfd)
    assert found["window"]["rho"]["lower"] < 0.9 * apart["window"]["rho"]["lower"]  # accuracy is not bought twice


def describe(hands: Newcomer, desk: Path) -> None:
    """Say what is published, of whom, and that the tables add up."""
    page = hands.page
    hands.type(page.questions.name, "Labour force by quarter")
    hands.type(page.questions.person, "person")
    hands.click(page.technical.head)
    hands.choose("$.release.neighbours", "add_remove")
    hands.choose("$.release.mechanism", "discrete_gaussian")
    hands.choose_file(partial(hands.pick, page.parts.many_button, "open"), desk / "tables.csv")
    dialog = asked(hands, PasteDialog)
    hands.wait(lambda: dialog.reading is not None)
    hands.click(dialog.add_button)
    hands.wait(lambda: len(hands.session.decision.release.parts) == TABLES)
    hands.click(page.processing.boxes["rounding"])
    hands.choose("$.release.adding_up", "least_squares")
    periods = hands.editor("$.release.in_periods")
    assert periods.of.currentData() == "quarter"  # as the tables' periods are
    hands.type(periods.count, "2")
    hands.choose_file(hands.editor("$.release.data").load_button, desk / "data.json")
    hands.wait(lambda: hands.session.decision.release.data is not None)


def decide(hands: Newcomer, desk: Path) -> None:
    """Say what nobody may learn and how exact the numbers must be, as the steps follow, and take the least."""
    hands.go("adversary")
    hands.pick(hands.page.cards.add_button, "two_worlds")
    hands.fill("$.requirements[0].chance_without", "10")
    hands.next()
    hands.fill("$.requirements[0].chance_with", "90")
    hands.go("accuracy")
    hands.choose_file(hands.page.questions.tables.file_button, desk / "needs.csv")
    hands.wait(lambda: len(hands.session.decision.requirements) == 10)
    assert hands.session.decision.release.allocation == "needs"  # no table states a share
    hands.go("adversary")  # what it assumes is known once tables have shares
    hands.wait(lambda: "rounded_to_whole" in hands.page.assumed.boxes)
    hands.click(hands.page.assumed.boxes["rounded_to_whole"])
    hands.go("decision")
    hands.settle()
    hands.click(hands.page.take_lower)
    hands.settle()
    hands.fill("$.justification", "The least budget that keeps every need.")


def test_a_labour_force_programme_is_signed_in_the_window_and_released_by_its_script(
    make_hands: Callable[..., Hands], desk: Path
) -> None:
    hands = begin(make_hands)
    describe(hands, desk)
    decide(hands, desk)
    hands.next()
    hands.next()
    sign_with_first_key(hands, "Ann Officer")
    record = next(desk.rglob("*record.json"))
    signed(hands, record)
    assert hands.actions <= MOST, hands.taken
    _check_pages(read(record.read_bytes()), record.with_suffix(".pdf").read_bytes())

    done = hands.page.sign_form.dialog.done_step
    hands.click(done.more.head)
    hands.click(done.script_button)
    dialog = asked(hands, ExportDialog)
    hands.wait(dialog.save_button.isEnabled)
    hands.choose_file(dialog.save_button, desk / "release.py")
    hands.wait((desk / "release.py").exists)  # its plan is written before it
    (desk / "data.csv").write_text(microdata(), "utf-8")
    places = [str(desk / name) for name in ("plan.json", "data.csv", "out")]
    assert loaded(desk).main([*places, "--register", str(desk / "register")]) == 0
    _check_sums(desk / "out")


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


def _check_sums(out: Path) -> None:
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
