"""The program from Python: what the window and the command line do, as functions.

`from dpwizard import read_decision, assess, sign`: docs/python.md shows each at work. What a function needs is imported
when it is called, so that `import dpwizard` itself is fast. Every error is a `DPWizardError` that names the field, the
value, the allowed range and a remedy.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from dpwizard.decision import Assessment, Decision, Paper, Plan
    from dpwizard.examination import Examination
    from dpwizard.signing import RecordFiles
    from dpwizard.signing.findings import Verification
    from dpwizard.signing.identity import Identity
    from dpwizard.signing.replaying import Replayed

Verdict = Literal["propose", "approve", "approve_with_conditions", "refer", "reject", "withdraw", "vouch", "none"]


def read_decision(source: Path | str | Mapping[str, Any]) -> Decision:
    """Read a decision from a decision file or a record, or from the fields of such a file. Nothing is solved yet.

    Arguments: source, the path of a file (str or Path), or the fields by name. Raises FileProblem if the file cannot be
    read, InvalidInput naming the invalid field.
    """
    from dpwizard.decision import read_decision as from_fields
    from dpwizard.projects.project import open_project

    return from_fields(dict(source)) if isinstance(source, Mapping) else open_project(Path(source))


def write_decision(decision: Decision, path: Path | str) -> None:
    """Write a decision to a decision file atomically.

    Raises FileProblem if it cannot be written, or if the file is a record or was written by a newer version.
    """
    from dpwizard.projects.project import save_project

    save_project(Path(path), decision)


def assess(decision: Decision) -> Assessment:
    """Solve every requirement of a decision; return the answer to each, and the allowed range of the budget.

    **Safe side: the upper limit is rounded down, the lower limit up**, each within its answer's `error`. Raises nothing
    for a decision that was read: a solver that fails gives an answer of status "failed", a requirement that no budget
    meets one of status "infeasible".
    """
    from dpwizard.decision import assess as solve

    return solve(decision)


def plan(decision: Decision) -> Plan:
    """Return the least budget that meets all accuracy requirements of a decision, and the most demanding of them.

    **Safe side: budgets are rounded up**, so every accuracy requirement is met at them. Raises nothing for a decision
    that was read.
    """
    from dpwizard.decision import plan as planned

    return planned(decision, assess(decision))


def compute(name: str, **arguments: Any) -> Any:
    """Call one of the functions in docs/functions.md by name, such as "accuracy.noise", and return its value.

    The unit, range, error and safe side of each are documented there. Raises InvalidInput if no function has this NAME
    (suggesting the nearest) or an argument is not allowed, Infeasible if no budget meets the requirement.
    """
    from dpwizard.privacy.compute import find

    return find(name)(**arguments)


def make_identity(
    path: Path | str, *, name: str, passphrase: str, at: datetime, organisation: str = "", years: int = 3
) -> Identity:
    """Create a signing key: a key file protected by a passphrase, and next to it the certificate for others to trust.

    Arguments: path, of the new key file (.p12); at, the start of its validity, with its offset from UTC; years, its
    validity, 1 to 30. Raises FileProblem if the file exists already, InvalidInput if the passphrase is too short.
    """
    from dpwizard.signing import signing

    named = {"name": name, "organisation": organisation, "passphrase": passphrase}
    identity, write = signing.make_identity(Path(path), **named, years=years, now=at)
    write()
    return identity


def open_identity(path: Path | str, *, passphrase: str) -> Identity:
    """Open the signing key in a key file.

    Arguments: path, the key file (.p12); passphrase, its passphrase. Raises FileProblem if it cannot be read,
    SigningProblem if the passphrase is wrong.
    """
    from dpwizard.base import files
    from dpwizard.signing import identity

    return identity.open_identity(pkcs12=files.read_bytes(Path(path)), passphrase=passphrase)


def sign(
    decision: Decision,
    to: Path | str,
    *,
    identity: Identity,
    role: str,
    at: datetime,
    verdict: Verdict | None = None,
    comment: str = "",
    policy: Path | str | None = None,
) -> RecordFiles:
    """Make the record of a decision, sign it, and write its .json, its signature and its .pdf; return their paths.

    Arguments: to, the path of the record without extension; role, of the signer; at, the stated time, with its offset
    from UTC; verdict, by default the decision's outcome; policy, a policy file the record must comply with (None: the
    office's, if there is one on this computer). The same decision, key and time give the same JSON and pages as the
    window.
    Raises InvalidInput if something is missing, FileProblem if a file exists already or cannot be written,
    SigningProblem if the key cannot sign.
    """
    from dpwizard.signing import RecordFiles, office, policy_files, signing

    target = RecordFiles.beside(Path(to))
    request = signing.SigningRequest(
        identity=identity,
        role=role,
        verdict=verdict or decision.outcome or "none",
        comment=comment,
        stated=_stated(at),
    )
    placed = None if policy is None else Path(policy)
    required = None if placed is None else policy_files.read_policy(placed, office.trust_places((), placed))
    signing.sign_new(decision, target, request, policy=required)
    return target


def verify(
    path: Path | str, *, at: datetime, trusted: Iterable[Path | str] = (), policy: Path | str | None = None
) -> Verification:
    """Verify a record: who signed it, what the signatures cover, and whether anything has changed since.

    Arguments: path, one of its files, or their name without extension; at, the time of verification, with its offset
    from UTC; trusted, further certificates to trust (files or folders); policy, a policy file the record must comply
    with. The result has `outcome`, `sentence`, `remedy`, and the findings. Raises FileProblem if there is no record.
    """
    from dpwizard.signing import RecordFiles, office
    from dpwizard.signing.verify_tasks import verify_folder

    named = Path(policy) if policy is not None else None
    places = office.trust_places([Path(place) for place in trusted], named)
    return verify_folder(RecordFiles.beside(Path(path)), places, at, named)


def replay(path: Path | str, *, at: datetime) -> Replayed:
    """Recalculate the decision of a record, and compare every number with the recorded one.

    Arguments: path, the .json of a record; at, the time of verification of its signatures. The `verdict` of the result
    is "same", "differs" or "unreadable".
    """
    from dpwizard.signing.replaying import replay_file

    return replay_file(Path(path), at)


def examine(source: Path | str | Mapping[str, Any]) -> Examination:
    """Check a published privacy-loss claim: recalculate each of its statements from the figures it gives.

    Arguments: source, the path of a registry entry, a claim (YAML or JSON), a decision or a record; or the fields of a
    claim by name. The result has `ok` and the findings, each with its formula and figures. **A negative difference
    means that the claim understates the privacy loss.** Raises FileProblem if the file cannot be read, InvalidInput
    naming the invalid field.
    """
    from dpwizard.base import files
    from dpwizard.examination import examine as second_opinion
    from dpwizard.examination import examine_fields

    return examine_fields(source) if isinstance(source, Mapping) else second_opinion(files.read_bytes(Path(source)))


def typeset(decision: Decision, to: Path | str, *, at: datetime, paper: Paper | None = None) -> None:
    """Typeset the unsigned record of a decision as a PDF.

    Arguments: to, the .pdf to write; at, the stated time, with its offset from UTC; paper, by default that of the
    decision. Raises FileProblem if the file exists already or cannot be written.
    """
    from dpwizard.base import files
    from dpwizard.records import make
    from dpwizard.report import document

    path = Path(to)
    files.write_new(path, document.typeset(make(decision, _stated(at), name=path.stem), paper=paper))


def _stated(at: datetime) -> Any:
    from dpwizard.base.errors import InvalidInput
    from dpwizard.records import AssertedTime

    if at.tzinfo is None:
        raise InvalidInput(
            "lacks its offset from UTC", "at", "Give its offset from UTC, as in 2026-11-21T14:30:00+01:00."
        )
    return AssertedTime(time=at.replace(microsecond=0), source="signer")
