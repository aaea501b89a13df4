"""What a public edition leaves out is neither guessed by a hash, nor found in other spelling, nor read off a figure."""

from __future__ import annotations

import copy
import hashlib
import itertools
import json
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dpwizard.decision import edits, read_decision
from dpwizard.errors import DPWizardError, InvalidInput
from dpwizard.records import editions, record
from dpwizard.records.withheld_texts import replaced
from dpwizard.report import document as report
from dpwizard.signing import RecordFiles, exports, record_files
from tests.samples.decisions import EXAMPLES, STATED, example, recorded
from tests.samples.signed_record import people

TEXTS = ("description", "unit", "derivation", "published_elsewhere")
ADVICE = "Do not publish: the clinic is St Mary's."


def raw_with_advice(advice: str = ADVICE) -> dict[str, Any]:
    raw = example("durham", withheld=["$.details.advice"])
    raw["details"] = raw.get("details", {}) | {
        "advice": advice,
        "curators": ["Office"],
        "intended_use": "Planning",
        "product_type": "Summary statistics",
        "region": "Durham",
        "publication_date": "2026-12-01",
    }
    return raw


def signature() -> record_files.Signature:
    return record_files.Signature(identity=people()[0], role="proposes", verdict="approve", comment="", stated=STATED)


def public(raw: dict[str, Any]) -> dict[str, Any]:
    _, data = recorded(raw)
    return editions.public_record(json.loads(data), hashlib.sha256(data).hexdigest())


# ----------------------------------------------------------------------------------------------- by a hash


def guessed(outward: dict[str, Any], advice: str) -> bytes:
    """Return the internal record that somebody would rebuild who has the public one and guesses right."""
    decision = read_decision({**outward["decision"], "withheld": ["$.details.advice"]})
    decision = edits.put(decision, "$.details.advice", advice)
    internal: dict[str, Any] = {**outward, "edition": "internal"}
    internal["decision"] = json.loads(json.dumps(record.plain(record.written(decision.as_recorded()))))
    for name in ("internal_sha256", "left_out"):
        del internal[name]
    return record.record_bytes(internal)


@pytest.mark.slow
def test_the_hash_of_the_internal_record_confirms_no_guess_in_any_edition(tmp_path: Path) -> None:
    internal, outward = RecordFiles.beside(tmp_path / "internal"), RecordFiles.beside(tmp_path / "public")
    record_files.sign_new(read_decision(raw_with_advice()), internal, signature())
    record_files.sign_public(internal, outward, signature())
    made = json.loads(outward.json.read_bytes())
    data = internal.json.read_bytes()
    # what somebody guesses right is the internal record but for its salt ...
    unsalted = {name: value for name, value in json.loads(data).items() if name != "salt"}
    assert json.loads(guessed(made, ADVICE)) == unsalted
    # ... and its hash is nowhere
    digest = hashlib.sha256(guessed(made, ADVICE)).hexdigest()
    editions_of_it = [outward.json.read_text("utf-8")]
    editions_of_it += [exports.export(data, to) for to in ("registry", "web")]
    for text in editions_of_it:
        assert digest not in text
        assert "St Mary" not in text
        assert json.loads(data)["salt"] not in text
        assert hashlib.sha256(data).hexdigest() in text


def test_the_salt_is_long_differs_with_signer_and_decision_and_is_the_same_for_the_same() -> None:
    made = record.make_record(read_decision(raw_with_advice()), record.assess(read_decision(raw_with_advice())), STATED)
    salts = [record.salted(made, who.salt_for)["salt"] for who in people()]
    other = record.salted({**made, "tolerance": 1e-8}, people()[0].salt_for)["salt"]
    assert len({*salts, other}) == 4
    assert {len(salt) for salt in salts} == {64}
    assert record.salted(made, people()[0].salt_for)["salt"] == salts[0]


def test_of_a_record_without_a_salt_nothing_is_left_out() -> None:
    made, data = recorded(raw_with_advice())
    old = {name: value for name, value in made.items() if name != "salt"}
    with pytest.raises(InvalidInput, match="has no salt"):
        editions.public_record(old, "00")
    with pytest.raises(InvalidInput, match="has no salt"):
        exports.export(record.record_bytes(old), "registry")
    assert editions.public_record(old, "00", withheld=())["left_out"] == []
    assert "salt" not in editions.public_record(json.loads(data), "00")


# ----------------------------------------------------------------------------------------- in other spelling


@pytest.mark.parametrize(
    "quoted",
    [
        "St Mary's",
        "ST  MARY'S",
        "st\u00a0mary's",
        "St\nMary's",
        "St\u2028\tMary's",
        "Ｓｔ Ｍａｒｙ's",
        "\u017ft Mary's",  # a long s
        "S\u00adt Ma\u200bry's",
        "\ufb06 Mary's",  # a ligature
        "𝐒𝐭 𝐌𝐚𝐫𝐲's",
    ],
)
def test_a_text_is_found_whatever_its_case_blanks_and_forms_of_letters(quoted: str) -> None:
    raw = raw_with_advice("St Mary's")
    raw["justification"] = f"As {quoted} asked, we waited."
    raw["title"] = f"For {quoted}"
    made = public(raw)
    assert made["decision"]["justification"] == "As [withheld 1] asked, we waited."
    assert made["decision"]["title"] == "For [withheld 1]"


