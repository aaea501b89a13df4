"""What is said of signing: of each stage, of what it would do, of who is awaited, and of what was done."""

from __future__ import annotations

from dpwizard.base.errors import SigningProblem
from dpwizard.decision import Decision
from dpwizard.records import PolicyFile
from dpwizard.signing import RecordFiles, certificates, required_signatures
from ui.forms import in_words
from ui.signing import jobs, verdict_words
from ui.signing.standing import SigningPlace, same_but_for_marks
from ui.widgets import moment, tr


def doing(stage: str) -> str:
    """Return what happens in a stage."""
    return {
        "identity": tr("Opening your signing key …"),
        "copy": tr("Copying the record …"),
        "solve": tr("Recalculating every requirement …"),
        "typeset": tr("Making the pages …"),
        "sign": tr("Signing …"),
        "write": tr("Writing the files …"),
        "verify": tr("Verifying the record …"),
    }[stage]


def note(standing: SigningPlace, policy: PolicyFile | None, *, changed_since: bool) -> str:
    """Return what signing would do at the record's place; CHANGED_SINCE: the decision was opened from that record."""
    if standing.kind == "none":
        return ""
    if standing.kind == "other":
        return (
            tr(
                "Another record lies here: this decision as it was signed, and it was changed since. "
                "Choose another name, and name the old record as the one replaced."
            )
            if changed_since
            else tr("There is another record here. Choose another name: no record is overwritten.")
        )
    if standing.kind == "new":
        text = tr("This creates a new record: a PDF to read, a JSON file for software, and a signature file.")
        under = (
            tr("It is checked against “{policy}” first, and names it with its hash.", policy=policy.policy.name)
            if policy is not None
            else ""
        )
    else:
        text = tr("This record already contains this decision. Your signature will be added.")
        made_under = standing.lying.policy_name if standing.lying is not None and policy is None else ""
        under = tr("It was made under the policy “{policy}”.", policy=made_under) if made_under else ""
    return "\n".join(part for part in (text, under) if part)


def is_of(decision: Decision, standing: SigningPlace) -> bool:
    """Return whether a public edition of the record there is one of DECISION: marks count by their places in it."""
    return standing.lying is not None and same_but_for_marks(standing.lying.decision, decision)


def public_note(decision: Decision, standing: SigningPlace, public: SigningPlace) -> str:
    """Return what signing would do where the public edition of the record that STANDING speaks of is to lie."""
    if not is_of(decision, standing):
        return tr("Name above the signed record of this decision: its public edition is made from it.")
    if public.kind == "further":
        return tr("This public edition exists already: your signature is added to it.")
    if public.kind == "other":
        return tr("There is another file where the public edition would be saved. Choose another name.")
    return tr(
        "Made from the signed record, without {n} thing that is marked.",
        "Made from the signed record, without {n} things that are marked.",
        n=len(decision.withheld),
    )


def awaited(standing: SigningPlace, policy: PolicyFile | None, *, exception: bool) -> list[str]:
    """Return lines for each signature that counts or not, each role awaited; EXCEPTION: two people are needed."""
    signers, open_roles = standing.signers, standing.awaited(policy)
    named = bool((policy and policy.policy.roles) or (standing.lying and standing.lying.roles))
    lines = []
    for role in dict.fromkeys((*standing.roles(policy), *(one.role for one in signers))):
        so_far = [one for one in signers if one.role == role]
        called = verdict_words.role(role)
        for one in so_far:
            who = {"role": called, "name": one.name, "time": moment(one.time)}
            if standing.counts(one):
                lines.append(tr("✓  {role}: {name}, {time}", **who))
            else:
                verdict = verdict_words.outcome(one.verdict)
                lines.append(tr("✗  {role}: {name}, {time}: {verdict}", verdict=verdict, **who))
        if named and role in open_roles:
            other = tr("–  Missing: {role}, by someone else", role=called)
            counted = any(standing.counts(one) for one in so_far)
            lines.append(other if counted else tr("–  Missing: {role}", role=called))
    if standing.people < 2 and exception:
        lines.append(tr("!  An exception needs signatures from two people."))
    return lines


def you(holder: certificates.Certificate, role: str) -> str:
    """Return as whom one signs, and until when that certificate is valid."""
    return tr(
        "You are signing as {name} (role: {role}). Your certificate is valid until {date}.",
        name=holder.name,
        role=verdict_words.role(role),
        date=moment(holder.valid_to),
    )


def remarks(
    decision: Decision, standing: SigningPlace, policy: PolicyFile | None, role: str, holder: certificates.Certificate
) -> list[str]:
    """Return what HOLDER should know before signing in ROLE what STANDING speaks of."""
    sentences = []
    if decision.exception_reason:
        sentences.append(tr("!  An exception, which two people must sign: {reason}", reason=decision.exception_reason))
    for signer in standing.signers:
        if signer.fingerprint == holder.fingerprint:
            who = {"role": verdict_words.role(signer.role), "time": moment(signer.time)}
            sentences.append(tr("!  You already signed this record (role: {role}) on {time}.", **who))
    if policy is not None:
        try:
            required_signatures.require_role(policy, role, holder)
        except SigningProblem as problem:
            sentences.append(f"!  {in_words(problem)}")
    return sentences


def signed(ended: jobs.Signed) -> str:
    """Return what was written where."""
    place = RecordFiles.beside(ended.path)
    written = ", ".join(path.name for path in place.there)
    if ended.done == "further":
        return tr(
            "Your signature was added to the record in {folder}. Its files: {files}.",
            folder=str(place.folder),
            files=written,
        )
    return tr("The record is in {folder}. Its files: {files}.", folder=str(place.folder), files=written)


def not_verified(ended: jobs.Signed) -> str:
    """Return why what was signed is not verified yet."""
    why = in_words(ended.problem) if ended.problem is not None else ""
    return tr("It is signed, but it could not be verified now. {why}", why=why)
