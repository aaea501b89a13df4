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


def lines(found: Verification, words: Words) -> Iterator[str]:
    """Yield what was FOUND, a line each; WORDS finds the words."""
    yield found.sentence.text()
    yield "  " + OUTCOMES[found.outcome].text()
    if found.remedy:
        yield "  " + words("What to do: {what}", what=found.remedy.text())
    for finding in found.findings:
        mark = {True: words("yes"), False: words("NO"), None: words("not checked")}[finding.ok]
        whom = words("Signature {number}: ", number=finding.signer + 1) if finding.signer is not None else ""
        yield f"  {whom}{finding.title.text()}: {mark}" + (f" – {finding.why.text()}" if finding.why else "")
    for signer in found.signers:
        yield from _of_signer(signer, words)


def _of_signer(signer: Signer, words: Words) -> Iterator[str]:
    number, why = signer.position + 1, signer.why.text()
    holder = f"{signer.name}, {signer.organisation}" if signer.organisation else signer.name
    source = printable(signer.time_source)
    whom = f"{holder}, {printable(signer.role)}: {printable(signer.verdict)}, {signer.time} ({source})"
    yield words("  Signature {number}: {whom} – {why}", number=number, whom=whom, why=why)
    for text in (signer.comment, *signer.conditions):
        if text:
            # one line, and nothing that a terminal obeys
            yield "    " + json.dumps(text, ensure_ascii=not text.isprintable())
    for note in signer.notes:
        yield "    " + words("Note: {note}.", note=note.text())
    yield "    " + words("Certificate, SHA-256: {fingerprint}", fingerprint=signer.certificate.fingerprint)
