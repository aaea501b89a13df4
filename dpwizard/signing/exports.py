"""A record for other places: a registry entry, code for the release, a table of answers, a summary for a web page."""

from __future__ import annotations

import hashlib
import html
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from dpwizard import files, json_text
from dpwizard.apart import Tell
from dpwizard.charts import visible
from dpwizard.errors import InvalidInput, SigningProblem
from dpwizard.language import counting, digits, speaking, spoken
from dpwizard.messages import message
from dpwizard.records import (
    comparison,
    editions,
    read_record,
    record,
    registry_entry,
    registry_yaml,
    release_code,
    replayed,
    slug,
)
from dpwizard.report import noise_sheet, notice, phrases, reading
from dpwizard.sheets import as_csv
from dpwizard.signing import record_files
from dpwizard.signing.record_files import RecordFiles
from dpwizard.wording import figures

if TYPE_CHECKING:
    from dpwizard.decision import Paper

__all__ = [
    "ENDINGS",
    "answers_csv",
    "export",
    "export_files",
    "registry_entry",
    "registry_yaml",
    "release_code",
    "report_html",
    "slug",
    "web_summary",
]

# of each export's file
ENDINGS = MappingProxyType(
    {
        "registry": ".yaml",
        "opendp": ".py",
        "csv": ".csv",
        "web": ".html",
        "html": ".html",
        "noise": ".html",
        "notice": ".html",
    }
)

UNVERIFIED = "Restore the record from a copy; or ask for it unverified, and the export says so."
PUBLISHED = ("registry", "web", "noise", "notice")  # where everybody reads it


def export_files(target: RecordFiles, to: str, now: datetime, *, tier: int = 3, unverified: bool = False) -> str:
    """Return the record in TARGET, verified at NOW and solved again, as another place reads it: a key of ENDINGS.

    Raises SigningProblem where it is not as it was signed, or its PDF says something else; with UNVERIFIED the export
    then says so itself. Raises what `export` raises.
    """
    label = _require_verified(target, now, unverified=unverified)
    return export(files.read_bytes(target.json), to, target.json.name, tier=tier, label=label, unverified=unverified)


def exported(tell: Tell, path: Path, to: str, now: datetime, tier: int) -> str:
    """Return what `export_files` makes of the record that PATH belongs to: a task for another process."""
    return export_files(RecordFiles.beside(path), to, now, tier=tier)


def notice_pdf(target: RecordFiles, now: datetime, *, paper: Paper | None = None) -> bytes:
    """Return the public notice on the record in TARGET, verified at NOW and solved again, as a PDF of one page.

    Raises what `export_files` raises; there is no notice on a record that does not verify.
    """
    _require_verified(target, now, unverified=False)
    data = files.read_bytes(target.json)
    made, sha256 = _published(data, target.json.name)
    return notice.notice_pdf(made, sha256, target.json.name, paper=paper)


def _require_verified(target: RecordFiles, now: datetime, *, unverified: bool) -> str:
    """Return what an export says of the record in TARGET where it does not verify; nothing where it does."""
    found = record_files.verify(target, (), now)
    if not found.ok and not unverified:
        raise SigningProblem(
            message("the record does not verify. {sentence}", sentence=found.sentence), str(target.json), UNVERIFIED
        )
    return "" if found.ok else found.sentence.said()


def _published(json_bytes: bytes, name: str) -> tuple[dict[str, Any], str]:
    """Return what may be published of the record JSON_BYTES, solved again, and their hash."""
    raw = read_record(json_text.parse(json_bytes))
    reading.content(raw, json_bytes, name)  # refuses what is damaged, and names it
    different = comparison.false_claims(raw)
    if different:
        where = different[0].where
        why = message("the record says something else than its decision gives, at {where}", where=where)
        raise InvalidInput(why, where, UNVERIFIED)
    sha256 = hashlib.sha256(json_bytes).hexdigest()
    made = replayed(raw)
    internal = raw.get("edition", record.INTERNAL) == record.INTERNAL
    return editions.public_record(made, sha256) if internal else made, sha256


def export(
    json_bytes: bytes,
    to: str,
    name: str = "record.json",
    *,
    tier: int = 3,
    label: str = "",
    unverified: bool = False,
) -> str:
    """Return the record JSON_BYTES, in a file called NAME, as another place reads it: a key of ENDINGS.

    What it says comes from the decision, solved again, and never from what the record claims. LABEL, where there is
    one, says in the export why it is not verified. Raises InvalidInput where the bytes are no record, where it lacks
    what that place requires, or where it says something else than its decision gives (UNVERIFIED: then the
    label says so).
    """
    raw = read_record(json_text.parse(json_bytes))
    reading.content(raw, json_bytes, name)  # refuses what is damaged, and names it
    if to not in ENDINGS:
        raise InvalidInput(
            message('must be one of {choices}; found "{found}"', choices=", ".join(ENDINGS), found=to[:40]),
            "to",
            "Choose one of these.",
        )
    different = comparison.false_claims(raw)
    if different:
        why = message("the record says something else than its decision gives, at {where}", where=different[0].where)
        if not unverified:
            raise InvalidInput(why, different[0].where, UNVERIFIED)
        label = label or why.said()
    made = replayed(raw)
    sha256 = hashlib.sha256(json_bytes).hexdigest()
    if to in PUBLISHED and raw.get("edition", record.INTERNAL) == record.INTERNAL:
        made = editions.public_record(made, sha256)  # what is withheld stands in no public place
    match to:
        case "registry":
            text = registry_yaml(registry_entry(made, sha256, tier=tier))
        case "opendp":
            text = release_code(made)
        case "csv":
            text = answers_csv(made)
        case "web":
            text = web_summary(made, sha256)
        case "noise":
            text = noise_sheet.noise_sheet(made, name)
        case "notice":
            text = notice.notice_html(made, sha256, name)
        case _:
            text = report_html(made, json_bytes, name)
    return _labelled(text, to, label) if label else text


