"""What two checkouts are asked: commands about each example, golden file and case of one of them, and broken inputs."""

from __future__ import annotations

import argparse
import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import broken_inputs

INPUTS = ("resources/examples/*.json", "tests/golden/**/*.json")
CASES = ("tests/oracles/cases/*.jsonl", "tests/golden/**/*.jsonl")
EXPORTS = ("html", "web", "csv", "opendp", "registry")
BEGUN, AT, LATER = (
    "2025-12-01T00:00:00Z",
    "2026-01-01T00:00:00Z",
    "2026-11-21T13:00:00Z",
)  # after the golden ones
SIGNER = ("--identity", "signer.p12", "--passphrase-file", "passphrase")


@dataclass(frozen=True, kw_only=True)
class Command:
    """One run of main.py: what it is about, its arguments, and what of it is compared."""

    part: str
    name: str
    arguments: tuple[str, ...]
    given: str = ""
    lines: tuple[str, ...] = ()  # names of the lines of its output, where each is an answer of its own
    writes: tuple[str, ...] = ()
    language: str = "en"

    @property
    def asked(self) -> str:
        """The command as one line of the runner's input."""
        return json.dumps({"arguments": ["--language", self.language, *self.arguments], "input": self.given})


def inputs(checkout: Path) -> dict[str, Path]:
    """Return the decisions and records of CHECKOUT by name: the path without its first folders and its ending."""
    found = sorted(path for pattern in INPUTS for path in checkout.glob(pattern))
    places = {path.relative_to(checkout).with_suffix("").as_posix(): path for path in found}
    return {re.sub("^(resources|tests/golden)/", "", place): path for place, path in places.items()}


def calls(checkout: Path, folder: Path | None) -> Iterator[tuple[str, str]]:
    """Yield the name and the line of every case of CHECKOUT and of FOLDER."""
    files = [path for pattern in CASES for path in sorted(checkout.glob(pattern))]
    for path in files + (sorted(folder.glob("**/*.jsonl")) if folder else []):
        for line in path.read_text("utf-8").splitlines():
            case = json.loads(line)
            if isinstance(case, dict) and {"fn", "args"} <= case.keys():
                asked = {name: case[name] for name in ("id", "fn", "args") if name in case}
                yield f"{path.stem} {case.get('id', '')} {case['fn']}", json.dumps(asked)


def computing(cases: list[tuple[str, str]], language: str) -> Iterator[Command]:
    """Yield the one command that computes all CASES, if there are any."""
    if cases:
        names, asked = tuple(name for name, _ in cases), "\n".join(line for _, line in cases)
        yield Command(part="compute", name="all", arguments=("compute",), given=asked, lines=names, language=language)


def about_broken(name: str, text: str | None) -> Iterator[Command]:
    """Yield the commands about a broken decision, in both languages."""
    for language in ("en", "de"):
        arguments = ("solve", "not_there.json") if text is None else ("solve", "-")
        yield Command(part="solve", name=name, arguments=arguments, given=text or "", language=language)


def about_decision(name: str, file: str, content: dict[str, Any], folder: Path) -> Iterator[Command]:
    """Yield the commands about CONTENT, a decision or a record that lies at FILE in FOLDER, in the order of running."""
    for language in ("en", "de"):
        yield Command(part="solve", name=name, arguments=("solve", file), language=language)
        yield Command(part="report", name=name, arguments=("report", file, "--at", AT), language=language)
    records = {}
    if "decision" in content:  # a record: its decision is signed anew, and it is signed once more
        records[name] = file
        decision = f"{file.removesuffix('.json')}-decision.json"
        (folder / decision).write_text(json.dumps(content["decision"]), "utf-8")
        if (folder / f"{file}.jws").exists():
            further = ("sign", file, *SIGNER, "--role", "data_protection_officer", "--at", LATER)
            yield Command(part="sign", name=f"{name} once more", arguments=further, writes=(f"{file}.jws",))
        file = decision
    internal, public = (file.replace(".json", ending) for ending in ("-record.json", "-public.json"))
    editions = {name: (internal, (file,)), f"{name} public": (public, ("--edition", "public", "--of", internal))}
    for edition, (record, made_of) in editions.items():
        signing = ("sign", *made_of, *SIGNER, "--at", AT, "--out", record.removesuffix(".json"))
        yield Command(part="sign", name=edition, arguments=signing, writes=(record, f"{record}.jws"))
    records |= {f"{name} signed": internal, f"{name} public": public}
    for record, written in records.items():
        for target in EXPORTS:
            yield Command(part="report", name=f"{record} as {target}", arguments=("export", written, "--to", target))


def asked(options: argparse.Namespace, folder: Path) -> list[list[Command]]:
    """Return what both checkouts are asked, what hangs together in one list; its files are laid into FOLDER."""

    def matching(name: str) -> bool:
        return options.match.casefold() in name.casefold()

    groups = []
    if "compute" in options.only:
        broken = [(f"broken: {name}", line) for name, line in broken_inputs.CALLS.items()]
        english = [case for case in (*calls(options.before, options.cases), *broken) if matching(case[0])]
        german = [case for case in broken if matching(case[0])]
        groups.append([*computing(english, "en"), *computing(german, "de")])
    if "solve" in options.only:
        broken_ones = ((f"broken: {name}", text) for name, text in broken_inputs.DECISIONS.items())
        groups += [list(about_broken(name, text)) for name, text in broken_ones if matching(name)]
    needed = {*options.only} | ({"sign"} if "report" in options.only else set())  # what is exported is signed before
    for name, path in inputs(options.before).items():
        if matching(name):
            file = f"{name}.json"
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            for each in path.parent.glob(f"{path.stem}.*"):  # with the PDF and the signatures of a record
                shutil.copy(each, folder / file.replace(path.name, each.name))
            commands = about_decision(name, file, json.loads(path.read_text("utf-8")), folder)
            groups.append([command for command in commands if command.part in needed])
    return [group for group in groups if group]
