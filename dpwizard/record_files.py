"""The three files of a record, side by side: made and signed, signed further, and judged together.

The window and the command line both go through here, so that the same decision at the same stated time
gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from dpwizard import files, json_text, record
from dpwizard.assessment import assess
from dpwizard.decision import Decision
from dpwizard.errors import FileProblem, InvalidInput

if TYPE_CHECKING:
    from dpwizard.identity import Identity
    from dpwizard.verification import Verification

ENDINGS = (".json.jws", ".json", ".pdf")
CERTIFICATES = (".pem", ".crt", ".cer", ".der")
Progress = Callable[[str], None]  # told the key of what is being done


@dataclass(frozen=True, kw_only=True)
class RecordFiles:
    """Where the JSON, the PDF and the chain of signatures of one record lie."""

    json: Path
    pdf: Path
    jws: Path

    @staticmethod
    def beside(path: Path) -> RecordFiles:
        """Return the files of the record that PATH (one of its files, or its bare name) belongs to."""
        name = next((path.name.removesuffix(ending) for ending in ENDINGS if path.name.endswith(ending)), path.name)
        return RecordFiles(json=path.parent / f"{name}.json", pdf=path.parent / f"{name}.pdf", jws=path.parent / f"{name}.json.jws")

    @property
    def all(self) -> tuple[Path, Path, Path]:
        """Return the three paths."""
        return self.json, self.pdf, self.jws


@dataclass(frozen=True, kw_only=True)
class Signature:
    """What one signer adds to a record."""

    identity: Identity
    role: str
    verdict: str
    comment: str
    stated: record.Stated


def parse_time(text: str, where: str = "time") -> datetime:
    """Return the time TEXT states, with its offset from UTC; raises InvalidInput in words."""
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise InvalidInput(
            f'must be a time such as 2026-11-21T14:30:00+01:00; found "{text[:60]}"', where, "Give date, time and offset."
        ) from None
    if time.tzinfo is None:
        raise InvalidInput(f'lacks its offset from UTC: "{text[:60]}"', where, "Add it, as in 2026-11-21T14:30:00+01:00, or Z for UTC.")
    return time.replace(microsecond=0)


def sign_new(decision: Decision, target: RecordFiles, signature: Signature, progress: Progress = lambda _: None) -> None:
    """Make the record of DECISION, typeset it, sign it and write its three files.

    Raises InvalidInput where an approval lacks something, FileProblem where a file exists already or cannot be
    written, SigningProblem where the identity cannot sign. Then no file was written.
    """
    from dpwizard import report

    for path in target.all:
        if path.exists():
            raise FileProblem("exists already", str(path), "Choose another name; no record is overwritten.")
    progress("solve")
    assessment = assess(decision)
    record.check_outcome(decision, assessment)
    made = record.make_record(decision, assessment, signature.stated)
    json_bytes = record.record_bytes(made)
    progress("typeset")
    pdf = report.pdf_bytes(made, json_bytes, target.json.name)
    progress("sign")
    pdf, chain = _signed(json_bytes, pdf, "", signature)
    progress("write")
    files.write_new(target.json, json_bytes)
    files.write_new(target.pdf, pdf)
    files.write_new(target.jws, chain.encode("ascii"))


def sign_further(target: RecordFiles, signature: Signature, progress: Progress = lambda _: None) -> None:
    """Add a signature to the record in TARGET; its JSON stays as it is.

    Raises what `sign_new` raises; then the files are as they were.
    """
    progress("sign")
    json_bytes, pdf = files.read_bytes(target.json), files.read_bytes(target.pdf)
    chain = files.read_bytes(target.jws).decode("ascii", "replace")
    pdf, chain = _signed(json_bytes, pdf, chain, signature)
    progress("write")
    files.write_atomically(target.pdf, pdf, overwrite=True)
    files.write_atomically(target.jws, chain.encode("ascii"), overwrite=True)


def _signed(json_bytes: bytes, pdf: bytes, chain: str, signature: Signature) -> tuple[bytes, str]:
    from dpwizard import signing

    signed = signing.sign_record(
        json_bytes=json_bytes,
        pdf_bytes=pdf,
        jws_text=chain,
        identity=signature.identity,
        role=signature.role,
        verdict=signature.verdict,
        comment=signature.comment,
        time=signature.stated.time,
        time_source=signature.stated.source,
    )
    return signed.pdf_bytes, signed.jws_text


def verify(target: RecordFiles, trusted: Iterable[Path], now: datetime) -> Verification:
    """Judge the files of a record that are there, against the certificates TRUSTED (files or folders), at the time NOW.

    Raises FileProblem if none is there or a file cannot be read; what is wrong with a record is in the result.
    """
    from dpwizard import signing

    present = [files.read_bytes(path) if path.exists() else None for path in target.all]
    if not any(data is not None for data in present):
        raise FileProblem("no record lies here", str(target.json.with_suffix("")), "Name its .json or .pdf file.")
    certificates = [path for name in trusted for path in _certificates(name)]
    trust = signing.read_trust(files=tuple(files.read_bytes(path) for path in certificates))
    return signing.verify_record(*present, trust=trust, now=now)


def _certificates(path: Path) -> list[Path]:
    return sorted(p for p in path.iterdir() if p.suffix in CERTIFICATES) if path.is_dir() else [path]


def read_any(data: bytes) -> Decision:
    """Return the decision in DATA: that of a decision file, or of a record. Raises InvalidInput in words."""
    from dpwizard.decision import read_decision

    raw = json_text.parse(data)
    if record.is_record(raw):
        return read_decision(record.read_record(raw)["decision"], "$.decision")
    return read_decision(raw)
