"""The noise sheet, for users of the figures: the noise of each table, and how to calculate with it.

It includes only content of the public version of a record, and short code in Python and R that simulates the noise. The
noise of each figure is known and independent; other processing of the figures is listed.
"""

from __future__ import annotations

from collections.abc import Iterator

from dpwizard.base.errors import InvalidInput
from dpwizard.privacy.mechanisms import noise_named
from dpwizard.records import Record, drawn
from dpwizard.report.blocks import Block, Cover, Heading, Items, Paragraph, Table, html
from dpwizard.report.content import Content, content
from dpwizard.report.page_one import width
from dpwizard.wording import figures

SUMMED = (2, 10, 100)  # figures in a sum
MOST_NAMED = 8  # tables with the same noise that are named

PYTHON = """import numpy as np

rng = np.random.default_rng()

{functions}
# How far off is the sum of 10 figures with the first noise, in 95 of 100 cases?
sums = noise_1(10 * 100_000).reshape(-1, 10).sum(axis=1)
print(np.quantile(np.abs(sums), 0.95))
"""
PYTHON_NOISE = """def noise_{number}(n):
    return {expression}

"""
R = """{functions}
# How far off is the sum of 10 figures with the first noise, in 95 of 100 cases?
sums <- rowSums(matrix(noise_1(10 * 100000), ncol = 10))
print(quantile(abs(sums), 0.95))
"""
R_NOISE = """noise_{number} <- function(n) {expression}
"""


def noise_sheet(record: Record) -> str:
    """Return the noise sheet of RECORD, which may be a public version, as a self-contained web page without scripts.

    Raises InvalidInput if there is no noise.
    """
    report = content(record)
    noises = record.drawn.added
    with report.spoken():
        if not noises:
            hint = "Choose a budget and a type of noise. A public version that leaves them out cannot have this either."
            raise InvalidInput("there is no noise to describe", "$.epsilon", hint)
        return html(tuple(_blocks(report, noises)), title=report.title, language=report.words.language)


def code(noises: tuple[drawn.AddedNoise, ...]) -> tuple[str, str]:
    """Return code in Python and R to simulate NOISES: a function for each, and an example."""
    written = [noise_named(noise.mechanism).simulation.written(noise.scale, noise.step) for noise in noises]
    python = "\n".join(PYTHON_NOISE.format(number=i, expression=each[0]) for i, each in enumerate(written, start=1))
    r = "".join(R_NOISE.format(number=i, expression=each[1]) for i, each in enumerate(written, start=1))
    return PYTHON.format(functions=python), R.format(functions=r)


def _blocks(report: Content, noises: tuple[drawn.AddedNoise, ...]) -> Iterator[Block]:
    words = report.words
    line = words("noise_sheet", "made_from", name=report.name)
    yield Cover(document=words("noise_sheet", "document"), right="", title=report.title, line=line)
    yield Paragraph(text=words("noise_sheet", "about"))
    yield Heading(text=words("noise_sheet", "noise"))
    yield Table(
        columns=words.each("noise_sheet", "number", "tables", "kind", "sd", "within_90", "within_95", "exact"),
        rows=tuple(_row(i, noise, report) for i, noise in enumerate(noises, start=1)),
        widths=(0.5, 2.2, 1.4, 1.0, 1.0, 1.0, 0.9),
        numbers=(3, 4, 5, 6),
    )
    yield Paragraph(text=words("noise_sheet", "noise_note"), style="quiet")
    yield Heading(text=words("noise_sheet", "together"))
    yield Items(items=words.each("noise_sheet", "sums", "differences", "means", "shares"))
    columns = (words("noise_sheet", "number"), *(words("noise_sheet", "sd_of_sum", count=m) for m in SUMMED))
    rows = tuple(
        (str(i), *(figures.format_min(noise.sd * m**0.5) for m in SUMMED)) for i, noise in enumerate(noises, start=1)
    )
    yield Table(columns=columns, rows=rows, numbers=(1, 2, 3))
    yield Heading(text=words("noise_sheet", "besides"))
    yield Items(items=tuple(_other_facts(report)))
    for text, language in zip(code(noises), ("Python", "R"), strict=True):
        yield Heading(text=words("noise_sheet", "simulate", language=language))
        yield Paragraph(text=text, style="code")


def _row(number: int, noise: drawn.AddedNoise, report: Content) -> tuple[str, ...]:
    words = report.words
    names = [name or words("release", "whole") for name in noise.tables]
    named = "; ".join(names[:MOST_NAMED])
    if len(names) > MOST_NAMED:
        named = words("noise_sheet", "and_more", names=named, count=figures.whole(len(names) - MOST_NAMED))
    return (
        str(number),
        named,
        words.of_model("mechanism", noise.mechanism),
        figures.format_min(noise.sd),
        *(f"± {width(half)}" for half in (noise.within_90, noise.within_95)),
        figures.share(noise.exact) if noise.exact else "–",
    )


def _other_facts(report: Content) -> Iterator[str]:
    """Yield other facts about the figures: their processing, exact ones, and other errors."""
    words, release = report.words, report.decision.release
    for kind in release.processing:
        yield words("noise_sheet", f"after_{kind}")
    if release.repetitions > 1:
        yield words("noise_sheet", "repeated", count=figures.whole(release.repetitions))
    if exact := [name for name, _ in release.exact if name]:
        yield words("noise_sheet", "exact_figures", names="; ".join(exact))
    yield words("noise_sheet", "not_all")
