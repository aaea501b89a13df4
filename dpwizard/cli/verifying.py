"""The commands that check records and published claims: verify, replay and examine."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from dpwizard.base.errors import InvalidInput
from dpwizard.cli.terminal import (
    FINE,
    NOT_FINE,
    STANDARD_INPUT,
    WRONG,
    now,
    print_json,
    say,
    show,
    stated_from,
    text_of,
    tr,
)

if TYPE_CHECKING:
    from dpwizard.base.values import ReplayDifference
    from dpwizard.signing import RecordFiles
    from dpwizard.signing.bounded import Bounded
    from dpwizard.signing.findings import Verification

VERDICTS = ("propose", "approve", "approve_with_conditions", "refer", "reject", "withdraw", "vouch", "none")


def verify(options: argparse.Namespace) -> int:
    """Verify a record: who signed it, what the signatures cover, and whether anything has changed since."""
    from dpwizard.signing import RecordFiles
    from dpwizard.signing.bounded import Bounded

    target = RecordFiles.beside(Path(options.file))
    if options.explain:
        from dpwizard.base.language import spoken
        from dpwizard.report import blocks, checking, phrases

        show(blocks.text(checking.recipe(target.name, phrases.words(spoken()))).split("\n"))
        return FINE
    with Bounded().start() as process:
        verification = verified(target, options, process)
    print_verification(verification, options)
    return verification.exit_status


def verified(target: RecordFiles, options: argparse.Namespace, process: Bounded) -> Verification:
    """Verify the record at TARGET in PROCESS, with the policy and trusted certificates in the options."""
    from dpwizard.signing import office
    from dpwizard.signing.verify_tasks import verify_folder

    policy = Path(options.policy) if options.policy else None
    places = office.trust_places([Path(name) for name in options.trust], policy)
    return verify_folder(target, places, now(), policy, office.log_for(policy), process)


def make_pdf(options: argparse.Namespace) -> int:
    """Make the PDF of a record again from its JSON and signatures."""
    from dpwizard.signing import RecordFiles, signing

    target = RecordFiles.beside(Path(options.file))
    signing.make_pdf_again(target)
    say(tr("The PDF is in {path}.", path=target.pdf))
    return FINE


def take_json_out(options: argparse.Namespace) -> int:
    """Extract the JSON from the PDF of a record."""
    from dpwizard.signing import remaking

    place = remaking.take_json_out(Path(options.file))
    say(tr("The JSON is in {path}. The signatures show who signed it: ask for those as well.", path=place.json))
    return FINE


def print_verification(verification: Verification, options: argparse.Namespace) -> None:
    from dpwizard.signing.findings import lines

    if getattr(options, "json", False):
        print_json(verification)
    else:
        show(lines(verification, tr))


def replay(options: argparse.Namespace) -> int:
    """Recalculate a record and compare every number; with --all, every record in a folder."""
    if options.all:
        return _replay_all(Path(options.all))
    if not options.file:
        raise InvalidInput("is needed", "FILE", "Name the .json of a record, or a folder with --all.")
    if options.file == STANDARD_INPUT:
        return _replay_text()
    from dpwizard.signing.replaying import replay_file

    replayed = replay_file(Path(options.file), stated_from(None).time)
    if replayed.verdict == "unreadable":
        raise InvalidInput(replayed.why, options.file, "Ask for the record as it was signed.")
    if replayed.pdf == "same":
        say(tr("The PDF is byte for byte the same as the one made from the record now."))
    elif replayed.pdf != "none":
        say(tr("The PDF is not the one that this version makes from the record."))
    return max(_say_differences(replayed.differences), FINE if replayed.sound else NOT_FINE)


def _replay_text() -> int:
    from dpwizard.signing import remaking

    remade = remaking.remake_in_process(text_of(STANDARD_INPUT).encode("utf-8"), ())
    if remade.refused:
        raise InvalidInput(remade.refused, STANDARD_INPUT, "Ask for the record as it was signed.")
    return _say_differences(remade.differences)


def _say_differences(differences: tuple[ReplayDifference, ...]) -> int:
    for difference in differences:
        print_json(difference)
        was, now = difference.recorded, difference.now
        say(tr("  {where}: recorded {was}, now {now}", where=difference.where, was=was, now=now))
    say(
        tr("Every number matches.")
        if not differences
        else tr("{count} numbers differ from the record.", count=len(differences))
    )
    return FINE if not differences else NOT_FINE


def _replay_all(folder: Path) -> int:
    """Recalculate every record under FOLDER: print a JSON line for each, and progress and a table on standard error."""
    from dpwizard.signing.replaying import Replayed, replay_all

    def progress(state: tuple[int, int, Path]) -> None:
        done, of, path = state
        say(tr("{done} of {of}: {path}", done=done + 1, of=of, path=path))

    rows: list[Replayed] = []
    for replayed in replay_all(progress, folder, stated_from(None).time):
        print_json(replayed)
        rows.append(replayed)
    width = max((len(row.record) for row in rows), default=6)
    heads = {key: tr(key) for key in ("record", "numbers", "signatures", "review by", "differences", "cause")}
    columns = (
        f"{heads['numbers']:10}  {heads['signatures']:10}  PDF    {heads['review by']:10}  {heads['differences']:11}"
    )
    say("")
    say(f"{heads['record']:{width}}  {columns}  {heads['cause']}")
    for row in rows:
        cause = row.why.text()
        state = f"{row.verdict:10}  {row.signature:10}  {row.pdf:5}  {row.review[:10]:10}  {len(row.differences):11}"
        say(f"{row.record:{width}}  {state}  {cause}".rstrip())
    verdicts = [row.verdict for row in rows]
    counts = {name: verdicts.count(name) for name in ("same", "differs", "unreadable")}
    say(tr("{count} records: {same} same, {differs} differs, {unreadable} unreadable.", count=len(rows), **counts))
    due = [row for row in rows if row.due]
    for row in due:
        say(tr("Due for review since {date}: {record}", date=row.review, record=row.record))
    return WRONG if "unreadable" in verdicts else FINE if all(row.sound for row in rows) else NOT_FINE


def examine(options: argparse.Namespace) -> int:
    """Check a published claim, a registry entry, a decision or a record against its own figures."""
    from dpwizard.base import files
    from dpwizard.examination import examine as second_opinion
    from dpwizard.examination import words

    data = sys.stdin.buffer.read() if options.file == STANDARD_INPUT else files.read_bytes(Path(options.file))
    opinion = second_opinion(data)
    if options.json:
        print_json(opinion)
    else:
        show(words.lines(opinion))
    return FINE if opinion.ok else NOT_FINE
