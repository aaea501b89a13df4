"""Beginning the next release from the last record: descriptions are carried over, decisions begin anew."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from dpwizard.base.messages import NO_MESSAGE, Message, message
from dpwizard.decision import Decision, Details, Earlier, edits, to_earlier_releases
from dpwizard.projects.comparison import FieldDifference, differences
from dpwizard.projects.project import read_project
from dpwizard.signing import earlier_records

DECIDED = ("epsilon", "rho", "justification", "exception_reason", "outcome", "acknowledged")
OF_THE_RECORD = (  # details of the last decision alone
    *("publication_date", "record_number", "version", "review_date", "supersedes", "superseded_sha256"),
    *("authors", "approver", "approval_number", "conditions", "advice", "views"),
    *("tuned_on", "tuning"),  # this release may be tuned on the last one
)


@dataclass(frozen=True, kw_only=True)
class Begun:
    """The decision on the next release, the last one, and the verification of its record."""

    decision: Decision
    last: Decision
    judged: Message = NO_MESSAGE
    cautions: tuple[Message, ...] = ()

    @property
    def changed(self) -> tuple[FieldDifference, ...]:
        """Return every field that begins anew, or changes with the budget used."""
        return differences(self.last, self.decision)


def begin(path: Path, now: datetime, trusted: Iterable[Path] = ()) -> Begun:
    """Begin the next release from the record or the decision file at PATH.

    The record is verified at NOW with the certificates TRUSTED. Raises FileProblem if there is none, SigningProblem if
    it is not valid, and InvalidInput if the budget used is unknown.
    """
    opened = None if path.suffix in (".pdf", ".jws") else read_project(path)
    if opened is not None and not opened.of_record:
        last = opened.decision
        earlier = to_earlier_releases(
            last, record=last.title or path.name, sha256=None, date=last.details.publication_date
        )
        caution = message("It is not a signed record: its entries are not linked by a hash.")
        return Begun(decision=next_release(last, earlier), last=last, cautions=(caution,))
    chosen = earlier_records.choose(path, now, trusted)
    if chosen.problem is not None:
        raise chosen.problem
    assert chosen.earlier is not None  # else there is a problem
    assert chosen.decision is not None
    return Begun(
        decision=next_release(chosen.decision, chosen.earlier),
        last=chosen.decision,
        judged=chosen.judged,
        cautions=chosen.cautions,
    )


def next_release(last: Decision, earlier: Earlier) -> Decision:
    """Return the decision on the next release: the LAST one, without its choices, and with EARLIER as earlier releases.

    Raises InvalidInput if there are too many earlier releases.
    """
    empty = Details()
    details = last.details.model_copy(update={name: getattr(empty, name) for name in OF_THE_RECORD})
    risks = tuple(risk.model_copy(update={"date": None}) for risk in details.risks)
    begun = last.model_copy(
        update={
            **{name: type(last).model_fields[name].get_default() for name in DECIDED},
            "details": details.model_copy(update={"risks": risks}),
        }
    )
    return edits.put(begun, "$.release.spent", (*earlier.before, *earlier.spent))
