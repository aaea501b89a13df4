"""The command that begins the next release from the last one's record."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from dpwizard.cli.terminal import FINE, say, stated_from, tr


def begin_next(options: argparse.Namespace) -> int:
    """Print the decision on the next release, and list the fields that begin anew."""
    from dpwizard.base import json_text
    from dpwizard.decision import to_json
    from dpwizard.projects.next_release import begin
    from dpwizard.signing import office

    places = office.trust_places([Path(name) for name in options.trust])
    begun = begin(Path(options.file), stated_from(None).time, places)
    if begun.judged:
        say(begun.judged.text())
    for caution in begun.cautions:
        say(tr("Attention: {caution}", caution=caution.text()))
    anew = dict.fromkeys(row.text for row in begun.changed)
    say(tr("To be answered again: {fields}. Everything else was carried over.", fields="; ".join(anew)))
    sys.stdout.write(json_text.document(to_json(begun.decision)).decode("utf-8"))
    return FINE
