"""Step 1: what will be published, about whom, with which noise; and what noise does not protect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from dpwizard.decision import Decision, Release, Table, derived_fields, edits, is_rounded, release_flaws, sums_of
from dpwizard.wording import assessments, format_text, general_guarantee, persons, word, written
from ui.controls import Prose
from ui.forms import ChecksEditor, Editor, Form, SensitivityHelper
from ui.pages.page import Page
from ui.panels import State
from ui.questions import ReleaseQuestions, ReleaseRecap
from ui.sheets import TablesRows
from ui.widgets import Card, SideBySide, added, plain, theme, tr, unmnemonic

PART_FIELDS = ("name", "statistic", "sensitivity", "step", "dimension", "mechanism", "share")
MORE_PART_FIELDS = (
    *("sensitivity_other", "contributions", "disjoint_with", "group", "moves"),
    *("reads", "effects", "level", "year", "period", "times", "epsilon", "rho", "weight", "adds_up_to"),
)
CARD, FORM = 324, 320  # pixels: the least width of a card beside another, and of a form
UNITS = ("unit_kind", "slice", "slices_per_person", "cap", "distinct_cells")


class ReleasePage(Page):
    """What will you publish?"""

    key = "release"
    roomy = True  # two columns of cards, or a table of many columns

    def build_questions(self) -> Iterator[None]:
        self.questions = added(self.questions_column, ReleaseQuestions(self.session))
        self.questions.details_asked.connect(self._show_details)
        self.questions.lead.connect(self.lead)
        self.questions.judged.connect(lambda: self._recapitulate(self.session.decision))
        yield
        self.recap = added(self.meaning_column, ReleaseRecap(self.session, self.host))
        self.recap.question_chosen.connect(self.questions.reach)

    def show_questions(self, state: State) -> None:
        self.questions.show_decision(state.decision)
        self._recapitulate(state.decision)

    def _recapitulate(self, decision: Decision) -> None:
        self.recap.show_decision(decision, self.questions.divisions.refused)

    def _show_details(self, where: str) -> None:
        self.technical.open()
        self.reach(where)

    def technical_summary(self, state: State) -> str:
        release = state.decision.release
        sentences = [word("statistic", release.statistic)] if release.statistic else []
        if release.sensitivity is not None:
            sentences.append(tr("sensitivity {figure}", figure=written(release.sensitivity, "figure_up")))
        sentences += [word("mechanism", release.mechanism)] if release.mechanism else []
        origin = tr("set by hand") if derived_fields.by_hand(state.decision) else tr("derived")
        return tr("{values} · {whence}", values=", ".join(sentences), whence=origin) if sentences else ""

    def reset_questions(self) -> None:
        self.questions.forget_problems()

    def reach_question(self, where: str) -> bool:
        question = question_of(self.session.decision, where)
        return question is not None and self.questions.reach(question)

    def build(self) -> Iterator[None]:
        first, second = self._columns_of_cards()
        self._group(first, tr("This decision"), "$", Decision, ("title",))
        published = ("description", "statistic", "dimension", "repetitions")
        self._group(first, tr("What is published"), "$.release", Release, published)
        who = self._group(first, tr("Who is protected"), "$.release", Release, ("unit", "contributions", "neighbours"))
        yield
        self.units = who.fold(UNITS, tr("Protected units, periods and row limits"))
        self.helper = added(second, SensitivityHelper(self.session))
        yield
        noise = ("sensitivity", "sensitivity_other", "derivation", "mechanism", "step", "delta")
        self.noise = self._group(second, tr("The noise"), "$.release", Release, noise)
        self.attributes = self.noise.fold(("reads", "effects"), tr("Attributes the figures are computed from"))
        after = self._group(second, tr("After the noise"), "$.release", Release, ("post_processing",))
        yield
        self._build_parts()
        yield
        self.programme, (self.sums, self.totals) = self._side_by_side(
            tr("Sums and periods of the tables"), ("adding_up", "in_periods"), ("totals",)
        )
        self._group(
            self.fields, tr("The microdata, for the script that makes the release"), "$.release", Release, ("data",)
        )
        of_people = ("population", "sampling_fraction", "sample_secret", "trust_model")
        _, (self.known, self.elsewhere) = self._side_by_side(
            tr("What else is known"), of_people, ("published_elsewhere", "exact_figures")
        )
        yield
        self.processing = after.editors["post_processing"]
        self.neighbours = who.editors["neighbours"]
        promised = Card(tr("What this release protects"))
        self.promise = added(promised.column, Prose())
        self.beside.addWidget(promised)
        unprotected = Card(tr("What is not protected"))
        self.unprotected = added(unprotected.column, Prose())
        self.beside.addWidget(unprotected)

    def _columns_of_cards(self) -> tuple[QVBoxLayout, QVBoxLayout]:
        sides = added(self.fields, SideBySide(below=theme.GROUP))
        columns = plain(QVBoxLayout(), theme.GROUP), plain(QVBoxLayout(), theme.GROUP)
        for column in columns:
            holder = QWidget()
            holder.setMinimumWidth(CARD)
            holder.setLayout(column)
            sides.box.addWidget(holder, 1, Qt.AlignmentFlag.AlignTop)
        return columns

    def _group(
        self, column: QVBoxLayout, title: str, where: str, kind: type[Decision] | type[Release], names: tuple[str, ...]
    ) -> Form:
        card = Card(title)
        form = self.add_form(card, Form(self.session, where, kind, names))
        column.addWidget(card)
        return form

    def _build_parts(self) -> None:
        card = Card(tr("Several tables"))
        self.shares = added(card.column, Prose("", "caption"))
        self.parts = TablesRows(self.session, self.colours, PART_FIELDS, MORE_PART_FIELDS)
        self.parts.opened.connect(lambda: self._ask_steps(self.session.decision))
        card.column.addWidget(self.parts)
        self.even = QPushButton()
        self.even.clicked.connect(self._share_evenly)
        card.column.addWidget(self.even, alignment=Qt.AlignmentFlag.AlignLeft)
        self.fields.addWidget(card)

    def _side_by_side(self, title: str, *names: tuple[str, ...]) -> tuple[Card, list[Form]]:
        """Return a card with a form for each of NAMES, side by side if there is room."""
        card = Card(title)
        sides = added(card.column, SideBySide())
        forms = [Form(self.session, "$.release", Release, fields) for fields in names]
        for form in forms:
            form.setMinimumWidth(FORM)
            sides.box.addWidget(form, 1, Qt.AlignmentFlag.AlignTop)
            self.forms.append(form)
        self.fields.addWidget(card)
        return card, forms

    def _share_evenly(self) -> None:
        parts = self.session.decision.release.parts
        shared = tuple(part.model_copy(update={"share": 1.0 / len(parts)}) for part in parts)
        self.session.edit(tr("Share {budget} evenly"), edits.put(self.session.decision, "$.release.parts", shared))
        self.parts.forget_problems()

    # ------------------------------------------------------------------------------------- showing

    def show_fields(self, decision: Decision) -> None:
        super().show_fields(decision)
        release = decision.release
        editors = self.noise.editors
        answered = release.delta is not None or bool(editors["delta"].problem.text())
        editors["delta"].setVisible(release.noise.needs_delta or answered)
        editors["derivation"].setVisible(release.derivation is not None)
        editors["mechanism"].show_note(word("mechanism_help", release.mechanism) if release.mechanism else "")
        self.neighbours.show_note(word("neighbours_mean", release.neighbours) if release.neighbours else "")
        self.known.editors["sample_secret"].show_note(_sampling_words(decision))
        if isinstance(self.processing, ChecksEditor):
            for key, _ in self.processing.choices:
                self.processing.say_what_follows(key, _cost_of(release, key))
        self.helper.refresh()
        self.parts.refresh()
        self._ask_steps(decision)
        has_several_tables = len(release.tables) > 1
        self.attributes.setVisible(not has_several_tables or bool(self.attributes.answered()))
        shares = _share_words(release)
        self.shares.say(shares or word("parts", "none"))
        self.even.setVisible(has_several_tables)
        self.even.setText(unmnemonic(tr("Share {budget} evenly")))
        self.even.setAccessibleName(tr("Share {budget} evenly among the tables"))
        in_periods = release.in_periods is not None or any(part.period for part in release.parts)
        self.sums.editors["in_periods"].setVisible(in_periods)
        self.totals.setVisible(release.adds_up or bool(release.totals))
        adds_up = release.adding_up is not None or bool(release.totals)
        self.programme.setVisible(has_several_tables or in_periods or adds_up)
        self.promise.say("\n\n".join(_guarantee_words(release, shares)))
        self.unprotected.say("\n\n".join(_unprotected(release)))

    def _ask_steps(self, decision: Decision) -> None:
        tables = {table.place: table for table in decision.release.tables}
        for form in (self.noise, *self.parts.forms):
            _ask_step(form.editors["step"], tables.get(form.where), edits.get(decision, f"{form.where}.step"))

    def reset_fields(self) -> None:
        super().reset_fields()
        self.parts.forget_problems()
        self.helper.forget()

    def reach_field(self, where: str) -> bool:
        return self.parts.reach(where) or super().reach_field(where)


def _cost_of(release: Release, processing: str) -> str:
    """Return what PROCESSING costs, in words; if tables add up, how they are rounded."""
    groups = sums_of(release).groups
    rounded = processing == "rounding" and groups and all(is_rounded(release, group) for group in groups)
    return word("post_processing_costs", "rounding_adding_up" if rounded else processing)


def question_of(decision: Decision, where: str) -> str | None:
    """Return the plain question that answers the path WHERE; None if a technical field does."""
    field = where.removeprefix("$.release.").split("[")[0].split(".")[0]
    acknowledged = {derived_fields.COUNTS_ONCE: "counted", derived_fields.NOTHING_ELSE: "public"}
    if where.startswith("$.acknowledged."):
        return acknowledged.get(where.removeprefix("$.acknowledged."))
    questions = {"$.title": "title", "person_word": "who", "reveals": "who", "divisions": "divisions"}
    questions |= dict.fromkeys(("each_number", "lowest", "highest"), "each_number") | {"how_often": "how_often"}
    question = questions.get(where if where == "$.title" else field)
    by_hand = decision.release.each_number is None and derived_fields.each_number(decision) is not None
    if question is not None or by_hand:
        return question
    if field == "published_elsewhere" and not derived_fields.is_published_before(decision):
        return "public"
    follows = next((key for key, fields in derived_fields.FOLLOWS.items() if field in fields), None)
    return follows if follows in derived_fields.open_questions(decision) else None


def _ask_step(editor: Editor, table: Table | None, step: float | None) -> None:
    """Show the step of a sum with geometric noise, which is in whole steps, and any answer there is."""
    in_steps = table is not None and table.statistic == "sum" and table.noise.integer_valued
    editor.setVisible(in_steps or step is not None or bool(editor.problem.text()))


def _sampling_words(decision: Decision) -> str:
    release = decision.release
    if release.sampling_fraction is None:
        return ""
    if release.sample_secret is None:
        return word("sample", "open")
    # one sample is drawn for all repetitions
    total = release.cost(decision.chosen) if decision.chosen is not None else None
    amplified = None
    if total is not None and persons.is_whole(release):
        amplified = release_flaws.amplified(release, total)
    if amplified is None:
        return word("sample", "secret" if release.sample_secret else "known")
    figures = {"epsilon": total, "amplified": amplified, "repetitions": release.repetitions}
    text = format_text("sample", "amplified" if release.repetitions == 1 else "amplified_all", figures)
    return f"{word('sample', 'secret')} {text}"


def _share_words(release: Release) -> str:
    """Return what the shares of the parts come to; an empty text for a release that is one table."""
    shares = [part.share for part in release.parts]
    if not shares:
        return ""
    if release.allocation in ("needs", "weights") and None in shares:
        return word("parts", release.allocation)
    if any(table.share is None for table in release.tables):
        return word("parts", "missing")
    if release.stated_budget is not None:
        return format_text("parts", "amounts", {"total": float(release.stated_budget)})
    total = float(release.share_total())
    if any(part.disjoint_with or part.group for part in release.parts):
        return format_text("parts", "disjoint", {"total": total})
    if total > 1 - 1e-9:
        return word("parts", "whole")
    return format_text("parts", "left", {"total": total, "left": 1 - total})


def _guarantee_words(release: Release, shares: str) -> tuple[str, ...]:
    """Return what the release guarantees, or why it guarantees nothing."""
    obstacles = [format_text("why", flaw.key, flaw.values) for flaw in release_flaws.flaws(release)]
    exact = general_guarantee.exact_guarantee(release)
    obstacles += [] if exact is None else [format_text("why", "exact_tables", {"tables": exact})]
    if obstacles:
        return tuple(obstacles)
    sentences = [*assessments.release_in_words(release)]
    sentences += [word("neighbours_mean", release.neighbours)] if release.neighbours else []
    sentences += [text for text in (persons.of_cap(release), persons.of_a_person(release)) if text]
    return (*sentences, *((shares,) if shares else ()))


def _unprotected(release: Release) -> tuple[str, ...]:
    mechanisms = release.noise.each
    keys: Mapping[str, bool] = {
        **{mechanism.name: release.noise.absent for mechanism in mechanisms if mechanism.noise is None},
        **{mechanism.name: release.delta is not None for mechanism in mechanisms if mechanism.needs_delta},
        "replace": release.neighbours == "replace",
        "population": True,
        "unit": release.unit is not None,
        "contributions": True,
        "elsewhere_named": release.unprotected is not None,
        "elsewhere": release.unprotected is None,
        "repeated": True,
        "post_processing": bool(release.post_processing),
        "assumptions": True,
        "implementation": not release.noise.absent_somewhere,
    }
    figures: dict[str, Any] = {
        "delta": release.delta_in_all(),
        "unit": release.unit,
        "rows": release.rows,
        "what": release.unprotected,
        "repetitions": release.repetitions,
    }
    return tuple(format_text("unprotected", key, figures) for key, holds in keys.items() if holds)
