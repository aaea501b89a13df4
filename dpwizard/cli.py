"""The command line: solve, compute, identity, sign, report, verify, replay, export, sensitivity, schema.

JSON goes to standard output, words to standard error. Exit status: 0 solved or valid; 1 solved, but the
window is empty, something is infeasible, epsilon lies outside, or a record is not what it should be; 2 the
input is wrong. Never a traceback.
"""

from __future__ import annotations

import argparse
import getpass
import json
import os
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from dpwizard import __version__
from dpwizard.errors import DPWizardError, FileProblem, Infeasible, InvalidInput
from dpwizard.language import LANGUAGES, named_language, phrase, retold, speaking, system_language

if TYPE_CHECKING:
    from dpwizard.decision import Assessment, Decision
    from dpwizard.records import PolicyFile
    from dpwizard.records.record import Stated
    from dpwizard.signing import RecordFiles
    from dpwizard.signing.findings import Verification
    from dpwizard.signing.record_files import Signature

FINE, NOT_FINE, WRONG = 0, 1, 2
STANDARD_INPUT = "-"
VERDICTS = ("approve", "approve_with_conditions", "reject", "refer", "none")


# ------------------------------------------------------------------------------- words and JSON


def _say(text: str) -> None:
    print(text, file=sys.stderr)


def said(text: str, **figures: Any) -> str:
    """Return TEXT in the language spoken, with FIGURES in their places; a test reads these texts in the source."""
    return phrase("command_line", text).format(**figures) if figures else phrase("command_line", text)


def _print(value: Any) -> None:
    from dpwizard import json_text

    print(json_text.line(value))


def _complain(problem: DPWizardError) -> int:
    """Say an error in words and as JSON, and return the exit status it means."""
    from dpwizard.privacy.compute import as_plain

    print(json.dumps({"ok": False, "error": as_plain(problem)}, ensure_ascii=False))
    _say(f"dpwizard: {problem}")
    return _status(problem)


def _status(problem: DPWizardError) -> int:
    return NOT_FINE if isinstance(problem, Infeasible) else WRONG


def _guarded(action: Callable[[], int]) -> int:
    """Run ACTION; whatever goes wrong is said in words, never as a traceback."""
    try:
        return action()
    except DPWizardError as problem:
        return _complain(problem)
    except BrokenPipeError:
        # whoever read our output has gone; a later flush must not complain again
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return WRONG
    except KeyboardInterrupt:
        _say(said("dpwizard: stopped"))
        return WRONG
    except (MemoryError, RecursionError):
        return _complain(DPWizardError("needs more memory than there is", "", "Make the input smaller."))
    except Exception as problem:  # the last line of defence: a defect of ours, said as such
        return _complain(
            DPWizardError(
                f"a defect of this program: {type(problem).__name__}: {problem}"[:300], "", "Please report it."
            )
        )


# ---------------------------------------------------------------------------------- reading


def _text(name: str) -> str:
    """Return the text of a file, or of standard input for "-"."""
    from dpwizard import files

    data = sys.stdin.buffer.read() if name == STANDARD_INPUT else files.read_bytes(Path(name))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidInput("is not UTF-8 text", name, "Save it as UTF-8.") from None


def _documents(text: str) -> Iterator[str]:
    """Yield each document of TEXT: one, or one for each line where every line is a document of its own."""
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > 1 and all(line.lstrip().startswith("{") and line.rstrip().endswith("}") for line in lines[:2]):
        yield from lines
    else:
        yield text


def _stated(at: str | None) -> Stated:
    """Return the time to state: the one given, or this computer's, with where it came from."""
    from dpwizard.records.record import Stated
    from dpwizard.signing.record_files import parse_time

    if at is None:
        return Stated(time=datetime.now(UTC).astimezone().replace(microsecond=0), source="computer")
    return Stated(time=parse_time(at, "--at"), source="signer")


# --------------------------------------------------------------------------------- commands


def solve(options: argparse.Namespace) -> int:
    """Answer every decision of a file: one assessment a line."""
    from dpwizard.decision.assessment import assess
    from dpwizard.signing.record_files import read_any

    def one(text: str) -> int:
        decision = read_any(text.encode("utf-8"))
        assessment = assess(decision)
        _print(assessment)
        if not options.quiet:
            _say_assessment(decision, assessment)
        return _verdict(assessment)

    return max(_guarded(partial(one, text)) for text in _documents(_text(options.file)))


