"""A decision's whole way, as an officer goes it: the commands one after another, then every page of the window.

What comes back is what nobody should ever see: a defect, an answer that could not be computed, a traceback, an exit
status that the manual does not name.
"""

from __future__ import annotations

import argparse
import io
import json
import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from PySide6.QtWidgets import QLabel

from dpwizard import cli
from dpwizard.base.language import LANGUAGES, speaking
from dpwizard.cli.arguments import parser
from dpwizard.decision import STEPS
from dpwizard.wording import word
from tests.samples.combinations import Told
from tests.ui.hands import Hands

TIME = "2026-11-24T09:00:00+00:00"
FINE, NOT_FINE, WRONG = 0, 1, 2
DEFECT = ("a defect of this program", "Traceback (most recent call last)")
ALLOWED = {  # the exit statuses that docs/record-format.md and `--help` name, command by command
    "solve": {FINE, NOT_FINE},
    "report": {FINE},
    "sign": {FINE, NOT_FINE, WRONG},
    "verify": {FINE, NOT_FINE},  # an exception lacks its second signature
    "replay": {FINE},
    "next": {FINE, WRONG},
    "export": {FINE, WRONG},
}


class Call(NamedTuple):
    """What a command gave: its exit status, and what it wrote."""

    status: int
    out: str
    err: str


@dataclass(kw_only=True)
class Desk:
    """A folder with a key to sign with, and the count of what came of the commands."""

    folder: Path
    faults: list[str] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)
    turn: int = 0

    @classmethod
    def prepared(cls, folder: Path) -> Desk:
        """Return a desk in FOLDER with an identity made."""
        desk = cls(folder=folder)
        (folder / "passphrase").write_text("correct horse battery", "utf-8")
        (folder / "passphrase").chmod(0o600)
        made = run("identity", "create", "--name", "Ann", "--out", str(folder / "ann.p12"), "--at", TIME, *desk.key)
        assert made.status == FINE, made
        return desk

    @property
    def key(self) -> tuple[str, str]:
        """Return the arguments that open the identity."""
        return "--passphrase-file", str(self.folder / "passphrase")

    def call(self, name: str, *arguments: str, language: str = "en", given: bytes = b"") -> Call:
        """Run a command, GIVEN at its standard input, and note what must not be."""
        found = run("--language", language, name, *arguments, given=given)
        said = " ".join((name, *arguments))
        self.outcomes[f"{name} {found.status}"] += 1
        if found.status not in ALLOWED[name]:
            self.faults.append(f"{said}: exit status {found.status}\n{found.err[-600:]}")
        for words in (*DEFECT, *uncomputed()):
            if words in found.out or words in found.err:
                self.faults.append(f'{said}: says "{words}"\n{found.err[-600:]}')
        return found

    def solve(self, told: Told) -> Path:
        """Write a decision to a file and solve it; return the file."""
        path = self.folder / f"{told['title'].replace(' ', '-')}.json"
        path.write_text(json.dumps(told), "utf-8")
        solved = self.call("solve", str(path), language=told["language"])
        answers = json.loads(solved.out).get("answers", []) if solved.out else []
        self.faults += [
            f"{path.name}: {one['kind']} failed: {one['why']}" for one in answers if one["status"] == "failed"
        ]
        return path

    def whole(self, told: Told) -> None:
        """Take a decision through every command."""
        path, language = self.solve(told), str(told["language"])
        self.call("report", str(path), language=language)
        record = self._signed(told, path)
        if record is None:
            return
        for name in ("verify", "replay", "next"):
            trust = () if name == "replay" else ("--trust", str(self.folder))
            self.call(name, str(record), *trust, language=language)
        formats = export_formats()
        self.turn += 1
        for index, to in enumerate(formats):
            if index == self.turn % len(formats):  # by turns: judging its signatures takes longer than all the rest
                self.call("export", str(record), "--to", to, language=language)
            else:
                given = record.read_bytes()
                self.call("export", "-", "--to", to, "--unverified", language=language, given=given)

    def _signed(self, told: Told, path: Path) -> Path | None:
        """Sign a decision; where it lacks something for the outcome drawn, refer it."""
        record = path.with_name(f"{path.stem}-record.json")
        given = ("--identity", str(self.folder / "ann.p12"), *self.key, "--out", str(record.with_suffix("")))
        for outcome in (told["outcome"], "refer"):
            path.write_text(json.dumps(told | {"outcome": outcome}), "utf-8")
            found = self.call("sign", str(path), *given, "--at", TIME, "--trust", str(self.folder))
            if found.status != WRONG:
                return record
        self.outcomes["never signed"] += 1
        self.outcomes[f"never signed: {found.err[-150:]}"] += 1
        return None

    def look(self, hands: Hands, path: Path) -> None:
        """Open a decision in the window and go to each of its pages."""
        with logged() as errors:
            hands.window.open_path(path)
            for step in STEPS:
                hands.wizard.go(step.key)
                hands.settle()
                hands.page.grab()
                for label in hands.window.findChildren(QLabel):
                    for words in (*DEFECT, *uncomputed()):
                        if words in label.text():
                            self.faults.append(f"{path.name}, page {step.key}: {label.text()}")
        self.faults += [f"{path.name}, window: {error}" for error in errors]
        self.outcomes["windows"] += 1


def run(*arguments: str, given: bytes = b"") -> Call:
    """Run the command line with ARGUMENTS as its user would, in this process, with GIVEN at its standard input."""
    written = io.BytesIO(), io.BytesIO()
    out, err = (io.TextIOWrapper(each, "utf-8", write_through=True) for each in written)
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(given), "utf-8"))
        status = cli.main(list(arguments))
    return Call(status, *(each.getvalue().decode("utf-8") for each in written))


def export_formats() -> tuple[str, ...]:
    """Return every format that `export` offers."""
    commands: Any = next(each for each in parser()._actions if isinstance(each, argparse._SubParsersAction))
    to = next(each for each in commands.choices["export"]._actions if each.dest == "to")
    return tuple(to.choices)


def uncomputed() -> tuple[str, ...]:
    """Return how each language says that something could not be computed."""
    found = []
    for language in LANGUAGES:
        with speaking(language):
            found.append(word("status", "failed"))
    return tuple(found)


@contextmanager
def logged() -> Iterator[list[str]]:
    """Keep what is logged as an error meanwhile: the window logs what it does not show."""
    errors: list[str] = []

    class Keeper(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            errors.append(self.format(record)[-1500:])

    keeper = Keeper(logging.ERROR)
    logging.getLogger().addHandler(keeper)
    try:
        yield errors
    finally:
        logging.getLogger().removeHandler(keeper)
