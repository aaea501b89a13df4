"""Somebody with a key who signs what the program would not: every step of signing, with one of them altered."""

from __future__ import annotations

import base64
import functools
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from dpwizard import records
from dpwizard.base import json_text
from dpwizard.base.errors import DPWizardError
from dpwizard.report import document
from dpwizard.signing import RecordFiles
from dpwizard.signing.certificates import stamp
from dpwizard.signing.identity import Identity
from dpwizard.signing.increment import GrowingPdf
from dpwizard.signing.signature import ALGORITHMS, KIND, read_signature, sha256_of
from tests.samples.signed_record import NOW, forged, people

Bytes = Callable[[bytes], bytes]
Members = Callable[[dict[str, Any]], object]


def as_it_is(content: bytes) -> bytes:
    """Return CONTENT."""
    return content


@dataclass(frozen=True, kw_only=True)
class Steps:
    """What is altered: members of the JSON, its bytes, the pages, the increment, members of the line, the whole PDF."""

    members: Members = lambda _: None
    json: Bytes = as_it_is
    pages: Bytes = as_it_is
    increment: Bytes = as_it_is  # before it is signed: the byte range covers what it becomes
    line: Members = lambda _: None
    header: Members = lambda _: None
    pdf: Bytes = as_it_is  # after everything was signed
    language: str = "en"


def forge(
    place: RecordFiles,
    steps: Steps,
    who: Identity | None = None,
    role: str = "proposes",
    time: datetime = NOW,
    verdict: str = "approve",
) -> RecordFiles:
    """Sign the record at PLACE once more as WHO, with the STEPS altered; every signature is genuine."""
    who = who or people()[0]
    json_bytes = _json(place.json, steps)
    place.json.write_bytes(json_bytes)
    pdf = GrowingPdf(steps.pages(_typeset(json_bytes)), steps.language)
    before = None
    number = 1
    while place.line(number).exists():
        before = read_signature(place.line(number).read_text().removesuffix("\n"))
        pdf.add(before)
        number += 1
    opened = pdf.open(name=who.certificate.name, reason=f"{role}: {verdict}", time=time, chain=who.chain)
    value = who.sign(opened.signed)
    pdf.close(opened, value)
    content = steps.increment(pdf.content)
    said: dict[str, Any] = {
        "role": role,
        "verdict": verdict,
        "comment": "",
        "conditions": [],
        "time": stamp(time),
        "time_source": "signer",
        "json_sha256": sha256_of(json_bytes),
        "previous": None if before is None else before.sha256,
        "pdf_signature": base64.b64encode(value).decode(),
        "pdf_sha256": sha256_of(content),
        "pdf_bytes": len(content),
    }
    steps.line(said)
    algorithm = next(name for name, key in ALGORITHMS.items() if who.certificate.key.split()[0] == key)
    header = {"alg": algorithm, "typ": KIND, "x5c": _chain(who)}
    steps.header(header)
    place.line(number).write_text(forged(who, header, said) + "\n")
    place.pdf.write_bytes(steps.pdf(content))
    return place


def _json(path: Path, steps: Steps) -> bytes:
    members = json_text.parse(path.read_bytes())
    steps.members(members)
    return steps.json(json_text.document(members))


@functools.lru_cache(maxsize=16)
def _typeset(json_bytes: bytes) -> bytes:
    """Return honest pages of JSON_BYTES; where none follow, those of a record that says nothing else."""
    try:
        made = records.record.of_members(json_text.parse(json_bytes))
    except DPWizardError:
        return unreadable_pages()
    return document.typeset(made)


@functools.cache
def unreadable_pages() -> bytes:
    """Return the pages of some other record."""
    from tests.samples.decisions import example, recorded

    return document.typeset(recorded(example("durham")))


def _chain(who: Identity) -> list[str]:
    return [base64.b64encode(der).decode() for der in who.chain]


def leaves(found: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path of each number and text within FOUND."""
    if isinstance(found, dict):
        return [each for key, value in found.items() for each in leaves(value, (*path, key))]
    if isinstance(found, list):
        return [each for at, value in enumerate(found) for each in leaves(value, (*path, at))]
    return [path] if isinstance(found, int | float | str | bool) else []


def put(members: Any, path: tuple[Any, ...], change: Callable[[Any], Any]) -> None:
    """Change what stands at PATH."""
    for step in path[:-1]:
        members = members[step]
    members[path[-1]] = change(members[path[-1]])
