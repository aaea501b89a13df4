"""The answers about the release as sentences, and as the shape of the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dpwizard.decision import Decision, Division, derived_fields
from dpwizard.wording import plain_sentences, plain_words, whole, word
from ui.questions.blanks import number_text
from ui.questions.linked_sentences import LinkedClause
from ui.questions.table_shape import MOST_ROWS, Shape, fitting
from ui.widgets import tr

MOST_COLUMNS = 3  # beside the totals


def clauses(decision: Decision, refused: Mapping[int, str]) -> tuple[LinkedClause, ...]:
    """Return the answers of DECISION in sentences; REFUSED: typed numbers of groups that are not used."""
    return tuple(_clauses(decision, refused))


def _clauses(decision: Decision, refused: Mapping[int, str]) -> Iterator[LinkedClause]:
    release = decision.release
    one = plain_sentences.person(decision.release)
    yield LinkedClause("each_number", tr("You publish **{numbers}**", numbers=numbers(decision)))
    if release.reveals:
        words = {"people": plain_words.plural(one), "reveal": plain_words.plural_verb(release.reveals)}
        counts_people = derived_fields.each_number(decision) == "people"
        who = tr(" of {people} who {reveal}", **words) if counts_people else tr(" over {people} who {reveal}", **words)
        yield LinkedClause("who", who)
    if release.divisions:
        names = [_division(at, division, refused) for at, division in enumerate(release.divisions)]
        listed = tr(" and ").join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
        yield LinkedClause("divisions", tr(", by {divisions}", divisions=listed), bool(refused))
    if "how_often" in derived_fields.open_questions(decision):
        yield LinkedClause("how_often", tr(". **How often** is still to be answered."))
    else:
        yield LinkedClause("how_often", tr(", **{often}**.", often=_often(decision)))
    yield LinkedClause("counted", f" {_counted(decision, one)}")
    yield LinkedClause("public", f" {_public(decision, plain_words.plural(one))}")


def numbers(decision: Decision) -> str:
    """Return how many numbers are published, and what they are: "27 counts"."""
    tables = decision.release.tables
    counts = _counted_numbers(sum(table.dimension for table in tables), derived_fields.each_number(decision))
    return counts if len(tables) == 1 else tr("{said} in {count} tables", said=counts, count=whole(len(tables)))


def _counted_numbers(count: int, kind: str | None) -> str:
    if kind == "people":
        return tr("{count} count", "{count} counts", n=count, count=whole(count))
    if kind == "sum":
        return tr("{count} sum", "{count} sums", n=count, count=whole(count))
    if kind == "average":
        return tr("{count} average", "{count} averages", n=count, count=whole(count))
    return tr("{count} number", "{count} numbers", n=count, count=whole(count))


def _division(at: int, division: Division, refused: Mapping[int, str]) -> str:
    name = division.name or "…"
    return f"**{name} ({refused[at]}?)**" if at in refused else name


def _often(decision: Decision) -> str:
    release = decision.release
    if release.how_often in derived_fields.REPEATED:
        text = tr("every year") if release.how_often == "every_year" else tr("more than once")
        count = release.repetitions
        many = tr("{count} times in all", count=whole(count)) if count > 1 else tr("how many times is open")
        return f"{text}, {many}"
    return tr("once") if release.repetitions == 1 else tr("{count} times in all", count=whole(release.repetitions))


def _counted(decision: Decision, one: str) -> str:
    release, most = decision.release, derived_fields.most_counts(decision)
    if len(release.tables) > 1:
        return tr("The most that one {person} can change each table is in its row below.", person=one)
    if most is None and release.sensitivity is None:
        if release.dimension == 1:
            return tr("**How often** one {person} can be counted in it is still to be answered.", person=one)
        return tr("**In how many** of them one {person} can be counted is still to be answered.", person=one)
    most = release.contributions if most is None else most
    kind = derived_fields.each_number(decision)
    if kind == "people":
        if most == 1:
            return tr("One {person} is in **one count at most** and adds 1 to it.", person=one)
        return tr("One {person} is in **up to {most} counts** and adds 1 to each.", person=one, most=whole(most))
    if kind == "sum":
        bounds = {"low": number_text(release.lowest) or "…", "high": number_text(release.highest) or "…"}
        if most == 1:
            return tr("One {person} is in **one sum at most**, with {low} to {high}.", person=one, **bounds)
        return tr(
            "One {person} is in **up to {most} sums**, with {low} to {high} in each.",
            person=one,
            most=whole(most),
            **bounds,
        )
    if release.sensitivity is None:
        return tr("**How much** one {person} can change a number is still to be answered.", person=one)
    return tr(
        "One {person} can change the numbers by **{most}** at most, together.",
        person=one,
        most=number_text(release.sensitivity),
    )


def _public(decision: Decision, people: str) -> str:
    known = derived_fields.public(decision)
    if known == "nothing":
        return tr("**Nothing** else about these {people} is public.", people=people)
    if known == "something":
        return tr("**Something** about these {people} is public already.", people=people)
    return tr("**What else** is public about these {people} is still to be answered.", people=people)


def noise_words(decision: Decision) -> str:
    """Return in words which noise is added, and whether negative numbers become 0."""
    release = decision.release
    if release.noise.absent:
        return tr("No noise will be added.")
    if release.mechanism is None and not release.noise.integer_valued:
        return ""
    unit = word("sum", "count" if derived_fields.each_number(decision) == "people" else "number")
    text = tr("Noise will be added to every {unit}", unit=unit)
    if release.noise.integer_valued:
        text = tr("Noise in whole numbers will be added to every {unit}", unit=unit)
    return tr("{said}; below 0 becomes 0.", said=text) if "clamping" in release.post_processing else f"{text}."


def not_hidden(decision: Decision) -> tuple[str, ...]:
    """Return what noise does not protect, in the officer's words."""
    release = decision.release
    a_group = next((plain_words.with_article(each.name) for each in release.divisions if each.name), None)
    if a_group is not None:
        shown = tr("What the table shows about {a_group} as a whole, and so about everyone in it.", a_group=a_group)
    elif len(release.tables) > 1:
        shown = tr("What the tables show about everyone counted, and so about each of them.")
    else:
        shown = tr("What the number shows about everyone counted, and so about each of them.")
    return (shown, tr("Anything larger than one {person}.", person=plain_sentences.person(release)))


