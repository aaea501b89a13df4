"""Risk profiles made of points, as tables: knots of a curve, steps, a grid over both priors shaded by height."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QGridLayout

from dpwizard.base.values import Value
from dpwizard.charts import chart_scene, profile_handles
from dpwizard.decision import edits
from dpwizard.privacy.profiles import MOST_GRID, MOST_POINTS, Knots, Knots2d, Odds, Steps
from dpwizard.wording import ChanceField, chance
from ui.controls import Column, Prose, Spreadsheet, mark_wrong
from ui.forms.numbers import chance_problem, not_a_number, parsed, written
from ui.forms.plain_form import PlainForm
from ui.session import DocumentSession
from ui.widgets import Problem, added, button_for, fill, theme, tr

MOST_SHOWN, COLUMN = 10, 72  # rows shown without scrolling, pixels of a narrow column
TYPED = ChanceField(in_100=False)  # how the chances in the first column are typed
START = Odds(factor=3.0)  # what a curve or a grid starts from: coherent everywhere, and to be changed
BELIEFS = (0.001, 0.01, 0.1, 1.0)  # where it starts with points
DARK = 0.45  # below this share of the shades, white letters are read on them


@dataclass(frozen=True, kw_only=True)
class ProfileCell:
    """A number of a profile, or fixed words, which cannot be typed over."""

    words: str
    fixed: bool = False
    tip: str = ""
    problem: str = ""  # why what was typed is not used
    colour: str | None = None
    ground: str | None = None


class TableForm(PlainForm):
    """The form of a profile made of points: its other fields, and a table whose every cell can be typed over."""

    tabled: tuple[str, ...] = ()  # the fields that the table holds

    def __init__(self, session: DocumentSession, where: str, kind: type[Value], names: Iterable[str]) -> None:
        self.table = Spreadsheet(self.caption(), most=MOST_SHOWN, chooses_many=False)
        self.cells: list[list[ProfileCell]] = []
        model = self.table.rows_model
        model.problem = lambda row, column: self.cells[row][column.field].problem
        model.colour = lambda row, column: self.cells[row][column.field].colour
        model.ground = lambda row, column: self.cells[row][column.field].ground
        model.typed.connect(self._typed)
        super().__init__(session, where, kind, [name for name in names if name not in self.tabled])
        label = Prose(self.caption(), "caption")
        label.setBuddy(self.table)
        if any(self.titles()):
            self.table.show_labels(lambda row: str(row + 1))
        else:
            self.table.headings.hide()
        fill(self.column, label, self.table)
        self.problem = added(self.column, Problem())
        buttons = QGridLayout()
        buttons.setSpacing(theme.NEAR)
        buttons.setColumnStretch(2, 1)
        for index, (words, act) in enumerate(self.offers()):
            button = button_for(words, lambda _=False, act=act, words=words: self._act(words, act), "small")
            buttons.addWidget(button, index // 2, index % 2)
        self.column.addLayout(buttons)
        self._shown: Any = ()
        self.refresh()

    # --------------------------------------------------------------------- what a subclass says

    def caption(self) -> str:
        """Return what stands above the table."""
        raise NotImplementedError  # abstract

    def offers(self) -> tuple[tuple[str, Callable[[], Value | None]], ...]:
        """Return what can be done with the whole, in words, and how: the new profile, or None where it cannot be."""
        raise NotImplementedError  # abstract

    def titles(self) -> tuple[str, ...]:
        """Return what stands above the columns."""
        return ()

    def cells_of(self, profile: Any) -> list[list[ProfileCell]]:
        """Return the cells of PROFILE, row by row."""
        raise NotImplementedError  # abstract

    def typed(self, profile: Any, row: int, column: int, number: Any) -> tuple[str, dict[str, Any], str]:
        """Return Undo's word for typing NUMBER into a cell, the fields it changes, and why it is refused, or ""."""
        raise NotImplementedError  # abstract

    # ---------------------------------------------------------------------------------- the rest

    @property
    def profile(self) -> Any:
        """Return the profile as the decision has it."""
        return edits.get(self._session.decision, self.where)

    def refresh(self) -> None:
        super().refresh()
        if not hasattr(self, "_shown"):
            return  # the table is not there yet
        values = tuple(getattr(self.profile, name, None) for name in self.tabled)
        if values != self._shown:
            self.say("")  # what was refused is not what changed since: nothing stays of it
            self._shown = values
            self._write_all()

    def _write_all(self) -> None:
        """Write the profile as the decision has it into every cell, whatever was typed."""
        self.cells = self.cells_of(self.profile)
        count = len(self.cells[0]) if self.cells else max(1, len(self.titles()))
        if count != len(self.table.columns()):
            self.table.rows_model.show_columns(tuple(map(self._column, range(count))))
        self.table.show_rows(range(len(self.cells)))

    def _column(self, at: int) -> Column:
        return Column(
            title=self.titles()[at] if self.titles() else "",
            words=lambda row: self.cells[row][at].words,
            # the whole, where a column is narrow
            tip=lambda row: "\n".join(
                dict.fromkeys(filter(None, (self.cells[row][at].words, self.cells[row][at].tip)))
            ),
            text=lambda row: None if self.cells[row][at].fixed else self.cells[row][at].words,
            numeric=True,
            narrowest=COLUMN,
            field=at,
        )

    def is_chance(self, row: int, column: int) -> bool:
        """Return whether a cell holds a chance, which may be typed as 5 % or 1/20."""
        return column == 0

    def _typed(self, row: int, column: int, typed: str) -> None:
        text = typed.strip()
        if text == self.cells[row][column].words:
            return
        is_chance = self.is_chance(row, column)
        number: Any = math.inf if text in ("∞", "inf") else parsed(text)
        wrong = chance_problem(text, TYPED) if is_chance else not_a_number(text) if number is None else ""
        if wrong:
            self._refuse(row, column, text, wrong)
            return
        if is_chance:
            number = TYPED.readings(text)[0]
        profile = self.profile
        name, fields, refused = self.typed(profile, row, column, "inf" if number == math.inf else number)
        if refused:
            self._refuse(row, column, text, f"{refused}.")
            return
        known = {key: getattr(profile, key) for key in type(profile).model_fields}
        problem = self._session.put(name, self.where, {**known, **fields})
        if problem is not None:
            self._refuse(row, column, text, tr("{message}. {hint}", message=problem.text, hint=problem.remedy))
            return
        self.say("")
        self._write_all()  # as it is used: 5 % is 0.05, and a cell refused before is what it was

    def _refuse(self, row: int, column: int, text: str, words: str) -> None:
        """Leave TEXT in red in its cell, say in WORDS why it is not used, and what is; others show what is used."""
        self._write_all()
        self.say(words)
        cell, what = self.cells[row][column], self.cell_name(row, column)
        why = self.problem.words.strip()
        self.say(tr("{what}: {why} It was not used. The value is still {value}.", what=what, why=why, value=cell.words))
        self.problem.ensurePolished()
        red = self.problem.palette().color(self.problem.foregroundRole()).name()
        self.cells[row][column] = replace(cell, words=text, problem=self.problem.words, colour=red)
        self.table.rows_model.redraw()

    def cell_name(self, row: int, column: int) -> str:
        """Return what a cell is called in a sentence."""
        return tr("Row {number} ({what})", number=row + 1, what=self.titles()[column])

    def say(self, words: str) -> None:
        """Say what is wrong with what was typed; nothing, if nothing is."""
        self.problem.say(f"{words[:1].upper()}{words[1:]}")
        mark_wrong(self.table, bool(words))

    def _act(self, words: str, act: Callable[[], Value | None]) -> None:
        self.say("")
        self._write_all()
        changed = act()
        if changed is not None:
            problem = self._session.put(words, self.where, changed)
            self.say("" if problem is None else problem.text)
            self._write_all()

    def forget_problems(self) -> None:
        if hasattr(self, "problem"):
            self.say("")
            self._write_all()
        super().forget_problems()

    def reach(self, where: str) -> bool:
        if super().reach(where):
            return True
        if where.startswith(tuple(f"{self.where}.{name}" for name in self.tabled)):
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)
            return True
        return False

    def place(self) -> int:
        """Return the row that has the keyboard; the last one if none has."""
        row = self.table.currentIndex().row()
        return row if 0 <= row < len(self.cells) else len(self.cells) - 1


