"""The commands to solve, compute, sign, report and export; each returns its exit status."""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from dpwizard.base.errors import InvalidInput
from dpwizard.base.language import counting
from dpwizard.base.resource_files import resource
from dpwizard.cli.terminal import (
    FINE,
    NOT_FINE,
    STANDARD_INPUT,
    WRONG,
    documents_in,
    guarded,
    identity_from,
    passphrase_from,
    policy_from,
    print_json,
    say,
    show,
    stated_from,
    text_of,
    tr,
    warn_if_readable,
)
from dpwizard.cli.verifying import print_verification, verified

if TYPE_CHECKING:
    from dpwizard.decision import Assessment, Decision
    from dpwizard.signing import RecordFiles
    from dpwizard.signing.bounded import Bounded
    from dpwizard.signing.signing import SigningRequest


def solve(options: argparse.Namespace) -> int:
    """Solve every decision in a file; print one assessment a line."""
    from dpwizard.decision.assessment import assess
    from dpwizard.decision.needs_csv import with_needs
    from dpwizard.records import read_any

    def solve_text(text: str) -> int:
        decision = read_any(text.encode("utf-8"))
        if options.needs is not None:
            decision = with_needs(decision, text_of(options.needs))
        assessment = assess(decision)
        print_json(assessment)
        if not options.quiet:
            with counting(assessment.counted_in):
                _say_assessment(decision.planned, assessment)
        infeasible = any(answer.status == "infeasible" and answer.enabled for answer in assessment.answers)
        return NOT_FINE if assessment.window.empty or infeasible or assessment.inside is False else FINE

    return max(guarded(partial(solve_text, text)) for text in documents_in(text_of(options.file)))


def _say_assessment(decision: Decision, assessment: Assessment) -> None:
    from dpwizard.decision import plan
    from dpwizard.wording import assessments, persons, plain_sentences, plans, range_of

    say(decision.title or tr("(no title)"))
    shown = range_of(assessment)
    for asked, answer in zip(decision.requirements, assessment.answers, strict=True):
        name = plain_sentences.need_in_short(asked, answer, decision.release)
        off = "" if answer.enabled else tr(" (switched off)")
        say(f"  {name}: {assessments.bound(answer, shown)}{off}. {assessments.why(answer.why, kind=answer.kind)}")
        if given := assessments.at_choice(persons.at_epsilon(decision.release, answer)):
            say(f"    {given}")
    for sentence in (
        assessments.window(assessment),
        assessments.position(assessment),
        assessments.conversions(assessment),
        assessments.whole_curve(assessment),
        persons.of_a_person(decision.release, assessment),
        *persons.violations(decision, assessment),
        plans.in_words(decision, assessment, plan(decision, assessment)) if len(decision.release.parts) > 1 else "",
    ):
        if sentence:
            say(f"  {sentence}")


def compute(options: argparse.Namespace) -> int:
    """Run a file of calls of the functions by name, one a line; print one answer a line."""
    from dpwizard.privacy import compute as by_name

    worst = FINE
    for line in text_of(options.file).splitlines():
        if not line.strip():
            continue
        try:
            answer = by_name.answer(line)
        except Exception as problem:  # a defect; the other lines are still answered
            message = f"a defect of this program: {type(problem).__name__}: {problem}"[:300]
            answer = {
                "id": by_name.identifier(line),
                "ok": False,
                "error": {"where": "$", "message": message, "hint": "Please report it."},
            }
        if not answer["ok"]:
            worst = max(worst, NOT_FINE if answer.pop("kind", "") in ("Infeasible", "SolverFailure") else WRONG)
        print_json(answer)
    return worst


