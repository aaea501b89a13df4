"""A record as its files give it: read with bounds, and made again from JSON and signatures.

Verifying a record, and adding a signature to it, begin with this.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dpwizard import records
from dpwizard.base.errors import DPWizardError, FileProblem
from dpwizard.base.messages import joined, message
from dpwizard.base.values import ReplayDifference
from dpwizard.records import Record
from dpwizard.report import typesetting
from dpwizard.signing import findings, store
from dpwizard.signing.certificates import file_name, printable
from dpwizard.signing.findings import Findings
from dpwizard.signing.remaking import Remade
from dpwizard.signing.signature import Signature, read_signature, sha256_of
from dpwizard.signing.store import RecordFiles

RESTORE = message("Find the unchanged files.")
Remake = Callable[[bytes, tuple[str, ...]], Remade]


@dataclass(frozen=True, kw_only=True)
class Contents:
    """What the files of a record hold, each signature genuine and over the JSON and the one before."""

    json: bytes
    pdf: bytes | None
    record: Record
    signatures: tuple[Signature, ...]
    remade: Remade | None  # None where its pages cannot be made here


def contents_of(place: RecordFiles, results: Findings, remake: Remake) -> Contents | None:
    """Return what the files at PLACE hold, made again by REMAKE, and note in RESULTS what is wrong with them.

    None where they do not hold together. What the PDF holds is not looked at.
    """
    try:
        json_bytes, lines, pdf = store.read(place.json), store.read_lines(place), store.read(place.pdf)
    except FileProblem as problem:
        results.add("files", False, joined((problem.where, problem.message), ": "), remedy=problem.hint)
        return None
    results.pdf_sha256 = None if pdf is None else sha256_of(pdf)
    if json_bytes is None:
        ask = message("Ask for all files of the record.")
        if pdf is not None:
            ask = message("Ask for all files of the record; the PDF alone gives its JSON with: dpwizard json FILE.pdf")
        results.add(
            "files", None, message("the JSON file {name} is missing", name=file_name(place.json.name)), remedy=ask
        )
        return None
    results.add("files", True)
    results.json_sha256 = sha256_of(json_bytes)
    record = _read_json(json_bytes, place, results, signed=bool(lines))
    signatures = None if record is None else _read_signatures(json_bytes, lines, results)
    if record is None or signatures is None:
        return None
    remade = _regenerated(record, json_bytes, lines, remake, results)
    return Contents(json=json_bytes, pdf=pdf, record=record, signatures=signatures, remade=remade)


def _read_json(json_bytes: bytes, place: RecordFiles, results: Findings, *, signed: bool) -> Record | None:
    """Return the record of JSON_BYTES where it is one and has the name of its files.

    Under another name it is a copy: of a SIGNED record not what was signed, else one that lacks its signatures.
    """
    try:
        record = records.read(json_bytes)
    except DPWizardError as problem:
        why = message("the JSON file: {reason}", reason=joined((problem.where, problem.message), ": "))
        results.add("json", False, why, remedy=RESTORE)
        return None
    results.add("json", True)
    name, here = file_name(record.name), file_name(place.name)
    if record.name != place.name and not signed:
        why = message("it is an unsigned copy, called {here}, of the record {name}", name=name, here=here)
        results.add("name", None, why, remedy=message("Ask for the record {name} with its signatures.", name=name))
        return record
    why = message("it is the record {name}, not {here}", name=name, here=here)
    rename = message("Rename its files to {name}.", name=name)
    return record if results.add("name", record.name == place.name, why, remedy=rename) else None


def _read_signatures(json_bytes: bytes, lines: tuple[str, ...], results: Findings) -> tuple[Signature, ...] | None:
    """Return the signatures where each is genuine, names the one before it and is over this JSON; else None."""
    signatures: list[Signature] = []
    digest = sha256_of(json_bytes)
    for position, text in enumerate(lines):
        try:
            signature = read_signature(text)
        except DPWizardError as problem:
            why = message("signature {number} {what}", number=position + 1, what=problem.message)
            results.add("line", False, why, remedy=RESTORE, signer=position)
            return None
        results.add("line", True, signer=position)
        before = signatures[-1].sha256 if signatures else None
        other = message("signature {number} was made after another signature than the one here", number=position + 1)
        results.add("chain", signature.line.previous == before, other, remedy=RESTORE, signer=position)
        changed = message("the JSON file was changed after signature {number}", number=position + 1)
        results.add("same_json", signature.line.json_sha256 == digest, changed, remedy=RESTORE, signer=position)
        signatures.append(signature)
    return None if results.failed(findings.OF_THE_RECORD) else tuple(signatures)


def _regenerated(
    record: Record, json_bytes: bytes, lines: tuple[str, ...], remake: Remake, results: Findings
) -> Remade | None:
    """Return what JSON and signatures give, and compare the signatures in the PDF and the numbers with it."""
    if not typesetting.rebuilt_here(record.document):
        version = printable(record.program.version, 20)
        why = message(
            "this program cannot make the pages of version {version}: only hashes were compared", version=version
        )
        results.add("pages", None, why, remedy=message("Verify it with version {version}.", version=version))
        return None
    remade = remake(json_bytes, lines)
    refused = message("no pages can be made from the JSON: {reason}", reason=remade.refused)
    if not results.add("pages", not remade.refused, refused, remedy=RESTORE):
        return None
    for position, in_pdf in enumerate(remade.signatures):
        why = message("the signature in the PDF is not from the certificate of signature {number}", number=position + 1)
        results.add("in_pdf", in_pdf.genuine, why, remedy=RESTORE, signer=position)
        why = message("signature {number} is about other pages than those made from the JSON", number=position + 1)
        results.add("seen", in_pdf.stated, why, remedy=RESTORE, signer=position)
    _compare_numbers(record, remade.differences, results)
    results.differences = remade.differences
    return remade


def _compare_numbers(record: Record, differences: tuple[ReplayDifference, ...], results: Findings) -> None:
    if not differences:
        results.add("numbers", True)
        return
    first = differences[0]
    why = message(
        "recalculating the decision gives another value at {where}: {now}, not {recorded}",
        where=printable(first.where, 200),
        now=printable(first.now, 80),
        recorded=printable(first.recorded, 80),
    )
    if record.is_from_this_version:
        results.add("numbers", False, why, remedy=RESTORE)
        return
    version = message("Verify it with version {version}.", version=printable(record.program.version, 20))
    results.add("numbers", None, why, remedy=version)
