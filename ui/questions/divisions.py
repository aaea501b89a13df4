"""How the numbers of the table are divided: by ward × 9 and by age group × 3, as gaps in a sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from dpwizard.decision import Decision, Division
from dpwizard.wording import plain_words, whole
from ui.questions.blanks import Blank, Question, between, number_of, number_text, still_used
from ui.session import DocumentSession
from ui.widgets import added, fill, in_a_row, named, plain, tr

ALWAYS, LEAST_PARTS = 2, 2  # divisions that can be seen, and groups of one of them at least
NAME, PARTS, CLOSE = 124, 42, 6  # pixels of the gaps, and between the words of one division
Answer = Callable[[str, Mapping[str, Any], str], str]  # name of the edit, fields, key by which edits fold into one


class Slot(QWidget):
    """The gaps of one division: its name, and into how many groups it divides."""

    def __init__(self, first: bool, name: Blank, parts: Blank) -> None:
        super().__init__()
        self.name, self.parts = name, parts
        row = plain(QHBoxLayout(self), CLOSE)
        fill(row, between(tr("by") if first else tr("and by")), name, QLabel("×"), parts)


class Divisions(Question):
    """Asks by what the numbers are divided, and says how many there are."""

    def __init__(self, number: int, session: DocumentSession, answer: Answer) -> None:
        super().__init__(number, tr("How are the numbers divided?"), tr("leave empty if they are not"))
        self.session, self._answer = session, answer
        self.slots_shown: list[Slot] = []
        self.extra = 0  # divisions asked for beyond those that are there
        self.total = named(QLabel(), "title")
        self._row = added(self.answers, in_a_row())
        self._more = added(self.answers, in_a_row())  # of a third division and more
        self._more.hide()
        self.foot = added(self.column, in_a_row())  # how many they are, and before it the way to other tables
        fill(self.foot.box, between("="), self.total)
        for _ in range(ALWAYS):
            self._add_slot()

    def _add_slot(self) -> None:
        at = len(self.slots_shown)
        name = Blank(
            self.session,
            f"plain.divisions[{at}].name",
            tr("What the numbers are divided by ({number})", number=at + 1),
            NAME,
            lambda decision: _division(decision, at).name or "",
            partial(self._put_name, at),
        )
        parts = Blank(
            self.session,
            f"plain.divisions[{at}].parts",
            tr("Number of groups ({number})", number=at + 1),
            PARTS,
            lambda decision: number_text(_division(decision, at).parts),
            partial(self._put_parts, at),
        )
        slot = Slot(at == 0, name, parts)
        for blank in (name, parts):
            blank.editingFinished.connect(self._tidy)
        self.take(name, parts)
        self.slots_shown.append(slot)
        row = self._row if at < ALWAYS else self._more
        row.box.insertWidget(at if at < ALWAYS else at - ALWAYS, slot, alignment=Qt.AlignmentFlag.AlignLeft)

    def one_more(self) -> None:
        """Show the gaps of one more division."""
        self.extra = max(0, len(self.slots_shown) + 1 - max(len(self.session.decision.release.divisions), ALWAYS))
        self._add_slot()
        self._more.show()
        self.slots_shown[-1].name.reach()

    # ------------------------------------------------------------------------------------ entered

    def _put_name(self, at: int, words: str) -> str:
        return self._put(at, {"name": words or None}, tr("Set a division"))

    def _put_parts(self, at: int, words: str) -> str:
        division = _division(self.session.decision, at)
        name = division.name or tr("group")
        number, problem = number_of(words)
        if number is not None and number < LEAST_PARTS:
            problem = tr(
                "Every division has at least 2 parts. Type how many {groups} there are, or empty both fields.",
                groups=plain_words.plural(name),
            )
        if problem:
            return still_used(problem, number_text(division.parts))
        return self._put(at, {"parts": number}, tr("Set {field}", field=plain_words.plural(name)))

    def _put(self, at: int, changed: Mapping[str, Any], name: str) -> str:
        held = [{"name": one.name, "parts": one.parts} for one in self.session.decision.release.divisions]
        held += [{"name": None, "parts": None} for _ in range(at + 1 - len(held))]
        held[at] = {**held[at], **changed}
        while held and not any(held[-1].values()):
            held.pop()
        return self._answer(name, {"divisions": held}, f"divisions[{at}].{next(iter(changed))}")

    def _tidy(self) -> None:
        held = self.session.decision.release.divisions
        kept = [{"name": one.name, "parts": one.parts} for one in held if one != Division()]
        if len(kept) < len(held):
            self._answer(tr("Remove a division"), {"divisions": kept}, "")

    # -------------------------------------------------------------------------------------- shown

    def show_decision(self, decision: Decision) -> None:
        """Show the divisions of DECISION, and how many numbers they come to."""
        held = len(decision.release.divisions)
        while len(self.slots_shown) < held:
            self._add_slot()
        shown = max(held, ALWAYS) + self.extra
        self._more.setVisible(shown > ALWAYS)
        for at, slot in enumerate(self.slots_shown):
            slot.setVisible(at < shown)
        self.refresh()
        count, tables = decision.release.dimension, len(decision.release.tables)
        numbers = tr("{count} number", "{count} numbers", n=count, count=whole(count))
        self.total.setText(numbers if tables == 1 else tr("{n} table", "{n} tables", n=tables))

    def forget_problems(self) -> None:
        self.extra = 0
        super().forget_problems()

    @property
    def refused(self) -> Mapping[int, str]:
        """Return what was typed as the number of groups and is not used, by position."""
        return {at: slot.parts.text() for at, slot in enumerate(self.slots_shown) if slot.parts.problem}


def _division(decision: Decision, at: int) -> Division:
    held = decision.release.divisions
    return held[at] if at < len(held) else Division()
