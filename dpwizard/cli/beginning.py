"""Beginning the next release from the record of the last."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from dpwizard.cli.terminal import FINE, stated_from, tell, tr


def begin_next(options: argparse.Namespace) -> int:
    """Write the decision on the next release, and say what was carried over and what begins anew."""
    from dpwizard.base import json_text
    from dpwizard.decision import to_json
    from dpwizard.projects.next_release import begin
    from dpwizard.signing import office

    places = office.trust_places([Path(name) for name in options.trust])
    begun = begin(Path(options.file), stated_from(None).time, places)
    if begun.judged:
        tell(begun.judged.text())
    for caution in begun.cautions:
        tell(tr("Attention: {caution}", caution=caution.text()))
    anew = dict.fromkeys(row.text for row in begun.changed)
    tell(tr("Begins anew: {fields}. All else was carried over.", fields="; ".join(anew)))
    sys.stdout.write(json_text.document(to_json(begun.decision)).decode("utf-8"))
    return FINE