class KnotsForm(TableForm):
    """A curve through points: a row for each knot."""

    tabled = ("points",)

    def caption(self) -> str:
        return tr("Knots: the chance before the release, and how many times as likely it may become")

    def offers(self) -> tuple[tuple[str, Callable[[], Value | None]], ...]:
        return ((tr("Add a knot"), self._add), (tr("Remove the knot"), self._remove))

    def titles(self) -> tuple[str, ...]:
        return (tr("Chance before"), tr("Times as likely"))

    def cells_of(self, profile: Any) -> list[list[ProfileCell]]:
        points = profile.points or ()
        tips = [(chance(prior), profile_handles.incoherent(points, at)) for at, (prior, _) in enumerate(points)]
        return [
            [_cell(number, tip) for number, tip in zip(point, of_point, strict=True)]
            for point, of_point in zip(points, tips, strict=True)
        ]

    def typed(self, profile: Any, row: int, column: int, number: Any) -> tuple[str, dict[str, Any], str]:
        points = [list(point) for point in profile.points]
        points[row][column] = number
        prior, ratio = points[row]
        refused = ""
        if isinstance(prior, float) and isinstance(ratio, float) and 0 < prior <= 1 and ratio > 0:
            alone = ((prior, ratio),)
            refused = profile_handles.incoherent(alone, 0, self._most(profile))
        return tr("Set knot {number}", number=row + 1), {"points": points}, refused

    def _most(self, profile: Any) -> float:
        """Return the largest prior that the curve does not count: it caps the chance after the release."""
        owner = edits.get(self._session.decision, self.where.rpartition(".")[0])
        if profile.axis == "pq" or owner is None or not hasattr(owner, "beliefs"):
            return 1.0
        p, q = owner.beliefs()
        other = q if profile.axis == "p" else p
        most = other[1] if isinstance(other, tuple) else other
        return float(most) if most else 1.0

    def _add(self) -> Value | None:
        profile = self.profile
        if not profile.points:
            points = tuple((x, round(START.ratio_at(x, 1.0), 3)) for x in BELIEFS)
            return Knots(axis=profile.axis, points=points)
        points, at = profile.points, self.place()
        if at + 1 < len(points):
            between = (math.sqrt(points[at][0] * points[at + 1][0]), math.sqrt(points[at][1] * points[at + 1][1]))
        elif points[at][0] < 1.0:
            between = (math.sqrt(points[at][0]), min(points[at][1], 1 / math.sqrt(points[at][0])))
        else:
            self.say(tr("No chance is larger than certainty: choose a knot above this one and add one there."))
            return None
        if len(points) >= MOST_POINTS:
            return None
        knot = (float(f"{between[0]:.3g}"), float(f"{between[1]:.3g}"))
        return Knots(axis=profile.axis, points=(*points[: at + 1], knot, *points[at + 1 :]))

    def _remove(self) -> Value | None:
        points, at = self.profile.points or (), self.place()
        if len(points) < 2:
            self.say(tr("This is the only knot left: choose another shape instead."))
            return None
        return Knots(axis=self.profile.axis, points=(*points[:at], *points[at + 1 :]))


