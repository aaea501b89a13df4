"""What verification finds: each check, each signer, and what they come to, as values.

An outcome is one of three. Passed: everything was checked and held. Failed: something is false, or a signature that is
required is missing. Undetermined: nothing is false, and there is one thing to do.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from types import MappingProxyType
from typing import Literal

from dpwizard.base.messages import NO_MESSAGE, Message, joined, listed, message, verbatim
from dpwizard.base.values import ReplayDifference, Sentence, Value
from dpwizard.signing.certificates import Certificate, printable, stamp
from dpwizard.signing.signature import ROLE_NAMES

Outcome = Literal["passed", "failed", "undetermined"]
Verdict = Literal["trusted", "unchanged", "refused", "changed", "unsigned", "incomplete"]
# exit statuses; 2 means that an input cannot be taken at all
STATUS: MappingProxyType[Outcome, int] = MappingProxyType({"passed": 0, "failed": 1, "undetermined": 3})
OF_THE_RECORD = MappingProxyType(  # a record that fails one of these is not what was signed
    {
        "files": message("The files of the record are plain files, and none is missing in between"),
        "json": message("The JSON has the fields of a record and is written in the one way allowed"),
        "name": message("The record has the same name as its files"),
        "line": message("The signature is genuine and written in the one way allowed"),
        "chain": message("The signature names the one before it"),
        "same_json": message("The JSON file is the one that was signed"),
        "pages": message("The pages can be made again from the JSON"),
        "in_pdf": message("The signature in the PDF is genuine"),
        "seen": message("The PDF that the signer signed is the same as the PDF made again"),
        "pdf": message("The PDF is, byte for byte, the one that follows from JSON and signatures"),
        "numbers": message("Every number matches the decision when it is recalculated"),
    }
)
OF_SIGNERS = MappingProxyType(  # one that fails one of these is as it was signed, and does not count
    {
        "times": message("The stated times are in order and not in the future"),
        "stamp": message("The time-stamp is genuine and over this signature"),
        "stamp_time": message("The stated time is not later than the time-stamp"),
        "certificate": message("The certificate was valid for signing at the stated time"),
        "trust": message("The certificate is trusted here"),
        "lists": message("Someone trusted here made each list of revoked certificates"),
        "role": message("The role is one that the program or the policy knows"),
        "people": message("Proposer and approver are different people, with different keys and names"),
        "policy_time": message("The policy applied at the stated time"),
        "policy": message("The record was made under this policy"),
        "kept": message("The decision meets this policy"),
        "complete": message("What is approved is complete, and an exception has its reason"),
        "against": message("Nobody trusted here objects"),
        "log": message("Every signature of this record in the office’s log is still there"),
    }
)
AWAITED = MappingProxyType(  # what fails here was not done yet
    {
        "roles": message("Everyone who must sign has signed"),
        "order": message("Everyone who approves or advises signed after the proposal"),
        "second": message("The exception is signed by two different people"),
        "conditions": message("The conditions of each approval are met"),
    }
)
TITLES = MappingProxyType({**OF_THE_RECORD, **OF_SIGNERS, **AWAITED})
SIGN_ANEW = message("Make a new record, and have it signed with certificates that are valid.")
AGAINST = MappingProxyType({"reject": message("reject"), "refer": message("refer"), "withdraw": message("withdraw")})


class CheckResult(Value):
    """What one check found; signer is the position of the signer it speaks of, if of one."""

    check: str
    title: Sentence
    signer: int | None = None
    ok: bool | None = None  # None: it could not be made
    why: Sentence = NO_MESSAGE
    remedy: Sentence = NO_MESSAGE  # the one thing to do


class Signer(Value):
    """One signer: who, in which role, when, and whether trusted here and why."""

    position: int
    name: str
    organisation: str
    role: str
    verdict: str
    comment: str
    conditions: tuple[str, ...]
    time: str
    time_source: str
    certificate: Certificate
    standing: str
    trusted: bool
    why: Sentence
    notes: tuple[Sentence, ...] = ()


class TimeStamp(Value):
    """What a genuine time-stamp over a signature states, by an authority trusted here."""

    time: str
    authority: str
    signer: int  # the position of the signer whose line it covers


class Verification(Value):
    """The judgement on a record: a verdict, an outcome, one sentence, one thing to do, and all that they rest on."""

    verdict: Verdict
    outcome: Outcome
    exit_status: int
    sentence: Sentence
    remedy: Sentence = NO_MESSAGE
    findings: tuple[CheckResult, ...] = ()
    signers: tuple[Signer, ...] = ()
    time_stamps: tuple[TimeStamp, ...] = ()
    differences: tuple[ReplayDifference, ...] = ()
    json_sha256: str | None = None
    pdf_sha256: str | None = None
    shown_by: str | None = None  # the time by which a time-stamp or the log shows that it was decided

    @property
    def ok(self) -> bool:
        """Return whether it is as it was signed, by people who may have signed it."""
        return self.verdict in ("trusted", "unchanged")

    @property
    def problem(self) -> Message:
        """Return what speaks against the record, and what to do; nothing where it is as it was signed."""
        if self.ok:
            return NO_MESSAGE
        return joined((self.sentence, self.remedy)) if self.remedy else self.sentence

    @property
    def awaited(self) -> tuple[Message, ...]:
        """Return what is still missing, such as signatures."""
        return tuple(result.why for result in self.findings if result.ok is False and result.check in AWAITED)


class Findings:
    """What was found so far of a record: each check in its order, and what the judgement says besides."""

    def __init__(self) -> None:
        self.all: list[CheckResult] = []
        self.time_stamps: tuple[TimeStamp, ...] = ()
        self.differences: tuple[ReplayDifference, ...] = ()
        self.json_sha256: str | None = None
        self.pdf_sha256: str | None = None
        self.shown_by: datetime | None = None

    def add(
        self, check: str, ok: bool | None, why: str = NO_MESSAGE, *, remedy: str = NO_MESSAGE, signer: int | None = None
    ) -> bool:
        """Note a check; WHY and REMEDY are kept where it did not hold. Return whether it held."""
        kept = {} if ok is True and check not in ("stamp", "trust") else {"why": why, "remedy": remedy}
        self.all.append(CheckResult(check=check, title=TITLES[check], signer=signer, ok=ok, **kept))
        return ok is True

    def failed(self, checks: Iterable[str]) -> list[CheckResult]:
        """Return those of CHECKS that failed."""
        return [result for result in self.all if result.ok is False and result.check in checks]


def concluded(results: Findings, signers: tuple[Signer, ...] = (), *, signed: bool) -> Verification:
    """Return what the RESULTS for a record come to: a verdict, an outcome, one sentence and one thing to do."""
    changed, refused = results.failed(OF_THE_RECORD), results.failed(OF_SIGNERS)
    awaited, unsure = results.failed(AWAITED), [result for result in results.all if result.ok is None]
    verdict: Verdict
    if changed:
        verdict = "changed"
    elif not signed:
        verdict = "unsigned"
    elif refused:
        verdict = "refused"
    elif not signers:
        verdict = "incomplete"
    else:
        verdict = "trusted" if all(signer.trusted for signer in signers) else "unchanged"
    outcome: Outcome = "failed" if changed or refused or awaited else "undetermined" if unsure else "passed"
    first = next(iter((*changed, *refused, *awaited, *unsure)), None)
    return Verification(
        verdict=verdict,
        outcome=outcome,
        exit_status=STATUS[outcome],
        sentence=_sentence(verdict, signers, NO_MESSAGE if first is None else first.why, awaited, unsure),
        remedy=first.remedy if first is not None else NO_MESSAGE,
        findings=tuple(results.all),
        signers=signers,
        time_stamps=results.time_stamps,
        differences=results.differences,
        json_sha256=results.json_sha256,
        pdf_sha256=results.pdf_sha256,
        shown_by=None if results.shown_by is None else stamp(results.shown_by),
    )


def _sentence(
    verdict: Verdict, signers: tuple[Signer, ...], why: Message, awaited: list[CheckResult], unsure: list[CheckResult]
) -> Message:
    who = listed([message("{name} ({role}, {time})", name=s.name, role=_role(s), time=s.time) for s in signers])
    match verdict:
        case "changed":
            return message("Not valid: {reason}.", reason=why)
        case "unsigned":
            if unsure and unsure[0].check == "name":
                return message("Not signed: {reason}.", reason=why)
            return message("Not signed yet.")
        case "incomplete":
            return message("Inconclusive: {reason}.", reason=why)
        case "refused":
            return message("Unchanged since signing by {names}, but not accepted: {reason}.", names=who, reason=why)
    if verdict == "trusted":
        sentences = [message("Unchanged since signing by {names}; every certificate is trusted here.", names=who)]
    else:
        strangers = list(dict.fromkeys(signer.name for signer in signers if not signer.trusted))
        sentences = [
            message(
                "Unchanged since signing by {names}; the certificate of {strangers} is not trusted here.",
                "Unchanged since signing by {names}; the certificates of {strangers} are not trusted here.",
                names=who,
                strangers=listed(strangers),
                count=len(strangers) or 1,
            )
        ]
    if others := [result.why for result in unsure if (result.check != "trust" or result.signer is None) and result.why]:
        sentences.append(message("Not determined: {names}.", names=joined(others, "; ")))
    if awaited:
        sentences.append(message("Not complete: {names}.", names=joined([result.why for result in awaited], "; ")))
    return joined(sentences) if len(sentences) > 1 else sentences[0]


def role_name(role: str) -> Message:
    """Return a role as it is called; one that an office made up as it calls it."""
    return ROLE_NAMES.get(role) or verbatim(printable(role).replace("_", " "))


def _role(signer: Signer) -> Message:
    role = role_name(signer.role)
    return joined((role, AGAINST[signer.verdict]), ": ") if signer.verdict in AGAINST else role


# ------------------------------------------------------------------------- as lines of text


OUTCOMES = MappingProxyType(
    {
        "passed": message("Outcome: passed."),
        "failed": message("Outcome: failed."),
        "undetermined": message("Outcome: undetermined."),
    }
)
Words = Callable[..., str]  # the text given, in the language spoken, with the figures in their places


def lines(verification: Verification, words: Words) -> Iterator[str]:
    """Yield VERIFICATION, a line each; WORDS finds the words."""
    yield verification.sentence.text()
    yield "  " + OUTCOMES[verification.outcome].text()
    if verification.remedy:
        yield "  " + words("What to do: {what}", what=verification.remedy.text())
    for finding in verification.findings:
        mark = {True: words("yes"), False: words("NO"), None: words("not checked")}[finding.ok]
        whom = words("Signature {number}: ", number=finding.signer + 1) if finding.signer is not None else ""
        yield f"  {whom}{finding.title.text()}: {mark}" + (f" – {finding.why.text()}" if finding.why else "")
    for signer in verification.signers:
        yield from _of_signer(signer, words)


def _of_signer(signer: Signer, words: Words) -> Iterator[str]:
    number, why = signer.position + 1, signer.why.text()
    holder = f"{signer.name}, {signer.organisation}" if signer.organisation else signer.name
    source = printable(signer.time_source)
    signature = f"{holder}, {printable(signer.role)}: {printable(signer.verdict)}, {signer.time} ({source})"
    yield words("  Signature {number}: {whom} – {why}", number=number, whom=signature, why=why)
    for text in (signer.comment, *signer.conditions):
        if text:
            # one line, and nothing that a terminal obeys
            yield "    " + json.dumps(text, ensure_ascii=not text.isprintable())
    for note in signer.notes:
        yield "    " + words("Note: {note}.", note=note.text())
    yield "    " + words("Certificate, SHA-256: {fingerprint}", fingerprint=signer.certificate.fingerprint)
