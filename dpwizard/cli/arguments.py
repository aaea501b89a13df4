"""The arguments of the command line."""

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
from dpwizard.cli.terminal import STANDARD_INPUT, WRONG, complain, guarded, say, tr
from dpwizard.cli.verifying import VERDICTS, examine, make_pdf, replay, take_json_out, verify


class _Parser(argparse.ArgumentParser):
    """Prints errors on one line, with the usage, as the commands do."""

    def error(self, message: str) -> NoReturn:
        usage = " ".join(self.format_usage().split())
        say(f"dpwizard: {message}. {usage}")
        raise SystemExit(WRONG)


def _takes_trust(command: argparse.ArgumentParser) -> None:
    command.add_argument("--trust", action="append", default=[], help=tr("a certificate file or folder to trust"))


def _takes_passphrase(command: argparse.ArgumentParser) -> None:
    words = tr("a file whose first line is the passphrase. Without it, you are asked for the passphrase")
    command.add_argument("--passphrase-file", help=words)


def _takes_time(command: argparse.ArgumentParser) -> None:
    command.add_argument("--at", help=tr("the time to state, with offset (default: this computer’s)"))


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    top = _Parser(
        prog="dpwizard",
        description=tr("Choose the privacy budget of a differentially private release, give your reasons, and sign."),
        epilog=tr(
            "Requirements by the attack they limit: membership inference, attack_advantage; attribute inference, "
            "relative_risk; reconstruction, singling out and linking, attack_success."
        ),
    )
    top.add_argument(
        "--language",
        metavar="|".join(LANGUAGES),
        help=tr("the language of texts. JSON never depends on it (default: the system’s)"),
    )
    top.add_argument("--version", action="version", version=f"dpwizard {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)

    def add(name: str, run: Callable[[argparse.Namespace], int], help: str) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=help, description=help)
        command.set_defaults(run=run)
        return command

    cmd = add(
        "solve", solve, tr("solve a decision file: what each requirement allows, and the allowed range of epsilon")
    )
    cmd.add_argument("file", help=tr('a decision file, many of them one a line, or "-" for standard input'))
    cmd.add_argument("--quiet", action="store_true", help=tr("print the JSON only"))
    cmd.add_argument("--needs", metavar="CSV", help=tr("a CSV file of accuracy requirements to add to each decision"))
    cmd = add("compute", compute, tr("call the functions by name: one JSON call a line, one JSON answer a line"))
    cmd.add_argument("file", nargs="?", default=STANDARD_INPUT, help=tr('a file of calls, or "-" for standard input'))
    cmd = add("identity", identity, tr("make or show a signature file: a certificate and its key under a passphrase"))
    actions = cmd.add_subparsers(dest="action", required=True, metavar="create|show", parser_class=_Parser)
    for action, words in (("create", "make a signature file"), ("show", "show who a signature file belongs to")):
        act = actions.add_parser(action, help=tr(words))
        _takes_passphrase(act)
        if action == "create":
            act.add_argument("--name", required=True, help=tr("the person’s name"))
            act.add_argument("--organisation", default="", help=tr("the office"))
            act.add_argument("--years", type=int, default=3, help=tr("how long the certificate is valid (default 3)"))
            _takes_time(act)
            act.add_argument("--out", dest="file", required=True, help=tr("the new file, NAME.p12"))
        else:
            act.add_argument("file", help=tr("a .p12 file"))
    cmd = add("sign", sign, tr("make the record of a decision and sign it, or add a signature to a record"))
    cmd.add_argument("file", nargs="?", help=tr("a decision file, or the .json of a record"))
    cmd.add_argument("--identity", required=True, help=tr("the signer’s .p12 file"))
    _takes_passphrase(cmd)
    cmd.add_argument(
        "--role",
        default="proposes",
        help=tr("proposes, approves, data_protection_officer or vouches (default proposes)"),
    )
    cmd.add_argument("--verdict", choices=VERDICTS, help=tr("the signer’s verdict (default: the decision’s outcome)"))
    cmd.add_argument("--comment", default="", help=tr("the signer’s comment"))
    _takes_time(cmd)
    cmd.add_argument(
        "--out", help=tr("the record’s name without ending (default: the decision file’s name with -record)")
    )
    cmd.add_argument(
        "--policy",
        help=tr(
            "the office’s policy file (TOML): checked before signing (default: the one placed on this computer, if any)"
        ),
    )
    cmd.add_argument(
        "--edition",
        choices=("internal", "public"),
        default="internal",
        help=tr("public: without what the decision marks as not public"),
    )
    cmd.add_argument(
        "--of",
        metavar="INTERNAL",
        help=tr("the .json of the signed internal record that a public version is made from"),
    )
    _takes_trust(cmd)
    cmd = add("next", begin_next, tr("make the decision file of the next release from a record"))
    cmd.add_argument("file", help=tr("the .json or .pdf of a record, or a decision file"))
    _takes_trust(cmd)
    cmd = add(
        "office", office, tr("settings of the office on this computer: write a file to start from, or print them")
    )
    actions = cmd.add_subparsers(dest="action", required=True, metavar="new|show", parser_class=_Parser)
    act = actions.add_parser("new", help=tr("write commented settings to begin with"))
    act.add_argument("file", nargs="?", help=tr("the new file (default office.toml)"))
    act = actions.add_parser("show", help=tr("print what the office set, or what a file not placed yet would set"))
    act.add_argument("file", nargs="?", help=tr("a settings file (default: what is placed on this computer)"))
    cmd = add("policy", policy, tr("the office’s policy: write one to begin with, sign it, or read it"))
    actions = cmd.add_subparsers(dest="action", required=True, metavar="new|sign|show", parser_class=_Parser)
    new = actions.add_parser("new", help=tr("write a commented policy to begin with"))
    new.add_argument("file", nargs="?", default="policy.toml", help=tr("the new file (default policy.toml)"))
    act = actions.add_parser("sign", help=tr("sign a policy: the signature is saved beside it as NAME.toml.jws"))
    act.add_argument("file", help=tr("a policy file"))
    act.add_argument("--identity", required=True, help=tr("the signer’s .p12 file"))
    _takes_passphrase(act)
    _takes_time(act)
    act = actions.add_parser("show", help=tr("print what a policy asks for, and who signed it"))
    act.add_argument("file", help=tr("a policy file"))
    _takes_trust(act)
    cmd = add("log", log, tr("the office’s log of signatures: create it, or check it"))
    actions = cmd.add_subparsers(dest="action", required=True, metavar="new|verify", parser_class=_Parser)
    act = actions.add_parser("new", help=tr("begin a log of signatures"))
    act.add_argument("file", nargs="?", help=tr("the log (default: the one of the office)"))
    act = actions.add_parser("verify", help=tr("check a log: whether its signatures are still in their records"))
    act.add_argument("file", nargs="?", help=tr("the log (default: the one of the office)"))
    act.add_argument("--records", metavar="DIR", help=tr("the folder with the records, and all below it"))
    act.add_argument("--json", action="store_true", help=tr("print the findings as JSON"))
    cmd = add(
        "ledger",
        ledger,
        tr("the office’s ledger: add up the privacy losses of a folder of records, and print the status of each"),
    )
    cmd.add_argument("folder", help=tr("the folder with the records, and all below it"))
    cmd.add_argument("--with", dest="more", metavar="FILE", help=tr("a decision file: print what it would add"))
    cmd.add_argument("--with-epsilon", type=float, metavar="EPSILON", help=tr("a budget alone, in epsilon, to add"))
    cmd.add_argument("--with-rho", type=float, metavar="RHO", help=tr("a budget alone, in rho, to add"))
    cmd.add_argument("--at", metavar="DATE", help=tr("the day on which reviews are due (default: today)"))
    cmd.add_argument("--ceiling", type=float, metavar="EPSILON", help=tr("the largest total epsilon"))
    cmd.add_argument("--ceiling-rho", type=float, metavar="RHO", help=tr("the largest total rho"))
    cmd.add_argument(
        "--delta",
        type=float,
        default=DELTA,
        help=tr("the delta at which rho is converted to epsilon (default 0.000001)"),
    )
    _takes_trust(cmd)
    cmd.add_argument("--unjudged", action="store_true", help=tr("do not check signatures: quicker, less certain"))
    cmd.add_argument("--json", action="store_true", help=tr("print the ledger as JSON"))
    cmd = add("report", report, tr("print the report of a decision or a record, or typeset it unsigned with --out"))
    cmd.add_argument("file", help=tr('a decision file, the .json of a record, or "-"'))
    cmd.add_argument("--out", help=tr("a new PDF file"))
    _takes_time(cmd)
    cmd = add("verify", verify, tr("verify a record: make it again from its JSON and signatures, and compare"))
    cmd.add_argument("file", help=tr("the .json, the .pdf or a signature (.1.jws) of a record"))
    _takes_trust(cmd)
    cmd.add_argument(
        "--policy", help=tr("the office’s policy file: whose signatures it asks for, and the folder trust beside it")
    )
    cmd.add_argument("--json", action="store_true", help=tr("print the findings as JSON"))
    cmd.add_argument(
        "--explain", action="store_true", help=tr("print how to check the record with other programs, and stop")
    )
    cmd = add("pdf", make_pdf, tr("make the PDF of a record again from its JSON and its signatures"))
    cmd.add_argument("file", help=tr("the .json, the .pdf or a signature (.1.jws) of a record"))
    cmd = add("json", take_json_out, tr("take the JSON out of the PDF of a record when nothing else is available"))
    cmd.add_argument("file", help=tr("the .pdf of a record"))
    cmd = add("replay", replay, tr("recalculate a record and compare every number"))
    cmd.add_argument("file", nargs="?", help=tr("the .json of a record"))
    cmd.add_argument(
        "--all", metavar="DIR", help=tr("every record in this folder and below: one line of JSON each, and a table")
    )
    cmd = add("examine", examine, tr("check a published claim about a privacy loss against its own figures"))
    cmd.add_argument(
        "file", help=tr('a claim or an entry of the registry (YAML or JSON), a decision, the .json of a record, or "-"')
    )
    cmd.add_argument("--json", action="store_true", help=tr("print the findings as JSON"))
    cmd = add(
        "export",
        export,
        tr("export a record: registry entry, code or script for the release, CSV, section of a web page, page"),
    )
    cmd.add_argument("file", help=tr("the .json of a record"))
    cmd.add_argument(
        "--to",
        required=True,
        choices=(
            *("registry", "opendp", "script", "script_opendp", "csv", "web", "html", "noise", "notice", "reviewers"),
        ),
    )
    cmd.add_argument("--tier", type=int, default=3, help=tr("the registry’s tier, 1 to 3 (default 3)"))
    cmd.add_argument("--out", help=tr("a new file (default: standard output); plan.json is written beside a script"))
    cmd.add_argument("--unverified", action="store_true", help=tr("export even a record that fails verification"))
    cmd = add(
        "sensitivity",
        sensitivity,
        tr("read the sampled sensitivity off a CSV of public or test data; never confidential data"),
    )
    cmd.add_argument("file", help=tr("a CSV file: each row is one pair of neighbouring datasets, f(x) then f(y)"))
    cmd.add_argument(
        "--confidence", type=float, required=True, help=tr("the share of sampled pairs to cover, in (0, 1]")
    )
    cmd.add_argument("--origin", required=True, choices=("public", "test_data"), help=tr("where the rows come from"))
    cmd.add_argument("--delimiter", default=",", help=tr("the character between two numbers (default a comma)"))
    cmd = add("elicit", elicit, tr("find a risk profile by questions: one JSON question out, one JSON answer in"))
    cmd.add_argument("file", nargs="?", default=STANDARD_INPUT, help=tr('a file of answers, or "-" for standard input'))
    cmd = add("schema", schema, tr("print a JSON Schema"))
    cmd.add_argument(
        "of", nargs="?", default="decision", choices=("decision", "assessment", "record", "compute", "claim")
    )
    return top


def main(arguments: list[str]) -> int:
    """Run the command line with ARGUMENTS; return the exit status."""
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