def _verdict(assessment: Assessment) -> int:
    infeasible = any(answer.status == "infeasible" and answer.enabled for answer in assessment.answers)
    return NOT_FINE if assessment.window.empty or infeasible or assessment.inside is False else FINE


def _say_assessment(decision: Decision, assessment: Assessment) -> None:
    from dpwizard.wording import explain

    _say(decision.title or said("(no title)"))
    for answer in assessment.answers:
        off = "" if answer.enabled else said(" (switched off)")
        _say(f"  {explain.title(answer)}: {explain.bound(answer)}{off}. {explain.why(answer.why, kind=answer.kind)}")
        given = explain.at_epsilon(answer, decision.chosen)
        if given:
            _say(f"    {given}")
    for sentence in (explain.window(assessment), explain.position(assessment), *explain.broken(decision, assessment)):
        if sentence:
            _say(f"  {sentence}")


def compute(options: argparse.Namespace) -> int:
    """Answer every line of a file of calls of the functions by name."""
    from dpwizard.privacy import compute as by_name

    worst = FINE
    for line in _text(options.file).splitlines():
        if not line.strip():
            continue
        try:
            answer = by_name.answer(line)
        except Exception as problem:  # the last line of defence: the other lines are still answered
            message = f"a defect of this program: {type(problem).__name__}: {problem}"[:300]
            answer = {
                "id": by_name.identifier(line),
                "ok": False,
                "error": {"where": "$", "message": message, "hint": "Please report it."},
            }
        if not answer["ok"]:
            worst = max(worst, NOT_FINE if answer.pop("kind", "") in ("Infeasible", "SolverFailure") else WRONG)
        _print(answer)
    return worst


def _passphrase(options: argparse.Namespace, ask: str, *, twice: bool = False) -> str:
    """Return the passphrase from the file named, or typed; never from an argument, which others could read."""
    from dpwizard import files

    if options.passphrase_file:
        data = files.read_bytes(Path(options.passphrase_file), largest=4096)
        try:
            return next(iter(data.decode("utf-8-sig").splitlines()), "")
        except UnicodeDecodeError:
            raise InvalidInput("is not UTF-8 text", "--passphrase-file", "Save it as UTF-8.") from None
    if not sys.stdin.isatty():
        raise InvalidInput(
            "is missing", "--passphrase-file", "Name a file that holds the passphrase, or run this in a terminal."
        )
    typed = getpass.getpass(ask)
    if twice and getpass.getpass(said("Once more: ")) != typed:
        raise InvalidInput("the two passphrases differ", "passphrase", "Type the same one twice.")
    return typed


def identity(options: argparse.Namespace) -> int:
    """Make an identity (a certificate with its key in a passphrase-protected file), or show one."""
    from dpwizard import files
    from dpwizard.signing import record_files, signing

    path = Path(options.file)
    if options.action == "create":
        ask = partial(_passphrase, options, said("New passphrase: "), twice=True)
        certificate = record_files.make_identity(
            path,
            name=options.name,
            organisation=options.organisation,
            ask=ask,
            years=options.years,
            now=_stated(options.at).time,
        )
        _say(
            said(
                "The identity lies in {path}. Keep a copy in a safe place; nobody can restore its passphrase.",
                path=path,
            )
        )
        _say(said("Its certificate, for others to trust, lies in {path}.", path=certificate))
        return FINE
    opened = signing.open_identity(pkcs12=files.read_bytes(path), passphrase=_passphrase(options, said("Passphrase: ")))
    _print(opened.certificate)
    return FINE


def sign(options: argparse.Namespace) -> int:
    """Make the record of a decision and sign it, or add a signature to a record."""
    from dpwizard import files, json_text
    from dpwizard.records.record import is_record
    from dpwizard.signing import record_files as records

    if options.edition == "public":
        return _sign_public(options)
    if options.of or not options.file:
        raise InvalidInput(
            "is needed" if not options.file else "goes with --edition public",
            "FILE" if not options.file else "--of",
            "",
        )
    source = Path(options.file)
    data = files.read_bytes(source)
    further = is_record(json_text.parse(data))
    decision = records.read_any(data)
    placed = None if options.policy or further else records.office_policy()
    policy = _policy(options, placed)
    if placed is not None:
        _say(said("Under the policy that the office has placed: {path}", path=placed))
    signature = _signature(options, decision.outcome)
    if further:
        target = records.RecordFiles.beside(source)
        records.sign_further(target, signature, policy=policy)
    else:
        target = records.RecordFiles.beside(Path(options.out or source.with_suffix("").name + "-record"))
        records.sign_new(decision, target, signature, policy=policy)
    return _signed(target, signature, options)


