"""Two checkouts of the program answer the same questions: do they give the same numbers and the same sentences?

    python -m benchmarks.compare_checkouts BEFORE AFTER
    python -m benchmarks.compare_checkouts BEFORE AFTER --only solve,compute --match durham --jobs 2 --cases FOLDER

For a rebuilding that must change nothing. BEFORE and AFTER are folders with a main.py, run by the Python that runs
this; every input is taken from BEFORE: the examples, the golden files, the published cases, and `broken_inputs.py`.

    solve     every decision and record, and broken ones: the JSON, the sentences and the exit status
    compute   every case of tests/oracles/cases, tests/golden and FOLDER, and broken calls: the answers, line by line
    sign      every decision, and a public edition of its record, by one identity at one time; golden records once more:
              the record's JSON, and what the signatures say but for the PDF's hash and length (a signature is random)
    report    every decision and record as text; every signed and golden record as a page with its figures (SVG), as a
              piece of a page, as CSV, as code and as an entry of a registry

All of it byte by byte, but PDF files not at all, and of a picture (SVG) its title and its words: how it is drawn may
change. Where the checkouts state different versions, neither these nor hashes
are compared. What is said in German is told where it changed, and may change; exit statuses may not.
Exit status: 0 nothing differs, 1 something does, 2 wrong arguments, or a checkout that does not run.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any

from benchmarks.checkout_commands import BEGUN, SIGNER, Command, asked, inputs
from benchmarks.first_difference import Place, first_difference

RUNNER = Path(__file__).with_name("commands_in_turn.py")
PARTS = ("solve", "compute", "sign", "report")
AT_RANDOM = ("pdf_bytes", "pdf_sha256", "previous")  # what a signature says of the PDF and of the signature before it
MOST_SHOWN = 12  # differences of one part that are shown
Answer = dict[str, Any]  # exit status, output, words, and the files written by name
HASH = re.compile(r"\b[0-9a-f]{64}\b")
PICTURE = re.compile(r"<svg [^>]*>(<title>[^<]*</title><desc>[^<]*</desc>).*?</svg>")


class BadInput(Exception):
    """An argument that nothing can be compared with."""


@dataclass(frozen=True, kw_only=True)
class Difference:
    """What differs of two answers, and the first place where: its path or line, and what stands there in both."""

    name: str
    what: str
    place: Place

    def __str__(self) -> str:
        where, before, after = self.place
        return f"  {self.name}: {self.what}, {where}\n    before: {before}\n    after:  {after}"


@dataclass
class Tally:
    """How many answers of one part were compared, and those that differ."""

    compared: int = 0
    differences: list[Difference] = field(default_factory=list)


# ----------------------------------------------------------------------------------- what is answered


def run(checkout: Path, folder: Path, commands: list[Command]) -> list[Answer]:
    """Return what one process of CHECKOUT answers to COMMANDS in FOLDER, with the files that they write."""
    home = {"HOME": str(folder), "USERPROFILE": str(folder)}  # nobody's own trusted certificates
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | home
    done = subprocess.run(
        [sys.executable, str(RUNNER), str(checkout)],
        input="\n".join(command.asked for command in commands),
        capture_output=True,
        encoding="utf-8",
        cwd=folder,
        check=False,
        env=environment,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    ended = {"status": f"the program ended ({done.returncode})", "out": "", "err": done.stderr.strip()[-2000:]}
    answers += [dict(ended) for _ in commands[len(answers) :]]
    for command, answer in zip(commands, answers, strict=True):
        written = ((name, folder / name) for name in command.writes)
        answer["files"] = {name: path.read_text("utf-8") for name, path in written if path.exists()}
    return answers


def make_identity(checkout: Path, folder: Path) -> None:
    """Make the identity that signs, and its passphrase, in FOLDER."""
    (folder / "passphrase").write_text("nine blue herons\n", "utf-8")
    arguments = ("identity", "create", "--name", "A. Officer", "--out", "signer.p12", *SIGNER[2:], "--at", BEGUN)
    answer = run(checkout, folder, [Command(part="sign", name="identity", arguments=arguments)])[0]
    if answer["status"] != 0:
        raise BadInput(f"{checkout} makes no identity: {answer['err']}")


def version(checkout: Path, folder: Path) -> str:
    """Return the version that CHECKOUT states."""
    answer = run(checkout, folder, [Command(part="solve", name="version", arguments=("--version",))])[0]
    if answer["status"] != 0:
        raise BadInput(f"{checkout} does not run: {answer['err'] or answer['status']}")
    return str(answer["out"]).split()[-1]


# -------------------------------------------------------------------------------- how they are compared


def said_by_signatures(text: str) -> str:
    """Return what the lines of a signature file say, but for what is random; TEXT itself where it is no such file."""
    said = []
    try:
        for line in text.splitlines():
            header, payload, _ = (base64.urlsafe_b64decode(part + "==") for part in line.split("."))
            stated = json.loads(payload)
            said.append([json.loads(header), {name: stated[name] for name in stated if name not in AT_RANDOM}])
    except ValueError:
        return text
    return json.dumps(said)


def statements(command: Command, answer: Answer, masked: str | None) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield what an answer states, by name, with the texts that are compared; where MASKED, without it and hashes."""

    def plain(text: str) -> str:
        text = PICTURE.sub(r"\1", text)
        if command.part == "sign":  # what is said of a signature tells how long the PDF is
            text = re.sub(r"first [\d,.]+ bytes", "first bytes", text)
        return HASH.sub("HASH", text.replace(masked, "VERSION")) if masked else text

    words, texts, lines = answer["err"], {}, answer["out"].split("\n")
    for name in command.writes:
        text = answer["files"].get(name)
        texts[name] = plain(said_by_signatures(text) if text and name.endswith(".jws") else text or "is not written")
    texts |= {"answers": str(len(lines))} if command.lines else {"output": plain(answer["out"])}
    yield command.name, {"exit status": str(answer["status"]), **texts, "words": plain(words)}
    for name, line in zip_longest(command.lines, lines[: len(command.lines)], fillvalue="is not there"):
        yield name, {"answer": plain(line)}


