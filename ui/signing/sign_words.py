"""Texts about signing: each stage, what a signature would do, whose signature is missing, and what was done."""

from __future__ import annotations

from dpwizard.decision import Decision, derived_fields
from dpwizard.projects import comparison
from dpwizard.records import APPROVALS, PolicyFile
from dpwizard.signing import RecordFiles, certificates, findings, signature
from ui.forms import in_words
from ui.signing import jobs, verdict_words
from ui.signing.signature_files import SignatureFile
from ui.signing.standing import Lying, Signer, SigningPlace, same_but_for_marks
from ui.signing.verdict_words import in_one_line
from ui.widgets import moment, tr

MOST_CHANGES = 4  # fields named that were changed since a record was signed


def doing(stage: str) -> str:
    """Return what happens in a stage."""
    return {
        "identity": tr("Opening your signature …"),
        "copy": tr("Copying the record …"),
        "solve": tr("Recalculating every requirement …"),
        "typeset": tr("Making the pages …"),
        "sign": tr("Signing …"),
        "write": tr("Writing the files …"),
        "verify": tr("Verifying the record …"),
    }[stage]


def note(standing: SigningPlace, policy: PolicyFile | None) -> str:
    """Return what signing would do at the record's place, where that is not plain."""
    if standing.kind == "other":
        return tr("There is another record here. Choose another name: no record is overwritten.")
    if standing.kind == "new" and policy is not None:
        return tr("It is checked against “{policy}” first, and names it with its hash.", policy=policy.policy.name)
    named = standing.lying.made.policy if standing.lying is not None and policy is None else None
    return tr("It was made under the policy “{policy}”.", policy=named.name) if named is not None else ""


def is_of(decision: Decision, standing: SigningPlace) -> bool:
    """Return whether a public version of the record there is one of DECISION: marks count by their places in it."""
    return standing.lying is not None and same_but_for_marks(standing.lying.decision, decision)


def public_note(decision: Decision, standing: SigningPlace) -> str:
    """Return what the public version of the record that STANDING speaks of is made from."""
    if not is_of(decision, standing):
        return tr("Sign the record itself first: its public version is made from it.")
    return tr(
        "Made from the signed record, without {n} marked item.",
        "Made from the signed record, without {n} marked items.",
        n=len(decision.withheld),
    )


def judgement(record: jobs.Judged | None, reader: str, *, restless: bool = False) -> str:
    """Return what verification found of a RECORD that lies there; READER is the fingerprint of who signed last here.

    RESTLESS: its files change again and again.
    """
    if record is None and restless:
        return tr("The files of this record keep changing. Come back when no other program writes to them.")
    if record is None:
        return tr("Verifying the record …")
    if record.verification is None:
        why = in_words(record.problem) if record.problem is not None else ""
        return tr("It could not be verified now. {why}", why=why)
    return verdict_words.result(record.verification, reader)


def awaited(
    standing: SigningPlace, policy: PolicyFile | None, verification: findings.Verification | None, *, exception: bool
) -> list[str]:
    """Return lines for each signature, by its VERIFICATION, and each role awaited; EXCEPTION: two people are needed."""
    signers, open_roles = standing.signers, standing.awaited(policy)
    made_under = standing.lying.made.policy if standing.lying is not None else None
    named = bool((policy and policy.policy.roles) or (made_under and made_under.roles))
    lines = []
    for role in dict.fromkeys((*standing.roles(policy), *(signer.role for signer in signers))):
        so_far = [signer for signer in signers if signer.role == role]
        called = verdict_words.role(role)
        for signer in so_far:
            vouches = signer.verdict == "vouch" and standing.stands(signer)
            counts = vouches or standing.counts(signer)
            lines.append(_signature(signer, counts=counts, verification=verification))
        if named and role in open_roles:
            other = tr("–  Missing: {role}, by someone else", role=called)
            counted = any(standing.counts(signer) for signer in so_far)
            lines.append(other if counted else tr("–  Missing: {role}", role=called))
    if standing.people < 2 and exception:
        lines.append(tr("!  An exception needs signatures from two people."))
    return lines


def _signature(signer: Signer, *, counts: bool, verification: findings.Verification | None) -> str:
    """Return a line for a signature that COUNTS or not, by what VERIFICATION finds of it."""
    who = {"role": verdict_words.role(signer.role), "name": signer.name, "time": moment(signer.time)}
    if not counts:
        return tr("✗  {role}: {name}, {time}: {verdict}", verdict=verdict_words.outcome(signer.verdict), **who)
    if verification is not None and (verification.ok or verification.verdict == "refused"):
        trusted = {judged.certificate.fingerprint for judged in verification.signers if judged.trusted}
        if signer.fingerprint in trusted:
            return tr("✓  {role}: {name}, {time}", **who)
    return tr("?  {role}: in the name of {name}, {time}", **who)