def _sign_public(options: argparse.Namespace) -> int:
    """Make and sign the public edition of an internal record, or add a signature to one that is there."""
    from dpwizard import files
    from dpwizard.signing import record_files as records

    if not options.of:
        raise InvalidInput("is needed", "--of", "Name the .json of the internal record.")
    internal = records.RecordFiles.beside(Path(options.of))
    decision = records.read_any(files.read_bytes(internal.json))
    withheld = None
    if options.file:
        given = records.read_any(files.read_bytes(Path(options.file)))
        withheld = given.withheld
        if given.model_copy(update={"withheld": ()}) != decision.model_copy(update={"withheld": ()}):
            raise InvalidInput(
                "is not the decision of the internal record", options.file, "Only what is withheld may differ."
            )
    target = records.RecordFiles.beside(Path(options.out or f"{internal.json.with_suffix('').name}-public"))
    signature = _signature(options, decision.outcome)
    records.sign_public(internal, target, signature, withheld=withheld)
    return _signed(target, signature, options)


def _signature(options: argparse.Namespace, outcome: str | None) -> Signature:
    from dpwizard import files
    from dpwizard.signing import signing
    from dpwizard.signing.record_files import Signature

    return Signature(
        identity=signing.open_identity(
            pkcs12=files.read_bytes(Path(options.identity)), passphrase=_passphrase(options, said("Passphrase: "))
        ),
        role=options.role,
        verdict=options.verdict or outcome or "none",
        comment=options.comment,
        stated=_stated(options.at),
    )


def _policy(options: argparse.Namespace, placed: Path | None = None) -> PolicyFile | None:
    """Return the policy named, else the one PLACED, else none."""
    from dpwizard import files
    from dpwizard.records.policy import read_policy

    path = Path(options.policy) if options.policy else placed
    return read_policy(files.read_bytes(path), str(path)) if path is not None else None


def _signed(target: RecordFiles, signature: Signature, options: argparse.Namespace) -> int:
    from dpwizard.signing.certificates import shown

    places = ", ".join(str(path) for path in target.all)
    name = shown(signature.identity.certificate.name)
    _say(said("Signed by {name}. The record lies in {places}.", name=name, places=places))
    found = _verified(target, options)
    _print_verification(found, options)
    return FINE if found.ok else NOT_FINE  # signatures that others still owe are said, and are no fault of this one


def report(options: argparse.Namespace) -> int:
    """Print the report of a decision or of a record as text, or typeset it as an unsigned PDF."""
    from dpwizard import files, json_text
    from dpwizard.decision.assessment import assess
    from dpwizard.decision.decision import read_decision
    from dpwizard.records import record
    from dpwizard.report import document as typeset

    data = _text(options.file).encode("utf-8")
    raw = json_text.parse(data)
    if record.is_record(raw):
        made, json_bytes = record.read_record(raw), data  # a record's own bytes: their hash is printed
    else:
        decision = read_decision(raw)
        made = record.make_record(decision, assess(decision), _stated(options.at))
        json_bytes = record.record_bytes(made)
    name = Path(options.file).with_suffix(".json").name if options.file != STANDARD_INPUT else "record.json"
    if options.out:
        files.write_new(Path(options.out), typeset.pdf_bytes(made, json_bytes, name))
        _say(said("The report lies in {path}. It is not signed.", path=options.out))
    else:
        print(typeset.text(typeset.blocks(made, json_bytes, name)))
    return FINE


def verify(options: argparse.Namespace) -> int:
    """Judge a record: what its signatures cover, by whom, and whether anything has changed since."""
    from dpwizard.signing.record_files import RecordFiles

    return _verify_files(RecordFiles.beside(Path(options.file)), options)


def _verify_files(target: RecordFiles, options: argparse.Namespace) -> int:
    found = _verified(target, options)
    _print_verification(found, options)
    return FINE if found.ok and not found.awaited else NOT_FINE


