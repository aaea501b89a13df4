"""A decision (a release, requirements, the epsilon chosen, reasons) as a tree of frozen values, and its history."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from dpwizard.base.errors import InvalidInput
from dpwizard.base.fractional import Fractional
from dpwizard.base.language import spoken
from dpwizard.base.messages import message
from dpwizard.base.values import Count, LongText, NonNegative, ShortText, Value, field, read
from dpwizard.decision.allocation import allotted
from dpwizard.decision.earlier import Digest
from dpwizard.decision.elicitation_log import MOST_SESSIONS, ElicitationSession
from dpwizard.decision.letterhead import Letterhead
from dpwizard.decision.release import Release
from dpwizard.decision.requirements import Requirement
from dpwizard.decision.upgrades import require_known_format, upgraded

State = Literal["accepted", "refused", "open"]


class Acknowledgement(Value):
    """The answer to an assumption, word for word as it was shown. Only an accepted one lets a decision be approved."""

    assumption: ShortText = field("Assumption", "The key of the sentence.", default=...)
    text: LongText = field("Sentence", "As it was shown.", default=...)
    language: ShortText = field("Language", "Of the sentence.", default="en")
    time: ShortText | None = field("Time", "When it was accepted, as entered by the user.")
    state: State | None = field(
        "Answer",
        "Accepted: true here. Refused: not true here. Open: not known, or passed to the person who "
        "vouches for it. If empty: accepted.",
        unset="accepted",
    )
    reason: LongText | None = field("Reason", "Why it is true enough here, or why it is not.")
    vouched_by: ShortText | None = field("Vouched for by", "Who vouches that it is true. If empty: nobody named.")


FORMAT = "dpwizard.decision/1"
MOST_REQUIREMENTS = 5_000
MOST_TEXT = 1_000_000
MOST_RISKS = 200
MOST_WITHHELD = 1_000

Axis = Literal["epsilon", "rho", "sd"]
Outcome = Literal["approve", "approve_with_conditions", "reject", "refer"]
Paper = Literal["a4", "us-letter"]
ProductType = Literal[
    "Summary statistics", "Machine learning model", "Dataset", "Synthetic data", "Interactive API", "SQL queries"
]
Sector = Literal["Technology", "Healthcare", "Education", "Government", "Energy", "Finance"]


Role = Literal["data_subjects", "collector", "curator", "analyst", "publisher", "recipient", "other"]
Sees = Literal["everything", "part", "noisy", "published", "own"]
DomainSource = Literal["public", "rules", "confidential"]
TunedOn = Literal["nothing", "public", "test_data", "earlier_release", "confidential_paid", "confidential"]
FloatingPoint = Literal["whole_numbers", "exact_sampler", "rounded", "ordinary", "unknown"]
Randomness = Literal["secure", "ordinary", "seeded", "unknown"]


class ResidualRisk(Value):
    """A risk that remains, and what is done about it, by whom and by when."""

    risk: LongText | None = field("Risk", "What can still happen.")
    measure: LongText | None = field("Measure", "What is done about it.")
    owner: ShortText | None = field("Owner", "Who is in charge of it.")
    date: ShortText | None = field("Date", "By when, for instance 2026-11-21.")


class Actor(Value):
    """A person or office that handles the data or the release, and what they are trusted with."""

    name: ShortText | None = field("Who", "An office, a company or a group of people.")
    role: Role | None = field("Role", "What they do with the data or the release.")
    sees: Sees | None = field("Sees", "The most they can see.")


class Details(Value):
    """Further statements in the record that no calculation uses; None means not assessed."""

    controller: ShortText | None = field("Controller", "The office that is responsible.")
    contact: ShortText | None = field("Whom to ask", "Whom to ask about this release. Printed on the public notice.")
    product: ShortText | None = field("Product", "What the figures are published as.")
    curators: Annotated[tuple[ShortText, ...], Field(max_length=50)] = field(
        "Data curators", "Who keeps the data.", default=()
    )
    intended_use: LongText | None = field("Intended use", "What the published figures are for.")
    product_type: ProductType | None = field("Kind of product", "As named in the public registry of deployments.")
    sector: Sector | None = field("Sector", "As named in the public registry of deployments.")
    region: ShortText | None = field("Region", "The place the figures are about.")
    publication_date: ShortText | None = field("Date of publication", "As year-month-day, for instance 2026-11-21.")
    record_number: ShortText | None = field("Record number", "The office’s own number for this record.")
    authors: Annotated[tuple[ShortText, ...], Field(max_length=50)] = field(
        "Authors", "Who prepared the decision.", default=()
    )
    approver: ShortText | None = field("Approver", "Who approves it.")
    necessity: LongText | None = field("Necessity", "Why the figures are needed, and what is lost without them.")
    alternatives: LongText | None = field("Alternatives", "What else was considered, and why it was not chosen.")
    attributes: LongText | None = field("Attributes covered", "And the attributes not covered.")
    residual_risks: LongText | None = field(
        "Residual risks and measures", "What remains, what is done about it, by whom and when."
    )
    risks: Annotated[tuple[ResidualRisk, ...], Field(max_length=MOST_RISKS)] = field(
        "Residual risks", "Each with what is done about it, its owner and a date.", default=()
    )
    advice: LongText | None = field("Advice", "The advice of the data protection officer.")
    views: LongText | None = field("Views of data subjects", "If they were asked.")
    conditions: LongText | None = field("Conditions", "Conditions of the approval.")
    review_date: ShortText | None = field("Review by", "The date by which this decision is reviewed.")
    review_triggers: LongText | None = field("Review earlier if", "What would make an earlier review necessary.")
    authority: LongText | None = field("Legal basis", "The law or rule that this decision is based on.")
    approval_number: ShortText | None = field("Approval number", "If there is one.")
    supersedes: ShortText | None = field("Replaces", "The record this one replaces.")
    superseded_sha256: Digest | None = field(
        "SHA-256 of the record replaced", "Of its JSON file, in 64 hexadecimal digits."
    )
    version: ShortText | None = field("Version", "Of this decision, as your office counts versions.")
    actors: Annotated[tuple[Actor, ...], Field(max_length=50)] = field(
        "Who handles the data", "And what each of them can see.", default=()
    )
    collection: LongText | None = field(
        "Why the data are needed", "Why so much is collected about each person, and whether less would be enough."
    )
    data_domain: LongText | None = field("Possible values", "What a record can contain: ranges, categories, places.")
    domain_source: DomainSource | None = field(
        "List of values comes from",
        "Where the list of possible values comes from. A list read from the confidential data reveals "
        "something about them.",
    )
    tuned_on: TunedOn | None = field(
        "Parameters were tried on", "The data on which limits, thresholds or the budget itself were tried before."
    )
    tuning: LongText | None = field("How they were tried", "What was tried, how often, and what it cost.")
    implementation: LongText | None = field("Program", "The program that adds the noise, with its version.")
    floating_point: FloatingPoint | None = field(
        "Arithmetic of the noise", "Noise in ordinary floating point can reveal the exact figure in its last digits."
    )
    randomness: Randomness | None = field("Random source", "Noise that can be predicted or repeated can be removed.")
    checked: LongText | None = field("How it was checked", "Tests, reviews, attempted attacks.")
    access: LongText | None = field("Access", "Who can reach the confidential data, and who gives permission.")
    security: LongText | None = field("Security", "How the confidential data are kept, and for how long.")
    small_groups: Annotated[tuple[Count, ...], Field(max_length=12)] | None = field(
        "Small groups",
        "True counts, for instance 5, 10, 50. The record shows how far off the published numbers are.",
    )
    groups: LongText | None = field("Groups affected most", "Whom errors would hurt most, and what is done about it.")


class Decision(Value):
    """A release, its requirements, the chosen budget and the reasons; None means not answered yet."""

    format: Literal["dpwizard.decision/1"] = field("Format", "The version of this format.", default=...)
    title: ShortText | None = field("Title", "What this decision is called.")
    release: Release = field("Release", "What will be published.", default=Release())
    requirements: Annotated[tuple[Requirement, ...], Field(max_length=MOST_REQUIREMENTS)] = field(
        "Requirements", "What must be protected, and how accurate the figures must be.", default=()
    )
    epsilon: NonNegative | None = field("Epsilon chosen", "The loss of the whole release, each time.")
    rho: Fractional | None = field(
        "Rho chosen",
        "Instead of epsilon, if all noise is Gaussian: a number, or an exact fraction such as 293764/114921.",
        editor="fraction",
    )
    axis: Axis | None = field(
        "Axis shown as",
        "What the axis of budgets shows: epsilon, rho, or the standard deviation of the noise. This changes no answer.",
    )
    justification: LongText | None = field("Reasons", "Why this epsilon, or why none.")
    exception_reason: LongText | None = field("Reason for an exception", "If epsilon is outside the allowed range.")
    outcome: Outcome | None = field("Outcome", "What was decided.")
    acknowledged: Annotated[tuple[Acknowledgement, ...], Field(max_length=1_000)] = field(
        "Assumptions accepted", "Each sentence, with its answer.", default=()
    )
    elicitation: Annotated[tuple[ElicitationSession, ...], Field(max_length=MOST_SESSIONS)] = field(
        "Questions answered",
        "How the risk profile was found: each person’s answers, word for word, and what was agreed.",
        default=(),
    )
    details: Details = field(
        "Details",
        "Who is responsible, why the figures are needed, and what else belongs in the record.",
        default=Details(),
    )
    withheld: Annotated[tuple[ShortText, ...], Field(max_length=MOST_WITHHELD)] = field(
        "Left out of the public version", "Paths, for instance $.details.advice or $.requirements[0].name.", default=()
    )
    language: ShortText = field("Language", "The language of the decision.", default="en", editor="language")
    paper: Paper | None = field("Paper", "The paper size of the record and the notice. If empty: A4.", unset="A4")
    letterhead: Letterhead | None = field("Letterhead", "Small, at the top of page one. Nobody checks it.")

    @model_validator(mode="after")
    def _has_one_budget(self) -> Decision:
        if self.epsilon is not None and self.rho is not None:
            raise InvalidInput(
                message(
                    "is given together with epsilon: a decision states its budget as rho or as epsilon, never as both"
                ),
                "rho",
                "Remove rho, or remove epsilon.",
            )
        return self

    @property
    def accepted(self) -> frozenset[str]:
        """Return the keys of the assumptions that are accepted as true, not refused or open."""
        return frozenset(answer.assumption for answer in self.acknowledged if answer.state not in ("refused", "open"))

    def answer_to(self, assumption: str) -> Acknowledgement | None:
        """Return the answer to the assumption of that key; None where it is not answered."""
        return next((answer for answer in self.acknowledged if answer.assumption == assumption), None)

    @property
    def planned(self) -> Decision:
        """Return the decision with the share that its allocation gives each table."""
        return self._with_allotted_shares or self

    @cached_property
    def _with_allotted_shares(self) -> Decision | None:
        # None stands for the decision itself: a value that contained itself could not be compared
        cache: list[tuple[object, Release | None]] = self.release.cached("allotted", list)
        if not cache or cache[0][0] != self.requirements:  # dragging the budget does not change the requirements
            release = allotted(self.release, self.requirements)
            cache[:] = [(self.requirements, None if release is self.release else release)]
        planned = cache[0][1]
        return None if planned is None else self.model_copy(update={"release": planned})

    @property
    def chosen(self) -> float | None:
        """Return the chosen budget, epsilon or rho; None without noise, or in the other unit than the release's."""
        return self.planned.release.budget(epsilon=self.epsilon, rho=self.rho)

    def as_recorded(self) -> Decision:
        """Return the decision as a record stores it: without a budget if nothing has noise."""
        is_meaningless = self.release.noise.absent and (self.epsilon is not None or self.rho is not None)
        return self.without_budget() if is_meaningless else self

    def without_budget(self) -> Decision:
        """Return the decision without its chosen budget, which does not affect what is allowed."""
        return self.model_copy(update={"epsilon": None, "rho": None})


