"""Judging what was signed or published: verify, replay and examine."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from dpwizard.cli.terminal import (
    FINE,
    NOT_FINE,
    STANDARD_INPUT,
    WRONG,
    policy_from,
    print_json,
    said,
    show,
    stated_from,
    tell,
    text_of,
)
from dpwizard.errors import FileProblem, InvalidInput

if TYPE_CHECKING:
    from dpwizard.signing import RecordFiles
    from dpwizard.signing.findings import Verification

VERDICTS = ("approve", "approve_with_conditions", "reject", "refer", "none")


def verify(options: argparse.Namespace) -> int:
    """Judge a record: what its signatures cover, by whom, and whether anything has changed since."""
    from dpwizard.signing.record_files import RecordFiles

    return _verify_files(RecordFiles.beside(Path(options.file)), options)


def _verify_files(target: RecordFiles, options: argparse.Namespace) -> int:
    found = _verified(target, options)
    print_verification(found, options)
    return found.exit_status


def _verified(target: RecordFiles, options: argparse.Namespace) -> Verification:
    from dpwizard import office_folder
    from dpwizard.signing import office, record_files

    places = record_files.trust_places(
        [Path(name) for name in options.trust], Path(options.policy) if options.policy else None
    )
    log = office.log_for(Path(options.policy) if options.policy else None, office_folder.OFFICE)
    return record_files.verify(target, places, stated_from(None).time, policy_from(options), log)


def print_verification(found: Verification, options: argparse.Namespace) -> None:
    from dpwizard.signing.verification_lines import lines

    if getattr(options, "json", False):
        print_json(found)
    else:
        show(lines(found, said))


def tell_ignored(path: Path) -> None:
    """Say on standard error what of an unfinished signing lies beside the record at PATH and is ignored."""
    from dpwizard.signing import RecordFiles, held_files

    found = held_files.ignored(RecordFiles.beside(path).all)
    if found:
        tell(f"{path}: {found.said()}")


def replay(options: argparse.Namespace) -> int:
    """Solve a record's decision again and compare each number with the recorded one; with --all, of a whole folder."""
    from dpwizard.signing.replaying import replay_file

    if options.all:
        return _replay_all(Path(options.all))
    if not options.file:
        raise InvalidInput("is needed", "FILE", "Name the .json of a record, or a folder with --all.")
    if options.file == STANDARD_INPUT:
        return _replay_text()
    found = replay_file(Path(options.file), stated_from(None).time)
    tell_ignored(Path(options.file))
    if found.verdict == "unreadable":
        from dpwizard import json_text
        from dpwizard.records import comparison

        comparison.replay(json_text.parse(text_of(options.file)))  # raises what is wrong with it
    for difference in found.differences:
        print_json(difference)
        was, now = repr(difference.recorded), repr(difference.replayed)
        tell(said("  {where}: recorded {was}, now {now}", where=difference.where, was=was, now=now))
    for sentence in found.told():
        tell(sentence)
    for cause in found.causes:
        tell(said("  Cause ({kind}): {words}", kind=cause.kind, words=cause.words.said()))
    if found.pdf == "same":
        tell(said("The PDF is byte for byte what is typeset from the record now."))
    elif found.pdf != "none":
        tell(said("The PDF is not what this version typesets from the record."))
    return max(_said_replay(len(found.differences)), FINE if found.sound else NOT_FINE)


def _replay_text() -> int:
    from dpwizard import json_text
    from dpwizard.records import comparison, corrections

    raw = json_text.parse(text_of(STANDARD_INPUT))
    differences = comparison.replay(raw)
    for difference in differences:
        print_json(difference)
    found = corrections.judged(raw, differences)
    for sentence in (*(one.words for one in found.corrections), found.place):
        tell(sentence) if sentence else None
    return _said_replay(len(differences))


def _said_replay(differences: int) -> int:
    tell(
        said("Every number is met again.")
        if not differences
        else said("{count} differ from the record.", count=differences)
    )
    return FINE if not differences else NOT_FINE


def _replay_all(folder: Path) -> int:
    """Replay every record under FOLDER: one JSON line each, progress and a table on standard error."""
    from dpwizard import files
    from dpwizard.signing.replaying import Replayed, replay_all

    if not files.is_folder(folder):
        raise FileProblem("is not a folder", str(folder), "Name the folder that holds the records.")

    def progress(done: int, of: int, path: Path) -> None:
        tell(said("{done} of {of}: {path}", done=done + 1, of=of, path=path))

    rows: list[Replayed] = []
    for found in replay_all(folder, stated_from(None).time, progress):
        print_json(found)
        tell_ignored(Path(found.record))
        rows.append(found)
    width = max((len(row.record) for row in rows), default=6)
    heads = {key: said(key) for key in ("record", "replay", "signatures", "review by", "differences", "cause")}
    columns = (
        f"{heads['replay']:10}  {heads['signatures']:10}  PDF    {heads['review by']:10}  {heads['differences']:11}"
    )
    tell("")
    tell(f"{heads['record']:{width}}  {columns}  {heads['cause']}")
    for row in rows:
        cause = (
            row.problem.said()
            or "  ".join(row.told())
            or (f"{row.causes[0].kind}: {row.causes[0].words.said()}" if row.causes else "")
        )
        state = f"{row.verdict:10}  {row.signature:10}  {row.pdf:5}  {row.review[:10]:10}  {len(row.differences):11}"
        tell(f"{row.record:{width}}  {state}  {cause}".rstrip())
    verdicts = [row.verdict for row in rows]
    counts = {name: verdicts.count(name) for name in ("same", "differs", "unreadable")}
    tell(said("{count} records: {same} same, {differs} differs, {unreadable} unreadable.", count=len(rows), **counts))
    if corrected := verdicts.count("corrected"):
        tell(said("{count} rested on what this program has corrected since.", count=corrected))
    due = [row for row in rows if row.due]
    for row in due:
        tell(said("Due for review since {date}: {record}", date=row.review, record=row.record))
    return WRONG if "unreadable" in verdicts else FINE if all(row.sound for row in rows) else NOT_FINE


def examine(options: argparse.Namespace) -> int:
    """Hold every statement of a published claim, an entry of the registry, a decision or a record against its own
    arithmetic."""
    from dpwizard import files
    from dpwizard.examination import examine as second_opinion
    from dpwizard.examination import words

    data = sys.stdin.buffer.read() if options.file == STANDARD_INPUT else files.read_bytes(Path(options.file))
    found = second_opinion(data)
    if options.json:
        print_json(found)
    else:
        show(words.lines(found))
    return FINE if found.ok else NOT_FINE