def _verified(target: RecordFiles, options: argparse.Namespace) -> Verification:
    from dpwizard.signing import record_files

    places = record_files.trust_places(
        [Path(name) for name in options.trust], Path(options.policy) if options.policy else None
    )
    return record_files.verify(target, places, _stated(None).time, _policy(options))


def _print_verification(found: Verification, options: argparse.Namespace) -> None:
    from dpwizard.signing.verification_lines import lines

    if getattr(options, "json", False):
        _print(found)
    else:
        print("\n".join(lines(found, said)))


def replay(options: argparse.Namespace) -> int:
    """Solve the decision of a record again and compare every number with the recorded one; with --all, of every record
    in a folder."""
    from dpwizard.signing.replaying import replay_file

    if options.all:
        return _replay_all(Path(options.all))
    if not options.file:
        raise InvalidInput("is needed", "FILE", "Name the .json of a record, or a folder with --all.")
    if options.file == STANDARD_INPUT:
        return _replay_text()
    found = replay_file(Path(options.file), _stated(None).time)
    if found.verdict == "unreadable":
        from dpwizard import json_text
        from dpwizard.records import record as records

        records.replay(json_text.parse(_text(options.file)))  # raises what is wrong with it
    for difference in found.differences:
        _print(difference)
        was, now = repr(difference.recorded), repr(difference.replayed)
        _say(said("  {where}: recorded {was}, now {now}", where=difference.where, was=was, now=now))
    for sentence in found.told():
        _say(sentence)
    for cause in found.causes:
        _say(said("  Cause ({kind}): {words}", kind=cause.kind, words=retold(cause.words)))
    if found.pdf == "same":
        _say(said("The PDF is byte for byte what is typeset from the record now."))
    elif found.pdf != "none":
        _say(said("The PDF is not what this version typesets from the record."))
    return max(_said_replay(len(found.differences)), FINE if found.sound else NOT_FINE)


def _replay_text() -> int:
    from dpwizard import json_text
    from dpwizard.records import corrections
    from dpwizard.records import record as records

    raw = json_text.parse(_text(STANDARD_INPUT))
    differences = records.replay(raw)
    for difference in differences:
        _print(difference)
    found = corrections.judged(raw, differences)
    for sentence in (*(one.words for one in found.corrections), found.place):
        _say(sentence) if sentence else None
    return _said_replay(len(differences))


