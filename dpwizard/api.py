"""The program from Python: what the window and the command line do, as functions.

`from dpwizard import read_decision, assess, sign`: docs/python.md shows each at work. What a function needs is imported
when it is called, so that `import dpwizard` itself costs nothing. Whatever is wrong is a `DPWizardError` that names the
field, the value, what is allowed and a remedy.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from dpwizard.decision import Assessment, Decision, Paper, Plan
    from dpwizard.examination import Examination
    from dpwizard.records import PolicyFile
    from dpwizard.signing import RecordFiles
    from dpwizard.signing.findings import Verification
    from dpwizard.signing.identity import Identity
    from dpwizard.signing.replaying import Replayed

Verdict = Literal["propose", "approve", "approve_with_conditions", "refer", "reject", "withdraw", "vouch", "none"]


def read_decision(source: Path | str | Mapping[str, Any]) -> Decision:
    """Return the decision in a decision file or a record, or in fields as they stand in such a file.

    Arguments: source, the path of a file (str or Path), or the fields by name. Nothing is solved yet. Raises
    FileProblem where the file cannot be read, InvalidInput naming the field that is wrong.
    """
    from dpwizard.decision import read_decision as from_fields
    from dpwizard.projects.project import open_project

    return from_fields(dict(source)) if isinstance(source, Mapping) else open_project(Path(source))


def write_decision(decision: Decision, path: Path | str) -> None:
    """Write a decision to a decision file, the old file or the new one and never half.

    Raises FileProblem where it cannot be written, or where the file is a record or of a newer version.
    """
    from dpwizard.projects.project import save_project

    save_project(Path(path), decision)


def assess(decision: Decision) -> Assessment:
    """Return what a decision's requirements allow together: an answer for each, and the window between them.

    **Safe side: the window's upper end is never above what is allowed, its lower never below what is needed**, each
    within its answer's `error`. Raises nothing for a decision that was read: a solver that fails gives an answer of
    status "failed", what cannot be kept one of status "infeasible".
    """
    from dpwizard.decision import assess as solve

    return solve(decision)


def plan(decision: Decision) -> Plan:
    """Return what the accuracy needs of a decision ask for together: the least budget, and the dearest need.

    **Safe side: budgets are rounded up**; at them every need is met. Raises nothing for a decision that was read.
    """
    from dpwizard.decision import plan as planned

    return planned(decision, assess(decision))


def compute(name: str, **arguments: Any) -> Any:
    """Return the value of one of the functions by name, such as "accuracy.noise"; docs/functions.md lists them all.

    Each says its unit, range, error and safe side there. Raises InvalidInput where no function is called NAME (with the
    nearest names) or an argument is not allowed, Infeasible where no budget does what is asked.
    """
    from dpwizard.privacy.compute import find

    return find(name)(**arguments)


def make_identity(
    path: Path | str, *, name: str, passphrase: str, at: datetime, organisation: str = "", years: int = 3
) -> Identity:
    """Make an identity to sign with: a key file under a passphrase, and beside it the certificate others trust.

    Arguments: path, where the key file goes (.p12); at, the time from which it is valid, with its offset from UTC;
    years, 1 to 30. Raises FileProblem where a file lies there already, InvalidInput where the passphrase is too short.
    """
    from dpwizard.signing import signing

    named = {"name": name, "organisation": organisation, "passphrase": passphrase}
    identity, write = signing.make_identity(Path(path), **named, years=years, now=at)
    write()
    return identity


def open_identity(path: Path | str, *, passphrase: str) -> Identity:
    """Return the identity in a key file.

    Arguments: path, the key file (.p12); passphrase, what it lies under. Raises FileProblem where it cannot be read,
    SigningProblem where the passphrase does not open it.
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
    """Make the record of a decision, sign it, and write its .json, its signature and its .pdf.

    Arguments: to, where the record goes, without an ending; role, in what role the signer signs; at, the stated time,
    with its offset from UTC; verdict, the decision's outcome where none is given; policy, a policy file it must keep
    (None: the office's, if one is placed). The same decision, identity and time give the same JSON and pages as the
    window. Returns where the files lie.
    Raises InvalidInput where something is missing, FileProblem where a file lies there already or cannot be written,
    SigningProblem where the identity cannot sign.
    """
    from dpwizard.signing import RecordFiles, signing

    target = RecordFiles.beside(Path(to))
    request = signing.SigningRequest(
        identity=identity,
        role=role,
        verdict=verdict or decision.outcome or "none",
        comment=comment,
        stated=_stated(at),
    )
    signing.sign_new(decision, target, request, policy=_policy(policy))
    return target


def verify(
    path: Path | str, *, at: datetime, trusted: Iterable[Path | str] = (), policy: Path | str | None = None
) -> Verification:
    """Judge a record: what its signatures cover, by whom, and whether anything has changed since.

    Arguments: path, one of its files or their bare name; at, the time to judge at, with its offset from UTC; trusted,
    certificates (files or folders) beside those that this computer trusts; policy, a policy file it must keep. What is
    wrong with the record is in the result: `outcome`, `sentence`, `remedy`, and the findings. Raises FileProblem where
    none is there.
    """
    from dpwizard.signing import RecordFiles, office
    from dpwizard.signing.verify_tasks import verify_folder

    named = Path(policy) if policy is not None else None
    places = office.trust_places([Path(place) for place in trusted], named)
    return verify_folder(RecordFiles.beside(Path(path)), places, at, named)


def replay(path: Path | str, *, at: datetime) -> Replayed:
    """Solve the decision of a record again, and compare every number with the recorded one.

    Arguments: path, the .json of a record; at, the time at which its signatures are judged. What cannot be read is in
    the result too: `verdict` is "same", "differs" or "unreadable".
    """
    from dpwizard.signing.replaying import replay_file

    return replay_file(Path(path), at)


def examine(source: Path | str | Mapping[str, Any]) -> Examination:
    """Hold every statement of a published claim against its own arithmetic; none of its figures is believed.

    Arguments: source, the path of an entry of the registry, a claim (YAML or JSON), a decision or a record; or the
    fields of a claim by name. What differs is in the result: `ok`, and the findings, each with its formula and figures.
    **A difference below 0 claims less than is lost.** Raises FileProblem where the file cannot be read, InvalidInput
    naming the field that is wrong.
    """
    from dpwizard.base import files
    from dpwizard.examination import examine as second_opinion
    from dpwizard.examination import examine_fields

    return examine_fields(source) if isinstance(source, Mapping) else second_opinion(files.read_bytes(Path(source)))


def typeset(decision: Decision, to: Path | str, *, at: datetime, paper: Paper | None = None) -> None:
    """Typeset what a record of a decision would say, unsigned, as a PDF.

    Arguments: to, the .pdf to write; at, the stated time, with its offset from UTC; paper, that of the decision where
    none is named. Raises FileProblem where a file lies there already or cannot be written.
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


def _policy(path: Path | str | None) -> PolicyFile | None:
    from dpwizard.signing import office, policy_files

    return None if path is None else policy_files.read_policy(Path(path), office.trust_places((), Path(path)))