def _labelled(text: str, to: str, label: str) -> str:
    """Return an export headed by the LABEL that says why it is not verified, as its form writes a remark."""
    said = f"{phrases.words(spoken())('document', 'not_verified')} {' '.join(visible(label).split())}"
    if to in ("registry", "opendp"):
        return f"# {said}\n{text}"
    if to == "csv":
        return f"{as_csv([(said,)])}{text}"
    head, body, rest = text.partition("<main>") if to in ("html", "noise", "notice") else ("", "", text)
    return f"{head}{body}<p><strong>{html.escape(said)}</strong></p>\n{rest}"


def report_html(record: dict[str, Any], json_bytes: bytes, name: str = "record.json") -> str:
    """Return what the PDF of RECORD says as one web page: self-contained, without scripts, every text as data."""
    from dpwizard.report import document as report

    title = (record["decision"].get("title") or "").strip() or name
    language = record["sentences"].get("language")
    return report.html(
        report.blocks(record, json_bytes, name), title=title, language=language if isinstance(language, str) else "en"
    )


# --------------------------------------------------------------------------- table and summary


COLUMNS = ("name", "kind", "enabled", "status", "side", "epsilon", "error", "grounds", "source", "met", "published")


def answers_csv(record: dict[str, Any]) -> str:
    """Return all answers of a record as CSV; text that a spreadsheet would run as a formula is quoted as text."""
    answers = record["assessment"]["answers"]
    gaussian = tuple(name for name in ("rho", "mu") if any(name in answer for answer in answers))
    rows: list[tuple[Any, ...]] = [(*COLUMNS, *gaussian)]
    for answer in answers:
        published = (answer.get("as_published") or {}).get("epsilon")
        rows.append((*(answer.get(name) for name in COLUMNS[:-1]), published, *(answer.get(name) for name in gaussian)))
    return as_csv(rows)


def _counted_in(record: dict[str, Any]) -> str:
    return "rho" if "rho_all_repetitions" in record.get("accounting", {}) else "epsilon"


def _budget(record: dict[str, Any], words: phrases.Words) -> Iterator[str]:
    """Yield what is lost in all, with its delta, in the language spoken; nothing of a release without noise."""
    accounting, budget = record.get("accounting", {}), _counted_in(record)
    stated = record["decision"].get(budget)
    if stated is None and budget == "epsilon" and record["decision"].get("rho") is not None:
        stated = accounting.get("epsilon_per_repetition")  # the decision states the rho of this epsilon
    if stated is None:
        return
    together, times = accounting.get(f"{budget}_all_repetitions"), accounting.get("repetitions", 1)
    one = stated if isinstance(stated, str) else digits(str(stated))
    if times > 1 and together is not None:
        told = {"together": figures.epsilon_up(together), "count": figures.whole(times), "epsilon": one}
        yield words("document", "web_budget_all", **told)
    else:
        yield words("document", "web_budget", epsilon=one)
    delta = accounting.get("delta_in_all")
    if delta is not None:
        yield words("document", "web_delta", delta=figures.written(delta, "number_up"))


def web_summary(record: dict[str, Any], json_sha256: str) -> str:
    """Return a summary of the decision as a piece of HTML for a web page: escaped text, no scripts, no styles."""
    decision, said = record["decision"], record["sentences"]
    written = phrases.words(said.get("language", "en"))
    title = html.escape((decision.get("title") or "").strip() or written("document", "no_title"))
    lines = [said.get("window"), said.get("position"), *said.get("broken", ()), *said.get("meaning", ())]
    pairs = [tuple(html.escape(answer.get(name, "")) for name in ("title", "bound")) for answer in said["answers"]]
    rows = "\n".join(f'    <tr><th scope="row">{name}</th><td>{bound}</td></tr>' for name, bound in pairs)
    text = "\n".join(f"  <p>{html.escape(line)}</p>" for line in lines if line)
    with speaking(written.language), counting(_counted_in(record)):
        budget = "".join(f"  <p>{html.escape(line)}</p>\n" for line in _budget(record, written))
    digest = written("document", "web_record", hash=f"<code>{html.escape(json_sha256)}</code>")
    return (
        f'<section lang="{html.escape(said.get("language", "en"))}">\n  <h2>{title}</h2>\n{budget}{text}\n'
        f"  <table>\n{rows}\n  </table>\n  <p>{digest}</p>\n</section>\n"
    )
