"""The arguments of the command line, and the way from them to a command."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import NoReturn

from dpwizard.base.errors import InvalidInput
from dpwizard.base.language import LANGUAGES, named_language, speaking, system_language
from dpwizard.base.messages import message
from dpwizard.base.version import __version__
from dpwizard.cli.beginning import begin_next
from dpwizard.cli.commands import compute, elicit, export, identity, report, schema, sensitivity, sign, solve
from dpwizard.cli.ledger import DELTA, ledger
from dpwizard.cli.office import log, office, policy
from dpwizard.cli.terminal import STANDARD_INPUT, WRONG, complain, guarded, said, tell
from dpwizard.cli.verifying import VERDICTS, examine, make_pdf, replay, take_json_out, verify


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with an argument as every other error is said."""

    def error(self, message: str) -> NoReturn:
        usage = " ".join(self.format_usage().split())
        tell(f"dpwizard: {message}. {usage}")
        raise SystemExit(WRONG)


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    top = _Parser(
        prog="dpwizard",
        description=said("Choose, justify and sign the privacy budget of a differentially private release."),
        epilog=said(
            "Requirements by the attack they limit: membership inference, attack_advantage; attribute inference, "
            "relative_risk; reconstruction, singling out and linking, attack_success."
        ),
    )
    top.add_argument(
        "--language",
        metavar="|".join(LANGUAGES),
        help=said("the language of words; JSON never depends on it (default: the system’s)"),
    )
    top.add_argument("--version", action="version", version=f"dpwizard {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)

    def add(name: str, run: Callable[[argparse.Namespace], int], help: str) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=help, description=help)
        command.set_defaults(run=run)
        return command

    one = add(
        "solve", solve, said("solve a decision file: what each requirement allows, and the allowed range of epsilon")
    )
    one.add_argument("file", help=said('a decision file, many of them one a line, or "-" for standard input'))
    one.add_argument("--quiet", action="store_true", help=said("print the JSON only"))
    one.add_argument("--needs", metavar="CSV", help=said("a CSV file of needs, added to those of each decision"))
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
            act.add_argument("--name", required=True, help=said("the person’s name"))
            act.add_argument("--organisation", default="", help=said("the office"))
            act.add_argument("--years", type=int, default=3, help=said("how long the certificate is valid (default 3)"))
            act.add_argument("--at", help=said("the time to state, with offset (default: this computer’s)"))
            act.add_argument("--out", dest="file", required=True, help=said("the new file, NAME.p12"))
        else:
            act.add_argument("file", help=said("a .p12 file"))
    one = add("sign", sign, said("make the record of a decision and sign it, or add a signature to a record"))
    one.add_argument("file", nargs="?", help=said("a decision file, or the .json of a record"))
    one.add_argument("--identity", required=True, help=said("the signer’s .p12 file"))
    one.add_argument(
        "--passphrase-file", help=said("a file whose first line is the passphrase; otherwise it is asked for")
    )
    one.add_argument(
        "--role",
        default="proposes",
        help=said("proposes, approves, data_protection_officer or vouches (default proposes)"),
    )
    one.add_argument("--verdict", choices=VERDICTS, help=said("the signer’s verdict (default: the decision’s outcome)"))
    one.add_argument("--comment", default="", help=said("the signer’s comment"))
    one.add_argument("--at", help=said("the time to state, with offset (default: this computer’s)"))
    one.add_argument(
        "--out", help=said("the record’s name without ending (default: the decision file’s name with -record)")
    )
    one.add_argument(
        "--policy",
        help=said(
            "the office’s policy file (TOML): checked before signing (default: the one placed on this computer, if any)"
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
    one = add("next", begin_next, said("begin the next release from the record of the last: a new decision file"))
    one.add_argument("file", help=said("the .json or .pdf of a record, or a decision file"))
    one.add_argument("--trust", action="append", default=[], help=said("a certificate file or folder to trust"))
    one = add("office", office, said("what the office set on this computer: begin its file, or say what holds"))
    actions = one.add_subparsers(dest="action", required=True, metavar="new|show", parser_class=_Parser)
    act = actions.add_parser("new", help=said("write commented settings to begin with"))
    act.add_argument("file", nargs="?", help=said("the new file (default office.toml)"))
    act = actions.add_parser("show", help=said("say what the office set; of a file, before it is placed, what it sets"))
    act.add_argument("file", nargs="?", help=said("a settings file (default: what is placed on this computer)"))
    one = add("policy", policy, said("the office’s policy: write one to begin with, sign it, or read it"))
    actions = one.add_subparsers(dest="action", required=True, metavar="new|sign|show", parser_class=_Parser)
    new = actions.add_parser("new", help=said("write a commented policy to begin with"))
    new.add_argument("file", nargs="?", default="policy.toml", help=said("the new file (default policy.toml)"))
    act = actions.add_parser("sign", help=said("sign a policy: the signature lies beside it, NAME.toml.jws"))
    act.add_argument("file", help=said("a policy file"))
    act.add_argument("--identity", required=True, help=said("the signer’s .p12 file"))
    act.add_argument(
        "--passphrase-file", help=said("a file whose first line is the passphrase; otherwise it is asked for")
    )
    act.add_argument("--at", help=said("the time to state, with offset (default: this computer’s)"))
    act = actions.add_parser("show", help=said("say what a policy asks for, and who signed it"))
    act.add_argument("file", help=said("a policy file"))
    act.add_argument("--trust", action="append", default=[], help=said("a certificate file or folder to trust"))
    one = add("log", log, said("the office’s log of signatures: begin one, or judge it"))
    actions = one.add_subparsers(dest="action", required=True, metavar="new|verify", parser_class=_Parser)
    act = actions.add_parser("new", help=said("begin a log of signatures"))
    act.add_argument("file", nargs="?", help=said("the log (default: the one of the office)"))
    act = actions.add_parser("verify", help=said("judge a log: whether its signatures are still in their records"))
    act.add_argument("file", nargs="?", help=said("the log (default: the one of the office)"))
    act.add_argument("--records", metavar="DIR", help=said("the folder with the records, and all below it"))
    act.add_argument("--json", action="store_true", help=said("print the findings as JSON"))
    one = add(
        "ledger",
        ledger,
        said("the office’s ledger: what the records of a folder have taken of whom, and how each of them stands"),
    )
    one.add_argument("folder", help=said("the folder with the records, and all below it"))
    one.add_argument("--with", dest="more", metavar="FILE", help=said("a decision file: say what it would add"))
    one.add_argument(
        "--with-epsilon", type=float, metavar="EPSILON", help=said("a budget alone, in epsilon: say what it would add")
    )
    one.add_argument(
        "--with-rho", type=float, metavar="RHO", help=said("a budget alone, in rho: say what it would add")
    )
    one.add_argument("--at", metavar="DATE", help=said("the day on which reviews are due (default: today)"))
    one.add_argument("--ceiling", type=float, metavar="EPSILON", help=said("the most epsilon that may be lost in all"))
    one.add_argument("--ceiling-rho", type=float, metavar="RHO", help=said("the most rho that may be lost in all"))
    one.add_argument(
        "--delta",
        type=float,
        default=DELTA,
        help=said("the delta at which rho is said in epsilon (default 0.000001)"),
    )
    one.add_argument("--trust", action="append", default=[], help=said("a certificate file or folder to trust"))
    one.add_argument(
        "--unjudged", action="store_true", help=said("do not judge signatures: quicker, and nothing is sure")
    )
    one.add_argument("--json", action="store_true", help=said("print the ledger as JSON"))
    one = add("report", report, said("print the report of a decision or a record, or typeset it unsigned with --out"))
    one.add_argument("file", help=said('a decision file, the .json of a record, or "-"'))
    one.add_argument("--out", help=said("a new PDF file"))
    one.add_argument("--at", help=said("the time to state, with offset (default: this computer’s)"))
    one = add("verify", verify, said("judge a record: make it again from its JSON and signatures, and compare"))
    one.add_argument("file", help=said("the .json, the .pdf or a signature (.1.jws) of a record"))
    one.add_argument("--trust", action="append", default=[], help=said("a certificate file or folder to trust"))
    one.add_argument(
        "--policy", help=said("the office’s policy file: whose signatures it asks for, and the folder trust beside it")
    )
    one.add_argument("--json", action="store_true", help=said("print the findings as JSON"))
    one.add_argument(
        "--explain", action="store_true", help=said("print how to check the record with other programs, and stop")
    )
    one = add("pdf", make_pdf, said("make the PDF of a record again from its JSON and its signatures"))
    one.add_argument("file", help=said("the .json, the .pdf or a signature (.1.jws) of a record"))
    one = add("json", take_json_out, said("take the JSON out of the PDF of a record of which nothing else is at hand"))
    one.add_argument("file", help=said("the .pdf of a record"))
    one = add("replay", replay, said("recalculate a record and compare every number"))
    one.add_argument("file", nargs="?", help=said("the .json of a record"))
    one.add_argument(
        "--all", metavar="DIR", help=said("every record in this folder and below: one line of JSON each, and a table")
    )
    one = add(
        "examine",
        examine,
        said("check a published privacy-loss claim against its own figures"),
    )
    one.add_argument(
        "file",
        help=said('a claim or an entry of the registry (YAML or JSON), a decision, the .json of a record, or "-"'),
    )
    one.add_argument("--json", action="store_true", help=said("print the findings as JSON"))
    one = add(
        "export",
        export,
        said(
            "write a record as a registry entry, code or a script for the release, CSV, a piece of a web page, or a "
            "page (html)"
        ),
    )
    one.add_argument("file", help=said("the .json of a record"))
    one.add_argument(
        "--to",
        required=True,
        choices=(
            *("registry", "opendp", "script", "script_opendp", "csv", "web", "html", "noise", "notice", "reviewers"),
        ),
    )
    one.add_argument("--tier", type=int, default=3, help=said("the registry’s tier, 1 to 3 (default 3)"))
    one.add_argument("--out", help=said("a new file (default: standard output); plan.json is written beside a script"))
    one.add_argument("--unverified", action="store_true", help=said("also a record that does not verify; it says so"))
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
    one.add_argument(
        "of", nargs="?", default="decision", choices=("decision", "assessment", "record", "compute", "claim")
    )
    return top


def main(arguments: list[str]) -> int:
    """Run the command line with ARGUMENTS and return the exit status."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    language, rest = named_language(arguments)
    with speaking(language or system_language()):
        if language is not None and language not in LANGUAGES:
            return complain(
                InvalidInput(
                    message(
                        'must be one of {choices}; found "{found}"', choices=", ".join(LANGUAGES), found=language[:40]
                    ),
                    "--language",
                    "Choose one of these.",
                )
            )
        try:
            options = parser().parse_args(rest)
        except SystemExit as stop:
            return stop.code if isinstance(stop.code, int) else WRONG
        return guarded(lambda: options.run(options))
