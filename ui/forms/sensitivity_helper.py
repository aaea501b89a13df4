"""The helper that works out a sensitivity: questions about one person's rows, a sentence, a button to use it."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from dpwizard.base.errors import DPWizardError
from dpwizard.base.values import NUMBER_LIMIT, Effects
from dpwizard.decision import Derivation, Release, TableFields, derive, edits, figures, usual_effect
from dpwizard.privacy.mechanisms import MechanismSet, mechanisms_named
from dpwizard.wording import texts, written
from ui.controls import Prose
from ui.forms.choice_editors import ChoiceEditor, YesNoEditor
from ui.forms.editor import Editor
from ui.forms.number_editors import NumberEditor
from ui.forms.text_editors import TextEditor
from ui.session import DocumentSession
from ui.widgets import Card, FieldGrid, added, tr, unmnemonic

BOUNDED = ("sum", "mean", "vector")
SUMMED = ("sum", "mean")
PAIR = ("low", "high")
LETTERS = 80  # of the name of an amount
WHOLE = "$.release"


class SensitivityHelper(Card):
    """Asks what the statistic needs, says what follows, fills the field when asked. What is typed here is not saved."""

    def __init__(self, session: DocumentSession) -> None:
        super().__init__(tr("Calculate the sensitivity"))
        self.session = session
        self.answers: dict[str, Any] = {}
        self.derivation: Derivation | None = None
        about = tr("How much can one person or thing change the figures? Answer from the rules, not the data.")
        self.about = added(self.column, Prose(about, "caption"))
        self.target = ChoiceEditor(tr("Calculate for"), "", (), optional=False)
        self.target.edited.connect(lambda _key, _: self.refresh())
        self.column.addWidget(self.target)
        self.amount = TextEditor(tr("What is added up or averaged"), tr("In a word or two, for instance: income"))
        self.amount.setObjectName("helper.amount")
        self.amount.line.setMaxLength(LETTERS)
        self.amount.explain(tr("Guesses of it are then limited. Also enter how much one value changes the figure."))
        self.amount.edited.connect(lambda raw, _: self._answer("amount", raw))
        self.column.addWidget(self.amount)
        self.editors: dict[str, Editor] = {
            "low": NumberEditor(tr("Smallest value of a row")),
            "high": NumberEditor(tr("Largest value of a row")),
            "step": NumberEditor(tr("Every value is a multiple of")),
            "records": NumberEditor(tr("Number of rows, public and fixed"), unit=tr("rows"), whole=True),
            "per_cell": NumberEditor(tr("Most of these rows in one cell"), unit=tr("rows"), whole=True),
            "touched": NumberEditor(tr("Numbers that one row changes"), unit=tr("numbers"), whole=True),
        }
        clamped = tr("Values are clamped to it before anything is computed. Choose it without looking at the data.")
        explained = {
            "low": clamped,
            "high": clamped,
            "records": tr("Only if this number is published anyway and one person or thing does not change it."),
            "per_cell": tr("Leave it empty if all rows of one person or thing can be in the same cell."),
            "touched": tr("Leave it empty if a row changes every number."),
            "step": tr("Noise in whole steps hides whole numbers only. A fraction would be published."),
        }
        for name, words in explained.items():
            self.editors[name].explain(words)
        self.exactly = YesNoEditor(tr("Every person or thing has exactly that many rows"))
        text = tr("Otherwise replacing the values can also add or remove rows, and the figure is larger.")
        self.exactly.explain(text)
        grid = FieldGrid()
        for name, editor in self.editors.items():
            editor.setObjectName(f"helper.{name}")
            editor.edited.connect(lambda raw, _, name=name: self._answer(name, raw))
            editor.settled.connect(lambda name=name: self._tidy(name))
            if name in PAIR:
                grid.add(editor)
        self.column.addWidget(grid)
        for name, editor in self.editors.items():
            if name not in PAIR:  # one of them alone is asked at a time
                self.column.addWidget(editor)
        self.exactly.setObjectName("helper.rows")
        self.exactly.edited.connect(lambda raw, _: self._answer("rows", "exactly" if raw else "at_most"))
        self.column.addWidget(self.exactly)
        self.says = added(self.column, Prose())
        self.use = QPushButton()
        self.use.clicked.connect(self._use)
        self.column.addWidget(self.use, alignment=Qt.AlignmentFlag.AlignLeft)
        self.split = QPushButton(unmnemonic(tr("Publish the sum and the count")))
        self.split.setAccessibleName(tr("Publish the sum and the count as two tables"))
        self.split.clicked.connect(self._split)
        self.column.addWidget(self.split, alignment=Qt.AlignmentFlag.AlignLeft)
        self.clamp = added(self.column, Prose(texts.word("sensitivity", "clamp"), "caption"))
        self.refresh()

    # ------------------------------------------------------------------------------- what is asked

    @property
    def where(self) -> str:
        """Return the path of what the sensitivity is worked out for: the release, or one of its parts."""
        return self.target.box.currentData() or WHOLE

    def subject(self) -> TableFields:
        """Return the release or the part that is spoken of."""
        subject: TableFields = edits.get(self.session.decision, self.where) or self.session.decision.release
        return subject

    def _answer(self, name: str, raw: Any) -> None:
        self.answers[name] = raw
        self.refresh()

    def _tidy(self, name: str) -> None:
        """Write a number as it is used into its field, which was left; what is none stays, in red."""
        if not self.editors[name].problem.text():
            self.editors[name].rewrite(self.answers.get(name))

    def refresh(self) -> None:
        """Ask what the statistic needs, and say what follows from the answers there are."""
        release = self.session.decision.release
        offered = [
            (t.place, t.name or (tr("The whole release") if t.whole else tr("Table {number}", number=i + 1)))
            for i, t in enumerate(release.tables)
        ]
        box = self.target.box
        if box.entries != offered:
            kept = box.currentData()
            box.offer(offered)
            self.target.show_value(kept)
        self.target.setVisible(len(offered) > 1)
        subject = self.subject()
        statistic = subject.statistic
        self.editors["low"].setVisible(statistic in BOUNDED)
        self.editors["high"].setVisible(statistic in BOUNDED)
        self.editors["records"].setVisible(statistic == "mean" and release.neighbours == "replace")
        self.editors["per_cell"].setVisible(statistic == "histogram" and _rows(release, subject) > 1)
        self.editors["touched"].setVisible(statistic == "vector" and subject.dimension > 1)
        self.editors["step"].setVisible(statistic == "sum" and self._noise(subject).integer_valued)
        self.exactly.setVisible(statistic in ("sum", "vector") and release.neighbours == "replace")
        self.clamp.setVisible(statistic in BOUNDED)
        self.amount.setVisible(self._sums and (statistic == "sum" or release.neighbours == "replace"))
        self._work_out(release, subject)

    def arguments(self, release: Release, subject: TableFields) -> dict[str, Any]:
        """Return what the derivation is called with: the answers of the release, and those asked for here."""
        asked = {name for name, editor in {**self.editors, "rows": self.exactly}.items() if not editor.isHidden()}
        given = {name: value for name, value in self.answers.items() if name in asked - {"step"} and value is not None}
        return {
            "statistic": subject.statistic,
            "neighbours": release.neighbours,
            "contributions": _rows(release, subject),
            "dimension": subject.dimension,
            **given,
        }

    def _work_out(self, release: Release, subject: TableFields) -> None:
        self.derivation = None
        self.split.hide()
        for editor in self.editors.values():
            editor.show_problem("")
        step = self.answers.get("step")
        if step is not None and not (isinstance(step, int | float) and 0.0 < step < NUMBER_LIMIT):
            self.editors["step"].show_problem(tr("This must be a number above 0."))
        words = ""
        if subject.statistic is None or release.neighbours is None:
            words = tr("First enter what is published and how neighbouring datasets differ.")
        elif subject.statistic == "mean" and release.neighbours == "add_remove":
            words = texts.word("sensitivity", "mean_of_unknown_number")
            self.split.setVisible(release.tables[0].whole)
        else:
            arguments = self.arguments(release, subject)
            try:
                self.derivation = derive(**arguments)
                words = self.sentence(self.derivation, release, subject)
            except DPWizardError as problem:
                asked = self.editors.get(problem.where)
                if asked is not None and self.answers.get(problem.where) is not None:
                    asked.show_problem(asked.problem_in_words(problem, self.answers[problem.where]))
                words = tr("Not calculated yet: answer the questions above.")
                if problem.where == "dimension":  # no question of this card: the answer stands in another one
                    words = tr("Numbers published: {problem}. {remedy}", problem=problem.text, remedy=problem.remedy)
        self.says.say(words, strong=())
        self.use.setVisible(self.derivation is not None)
        if self.derivation is not None:
            figure = written(self._typed_sensitivity(self.derivation), "figure_up")
            self.use.setText(unmnemonic(tr("Use {figure} as the sensitivity", figure=figure)))
            self.use.setAccessibleName(self.use.text())
            self.use.setEnabled(self._changed(self.derivation, subject))

    def sentence(self, derivation: Derivation, release: Release, subject: TableFields) -> str:
        """Return the derivation in words: the rule with its figures, the distance if it counts, the other relation."""
        numbers = {name: self.arguments(release, subject).get(name) for name in ("low", "high", "records", "touched")}
        values = figures(derivation, contributions=_rows(release, subject), dimension=subject.dimension, **numbers)
        sentences = [texts.format_text("sensitivity", derivation.rule, values)]
        if self._noise(subject).uses_l2:
            sentences.append(texts.format_text("sensitivity", "l2", {"l2": derivation.l2}))
        other = self._other(derivation, subject)
        if other is not None:
            key = "other_replace" if release.neighbours == "add_remove" else "other_add_remove"
            sentences.append(texts.format_text("sensitivity", key, {"other": other}))
        return " ".join(sentences)

    def _noise(self, subject: TableFields) -> MechanismSet:
        return mechanisms_named((subject.mechanism or self.session.decision.release.mechanism,))

    def _step(self, subject: TableFields) -> float | None:
        """Return the step to be written down: the one answered here, or what the release says already."""
        answered = None if self.editors["step"].isHidden() else self.answers.get("step")
        return float(answered) if isinstance(answered, int | float) and 0.0 < answered < NUMBER_LIMIT else subject.step

    def _other(self, derivation: Derivation, subject: TableFields) -> float | None:
        return derivation.l2_other if self._noise(subject).uses_l2 else derivation.l1_other

    def _changed(self, derivation: Derivation, subject: TableFields) -> bool:
        """Return whether using DERIVATION would change anything."""
        stated = (subject.sensitivity, subject.sensitivity_other, subject.step, subject.effects)
        return stated != (
            self._typed_sensitivity(derivation),
            self._other(derivation, subject),
            self._step(subject),
            self._effects(subject),
        )

    @property
    def _sums(self) -> bool:
        """Return whether it is worked out for the one number that a release adds up or averages."""
        table = self.session.decision.release.tables[0]
        return self.where == WHOLE and table.whole and table.dimension == 1 and table.statistic in SUMMED

    def _effects(self, subject: TableFields) -> Effects | None:
        """Return the effects to be written down: those there are, and that of the amount named here."""
        decision, name = self.session.decision, self.answers.get("amount")
        if not name or self.amount.isHidden():
            return subject.effects
        if subject.statistic == "mean":  # of as many records as said here, all of them in the data
            decision = edits.put(decision, f"{WHOLE}.population", self.answers["records"])
            decision = edits.put(decision, f"{WHOLE}.sampling_fraction", 1.0)
        usual = usual_effect(decision.release)
        others = tuple((other, far) for other, far in subject.effects or () if other != name)
        return subject.effects if usual is None else (*others, (name, usual.effect))

    def _typed_sensitivity(self, derivation: Derivation) -> float:
        return derivation.l2 if self._noise(self.subject()).uses_l2 else derivation.l1

    # --------------------------------------------------------------------------------- what is done

    def _use(self) -> None:
        """Fill the fields with what was worked out under both relations, and say how it was found."""
        derivation, subject, decision = self.derivation, self.subject(), self.session.decision
        if derivation is None:
            return
        changed: dict[str, Any] = {
            "sensitivity": self._typed_sensitivity(derivation),
            "sensitivity_other": self._other(derivation, subject),
            "step": self._step(subject),
            "effects": self._effects(subject),
        }
        words = self.sentence(derivation, decision.release, subject)
        if subject is decision.release:
            changed |= {"derivation": words}
        after = edits.put(decision, self.where, subject.model_copy(update=changed))
        if subject is not decision.release:
            begins = f"{self.target.box.currentText()}: "
            others = [line for line in (after.release.derivation or "").splitlines() if not line.startswith(begins)]
            after = edits.put(after, f"{WHOLE}.derivation", "\n".join([*others, f"{begins}{words}"]))
        self.session.edit(tr("Use the calculated sensitivity"), after)

    def _split(self) -> None:
        """Turn a mean into two parts, a sum and a count, which share epsilon."""
        decision = self.session.decision
        rows = decision.release.rows
        low, high = self.answers.get("low"), self.answers.get("high")
        try:
            derivation = derive(statistic="sum", neighbours="add_remove", contributions=rows, low=low, high=high)
            known: dict[str, Any] = {"sensitivity": derivation.l1, "sensitivity_other": derivation.l1_other}
        except DPWizardError:
            known = {}  # the bounds are still to come
        count = float(rows)  # a unit's rows may all come, all go, or count for one set of values and not another
        parts = (
            {"name": tr("Sum"), "statistic": "sum", **known, "share": 0.5},
            {"name": tr("Count"), "statistic": "count", "sensitivity": count, "sensitivity_other": count, "share": 0.5},
        )
        changed = edits.put(edits.put(decision, f"{WHOLE}.statistic", "vector"), f"{WHOLE}.parts", parts)
        self.session.edit(tr("Publish the sum and the count"), changed)

    def forget(self) -> None:
        """Forget what was typed: another decision is shown."""
        self.answers = {}
        for editor in (*self.editors.values(), self.exactly, self.amount):
            editor.rewrite(None)
        self.refresh()


def _rows(release: Release, subject: TableFields) -> int:
    """Return the most rows of SUBJECT that one unit touches: its own, or those of the release."""
    return getattr(subject, "contributions", None) or release.rows
