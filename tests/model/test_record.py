"""One record: one spelling of its JSON, read strictly; every number of its pages in it; made again and compared."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from dpwizard.base import json_text
from dpwizard.base.errors import InvalidInput
from dpwizard.decision import Release, assess, read_decision
from dpwizard.decision.requirements import kinds
from dpwizard.privacy.mechanisms import Noise
from dpwizard.records import (
    Public,
    Record,
    drawing,
    make,
    read,
    recompute,
    record,
    sentences,
    write,
)
from dpwizard.report import document
from tests.samples.census import census
from tests.samples.decisions import EXAMPLES, STATED, decided, example, recorded, said_of
from tests.samples.requirements import SAMPLES

NAMES = sorted(path.stem for path in EXAMPLES.glob("*.json"))
FEW = ("durham",)


def members(made: Record) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(write(made))
    return found


def leaves(value: Any, where: str = "$") -> Iterator[tuple[str, Any, Any, Any]]:
    """Yield the path of every text and number in VALUE, what holds it, its key, and itself."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in pairs:
        path = f"{where}.{key}" if isinstance(value, dict) else f"{where}[{key}]"
        if isinstance(item, dict | list):
            yield from leaves(item, path)
        else:
            yield path, value, key, item


def changed(item: Any) -> Any:
    if isinstance(item, bool) or item is None:
        return not item
    return f"{item}x" if isinstance(item, str) else item + 1 if item == int(item) else item * 1.5


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES[::4])
def test_what_is_written_is_read_again_made_again_and_printed_as_the_window_says_it(name: str) -> None:
    made = recorded(example(name))
    data = write(made)
    assert read(data) == made
    assert write(read(data)) == data
    assert recompute(made) == ()
    assert sentences(made) == said_of(made.decision)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mechanism", "epsilon"),
    [("geometric", None), ("geometric", 0.0), ("gaussian", 0.5)],
)
def test_every_kind_under_every_noise_is_read_again(mechanism: str, epsilon: float | None) -> None:
    delta = {"delta": 1e-6} if "gaussian" in mechanism else {}
    asked = [{"kind": kind, **samples[0]} for kind, samples in SAMPLES.items()]
    made = make(decided(*asked, epsilon=epsilon, mechanism=mechanism, **delta), STATED, name="r")
    assert {answer.kind for answer in made.assessment.answers} == set(SAMPLES) <= set(kinds())
    assert read(write(made)) == made
    assert sentences(made) == said_of(made.decision)


def test_a_member_more_less_or_of_another_name_is_refused_by_name() -> None:
    good = members(recorded(example("durham")))
    assert read(json_text.document(good))
    for name in good:
        for wrong in ({**good, f"{name}x": good[name]}, {key: good[key] for key in good if key != name}):
            with pytest.raises(InvalidInput) as refused:
                read(json_text.document(wrong))
            assert name in refused.value.where or refused.value.where == "$.format"
    inner = json.loads(json.dumps(good))
    inner["assessment"]["answers"][0]["later"] = 1
    with pytest.raises(InvalidInput) as refused:
        read(json_text.document(inner))
    assert refused.value.where == "$.assessment.answers[0].later"


@pytest.mark.parametrize("spelled", ["indent", "order", "exponent", "escape", "break", "integer"])
def test_another_spelling_of_the_same_record_is_refused(spelled: str) -> None:
    made = replace(recorded(example("durham")), salt="")
    good, data = members(made), write(made)
    others = {
        "indent": json.dumps(good, sort_keys=True, ensure_ascii=False).encode(),
        "order": json.dumps(dict(reversed(good.items())), indent=2, ensure_ascii=False).encode() + b"\n",
        "exponent": data.replace(b'"repetitions": 1', b'"repetitions": 1e0'),
        "escape": data.replace(b"Durham", b"\\u0044urham"),
        "break": data.removesuffix(b"\n"),
        "integer": data.replace(b'"sensitivity": 1.0', b'"sensitivity": 1'),
    }
    assert others[spelled] != data
    with pytest.raises(InvalidInput):
        read(others[spelled])


