"""The program: without arguments (or with a file) the wizard's window, with a subcommand the command line."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path

HOME = Path(__file__).resolve().parent
OPENED = (".json", ".jws", ".pdf")  # the window opens decisions, and verifies the record that a file belongs to
OWN_PYTHON = HOME / ".venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def main(arguments: list[str] | None = None) -> int:
    """Run the command line, or open the window where no subcommand is given; return the exit status.

    ARGUMENTS are those this process was started with, unless others are given.
    """
    if arguments is None:  # the command that pip installs calls it so
        arguments = sys.argv[1:]
    if importlib.util.find_spec("pydantic") is None:
        return elsewhere(arguments)
    # looking through every installed package for some takes 15 ms
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    from dpwizard.base.language import LANGUAGES, named_language, system_language

    language, others = named_language(arguments)
    named = [argument for argument in others if argument != "--safe-mode"]  # safe mode: without any settings
    if language is not None and language not in LANGUAGES:
        named = arguments  # the command line says what is wrong with it
    if not named or (len(named) == 1 and named[0].endswith(OPENED) and Path(named[0]).exists()):
        return window(arguments, language or system_language())
    if arguments == ["--self-test"]:
        return window(arguments, system_language())
    # asked by ui/workers/worker_process.py and dpwizard/signing/bounded.py
    if arguments[:1] in (["--apart"], ["--bounded"]):
        import contextlib

        from dpwizard.base import worker
        from dpwizard.signing import bounded

        answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # libraries in C print there
        with contextlib.redirect_stdout(sys.stderr):  # whatever else is printed is no answer
            if arguments[0] == "--apart":
                worker.serve(sys.stdin.buffer, answers)
            bounded.serve(sys.stdin.buffer, answers, *arguments[1:])
    from dpwizard import cli

    return cli.main(arguments)


def window(arguments: list[str], language: str) -> int:
    """Open the window, or test it; return the exit status: 2 where this system cannot show a window.

    What this system lacks is said in LANGUAGE, and before Qt is imported: Qt itself would end the process.
    """
    from dpwizard.base.errors import DPWizardError
    from dpwizard.base.language import speaking
    from ui import system_libraries

    if sys.platform == "linux":
        with speaking(language):
            try:
                system_libraries.check(os.environ)
            except DPWizardError as problem:
                print(f"dpwizard: {problem}", file=sys.stderr)
                return 2
    if arguments == ["--self-test"]:
        from ui.app import self_test

        return self_test.run(["dpwizard"])
    from ui.app import application

    return application.run(["dpwizard", *arguments])


def elsewhere(arguments: list[str]) -> int:
    """Run with the Python that set-up made, when started by one without the libraries; else say what to do."""
    import subprocess

    if OWN_PYTHON.exists() and Path(sys.prefix).resolve() != (HOME / ".venv").resolve():
        return subprocess.call([str(OWN_PYTHON), str(HOME / "main.py"), *arguments])
    print(
        "dpwizard: its libraries are not installed. Run `make run` first (README.md says how on Windows and macOS).",
        file=sys.stderr,
    )
    return 2


if __name__ == "__main__":
    sys.exit(main())