def compare(command: Command, before: Answer, after: Answer, versions: tuple[str, str]) -> Iterator[Difference | None]:
    """Yield for each statement of two answers to a command their first difference, or None."""
    masked = versions if versions[0] != versions[1] else (None, None)
    one, other = statements(command, before, masked[0]), statements(command, after, masked[1])
    for (name, texts), (_, others) in zip(one, other, strict=True):
        found = ((what, first_difference(texts[what], others[what])) for what in texts)
        first = next(((what, place) for what, place in found if place), None)
        yield first and Difference(name=name, what=first[0], place=first[1])


# -------------------------------------------------------------------------------------- the command


def compared(options: argparse.Namespace, place: Path) -> tuple[dict[str, Tally], Tally]:
    """Return how each part of the two checkouts compares, and what is said in German; PLACE is a folder to work in."""
    checkouts = {"before": options.before, "after": options.after}
    folders = {side: place / side for side in checkouts}
    for folder in folders.values():
        folder.mkdir()
    versions = version(options.before, folders["before"]), version(options.after, folders["after"])
    if versions[0] != versions[1]:
        print(f"Versions {versions[0]} and {versions[1]}: neither they nor hashes are compared.")
    if {"sign", "report"} & {*options.only}:
        make_identity(options.before, folders["before"])
    groups = asked(options, folders["before"])
    if not groups:
        raise BadInput(f'nothing in {options.before} matches "{options.match}"')
    shutil.copytree(folders["before"], folders["after"], dirs_exist_ok=True)
    shares = max(1, options.jobs // 2)
    batches = [[command for group in groups[share::shares] for command in group] for share in range(shares)]
    with ThreadPoolExecutor(options.jobs) as pool:
        running = [[pool.submit(run, checkouts[side], folders[side], batch) for side in checkouts] for batch in batches]
        answers = [[each.result() for each in pair] for pair in running]
    english, german = {part: Tally() for part in options.only}, Tally()
    for batch, (before, after) in zip(batches, answers, strict=True):
        for command, one, other in zip(batch, before, after, strict=True):
            if isinstance(one["status"], str) or one["out"].count("\n") < len(command.lines):
                raise BadInput(f"{options.before} gives no answer to {command.name}: {one['status']} {one['err']}")
            if command.part not in options.only:
                continue
            for difference in compare(command, one, other, versions):
                strict = command.language == "en" or (difference and difference.what == "exit status")
                tally = english[command.part] if strict else german
                tally.compared += 1
                tally.differences += [difference] if difference else []
    return english, german


def tell(what: str, tally: Tally) -> None:
    """Print how many were compared and the first of those that differ."""
    print(f"{what}: {tally.compared} compared, {len(tally.differences) or 'none'} different")
    for difference in tally.differences[:MOST_SHOWN]:
        print(difference)
    if len(tally.differences) > MOST_SHOWN:
        print(f"  and {len(tally.differences) - MOST_SHOWN} more")


def arguments(given: list[str] | None) -> argparse.Namespace:
    """Return the arguments, checked."""
    parser = argparse.ArgumentParser(prog="compare_checkouts", description="Compare what two checkouts answer.")
    parser.add_argument("before", type=Path, help="the checkout that is right")
    parser.add_argument("after", type=Path, help="the checkout that is to say the same")
    parser.add_argument("--only", default=",".join(PARTS), help=f"some of {','.join(PARTS)} (default: all)")
    parser.add_argument("--match", default="", help="only what has this in its name: a path; a case's id and function")
    parser.add_argument("--jobs", type=int, default=2, help="how many processes at a time (default 2)")
    parser.add_argument("--cases", type=Path, help="a folder of further cases for compute (*.jsonl: id, fn, args)")
    options = parser.parse_args(given)
    options.only = tuple(options.only.split(","))
    if unknown := [part for part in options.only if part not in PARTS]:
        parser.error(f"--only knows {', '.join(PARTS)}; found {', '.join(unknown)}")
    if options.jobs < 1:
        parser.error("--jobs must be at least 1")
    options.before, options.after = options.before.resolve(), options.after.resolve()
    for checkout in (options.before, options.after):
        if not (checkout / "main.py").is_file():
            parser.error(f"{checkout} holds no main.py")
    if not inputs(options.before):
        parser.error(f"{options.before} holds no examples")
    if options.cases and not options.cases.is_dir():
        parser.error(f"{options.cases} is no folder")
    return options


def main(given: list[str] | None = None) -> int:
    """Compare, say what differs, and return the exit status."""
    options, began = arguments(given), time.monotonic()
    try:
        with tempfile.TemporaryDirectory() as place:
            english, german = compared(options, Path(place))
    except (BadInput, ValueError) as problem:
        print(f"compare_checkouts: {problem}", file=sys.stderr)
        return 2
    for part, tally in english.items():
        tell(part, tally)
    if german.compared:
        tell("German, which may change", german)
    different = sum(len(tally.differences) for tally in english.values())
    total = sum(tally.compared for tally in english.values())
    print(f"{total} answers compared in {time.monotonic() - began:.0f} s: {different or 'none'} different.")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