@pytest.mark.parametrize(
    ("where", "value"),
    [
        ("name", "../durham"),
        ("name", "a/b"),
        ("name", " x"),
        ("name", "x" * 101),
        ("name", "two\nlines"),
        ("document", "1.0 dev"),
        ("edition", "secret"),
        ("salt", "abc"),
        ("made.time", "yesterday"),
        ("made.time", "2026-11-21T12:00:00"),
        ("made.time", "2026-11-21T12:00:00Z"),
        ("made.time_source", "nobody"),
        ("program.name", "another"),
        ("program.version", "1.0 approved by the office"),
        ("program.libraries.numpy", "<b>"),
        ("platform.machine", "two words"),
        ("assessment.window.binds_upper", 7),
        ("assessment.window.conflict", [-1]),
        ("assessment.window.lower", "much"),
        ("assessment.inside", "yes"),
        ("assessment.answers", []),
        ("assessment", 3),
        ("decision.epsilon", -1),
        ("implementation", {"a": 1}),
        ("drawn.accuracy.noises", [{}]),
        ("policy", {"name": "Office"}),
        ("public", {"internal_sha256": "0" * 64, "requirements": 1, "of": 2}),
    ],
)
def test_what_no_program_writes_is_refused_by_name(where: str, value: Any) -> None:
    good = members(recorded(example("durham")))
    here, steps = good, where.split(".")
    for step in steps[:-1]:
        here = here[step]
    here[steps[-1]] = value
    with pytest.raises(InvalidInput) as refused:
        read(json_text.document(good))
    assert refused.value.where.startswith(f"$.{where}"), refused.value