class StepsForm(TableForm):
    """A ratio for each interval of priors: a row for each step."""

    tabled = ("edges", "ratios")

    def caption(self) -> str:
        return tr("Steps: up to which chance before, and how many times as likely it may become")

    def offers(self) -> tuple[tuple[str, Callable[[], Value | None]], ...]:
        return ((tr("Add a step"), self._add), (tr("Remove the step"), self._remove))

    def titles(self) -> tuple[str, ...]:
        return (tr("Up to the chance before of"), tr("Times as likely"))

    def cells_of(self, profile: Any) -> list[list[ProfileCell]]:
        edges = [_cell(edge, chance(edge)) for edge in profile.edges or ()]
        ratios = list(map(_cell, profile.ratios or ()))
        last, none = ProfileCell(words=chance(1.0), fixed=True), ProfileCell(words="", fixed=True)
        return [[edge or last, ratio or none] for edge, ratio in zip_longest(edges, ratios)]

    def typed(self, profile: Any, row: int, column: int, number: Any) -> tuple[str, dict[str, Any], str]:
        field = "edges" if column == 0 else "ratios"
        line = [*(getattr(profile, field) or ())]
        line[row] = number
        name = (
            tr("Set edge {number}", number=row + 1)
            if column == 0
            else tr("Set the ratio of step {number}", number=row + 1)
        )
        return name, {field: line}, ""

    def _add(self) -> Value | None:
        edges, ratios, at = self.profile.edges or (), self.profile.ratios or (), self.place()
        if not ratios:
            return Steps(axis=self.profile.axis, edges=(0.1,), ratios=(5.0, 2.0))
        low = edges[at - 1] if at else (edges[0] / 100 if edges else 0.01)
        high = edges[at] if at < len(edges) else 1.0
        edge = float(f"{math.sqrt(low * high):.3g}")
        if not low < edge < high:
            self.say(tr("There is no room for another step here."))
            return None
        return Steps(
            axis=self.profile.axis, edges=(*edges[:at], edge, *edges[at:]), ratios=(*ratios[: at + 1], *ratios[at:])
        )

    def _remove(self) -> Value | None:
        edges, ratios, at = self.profile.edges or (), self.profile.ratios or (), self.place()
        if len(ratios) < 2:
            self.say(tr("This is the only step left: choose another shape instead."))
            return None
        gone = min(at, len(edges) - 1)
        edges, ratios = (*edges[:gone], *edges[gone + 1 :]), (*ratios[:at], *ratios[at + 1 :])
        return Steps(axis=self.profile.axis, edges=edges, ratios=ratios)


