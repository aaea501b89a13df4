"""The language a text is said in: what is translated, how numbers are written, and what never depends on it."""

from __future__ import annotations

import json
import re
import string
import threading
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType

import pytest

from dpwizard.base import json_text
from dpwizard.base.errors import DPWizardError
from dpwizard.base.language import (
    FOLDER,
    LANGUAGES,
    STRICT,
    counting,
    named_language,
    phrase,
    speaking,
    spoken,
    system_language,
    understood,
)
from dpwizard.decision import edits, new_decision
from dpwizard.privacy.compute import as_plain
from dpwizard.wording import figures, texts
from scripts.make_messages import compiled, declared, forms, written
from tests.samples.source_tree import module_name, sources
from tests.samples.words import OWN_WORDS, catalogue, keyed, phrases, repeated

OTHERS = [language for language in LANGUAGES if language != "en"]
NARROW = "\u202f"
SHOWN = {"window", "label", "message", "command_line"}  # where texts are shown that have no keys
COMMAND = re.compile("dpwizard |main.py |pdfdetach |openssl |jq ")  # no words of a language
WORD, PLACE = re.compile(r"[^\W\d_]{2,}"), re.compile(r"\{[^}]*\}")


def test_english_is_spoken_unless_another_language_is_asked_for_that_somebody_translated_to() -> None:
    assert spoken() == "en"
    with speaking("de"):
        assert spoken() == "de"
    with speaking("xx"):
        assert spoken() == "en"
    assert spoken() == "en"


def test_what_one_thread_speaks_leaves_the_others_alone() -> None:
    heard = []
    with speaking("de"):
        other = threading.Thread(target=lambda: heard.append(spoken()))
        other.start()
        other.join()
    assert heard == ["en"]


def test_a_text_without_words_is_an_error_in_tests_and_said_as_it_is_before_people(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with speaking("de"):
        with pytest.raises(LookupError, match="'No such text' in dpwizard"):
            phrase("window", "No such text")
        with pytest.raises(LookupError):
            texts.word("step", "no such step")
        monkeypatch.delenv(STRICT)
        assert phrase("window", "No such text") == "No such text"
        assert phrase("window", "{n} such", "{n} such texts", 3) == "{n} such texts"
        assert texts.word("step", "no_such_step") == "no_such_step"


@pytest.mark.slow
def test_what_the_program_reads_is_compiled_from_what_translators_write() -> None:
    stale = [
        language
        for language in LANGUAGES
        if (FOLDER / language / "LC_MESSAGES" / "dpwizard.mo").read_bytes() != compiled(written(language))
    ]
    assert stale == [], "run make messages"
    assert len(list(FOLDER.rglob("*.?o"))) == 2 * len(LANGUAGES), "one catalogue for each language, and nothing else"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_its_plurals_and_says_nothing_twice(language: str) -> None:
    found = catalogue(language)
    place = f"resources/locale/{language}/LC_MESSAGES/dpwizard.po"
    named = f'"Language: {language}\\n"' in (FOLDER.parent.parent / place).read_text("utf-8")
    assert named, f"name {language} in the head of {place}"
    assert [entry.id for entry in found if entry.fuzzy or not entry.string] in ([], [""])
    assert [entry.id for entry in found if forms(entry.id)[1:] and not all(forms(entry.string))] == []


@pytest.mark.parametrize("path", sorted(FOLDER.rglob("*.po")), ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_catalogue_states_no_entry_and_no_translation_twice_and_writes_one_apostrophe(path: Path) -> None:
    lines = path.read_text("utf-8").splitlines()
    assert repeated(lines) == []
    assert [line for line in lines if re.match(r"""(msg|").*\w'[\w ]""", line)] == [], "write ’"


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (['msgid "a"', 'msgstr "A"', 'msgid "b"', 'msgstr "A"'], []),
        (['msgctxt "x"', 'msgid "a"', 'msgstr "A"', 'msgctxt "y"', 'msgid "a"', 'msgstr "A"'], []),
        (['msgid ""', '"long "', '"text"', 'msgstr "A"', "", 'msgid "long text"', 'msgstr "B"'], ["long text"]),
        (['msgctxt "x"', 'msgid "a"', 'msgstr "A"', 'msgctxt "x"', 'msgid "a"', 'msgstr "B"'], ["a"]),
        (['msgid "a"', 'msgstr "A"', 'msgstr "B"'], ["msgstr of a"]),
    ],
)
def test_repeated_entries_of_a_catalogue_are_found(lines: list[str], found: list[str]) -> None:
    assert repeated(lines) == found


