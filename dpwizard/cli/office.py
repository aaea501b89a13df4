"""What an office keeps for its records: the policy (a new file, a signature on it) and the log of signatures."""

from __future__ import annotations

import argparse
from pathlib import Path

from dpwizard.cli.terminal import FINE, identity_from, print_json, said, stated_from, tell


def policy(options: argparse.Namespace) -> int:
    """Write a commented policy to begin with, sign one, or say what one asks for and who signed it."""
    from dpwizard import files
    from dpwizard.records import policy_text
    from dpwizard.signing import office, policy_signature, record_files

    place = Path(options.file)
    if options.action == "new":
        files.write_new(place, policy_text.template().encode("utf-8"))
        tell(said("A policy to begin with lies in {path}. It asks for nothing yet.", path=place))
        return FINE
    if options.action == "sign":
        line = policy_signature.signed(
            files.read_bytes(place), str(place), identity_from(options), stated_from(options.at).time
        )
        beside = policy_signature.beside(place)
        files.write_atomically(beside, line, overwrite=True)
        tell(said("The signature of the policy lies in {path}.", path=beside))
        return FINE
    places = record_files.trust_places([Path(name) for name in options.trust], place)
    found = office.read_policy(place, places)
    print_json({"sha256": found.sha256, "signed_by": found.signed_by, "policy": found.policy})
    return FINE


def log(options: argparse.Namespace) -> int:
    """Begin a log of signatures, or judge one: alone, or beside the records that it notes."""
    from dpwizard.errors import InvalidInput
    from dpwizard.signing import office, record_files, signature_log

    place = Path(options.file) if options.file else record_files.OFFICE / office.LOG
    if options.action == "new":
        signature_log.begin(place)
        tell(said("The log lies in {path}. Let those who sign append to it, and nobody change it.", path=place))
        return FINE
    if not options.file and office.log_in(record_files.OFFICE) is None:
        raise InvalidInput("is needed", "FILE", "The office has placed no log on this computer.")
    found = signature_log.judge_log(
        place, records=Path(options.records) if options.records else None, head=options.head or ""
    )
    if options.json:
        print_json(found)
        return found.exit_status
    for line in signature_log.told(found):
        print(line.said())
    return found.exit_status
