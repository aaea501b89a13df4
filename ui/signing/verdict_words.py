"""What a verification found, in words: heading, signers, checks; for the window and to be copied as text."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from ui.widgets import tr

if TYPE_CHECKING:
    from dpwizard.signing.findings import Finding, Signer, Verification

APPENDED = ("end", "whole")
SAME = ("attachment", "json", "pair")


def role(key: str) -> str:
    """Return a role in words; one that an office made up is said as it is."""
    known = {
        "proposes": tr("proposes"),
        "approves": tr("approves"),
        "data_protection_officer": tr("data protection officer"),
    }
    return known.get(key, key.replace("_", " "))


def outcome(key: str) -> str:
    """Return a signer's verdict in words."""
    known = {
        "approve": tr("approve"),
        "approve_with_conditions": tr("approve with conditions"),
        "reject": tr("reject"),
        "refer": tr("refer to others"),
        "none": tr("no verdict"),
    }
    return known.get(key, key)


def heading(found: Verification) -> str:
    """Return the verdict in a few words."""
    if found.ok and found.awaited:
        return tr("As signed, but not complete")
    if found.verdict == "trusted" and found.outcome == "undetermined":
        return tr("As signed; not everything could be checked here")
    return {
        "trusted": tr("As signed, by people trusted here"),
        "unchanged": tr("As signed; identity not established"),
        "refused": tr("As signed, but refused"),
        "changed": tr("Not as signed"),
        "unsigned": tr("Not signed"),
        "incomplete": tr("Nothing can be said"),
    }[found.verdict]


def outcome_line(found: Verification) -> str:
    """Return what the judgement comes to, as the exit status of the command line and the JSON say it."""
    broken = tr("Not passed: it is not as it was signed, or is refused.")
    return {
        "passed": tr("Passed: as signed, everybody is trusted here, and no policy is broken."),
        "failed": tr("Not passed: what is asked of it is not fulfilled.") if found.awaited else broken,
        "undetermined": tr("Undetermined: nothing speaks against it, and not everything could be checked here."),
    }[found.outcome]


def mark(ok: bool | None) -> str:
    """Return the sign for a check that held, failed or could not be made."""
    return {True: "✓", False: "✗", None: "–"}[ok]


def held(found: Verification, checks: tuple[str, ...]) -> bool | None:
    """Return whether all of CHECKS held: no, if one failed; None, if none could be made."""
    states = [finding.ok for finding in found.findings if finding.check in checks]
    if False in states:
        return False
    return True if True in states else None


def key_lines(found: Verification) -> tuple[tuple[bool | None, str], ...]:
    """Return the two questions everybody asks of a record, answered."""
    same, appended = held(found, SAME), held(found, APPENDED)
    return (
        (
            same,
            {
                True: tr("The JSON and the PDF say the same."),
                False: tr("The JSON and the PDF do not say the same, or one was changed."),
                None: tr("Whether the JSON and the PDF say the same could not be checked."),
            }[same],
        ),
        (
            appended,
            {
                True: tr("Nothing was appended after the last signature."),
                False: tr("Something was appended after the last signature, or is missing."),
                None: tr("Whether anything was appended could not be checked."),
            }[appended],
        ),
    )


def moment(text: str) -> str:
    """Return an instant as people read it, with the offset from UTC it was stated in."""
    try:
        read = datetime.fromisoformat(text)
    except ValueError:
        return text
    return tr("{date}, {time} UTC", date=read.strftime("%Y-%m-%d"), time=read.strftime("%H:%M:%S"))


def source(key: str | None) -> str:
    """Return whose word a stated time is."""
    known = {"signer": tr("as the signer entered it"), "computer": tr("by the signer's computer")}
    return tr("as the PDF states it") if key is None else known.get(key, key)


def signer_lines(signer: Signer) -> tuple[str, ...]:
    """Return what is to be said of one signer, the name left out."""
    lines = [
        tr("Role: {role}. Verdict: {verdict}.", role=role(signer.role), verdict=outcome(signer.verdict)),
        tr("Signed {time}, {source}.", time=moment(signer.time), source=source(signer.time_source)),
        tr("Trusted: {why}.", why=signer.why.said())
        if signer.trusted
        else tr("Not trusted here: {why}.", why=signer.why.said()),
        tr("Covers {what}.", what=signer.covers.said()),
    ]
    if signer.comment:
        lines.append(tr("Comment: {comment}", comment=signer.comment))
    lines += [tr("On condition: {condition}", condition=condition) for condition in signer.conditions or ()]
    lines += [tr("Note: {note}.", note=note.said()) for note in signer.notes]
    return tuple(lines)


def stamp_line(found: Verification) -> str:
    """Return what a time-stamp beside the record says; nothing where none lies there."""
    stamp = found.time_stamp
    if stamp is None:
        return next((f"{finding.why.said()}." for finding in found.findings if finding.check == "stamp"), "")
    said = tr(
        "Time-stamp: signature {number} was there on {time}, says {authority}; {why}.",
        number=stamp.signer + 1,
        time=moment(stamp.time),
        authority=stamp.authority,
        why=stamp.why.said(),
    )
    disputed = [
        finding_line(finding) for finding in found.findings if finding.check == "stamp_time" and finding.ok is False
    ]
    return "\n".join((said, *disputed))


def finding_line(finding: Finding) -> str:
    """Return one check with its outcome."""
    who = tr("Signature {number}: ", number=finding.signer + 1) if finding.signer is not None else ""
    return f"{mark(finding.ok)}  {who}{finding.title.said()}" + (f" – {finding.why.said()}" if finding.why else "")


def as_text(found: Verification, name: str) -> str:
    """Return everything found, as text to be copied."""
    lines = [tr("Verification of {name}", name=name), found.sentence.said(), outcome_line(found), ""]
    lines += [f"{mark(ok)}  {words}" for ok, words in key_lines(found)]
    for signer in found.signers:
        lines += [
            "",
            tr("Signature {number}: {name}", number=signer.position + 1, name=signer.name),
            *signer_lines(signer),
        ]
        lines.append(tr("Certificate, SHA-256: {fingerprint}", fingerprint=signer.certificate.fingerprint))
    if stamp := stamp_line(found):
        lines += ["", stamp]
    lines += ["", tr("What was checked"), *(finding_line(finding) for finding in found.findings)]
    for words, digest in (
        (tr("JSON, SHA-256: {hash}", hash=found.json_sha256 or ""), found.json_sha256),
        (tr("PDF, SHA-256: {hash}", hash=found.pdf_sha256 or ""), found.pdf_sha256),
    ):
        lines += [words] if digest else []
    return "\n".join(lines) + "\n"
