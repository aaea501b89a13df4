"""A judgement on a record as lines of text: the verdict, what to do, every check, and each signer."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from types import MappingProxyType

from dpwizard.base.messages import message
from dpwizard.signing.certificates import printable
from dpwizard.signing.findings import Signer, Verification

OUTCOMES = MappingProxyType(
    {
        "passed": message("Outcome: passed."),
        "failed": message("Outcome: failed."),
        "undetermined": message("Outcome: undetermined."),
    }
)
Words = Callable[..., str]  # the text given, in the language spoken, with the figures in their places


def lines(found: Verification, said: Words) -> Iterator[str]:
    """Yield what was FOUND, a line each; SAID finds the words."""
    yield found.sentence.said()
    yield "  " + OUTCOMES[found.outcome].said()
    if found.remedy:
        yield "  " + said("What to do: {what}", what=found.remedy.said())
    for finding in found.findings:
        mark = {True: said("yes"), False: said("NO"), None: said("not checked")}[finding.ok]
        whom = said("Signature {number}: ", number=finding.signer + 1) if finding.signer is not None else ""
        yield f"  {whom}{finding.title.said()}: {mark}" + (f" – {finding.why.said()}" if finding.why else "")
    for signer in found.signers:
        yield from _of_signer(signer, said)


def _of_signer(signer: Signer, said: Words) -> Iterator[str]:
    number, why = signer.position + 1, signer.why.said()
    holder = f"{signer.name}, {signer.organisation}" if signer.organisation else signer.name
    source = printable(signer.time_source)
    whom = f"{holder}, {printable(signer.role)}: {printable(signer.verdict)}, {signer.time} ({source})"
    yield said("  Signature {number}: {whom} – {why}", number=number, whom=whom, why=why)
    for text in (signer.comment, *signer.conditions):
        if text:
            # one line, and nothing that a terminal obeys
            yield "    " + json.dumps(text, ensure_ascii=not text.isprintable())
    for note in signer.notes:
        yield "    " + said("Note: {note}.", note=note.said())
    yield "    " + said("Certificate, SHA-256: {fingerprint}", fingerprint=signer.certificate.fingerprint)
