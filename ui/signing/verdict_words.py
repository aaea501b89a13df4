"""What a verification found, in words: heading, signers, checks; for the window and to be copied as text."""

from __future__ import annotations

from collections.abc import Iterator

from dpwizard.base.one_line import on_one_line
from dpwizard.signing import findings, required_signatures, trust
from dpwizard.wording import quoted
from ui.widgets import moment, tr

ROLES = ("proposes", "approves", "data_protection_officer")  # of every record, in the order in which they sign
PHRASED = ("proposes", "approves", "vouches")  # roles that what was done names
PAGES = ("pages", "in_pdf", "seen", "pdf")
NUMBER = 20  # digits of a certificate's SHA-256 that people compare: 80 bits, too many to search for


def role(key: str) -> str:
    """Return a role in words; one that an office invented stays as it is."""
    return findings.role_name(key).text()


def outcome(key: str) -> str:
    """Return a signer's verdict in words."""
    known = {
        "propose": tr("propose"),
        "approve": tr("approve"),
        "approve_with_conditions": tr("approve with conditions"),
        "reject": tr("reject"),
        "refer": tr("send back"),
        "withdraw": tr("withdraw"),
        "vouch": tr("vouch"),
        "none": tr("no verdict"),
    }
    return known.get(key, key)


def what_was_done(signer: findings.Signer) -> str:
    """Return in one phrase what a signer did; the role, too, where the phrase does not say it."""
    proposes = tr("Proposes.")
    known = {
        "reject": tr("Rejects."),
        "refer": tr("Sends it back."),
        "withdraw": tr("Withdraws the signature."),
        "vouch": tr("Vouches for a statement."),
        "propose": proposes,
        "none": tr("No verdict."),
    }
    approving = {"approve": tr("Approves."), "approve_with_conditions": tr("Approves with conditions.")}
    if signer.role == "proposes":
        known["none"] = proposes
        approving = {"approve": proposes, "approve_with_conditions": tr("Proposes, with conditions.")}
    words = (known | approving).get(signer.verdict, signer.verdict)
    if signer.role in PHRASED:
        return words
    return tr("{what} Role: {role}.", what=words, role=role(signer.role))


def status(verification: findings.Verification) -> str:
    """Return whether a record whose signers are trusted here is proposed or approved."""
    if verification.verdict == "trusted" and required_signatures.approved_at(verification):
        return "approved"
    proposed = any(one.role == "proposes" and one.verdict not in findings.AGAINST for one in verification.signers)
    return "proposed" if verification.verdict == "trusted" and proposed else ""


def state(verdict: str, result: str) -> str:
    """Return how a record stands, by the VERDICT and the outcome (RESULT) of its verification."""
    if verdict in ("trusted", "unchanged") and result == "failed":
        return tr("Unchanged, but signatures or conditions are missing")
    if verdict == "trusted" and result == "undetermined":
        return tr("Unchanged, but not everything could be checked here")
    known = {
        "trusted": tr("Valid: unchanged, and every signer is trusted here"),
        "unchanged": tr("Unchanged, but a signer is not trusted here"),
        "refused": tr("Unchanged, but not accepted"),
        "changed": tr("Not valid: changed, or not genuinely signed"),
        "unsigned": tr("Not signed yet"),
        "incomplete": tr("Cannot be checked: files are missing"),
    }
    return known.get(verdict, tr("Cannot be read"))


def heading(verification: findings.Verification) -> str:
    """Return the verdict in a few words."""
    if verification.outcome == "passed" and status(verification) == "proposed":
        return tr("Unchanged; proposed, not approved yet")
    return state(verification.verdict, verification.outcome)


def outcome_line(verification: findings.Verification) -> str:
    """Return what the judgement comes to, as the exit status of the command line and the JSON say it."""
    if verification.outcome == "passed":
        return tr("Passed: unchanged, every signer trusted here, no policy broken.")
    if verification.outcome == "undetermined":
        return tr("Inconclusive: no problem found, but some checks could not run here.")
    if verification.ok:
        return tr("Failed: a required signature or condition is missing.")
    if verification.verdict == "refused":
        return tr("Failed: what was signed is unchanged, but not accepted.")
    return tr("Failed: it is not what was signed.")


