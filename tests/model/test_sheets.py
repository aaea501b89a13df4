"""Many tables at once: text of spreadsheets and CSV files as rows, rows as tables, and grids of levels and queries."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwizard.base.csv_text import as_text, rows_of
from dpwizard.base.errors import InvalidInput
from dpwizard.base.fractional import exactly
from dpwizard.base.language import LANGUAGES, speaking
from dpwizard.decision import AddsUpTo, Decision, Part, edits, new_decision, to_json, with_needs_of_tables
from dpwizard.sheets import (
    Layout,
    Mark,
    Query,
    Reading,
    as_written,
    attributes_of,
    column,
    duplicated,
    grid,
    guessed,
    read_tables,
    rolled_forward,
    with_grid,
    with_tables,
)


def read(text: str) -> Reading:
    rows = rows_of(text)
    return read_tables(rows, guessed(rows))


# ------------------------------------------------------------------------------------- text into rows


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("a\tb\nc\td\n", (("a", "b"), ("c", "d"))),
        ("\ufeffa;b\r\nc;d\r\n", (("a", "b"), ("c", "d"))),
        ("sep=;\r\na,1;b\r\n", (("a,1", "b"),)),
        ("sep=,\na;1,b", (("a;1", "b"),)),
        ("a,b\rc,d", (("a", "b"), ("c", "d"))),
        ('"a, b",c\n"d ""e""",f', (("a, b", "c"), ('d "e"', "f"))),
        ('"two\nlines"\tb\nc\td', (("two lines", "b"), ("c", "d"))),
        ("a\tb\n\n\t\nc\t\n", (("a", "b"), ("c", ""))),
        ("a\tb\t\t\nc", (("a", "b"), ("c", ""))),
        ("  a \t\u00a0b\u00a0", (("a", "b"),)),
        ("alone", (("alone",),)),
        ("", ()),
        ("\n\r\n\t\t", ()),
        ("a;0,5\nb;0,25", (("a", "0,5"), ("b", "0,25"))),
        ('5" pipe\tb\n6" pipe\tc', (('5" pipe', "b"), ('6" pipe', "c"))),
        ('"never closed\tb\nc\td', (('"never closed', "b"), ("c", "d"))),
        ('"a"b\tc', (('"a"b', "c"),)),
        ("a\x00b\tc", (("a\x00b", "c"),)),
    ],
)
def test_text_of_a_spreadsheet_is_split_into_its_cells(text: str, rows: Any) -> None:
    assert rows_of(text) == rows


@pytest.mark.slow
@given(st.lists(st.lists(st.text(alphabet='ab"\t;, ', max_size=5), min_size=2, max_size=4), min_size=1, max_size=5))
def test_rows_written_for_a_spreadsheet_are_read_as_they_were(cells: list[list[str]]) -> None:
    width = max(map(len, cells))
    rows = tuple((*(" ".join(each.split()) for each in row), *("",) * (width - len(row))) for row in cells)
    full = tuple((*row, "end") for row in rows)
    assert rows_of(as_text(full), "\t") == full


@pytest.mark.parametrize("text", ["a\n" * 100_001, "\t".join("a" * 300), "a" * 20_000_001, "a\t" + "b" * 140_000])
def test_what_is_too_much_is_refused_in_words(text: str) -> None:
    with pytest.raises(InvalidInput, match="has "):
        rows_of(text)


# ------------------------------------------------------------------------------------- one cell


