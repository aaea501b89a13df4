"""The seven questions about what will be published, as a form whose words stand in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QDateTime, Qt, Signal

from dpwizard.base.errors import DPWizardError
from dpwizard.base.language import spoken
from dpwizard.decision import Acknowledgement, Decision, derived_fields, edits
from dpwizard.questions import sums
from dpwizard.wording import plain_sentences, plain_words, whole, word
from ui.questions.blanks import Blank, Question, between, in_a_sentence, number_of, number_text, still_used
from ui.questions.divisions import Divisions
from ui.questions.options import Options
from ui.session import DocumentSession
from ui.widgets import Card, InlineLink, theme, tr

PERSON, REVEALS, BOUND, COUNT = 120, 216, 84, 46  # pixels of the gaps


class ReleaseQuestions(Card):
    """Asks what will be published; what follows for the mathematics is derived from the answers."""

    details_asked = Signal(str)  # a path that the technical details hold
    lead = Signal(str, str)  # a path on the page of a step
    judged = Signal()  # something typed was refused, or no longer is

    def __init__(self, session: DocumentSession) -> None:
        super().__init__()
        self.session = session
        self.column.setSpacing(theme.NEAR + theme.TIGHT)
        self.title_question = self._title()
        self.each_number = self._each_number()
        self.divisions = Divisions(3, session, self._answer)
        self._more_divisions()
        self.who = self._who()
        self.counted = self._counted()
        self.how_often = self._how_often()
        self.public = self._public()
        self.questions: dict[str, Question] = {
            "title": self.title_question,
            "each_number": self.each_number,
            "divisions": self.divisions,
            "who": self.who,
            "counted": self.counted,
            "how_often": self.how_often,
            "public": self.public,
        }
        for question in self.questions.values():
            self.column.addWidget(question)
            for blank in question.blanks:
                blank.textEdited.connect(lambda _: self.judged.emit())

    # ------------------------------------------------------------------------------------- asked

    def _title(self) -> Question:
        question = Question(1, tr("Name of the publication"))
        called = tr("Name of the publication")
        self.name = Blank(
            self.session, "plain.title", called, 0, lambda decision: decision.title or "", self._put_title
        )
        question.answers.addWidget(self.name)
        question.take(self.name)
        return question

    def _put_title(self, words: str) -> str:
        problem = self.session.put(tr("Set the name"), "$.title", words or None, merge="plain.title")
        return "" if problem is None else in_a_sentence(problem)

    def _each_number(self) -> Question:
        question = Question(2, tr("What does each number say?"))
        kinds = {
            "people": tr("how many people"),
            "sum": tr("a sum of amounts"),
            "average": tr("an average"),
            "other": tr("other"),
        }
        self.kind = Options(tr("What does each number say?"), kinds)
        self.kind.chosen.connect(self._choose_kind)
        question.answers.addWidget(self.kind)
        low = self._number("lowest", tr("Smallest amount"), BOUND)
        high = self._number("highest", tr("Largest amount"), BOUND)
        rules = between(tr("by the rules, not the data"))
        self.bounds_row = question.row(between(tr("each between")), low, between(tr("and")), high, rules)
        people = self._number("population", tr("How many people the average is of"), BOUND)
        self.averaged = between("")
        self.people_row = question.row(self.averaged, people, between(tr("people or more, a number that is public")))
        amounts = {"whole": tr("whole amounts"), "decimals": tr("with decimals"), "unknown": tr("I do not know")}
        self.amounts = Options(tr("Is every amount a whole number?"), amounts)
        self.amounts.chosen.connect(self._choose_amounts)
        question.answers.addWidget(self.amounts)
        return question

    def _choose_kind(self, key: str) -> None:
        self._answer(tr("Set what each number says"), {"each_number": key})
        if key == "other":
            self.details_asked.emit("$.release.statistic")

    def _choose_amounts(self, key: str) -> None:
        state = {"whole": "accepted", "decimals": "refused"}.get(key, "open")
        self._answer(
            tr("Set the amounts"),
            {},
            acknowledged={derived_fields.WHOLE_AMOUNTS: answered(derived_fields.WHOLE_AMOUNTS, state)},
        )

    def _more_divisions(self) -> None:
        self.another = InlineLink(tr("Another division, several tables, or a list to import …"))
        self.another.clicked.connect(self._ask_for_more)
        self.divisions.foot.box.insertWidget(0, self.another)

    def _ask_for_more(self) -> None:
        """Show one more division where all that are shown are filled in; several tables stand in the details."""
        held = self.session.decision.release.divisions
        if len(held) >= len(self.divisions.slots_shown) and not any(one.missing() for one in held):
            self.divisions.one_more()
        else:
            self.details_asked.emit("$.release.parts")

    def _who(self) -> Question:
        question = Question(4, tr("Who is counted, and what does being counted give away?"))
        self.person = self._text("person_word", tr("What one person is called"), PERSON)
        self.reveals = self._text("reveals", tr("What is true of those counted"), REVEALS)
        self.article = between(tr("A"))
        question.row(self.article, self.person, between(tr("is counted who")), self.reveals)
        return question

    def _counted(self) -> Question:
        question = Question(5, tr("In how many of the numbers can one person be counted?"))
        self.counts = Options(
            question.accessibleName(),
            {"one": tr("in one at most"), "up_to": tr("in up to"), "unknown": tr("I do not know")},
        )
        self.counts.chosen.connect(self._choose_counted)
        self.most = Blank(
            self.session, "plain.contributions", tr("In up to how many"), COUNT, _most_text, self._put_most
        )
        self.counts.box.insertWidget(2, self.most, alignment=Qt.AlignmentFlag.AlignLeft)
        question.answers.addWidget(self.counts)
        question.take(self.most)
        return question

    def _choose_counted(self, key: str) -> None:
        state = {"one": "accepted", "up_to": "refused"}.get(key, "open")
        self._answer(
            tr("Set how often one is counted"),
            {},
            acknowledged={derived_fields.COUNTS_ONCE: answered(derived_fields.COUNTS_ONCE, state)},
        )
        if key == "up_to":
            self.most.reach()

    def _put_most(self, words: str) -> str:
        number, problem = number_of(words)
        most = derived_fields.most_counts(self.session.decision)
        if not problem and number is not None and number < 2:
            problem = tr("Enter 2 or more, or choose “in one at most”.")
        if problem:
            return still_used(problem, number_text(most))
        known = {derived_fields.COUNTS_ONCE: answered(derived_fields.COUNTS_ONCE, "refused")}
        return self._answer(
            tr("Set how often one is counted"), {"contributions": number or 1}, "contributions", acknowledged=known
        )

    def _how_often(self) -> Question:
        question = Question(6, tr("How often will you publish it?"))
        often = {
            "once": tr("once"),
            "every_year": tr("every year"),
            "more_often": tr("more often"),
            "unknown": tr("I do not know"),
        }
        self.often = Options(tr("How often will you publish it?"), often)
        self.often.chosen.connect(self._choose_often)
        question.answers.addWidget(self.often)
        self.times = Blank(
            self.session, "plain.repetitions", tr("How many times in all"), COUNT, _times_text, self._put_times
        )
        self.times_row = question.row(self.times, between(tr("times in all, about the same people")))
        return question

    def _choose_often(self, key: str) -> None:
        """Answer; not knowing means once, and that a second time needs a new decision becomes a condition."""
        condition = tr("A second time needs a new decision.")
        held = (self.session.decision.details.conditions or "").splitlines()
        kept = [line for line in held if line != condition] + ([condition] if key == "unknown" else [])
        self._answer(tr("Set how often"), {"how_often": key}, besides={"$.details.conditions": "\n".join(kept) or None})
        if key in derived_fields.REPEATED:
            self.times.reach()

    def _put_times(self, words: str) -> str:
        number, problem = number_of(words)
        if not problem and number is not None and number < 2:
            problem = tr("Enter 2 or more, or choose “once”.")
        if problem:
            return still_used(problem, _times_text(self.session.decision))
        return self._answer(tr("Set how often"), {"repetitions": number or 1}, "repetitions")

    def _public(self) -> Question:
        question = Question(7, tr("What is public already about the same people?"), tr("a total, an earlier table"))
        known = {"nothing": tr("nothing"), "something": tr("something …"), "unknown": tr("I do not know")}
        self.known = Options(question.accessibleName(), known)
        self.known.chosen.connect(self._choose_public)
        question.answers.addWidget(self.known)
        return question

    def _choose_public(self, key: str) -> None:
        if key != "something" and derived_fields.is_published_before(self.session.decision):
            self.known.show_key("something")
            self.public.show_problem(tr("Step 4 or the technical details name what is public. Remove it there first."))
            return
        state = {"nothing": "accepted", "something": "refused"}.get(key, "open")
        known = {derived_fields.NOTHING_ELSE: answered(derived_fields.NOTHING_ELSE, state)}
        self._answer(tr("Set what is public"), {}, acknowledged=known)
        if key == "something":
            self.lead.emit("$.release.spent", "budget")

    def _text(self, field: str, name: str, width: int) -> Blank:
        def put(words: str) -> str:
            return self._answer(tr("Set {field}", field=name.lower()), {field: words or None}, field)

        return Blank(
            self.session, f"plain.{field}", name, width, lambda decision: getattr(decision.release, field) or "", put
        )

    def _number(self, field: str, name: str, width: int) -> Blank:
        def read(decision: Decision) -> str:
            return number_text(getattr(decision.release, field))

        def put(words: str) -> str:
            number, problem = number_of(words)
            if problem:
                return still_used(problem, read(self.session.decision))
            return self._answer(tr("Set {field}", field=name.lower()), {field: number}, field)

        return Blank(self.session, f"plain.{field}", name, width, read, put)

    # ---------------------------------------------------------------------------------- answered

    def _answer(
        self,
        name: str,
        answers: Mapping[str, Any],
        merge: str = "",
        *,
        acknowledged: Mapping[str, Acknowledgement | None] | None = None,
        besides: Mapping[str, Any] | None = None,
    ) -> str:
        """Answer, as an edit called NAME, and let the technical fields follow; return why it cannot be.

        BESIDES are values by their paths that the answer brings with it.
        """
        try:
            made = derived_fields.answer_plainly(self.session.decision, answers, acknowledged)
        except DPWizardError as problem:
            return in_a_sentence(problem)
        for where, value in (besides or {}).items():
            made = edits.put(made, where, value)
        found = sums.derivation(made)
        if found is not None and made.release.derivation is None:
            made = edits.put(made, "$.release.derivation", found)
        self.session.edit(name, made, f"plain.{merge}" if merge else None)
        return ""

    # ------------------------------------------------------------------------------------- shown

    def show_decision(self, decision: Decision) -> None:
        """Show what DECISION answers, in the words it uses for people."""
        release, one = decision.release, plain_sentences.person(decision.release)
        self.kind.show_key(derived_fields.each_number(decision))
        self.bounds_row.setVisible(release.each_number in ("sum", "average"))
        self.people_row.setVisible(release.each_number == "average")
        self.amounts.setVisible(release.each_number == "sum")
        state = decision.answer_to(derived_fields.WHOLE_AMOUNTS)
        self.amounts.show_key(None if state is None else _amounts(state))
        self.counts.show_key(derived_fields.counted(decision))
        self.often.show_key(release.how_often)
        self.times_row.setVisible(release.how_often in derived_fields.REPEATED)
        self.known.show_key(derived_fields.public(decision))
        self._call(decision, one)
        self._note(decision, one)
        self.divisions.show_decision(decision)
        hand = derived_fields.by_hand(decision)
        for key, question in self.questions.items():
            question.refresh()
            question.show_by_hand(tr("set by hand") if hand.intersection(derived_fields.FOLLOWS[key]) else "")

    def _call(self, decision: Decision, one: str) -> None:
        count = decision.release.dimension
        asked = (
            tr("In how many of the {count} numbers can one {person} be counted?", count=whole(count), person=one)
            if count > 1
            else tr("How often can one {person} be counted in it?", person=one)
        )
        self.counted.call(plain_words.said_once(asked, one))
        self.counts.call("one", tr("in one at most") if count > 1 else tr("once at most"))
        self.counts.call("up_to", tr("in up to") if count > 1 else tr("up to"))
        self.averaged.setText(tr("each average of") if count > 1 else tr("of"))
        self.article.setText(tr("An") if plain_words.with_article(one).startswith("an ") else tr("A"))
        asked = tr("What is public already about the same {people}?", people=plain_words.plural(one))
        self.public.call(plain_words.said_once(asked, one))

    def _note(self, decision: Decision, one: str) -> None:
        """Say where "I do not know" leads, and where an answer is asked for elsewhere."""
        keeps = tr("Your statistician keeps one entry of each {person}. The code does it.", person=one)
        self.counted.show_note(keeps if derived_fields.counted(decision) == "unknown" else "")
        once = tr("Once, then. A second time needs a new decision: the record states this as a condition.")
        self.how_often.show_note(once if decision.release.how_often == "unknown" else "")

    def forget_problems(self) -> None:
        """Show what the decision holds, and no problem."""
        for question in self.questions.values():
            question.forget_problems()

    def reach(self, question: str) -> bool:
        """Give the keyboard to the QUESTION of that key."""
        asked = self.questions.get(question)
        if asked is None:
            return False
        chosen = {"each_number": self.kind, "counted": self.counts, "how_often": self.often, "public": self.known}
        if question in chosen and not any(blank.isVisible() and blank.problem for blank in asked.blanks):
            chosen[question].reach()
        else:
            asked.reach()
        return True


def answered(key: str, state: str) -> Acknowledgement:
    """Return the answer to the assumption KEY, as of now, in the words in which it is shown."""
    now = QDateTime.currentDateTimeUtc().toString(Qt.DateFormat.ISODate)
    return Acknowledgement(assumption=key, text=word("assumption", key), language=spoken(), time=now, state=state)


def _amounts(answer: Acknowledgement) -> str:
    return {"refused": "decimals", "open": "unknown"}.get(answer.state or "", "whole")


def _most_text(decision: Decision) -> str:
    return number_text(derived_fields.most_counts(decision)) if derived_fields.counted(decision) == "up_to" else ""


def _times_text(decision: Decision) -> str:
    return number_text(decision.release.repetitions) if decision.release.repetitions > 1 else ""