class GridForm(TableForm):
    """A surface over both priors: a row for each p, a column for each q; every ratio is shaded by its height."""

    tabled = ("p", "q", "ratios")

    def caption(self) -> str:
        return tr("Times as likely: down, the chance before of being in the data; across, that of the value")

    def offers(self) -> tuple[tuple[str, Callable[[], Value | None]], ...]:
        return (
            (tr("Add a row"), lambda: self._grow(0)),
            (tr("Add a column"), lambda: self._grow(1)),
            (tr("Remove the row"), lambda: self._shrink(0)),
            (tr("Remove the column"), lambda: self._shrink(1)),
        )

    def cells_of(self, profile: Any) -> list[list[ProfileCell]]:
        p, q, ratios = profile.p or (), profile.q or (), profile.ratios or ()
        if not p or not q:
            return []
        levels = [math.log(ratio) for line in ratios for ratio in line]
        low, high = min(levels), max(levels)
        rows = [[ProfileCell(words="p ↓  q →", fixed=True), *(_cell(belief, chance(belief)) for belief in q)]]
        for down, line in zip(p, ratios, strict=True):
            row = [_cell(down, chance(down))]
            for across, ratio in zip(q, line, strict=True):
                share = (math.log(ratio) - low) / (high - low) if high > low else 0.5
                letters, ground = "#FFFFFF" if share < DARK else "#1B1F24", QColor(*chart_scene.colour_at(share)).name()
                cell = _cell(ratio, f"{chance(down)}, {chance(across)}")
                row.append(replace(cell, colour=letters, ground=ground))
            rows.append(row)
        return rows

    def is_chance(self, row: int, column: int) -> bool:
        return row == 0 or column == 0

    def cell_name(self, row: int, column: int) -> str:
        if row == 0:
            return tr("Chance before, column {number}", number=column)
        if column == 0:
            return tr("Chance before, row {number}", number=row)
        return tr("Row {row}, column {column}", row=row, column=column)

    def typed(self, profile: Any, row: int, column: int, number: Any) -> tuple[str, dict[str, Any], str]:
        if row == 0 or column == 0:
            field, at = ("q", column - 1) if row == 0 else ("p", row - 1)
            line = [*getattr(profile, field)]
            line[at] = number
            return tr("Set a chance before of the grid"), {field: line}, ""
        ratios = [[*line] for line in profile.ratios]
        ratios[row - 1][column - 1] = number
        p, q = profile.p[row - 1], profile.q[column - 1]
        refused = profile_handles.incoherent(((p * q, number),), 0) if isinstance(number, float) and number > 0 else ""
        return tr("Set a ratio of the grid"), {"ratios": ratios}, refused

    def _grow(self, along: int) -> Value | None:
        profile = self.profile
        if not profile.p or not profile.q or not profile.ratios:
            ratios = tuple(tuple(float(f"{START.ratio_at(p, q):.4g}") for q in BELIEFS) for p in BELIEFS)
            return Knots2d(p=BELIEFS, q=BELIEFS, ratios=tuple(tuple(max(1.0, r) for r in line) for line in ratios))
        line: Sequence[float] = (profile.p, profile.q)[along]
        at = max(self._current()[along] - 1, 0)
        at = min(at, len(line) - 1)
        belief = math.sqrt(line[at] * line[at + 1]) if at + 1 < len(line) else math.sqrt(line[at])
        belief = float(f"{belief:.3g}")
        if belief in line or len(line) >= MOST_GRID:
            self.say(tr("There is no room for another one here: choose another place."))
            return None
        wider = (*line[: at + 1], belief, *line[at + 1 :])
        p, q = (wider, profile.q) if along == 0 else (profile.p, wider)
        return Knots2d(p=p, q=q, ratios=tuple(tuple(float(f"{profile.ratio_at(x, y):.6g}") for y in q) for x in p))

    def _current(self) -> tuple[int, int]:
        return self.table.currentIndex().row(), self.table.currentIndex().column()

    def _shrink(self, along: int) -> Value | None:
        profile = self.profile
        line = (profile.p or (), profile.q or ())[along]
        if len(line) < 2:
            self.say(tr("This is the only one left: choose another shape instead."))
            return None
        at = min(max(self._current()[along] - 1, 0), len(line) - 1)
        fewer = (*line[:at], *line[at + 1 :])
        if along == 0:
            return Knots2d(p=fewer, q=profile.q, ratios=(*profile.ratios[:at], *profile.ratios[at + 1 :]))
        return Knots2d(p=profile.p, q=fewer, ratios=tuple((*row[:at], *row[at + 1 :]) for row in profile.ratios))


def _cell(number: float, tip: str = "") -> ProfileCell:
    return ProfileCell(words="∞" if math.isinf(number) else written(number), tip=tip)


FORMS: dict[type[Value], type[TableForm]] = {Knots: KnotsForm, Steps: StepsForm, Knots2d: GridForm}
