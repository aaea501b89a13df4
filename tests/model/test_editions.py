"""The public version is a smaller decision, from lists of what may be public: what is left out was never there."""

from __future__ import annotations

import functools
import io
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.reader import PdfFileReader

from dpwizard import records
from dpwizard.base.errors import FileProblem, InvalidInput, SigningProblem
from dpwizard.decision import Decision, Details, Release, read_decision
from dpwizard.records import Record, redaction
from dpwizard.report import document as report
from dpwizard.signing import RecordFiles, exports, signing
from tests.samples.decisions import STATED, example, recorded
from tests.samples.signed_record import judged, new, people, request, small, trusting

SECRETS = ("Quillfeather", "Zebediah", "Octavia", "Kowalczyk", "xylograph", "0.612345", "0.612", "Ledger 12")
WITHHELD = (
    "$.details.advice",
    "$.details.authors",
    "$.details.risks[0]",
    "$.requirements[0].name",
    "$.requirements[2]",
    "$.release.spent",
)


def decided(withheld: tuple[str, ...] = WITHHELD, **changes: Any) -> dict[str, Any]:
    raw = example("durham", **changes)
    raw["release"]["spent"] = [{"record": "Ledger 12", "epsilon": 0.25, "neighbours": "replace", "date": "2020-01-02"}]
    raw["details"] |= {
        "advice": "Counsellor Quillfeather advised caution.",
        "authors": ["Zebediah Unusual"],
        "risks": [
            {"risk": "A leak of the xylograph", "measure": "Locks", "owner": "Octavia Nonpareil"},
            {"risk": "Another"},
        ],
    }
    raw["requirements"][0]["name"] = "Neighbour Kowalczyk"
    raw["requirements"][2] |= {"at_most": 0.612345, "name": "Typical error, Quillfeather"}
    raw["withheld"] = list(withheld)
    return raw


def public(raw: dict[str, Any]) -> Record:
    internal = recorded(raw)
    return signing.public_edition(internal, STATED, "p", records.write(internal))


signature = functools.partial(request, people()[0], time=STATED.time)


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[RecordFiles, RecordFiles]:
    folder = tmp_path_factory.mktemp("editions")
    internal, outward = (RecordFiles(folder=folder, name=name) for name in ("internal", "public"))
    decision = read_decision(decided(epsilon=1.5, exception_reason="Agreed by the board."))
    signing.sign_new(decision, internal, signature())
    signing.sign_public(internal, outward, signature())
    return internal, outward


def strings(pdf: bytes) -> Iterator[str]:
    """Yield every string in the objects of a PDF: those that describe figures, and name headings and files."""
    reader = PdfFileReader(io.BytesIO(pdf))
    numbers = range(1, reader.trailer["/Size"])
    waiting: list[Any] = [reader.get_object(generic.IndirectObject(number, 0, reader)) for number in numbers]
    while waiting:
        found = waiting.pop()
        if isinstance(found, dict):
            waiting += found.values()
        elif isinstance(found, list):
            waiting += found
        elif isinstance(found, str):
            yield found
        elif isinstance(found, bytes):
            yield found.decode("latin-1")


@pytest.mark.slow
def test_nothing_left_out_stands_anywhere_in_the_public_files(both: tuple[RecordFiles, RecordFiles]) -> None:
    internal, outward = both
    assert shutil.which("pdftotext"), "install poppler-utils"
    texts = {path.name: path.read_text("utf-8") for path in (internal.json, outward.json, outward.line(1))}
    for target in both:
        done = subprocess.run(["pdftotext", "-raw", str(target.pdf), "-"], capture_output=True, check=True)
        texts[target.pdf.name] = done.stdout.decode("utf-8").replace("-\n", "")
    described = "\n".join(strings(outward.pdf.read_bytes()))
    assert "An axis of epsilon" in described
    texts[outward.pdf.name] += described
    for secret in SECRETS:
        for name, content in texts.items():
            found = secret.lower() in content.lower()
            assert found == (name in ("internal.json", "internal.pdf")), (secret, name)


@pytest.mark.slow
def test_public_edition_is_signed_by_itself_and_names_the_internal_record(
    both: tuple[RecordFiles, RecordFiles],
) -> None:
    internal, outward = both
    made = records.read(outward.json.read_bytes())
    assert made.public.internal_sha256 == judged(internal, now=STATED.time).json_sha256
    assert (made.public.requirements, made.public.of) == (2, 3)
    assert made.salt == ""
    assert records.read(internal.json.read_bytes()).salt
    assert judged(outward, now=STATED.time).verdict == "unchanged"
    assert records.recompute(made) == ()


def test_earlier_releases_lose_their_names_and_keep_their_losses() -> None:
    internal, made = recorded(decided(epsilon=1.5)), public(decided(epsilon=1.5))
    (earlier,) = made.decision.release.spent
    assert (earlier.record, earlier.sha256, earlier.date, earlier.epsilon) == (None, None, None, 0.25)
    assert made.accounting == internal.accounting