def signers(decision: Decision) -> dict[str, tuple[str, str]]:
    """Return who is to sign in which role, and for which office, as DECISION says."""
    details = decision.details
    author, approver = next(iter(details.authors), ""), details.approver or ""
    named = {"proposes": (author, details.controller or ""), "approves": (approver, "")}
    vouching = sorted({*vouchers(decision).values()})
    if len(vouching) == 1:
        named[signature.VOUCHES] = (vouching[0], "")
    return {role: (in_one_line(name).partition(",")[0], office) for role, (name, office) in named.items()}


def alone(decision: Decision) -> bool:
    """Return whether one person decides alone."""
    authors = decision.details.authors
    return bool(authors) and decision.details.approver == authors[0]


def who(name: str, role: str, decides: bool) -> str:
    """Return as whom one signs: NAME, in ROLE; DECIDES: alone."""
    if not name:
        return tr("Enter who signs.")
    if decides:
        return tr("You sign as {name}, who decides alone.", name=name)
    known = {
        "proposes": tr("You sign as {name}, who proposes.", name=name),
        "approves": tr("You sign as {name}, who approves.", name=name),
        signature.VOUCHES: tr("You sign as {name}, who vouches for what must be true.", name=name),
    }
    return known.get(role) or tr("You sign as {name} (role: {role}).", name=name, role=verdict_words.role(role))


def effect(decision: Decision, role: str, verdict: str) -> str:
    """Return when it takes effect, where ROLE and VERDICT are of those whose signatures decide that."""
    if role not in ("proposes", "approves") or verdict in findings.AGAINST:
        return ""
    if role == "approves":
        return tr("It takes effect with your signature.")
    approver = in_one_line(decision.details.approver or "")
    return tr("It takes effect when {name} signs after you.", name=approver or tr("the person who approves"))


def statement(decision: Decision, chosen: str, role: str, verdict: str, name: str) -> str:
    """Return what NAME says by signing in ROLE with VERDICT, where CHOSEN is the budget in words, if there is one."""
    what = published(decision)
    bought = tr("{what} with {budget} {value}", what=what, value=chosen) if chosen else what
    against = {
        "reject": tr("I reject publishing {what}.", what=what),
        "refer": tr("I send this back: do not publish {what} yet.", what=what),
        "withdraw": tr("I withdraw my signature: do not publish {what}.", what=what),
    }
    count = vouched(decision, name)
    vouch = tr(
        "I vouch for the statement of page 2 that bears my name.",
        "I vouch for the {n} statements of page 2 that bear my name.",
        n=count,
    )
    if verdict == "vouch":
        return vouch if count else tr("I vouch that the noise is added as the annex says.")
    if verdict not in ("approve", "approve_with_conditions"):
        return against.get(verdict) or tr("I have read the record.")
    conditional = tr("I approve publishing {what}, on conditions.", what=bought)
    approve = conditional if verdict != "approve" else tr("I approve publishing {what}.", what=bought)
    propose = tr("I propose to publish {what}.", what=bought)
    decide = tr("I decide to publish {what}.", what=bought)
    sentence = propose if role == "proposes" else decide if alone(decision) and verdict == "approve" else approve
    return f"{sentence} {vouch}" if count else sentence


def published(decision: Decision) -> str:
    """Return what is published in a few words, as the object of a sentence."""
    tables = decision.release.tables
    if len(tables) > 1:
        return tr("this {n} table", "these {n} tables", n=len(tables))
    count, (table,) = tables[0].dimension, tables
    if table.statistic in ("count", "histogram"):
        return tr("this count", "these {n} counts", n=count)
    return tr("this number", "these {n} numbers", n=count)


def vouched(decision: Decision, name: str) -> int:
    """Return for how many statements of page 2 NAME vouches: those that name them, or, of the author, nobody."""
    author, _ = signers(decision)["proposes"]
    named = vouchers(decision)
    stated = [*named.values(), *(author for key in decision.accepted if key not in named)]
    stated += [author] if derived_fields.counted(decision) == "up_to" else []
    return stated.count(name) if name else 0


def vouchers(decision: Decision) -> dict[str, str]:
    """Return the people named to vouch for an assumption, by its key; of each the name without an office."""
    named = [(answer.assumption, answer.vouched_by) for answer in decision.acknowledged if answer.state != "refused"]
    return {key: in_one_line(name).partition(",")[0] for key, name in named if name}


