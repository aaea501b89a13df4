"""What verification finds: each check, each signer, the verdict and the outcome, as values."""

from __future__ import annotations

from typing import Literal

from dpwizard.messages import NO_MESSAGE
from dpwizard.signing.certificates import Certificate
from dpwizard.values import Sentence, Value

PASSED, FAILED, UNDETERMINED = 0, 1, 3  # exit statuses; 2 means that an input cannot be taken at all


class Finding(Value):
    """What one check found; signer is the position of the signer it speaks of, if of one."""

    check: str
    title: Sentence
    signer: int | None = None
    ok: bool | None = None  # None: could not be checked
    why: Sentence = NO_MESSAGE


class Signer(Value):
    """One signer: who, in which role, when, covering what, and whether trusted here and why."""

    position: int
    name: str
    organisation: str
    role: str
    verdict: str
    comment: str | None = None  # None: the PDF alone does not say
    conditions: tuple[str, ...] | None = None
    time: str
    time_source: str | None = None
    certificate: Certificate
    standing: str
    trusted: bool
    why: Sentence
    notes: tuple[Sentence, ...] = ()
    covers: Sentence


class TimeStamp(Value):
    """What a genuine time-stamp beside the record states, and whether its authority is trusted here."""

    time: str
    authority: str
    signer: int  # the position of the signer whose line it covers
    trusted: bool
    why: Sentence


class Verification(Value):
    """The judgement on the files given: a verdict in one sentence, and all that it rests on."""

    verdict: Literal["trusted", "unchanged", "refused", "changed", "unsigned", "incomplete"]
    ok: bool  # trusted or unchanged
    sentence: Sentence
    # what the judgement comes to: the same in the window, on the command line (its exit status) and in JSON
    outcome: Literal["passed", "failed", "undetermined"] = "undetermined"
    exit_status: int = UNDETERMINED
    complete: bool  # all files were given, all who must sign have signed, and nothing that was to be checked was not
    missing: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    signers: tuple[Signer, ...] = ()
    awaited: tuple[
        Sentence, ...
    ] = ()  # required signatures that are missing, and what breaks the policy: see required_signatures
    open: tuple[Sentence, ...] = ()  # what passing needs and cannot be determined here
    time_stamp: TimeStamp | None = None  # NAME.tsr, where one lies beside and is genuine
    json_sha256: str | None = None
    pdf_sha256: str | None = None
    typeset_bytes: int | None = None  # how many leading bytes of the PDF were there before the first signature
