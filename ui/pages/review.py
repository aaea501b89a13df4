"""Step 7: the record's texts, what is missing, a preview of the record, and signing it."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QLabel, QPushButton, QVBoxLayout

from dpwizard.decision import Assessment, Decision, Details, Reason, edits
from dpwizard.decision.requirements import Requirement
from dpwizard.questions import privacy_words
from dpwizard.wording import assessments, field_label, persons, range_of, texts
from ui.controls import Prose
from ui.forms import Form
from ui.pages.page import Page
from ui.pages.release import question_of
from ui.panels import SolvedDecision, State, Veil
from ui.questions import ReviewQuestions, protection, question_title, with_defaults
from ui.signing import (
    ExportDialog,
    LetterheadForm,
    PolicyCard,
    PreviewDialog,
    SignForm,
    Superseded,
    Withheld,
    preview,
)
from ui.widgets import (
    Card,
    Fold,
    Link,
    SideBySide,
    added,
    button_for,
    drop,
    fill,
    named,
    open_once,
    plain,
    theme,
    tr,
)

SEVERAL = 4  # tables that lack the same are said in one line
MOST_LINES = 5  # of what is missing, until all is asked for
LETTERS = 300  # of a line; what somebody typed may be longer, and is whole in its tool tip
MARKS = "withheld"  # the block of what the public version leaves out
LETTERHEAD = "letterhead"  # the block of the letterhead
PREVIEW = 540  # pixels of the pages as they will be printed, at least
ANNEX, NOTICE = preview.TO_SIGN, 3  # tabs above the pages, after those of page 1 and page 2
LONGEST_NAME = 40  # letters of whose letterhead it is, beside the title of its block
BLOCKS = {  # of particulars, each a card; together they hold every field of Details
    "verdict": ("conditions", "review_date", "review_triggers", "authority", "approval_number"),
    "identity": ("controller", "contact", "product", "record_number", "version", "authors", "approver"),
    "necessity": ("necessity", "alternatives", "attributes"),
    "risks": ("risks", "residual_risks"),
    "advice": ("advice", "views"),
    "registry": ("curators", "intended_use", "product_type", "sector", "region", "publication_date"),
    "replaced": ("supersedes", "superseded_sha256"),
    "reviewers": (
        *("actors", "collection", "data_domain", "domain_source", "tuned_on", "tuning"),
        *("implementation", "floating_point", "randomness", "checked", "access", "security"),
        *("small_groups", "groups"),
    ),
}


def block_title(key: str) -> str:
    """Return what a block of particulars is called."""
    return {
        "verdict": tr("Conditions, review and authority"),
        "identity": tr("Whose decision, on which product"),
        "necessity": tr("Necessity and alternatives"),
        "risks": tr("Residual risks and measures"),
        "advice": tr("Advice and views"),
        "registry": tr("For the public registry"),
        "replaced": tr("The record this one replaces"),
        "reviewers": tr("What reviewers ask"),
        LETTERHEAD: tr("Letterhead"),
        MARKS: tr("What the public version leaves out"),
    }[key]


@dataclass(frozen=True)
class Line:
    """One thing that is missing for an approval: where it is answered, and its words."""

    words: str
    where: str
    step: str
    alike: str = ""  # what it is called wherever it is missing


class Missing(Card):
    """What stands between the decision and an approval; each line leads to its place."""

    asked = Signal(str, str)  # where, step

    def __init__(self) -> None:
        super().__init__(tr("Still missing"))
        self._rows = plain(QVBoxLayout(), 0)
        self.column.addLayout(self._rows)
        self.buttons: list[Link] = []
        self._shown: tuple[Line, ...] | None = None
        self._all = self._signed = False
        self.more_button = button_for("", self.show_all, "small")
        self.column.addWidget(self.more_button, alignment=Qt.AlignmentFlag.AlignLeft)
        self.more_button.hide()

    def show_signed(self, signed: bool) -> None:
        """Give way to what says who signed, where somebody did and nothing is missing."""
        self._signed = signed
        self.setHidden(signed and not self._shown)

    @property
    def words(self) -> tuple[str, ...]:
        """Return what is missing."""
        return tuple(line.words for line in self._shown or ())

    def show_lines(self, lines: tuple[Line, ...]) -> None:
        """List LINES, each as a button; what is missing in many places alike is one, and leads to the first of them."""
        if lines != self._shown:
            self._shown = lines
            self._list()
        self.title.setText(tr("Still missing: {count}", count=len(lines)) if lines else tr("Ready to sign."))
        self.show_signed(self._signed)

    def fold(self) -> None:
        """List no more than the first: another decision is about to be shown."""
        self._all = False

    def show_all(self) -> None:
        """List the rest, too."""
        self._all = True
        self._list()

    def _list(self) -> None:
        shown = grouped(self._shown or ())
        drop(self._rows, self.buttons)
        self.buttons = []
        for line in shown if self._all else shown[:MOST_LINES]:
            words = line.words
            button = Link(words if len(words) <= LETTERS else f"{words[: LETTERS - 1]}…")
            button.setToolTip(f"<p>{html.escape(words)}</p>")  # what somebody typed is no markup
            button.setAccessibleName(words)
            button.clicked.connect(lambda _, line=line: self.asked.emit(line.where, line.step))
            self._rows.addWidget(button)
            self.buttons.append(button)
        self.more_button.setVisible(len(shown) > len(self.buttons))
        self.more_button.setText(tr("Show all {n}", "Show all {n}", n=len(shown)))


def grouped(lines: tuple[Line, ...]) -> list[Line]:
    """Return LINES, those that are missing in SEVERAL places alike as one that leads to the first of them."""
    places: dict[str, list[Line]] = {}
    for line in lines:
        places.setdefault(line.alike or line.words, []).append(line)
    found = []
    for alike, same in places.items():
        if len(same) < SEVERAL:
            found += same
            continue
        words = tr("{what}: in {n} table", "{what}: in {n} tables", n=len(same), what=alike)
        found.append(Line(words, same[0].where, same[0].step))
    return found


def still_missing(decision: Decision, assessment: Assessment) -> tuple[Line, ...]:
    """Return what an approval of DECISION lacks: open answers, an epsilon outside the window without its reason."""
    lines = [
        _line(problem.step, words(decision, problem), problem.where, _wherever(decision, problem))
        for problem in assessment.problems
    ]
    for index in assessment.unmet:
        requirement, answer = decision.requirements[index], assessment.answers[index]
        what = tr("{group}: {what}", group=_called(requirement), what=assessments.why(answer.why, kind=answer.kind))
        lines.append(_line(requirement.step, what, f"$.requirements[{index}]"))
    if assessment.inside is False and not decision.exception_reason:
        lines.append(_line("decision", assessments.position(assessment), "$.exception_reason"))
    once: dict[tuple[str, str], Line] = {}  # a question, with the first of the fields that follow from it
    for line in lines:
        once.setdefault((line.words, line.where if line.alike else ""), line)
    return tuple(once.values())


def _line(step: str, what: str, where: str, alike: str = "") -> Line:
    called = texts.word("step", step)
    general = tr("{step}: {what}", step=called, what=alike) if alike else ""
    return Line(tr("{step}: {what}", step=called, what=" ".join(what.splitlines())), where, step, general)


def _wherever(decision: Decision, problem: Reason) -> str:
    """Return what the open field of a table is called, whichever table it is; "" of anything else."""
    table, _, field = problem.where.partition("].")
    part = next(iter(decision.release.parts), None)
    if problem.key != "unanswered" or not table.startswith("$.release.parts[") or part is None:
        return ""
    return field_label((type(part),), field)


def words(decision: Decision, problem: Reason) -> str:
    """Return a problem in words: the label of the open field, with its requirement if several; or what is wrong."""
    if problem.key == "not_acknowledged":
        sentence = privacy_words.assumption(decision, str(problem.values["assumption"]))
        return tr("Is this true? {sentence}", sentence=sentence)
    if problem.key != "unanswered":
        return texts.format_text("problem", problem.key, problem.values)
    steps = edits.steps(problem.where)
    question = question_of(decision, problem.where)
    if question is not None:
        return question_title(question)
    if problem.where == "$.justification":
        return tr("Why is this right? In your own words")
    label = field_label((Decision,), problem.where, decision)
    of_one = steps[0] == "requirements" and len(steps) > 2 and len(decision.requirements) != 1
    if not of_one or not isinstance(steps[1], int):
        return label
    return tr("{group}: {what}", group=_called(decision.requirements[steps[1]]), what=label)


def _called(requirement: Requirement) -> str:
    return requirement.name or texts.word("kind", requirement.kind)


class ReviewPage(Page):
    """Is this the record you want to sign?"""

    key = "review"

    def build_questions(self) -> Iterator[None]:
        self.questions = added(self.questions_column, ReviewQuestions(self.session))
        self.questions.lead.connect(self.lead)
        self.missing = added(self.questions_column, Missing())
        self.missing.asked.connect(self.lead)
        yield
        self._signing()
        yield
        self._parts_of_the_record()
        self.pages = added(self.meaning_column, preview.Pages(sizes=False))
        self.pages.turned.connect(lambda page: self.tabs.button(self._tab_of(page)).setChecked(True))
        self.pages.rendered.connect(lambda: self._turn_to(self.tabs.checkedId()))
        self._pages_of: tuple[Decision, str] | None = None  # and the SHA-256 of the record that holds it

    def _signing(self) -> None:
        """Make what signs: who signed is said with the questions, and its files and policy with the details."""
        self._lines: tuple[Line, ...] | None = None  # what the decision lacks
        self.policy = PolicyCard(self.host.settings)
        self.policy.changed.connect(lambda: self._list_missing())
        self.sign_form = SignForm(self.session, self.policy, self.host.settings)
        self.sign_form.lead.connect(lambda where: self.lead.emit(where, ""))
        self.sign_form.signed_so.connect(lambda signed: self._show_signed(signed))
        self.policy.setParent(self._holder)  # its place is among the details
        self.questions_column.addWidget(self.sign_form)

    def _show_signed(self, signed: bool) -> None:
        """Show the record itself where one holds the decision as it stands, and whether it is approved."""
        self.missing.show_signed(signed)
        self.leads = self.sign_form.status == "approved"  # nobody need sign any more
        self.session.set_status(self.sign_form.status)
        if self.state is not None:
            self.show_questions(self.state)

    def _parts_of_the_record(self) -> None:
        """Offer the pages of those who sign, the annex and the notice, each as a tab above the pages."""
        row = added(self.meaning_column, SideBySide(0))
        self.tabs = QButtonGroup(self)
        for tab, title in enumerate((tr("Page 1"), tr("Page 2"), tr("Technical annex"), tr("Public notice"))):
            button = named(QPushButton(title), "tab")
            button.setCheckable(True)
            button.setChecked(tab == 0)
            self.tabs.addButton(button, tab)
            row.box.addWidget(button)
        self.tabs.idClicked.connect(self._turn_to)
        row.box.addStretch(1)
        self.larger_button = button_for(tr("Larger"), lambda: self.show_larger(), "small")
        row.box.addWidget(self.larger_button)

    def _tab_of(self, page: int) -> int:
        """Return the tab of PAGE, counted from 0: the annex has all from the third, the notice the last."""
        return NOTICE if page == len(self.pages.pages) - 1 else min(page, ANNEX)

    def _turn_to(self, tab: int) -> None:
        """Show the first page of TAB, unless one of its pages is shown."""
        first = len(self.pages.pages) - 1 if tab == NOTICE else tab
        if self._tab_of(self.pages.index) != tab:
            self.pages.turn(first - self.pages.index)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.questions_built:  # as high as the window allows, with the head of the technical details below
            around = 4 * theme.GROUP + self.tabs.button(0).sizeHint().height() + self.technical.head.minimumHeight()
            self.pages.setFixedHeight(max(PREVIEW, self.viewport().height() - around))

    def show_larger(self) -> None:
        """Show the whole record as it will be printed, in a window."""
        self.preview = PreviewDialog(self.prepared(self.session.decision), self.sign_form.moment(), self)
        open_once(self.preview)

    def show_questions(self, state: State) -> None:
        self.questions.show_decision(state.decision)
        if state.solved is not None:
            decision, assessment = state.solved.decision, state.solved.assessment
            self.sign_form.assessed = decision, assessment
            self._lines = still_missing(decision, assessment)
            chosen = range_of(assessment).chosen
            self.sign_form.chosen = "" if chosen is None else chosen.text
            self.policy.show_decision(decision, assessment.inside)
            self._list_missing()
            if state.freshness == "fresh" and self.isVisible():
                self._typeset(state.decision)
        if state.solved is None or state.freshness == "stale":
            self.missing.title.setText(tr("Recalculating every requirement …"))
            if not self.pages.pages:
                self.pages.page.setText(self.missing.title.text())

    def _list_missing(self) -> None:
        """List what the decision lacks, and what the office's policy asks for and is not fulfilled."""
        if self._lines is not None:
            demands = (Line(words, where, "") for words, where in self.policy.demands)
            lines = (*(line for line in self._lines if line.where != "$.outcome"), *demands)
            self.missing.show_lines(lines)
            self.sign_form.missing = tuple(line.words for line in lines)

    def _typeset(self, decision: Decision) -> None:
        """Have the pages of DECISION set behind the window; not after each edit of the many technical details."""
        places = self.sign_form.places
        lying = places.standing.lying if places.standing.kind == "further" else None
        of = (decision, lying.sha256 if lying is not None else "")
        if self.technical.is_open and not self.pages.pages:
            self.pages.page.setText(tr("Close the technical details to see the pages here."))
        elif of != self._pages_of and not self.technical.is_open:
            self._pages_of, made = of, lying.made if lying is not None else None
            make = partial(preview.typeset_with_notice, self.prepared(decision), self.sign_form.moment(), made)
            self.pages.set_pages(make, preview.about(signed=made is not None), notice=True)

    def _turn_technical(self, opened: bool) -> None:
        super()._turn_technical(opened)
        if self.state is not None:
            self.show_questions(self.state)  # the pages are set while the details are folded

    def unfinished(self) -> tuple[str, ...]:
        return self.missing.words

    def finish(self) -> None:
        """Begin to sign: a decision is approved, and looked at again in a year, unless somebody said otherwise."""
        self.sign_form.when_looked(self._sign)

    def _sign(self) -> None:
        if self.sign_form.places.standing.kind != "further":  # what somebody signed stays as it is
            self.session.edit(tr("Propose the decision"), self.prepared(self.session.decision))
        self.sign_form.open()

    def prepared(self, decision: Decision) -> Decision:
        """Return DECISION as it is signed unless somebody says otherwise."""
        return with_defaults(self.sign_form.prepared(decision))

    def reach_question(self, where: str) -> bool:
        field = self.questions.field_of(where) if not self.technical.is_open else None
        if field is not None:
            field.setFocus(Qt.FocusReason.OtherFocusReason)
        return field is not None

    def reset_questions(self) -> None:
        self.questions.forget_problems()

    def technical_summary(self, state: State) -> str:
        return tr("law, alternatives, advice, office’s policy, public version, export")

    def build(self) -> Iterator[None]:
        outcome = Card(tr("Outcome"))
        self.add_form(outcome, Form(self.session, "$", Decision, ("outcome", "language", "paper")))
        self.fields.addWidget(outcome)
        self.blocks: dict[str, Fold] = {}
        self.fields.addWidget(Prose(tr("Page one lists empty fields as “not assessed”."), "caption"))
        for key in (*BLOCKS, LETTERHEAD, MARKS):
            yield
            card = Fold(block_title(key), partial(self._fill, key))
            self.blocks[key] = card
            self.fields.addWidget(card)
        yield
        self._record()
        yield
        self.beside.addWidget(self.policy)
        self.withheld: Withheld | None = None
        self.letterhead: LetterheadForm | None = None

    def _fill(self, key: str, column: QVBoxLayout) -> None:
        """Make the content of the block KEY; it is opened for the first time."""
        if key == MARKS:
            self.withheld = added(column, Withheld(self.session))
            return
        if key == LETTERHEAD:
            self.letterhead = added(column, LetterheadForm(self.session))
            self.forms.append(self.letterhead.form)
            return
        form = Form(self.session, "$.details", Details, BLOCKS[key])
        self.forms.append(form)
        column.addWidget(form)
        if key == "replaced":
            column.addWidget(Superseded(self.session))

    def _record(self) -> None:
        self.summary = Card(tr("The record"))
        self.summary_title = Prose("", "title")
        self.summary_epsilon = named(QLabel("–"), "number")
        self.summary_words = Prose()
        self.meaning = protection.MeaningReader(self)
        self.meaning.meaning_read.connect(self._say_meant)
        self.meaning.late.connect(Veil(self.summary, self.colours).cover)
        fill(self.summary.column, self.summary_title, self.summary_epsilon, self.summary_words)
        self.export_button = button_for(tr("Export …"), lambda: self.show_export())
        self.export_button.setToolTip(tr("Registry entry, release code, web page, table"))
        self.summary.column.addSpacing(theme.TIGHT)
        self.summary.column.addWidget(self.export_button, alignment=Qt.AlignmentFlag.AlignLeft)
        self.beside.addWidget(self.summary)

    # --------------------------------------------------------------------------------- shown

    def enter(self) -> None:
        super().enter()
        self.policy.offer()
        self.sign_form.refresh()

    def leave(self) -> None:
        self.missing.fold()
        self._lines = self._pages_of = None
        self.pages.clear()
        self.sign_form.leave()
        if self.technical_built and self.letterhead is not None:
            self.letterhead.leave()

    def show_fields(self, decision: Decision) -> None:
        super().show_fields(decision)
        for key, names in BLOCKS.items():
            answered = sum(getattr(decision.details, name) not in (None, ()) for name in names)
            text = tr("{answered} of {all}", answered=answered, all=len(names))
            self.blocks[key].say(text if answered else tr("not assessed"))
        name = decision.letterhead.name if decision.letterhead is not None else tr("no letterhead")
        self.blocks[LETTERHEAD].say(name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…")
        if self.letterhead is not None:
            self.letterhead.refresh()
        count = len(decision.withheld)
        self.blocks[MARKS].say(tr("{n} item", "{n} items", n=count) if count else tr("nothing"))
        if self.withheld is not None:
            self.withheld.refresh()

    def show_answers(self, solved: SolvedDecision) -> None:
        self.summary_title.say(solved.decision.title or tr("No title yet"))
        chosen = self.sign_form.chosen
        self.summary_epsilon.setText(tr("{budget} {epsilon}", epsilon=chosen) if chosen else "–")
        self.meaning.read(solved)

    def _say_meant(self, solved: SolvedDecision, found: protection.ChoiceMeaning) -> None:
        """Say the newest answer in the words of the record, once what its choice means is found."""
        lines = [
            assessments.window(solved.assessment),
            assessments.position(solved.assessment),
            *persons.violations(solved.decision, solved.assessment, most=persons.MOST_BROKEN),
        ]
        self.summary_words.say("\n".join(line for line in dict.fromkeys((*lines, *found.meaning)) if line))

    def reach_field(self, where: str) -> bool:
        if where == PolicyCard.WHERE:
            self.policy.row.setFocus()
            return True
        field = re.match(r"\$\.details\.(\w+)", where)
        for key, names in BLOCKS.items():
            if field is not None and field[1] in names:
                self.blocks[key].open()
        if where.startswith("$.letterhead"):
            self.blocks[LETTERHEAD].open()
        if where.startswith("$.withheld"):
            self.blocks[MARKS].open()
            self.blocks[MARKS].head.setFocus()
            return True
        return super().reach_field(where)

    # ------------------------------------------------------------------------------- dialogs

    def show_export(self) -> None:
        """Show what the signed record says for other places."""
        self.exports = ExportDialog(self.session.record, self, own=self.sign_form.last_fingerprint)
        self.exports.lead.connect(lambda where: self.lead.emit(where, ""))
        open_once(self.exports)
