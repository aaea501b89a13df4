"""A record of which one member was altered before it was typeset and signed with this program's own tools."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dpwizard.errors import InvalidInput
from dpwizard.records.record import record_bytes
from dpwizard.report import document
from dpwizard.signing import RecordFiles
from dpwizard.signing.signing import sign_record
from tests.samples.decisions import STATED, example, recorded
from tests.samples.signed_record import people

Change = Callable[[dict[str, Any]], Any]


def altered_json(folder: Path, change: Change, name: str = "r", **decision: Any) -> Path:
    """Write the JSON file of the worked example's record after CHANGE; return where it lies."""
    made, _ = recorded(example("durham", **decision))
    change(made)
    path = folder / f"{name}.json"
    path.write_bytes(record_bytes(made))
    return path


def signed_after(folder: Path, change: Change, name: str = "r", **decision: Any) -> RecordFiles:
    """Write the three files of that record, both signed by its proposer.

    The pages are made of the altered JSON; where no pages can be made of that, of the record as it was.
    """
    target = RecordFiles.beside(altered_json(folder, change, name, **decision))
    json_bytes = target.json.read_bytes()
    honest, _ = recorded(example("durham", **decision))
    try:
        pages = document.pdf_bytes(json.loads(json_bytes), json_bytes, target.json.name)
    except InvalidInput:
        pages = document.pdf_bytes(honest, json_bytes, target.json.name)
    signed = sign_record(
        json_bytes=json_bytes,
        pdf_bytes=pages,
        identity=people()[0],
        role="proposes",
        verdict="approve",
        time=STATED.time,
        time_source=STATED.source,
    )
    target.pdf.write_bytes(signed.pdf_bytes)
    target.jws.write_text(signed.jws_text, "ascii")
    return target
