"""A judgement on a record as lines of text: the verdict, every check, and all that is known of each signer."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from dpwizard.messages import message
from dpwizard.signing.certificates import printable
from dpwizard.signing.findings import Signer, Verification

OUTCOMES = {
    "passed": message("Outcome: passed."),
    "failed": message("Outcome: failed."),
    "undetermined": message("Outcome: undetermined."),
}
Words = Callable[..., str]  # the text given, in the language spoken, with the figures in their places


def lines(found: Verification, said: Words) -> Iterator[str]:
    """Yield what was FOUND, a line each; SAID finds the words."""
    yield found.sentence.said()
    yield "  " + OUTCOMES[found.outcome].said()
    for finding in found.findings:
        mark = {True: said("yes"), False: said("NO"), None: said("not checked")}[finding.ok]
        yield f"  {finding.title.said()}: {mark}. {finding.why.said()}".rstrip()
    for signer in found.signers:
        yield from _of_signer(signer, said)


def _of_signer(signer: Signer, said: Words) -> Iterator[str]:
    number, why = signer.position + 1, signer.why.said()
    holder = f"{signer.name}, {signer.organisation}" if signer.organisation else signer.name
    source = said("as the PDF states it") if signer.time_source is None else printable(signer.time_source)
    whom = f"{holder}, {printable(signer.role)}: {printable(signer.verdict)}, {signer.time} ({source})"
    yield said("  Signature {number}: {whom}. {why}", number=number, whom=whom, why=why)
    yield "    " + said("Covers {what}.", what=signer.covers.said())
    for text in (signer.comment, *(signer.conditions or ())):
        if text:
            # one line, and nothing that a terminal obeys
            yield "    " + json.dumps(text, ensure_ascii=not text.isprintable())
    for note in signer.notes:
        yield "    " + said("Note: {note}.", note=note.said())
    yield "    " + said("Certificate, SHA-256: {fingerprint}", fingerprint=signer.certificate.fingerprint)
