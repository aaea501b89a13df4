"""The guide: every kind of requirement has its page, every number in an example is computed again, every label is the
window's."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from dpwizard.base.language import LANGUAGES
from dpwizard.decision import STEPS, Release
from dpwizard.decision.requirements import kinds
from dpwizard.privacy import compute
from tests.samples.source_tree import ROOT, nodes, sources
from tests.samples.words import keyed, phrases
from ui.help import guide

GUIDE = ROOT / "docs" / "guide"
LARGEST_PICTURES = 2_000_000  # bytes of all pictures that the frozen program carries
# a section that holds lines to compute
EXAMPLE = re.compile(r'^## [^\n]*$((?:(?!^## ).)*"fn":.*?)(?=^## |\Z)', re.MULTILINE | re.DOTALL)
NUMBER = re.compile(r"\*\*(\d[\d.,\u202f]*)\*\*(?= (\w+) 100)?")
WIDEST_FORMULA = 82  # characters: as many as the page of the window is wide
SIDES = {"upper": "from above", "lower": "from below", "verdict": "not at all"}
LABELLED = (
    "first-decision.md",
    "steps.md",
    "signing-and-verifying.md",
    "ledger.md",
    "second-opinion.md",
    "projects-and-recovery.md",
    "questions.md",
    "settings.md",
    "languages.md",
    "what-reviewers-ask.md",
    "many-tables.md",
    "requirements/",
)


def pages() -> tuple[str, ...]:
    """Return every page of the guide by its name in English."""
    found = (path.relative_to(GUIDE).as_posix() for path in sorted(GUIDE.rglob("*.md")))
    return tuple(page for page in found if not page.startswith(tuple(f"{language}/" for language in LANGUAGES)))


def written(page: str) -> tuple[str, ...]:
    """Return the languages in which PAGE is written."""
    return tuple(language for language in LANGUAGES if guide.translated(page, language))


def each() -> list[tuple[str, str]]:
    return [(page, language) for page in pages() for language in written(page)]


def in_short(text: str) -> list[str]:
    """Return what the table at the head of a page of a requirement says, row by row."""
    return [cells[2].strip() for line in text.splitlines() if len(cells := line.split("|")) == 4]


# ------------------------------------------------------------------------------------- all pages


@pytest.mark.parametrize("kind", kinds())
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_requirement_has_its_page_with_an_example(kind: str, language: str) -> None:
    page = guide.requirement(kind)
    assert guide.exists(page), f"write docs/guide/{page}"
    shown = language if guide.translated(page, language) else "en"
    text = guide.read(page, shown)
    assert guide.title(text) == keyed(shown)["kind"][kind], f"{page} has the title of its kind"
    assert len(EXAMPLE.findall(text)) == 1, f"{page} computes one example"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_of_a_requirement_says_the_side_it_bounds(language: str) -> None:
    said: dict[str, str] = {}  # in words of each language, never the same for two sides
    for kind, declared in kinds().items():
        page, side = guide.requirement(kind), SIDES[declared.end]
        row = next((i for i, cell in enumerate(in_short(guide.read(page, "en"))) if cell.startswith(side)), None)
        assert row is not None, f'{page} says "{side}" of the side it bounds'
        if guide.translated(page, language):
            cell = in_short(guide.read(page, language))[row]
            assert said.setdefault(cell, side) == side, f"{language}/{page} says {cell!r} of what bounds {side}"


@pytest.mark.parametrize("kind", kinds())
def test_every_page_of_a_requirement_names_the_theorems_of_its_source(kind: str) -> None:
    text = guide.read(guide.requirement(kind), "en")
    source = kinds()[kind].source
    named = re.findall(r"(?:Theorem|Proposition|Definition|Example) [\d.]*\d|\(\d+\)|(?<=, )\w+ \d{4}", source)
    assert [name for name in named if name not in text] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_contents_name_every_page_once(language: str) -> None:
    listed = [entry.page for entry in guide.contents(language) if entry.page]
    assert len(listed) == len(set(listed))
    assert set(pages()) - set(listed) == set(), "list it in docs/guide/README.md, in every language"
    assert all(guide.exists(page) for page in listed)


def test_the_page_of_languages_has_a_row_for_each() -> None:
    for language in written("languages.md"):
        head, *listed = re.findall(r"^\| .*", guide.read("languages.md", language), re.MULTILINE)
        assert len(listed) == len(LANGUAGES), f"{language}/languages.md: a row for each of {LANGUAGES} below {head}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_of_the_steps_has_one_section_for_each_step_under_its_title(language: str) -> None:
    shown = language if guide.translated(guide.STEPS, language) else "en"
    headings = [guide.step_heading(number, shown) for number in range(len(STEPS))]
    assert headings == [guide.anchor(keyed(shown)["step"][step.key]) for step in STEPS]


def test_the_frozen_program_carries_the_pages_and_every_picture_they_show_and_they_are_small() -> None:
    spec = (ROOT / "build.spec").read_text("utf-8")
    carried = ("guide", "methods", "images", "record-format.md", "elicitation.md", "reliability.md")
    assert [name for name in carried if f'"{name}"' not in spec] == []
    shown = set()
    for page, language in each():
        for name in re.findall(r"!\[[^\]]*\]\(([^)\s]+)\)", guide.read(page, language)):
            for dark in (False, True):
                picture = guide.picture(page, language, name, dark=dark)
                assert picture is not None, f"{page}: {name}"
                shown.add(picture)
    assert shown
    assert sum(picture.stat().st_size for picture in shown) < LARGEST_PICTURES


def test_what_lies_outside_the_documents_is_shown_as_text() -> None:
    for page, language in each():
        text = re.sub(guide.CODE, "", guide.offline(page, language))
        for link in re.findall(r"\]\(([^)\s]+)\)", text):
            assert not re.match(r"[a-z]+:", link), f"{page}: {link}"


def test_pages_are_found_by_all_of_their_words_the_title_first() -> None:
    found = guide.search("ERROR within a limit", "en")
    assert found[0].page == guide.requirement("noise_interval")
    assert "within" in found[1].around.casefold()
    assert guide.search("noise xylophone", "en") == ()
    assert guide.search("  ", "en") == ()


@pytest.mark.parametrize("page", pages())
def test_a_page_in_another_language_says_as_much_as_in_english(page: str) -> None:
    english = guide.read(page, "en")
    for language in written(page):
        other = guide.read(page, language)
        for mark in (r"^#+ ", r"^```", r"^- ", r"^\d\. ", r"^\|", r"!\["):
            assert len(re.findall(mark, other, re.MULTILINE)) == len(re.findall(mark, english, re.MULTILINE)), (
                f"{language}: {mark}"
            )
        assert re.findall(r"```json.*?```", other, re.DOTALL) == re.findall(r"```json.*?```", english, re.DOTALL)


@pytest.mark.parametrize(("page", "language"), each())
def test_no_formula_is_broken_over_two_lines(page: str, language: str) -> None:
    formulas = re.findall(r"```text\n(.*?)```", guide.read(page, language), re.DOTALL)
    assert [line for formula in formulas for line in formula.splitlines() if len(line) > WIDEST_FORMULA] == []


# -------------------------------------------------------------------------------------- numbers


def values(answer: Any) -> Iterator[float]:
    if isinstance(answer, dict):
        for part in answer.values():
            yield from values(part)
    elif isinstance(answer, list | tuple):
        for part in answer:
            yield from values(part)
    elif isinstance(answer, int | float) and not isinstance(answer, bool):
        yield float(answer)


def read_number(said: str, language: str) -> tuple[float, float]:
    """Return a number as it is written, and the size of its last place."""
    marks = keyed(language)["number"]
    plain = said.replace(marks["thousands"], "").replace(marks["decimal"], ".")
    return float(plain), 10.0 ** -len(plain.partition(".")[2])


@pytest.mark.parametrize(("page", "language"), each())
def test_every_number_of_a_worked_example_is_what_the_program_computes(page: str, language: str) -> None:
    text = guide.read(page, language)
    for example in EXAMPLE.findall(text):
        lines = [line for block in re.findall(r"```json\n(.*?)```", example, re.DOTALL) for line in block.splitlines()]
        answers = [compute.answer(line) for line in lines]
        assert all(answer["ok"] for answer in answers), answers
        computed = {answer["id"]: tuple(values(answer["value"])) for answer in answers}
        met: set[Any] = set()
        prose = re.sub(r"```.*?```", "", example, flags=re.DOTALL)
        for hit in NUMBER.finditer(prose):
            stated, place = read_number(hit.group(1), language)
            scale = 100.0 if hit.group(2) else 1.0
            fitting = {
                number
                for number, found in computed.items()
                if any(_fits(value * scale, stated, place) for value in found)
            }
            assert fitting, f"{hit.group()} is none of {computed}"
            met |= fitting
        assert met == set(computed), "every line computed is there for a number"
    if page.startswith("requirements/"):
        assert re.search(r"^\{", "\n".join(EXAMPLE.findall(text)), re.MULTILINE)


def _fits(value: float, stated: float, place: float) -> bool:
    """Return whether VALUE, rounded up or down to PLACE, is as STATED."""
    return abs(value - stated) < place or math.isclose(value, stated, rel_tol=1e-12)


# --------------------------------------------------------------------------------------- labels


@cache
def spoken_by_the_window(language: str) -> frozenset[str]:
    """Return every text that the window shows, in LANGUAGE."""
    english = {
        node.args[0].value
        for path in sources("ui")
        for node in nodes(path)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "tr"
        and node.args
        and isinstance(node.args[0], ast.Constant)
    }
    fields = {
        field.title for kind in (Release, *kinds().values()) for field in kind.model_fields.values() if field.title
    }
    labels = fields | set(phrases("label", "de"))
    if language == "en":
        texts = english | labels
    else:
        window, fields_said = phrases("window", language), phrases("label", language)
        texts = {window.get(text, text) for text in english} | {fields_said.get(text, text) for text in labels}
    words = {text for section in keyed(language).values() for text in section.values()}
    return frozenset(text[:1].upper() + text[1:] for text in texts | words)


@cache
def filled(language: str) -> re.Pattern[str]:
    """Return the pattern of all texts on buttons into which one figure is written."""
    texts = (text for text in spoken_by_the_window(language) if re.fullmatch(r"[^{}]*\{\w+\}[^{}]*", text))
    return re.compile("|".join(re.sub(r"\\\{\w+\\\}", r"[\\d.,]+", re.escape(text)) for text in texts))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_label_the_guide_names_stands_in_the_window(language: str) -> None:
    known = {label.replace("&", "") for label in spoken_by_the_window(language)}  # without the letters of the menus
    unknown, following = [], "Next: {step}"
    following = (phrases("window", language)[following] if language != "en" else following).replace("{step}", "(.+)")
    labelled = (page for page, shown in each() if shown == language and page.startswith(LABELLED))
    for page in labelled:
        text = EXAMPLE.sub("", guide.read(page, language))
        for label in re.findall(r"\*\*(.+?)\*\*", re.sub(r"\s+", " ", text)):
            named = label[:1].upper() + label[1:]
            step = re.fullmatch(following, label)
            leads_on = step and step.group(1) in keyed(language)["step"].values()
            if named not in known and not filled(language).fullmatch(named) and not leads_on:
                unknown.append(f"{page}: {label}")
    assert unknown == []