def test_what_leaves_a_public_edition_holds_nothing_left_out_either() -> None:
    made = public(decided(epsilon=1.5))
    for content in (exports.web_summary(made, "00"), exports.answers_csv(made), exports.release_code(made)):
        assert not [secret for secret in SECRETS if secret in content]


@pytest.mark.parametrize(
    "path",
    [
        *("$.epsilon", "$.outcome", "$.release", "$.release.mechanism", "$.release.sensitivity", "$.details"),
        *("$.title", "$.requirements", "$.requirements[0].kind", "$.requirements[9]", "$.details.unknown", "advice"),
        *("$.details.risks[7]", "$.release.parts", ""),
    ],
)
def test_what_the_public_must_be_told_or_is_not_there_cannot_be_marked(path: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        public(decided((path,)))
    assert refused.value.where == "$.withheld[0]"


def test_mark_that_cannot_be_left_out_is_found_before_the_internal_record_is_signed(tmp_path: Path) -> None:
    target = RecordFiles(folder=tmp_path, name="r")
    with pytest.raises(InvalidInput, match="cannot be left out"):
        signing.sign_new(read_decision(decided(("$.epsilon",))), target, signature())
    assert list(tmp_path.iterdir()) == []


def test_public_edition_is_made_of_an_unchanged_internal_one_only(tmp_path: Path) -> None:
    internal, outward = (RecordFiles(folder=tmp_path, name=name) for name in ("r", "public"))
    internal.json.write_bytes(records.write(recorded(decided(epsilon=1.5))))
    with pytest.raises(SigningProblem, match="was changed after signing"):
        signing.sign_public(internal, outward, signature())
    with pytest.raises(FileProblem):
        signing.sign_public(outward, internal, signature())
    made = public(decided(epsilon=1.5))
    with pytest.raises(InvalidInput, match="already a public version"):
        signing.public_edition(made, STATED, "p", records.write(made))


def test_requirement_that_makes_epsilon_an_exception_cannot_be_left_out() -> None:
    raw = decided(("$.requirements[0]",), epsilon=2.5, exception_reason="The figures are needed.")
    with pytest.raises(InvalidInput, match="whether the budget is within its limits"):
        public(raw)


def test_requirement_that_shares_the_budget_cannot_be_left_out() -> None:
    raw = example("household_tables")
    if raw["release"].get("allocation") != "needs":
        raw["release"]["allocation"] = "needs"
    positions = [index for index, one in enumerate(raw["requirements"]) if one.get("part")]
    with pytest.raises(InvalidInput, match="the shares of the tables follow from it"):
        public(raw | {"withheld": [f"$.requirements[{positions[0]}]"]})


@pytest.mark.slow
@pytest.mark.parametrize("name", ["durham", "pankova_laud_cafeteria"])
def test_example_has_a_public_edition_whichever_requirement_is_left_out(name: str) -> None:
    raw = example(name)
    for index in range(len(raw["requirements"])):
        try:
            made = public({**raw, "withheld": [f"$.requirements[{index}]"]})
        except InvalidInput:  # what the public is told follows from it
            continue
        assert records.recompute(made) == ()
    assert report.typeset(made).startswith(b"%PDF")


@pytest.mark.parametrize(
    ("kind", "public_names", "private_names"),
    [
        (Decision, redaction.OF_DECISION, redaction.NOT_OF_DECISION),
        (Release, redaction.OF_RELEASE, redaction.NOT_OF_RELEASE),
        (Details, redaction.OF_DETAILS, redaction.NOT_OF_DETAILS),
    ],
)
def test_every_field_is_public_or_not_by_a_list(
    kind: Any, public_names: tuple[str, ...], private_names: tuple[str, ...]
) -> None:
    assert sorted((*public_names, *private_names)) == sorted(kind.model_fields)


def test_whatever_is_offered_to_be_marked_can_be_left_out() -> None:
    decision = read_decision(decided(withheld=("$.details.risks[0].owner",)))
    offered = redaction.markable(decision)
    assert "$.details.risks[0].owner" in [mark.where for mark in offered]  # marked by hand: shown too
    redaction.check_withheld(decision.model_copy(update={"withheld": tuple(mark.where for mark in offered)}))
    assert {mark.requirement for mark in offered if mark.where.startswith("$.requirements")} == {0, 1, 2}


def test_public_version_without_any_requirement_passes(tmp_path: Path) -> None:
    """What an approval lacks is asked of the internal record: of a public version it may be left out."""
    internal, public = new(tmp_path), RecordFiles(folder=tmp_path, name="public")
    for_all = tuple(f"$.requirements[{at}]" for at in range(len(small().requirements)))
    signing.sign_public(internal, public, request(people()[0]), withheld=(*for_all, "$.justification"))
    assert judged(public, trusting(tmp_path, people()[0])).outcome == "passed"