def identity(options: argparse.Namespace) -> int:
    """Create a signing key (a certificate and its key in a passphrase-protected file), or print one's certificate."""
    from dpwizard.base import files
    from dpwizard.signing import identity as identities
    from dpwizard.signing import signing

    path = Path(options.file)
    if options.action == "create":
        signing.require_no_key(path)
        _, write = signing.make_identity(
            path,
            name=options.name,
            organisation=options.organisation,
            passphrase=passphrase_from(options, tr("New passphrase: "), twice=True),
            years=options.years,
            now=stated_from(options.at).time,
        )
        write()
        text = tr("Signature file written to {path}. Keep a backup. A lost passphrase cannot be recovered.", path=path)
        say(text)
        say(tr("Its certificate, for others to trust, is in {path}.", path=path.with_suffix(".crt")))
        return FINE
    warn_if_readable(path)
    opened = identities.open_identity(
        pkcs12=files.read_bytes(path), passphrase=passphrase_from(options, tr("Passphrase: "))
    )
    print_json(opened.certificate)
    return FINE


def sign(options: argparse.Namespace) -> int:
    """Make the record of a decision and sign it, or add a signature to a record."""
    from dpwizard.signing.bounded import Bounded

    with Bounded().start() as process:  # started early, as it takes long to load
        return _sign_public(options, process) if options.edition == "public" else _sign_internal(options, process)


def _sign_internal(options: argparse.Namespace, process: Bounded) -> int:
    from dpwizard import records
    from dpwizard.base import files, json_text
    from dpwizard.signing import RecordFiles, office, signing

    if not options.file:
        raise InvalidInput("is needed", "FILE", "")
    if options.of:
        raise InvalidInput("goes with --edition public", "--of", "")
    source = Path(options.file)
    data = files.read_bytes(source)
    further = records.is_record(json_text.parse(data))
    decision = records.read_any(data)
    placed = None if options.policy or further else office.policy_in()
    policy = policy_from(options, placed)
    if placed is not None:
        say(tr("Checked under the policy of the office on this computer: {path}", path=placed))
    request = _request(options, decision.outcome, process)
    added = True
    if further:
        target = RecordFiles.beside(source)
        added = signing.sign_further(target, request, policy=policy)
    else:
        target = RecordFiles.beside(Path(options.out or f"{files.bare_name(source)}-record"))
        signing.sign_new(decision, target, request, policy=policy)
    return _signed(target, request, options, process, added=added)


def _sign_public(options: argparse.Namespace, process: Bounded) -> int:
    from dpwizard import records
    from dpwizard.base import files
    from dpwizard.signing import RecordFiles, signing

    if not options.of:
        raise InvalidInput("is needed", "--of", "Name the .json of the internal record.")
    internal = RecordFiles.beside(Path(options.of))
    decision = records.read_any(files.read_bytes(internal.json))
    withheld = None
    if options.file:
        given = records.read_any(files.read_bytes(Path(options.file)))
        withheld = given.withheld
        if given.model_copy(update={"withheld": ()}) != decision.model_copy(update={"withheld": ()}):
            raise InvalidInput(
                "is not the decision of the internal record", options.file, "Only what is left out may differ."
            )
    target = RecordFiles.beside(Path(options.out or f"{internal.name}-public"))
    request = _request(options, decision.outcome, process)
    signing.sign_public(internal, target, request, withheld=withheld)
    return _signed(target, request, options, process)


def _request(options: argparse.Namespace, outcome: str | None, process: Bounded) -> SigningRequest:
    from dpwizard.signing import office
    from dpwizard.signing.signing import SigningRequest

    return SigningRequest(
        identity=identity_from(options),
        role=options.role,
        verdict=options.verdict or outcome or "none",
        comment=options.comment,
        stated=stated_from(options.at),
        log=office.log_for(Path(options.policy) if options.policy else None),
        process=process,
    )


def _signed(
    target: RecordFiles, request: SigningRequest, options: argparse.Namespace, process: Bounded, *, added: bool = True
) -> int:
    from dpwizard.signing.certificates import printable

    places = ", ".join(str(path) for path in target.there)
    name = printable(request.identity.certificate.name)
    if added:
        say(tr("Signed by {name}. Record written to {places}.", name=name, places=places))
    else:
        say(tr("{name} had already signed it: no signature was added, and its PDF was made again.", name=name))
    verification = verified(target, options, process)
    print_verification(verification, options)
    return FINE if verification.ok else NOT_FINE  # signatures still missing from others are no failure