@pytest.mark.slow
@pytest.mark.parametrize("name", FEW)
def test_whatever_is_changed_in_what_follows_from_the_decision_is_found_at_its_place(name: str) -> None:
    made = recorded(example(name))
    good = members(made)
    again, error = [], 0
    for member in ("assessment", "accounting", "implementation", "drawn"):
        places = list(leaves(good[member], f"$.{member}"))
        for path, holder, key, item in places[:: max(1, len(places) // 6)]:
            holder[key] = changed(item)
            try:
                false = read(json_text.document(good))
            except InvalidInput:
                error += 1  # no record any more
            else:
                again.append((path, [difference.where for difference in recompute(false)]))
            holder[key] = item
    assert again
    assert len(again) > error
    for path, found in again:
        member = path.split(".")[1].partition("[")[0]
        assert [place for place in found if place.startswith(f"$.{member}")], (path, found)


def test_numbers_may_differ_by_rounding_and_no_more_and_drawn_ones_by_their_last_digit() -> None:
    made = recorded(example("durham"))
    good = members(made)
    for path, near, far in (("assessment.window.upper", 1e-10, 1e-8), ("drawn.accuracy.noises.0.sd", 1e-5, 1e-4)):
        *steps, last = path.split(".")
        for by, expected in ((near, 0), (far, 1)):
            raw = json.loads(json.dumps(good))
            here: Any = raw
            for step in steps:
                here = here[int(step)] if step.isdigit() else here[step]
            here[last] *= 1 + by
            assert len(recompute(read(json_text.document(raw)))) == expected, (path, by)


def test_of_another_version_answers_are_compared_within_both_stated_errors() -> None:
    made = recorded(example("durham"))
    raw = members(made)
    answer = raw["assessment"]["answers"][0]
    answer["error"], answer["epsilon"] = 1e-4, answer["epsilon"] - 1e-4
    here = read(json_text.document(raw))
    there = replace(here, program=here.program.model_copy(update={"version": "0.9"}))
    assert (here.is_from_this_version, there.is_from_this_version) == (True, False)
    assert "$.assessment.answers[0].epsilon" in [one.where for one in recompute(here)]
    assert "$.assessment.answers[0].epsilon" not in [one.where for one in recompute(there)]


def test_a_salt_is_added_to_what_was_made_and_a_public_edition_has_none() -> None:
    made = replace(recorded(example("durham")), salt="")
    salted = made.salted(lambda data: "5a" * 32 if data == write(made) else "")
    assert salted == replace(made, salt="5a" * 32)
    public = Public(internal_sha256="0" * 64, requirements=1, of=2)
    smaller = made.decision.model_copy(update={"requirements": made.decision.requirements[:1]})
    edition = make(smaller, STATED, name="durham-public", public=public)
    assert (edition.edition, read(write(edition))) == ("public", edition)
    assert "made from 1 of 2 requirements" in document.text(document.blocks(edition))
    assert recompute(edition) == ()
    with pytest.raises(InvalidInput, match="empty in a public version"):
        read(write(replace(edition, salt="5a" * 32)))


def test_a_record_of_another_format_is_refused_and_a_decision_is_none() -> None:
    for raw in ({"format": "dpwizard.record/2"}, {"format": "dpwizard.decision/1"}, [], {"format": record.FORMAT}):
        with pytest.raises(InvalidInput):
            read(json_text.document(raw))


# ------------------------------------------------------------------------------------------------- six digits


@pytest.mark.parametrize(
    ("value", "down", "near", "up"),
    [
        (1.23456749, 1.23456, 1.23457, 1.23457),
        (2.0, 2.0, 2.0, 2.0),
        (0.1 + 0.2, 0.3, 0.3, 0.3),  # 0.30000000000000004 is 0.3, as everywhere
        (1e-9 / 3, 3.33333e-10, 3.33333e-10, 3.33334e-10),
        (123456789.0, 123456000.0, 123457000.0, 123457000.0),
        (math.inf, math.inf, math.inf, math.inf),
        (0.0, 0.0, 0.0, 0.0),
    ],
)
def test_six_digits_are_rounded_to_the_side_that_is_asked_for(
    value: float, down: float, near: float, up: float
) -> None:
    assert (drawing._down(value), drawing._near(value), drawing._up(value)) == (down, near, up)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["durham", "kazan_reiter_figure_4", "gaussian_clinic"])
def test_what_is_drawn_lies_on_the_careful_side_of_what_was_computed(name: str) -> None:
    made = recorded(example(name))
    planned = made.decision.planned
    assessment = assess(made.decision)
    for profile in made.drawn.profiles:
        (requirement, answer) = planned.requirements[profile.requirement], assessment.answers[profile.requirement]
        told = {"status": answer.status, "binding": answer.binding, "attained": answer.attained}
        exact = drawing.curves.risk_curves(
            requirement, planned.release, {**told, "epsilon": answer.epsilon}, planned.chosen
        )
        for one, computed in zip(profile.curves, exact, strict=True):
            assert all(a is None or a >= b * (1 - 1e-14) for a, b in zip(one.allowed, computed.allowed, strict=True))
            assert all(a is None or a <= b * (1 + 1e-14) for a, b in zip(one.epsilons, computed.epsilons, strict=True))
            assert all(a is None or a >= b * (1 - 1e-14) for a, b in zip(one.given, computed.given, strict=True))
    for added, computed_noise in zip(
        made.drawn.added, drawing.added_noises(planned.release, planned.chosen), strict=True
    ):
        assert added.within_95 >= computed_noise.half_width(0.95) * (1 - 1e-14)
        assert added.sd >= computed_noise.sd * (1 - 1e-14)


# ------------------------------------------------------------------------------------------------- it solves nothing


def test_the_pages_are_typeset_where_nothing_can_be_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    """With every way to a solver barred, the stored JSON gives the same bytes."""
    small = census({"US": 3, "State": 2})
    stored = [(data, document.typeset(read(data))) for data in map(write, map(recorded, (example("durham"), small)))]

    def barred(*_: Any, **__: Any) -> Any:
        raise AssertionError("the report solves")

    for owner, names in (
        (Release, ("number_setting", "privacy_setting")),
        (Noise, ("scale", "epsilon", "sd", "exact_mass", "within", "mean_absolute", "height", "half_width")),
    ):
        for name in names:
            monkeypatch.setattr(owner, name, barred)
    for kind in kinds().values():
        monkeypatch.setattr(kind, "limit", barred)
    for noise in Noise.__subclasses__():
        for name in ("sd", "exact_mass", "within", "mean_absolute"):
            monkeypatch.setattr(noise, name, barred, raising=False)
    with pytest.raises(AssertionError, match="the report solves"):
        assess(read_decision(example("durham")))
    for data, pages in stored:
        assert document.typeset(read(data)) == pages
