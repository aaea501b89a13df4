"""The commands for an office's settings, policy and log of signatures."""

from __future__ import annotations

import argparse
from pathlib import Path

from dpwizard.cli.terminal import FINE, identity_from, print_json, say, stated_from, tr


def office(options: argparse.Namespace) -> int:
    """Write a commented settings file, or print the settings of a file or of this computer."""
    from dpwizard.base import files, office_folder
    from dpwizard.records import office_settings

    if options.action == "new":
        place = Path(options.file or office_folder.SETTINGS)
        files.write_new(place, office_settings.template().encode("utf-8"))
        say(tr("Settings to start from are in {path}. They set nothing yet.", path=place))
        return FINE
    if options.file:
        print_json({"settings": office_settings.read_settings(Path(options.file))})
        return FINE
    from dpwizard.signing import office as placed

    folder = office_folder.OFFICE
    office_file = office_settings.placed(folder)
    if office_file.problem is not None:
        raise office_file.problem
    policy, log = placed.policy_in(folder), placed.log_in(folder)
    _, problem = office_file.folder_of_records()
    if problem is not None:
        say(problem.text())
    print_json(
        {
            "folder": str(folder),
            "settings": office_file.settings,
            "policy": None if policy is None else str(policy),
            "trusted": [str(path) for place in placed.trust_places() for path in placed.certificates_in(place)],
            "log": None if log is None else str(log),
        }
    )
    return FINE


def policy(options: argparse.Namespace) -> int:
    """Write a commented policy, sign one, or print one and its signers."""
    from dpwizard.base import files
    from dpwizard.records import policy
    from dpwizard.signing import office, policy_files

    place = Path(options.file)
    if options.action == "new":
        files.write_new(place, policy.template().encode("utf-8"))
        say(tr("A policy to start from is in {path}. It asks for nothing yet.", path=place))
        return FINE
    if options.action == "sign":
        line = policy_files.signed_policy(
            files.read_bytes(place), str(place), identity_from(options), stated_from(options.at).time
        )
        beside = policy_files.signature_beside(place)
        files.write_atomically(beside, line, overwrite=True)
        say(tr("The signature of the policy is in {path}.", path=beside))
        return FINE
    places = office.trust_places([Path(name) for name in options.trust], place)
    policy_read = policy_files.read_policy(place, places)
    print_json({"sha256": policy_read.sha256, "signed_by": policy_read.signed_by, "policy": policy_read.policy})
    return FINE


def log(options: argparse.Namespace) -> int:
    """Begin a log of signatures, or verify one, alone or against the records in it."""
    from dpwizard.base import office_folder
    from dpwizard.base.errors import InvalidInput
    from dpwizard.signing import office, signature_log

    place = Path(options.file) if options.file else office_folder.OFFICE / office.LOG
    if options.action == "new":
        signature_log.begin(place)
        say(tr("The log is in {path}. Let those who sign add files there, and nobody remove any.", path=place))
        return FINE
    if not options.file and office.log_in(office_folder.OFFICE) is None:
        raise InvalidInput("is needed", "FILE", "The office has placed no log on this computer.")
    trusting = office.read_trust(office.trust_places())
    judged = signature_log.judge_log(place, trusting, records=Path(options.records) if options.records else None)
    if options.json:
        print_json(judged)
        return judged.exit_status
    for line in signature_log.log_sentences(judged):
        print(line.text())
    return judged.exit_status
