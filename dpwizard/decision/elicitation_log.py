"""The log of a series of questions in a decision file: verbatim, with every answer, nothing deleted."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.values import (
    Count,
    LongText,
    NonNegative,
    Positive,
    PriorRange,
    ShortText,
    Value,
    Within,
    field,
    read,
)
from dpwizard.decision.upgrades import require_known_format
from dpwizard.privacy.profiles import Profile

FORMAT = "dpwizard.elicitation/1"
MOST_REPLIES = 500
MOST_SESSIONS = 50
MOST_LOOKS = 6
MOST_LINES = 60

Topic = Literal["risk", "guess", "accuracy"]
Kind = Literal["pair", "level", "playback"]
Form = Literal["plain", "other", "reversed"]
Given = Literal["a", "b", "neither", "yes", "no", "either", "cannot_say", "right", "corrected"]
Stands = Literal["first", "second", "neither", "both"]
Position = Annotated[int, Field(strict=True, ge=0, le=10**6)]

ALLOWED: dict[str, tuple[str, ...]] = {
    "pair": ("a", "b", "neither", "cannot_say"),
    "level": ("yes", "no", "either", "cannot_say"),
    "playback": ("right", "corrected", "cannot_say"),
}


class Chance(Value):
    """A chance before and after a release, in whole counts."""

    out_of: Count = field("Out of", "The number both chances are counted out of.", default=...)
    before: Count = field("Before", "How many before the release.", default=...)
    after: Count = field("After", "How many after the release.", default=...)

    @model_validator(mode="after")
    def _is_within_total(self) -> Chance:
        if max(self.before, self.after) > self.out_of:
            raise InvalidInput(
                message("is more than the {out_of} it is counted out of", out_of=self.out_of),
                "after",
                "Enter a share of the whole.",
            )
        return self

    @property
    def prior(self) -> float:
        """Return the chance before the release."""
        return self.before / self.out_of

    @property
    def posterior(self) -> float:
        """Return the chance after the release."""
        return self.after / self.out_of


class AccuracyOption(Value):
    """The error of a published figure, and in one of how many releases it may be larger."""

    off_by: Positive = field("Off by", "In the unit of the figure.", default=...)
    one_in: Count = field("In one of", "Releases.", default=...)


class Question(Value):
    """A question as it was shown."""

    kind: Kind = field("Kind", "Two releases, one release or none, or an implied value to confirm.", default=...)
    form: Form = field("Form", "In older logs: in other words, or the other way round.", default="plain")
    again: Count | None = field("Repeats question", "The number of the answer whose question this repeats.")
    a: Chance | None = field("Release A", "Or the only release.")
    b: Chance | None = field("Release B", "If two releases are compared.")
    blur: AccuracyOption | None = field("Error", "If the question is about accuracy.")
    text: LongText = field("Text", "Word for word as it was shown.", default=...)


class Reply(Value):
    """One answer; its number in the log is its position, counted from 1."""

    question: Question = field("Question", default=...)
    answer: Given = field("Answer", "As it was answered.", default=...)
    corrected: Chance | None = field("Corrected to", "The value given instead of the one shown.")
    seconds: NonNegative | None = field("Time taken", "From the question to the answer.", unit="seconds")
    time: ShortText | None = field("Time", "When it was answered, as entered by the user.")
    who: ShortText | None = field("Who", "If not the assessor of the session.")
    replaces: Count | None = field("Replaces", "The number of the earlier answer that this one changes.")
    note: LongText | None = field("Remark", "In the assessor’s own words.")

    @model_validator(mode="after")
    def _has_allowed_answer(self) -> Reply:
        allowed = ALLOWED[self.question.kind]
        if self.answer not in allowed:
            named = ", ".join(f'"{name}"' for name in allowed)
            raise InvalidInput(
                message('must be one of {choices}; found "{found}"', choices=named, found=self.answer),
                "answer",
                "Choose one of these.",
            )
        if (self.answer == "corrected") != (self.corrected is not None):
            raise InvalidInput(
                "goes with a corrected value and nothing else", "answer", 'Give "corrected" with its value.'
            )
        return self


class Looked(Value):
    """A closing summary as it was shown, and how it was judged."""

    text: LongText = field("Text", "Word for word as it was shown.", default=...)
    epsilon: Positive = field("Epsilon", "The requirement that the lines are about.", default=...)
    lines: Annotated[tuple[Chance, ...], Field(min_length=1, max_length=MOST_LINES)] = field(
        "Lines", "What someone may think after the release, from small chances before to large ones.", default=...
    )
    too_much: Annotated[tuple[Position, ...], Field(max_length=MOST_LINES)] = field(
        "Too much", "The positions of these lines, counted from 0.", default=()
    )
    could_be_more: bool = field("Could be more", "Whether every line could be more.", default=False)
    answers: Position = field("Answers", "How many answers and settled contradictions there were before.", default=...)
    seconds: NonNegative | None = field("Time taken", "From the check to the answer.", unit="seconds")
    time: ShortText | None = field("Time", "When it was answered, as entered by the user.")
    who: ShortText | None = field("Who", "If not the assessor of the session.")
    note: LongText | None = field("Remark", "In the assessor’s own words.")

    @model_validator(mode="after")
    def _marks_existing_lines(self) -> Looked:
        beyond = next((place for place in self.too_much if place >= len(self.lines)), None)
        if beyond is not None:
            raise InvalidInput(
                message("names line {place}, but the last is {last}", place=beyond, last=len(self.lines) - 1),
                "too_much",
                "Count the lines from 0.",
            )
        if len(set(self.too_much)) < len(self.too_much):
            raise InvalidInput("names a line twice", "too_much", "Name each once.")
        if self.too_much and self.could_be_more:
            raise InvalidInput(
                "is not possible if a line is too much",
                "could_be_more",
                "Mark lines, or choose that all could be more.",
            )
        return self


class Settlement(Value):
    """How a contradiction between two answers was settled; both stay in the log."""

    first: Count = field("First answer", "Its number.", default=...)
    second: Count = field("Second answer", "Its number.", default=...)
    stands: Stands = field("Which answer counts", "The answer that counts from now on.", default=...)
    reason: LongText | None = field("Reason", "In the assessor’s own words.")
    who: ShortText | None = field("Who", "If not the assessor of the session.")
    time: ShortText | None = field("Time", "As entered by the user.")


class Setup(Value):
    """The subject of the questions: whose chances, over which range, and what is lost without a release."""

    topic: Topic = field("Topic", "What someone may learn, a guess, or the accuracy of a figure.", default="risk")
    about: ShortText | None = field("About", "The name of the requirement the answers are for.")
    p: PriorRange = field("Chance that the record is in the data", "As entered in the adversary step.", default=1.0)
    q: PriorRange = field("Chance of the sensitive value", "As entered in the adversary step.", default=1.0)
    replace_factor: Annotated[float, Within(low=0, high=2, low_open=True)] = field(
        "Replace factor", "Of the statistic. 2 is the published figure.", default=2.0
    )
    benefit: ShortText | None = field("Benefit", "What is lost if nothing is released.")
    figure: ShortText | None = field("Figure", "Accuracy: what is counted, for instance deaths.")
    smallest: Positive | None = field("Smallest error", "Accuracy: the smallest error worth asking about.")
    largest: Positive | None = field("Largest error", "Accuracy: the largest error worth asking about.")
    one_in: Annotated[Count, Field(ge=2)] = field(
        "In one of", "Accuracy: the releases in which the error may be larger.", default=20
    )

    @model_validator(mode="after")
    def _has_ordered_errors(self) -> Setup:
        if self.smallest is not None and self.largest is not None and not self.smallest < self.largest:
            raise InvalidInput("must be above the smallest error", "largest", "Swap the two, or widen the range.")
        return self


class Agreed(Value):
    """The profile or value that several assessors agreed on after each had answered alone."""

    profile: Profile | None = field("Agreed profile", "If the questions were about risk.")
    value: Positive | None = field("Agreed value", "If they were about a guess or the accuracy of a figure.")
    reason: LongText | None = field("Reasons", "Why this one.")
    who: Annotated[tuple[ShortText, ...], Field(max_length=MOST_SESSIONS)] = field(
        "Who agreed", "Their names.", default=()
    )


class ElicitationSession(Value):
    """The answers of one assessor, or the agreement of several."""

    format: Literal["dpwizard.elicitation/1"] = field(
        "Format", "The version of this format.", default="dpwizard.elicitation/1"
    )
    setup: Setup = field("About", "What the questions are about.", default=Setup())
    assessor: ShortText | None = field("Assessor", "Who answered.")
    language: ShortText = field("Language", "The language of the questions.", default="en")
    replies: Annotated[tuple[Reply, ...], Field(max_length=MOST_REPLIES)] = field(
        "Answers", "In their order.", default=()
    )
    settlements: Annotated[tuple[Settlement, ...], Field(max_length=MOST_REPLIES)] = field(
        "Contradictions settled", "In their order.", default=()
    )
    looks: Annotated[tuple[Looked, ...], Field(max_length=MOST_LOOKS)] = field(
        "Final checks", "In their order.", default=()
    )
    agreed: Agreed | None = field("Agreed", "If several assessors agreed on this.")

    @model_validator(mode="after")
    def _names_earlier_answers(self) -> ElicitationSession:
        for index, reply in enumerate(self.replies):
            for name, number in (("replaces", reply.replaces), ("question.again", reply.question.again)):
                if number is not None and number > index:
                    raise InvalidInput(
                        message("is {number}, but only {count} answers came before", number=number, count=index),
                        f"replies[{index}].{name}",
                        "Name one of them.",
                    )
        for index, settled in enumerate(self.settlements):
            if max(settled.first, settled.second) > len(self.replies):
                raise InvalidInput(
                    message("names an answer beyond the {count} given", count=len(self.replies)),
                    f"settlements[{index}]",
                    "Name two answers.",
                )
        return self

    @property
    def given(self) -> int:
        """Return the number of answers and settlements, without confirmed or open values; it dates closing looks."""
        count = sum(reply.answer not in ("right", "cannot_say") or reply.replaces is not None for reply in self.replies)
        return count + len(self.settlements)

    def standing(self) -> tuple[bool, ...]:
        """Return for each answer whether it still counts: not replaced, and not settled against."""
        stands = [True] * len(self.replies)
        for reply in self.replies:
            if reply.replaces is not None:
                stands[reply.replaces - 1] = False
        for settled in self.settlements:
            for name, number in (("first", settled.first), ("second", settled.second)):
                if settled.stands not in (name, "both"):
                    stands[number - 1] = False
        return tuple(stands)


def read_session(raw: Any, where: str = "$") -> ElicitationSession:
    """Return the session that RAW (from ``json.loads``) holds. Raises InvalidInput naming what is wrong."""
    require_known_format(raw, FORMAT, where)
    session: ElicitationSession = read(ElicitationSession, raw, where)
    return session


def merged(
    first: tuple[ElicitationSession, ...], further: tuple[ElicitationSession, ...]
) -> tuple[ElicitationSession, ...]:
    """Return all sessions, each once; a longer log of one assessor on one topic replaces its beginning.

    This joins files without cryptographic checks: anyone who can edit a file can edit its content.
    """
    sessions = list(first)
    for session in further:
        continued = next((i for i, earlier in enumerate(sessions) if _continues(session, earlier)), None)
        if continued is not None:
            sessions[continued] = session
        elif not any(_continues(earlier, session) for earlier in sessions):
            sessions.append(session)
    return tuple(sessions)


def _continues(longer: ElicitationSession, shorter: ElicitationSession) -> bool:
    if (longer.setup, longer.assessor, longer.agreed) != (shorter.setup, shorter.assessor, shorter.agreed):
        return False
    return (
        longer.replies[: len(shorter.replies)] == shorter.replies
        and longer.settlements[: len(shorter.settlements)] == shorter.settlements
        and longer.looks[: len(shorter.looks)] == shorter.looks
    )
