"""The second opinion in the window: a file or a claim typed, its verdicts in words and signs, and all of it as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from shiboken6 import isValid

from dpwizard.base.language import speaking
from dpwizard.examination import read_claim
from tests.samples.claims import PUBLISHED
from tests.ui.hands import PATIENCE, Hands
from ui.signing.claim_form import printed
from ui.signing.second_opinion import SHOWN, SecondOpinionDialog

pytestmark = [pytest.mark.one_window, pytest.mark.slow]


@pytest.fixture
def shown(durham: Hands) -> Iterator[SecondOpinionDialog]:
    """Yield the second opinion, opened from the menu."""
    durham.window.menus.actions["second_opinion"].trigger()
    dialog = durham.window.second_opinion
    durham.bot.waitUntil(dialog.isVisible)
    yield dialog
    if isValid(dialog):
        dialog.close()


def examined(hands: Hands, dialog: SecondOpinionDialog, path: Path) -> None:
    hands.type(dialog.file.line, str(path))
    hands.click(dialog.start_button)
    hands.bot.waitUntil(lambda: not dialog.worker.busy and dialog.start_button.isEnabled(), timeout=PATIENCE)


def test_a_file_is_a_table_with_what_differs_first_and_its_arithmetic_below(
    durham: Hands, shown: SecondOpinionDialog
) -> None:
    examined(durham, shown, PUBLISHED / "household_tables.yaml")
    verdicts = [row[0] for row in shown.table.rows()]
    assert verdicts[:3] == ["≠ differs"] * 3
    assert set(verdicts[3:]) == {"✓ agrees", "→ follows"}  # a sign and a word, whatever the colour
    assert "7 agree, 3 differ" in shown.says.words
    assert "12.66" in shown.table.rows()[0][SHOWN.index("follows")]
    assert "ρ = n₁·ρ₁" in shown.arithmetic.toPlainText()
    assert "redistricting data" in shown.arithmetic.toPlainText()
    shown.table.choose(1)
    assert "cks" in shown.arithmetic.toPlainText()
    durham.click(shown.copy_button)
    rows = list(csv.reader(io.StringIO(QGuiApplication.clipboard().text())))
    assert len(rows) == len(verdicts) + 1
    assert rows[0][0] == "Place"


def test_a_claim_typed_here_is_examined_as_a_file_is(durham: Hands, shown: SecondOpinionDialog) -> None:
    durham.choose_in(shown.of, "hand")
    durham.choose_in(shown.form.slice, "day")
    for name, text in (("epsilon", "2.64"), ("slices", "1019"), ("person", "2.64")):
        durham.type(shown.form.lines[name], text)
    QGuiApplication.clipboard().setText("Country; 0.11; 4\nRegion; 0.11; 4\nCounty\t0.22\t4\nElsewhere; 0.88")
    durham.type(shown.form.parts, "")
    durham.bot.keyClick(shown.form.parts, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    durham.click(shown.start_button)
    durham.wait(lambda: shown.found is not None)
    claim = shown.form.claim()
    assert claim == read_claim(
        {
            "variant": "pure",
            "slice": "day",
            "slices": 1019,
            "composition": "sequential",
            "epsilon": "2.64",
            "person": {"epsilon": "2.64"},
            "parts": [
                {"name": "Country", "epsilon": "0.11", "times": 4},
                {"name": "Region", "epsilon": "0.11", "times": 4},
                {"name": "County", "epsilon": "0.22", "times": 4},
                {"name": "Elsewhere", "epsilon": "0.88"},
            ],
        }
    )
    assert [one.statement for one in shown.found.findings if one.verdict == "differs"] == ["person"]
    assert "2,690.16" in shown.table.rows()[0][SHOWN.index("follows")]


@pytest.mark.parametrize("typed", ["two", "-1", "1e99"])
def test_what_is_no_figure_is_said_and_its_line_is_marked(
    durham: Hands, shown: SecondOpinionDialog, typed: str
) -> None:
    durham.choose_in(shown.of, "hand")
    durham.type(shown.form.lines["epsilon"], typed)
    durham.click(shown.start_button)
    assert "epsilon" in shown.says.words
    assert shown.table.rows() == ()


@pytest.mark.parametrize(
    ("language", "typed", "figure"),
    [
        ("en", "17.10", "17.10"),
        ("en", "1,019", "1019"),
        ("en", "293764/114921", "293764/114921"),
        ("en", "1e-10", "1e-10"),
        ("en", "", None),
        ("de", "17,10", "17.10"),
        ("de", "0.25", "0.25"),
        ("de", "1.019,5", "1019.5"),
    ],
)
def test_a_figure_keeps_the_digits_it_was_typed_with(language: str, typed: str, figure: str | None) -> None:
    with speaking(language):
        assert printed(typed, "epsilon") == figure