def test_every_language_has_a_name_of_its_own() -> None:
    names = [keyed(language)["language"]["itself"] for language in LANGUAGES]
    assert len(set(names)) == len(names), f'say how each language calls itself: "itself" of "language", {names}'


@pytest.mark.parametrize("language", OTHERS)
def test_no_sentence_is_the_same_in_two_languages(language: str) -> None:
    copied = [
        english
        for context in SHOWN
        for english, said in phrases(context, language).items()
        if said == english and len(WORD.findall(PLACE.sub("", said))) > 3 and not COMMAND.match(said)
    ]
    assert copied == [], "translate what was copied"


@pytest.mark.parametrize(
    ("named", "language"),
    [
        ("de", "de"),
        ("de_DE.UTF-8", "de"),
        ("de-AT", "de"),
        ("en_GB", "en"),
        ("xx_XX", None),
        ("C", None),
        ("", None),
        (None, None),
    ],
)
def test_a_locale_s_name_says_the_language(named: str | None, language: str | None) -> None:
    assert understood(named) == language


def test_the_computer_s_language_is_the_first_that_its_settings_name(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANGUAGE", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "en_GB.UTF-8")
    monkeypatch.setenv("LANGUAGE", "de:en")
    assert system_language() == "de"
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    assert system_language() == "en"


def test_a_language_is_named_anywhere_on_the_command_line() -> None:
    assert named_language(["solve", "--language", "de_AT", "x.json"]) == ("de", ["solve", "x.json"])
    assert named_language(["--language=xx"]) == ("xx", [])
    assert named_language(["solve"]) == (None, ["solve"])


# ------------------------------------------------------------------------------------ nothing is missing


def places(text: str) -> set[tuple[str, str]]:
    return {(name, way or "") for _, name, way, _ in string.Formatter().parse(text) if name}


def needed_places(text: str) -> set[tuple[str, str]]:
    """Return the places that every translation of TEXT has."""
    return {(name, way) for name, way in places(text) if name not in OWN_WORDS}


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_has_its_translation_with_the_same_figures(language: str) -> None:
    english, other = keyed("en"), keyed(language)
    step = f"in resources/locale/{language}/LC_MESSAGES/dpwizard.po"
    lacking = [f"{section}.{key}" for section in english for key in english[section] if not other[section].get(key)]
    assert lacking == [], f"say {step}"
    wrong = [
        f"{section}.{key}"
        for section, said in english.items()
        for key in said
        if needed_places(said[key]) != needed_places(other[section][key])
    ]
    assert wrong == [], f"give the places of the English sentence {step}"


@pytest.mark.parametrize("language", OTHERS)
def test_nothing_is_translated_that_nobody_says(language: str) -> None:
    table = {entry.context + "." + forms(entry.id)[0]: forms(entry.string) for entry in catalogue("en") if entry.id}
    texts = {text for said in table.values() for text in said} | constants()
    over = [
        entry.id
        for entry in catalogue(language)
        if entry.id
        and not (
            table.get(entry.context) == forms(entry.id)
            if entry.context and entry.context not in SHOWN
            else texts.issuperset(forms(entry.id))
        )
    ]
    assert over == [], f"take away in resources/locale/{language}/LC_MESSAGES/dpwizard.po"


def constants() -> set[str]:
    """Return every text in the source of the program, from its compiled files: to parse them takes seconds."""
    found: set[str] = set()
    quoted: set[str] = set()
    waiting: list[object] = []
    for path in sources("dpwizard", "ui"):
        name = module_name(path)
        waiting.append(SourceFileLoader(name, str(path)).get_code(name))
        quoted.update(re.findall(r'"(\w+)"', path.read_text("utf-8")))
    while waiting:
        constant = waiting.pop()
        if isinstance(constant, CodeType):
            waiting += constant.co_consts
        elif isinstance(constant, tuple | frozenset):
            waiting += constant
        elif isinstance(constant, str) and (constant in quoted or not constant.isidentifier()):  # else a name
            found.add(constant)
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_figure_of_a_sentence_names_a_way_in_which_figures_are_written(language: str) -> None:
    figure = {"names": ["A"], "tables": ["A"], "fields": ["name"], "numbers": [1.5], "assumption": "knows_all_but_one"}
    unknown = []
    for section, sentences in keyed(language).items():
        for name, way in {place for sentence in sentences.values() for place in places(sentence)}:
            try:
                texts.describe(f"{{{name}:{way}}}", {name: figure.get(way, 1)})
            except KeyError:
                unknown.append(f"{section}: {{{name}:{way}}}")
    assert unknown == []


@pytest.mark.parametrize("language", OTHERS)
def test_every_label_help_and_unit_has_its_translation(language: str) -> None:
    known = phrases("label", language)
    step = f"in resources/locale/{language}/LC_MESSAGES/dpwizard.po"
    assert sorted(set(declared()) - set(known)) == [], f"say {step}"
    assert [text for text in declared() if places(text) != places(known[text])] == [], f"give the same places {step}"


# --------------------------------------------------------------------------------------- what is said


@pytest.mark.parametrize(
    ("path", "raw", "said"),
    [
        (
            "$.release.sensitivity",
            -1,
            "muss größer als 0 sein; gefunden: -1. Geben Sie einen Wert in diesem Bereich ein.",
        ),
        ("$.release.sensitivity", "viel", 'muss eine Zahl sein; gefunden: "viel". Geben Sie einen solchen Wert ein.'),
        (
            "$.release.delta",
            1.5,
            "muss größer als 0 und kleiner als 1 sein; gefunden: 1,5. Geben Sie einen Wert in diesem Bereich ein.",
        ),
        ("$.release.repetitions", 2.5, "muss eine ganze Zahl sein; gefunden: 2,5. Geben Sie einen solchen Wert ein."),
        ("$.release.neighbours", "x", 'muss "add_remove" oder "replace" sein; gefunden: "x". Wählen Sie eines davon.'),
    ],
)
def test_an_error_is_said_in_the_language_spoken_and_read_by_machines_in_english(
    path: str, raw: object, said: str
) -> None:
    with pytest.raises(DPWizardError) as caught:
        edits.put(new_decision(), path, raw)
    problem = caught.value
    english = json.dumps(as_plain(problem))
    with speaking("de"):
        assert str(problem) == f"{path}: {said}"
        assert json.dumps(as_plain(problem)) == english
    assert str(problem) == f"{path}: {problem.message}. {problem.hint}"


@pytest.mark.parametrize(
    ("value", "number", "chance", "limit"),
    [
        (0.25, "0,25", "1 von 4", "0,25"),
        (0.001, "0,001", f"1 von 1{NARROW}000", "0,0010"),
        (0.0003, "0,0003", f"3 von 10{NARROW}000", "0,00030"),
        (1.0, "1", "Gewissheit", "1,00"),
    ],
)
def test_german_numbers_have_a_decimal_comma_and_narrow_spaces_between_thousands(
    value: float, number: str, chance: str, limit: str
) -> None:
    with speaking("de"), counting("epsilon"):
        assert (figures.number(value), figures.chance(value), figures.format_max(value)) == (number, chance, limit)
        assert figures.written(1234567.0, "count") == f"1{NARROW}234{NARROW}567"
        assert texts.format_text("window", "empty", {"names": ["A", "B"]}).startswith(
            "Kein Epsilon erfüllt jede Anforderung. Diese widersprechen einander: „A“; „B“"
        )


def test_rounding_is_to_the_same_side_in_every_language() -> None:
    for value in (2.1972, 0.0123456, 12.3456, 1234.5678, 3.5e-7):
        for write in (figures.format_max, figures.format_min, figures.share, figures.share_up):
            with speaking("de"):
                german = write(value)
            assert re.sub(r"\D", "", german) == re.sub(r"\D", "", write(value))


def test_json_does_not_depend_on_the_language() -> None:
    document = {"epsilon": 0.25, "population": 1234567, "tiny": 1e-7}
    with speaking("de"):
        assert json_text.document(document) == json_text.document(document)
        german = json_text.document(document)
    assert german == json_text.document(document)
