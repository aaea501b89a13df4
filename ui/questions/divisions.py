"""How the numbers of the table are divided: by ward × 9 and by age group × 3, as blanks in a sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from dpwizard.decision import Decision, Division
from dpwizard.wording import plain_words, whole
from ui.questions.blanks import Blank, NumberBlank, NumberedQuestion, Refusal, between
from ui.session import DocumentSession
from ui.widgets import added, fill, in_a_row, named, plain, tr

ALWAYS_VISIBLE = 2  # divisions
NAME, PARTS, SPACING = 124, 42, 6  # pixels of the blanks, and between the words of one division
Answer = Callable[[str, Mapping[str, Any], str], Refusal]  # name of the edit, fields, key by which edits become one


class DivisionBlanks(QWidget):
    """The blanks of one division: its name and its number of groups."""

    def __init__(self, first: bool, name: Blank, parts: Blank) -> None:
        super().__init__()
        self.name, self.parts = name, parts
        row = plain(QHBoxLayout(self), SPACING)
        fill(row, between(tr("by") if first else tr("and by")), name, QLabel("×"), parts)


class Divisions(NumberedQuestion):
    """Asks how the numbers are divided, and shows how many there are."""

    def __init__(self, number: int, session: DocumentSession, answer: Answer) -> None:
        super().__init__(session, number, tr("How are the numbers divided?"), tr("leave empty if they are not"))
        self._answer = answer
        self.rows: list[DivisionBlanks] = []
        self.extra = 0  # empty divisions that are shown on request
        self.total = named(QLabel(), "title")
        self._row = added(self.answers, in_a_row())
        self._second_row = added(self.answers, in_a_row())  # from the third division on
        self._second_row.hide()
        self.foot = added(self.column, in_a_row())  # the number of numbers, after the link to several tables
        fill(self.foot.box, between("="), self.total)
        for _ in range(ALWAYS_VISIBLE):
            self._add_row()

    def _add_row(self) -> None:
        at = len(self.rows)
        name = Blank(
            self.session,
            f"plain.divisions[{at}].name",
            tr("What the numbers are divided by ({number})", number=at + 1),
            NAME,
            lambda decision: _division(decision, at).name or "",
            partial(self._put_name, at),
        )
        parts = NumberBlank(
            self.session,
            f"plain.divisions[{at}].parts",
            tr("Number of groups ({number})", number=at + 1),
            PARTS,
            lambda decision: _division(decision, at).parts,
            partial(self._put_parts, at),
            lambda: tr(
                "Every division has at least 2 groups. Enter how many {groups} there are, or empty both fields.",
                groups=self._groups(at),
            ),
        )
        blanks = DivisionBlanks(at == 0, name, parts)
        for blank in (name, parts):
            blank.editingFinished.connect(self._remove_empty)
        self.watch(name, parts)
        self.rows.append(blanks)
        row, place = (self._row, at) if at < ALWAYS_VISIBLE else (self._second_row, at - ALWAYS_VISIBLE)
        row.box.insertWidget(place, blanks, alignment=Qt.AlignmentFlag.AlignLeft)

    def show_another(self) -> None:
        """Show the blanks of another division."""
        self.extra = max(0, len(self.rows) + 1 - max(len(self.session.decision.release.divisions), ALWAYS_VISIBLE))
        self._add_row()
        self._second_row.show()
        self.rows[-1].name.reach()

    # ------------------------------------------------------------------------------------ entered

    def _groups(self, at: int) -> str:
        return plain_words.plural(_division(self.session.decision, at).name or tr("group"))

    def _put_name(self, at: int, words: str) -> Refusal:
        return self._put(at, {"name": words or None}, tr("Set a division"))

    def _put_parts(self, at: int, number: float | None) -> Refusal:
        return self._put(at, {"parts": number}, tr("Set {field}", field=self._groups(at)))

    def _put(self, at: int, changed: Mapping[str, Any], name: str) -> Refusal:
        divisions = [division.model_dump() for division in self.session.decision.release.divisions]
        divisions += [{"name": None, "parts": None} for _ in range(at + 1 - len(divisions))]
        divisions[at] = {**divisions[at], **changed}
        while divisions and not any(divisions[-1].values()):
            divisions.pop()
        return self._answer(name, {"divisions": divisions}, f"divisions[{at}].{next(iter(changed))}")

    def _remove_empty(self) -> None:
        divisions = self.session.decision.release.divisions
        filled = [division.model_dump() for division in divisions if division != Division()]
        if len(filled) < len(divisions):
            self._answer(tr("Remove a division"), {"divisions": filled}, "")

    # -------------------------------------------------------------------------------------- shown

    def show_decision(self, decision: Decision) -> None:
        """Show the divisions of DECISION, and the number of numbers."""
        filled = len(decision.release.divisions)
        while len(self.rows) < filled:
            self._add_row()
        visible = max(filled, ALWAYS_VISIBLE) + self.extra
        self._second_row.setVisible(visible > ALWAYS_VISIBLE)
        for at, blanks in enumerate(self.rows):
            blanks.setVisible(at < visible)
        self.refresh()
        count, tables = decision.release.dimension, len(decision.release.tables)
        numbers = tr("{count} number", "{count} numbers", n=count, count=whole(count))
        self.total.setText(numbers if tables == 1 else tr("{n} table", "{n} tables", n=tables))

    def forget_problems(self) -> None:
        self.extra = 0
        super().forget_problems()

    @property
    def refused(self) -> Mapping[int, str]:
        """Return the refused numbers of groups, by position."""
        return {at: blanks.parts.text() for at, blanks in enumerate(self.rows) if blanks.parts.problem}


def _division(decision: Decision, at: int) -> Division:
    divisions = decision.release.divisions
    return divisions[at] if at < len(divisions) else Division()
