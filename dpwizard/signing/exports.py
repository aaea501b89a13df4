"""A record for other places: a registry entry, code for the release, a table of answers, a summary for a web page."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from dpwizard import records
from dpwizard.base import files
from dpwizard.base.csv_text import as_csv
from dpwizard.base.errors import InvalidInput, SigningProblem
from dpwizard.base.language import counting, speaking, spoken
from dpwizard.base.messages import message
from dpwizard.base.values import plain
from dpwizard.charts import visible
from dpwizard.records import Library, Record, registry_entry, registry_yaml, release_code, release_script, sentences
from dpwizard.report import answered, document, noise_sheet, notice, phrases
from dpwizard.signing import office, signing, store
from dpwizard.signing.required_signatures import approved_at
from dpwizard.signing.signature import sha256_of
from dpwizard.signing.store import RecordFiles
from dpwizard.signing.verify_tasks import verify_folder
from dpwizard.wording import as_typed, choice_of, figures

if TYPE_CHECKING:
    from dpwizard.decision import Paper

SCRIPTS: Mapping[str, Library] = MappingProxyType({"script": "reference", "script_opendp": "opendp"})
PLAN = "plan.json"  # beside a script, which follows it
PAGES = ("html", "noise", "notice", "reviewers")
PUBLISHED = ("registry", "web", "noise", "notice")  # where everybody reads it
PROGRAMS = ("opendp", *SCRIPTS)
ENDINGS = MappingProxyType(  # of each export's file
    {"registry": ".yaml", **dict.fromkeys(PROGRAMS, ".py"), "csv": ".csv", **dict.fromkeys(("web", *PAGES), ".html")}
)


def export_files(target: RecordFiles, to: str, now: datetime, *, tier: int = 3, unverified: bool = False) -> str:
    """Return the record in TARGET, verified at NOW, as another place reads it: a key of ENDINGS.

    Raises SigningProblem where it is not as it was signed; with UNVERIFIED the export then says so itself. Raises what
    `export` raises.
    """
    data, label, approved = _verified(target, now, unverified=unverified)
    return export(data, to, tier=tier, label=label, approved=approved)


def notice_pdf(target: RecordFiles, now: datetime, *, paper: Paper | None = None) -> bytes:
    """Return the public notice on the record in TARGET, verified at NOW, as a PDF of one page.

    Raises what `export_files` raises; there is no notice on a record that does not verify.
    """
    data, _, approved = _verified(target, now, unverified=False)
    record = _published(records.read(data), data)
    return notice.notice_pdf(record, sha256_of(data), paper=paper, approved=approved)


def _verified(target: RecordFiles, now: datetime, *, unverified: bool) -> tuple[bytes, str, str]:
    """Return the JSON of TARGET, what an export of one says that does not verify, since when it is approved."""
    verification = verify_folder(target, office.trust_places(), now)
    if not verification.ok and not unverified:
        text = message("the record does not verify. {sentence}", sentence=verification.problem)
        hint = "Restore the record from a copy. Or export it unverified: the export then says so."
        raise SigningProblem(text, str(target.json), hint)
    data = store.require(target.json)
    if verification.json_sha256 != sha256_of(data):
        raise SigningProblem("changed while it was read", str(target.json), "Export it again.")
    return data, "" if verification.ok else verification.sentence.text(), approved_at(verification)


def export(json_bytes: bytes, to: str, *, tier: int = 3, label: str = "", approved: str = "") -> str:
    """Return the record JSON_BYTES as another place reads it: a key of ENDINGS.

    LABEL, where there is one, says in the export why it is not verified; APPROVED, when it was approved.
    Raises InvalidInput where the bytes are no record, or where it lacks what that place requires.
    """
    record = records.recompute_record(records.read(json_bytes))
    if to not in ENDINGS:
        why = message('must be one of {choices}; found "{found}"', choices=", ".join(ENDINGS), found=to[:40])
        raise InvalidInput(why, "to", "Choose one of these.")
    sha256 = sha256_of(json_bytes)
    if to in PUBLISHED:
        record = _published(record, json_bytes)  # what is left out stands in no public place
    makers: Mapping[str, Callable[[], str]] = {
        "registry": lambda: registry_yaml(registry_entry(record, sha256, tier=tier)),
        "opendp": lambda: release_code(record),
        **dict.fromkeys(SCRIPTS, lambda: release_script(record, SCRIPTS[to], sha256=sha256)["release.py"]),
        "csv": lambda: answers_csv(record),
        "web": lambda: web_summary(record, sha256),
        "noise": lambda: noise_sheet.noise_sheet(record),
        "notice": lambda: notice.notice_html(record, sha256, approved=approved),
        "reviewers": lambda: answered.reviewers_page(record),
        "html": lambda: report_html(record),
    }
    return _labelled(makers[to](), to, label)


def script_files(target: RecordFiles, to: str, now: datetime, *, unverified: bool = False) -> tuple[str, str]:
    """Return the script that makes the release of the record in TARGET, verified at NOW, and its plan.

    TO is a key of SCRIPTS. Raises what `export_files` raises.
    """
    data, label, _ = _verified(target, now, unverified=unverified)
    record = records.recompute_record(records.read(data))
    files_of_script = release_script(record, SCRIPTS[to], sha256=sha256_of(data))
    return _labelled(files_of_script["release.py"], to, label), files_of_script[PLAN]


def write_plan(script: Path, plan: str) -> None:
    """Write PLAN beside its SCRIPT, where it may lie already; raises FileProblem where another plan does."""
    place, data = script.with_name(PLAN), plan.encode("utf-8")
    if not (files.is_file(place) and files.read_bytes(place) == data):
        files.write_new(place, data)


def _published(record: Record, json_bytes: bytes) -> Record:
    """Return what may be published of a record: its public version, or itself where it is one."""
    if record.public is not None:
        return record
    return signing.public_edition(record, records.stated_in(record), record.name, json_bytes)


def _labelled(text: str, to: str, label: str) -> str:
    """Return an export headed by the LABEL, if any, that says why it is not verified, as its form writes a remark."""
    if not label:
        return text
    sentence = f"{phrases.words(spoken())('document', 'not_verified')} {' '.join(visible(label).split())}"
    if to in ("registry", *PROGRAMS):
        return f"# {sentence}\n{text}"
    if to == "csv":
        return f"{as_csv([(sentence,)])}{text}"
    head, body, rest = text.partition("<main>") if to in PAGES else ("", "", text)
    return f"{head}{body}<p><strong>{html.escape(sentence)}</strong></p>\n{rest}"


def report_html(record: Record) -> str:
    """Return what the PDF of RECORD says as one web page: self-contained, without scripts, every text as data."""
    title = (record.decision.title or "").strip() or record.name
    return document.html(document.blocks(record), title=title, language=record.decision.language)


# --------------------------------------------------------------------------- table and summary


COLUMNS = ("name", "kind", "enabled", "status", "side", "epsilon", "error", "grounds", "source", "met", "published")


def answers_csv(record: Record) -> str:
    """Return all answers of a record as CSV; text that a spreadsheet would run as a formula is quoted as text."""
    answers: list[dict[str, Any]] = plain(record.assessment.answers)
    gaussian = tuple(name for name in ("rho", "mu") if any(name in answer for answer in answers))
    rows: list[tuple[Any, ...]] = [(*COLUMNS, *gaussian)]
    for answer in answers:
        published = (answer.get("as_published") or {}).get("epsilon")
        rows.append((*(answer.get(name) for name in COLUMNS[:-1]), published, *(answer.get(name) for name in gaussian)))
    return as_csv(rows)


def _budget(record: Record, words: phrases.Words) -> Iterator[str]:
    """Yield what is lost in all, with its delta, in the language spoken; nothing of a release without noise."""
    accounting, decision = record.accounting, record.decision
    stated = decision.rho if accounting.counted_in == "rho" else decision.epsilon
    if stated is None and accounting.counted_in == "epsilon" and decision.rho is not None:
        stated = accounting.per_repetition  # the decision states the rho of this epsilon
    if stated is None:
        return
    amount = stated if isinstance(stated, str) else choice_of(record.assessment) or as_typed(stated)
    if accounting.repetitions > 1 and accounting.all_repetitions is not None:
        together = figures.epsilon_up(accounting.all_repetitions)
        count = figures.whole(accounting.repetitions)
        yield words("document", "web_budget_all", together=together, count=count, epsilon=amount)
    else:
        yield words("document", "web_budget", epsilon=amount)
    if accounting.delta_in_all is not None:
        yield words("document", "web_delta", delta=figures.written(accounting.delta_in_all, "number_up"))


def web_summary(record: Record, json_sha256: str) -> str:
    """Return a summary of the decision as a piece of HTML for a web page: escaped text, no scripts, no styles."""
    wording = sentences(record)
    written = phrases.words(wording.language)
    title = html.escape((record.decision.title or "").strip() or written("document", "no_title"))
    lines = [wording.window, wording.position, *wording.broken, *wording.meaning]
    pairs = [(html.escape(answer.title), html.escape(answer.bound)) for answer in wording.answers]
    rows = "\n".join(f'    <tr><th scope="row">{name}</th><td>{bound}</td></tr>' for name, bound in pairs)
    text = "\n".join(f"  <p>{html.escape(line)}</p>" for line in lines if line)
    with speaking(written.language), counting(record.accounting.counted_in):
        budget = "".join(f"  <p>{html.escape(line)}</p>\n" for line in _budget(record, written))
    digest = written("document", "web_record", hash=f"<code>{html.escape(json_sha256)}</code>")
    return (
        f'<section lang="{html.escape(wording.language)}">\n  <h2>{title}</h2>\n{budget}{text}\n'
        f"  <table>\n{rows}\n  </table>\n  <p>{digest}</p>\n</section>\n"
    )
