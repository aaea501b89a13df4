"""Signed records chosen as earlier releases: read, judged, and what each comes to in the decision that counts it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import ConfigDict

from dpwizard import records
from dpwizard.base.errors import DPWizardError, SigningProblem
from dpwizard.base.messages import NO_MESSAGE, Message, message
from dpwizard.base.values import Sentence, Value, read
from dpwizard.base.worker import Progress
from dpwizard.decision import Decision, Earlier, counted, to_earlier_releases, to_json
from dpwizard.records import APPROVALS, alike
from dpwizard.signing import store
from dpwizard.signing.bounded import Bounded
from dpwizard.signing.findings import Verification
from dpwizard.signing.signature import sha256_of
from dpwizard.signing.store import RecordFiles
from dpwizard.signing.verification import verify

READ = "dpwizard.signing.earlier_records:read_chosen"


class Chosen(Value):
    """A record as it was chosen: what it comes to, and why not where it cannot be counted."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    file: str
    name: str
    decision: Decision | None = None
    sha256: str = ""
    internal_sha256: str = ""  # of the internal record, where this is its public version
    core: str = ""  # the hash of what every edition of it says
    earlier: Earlier | None = None  # None: it is not counted, and the PROBLEM says why
    problem: DPWizardError | None = None
    judged: Sentence = NO_MESSAGE  # what verification says
    cautions: tuple[Sentence, ...] = ()  # what somebody has to look at


def choose(path: Path, now: datetime, trusted: Iterable[Path] = (), into: Decision | None = None) -> Chosen:
    """Return the record that PATH belongs to (its JSON, its PDF or a signature).

    It is judged at NOW against the certificates TRUSTED. A record that is not as it was signed is not counted, nor one
    whose losses cannot be told; one that nobody signed, or that is about others than the decision INTO which it is
    taken, is, with a caution (None: it is not asked about whom). Never raises: what is wrong stands in the result.
    """
    (record,) = choose_all(lambda _: None, (path,), now, tuple(trusted), into)
    return record


def choose_all(
    progress: Progress, paths: Sequence[Path], now: datetime, trusted: tuple[Path, ...], into: Decision | None
) -> list[Chosen]:
    """Return what `choose` finds of each record PATHS belong to; PROGRESS gets each name."""
    chosen = []
    with Bounded() as process:  # what a hostile decision loses may take for ever to compute
        for path in paths:
            progress(path.name)
            try:
                record = process.do(Chosen, READ, path, trusted, now, into)
            except DPWizardError as problem:
                record = Chosen(file=path.name, name=path.name, problem=problem)
            chosen.append(record)
    return chosen


def with_chosen(decision: Decision, chosen: Iterable[Chosen]) -> Decision:
    """Return DECISION with every record CHOSEN that counts among what is already spent, each once.

    A public version counts with its internal record where that is chosen too, and both are of one release. Raises
    InvalidInput where a decision cannot hold so many.
    """
    counting = [record for record in chosen if record.earlier is not None]
    core_of = {record.sha256: record.core for record in counting}
    separate = [record for record in counting if core_of.get(record.internal_sha256) != record.core]
    return counted(decision, {record.sha256: record.earlier for record in separate if record.earlier is not None})


def read_chosen(path: Path, trusted: tuple[Path, ...], now: datetime, into: dict[str, Any] | None) -> Chosen:
    """Return what the record that PATH belongs to comes to; INTO is as JSON says it. Raises DPWizardError."""
    place = RecordFiles.beside(path)
    verification = verify(place, trusted, now)
    data = store.require(place.json)
    record, sha256 = records.read(data), sha256_of(data)
    decision = record.decision
    if verification.verdict == "changed" or verification.json_sha256 not in (None, sha256):
        raise SigningProblem("was changed after signing, and is not counted", path.name, "Find the unchanged file.")
    name = decision.title or decision.details.product or decision.details.record_number or path.name
    day = decision.details.publication_date or record.made.time[:10]
    return Chosen(
        file=path.name,
        name=name,
        decision=decision,
        sha256=sha256,
        internal_sha256="" if record.public is None else record.public.internal_sha256,
        core=records.redaction.core(to_json(decision)),
        earlier=to_earlier_releases(decision, record=name, sha256=sha256, date=day or None),
        judged=verification.sentence,
        cautions=tuple(_cautions(decision, verification, None if into is None else read(Decision, into))),
    )


def _cautions(decision: Decision, verification: Verification, into: Decision | None) -> Iterator[Message]:
    if not verification.ok:
        yield message("No trusted signature confirms it: it may have lost more.")
    elif verification.outcome != "passed":
        yield message("Whether everyone who signed it was allowed to is not known here.")
    if decision.outcome not in APPROVALS:
        yield message("It does not approve the release. Count it only if the figures were published anyway.")
    old = decision.release
    if any(earlier.sha256 is None and not earlier.nothing for earlier in old.spent):
        yield message("It counts earlier releases that are not linked by a hash. Check that none counts twice.")
    if into is not None:
        yield from _of_others(decision, into)


def _of_others(decision: Decision, into: Decision) -> Iterator[Message]:
    """Yield in what DECISION may be about others than the one INTO which it is taken."""
    old, new = decision.release, into.release
    units = [release.unit or release.unit_kind for release in (old, new)]
    if units[0] and units[1] and alike(units[0]) != alike(units[1]):
        yield message(
            'It protects "{old}", this decision protects "{new}". Its loss is counted as if they were the '
            "same, and may be larger.",
            old=units[0],
            new=units[1],
        )
    elif new.units_of_a_person is not None and old.units_of_a_person not in (1, new.units_of_a_person):
        yield message("One person may count more often there than in this release. The loss may be larger.")
    places = (decision.details.region, into.details.region)
    if places[0] and places[1] and alike(places[0]) != alike(places[1]):
        yield message(
            'It is about "{old}", this decision is about "{new}". Count it only if they have people in common.',
            old=places[0],
            new=places[1],
        )
    elif None not in (old.population, new.population) and old.population != new.population:
        yield message("Its population is different. Count it only if they have people in common.")