def with_shares(decision: Decision, shares: tuple[tuple[float | None, float | None], ...]) -> Decision:
    """Return DECISION with the allotted SHARES, as if the file stated them.

    Arguments: shares, one entry per part: a share of the budget, or a fixed epsilon; None for a part that states its
    own. Empty if no share is allotted.
    """
    if not shares:
        return decision
    release = decision.release
    allotted_fields = ({"share": share, "epsilon": epsilon} for share, epsilon in shares)
    parts = tuple(
        part.model_copy(update={name: value for name, value in fields.items() if value is not None})
        for part, fields in zip(release.parts, allotted_fields, strict=True)
    )
    stated = release.model_copy(update={"parts": parts, "allocation": "stated"})
    return decision.model_copy(update={"release": stated})


def new_decision() -> Decision:
    """Return an empty decision; its record is in the current language."""
    return Decision(format=FORMAT, language=spoken())


def read_decision(raw: Any, where: str = "$") -> Decision:
    """Return the decision that RAW (from ``json.loads``) holds.

    Raises InvalidInput with the path, the value found, what is allowed and a remedy; a newer format is named as such.
    """
    if not isinstance(raw, dict):
        raise InvalidInput(
            "must be an object", where, message('A decision begins with {{"format": "{format}", ...}}.', format=FORMAT)
        )
    raw = upgraded(raw)
    require_known_format(raw, FORMAT, where)
    decision: Decision = read(Decision, raw, where)
    if _count_characters(decision) > MOST_TEXT:
        raise InvalidInput("contains more than 1 MB of text", where, "Move long texts to a document and name it here.")
    return decision


