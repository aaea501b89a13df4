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
from dpwizard.cli.terminal import STANDARD_INPUT, WRONG, complain, guarded, tell, tr
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
        description=tr("Choose, justify and sign the privacy budget of a differentially private release."),
        epilog=tr(
            "Requirements by the attack they limit: membership inference, attack_advantage; attribute inference, "
            "relative_risk; reconstruction, singling out and linking, attack_success."
        ),
    )
    top.add_argument(
        "--language",
        metavar="|".join(LANGUAGES),
        help=tr("the language of words; JSON never depends on it (default: the system’s)"),
    )
    top.add_argument("--version", action="version", version=f"dpwizard {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)

    def add(name: str, run: Callable[[argparse.Namespace], int], help: str) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=help, description=help)
        command.set_defaults(run=run)
        return command

    one = add(
        "solve", solve, tr("solve a decision file: what each requirement allows, and the allowed range of epsilon")
    )
    one.add_argument("file", help=tr('a decision file, many of them one a line, or "-" for standard input'))
    one.add_argument("--quiet", action="store_true", help=tr("print the JSON only"))
    one.add_argument("--needs", metavar="CSV", help=tr("a CSV file of needs, added to those of each decision"))
    one = add("compute", compute, tr("call the functions by name: one JSON call a line, one JSON answer a line"))
    one.add_argument("file", nargs="?", default=STANDARD_INPUT, help=tr('a file of calls, or "-" for standard input'))
    one = add(
        "identity", identity, tr("make or show an identity: a certificate and its key, protected by a passphrase")
    )
    actions = one.add_subparsers(dest="action", required=True, metavar="create|show", parser_class=_Parser)
    for action, words in (("create", "make an identity"), ("show", "show whose identity a file holds")):
        act = actions.add_parser(action, help=tr(words))
        act.add_argument(
            "--passphrase-file", help=tr("a file whose first line is the passphrase; otherwise it is asked for")
        )
        if action == "create":
            act.add_argument("--name", required=True, help=tr("the person’s name"))
            act.add_argument("--organisation", default="", help=tr("the office"))
            act.add_argument("--years", type=int, default=3, help=tr("how long the certificate is valid (default 3)"))
            act.add_argument("--at", help=tr("the time to state, with offset (default: this computer’s)"))
            act.add_argument("--out", dest="file", required=True, help=tr("the new file, NAME.p12"))
        else:
            act.add_argument("file", help=tr("a .p12 file"))
    one = add("sign", sign, tr("make the record of a decision and sign it, or add a signature to a record"))
    one.add_argument("file", nargs="?", help=tr("a decision file, or the .json of a record"))
    one.add_argument("--identity", required=True, help=tr("the signer’s .p12 file"))
    one.add_argument(
        "--passphrase-file", help=tr("a file whose first line is the passphrase; otherwise it is asked for")
    )
    one.add_argument(
        "--role",
        default="proposes",
        help=tr("proposes, approves, data_protection_officer or vouches (default proposes)"),
    )
    one.add_argument("--verdict", choices=VERDICTS, help=tr("the signer’s verdict (default: the decision’s outcome)"))
    one.add_argument("--comment", default="", help=tr("the signer’s comment"))
    one.add_argument("--at", help=tr("the time to state, with offset (default: this computer’s)"))
    one.add_argument(
        "--out", help=tr("the record’s name without ending (default: the decision file’s name with -record)")
    )
    one.add_argument(
        "--policy",
        help=tr(
            "the office’s policy file (TOML): checked before signing (default: the one placed on this computer, if any)"
        ),
    )
    one.add_argument(
        "--edition",
        choices=("internal", "public"),
        default="internal",
        help=tr("public: without what the decision withholds"),
    )
    one.add_argument(
        "--of",
        metavar="INTERNAL",
        help=tr("the .json of the signed internal record that a public edition is made of"),
    )
    one.add_argument("--trust", action="append", default=[], help=tr("a certificate file or folder to trust"))
    one = add("next", begin_next, tr("begin the next release from the record of the last: a new decision file"))
    one.add_argument("file", help=tr("the .json or .pdf of a record, or a decision file"))
    one.add_argument("--trust", action="append", default=[], help=tr("a certificate file or folder to trust"))
    one = add("office", office, tr("what the office set on this computer: begin its file, or say what holds"))
    actions = one.add_subparsers(dest="action", required=True, metavar="new|show", parser_class=_Parser)
    act = actions.add_parser("new", help=tr("write commented settings to begin with"))
    act.add_argument("file", nargs="?", help=tr("the new file (default office.toml)"))
    act = actions.add_parser("show", help=tr("say what the office set; of a file, before it is placed, what it sets"))
    act.add_argument("file", nargs="?", help=tr("a settings file (default: what is placed on this computer)"))
    one = add("policy", policy, tr("the office’s policy: write one to begin with, sign it, or read it"))
    actions = one.add_subparsers(dest="action", required=True, metavar="new|sign|show", parser_class=_Parser)
    new = actions.add_parser("new", help=tr("write a commented policy to begin with"))
    new.add_argument("file", nargs="?", default="policy.toml", help=tr("the new file (default policy.toml)"))
    act = actions.add_parser("sign", help=tr("sign a policy: the signature lies beside it, NAME.toml.jws"))
    act.add_argument("file", help=tr("a policy file"))
    act.add_argument("--identity", required=True, help=tr("the signer’s .p12 file"))
    act.add_argument(
        "--passphrase-file", help=tr("a file whose first line is the passphrase; otherwise it is asked for")
    )
    act.add_argument("--at", help=tr("the time to state, with offset (default: this computer’s)"))
    act = actions.add_parser("show", help=tr("say what a policy asks for, and who signed it"))
    act.add_argument("file", help=tr("a policy file"))
    act.add_argument("--trust", action="append", default=[], help=tr("a certificate file or folder to trust"))
    one = add("log", log, tr("the office’s log of signatures: begin one, or judge it"))
    actions = one.add_subparsers(dest="action", required=True, metavar="new|verify", parser_class=_Parser)
    act = actions.add_parser("new", help=tr("begin a log of signatures"))
    act.add_argument("file", nargs="?", help=tr("the log (default: the one of the office)"))
    act = actions.add_parser("verify", help=tr("judge a log: whether its signatures are still in their records"))
    act.add_argument("file", nargs="?", help=tr("the log (default: the one of the office)"))
    act.add_argument("--records", metavar="DIR", help=tr("the folder with the records, and all below it"))
    act.add_argument("--json", action="store_true", help=tr("print the findings as JSON"))
    one = add(
        "ledger",
        ledger,
        tr("the office’s ledger: what the records of a folder have taken of whom, and how each of them stands"),
    )
    one.add_argument("folder", help=tr("the folder with the records, and all below it"))
    one.add_argument("--with", dest="more", metavar="FILE", help=tr("a decision file: say what it would add"))
    one.add_argument(
        "--with-epsilon", type=float, metavar="EPSILON", help=tr("a budget alone, in epsilon: say what it would add")
    )
    one.add_argument("--with-rho", type=float, metavar="RHO", help=tr("a budget alone, in rho: say what it would add"))
    one.add_argument("--at", metavar="DATE", help=tr("the day on which reviews are due (default: today)"))
    one.add_argument("--ceiling", type=float, metavar="EPSILON", help=tr("the most epsilon that may be lost in all"))
    one.add_argument("--ceiling-rho", type=float, metavar="RHO", help=tr("the most rho that may be lost in all"))
    one.add_argument(
        "--delta",
        type=float,
        default=DELTA,
        help=tr("the delta at which rho is said in epsilon (default 0.000001)"),
    )
    one.add_argument("--trust", action="append", default=[], help=tr("a certificate file or folder to trust"))
    one.add_argument(
        "--unjudged", action="store_true", help=tr("do not judge signatures: quicker, and nothing is sure")
    )
    one.add_argument("--json", action="store_true", help=tr("print the ledger as JSON"))
    one = add("report", report, tr("print the report of a decision or a record, or typeset it unsigned with --out"))
    one.add_argument("file", help=tr('a decision file, the .json of a record, or "-"'))
    one.add_argument("--out", help=tr("a new PDF file"))
    one.add_argument("--at", help=tr("the time to state, with offset (default: this computer’s)"))
    one = add("verify", verify, tr("judge a record: make it again from its JSON and signatures, and compare"))
    one.add_argument("file", help=tr("the .json, the .pdf or a signature (.1.jws) of a record"))
    one.add_argument("--trust", action="append", default=[], help=tr("a certificate file or folder to trust"))
    one.add_argument(
        "--policy", help=tr("the office’s policy file: whose signatures it asks for, and the folder trust beside it")
    )
    one.add_argument("--json", action="store_true", help=tr("print the findings as JSON"))
    one.add_argument(
        "--explain", action="store_true", help=tr("print how to check the record with other programs, and stop")
    )
    one = add("pdf", make_pdf, tr("make the PDF of a record again from its JSON and its signatures"))
    one.add_argument("file", help=tr("the .json, the .pdf or a signature (.1.jws) of a record"))
    one = add("json", take_json_out, tr("take the JSON out of the PDF of a record of which nothing else is at hand"))
    one.add_argument("file", help=tr("the .pdf of a record"))
    one = add("replay", replay, tr("recalculate a record and compare every number"))
    one.add_argument("file", nargs="?", help=tr("the .json of a record"))
    one.add_argument(
        "--all", metavar="DIR", help=tr("every record in this folder and below: one line of JSON each, and a table")
    )
    one = add(
        "examine",
        examine,
        tr("check a published privacy-loss claim against its own figures"),
    )
    one.add_argument(
        "file",
        help=tr('a claim or an entry of the registry (YAML or JSON), a decision, the .json of a record, or "-"'),
    )
    one.add_argument("--json", action="store_true", help=tr("print the findings as JSON"))
    one = add(
        "export",
        export,
        tr(
            "write a record as a registry entry, code or a script for the release, CSV, a piece of a web page, or a "
            "page (html)"
        ),
    )
    one.add_argument("file", help=tr("the .json of a record"))
    one.add_argument(
        "--to",
        required=True,
        choices=(
            *("registry", "opendp", "script", "script_opendp", "csv", "web", "html", "noise", "notice", "reviewers"),
        ),
    )
    one.add_argument("--tier", type=int, default=3, help=tr("the registry’s tier, 1 to 3 (default 3)"))
    one.add_argument("--out", help=tr("a new file (default: standard output); plan.json is written beside a script"))
    one.add_argument("--unverified", action="store_true", help=tr("also a record that does not verify; it says so"))
    one = add(
        "sensitivity",
        sensitivity,
        tr("read the sampled sensitivity off a CSV of public or test data; never confidential data"),
    )
    one.add_argument("file", help=tr("a CSV file: each row one pair of neighbours, f(x) then f(y)"))
    one.add_argument(
        "--confidence", type=float, required=True, help=tr("the share of sampled pairs to cover, in (0, 1]")
    )
    one.add_argument("--origin", required=True, choices=("public", "test_data"), help=tr("where the rows come from"))
    one.add_argument("--delimiter", default=",", help=tr("the character between two numbers (default a comma)"))
    one = add("elicit", elicit, tr("find a risk profile by questions: one JSON question out, one JSON answer in"))
    one.add_argument("file", nargs="?", default=STANDARD_INPUT, help=tr('a file of answers, or "-" for standard input'))
    one = add("schema", schema, tr("print a JSON Schema"))
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