def _said_replay(differences: int) -> int:
    _say(
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
        _say(said("{done} of {of}: {path}", done=done + 1, of=of, path=path))

    rows: list[Replayed] = []
    for found in replay_all(folder, _stated(None).time, progress):
        _print(found)
        rows.append(found)
    width = max((len(row.record) for row in rows), default=6)
    heads = {key: said(key) for key in ("record", "replay", "signatures", "review by", "differences", "cause")}
    columns = (
        f"{heads['replay']:10}  {heads['signatures']:10}  PDF    {heads['review by']:10}  {heads['differences']:11}"
    )
    _say(f"\n{heads['record']:{width}}  {columns}  {heads['cause']}")
    for row in rows:
        cause = (
            row.problem
            or "  ".join(row.told())
            or (f"{row.causes[0].kind}: {retold(row.causes[0].words)}" if row.causes else "")
        )
        state = f"{row.verdict:10}  {row.signature:10}  {row.pdf:5}  {row.review[:10]:10}  {len(row.differences):11}"
        _say(f"{row.record:{width}}  {state}  {cause}".rstrip())
    verdicts = [row.verdict for row in rows]
    counts = {name: verdicts.count(name) for name in ("same", "differs", "unreadable")}
    _say(said("{count} records: {same} same, {differs} differs, {unreadable} unreadable.", count=len(rows), **counts))
    if corrected := verdicts.count("corrected"):
        _say(said("{count} rested on what this program has corrected since.", count=corrected))
    due = [row for row in rows if row.due]
    for row in due:
        _say(said("Due for review since {date}: {record}", date=row.review, record=row.record))
    return WRONG if "unreadable" in verdicts else FINE if all(row.sound for row in rows) else NOT_FINE


def export(options: argparse.Namespace) -> int:
    """Write what a record says for another place: a registry entry, code for the release, a table, a web page."""
    from dpwizard import files
    from dpwizard.signing import exports

    name = Path(options.file).name if options.file != STANDARD_INPUT else "record.json"
    text = exports.export(_text(options.file).encode("utf-8"), options.to, name, tier=options.tier)
    if options.out:
        files.write_new(Path(options.out), text.encode("utf-8"))
        _say(said("Written to {path}.", path=options.out))
    else:
        sys.stdout.write(text)
    return FINE


def sensitivity(options: argparse.Namespace) -> int:
    """Read a CSV of public or test data once, row by row, and print the sampled sensitivity of its pairs."""
    from dpwizard.privacy.privacy_at_risk import sampled_sensitivity_from_csv

    _say(
        said(
            "Never confidential data: the answer depends on the very pairs that are read. It is no bound on the "
            "sensitivity."
        )
    )
    try:
        with Path(options.file).open(encoding="utf-8-sig", newline="") as lines:
            found = sampled_sensitivity_from_csv(
                lines=lines, confidence=options.confidence, origin=options.origin, delimiter=options.delimiter
            )
    except UnicodeDecodeError:
        raise InvalidInput("is not UTF-8 text", options.file, "Save it as UTF-8.") from None
    except OSError as problem:
        raise FileProblem(
            f"cannot be read ({problem.strerror})", options.file, "Check the name and the permissions."
        ) from None
    _print(found)
    return FINE


def elicit(options: argparse.Namespace) -> int:
    """Ask for a tolerance by bets: one JSON line out for each line in."""
    from dpwizard.elicitation.lines import converse

    worst = FINE
    with sys.stdin if options.file == STANDARD_INPUT else Path(options.file).open(encoding="utf-8") as lines:
        for answer in converse(lines):
            worst = worst if answer["ok"] else WRONG
            _print(answer)
            sys.stdout.flush()  # whoever answers waits for the question
    return worst


def schema(options: argparse.Namespace) -> int:
    """Print the JSON Schema of a format."""
    from dpwizard.decision.schema import SCHEMAS

    print(json.dumps(SCHEMAS[options.of](), ensure_ascii=False, indent=2, sort_keys=True))
    return FINE


# ---------------------------------------------------------------------------------- arguments


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with an argument as every other error is said."""

    def error(self, message: str) -> NoReturn:
        _say(f"dpwizard: {message}. {self.format_usage().strip()}")
        raise SystemExit(WRONG)


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    top = _Parser(
        prog="dpwizard",
        description=said("Choose, justify and sign the privacy budget of a differentially private release."),
    )
    top.add_argument(
        "--language",
        metavar="|".join(LANGUAGES),
        help=said("the language of words; JSON never depends on it (default: the system's)"),
    )
    top.add_argument("--version", action="version", version=f"dpwizard {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)

    def add(name: str, run: Callable[[argparse.Namespace], int], help: str) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=help, description=help)
        command.set_defaults(run=run)
        return command

    one = add("solve", solve, said("answer a decision file: what each requirement allows, and the window of epsilon"))
    one.add_argument("file", help=said('a decision file, many of them one a line, or "-" for standard input'))
    one.add_argument("--quiet", action="store_true", help=said("print the JSON only"))
    one = add("compute", compute, said("call the functions by name: one JSON call a line, one JSON answer a line"))
    one.add_argument("file", nargs="?", default=STANDARD_INPUT, help=said('a file of calls, or "-" for standard input'))
    one = add(
        "identity", identity, said("make or show an identity: a certificate and its key, protected by a passphrase")
    )
    actions = one.add_subparsers(dest="action", required=True, metavar="create|show", parser_class=_Parser)
    for action, words in (("create", "make an identity"), ("show", "show whose identity a file holds")):
        act = actions.add_parser(action, help=said(words))
        act.add_argument(
            "--passphrase-file", help=said("a file whose first line is the passphrase; otherwise it is asked for")
        )
        if action == "create":
            act.add_argument("--name", required=True, help=said("the person's name"))
            act.add_argument("--organisation", default="", help=said("the office"))
            act.add_argument("--years", type=int, default=3, help=said("how long the certificate is valid (default 3)"))
            act.add_argument("--at", help=said("the time to state, with offset (default: this computer's)"))
            act.add_argument("--out", dest="file", required=True, help=said("the new file, NAME.p12"))
        else:
            act.add_argument("file", help=said("a .p12 file"))
    one = add("sign", sign, said("make the record of a decision and sign it, or add a signature to a record"))
    one.add_argument("file", nargs="?", help=said("a decision file, or the .json of a record"))
    one.add_argument("--identity", required=True, help=said("the signer's .p12 file"))
    one.add_argument(
        "--passphrase-file", help=said("a file whose first line is the passphrase; otherwise it is asked for")
    )
    one.add_argument(
        "--role", default="proposes", help=said("proposes, approves or data_protection_officer (default proposes)")
    )
    one.add_argument("--verdict", choices=VERDICTS, help=said("the signer's verdict (default: the decision's outcome)"))
    one.add_argument("--comment", default="", help=said("the signer's comment"))
    one.add_argument("--at", help=said("the time to state, with offset (default: this computer's)"))
    one.add_argument(
        "--out", help=said("the record's name without ending (default: the decision file's name with -record)")
    )
    one.add_argument(
        "--policy",
        help=said(
            "the office's policy file (TOML): checked before signing (default: the one placed on this computer, if any)"
        ),
    )
    one.add_argument(
        "--edition",
        choices=("internal", "public"),
        default="internal",
        help=said("public: without what the decision withholds"),
    )
    one.add_argument(
        "--of",
        metavar="INTERNAL",
        help=said("the .json of the signed internal record that a public edition is made of"),
    )
    one.add_argument("--trust", action="append", default=[], help=said("a certificate file or folder to trust"))
    one = add("report", report, said("print the report of a decision or a record, or typeset it unsigned with --out"))
    one.add_argument("file", help=said('a decision file, the .json of a record, or "-"'))
    one.add_argument("--out", help=said("a new PDF file"))
    one.add_argument("--at", help=said("the time to state, with offset (default: this computer's)"))
    one = add("verify", verify, said("judge a record by its three files, or by those that are there"))
    one.add_argument("file", help=said("the .json, .pdf or .json.jws of a record"))
    one.add_argument("--trust", action="append", default=[], help=said("a certificate file or folder to trust"))
    one.add_argument(
        "--policy", help=said("the office's policy file: whose signatures it asks for, and the folder trust beside it")
    )
    one.add_argument("--json", action="store_true", help=said("print the findings as JSON"))
    one = add("replay", replay, said("solve the decision of a record again and compare every number"))
    one.add_argument("file", nargs="?", help=said("the .json of a record"))
    one.add_argument(
        "--all", metavar="DIR", help=said("every record in this folder and below: one line of JSON each, and a table")
    )
    one = add(
        "export",
        export,
        said("write a record as a registry entry, code for the release, CSV, a piece of a web page, or a page (html)"),
    )
    one.add_argument("file", help=said("the .json of a record"))
    one.add_argument("--to", required=True, choices=("registry", "opendp", "csv", "web", "html"))
    one.add_argument("--tier", type=int, default=3, help=said("the registry's tier, 1 to 3 (default 3)"))
    one.add_argument("--out", help=said("a new file (default: standard output)"))
    one = add(
        "sensitivity",
        sensitivity,
        said("read the sampled sensitivity off a CSV of public or test data; never confidential data"),
    )
    one.add_argument("file", help=said("a CSV file: each row one pair of neighbours, f(x) then f(y)"))
    one.add_argument(
        "--confidence", type=float, required=True, help=said("the share of sampled pairs to cover, in (0, 1]")
    )
    one.add_argument("--origin", required=True, choices=("public", "test_data"), help=said("where the rows come from"))
    one.add_argument("--delimiter", default=",", help=said("the character between two numbers (default a comma)"))
    one = add("elicit", elicit, said("find a risk profile by questions: one JSON question out, one JSON answer in"))
    one.add_argument(
        "file", nargs="?", default=STANDARD_INPUT, help=said('a file of answers, or "-" for standard input')
    )
    one = add("schema", schema, said("print a JSON Schema"))
    one.add_argument("of", nargs="?", default="decision", choices=("decision", "assessment", "record", "compute"))
    return top


def main(arguments: list[str]) -> int:
    """Run the command line with ARGUMENTS and return the exit status."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    language, rest = named_language(arguments)
    with speaking(language or system_language()):
        if language is not None and language not in LANGUAGES:
            return _complain(
                InvalidInput(
                    f'must be one of {", ".join(LANGUAGES)}; found "{language[:40]}"',
                    "--language",
                    "Choose one of these.",
                )
            )
        try:
            options = parser().parse_args(rest)
        except SystemExit as stop:
            return stop.code if isinstance(stop.code, int) else WRONG
        return _guarded(lambda: options.run(options))