def to_json(decision: Decision) -> dict[str, Any]:
    """Return DECISION as JSON, in a fixed order of fields, without what is unanswered or empty."""
    fields: dict[str, Any] = _drop_empty(decision.model_dump(mode="json", exclude_none=True), decision)
    return fields


def _drop_empty(value: Any, model: Any) -> Any:
    """Return VALUE, dumped from MODEL, without empty values; an empty list stays where its absence means unanswered."""
    if isinstance(value, dict):
        fields = type(model).model_fields if isinstance(model, Value) else {}
        return {
            name: _drop_empty(item, getattr(model, name, None))
            for name, item in value.items()
            if item not in ([], {}) or (name in fields and fields[name].default is None)
        }
    if isinstance(value, list):
        models = model if isinstance(model, tuple) and len(model) == len(value) else (None,) * len(value)
        return [_drop_empty(item, inner) for item, inner in zip(value, models, strict=True)]
    return value


def _count_characters(value: Any) -> int:
    if isinstance(value, str):
        return len(value)
    if isinstance(value, Value):
        return sum(_count_characters(getattr(value, name)) for name in value.model_fields_set)
    return sum(_count_characters(item) for item in value) if isinstance(value, tuple) else 0


@dataclass(frozen=True, kw_only=True)
class Edit:
    """One edit in a history: the decision after it, its name, and the key by which later edits merge into it."""

    decision: Decision
    name: str = ""
    merge: str | None = None