def number(fingerprint: str) -> str:
    """Return the signature number of a certificate: what people compare, in groups of four."""
    return in_groups(fingerprint[:NUMBER])


def in_groups(fingerprint: str) -> str:
    """Return a fingerprint in groups of four, as people compare it aloud."""
    return " ".join(fingerprint[i : i + 4] for i in range(0, len(fingerprint), 4)).upper()


def signed_by(signer: findings.Signer, reader: str) -> str:
    """Return in one sentence who signed, and when; READER is the fingerprint of the reader's certificate, if known."""
    time = moment(signer.time)
    if signer.certificate.fingerprint == reader:
        return tr("Signed by you, {time}.", time=time)
    if signer.trusted:
        return tr("Signed by {name}, {time}.", name=signer.name, time=time)
    if not can_be_met(signer):
        return tr("Signed in the name of {name}, {time}.", name=signer.name, time=time)
    return tr(
        "Signed with the signature {number} in the name of {name}, {time}. You have not met it yet.",
        number=number(signer.certificate.fingerprint),
        name=signer.name,
        time=time,
    )


def summary(verification: findings.Verification, reader: str) -> str:
    """Return who signed and that nothing has changed since; else what is wrong."""
    sentences = [signed_by(signer, reader) for signer in verification.signers]
    if not verification.ok:
        return "\n".join([*sentences, reason(verification)])
    return "\n".join([*sentences[:-1], f"{sentences[-1]} {tr('Nothing has changed since.')}"])


def reason(verification: findings.Verification) -> str:
    """Return in one sentence why a record is not valid: the first check that failed, else the first not made."""
    known = [finding for finding in verification.findings if finding.why]
    failed = [finding for finding in known if finding.ok is False]
    why = next(iter((*failed, *known))).why.text() if known else verification.sentence.text()
    return f"{why[:1].upper()}{why[1:].rstrip('.')}."


def result(verification: findings.Verification, reader: str) -> str:
    """Return the summary of VERIFICATION, with how the record stands where that is not simply valid."""
    text = summary(verification, reader)
    if verification.outcome == "passed":
        return text
    if not verification.ok:
        return f"{heading(verification)}.\n{text}"
    missing = (tr("Missing: {what}", what=line.text()) for line in verification.awaited)
    return "\n".join((text, f"{heading(verification)}.", *missing))


def ask(signer: findings.Signer) -> str:
    """Return how to find out whether a signature that is not trusted here is that person's."""
    return tr(
        "You have not compared its number yet. Ask {name} for it, by telephone or in person: {number}",
        number=number(signer.certificate.fingerprint),
        name=signer.name,
    )


def not_theirs(signer: findings.Signer) -> str:
    """Return what to do where the number is not the one that SIGNER's namesake has."""
    return tr(
        "Do not use this record. Someone else signed it in the name of {name}. Ask {name} for the record they signed.",
        name=signer.name,
    )


def can_be_met(signer: findings.Signer) -> bool:
    """Return whether trusting the certificate would change anything: not where it cannot have signed at that time."""
    return not signer.trusted and signer.standing not in trust.REFUSED


def mark(ok: bool | None) -> str:
    """Return the sign for a check that held, failed or could not be made."""
    return {True: "✓", False: "✗", None: "–"}[ok]


def held(verification: findings.Verification, checks: tuple[str, ...]) -> bool | None:
    """Return whether all of CHECKS held: no, if one failed; None, if none could be made."""
    states = [finding.ok for finding in verification.findings if finding.check in checks]
    if False in states:
        return False
    return True if states and None not in states else None