def test_a_letter_with_its_mark_in_one_or_two_characters_is_the_same_letter() -> None:
    for one, other in itertools.permutations([unicodedata.normalize(form, "José Müller") for form in ("NFC", "NFD")]):
        assert replaced(f"by {one}.", {other: "[x]"}) == "by [x]."


def test_a_short_text_is_taken_out_as_a_word_and_left_within_words() -> None:
    assert replaced("HIV, ＨＩＶ and HIVE; 1.HIV", {"HIV": "[x]"}) == "[x], [x] and HIVE; 1.HIV"
    assert replaced("an apple, and an answer", {"an": "[x]"}) == "an apple, and an answer"
    assert replaced("nothing", {"some text": "[x]"}) == "nothing"


def test_a_signer_whose_name_is_left_out_in_other_spelling_is_refused() -> None:
    raw = raw_with_advice("ANN  MU\u0308LLER")
    made = public(raw)
    with pytest.raises(InvalidInput, match="certificate or comment"):
        editions.require_not_told(made, recorded(raw)[0], "CN=Ann Müller")


# ------------------------------------------------------------------------------------------- off a figure


def without_typed_texts(raw: dict[str, Any]) -> dict[str, Any]:
    """Return a decision without typed texts: a number is taken out of one only where it stands there."""
    bare = {name: raw[name] for name in ("format", "release", "requirements", "epsilon", "outcome") if name in raw}
    bare["release"] = {name: value for name, value in raw["release"].items() if name not in TEXTS}
    return {**bare, "title": "T"}


def other_number(value: Any, factor: float) -> Any:
    """Return VALUE with each number in it a little larger or smaller."""
    if isinstance(value, dict):
        return {name: other_number(one, factor) for name, one in value.items()}
    if isinstance(value, list):
        return [other_number(one, factor) for one in value]
    return type(value)(value * factor) if isinstance(value, float | int) and not isinstance(value, bool) else value


def moved(raw: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Yield, for each number of a requirement that may be marked, its path, the decision that marks it, and the same
    with another number. Of many requirements of a kind, asked of many tables, the first and the last."""
    kinds = [requirement["kind"] for requirement in raw["requirements"]]
    ends = {index for kind in kinds for index in (kinds.index(kind), len(kinds) - 1 - kinds[::-1].index(kind))}
    for index in sorted(ends):
        requirement = raw["requirements"][index]
        for name, value in requirement.items():
            for factor in (0.97, 1.01, 1.3):
                path, other = f"$.requirements[{index}].{name}", other_number(value, factor)
                if name != "enabled" and other != value:
                    one = copy.deepcopy({**raw, "withheld": [path]})
                    two = copy.deepcopy(one)
                    two["requirements"][index][name] = other
                    yield path, one, two


def said(raw: dict[str, Any]) -> dict[str, Any] | None:
    """Return what the public edition says, but for the hash of the internal one; None if the decision is none."""
    try:
        made = public(raw)
    except DPWizardError:
        return None
    return {name: value for name, value in made.items() if name != "internal_sha256"}


def told_anyway(made: dict[str, Any]) -> tuple[Any, ...]:
    """Return what the public is told of a requirement that is left out: whether it can be met, is met, and binds."""
    found = made["assessment"]
    window = [found["window"][name] for name in ("empty", "binds_lower", "binds_upper")]
    return found["inside"], found["window"].get("withheld"), *window, [one["status"] for one in found["answers"]]


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(path.stem for path in EXAMPLES.glob("*.json")))
def test_two_decisions_that_differ_in_a_withheld_number_have_the_same_public_edition(name: str) -> None:
    """Then nothing in it tells the number: no answer, no end of the window, and no figure, drawn from it alone."""
    raw, compared = without_typed_texts(example(name)), 0
    for path, one, other in moved(raw):
        before, after = said(one), said(other)
        if before is not None and after is not None and told_anyway(before) == told_anyway(after):
            assert record.record_bytes(before) == record.record_bytes(after), path
            compared += 1
    assert compared or not raw["requirements"]  # one example states no number at all


@pytest.mark.slow
def test_the_pages_and_figures_of_a_public_edition_are_drawn_from_its_json_alone() -> None:
    raw = without_typed_texts(example("durham")) | {"withheld": ["$.requirements[1].at_most"], "epsilon": 1.0}
    made = public(raw)
    data = record.record_bytes(made)
    again = json.loads(data)
    assert report.pdf_bytes(made, data, "r.json") == report.pdf_bytes(again, data, "r.json")
    shown = report.html(report.blocks(again, data, "r.json"), title="x", language="en")
    assert "<svg" in shown
    other = copy.deepcopy(raw)
    other["requirements"][1]["at_most"] *= 1.02
    made = {**public(other), "internal_sha256": made["internal_sha256"]}
    assert report.html(report.blocks(made, record.record_bytes(made), "r.json"), title="x", language="en") == shown
