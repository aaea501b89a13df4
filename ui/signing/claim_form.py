"""A short claim by hand: what was published of a privacy loss, typed as it was printed."""

from __future__ import annotations

import re
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import verbatim
from dpwizard.examination import Claim, read_claim
from dpwizard.wording import word
from ui.controls import Choice, Line, LongText, labelled, mark_wrong
from ui.forms import not_a_number, parsed
from ui.widgets import plain, theme, tr

HEIGHT = 68  # pixels of the parts: three lines are seen at once
FRACTION = re.compile(r"\d{1,40}/\d{1,40}", re.ASCII)
SEPARATED = re.compile(r"\t|;")
BUDGETS = {"pure": "epsilon", "approximate": "epsilon", "zcdp": "rho", "gdp": "mu"}  # in which parts are stated
RULES = ("cks", "loose", "exact")
SLICES = ("none", "day", "week", "month", "quarter", "year", "event")
ACROSS = 5  # fields in a row
LEAST = 90  # pixels of a line for a figure


class ClaimForm(QWidget):
    """Lines for the figures of one claim, and its parts, one a line."""

    asked = Signal()  # Enter in a line

    def __init__(self) -> None:
        super().__init__()
        column = plain(QVBoxLayout(self), theme.GROUP)
        self.lines: dict[str, Line] = {}
        self.variant = Choice((key, word("examination", f"variant_{key}")) for key in BUDGETS)
        rules = ((rule, word("examination", f"rule_{rule}")) for rule in RULES)
        self.rule = Choice((("", tr("not stated")), *rules))
        self.slice = Choice((key, word("slice", key)) for key in SLICES)
        compositions = (("sequential", tr("about the same people")), ("parallel", tr("about different people")))
        self.composition = Choice(compositions)
        self.parts = LongText(HEIGHT)
        self.parts.setPlaceholderText(tr("Country; 0.11; 4"))
        grid = QGridLayout()
        grid.setHorizontalSpacing(theme.GROUP)
        grid.setVerticalSpacing(theme.NEAR)
        cells = (
            labelled(tr("Variant"), self.variant),
            self._line("epsilon", tr("Epsilon")),
            self._line("delta", tr("Delta")),
            self._line("rho", tr("Rho")),
            self._line("mu", tr("Mu")),
            labelled(tr("Rule for epsilon"), self.rule),
            self._line("sampling", tr("Fraction sampled")),
            labelled(tr("Protected as one"), self.slice),
            self._line("slices", tr("How many one person can be")),
            self._line("person", tr("For one person")),
        )
        for at, cell in enumerate(cells):
            grid.addWidget(cell, at // ACROSS, at % ACROSS)
        grid.addWidget(labelled(tr("Parts, one a line: name; figure; how often"), self.parts), 2, 0, 1, ACROSS - 1)
        grid.addWidget(labelled(tr("The parts are"), self.composition), 2, ACROSS - 1, Qt.AlignmentFlag.AlignTop)
        for at in range(ACROSS):
            grid.setColumnStretch(at, 1)
        column.addLayout(grid)

    def _line(self, name: str, words: str) -> QWidget:
        line = self.lines[name] = Line()
        line.setMinimumWidth(LEAST)
        line.returnPressed.connect(self.asked.emit)
        line.textEdited.connect(lambda _: mark_wrong(line, False))
        return labelled(words, line)

    def claim(self) -> Claim:
        """Return what was typed; raises InvalidInput naming the field, and marks its line."""
        budget = BUDGETS[self.variant.currentData()]
        raw: dict[str, Any] = {
            "variant": self.variant.currentData(),
            "rule": self.rule.currentData() or None,
            "slice": self.slice.currentData(),
            "composition": self.composition.currentData(),
            **{name: self._typed(name) for name in ("epsilon", "delta", "rho", "mu", "sampling", "slices")},
            "parts": [self._part(text, budget) for text in self.parts.toPlainText().splitlines() if text.strip()],
        }
        if person := self._typed("person"):
            raw["person"] = {budget: person}
        try:
            return read_claim(raw)
        except InvalidInput as problem:
            line = self.lines.get(problem.where.removeprefix("$.").split(".")[0])
            if line is not None:
                mark_wrong(line, True)
            raise

    def _typed(self, name: str) -> str | None:
        line = self.lines[name]
        try:
            figure = printed(line.text(), name)
        except InvalidInput:
            mark_wrong(line, True)
            raise
        mark_wrong(line, False)
        return figure

    def _part(self, text: str, budget: str) -> dict[str, Any]:
        """Return one line as a part: its name, its figure and how often it counts."""
        cells = [cell.strip() for cell in SEPARATED.split(text)]
        name, figure, times = (*cells, "", "")[:3]
        return {"name": name or None, budget: printed(figure, name), "times": printed(times, name) or "1"}


def printed(text: str, where: str) -> str | None:
    """Return a figure as it was typed in the language of the window, with all its digits; None for an empty text."""
    plain_text = re.sub(r"\s", "", text)
    if not plain_text or FRACTION.fullmatch(plain_text):
        return plain_text or None
    if parsed(text) is None:
        raise InvalidInput(verbatim(not_a_number(text)), where)
    decimal, thousands = (",", ".") if word("number", "decimal") == "," else (".", ",")
    if decimal == "," and "," not in plain_text:
        return plain_text  # the only number it can mean has a point
    return plain_text.replace(thousands, "").replace(decimal, ".")