def key_lines(verification: findings.Verification) -> tuple[tuple[bool | None, str], ...]:
    """Return the two questions everybody asks of a record, answered."""
    pages, numbers = held(verification, PAGES), held(verification, ("numbers",))
    of_pages = {
        True: tr("The PDF matches the JSON file and the signatures, byte for byte."),
        False: tr("The PDF does not match the JSON file and the signatures."),
        None: tr("Whether the PDF matches the JSON file and the signatures could not be checked."),
    }
    of_numbers = {
        True: tr("Every number was recalculated from the decision, and matches."),
        False: tr("A number does not match the decision when it is recalculated."),
        None: tr("Whether every number matches the decision could not be checked."),
    }
    return (pages, of_pages[pages]), (numbers, of_numbers[numbers])


def source(key: str) -> str:
    """Return whose word a stated time is."""
    known = {"signer": tr("as the signer entered it"), "computer": tr("by the signer’s computer")}
    return known[key]


def in_one_line(text: str) -> str:
    """Return what somebody typed on one line, so that no part of it passes for a line of the program."""
    return on_one_line(" ".join(text.splitlines()))


def as_typed(text: str) -> str:
    """Return what somebody typed on one line and in quotation marks, so that it passes for no line of the program."""
    return quoted(on_one_line(" ".join(text.split())))


def signer_lines(signer: findings.Signer) -> tuple[str, ...]:
    """Return what is to be said of one signer, the name left out."""
    lines = [
        what_was_done(signer),
        tr("Signed {time}, {source}.", time=moment(signer.time), source=source(signer.time_source)),
        tr("Trusted: {why}.", why=signer.why.text())
        if signer.trusted
        else tr("Not trusted here: {why}.", why=signer.why.text()),
    ]
    if signer.comment:
        lines.append(tr("Comment: {comment}", comment=as_typed(signer.comment)))
    lines += [tr("On condition: {condition}", condition=as_typed(condition)) for condition in signer.conditions]
    lines += [tr("Note: {note}.", note=note.text()) for note in signer.notes]
    return tuple(lines)


def open_lines(verification: findings.Verification) -> Iterator[str]:
    """Yield what could not be checked, with the name of the signer whom it speaks of."""
    for finding in verification.findings:
        if finding.ok is None and finding.why:
            line = tr("–  Not checked: {what}", what=finding.why.text())
            yield line if finding.signer is None else f"{line} ({verification.signers[finding.signer].name})"


def stamp_lines(verification: findings.Verification) -> tuple[str, ...]:
    """Return what the time-stamps over signatures say, a line each."""
    return tuple(finding_line(finding) for finding in verification.findings if finding.check in ("stamp", "stamp_time"))


def remedy(verification: findings.Verification) -> tuple[str, ...]:
    """Return the one thing to do, if there is one."""
    return (tr("What to do: {what}", what=verification.remedy.text()),) if verification.remedy else ()


def finding_line(finding: findings.CheckResult) -> str:
    """Return one check with its outcome."""
    who = tr("Signature {number}: ", number=finding.signer + 1) if finding.signer is not None else ""
    return f"{mark(finding.ok)}  {who}{finding.title.text()}" + (f" – {finding.why.text()}" if finding.why else "")


def as_text(verification: findings.Verification, name: str, reader: str) -> str:
    """Return everything found, as text to be copied."""
    lines = [tr("Verification of {name}", name=name), heading(verification), summary(verification, reader)]
    lines += [outcome_line(verification), *remedy(verification), ""]
    lines += [f"{mark(ok)}  {words}" for ok, words in key_lines(verification)]
    for signer in verification.signers:
        lines += ["", tr("Signature {number}: {name}", number=signer.position + 1, name=signer.name)]
        lines += signer_lines(signer)
        lines.append(tr("Certificate, SHA-256: {fingerprint}", fingerprint=signer.certificate.fingerprint))
    if stamps := stamp_lines(verification):
        lines += ["", *stamps]
    lines += ["", tr("What was checked"), *(finding_line(finding) for finding in verification.findings)]
    for words, digest in (
        (tr("JSON, SHA-256: {hash}", hash=verification.json_sha256 or ""), verification.json_sha256),
        (tr("PDF, SHA-256: {hash}", hash=verification.pdf_sha256 or ""), verification.pdf_sha256),
    ):
        lines += [words] if digest else []
    return "\n".join(lines) + "\n"