def report(options: argparse.Namespace) -> int:
    """Print the report of a decision or record as text, or typeset it as an unsigned PDF."""
    from dpwizard import records
    from dpwizard.base import files, json_text
    from dpwizard.decision.decision import read_decision
    from dpwizard.report import document as typeset

    data = text_of(options.file).encode("utf-8")
    raw = json_text.parse(data)
    if records.is_record(raw):
        record = records.read(data)
    else:
        name = Path(options.file).stem if options.file != STANDARD_INPUT else "record"
        record = records.make(read_decision(raw), stated_from(options.at), name=name)
    if options.out:
        files.write_new(Path(options.out), typeset.typeset(record))
        say(tr("Report written to {path}. It is not signed.", path=options.out))
    else:
        show(typeset.text(typeset.blocks(record)).split("\n"))
    return FINE


def export(options: argparse.Namespace) -> int:
    """Export a record: as a registry entry, code for the release, a table or a web page."""
    from dpwizard.base import files
    from dpwizard.signing import RecordFiles, exports

    if options.to == "notice" and options.out and options.out.lower().endswith(".pdf"):
        target, now = RecordFiles.beside(Path(options.file)), stated_from(None).time
        files.write_new(Path(options.out), exports.notice_pdf(target, now))
        say(tr("Written to {path}.", path=options.out))
        return FINE
    if options.to in exports.SCRIPTS and (not options.out or options.file == STANDARD_INPUT):
        hint = "Name the record’s file and, with --out, the script’s; plan.json is written beside it."
        raise InvalidInput("a script needs its plan beside it", "--out", hint)
    if options.to in exports.SCRIPTS:
        target, now = RecordFiles.beside(Path(options.file)), stated_from(None).time
        text, plan = exports.script_files(target, options.to, now, unverified=options.unverified)
        exports.write_plan(Path(options.out), plan)
    elif options.file != STANDARD_INPUT:
        target, now = RecordFiles.beside(Path(options.file)), stated_from(None).time
        text = exports.export_files(target, options.to, now, tier=options.tier, unverified=options.unverified)
    elif options.unverified:
        label = tr("Its signatures are missing.")
        data = text_of(options.file).encode("utf-8")
        text = exports.export(data, options.to, tier=options.tier, label=label)
    else:
        hint = "Name the file and keep its signatures beside it. Or use --unverified: the export then says so."
        raise InvalidInput("cannot be verified from standard input", options.file, hint)
    if options.out:
        files.write_new(Path(options.out), text.encode("utf-8"))
        say(tr("Written to {path}.", path=options.out))
    else:
        sys.stdout.write(text)
    return FINE


def sensitivity(options: argparse.Namespace) -> int:
    """Read a CSV file of public or test data, and print the sampled sensitivity of its pairs of datasets."""
    from dpwizard.base import files
    from dpwizard.privacy.privacy_at_risk import sampled_sensitivity_from_csv

    say(tr("Never use confidential data: the answer depends on the pairs. It is no limit on the sensitivity."))
    try:
        with files.reading(Path(options.file), newline="") as lines:
            sensitivity_found = sampled_sensitivity_from_csv(
                lines=lines, confidence=options.confidence, origin=options.origin, delimiter=options.delimiter
            )
    except UnicodeDecodeError:
        raise InvalidInput("is not UTF-8 text", options.file, "Save it as UTF-8.") from None
    print_json(sensitivity_found)
    return FINE


def elicit(options: argparse.Namespace) -> int:
    """Elicit a tolerance by questions: print a JSON line for each JSON line read."""
    from dpwizard.base import files
    from dpwizard.elicitation.lines import converse

    worst = FINE
    try:
        with sys.stdin if options.file == STANDARD_INPUT else files.reading(Path(options.file)) as lines:
            for answer in converse(lines):
                worst = worst if answer["ok"] else WRONG
                print_json(answer)
                sys.stdout.flush()  # the other side waits for the question
    except UnicodeDecodeError:
        raise InvalidInput("is not UTF-8 text", options.file, "Save it as UTF-8.") from None
    return worst


def schema(options: argparse.Namespace) -> int:
    """Print the JSON Schema of a format."""
    print(resource("schema", f"{options.of}.json").read_text("utf-8"), end="")
    return FINE