VALUES: dict[str, Any] = {
    "name": "Births, by district",
    "period": "2024-Q1/2024-Q4",
    "statistic": "sum",
    "mechanism": "discrete_gaussian",
    "share": "53/513",
    "rho": 1 / 3,
    "epsilon": 1e-7,
    "sensitivity": 123_456.789,
    "dimension": 1_000,
    "reads": ("age, in years",),
    "effects": (("age", 0.1), ("income", 2.0)),
    "disjoint_with": ("State, age", "State, sex"),
    "moves": False,
    "adds_up_to": (AddsUpTo(part="State: age", children=5), AddsUpTo(part="Sex", children=(2, 13))),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", Part.model_fields)
def test_every_field_of_a_table_is_a_column_that_reads_what_it_writes(name: str, language: str) -> None:
    each = column(name)
    with speaking(language):
        assert each.label
        value = VALUES.get(name, 3 if each.numeric else "some text")
        for tried in (value, each.default):
            assert each.checked(each.read(each.written(tried))) == tried


@given(st.floats(min_value=1e-300, max_value=1e299), st.sampled_from(LANGUAGES))
def test_a_number_comes_back_to_its_last_digit(number: float, language: str) -> None:
    with speaking(language):
        said = column("sensitivity").written(number)
        assert column("sensitivity").read(said, "," if language == "de" else ".") == number


@pytest.mark.slow
@given(st.lists(st.text(alphabet="ab ,*", min_size=1).map(str.strip).filter(bool), max_size=3, unique=True))
def test_names_of_attributes_come_back(names: list[str]) -> None:
    plain = tuple(dict.fromkeys(" ".join(name.split()) for name in names))
    assert column("reads").read(column("reads").written(plain)) == plain


def test_fields_are_known_by_their_words_in_every_language() -> None:
    said = {"geometric": "geometric", "geometrisch": "geometric", "Gauß": "gaussian", "Gaussian": "gaussian"}
    said |= {
        "discrete Gaussian": "discrete_gaussian",
        "Laplace": "laplace",
        "no noise": "exact",
        "kein Rauschen": "exact",
    }
    assert {words: column("mechanism").read(words) for words in said} == said
    assert [column("moves").read(words) for words in ("yes", "Nein", "true")] == [True, False, True]
    assert column("statistic").read("Anzahl") == "count"
    assert column("reads").read("keine") == ()
    for unclear in ("a", "mechanism", "g"):
        with pytest.raises(InvalidInput, match="must be one of Geometric"):
            column("mechanism").read(unclear)


@pytest.mark.parametrize(
    ("text", "mark", "value"),
    [
        ("0,5", ".", 0.5),
        ("0.5", ",", 0.5),
        ("53/513", ".", "53/513"),
        ("53 ⁄ 513", ".", "53/513"),
        ("50 %", ".", 0.5),
        ("12,5 %", ",", 0.125),
        ("0.1%", ".", 0.001),
        ("0", "either", 0.0),
    ],
)
def test_shares_are_read_as_people_write_them(text: str, mark: Mark, value: Any) -> None:
    assert column("share").read(text, mark) == value


@pytest.mark.parametrize(
    "text", ["01. Feb", "#DIV/0!", "-1", "1/0", "1/-2", "-5 %", "1e999", "1/2/3", "NaN", "٣", "1" * 500]
)
def test_what_is_no_share_is_refused_in_words(text: str) -> None:
    with pytest.raises(InvalidInput, match="must be"):
        column("share").read(text, "either")


def test_a_whole_number_that_may_be_a_thousand_is_never_taken_for_one() -> None:
    assert [column("dimension").read("1,000", "."), column("dimension").read("1.000", ",")] == [1_000, 1_000]
    doubtful: tuple[tuple[str, Mark], ...] = (("1,000", "either"), ("1.000", "either"), ("1,000", ","), ("1.000", "."))
    for text, mark in doubtful:
        with pytest.raises(InvalidInput, match="can mean two numbers: 1 or 1000"):
            column("dimension").read(text, mark)


# ------------------------------------------------------------------------------------- rows into tables


def test_headings_in_english_and_german_and_names_of_fields_say_what_goes_where() -> None:
    for heading in (
        "Name\tShare of epsilon\tSensitivity\tNumbers published\tLevel",
        "name\tshare\tsensitivity\tdimension\tlevel",
        "TABLE\tShare of rho\tSensitivity (L2)\tCells\tGeography",
        "Tabelle\tAnteil\tSensitivität\tZellen\tEbene",
    ):
        layout = guessed(rows_of(f"{heading}\nBirths\t0.5\t1\t10\tstate"))
        assert (layout.headed, layout.names) == (True, ("name", "share", "sensitivity", "dimension", "level"))


def test_a_german_spreadsheet_is_understood_in_english_and_the_other_way_round() -> None:
    found = read("Tabelle;Anteil;Zahlen;Rauschen\r\nGeburten;0,5;1.000;geometrisch\r\nTode;25 %;12;Gauß\r\n")
    assert not found.problems
    assert found.tables == (
        {"name": "Geburten", "share": 0.5, "dimension": 1_000, "mechanism": "geometric"},
        {"name": "Tode", "share": 0.25, "dimension": 12, "mechanism": "gaussian"},
    )
    with speaking("de"):
        assert read("Name,Share\nBirths,0.5\nDeaths,0.25").tables[0]["share"] == 0.5


def test_a_number_that_could_mean_two_is_asked_about_until_the_decimal_sign_is_chosen() -> None:
    rows = rows_of("Name\tSensitivity\nBirths\t1.000\nDeaths\t2.500")
    layout = guessed(rows)
    assert layout.mark == "either"
    assert [problem.row for problem in read_tables(rows, layout).problems] == [1, 2]
    for mark, value in ((".", 1.0), (",", 1_000.0)):
        chosen = Layout(headed=True, names=layout.names, mark=mark)
        assert read_tables(rows, chosen).tables[0]["sensitivity"] == value


def test_each_cell_that_cannot_be_read_says_where_it_stands_and_what_is_allowed() -> None:
    found = read("Name\tShare\tSensitivity\nBirths\tabc\t1\nBirths\t2\t-1\nMoves\t\t")
    said = {(problem.row, problem.column): problem.words for problem in found.problems}
    assert set(said) == {(1, 0), (1, 1), (2, 0), (2, 1), (2, 2)}
    assert said[1, 1] == (
        'Row 2, column “Share of epsilon”: must be a number of at least 0, or a fraction such as "53/513"; '
        'found "abc". Enter a value in that range.'
    )
    assert "must be greater than 0; found -1" in said[2, 2]
    assert "at most 1" in said[2, 1]
    assert found.tables == ({"name": "Births", "sensitivity": 1.0}, {"name": "Births"}, {"name": "Moves"})
    with speaking("de"):
        assert found.problems[0].words.startswith("Zeile 2, Spalte „Anteil")


def test_tables_are_added_behind_those_there_are_or_take_their_place() -> None:
    before = edits.put(new_decision(), "$.release.parts", ({"name": "Births", "share": 0.5},))
    found = read("Name\tShare\nDeaths\t1/4\nMoves\t1/4").tables
    assert [part.name for part in with_tables(before, found).release.parts] == ["Births", "Deaths", "Moves"]
    assert [part.share for part in with_tables(before, found, instead=True).release.parts] == ["1/4", "1/4"]
    with pytest.raises(InvalidInput, match="given twice"):
        with_tables(before, read("Name\tShare\nBirths\t1/4").tables)


# ------------------------------------------------------------------------------------- a grid


def test_a_grid_has_the_exact_product_of_the_shares_and_no_table_of_none() -> None:
    queries = (
        Query(name="age * sex", shares=("1/3", 0.0), reads=("age", "sex")),
        Query(name="total", shares=("2/3", 0.5)),
    )
    made = grid((("County", 0.6), ("State", "2/5")), queries)
    assert made == (
        {"name": "County, age * sex", "level": "County", "share": 0.2, "reads": ("age", "sex")},
        {"name": "County, total", "level": "County", "share": 0.4},
        {"name": "State, total", "level": "State", "share": 0.2},
    )
    decision = with_grid(new_decision(), ("County", "State"), made, instead=False)
    assert decision.release.levels == ("County", "State")
    assert float(decision.release.share_total()) == 0.8


@given(st.fractions(min_value=0, max_denominator=10**9))
def test_a_share_is_written_as_it_is(exact: Fraction) -> None:
    assert exactly(as_written(exact)) == exact


@pytest.mark.parametrize(
    ("levels", "queries", "says"),
    [
        ((), (Query(name="a", shares=()),), "is missing"),
        ((("A", 1.0),), (), "is missing"),
        ((("A", 1.0),), (Query(name=" ", shares=(1.0,)),), "is missing"),
        ((("A", 0.5), ("A", 0.5)), (Query(name="a", shares=(1.0, 1.0)),), "given twice"),
        ((("A", 0.7), ("B", 0.7)), (Query(name="a", shares=(1.0, 1.0)),), "more than 1"),
        ((("A", 1.0),), (Query(name="a", shares=("2/3",)), Query(name="b", shares=("2/3",))), "more than 1"),
        ((("A", 1.0),), (Query(name="a", shares=()),), "must have 1 shares"),
        ((("A", 1.0),), (Query(name="a", shares=(-1.0,)),), "at least 0"),
        ((("A", "1/0"),), (Query(name="a", shares=(1.0,)),), "fraction"),
    ],
)
def test_a_grid_that_cannot_be_is_refused_in_words(levels: Any, queries: Any, says: str) -> None:
    with pytest.raises(InvalidInput, match=says):
        grid(levels, queries)


# ------------------------------------------------------------------------------------- many cells, many rows


def three() -> Decision:
    parts = (
        {"name": "Births", "share": 0.5, "group": "years"},
        {"name": "Deaths", "share": 0.25, "disjoint_with": ["Births"]},
        {"name": "Moves", "share": 0.25, "group": "years"},
    )
    made = edits.put(new_decision(), "$.release.parts", parts)
    made = edits.put(made, "$.requirements", ({"kind": "rmse", "part": "Births"},))
    return edits.put(made, "$.withheld", ("$.release.parts[1].name", "$.release.parts[2]"))


def test_many_cells_are_put_at_once_and_names_are_followed_even_where_they_are_exchanged() -> None:
    made = edits.put_cells(three(), {(0, "name"): "Deaths", (1, "name"): "Births", (1, "share"): "1/8"})
    assert [(part.name, part.share) for part in made.release.parts[:2]] == [("Deaths", 0.5), ("Births", "1/8")]
    assert made.release.parts[1].disjoint_with == ("Deaths",)
    assert made.requirements[0].part == "Deaths"
    with pytest.raises(InvalidInput, match=r"parts\[1\].sensitivity: must be greater than 0"):
        edits.put_cells(three(), {(0, "share"): 0.25, (1, "sensitivity"): -1.0})
    with pytest.raises(InvalidInput, match="is needed"):
        edits.put_cells(three(), {(0, "name"): None})


def test_a_copy_of_a_table_claims_no_share_and_nobody_of_its_own() -> None:
    made = duplicated(three(), (0, 1))
    assert [part.name for part in made.release.parts] == ["Births", "Deaths", "Births (2)", "Deaths (2)", "Moves"]
    copies = made.release.parts[2:4]
    assert [(part.share, part.group, part.disjoint_with) for part in copies] == [(None, None, ())] * 2
    assert set(made.withheld) == {"$.release.parts[1].name", "$.release.parts[3].name", "$.release.parts[4]"}
    assert duplicated(made, (0,)).release.parts[1].name == "Births (3)"


def test_a_query_that_does_not_name_what_it_reads_may_read_anything() -> None:
    found = attributes_of(("total", "age", "age * sex", "detailed", "sex × age × race", ""))
    assert found == (None, ("age",), ("age", "sex"), None, ("sex", "age", "race"), None)


def test_tables_roll_forward_a_year_with_their_needs_and_totals_and_only_once() -> None:
    decision = edits.put(
        new_decision(),
        "$.release.parts",
        [
            {"name": "A", "year": "2025", "group": "G 2025", "moves": False, "share": 0.5},
            {"name": "B 2025", "period": "2025-Q4/2026-Q3", "adds_up_to": [{"part": "all 2025", "children": 2}]},
            {"name": "C", "level": "x"},
        ],
    )
    decision = edits.put(decision, "$.release.totals", [{"name": "all 2025"}])
    needs = [{"part": "A"}, {"where": {"period": "2025-Q4/2026-Q3"}}, {"where": {"level": "x"}}]
    decision = edits.put(decision, "$.requirements", [{"kind": "noise_interval", **one} for one in needs])
    later = rolled_forward(decision)
    first, second = later.release.parts[3:]
    assert (first.name, first.year, first.group, first.moves, first.share) == ("A 2026", "2026", "G 2026", False, None)
    assert (second.name, second.period) == ("B 2026", "2026-Q4/2027-Q3")
    assert second.adds_up_to == (AddsUpTo(part="all 2026", children=2),)
    assert [total.name for total in later.release.totals] == ["all 2025", "all 2026"]
    assert [edits.get(later, f"$.requirements[{at}].{name}") for at, name in ((3, "part"), (4, "where.period"))] == [
        "A 2026",
        "2026-Q4/2027-Q3",
    ]
    assert len(later.requirements) == 5
    again = rolled_forward(later)
    assert [part.name for part in again.release.parts[5:]] == ["A 2027", "B 2027"]
    with pytest.raises(InvalidInput, match="no table can be repeated a year later"):
        rolled_forward(edits.put(decision, "$.release.parts", decision.release.parts[2:]))


def test_a_file_of_tables_asks_once_for_all_that_ask_alike_also_a_year_later() -> None:
    rows = "a 2025,n,k,50,95\nb 2025,d,k,10,95\nc 2025,d,m,12,95\nd 2025,,,10,95\ne 2025,n,k,50,95\nf 2025,d,m,,"
    text = "name,level,reads,within,IN 100,year\n" + rows.replace("\n", ",2025\n") + ",2025"
    names = {at + 1: str(row["name"]) for at, row in enumerate(read(text).tables)}
    made = with_needs_of_tables(with_tables(new_decision(), read(text).tables), rows_of(text), names)
    asked = [(one["where"], one["half_width"]) for one in to_json(made)["requirements"]]
    of_level = [({"level": "n"}, 50), ({"level": "d", "reads": ["k"]}, 10)]
    assert asked == [*of_level, ({"parts": ["d 2025"]}, 10), ({"parts": ["c 2025"]}, 12)]
    later = [one["where"] for one in to_json(rolled_forward(made))["requirements"][4:]]
    assert later == [{"parts": ["d 2026"]}, {"parts": ["c 2026"]}]