@dataclass(frozen=True, kw_only=True)
class History:
    """A decision with its edits, done and undone; every method returns a new history."""

    present: Edit
    past: tuple[Edit, ...] = ()
    future: tuple[Edit, ...] = ()

    @staticmethod
    def start(decision: Decision) -> History:
        """Return the history of a decision that was just opened."""
        return History(present=Edit(decision=decision))

    @property
    def decision(self) -> Decision:
        return self.present.decision

    def edit(self, name: str, decision: Decision, merge: str | None = None) -> History:
        """Return the history after an edit called NAME; an edit with the MERGE key of the last one replaces it."""
        if decision == self.decision:
            return self
        change = Edit(decision=decision, name=name, merge=merge)
        if merge is not None and merge == self.present.merge and not self.future:
            return replace(self, present=change)
        return History(present=change, past=(*self.past, self.present), future=())

    def settle(self) -> History:
        """Return the history with the last edit closed, so that later edits do not merge into it."""
        return replace(self, present=replace(self.present, merge=None))

    def without_open(self, merge: str) -> History:
        """Return the history without its last edit if that is still open for MERGE."""
        is_open = bool(self.past) and self.present.merge == merge
        return History(present=self.past[-1], past=self.past[:-1]) if is_open else self

    @property
    def undo_name(self) -> str | None:
        """Return the name of the edit that undo takes back; None if there is none."""
        return self.present.name if self.past else None

    @property
    def redo_name(self) -> str | None:
        """Return the name of the edit that redo brings back; None if there is none."""
        return self.future[0].name if self.future else None

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(change.name for change in (*self.past, self.present, *self.future)[1:])

    def at(self, position: int) -> History:
        """Return the history after the first POSITION edits: 0 is the decision as it was opened."""
        edits = (*self.past, self.present, *self.future)
        index = min(max(position, 0), len(edits) - 1)
        if index == len(self.past):
            return self
        closed = tuple(replace(change, merge=None) for change in edits)
        return History(present=closed[index], past=closed[:index], future=closed[index + 1 :])

    def undo(self) -> History:
        """Return the history one step back; the same if there is nothing to undo."""
        if not self.past:
            return self
        undone = replace(self.present, merge=None)
        return History(present=self.past[-1], past=self.past[:-1], future=(undone, *self.future))

    def redo(self) -> History:
        """Return the history one step forward; the same if there is nothing to redo."""
        if not self.future:
            return self
        return History(present=self.future[0], past=(*self.past, self.present), future=self.future[1:])
