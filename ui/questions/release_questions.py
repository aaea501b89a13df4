"""The seven questions about what will be published, as sentences with blanks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, Signal

from dpwizard.base.errors import DPWizardError
from dpwizard.decision import Acknowledgement, Decision, derived_fields, edits
from dpwizard.questions import sums
from dpwizard.sheets import problem_in_words
from dpwizard.wording import plain_sentences, plain_words, whole, word
from ui.forms import acknowledgement
from ui.questions.blanks import Blank, NumberBlank, NumberedQuestion, Refusal, between
from ui.questions.divisions import Divisions
from ui.session import DocumentSession
from ui.widgets import Card, InlineLink, theme, tr

PERSON, REVEALS, AMOUNT, COUNT = 120, 216, 84, 46  # pixels of the blanks
# whether an answer accepts the assumption that it is about, or refuses it; any other leaves it open
STATES: Mapping[str, str] = {
    **dict.fromkeys(("whole", "one", "nothing"), "accepted"),
    **dict.fromkeys(("decimals", "up_to", "something"), "refused"),
}


class ReleaseQuestions(Card):
    """Asks what will be published; what follows for the mathematics is derived from the answers."""

    details_asked = Signal(str)  # a path in the technical details
    lead = Signal(str, str)  # a path on the page of a step
    judged = Signal()  # typed text was accepted or refused

    def __init__(self, session: DocumentSession) -> None:
        super().__init__()
        self.session = session
        self.column.setSpacing(theme.NEAR + theme.TIGHT)
        self.divisions = Divisions(3, session, self._answer)
        self.another = InlineLink(tr("Another division, several tables, or a list to import …"))
        self.another.clicked.connect(self._show_another)
        self.divisions.foot.box.insertWidget(0, self.another)
        self.counted, self.how_often, self.public = self._counted(), self._how_often(), self._public()
        self.questions: dict[str, NumberedQuestion] = {
            "title": self._title(),
            "each_number": self._each_number(),
            "divisions": self.divisions,
            "who": self._who(),
            "counted": self.counted,
            "how_often": self.how_often,
            "public": self.public,
        }
        for question in self.questions.values():
            self.column.addWidget(question)
            for blank in question.blanks:
                blank.textEdited.connect(lambda _: self.judged.emit())

    # -------------------------------------------------------------------------------- the questions

    def _question(self, number: int, key: str, hint: str = "") -> NumberedQuestion:
        return NumberedQuestion(self.session, number, question_title(key), hint)

    def _title(self) -> NumberedQuestion:
        question = self._question(1, "title")
        name = question.accessibleName()
        self.name = Blank(self.session, "plain.title", name, 0, lambda decision: decision.title or "", self._put_title)
        question.answers.addWidget(self.name)
        question.watch(self.name)
        return question

    def _put_title(self, words: str) -> Refusal:
        problem = self.session.put(tr("Set the name"), "$.title", words or None, merge="plain.title")
        return "" if problem is None else problem_in_words(problem)

    def _each_number(self) -> NumberedQuestion:
        question = self._question(2, "each_number")
        kinds = {
            "people": tr("how many people"),
            "sum": tr("a sum of amounts"),
            "average": tr("an average"),
            "other": tr("other"),
        }
        self.kind = question.choices(kinds, self._choose_kind)
        low = self._number("lowest", tr("Smallest amount"))
        high = self._number("highest", tr("Largest amount"))
        rules = between(tr("by the rules, not the data"))
        self.bounds_row = question.row(between(tr("each between")), low, between(tr("and")), high, rules)
        people = self._number("population", tr("How many people the average is of"))
        self.averaged = between("")
        self.people_row = question.row(self.averaged, people, between(tr("people or more, a number that is public")))
        amounts = {"whole": tr("whole amounts"), "decimals": tr("with decimals"), "unknown": tr("I do not know")}
        self.amounts = question.choices(
            amounts,
            lambda key: self._vouch(tr("Set the amounts"), derived_fields.WHOLE_AMOUNTS, key),
            tr("Is every amount a whole number?"),
        )
        return question

    def _choose_kind(self, key: str) -> Refusal:
        refusal = self._answer(tr("Set what each number is"), {"each_number": key})
        if key == "other" and not refusal:
            self.details_asked.emit("$.release.statistic")
        return refusal

    def _show_another(self) -> None:
        """Show another division if all are filled in, else the tables in the technical details."""
        divisions = self.session.decision.release.divisions
        if len(divisions) >= len(self.divisions.rows) and not any(division.missing() for division in divisions):
            self.divisions.show_another()
        else:
            self.details_asked.emit("$.release.parts")

    def _who(self) -> NumberedQuestion:
        question = self._question(4, "who")
        self.person = self._text("person_word", tr("What one person is called"), PERSON)
        self.reveals = self._text("reveals", tr("What is true of those counted"), REVEALS)
        self.article = between(tr("A"))
        question.row(self.article, self.person, between(tr("is counted who")), self.reveals)
        return question

    def _counted(self) -> NumberedQuestion:
        question = self._question(5, "counted")
        counts = {"one": tr("in one at most"), "up_to": tr("in up to"), "unknown": tr("I do not know")}
        self.counts = question.choices(counts, self._choose_counted)
        self.most = NumberBlank(
            *(self.session, "plain.contributions", tr("In up to how many"), COUNT, _most, self._put_most),
            lambda: tr("Enter 2 or more, or choose “in one at most”."),
        )
        self.counts.box.insertWidget(2, self.most, alignment=Qt.AlignmentFlag.AlignLeft)
        question.watch(self.most)
        return question

    def _choose_counted(self, key: str) -> Refusal:
        refusal = self._vouch(tr("Set how often one is counted"), derived_fields.COUNTS_ONCE, key)
        if key == "up_to" and not refusal:
            self.most.reach()
        return refusal

    def _put_most(self, number: float | None) -> Refusal:
        name, answers = tr("Set how often one is counted"), {"contributions": number or 1}
        return self._vouch(name, derived_fields.COUNTS_ONCE, "up_to", answers, "contributions")

    def _how_often(self) -> NumberedQuestion:
        question = self._question(6, "how_often")
        often = {
            "once": tr("once"),
            "every_year": tr("every year"),
            "more_often": tr("more often"),
            "unknown": tr("I do not know"),
        }
        self.often = question.choices(often, self._choose_often)
        self.times = NumberBlank(
            *(self.session, "plain.repetitions", tr("How many times in all"), COUNT, _times, self._put_times),
            lambda: tr("Enter 2 or more, or choose “once”."),
        )
        self.times_row = question.row(self.times, between(tr("times in all, about the same people")))
        return question

    def _choose_often(self, key: str) -> Refusal:
        """Answer; "I do not know" means once, on the condition that a second time needs a new decision."""
        condition = tr("A second time needs a new decision.")
        lines = (self.session.decision.details.conditions or "").splitlines()
        lines = [line for line in lines if line != condition] + ([condition] if key == "unknown" else [])
        others = {"$.details.conditions": "\n".join(lines) or None}
        refusal = self._answer(tr("Set how often"), {"how_often": key}, others=others)
        if key in derived_fields.REPEATED and not refusal:
            self.times.reach()
        return refusal

    def _put_times(self, number: float | None) -> Refusal:
        return self._answer(tr("Set how often"), {"repetitions": number or 1}, "repetitions")

    def _public(self) -> NumberedQuestion:
        question = self._question(7, "public", tr("a total, an earlier table"))
        known = {"nothing": tr("nothing"), "something": tr("something …"), "unknown": tr("I do not know")}
        self.known = question.choices(known, self._choose_public)
        return question

    def _choose_public(self, key: str) -> Refusal:
        if key != "something" and derived_fields.is_published_before(self.session.decision):
            return tr("Step 4 or the technical details name something public. Remove it there first.")
        refusal = self._vouch(tr("Set what is public"), derived_fields.NOTHING_ELSE, key)
        if key == "something" and not refusal:
            self.lead.emit("$.release.spent", "budget")
        return refusal

    def _text(self, field: str, name: str, width: int) -> Blank:
        def read(decision: Decision) -> str:
            return getattr(decision.release, field) or ""

        def put(words: str) -> Refusal:
            return self._answer(tr("Set {field}", field=name.lower()), {field: words or None}, field)

        return Blank(self.session, f"plain.{field}", name, width, read, put)

    def _number(self, field: str, name: str) -> Blank:
        def read(decision: Decision) -> float | None:
            number: float | None = getattr(decision.release, field)
            return number

        def put(number: float | None) -> Refusal:
            return self._answer(tr("Set {field}", field=name.lower()), {field: number}, field)

        return NumberBlank(self.session, f"plain.{field}", name, AMOUNT, read, put)

    # ------------------------------------------------------------------------------------- answers

    def _vouch(
        self, name: str, assumption: str, key: str, answers: Mapping[str, Any] | None = None, merge: str = ""
    ) -> Refusal:
        """Answer the ASSUMPTION that the answer KEY is about, and ANSWERS with it."""
        given = acknowledgement(assumption, word("assumption", assumption), state=STATES.get(key, "open"))
        return self._answer(name, answers or {}, merge, acknowledged={assumption: given})

    def _answer(
        self,
        name: str,
        answers: Mapping[str, Any],
        merge: str = "",
        *,
        acknowledged: Mapping[str, Acknowledgement | None] | None = None,
        others: Mapping[str, Any] | None = None,
    ) -> Refusal:
        """Answer, as an edit called NAME, and derive the technical fields; return why the answer is refused.

        OTHERS: further values to set, by path.
        """
        try:
            decision = derived_fields.answer_plainly(self.session.decision, answers, acknowledged)
            for where, value in (others or {}).items():
                decision = edits.put(decision, where, value)
        except DPWizardError as problem:
            return problem_in_words(problem)
        derivation = sums.derivation(decision)
        if derivation is not None and decision.release.derivation is None:
            decision = edits.put(decision, "$.release.derivation", derivation)
        self.session.edit(name, decision, f"plain.{merge}" if merge else None)
        return ""

    # ------------------------------------------------------------------------------------- showing

    def show_decision(self, decision: Decision) -> None:
        """Show the answers of DECISION, with its words for people."""
        release, person = decision.release, plain_sentences.person(decision.release)
        self.kind.show_key(derived_fields.each_number(decision))
        self.bounds_row.setVisible(release.each_number in ("sum", "average"))
        self.people_row.setVisible(release.each_number == "average")
        self.amounts.setVisible(release.each_number == "sum")
        state = decision.answer_to(derived_fields.WHOLE_AMOUNTS)
        amounts = {"refused": "decimals", "open": "unknown"}
        self.amounts.show_key(None if state is None else amounts.get(state.state or "", "whole"))
        self.counts.show_key(derived_fields.counted(decision))
        self.often.show_key(release.how_often)
        self.times_row.setVisible(release.how_often in derived_fields.REPEATED)
        self.known.show_key(derived_fields.public(decision))
        self._call(release.dimension, person)
        # where "I do not know" leads
        keeps = tr("Your statistician keeps one entry of each {person}. The code does it.", person=person)
        self.counted.show_note(keeps if derived_fields.counted(decision) == "unknown" else "")
        once = tr("Once, then. A second time needs a new decision: the record states this as a condition.")
        self.how_often.show_note(once if release.how_often == "unknown" else "")
        self.divisions.show_decision(decision)
        hand = derived_fields.by_hand(decision)
        for key, question in self.questions.items():
            question.refresh()
            question.show_by_hand(tr("set by hand") if hand.intersection(derived_fields.FOLLOWS[key]) else "")

    def _call(self, count: int, person: str) -> None:
        """Put the questions for COUNT numbers, in the officer's word for a PERSON."""
        if count > 1:
            many = whole(count)
            text = tr("In how many of the {count} numbers can one {person} be counted?", count=many, person=person)
        else:
            text = tr("How often can one {person} be counted in it?", person=person)
        self.counted.call(text)
        self.counts.call("one", tr("in one at most") if count > 1 else tr("once at most"))
        self.counts.call("up_to", tr("in up to") if count > 1 else tr("up to"))
        self.averaged.setText(tr("each average of") if count > 1 else tr("of"))
        self.article.setText(tr("An") if plain_words.with_article(person).startswith("an ") else tr("A"))
        self.public.call(tr("What is public already about the same {people}?", people=plain_words.plural(person)))

    def forget_problems(self) -> None:
        """Show the values in the decision, and no problem."""
        for question in self.questions.values():
            question.forget_problems()

    def reach(self, question: str) -> bool:
        """Give the keyboard to the question with the key QUESTION, if there is one."""
        numbered = self.questions.get(question)
        if numbered is None:
            return False
        options = {"each_number": self.kind, "counted": self.counts, "how_often": self.often, "public": self.known}
        if question in options and not any(blank.isVisible() and blank.problem for blank in numbered.blanks):
            options[question].reach()
        else:
            numbered.reach()
        return True


def _most(decision: Decision) -> int | None:
    return derived_fields.most_counts(decision) if derived_fields.counted(decision) == "up_to" else None


def _times(decision: Decision) -> int | None:
    return decision.release.repetitions if decision.release.repetitions > 1 else None


def question_title(question: str) -> str:
    """Return a plain question of the first step, by its key."""
    return {
        "title": tr("Name of the publication"),
        "each_number": tr("What does each number say?"),
        "divisions": tr("How are the numbers divided?"),
        "who": tr("Who is counted, and what does being counted give away?"),
        "counted": tr("In how many of the numbers can one person be counted?"),
        "how_often": tr("How often will you publish it?"),
        "public": tr("What is public already about the same people?"),
    }[question]