# ------------------------------------------------------------------------------------------ the table


def shape(decision: Decision) -> tuple[Shape, str]:
    """Return the shape of the table that DECISION publishes, and the same in words."""
    release = decision.release
    divisions = tuple(each for each in release.divisions if not each.missing())
    one = plain_sentences.person(decision.release)
    kind = derived_fields.each_number(decision)
    if kind == "sum":
        most = number_text(release.highest)
        marked = tr("up to +{most}", most=most) if most else tr("one {person}", person=one)
    elif kind == "people":
        marked = tr("one {person}: +1", person=one)
    else:
        marked = tr("one {person}", person=one)
    marks = derived_fields.most_counts(decision) or 1
    if divisions:
        drawn = _of_divisions(decision, divisions, marked, marks)
    else:
        drawn = Shape(rows=("",), columns=("",), cell=_cell(decision), marked=marked)
    text = tr("The shape of the table: {numbers}.", numbers=numbers(decision))
    listed = [tr("{count} × {division}", count=whole(each.parts or 1), division=each.name) for each in divisions]
    return drawn, " ".join((text, ", ".join(listed))).strip()


def _cell(decision: Decision) -> str:
    return {
        "people": tr("count + noise"),
        "sum": tr("sum + noise"),
        "average": tr("average + noise"),
    }.get(derived_fields.each_number(decision) or "", tr("number + noise"))


def _of_divisions(decision: Decision, divisions: tuple[Division, ...], marked: str, marks: int) -> Shape:
    """Return the shape of a table with rows of the first division and columns of the second."""
    first, *others = divisions
    adds = derived_fields.each_number(decision) in ("people", "sum")
    rows, more = fitting(first.name or "", first.parts or 1, MOST_ROWS)
    if others:
        columns, hidden = fitting(others[0].name or "", others[0].parts or 1, MOST_COLUMNS)
    else:
        columns, hidden = ("",), 0
    further = [each.name or "" for each in others[1:]]
    groups = plain_words.plural(first.name or "")
    below = [tr("{count} more {groups}", count=whole(more), groups=groups)] if more else []
    below += [tr("the same for each {division}", division=name) for name in further[:1]]
    across, down = others[0].parts if others else 1, first.parts or 1
    return Shape(
        rows=rows,
        more_rows="; ".join(below),
        columns=columns,
        more_columns=tr("{count} more", count=whole(hidden)) if hidden else "",
        row_total=tr("{division}’s total", division=first.name) if adds and others else "",
        column_total="" if not adds else tr("{division}’s total", division=others[0].name) if others else tr("total"),
        cell=_cell(decision),
        in_row=_added(decision, across or 1),
        in_column=_added(decision, down),
        in_all=tr("all {count} added", count=whole(decision.release.dimension)),
        marked=marked,
        marks=marks,
    )


def _added(decision: Decision, count: int) -> str:
    if derived_fields.each_number(decision) == "people":
        return tr("{count} count added", "{count} counts added", n=count, count=whole(count))
    return tr("{count} sum added", "{count} sums added", n=count, count=whole(count))