def button(role: str, verdict: str, *, decides: bool, public: bool) -> str:
    """Return what the button that signs is called."""
    if (role == "approves" and not decides) or verdict in findings.AGAINST:
        words = verdict_words.outcome(verdict)
        return f"{words[:1].upper()}{words[1:]}"
    if public:
        return tr("Sign the public version")
    usual = tr("Sign the proposal") if role == "proposes" else tr("Sign")
    return tr("Sign the decision") if decides else usual


def remarks(decision: Decision, shown: SigningPlace, file: SignatureFile | None) -> list[str]:
    """Return what one should know before signing what is SHOWN with FILE: an exception, a signature of one's own."""
    sentences = []
    if decision.exception_reason:
        reason = verdict_words.as_typed(decision.exception_reason)
        sentences.append(tr("!  An exception, which two people must sign: {reason}", reason=reason))
    for signer in shown.signers:
        if file is not None and signer.fingerprint == file.fingerprint:
            before = {"role": verdict_words.role(signer.role), "time": moment(signer.time)}
            sentences.append(tr("!  You already signed this record (role: {role}) on {time}.", **before))
    return sentences


def replaces(decision: Decision, before: Lying) -> str:
    """Return that the record BEFORE is replaced, and what has changed since."""
    differences = comparison.differences(before.decision, decision)
    fields = [in_one_line(difference.text) for difference in differences if "supersede" not in difference.where]
    changed = "; ".join(dict.fromkeys(fields[:MOST_CHANGES])) + (" …" if len(fields) > MOST_CHANGES else "")
    name = in_one_line(decision.details.supersedes or "")
    text = tr("It replaces the record “{name}”, which stays as it is.", name=name)
    return f"{text} {tr('Changed: {fields}.', fields=changed)}" if fields else text


def done(ended: jobs.Signed) -> str:
    """Return what came of signing, in a few words."""
    verification, name = ended.verification, certificates.printable(ended.signer.name)
    if verification is None:
        return tr("Signed, but not verified yet")
    if not verification.ok and not (verification.verdict == "refused" and ended.verdict in findings.AGAINST):
        return f"✗  {verdict_words.heading(verification)}"
    withdrawn = ended.verdict == "withdraw"
    return tr("✓  Withdrawn by you, {name}", name=name) if withdrawn else tr("✓  Signed by you, {name}", name=name)


def verified(ended: jobs.Signed, reader: str) -> str:
    """Return what verification found of what was signed here; READER is the fingerprint of who signed last here."""
    judged = ended.verification
    if judged is None:
        return judgement(ended, reader)
    if not ended.added:
        again = tr("You had already signed it: no signature was added, and its PDF was made again.")
        return f"{again} {verdict_words.result(judged, reader)}"
    time = moment(judged.signers[-1].time) if judged.signers else ""
    if judged.outcome == "passed":
        return tr("{time}. Checked at once: nothing has changed since, and the pages match the data file.", time=time)
    if judged.verdict == "refused" and ended.verdict in findings.AGAINST:
        return f"{time}. {tr('Nothing has changed since.')} {verdict_words.reason(judged)}"
    return verdict_words.result(judged, reader)


def steps(ended: jobs.Signed, count: int, awaited: bool, proposer: str) -> str:
    """Return what to do with the COUNT files of the record that was signed; AWAITED: somebody is next.

    PROPOSER is who proposed it, where somebody else approves it.
    """
    send = tr("1  Send all {n} files of the record, together.", n=count)
    read = tr("2  They check it with dpwizard before they use it.")
    if not awaited and ended.verdict in APPROVALS:
        send = tr("1  Send all {n} files of the record, together, to those who publish.", n=count)
        if proposer:
            send = tr(
                "1  Send all {n} files of the record, together, to {name}, who proposed it, and to those who publish.",
                n=count,
                name=proposer,
            )
        read = tr("2  They verify it with dpwizard, then add the noise and publish.")
    if awaited and ended.verdict in findings.AGAINST:
        read = tr("2  They open the record with dpwizard and read it.")
    elif awaited:
        read = tr("2  They open the record with dpwizard, read two pages, and press Approve.")
    return "\n".join((send, read, tr("3  Read your signature number to them once, by telephone or in person:")))


def written(place: RecordFiles) -> str:
    """Return which files a record has, and where."""
    files = ", ".join(path.name for path in place.there)
    return tr("The record is in {folder}. Its files: {files}.", folder=str(place.folder), files=files)
