"""Input and output of the command line: lines, files and passphrases. Only this module prints."""

from __future__ import annotations

import argparse
import getpass
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpwizard.base.errors import DPWizardError, Infeasible, InvalidInput
from dpwizard.base.language import phrase
from dpwizard.base.one_line import escaped_json, on_one_line

if TYPE_CHECKING:
    from dpwizard.records import AssertedTime, PolicyFile
    from dpwizard.signing.identity import Identity

FINE, NOT_FINE, WRONG = 0, 1, 2
STANDARD_INPUT = "-"


def say(text: str) -> None:
    """Print TEXT on one line of standard error; control characters quoted from files become code points."""
    print(on_one_line(text), file=sys.stderr)


def show(lines: Iterable[str]) -> None:
    """Print LINES to standard output, with control characters as code points."""
    for line in lines:
        print(on_one_line(line))


def tr(text: str, **figures: Any) -> str:
    """Translate TEXT, and fill in FIGURES; a test collects these texts from the source."""
    return phrase("command_line", text).format(**figures) if figures else phrase("command_line", text)


def print_json(value: Any) -> None:
    from dpwizard.base import json_text

    print(escaped_json(json_text.line(value)))


def complain(problem: DPWizardError) -> int:
    """Print an error in words and as JSON; return its exit status."""
    from dpwizard.privacy.compute import as_plain

    print_json({"ok": False, "error": as_plain(problem)})
    say(f"dpwizard: {problem}")
    return NOT_FINE if isinstance(problem, Infeasible) else WRONG


def guarded(action: Callable[[], int]) -> int:
    """Run ACTION; return its exit status, and print errors in words, never as a traceback."""
    try:
        return action()
    except DPWizardError as problem:
        return complain(problem)
    except BrokenPipeError:
        # the reader of our output has ended; a later flush must not fail again
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return WRONG
    except KeyboardInterrupt:
        say(tr("dpwizard: stopped"))
        return WRONG
    except (MemoryError, RecursionError):
        return complain(DPWizardError("needs more memory than this computer has", "", "Make the input smaller."))
    except Exception as problem:  # a defect
        return complain(
            DPWizardError(
                f"a defect of this program: {type(problem).__name__}: {problem}"[:300], "", "Please report it."
            )
        )


def text_of(name: str) -> str:
    """Return the text of a file, or of standard input for "-"."""
    from dpwizard.base import files

    data = sys.stdin.buffer.read() if name == STANDARD_INPUT else files.read_bytes(Path(name))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidInput("is not UTF-8 text", name, "Save it as UTF-8.") from None


def documents_in(text: str) -> Iterator[str]:
    """Yield the documents of TEXT: one a line if each line looks like a JSON object, else one."""
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > 1 and all(line.lstrip().startswith("{") and line.rstrip().endswith("}") for line in lines[:2]):
        yield from lines
    else:
        yield text


def now() -> datetime:
    """Return the time of this computer's clock, to the second."""
    return datetime.now(UTC).astimezone().replace(microsecond=0)


def stated_from(at: str | None) -> AssertedTime:
    """Return the time to state in a record, and its source: the signer if it is given, else this computer."""
    from dpwizard.records import AssertedTime
    from dpwizard.signing.signing import parse_time

    if at is None:
        return AssertedTime(time=now(), source="computer")
    return AssertedTime(time=parse_time(at, "--at"), source="signer")


def passphrase_from(options: argparse.Namespace, ask: str, *, twice: bool = False) -> str:
    """Return the passphrase from a file or typed; not from an argument, which other users could see."""
    from dpwizard.base import files

    if options.passphrase_file:
        warn_if_readable(Path(options.passphrase_file))
        data = files.read_bytes(Path(options.passphrase_file), largest=4096)
        try:
            return next(iter(data.decode("utf-8-sig").splitlines()), "")
        except UnicodeDecodeError:
            raise InvalidInput("is not UTF-8 text", "--passphrase-file", "Save it as UTF-8.") from None
    if not sys.stdin.isatty():
        raise InvalidInput("is missing", "--passphrase-file", "Name a file that holds it, or run this in a terminal.")
    typed = getpass.getpass(ask)
    if twice and getpass.getpass(tr("Once more: ")) != typed:
        raise InvalidInput("the two passphrases differ", "passphrase", "Type the same passphrase twice.")
    return typed


def policy_from(options: argparse.Namespace, placed: Path | None) -> PolicyFile | None:
    """Return the policy in the options, else the office's policy PLACED on this computer, else None."""
    from dpwizard.signing import office, policy_files

    path = Path(options.policy) if options.policy else placed
    if path is None:
        return None
    places = office.trust_places([Path(name) for name in options.trust], path)
    return policy_files.read_policy(path, places)


def identity_from(options: argparse.Namespace) -> Identity:
    """Open the key file in the options; print a warning if other users can read it or the passphrase file."""
    from dpwizard.base import files
    from dpwizard.signing import identity

    path = Path(options.identity)
    warn_if_readable(path)
    return identity.open_identity(
        pkcs12=files.read_bytes(path), passphrase=passphrase_from(options, tr("Passphrase: "))
    )


def warn_if_readable(path: Path) -> None:
    """Print a warning if other users can read PATH, which holds a secret."""
    from dpwizard.base import files

    if files.others_may_read(path):
        say(tr("Warning: others can read {path}. Let only its owner read it (chmod 600).", path=path))
