"""Beginning the next release from the record of the last."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from dpwizard.cli.terminal import FINE, said, stated_from, tell


def begin_next(options: argparse.Namespace) -> int:
    """Write the decision on the next release, and say what was carried over and what begins anew."""
    from dpwizard.base import json_text
    from dpwizard.decision import written
    from dpwizard.projects.next_release import begin
    from dpwizard.signing import office

    places = office.trust_places([Path(name) for name in options.trust])
    begun = begin(Path(options.file), stated_from(None).time, places)
    if begun.judged:
        tell(begun.judged.said())
    for caution in begun.cautions:
        tell(said("Attention: {caution}", caution=caution.said()))
    anew = dict.fromkeys(row.said for row in begun.changed)
    tell(said("Begins anew: {fields}. All else was carried over.", fields="; ".join(anew)))
    sys.stdout.write(json_text.document(written(begun.decision)).decode("utf-8"))
    return FINE
