"""What the typeface can show: widths and coverage as the font's own tables say, and honest stand-ins for the rest."""

from __future__ import annotations

import pytest
import typst
from hypothesis import given
from hypothesis import strategies as st

from dpwizard.base.resource_files import resource
from dpwizard.charts import glyphs


def test_control_and_invisible_characters_become_visible() -> None:
    assert glyphs.visible("a\x00b\x1b[1m") == "a‹U+0000›b‹U+001B›[1m"
    assert glyphs.visible("x\u202ey\u200b\ufeff") == "x‹U+202E›y‹U+200B U+FEFF›"
    assert glyphs.visible("\ud800") == "‹U+D800›"
    assert glyphs.visible("a\r\nb\rc\u2028d\te") == "a\nb\nc\nd    e"


def test_what_the_fonts_lack_is_named_and_what_they_have_is_kept() -> None:
    assert glyphs.printable("漢字 ε₀ ≤ Ж ש") == "‹U+6F22 U+5B57› ε₀ ≤ Ж ש"
    assert glyphs.printable("ש", everything=False) == "‹U+05E9›"


@given(st.text(max_size=200))
def test_seeing_to_a_text_twice_changes_nothing(typed: str) -> None:
    once = glyphs.printable(typed)
    assert glyphs.printable(once) == once
    assert glyphs.BREAK not in once


@given(st.text(alphabet="ab c\n", max_size=300))
def test_breaking_long_words_loses_nothing(typed: str) -> None:
    broken = glyphs.breakable(typed)
    assert broken.replace(glyphs.BREAK, "") == typed
    pieces = [piece for piece in broken.split(glyphs.BREAK) if piece]
    assert all(len(word) < 24 for piece in pieces for word in piece.split())


def test_widths_are_those_the_typesetter_measures() -> None:
    said = "sets the limit: prior 1 in 10, 2.19722"
    source = (
        '#set text(font: "Inter", size: 10pt, kerning: false, features: (calt: 0))\n#context '
        f'[#metadata(measure("{said}").width.pt()) <w>]'
    )
    folder = resource("fonts")
    fonts = typst.Fonts(include_system_fonts=False, font_paths=[str(folder)])
    found = typst.Compiler(source.encode(), root=str(folder), font_paths=fonts, ignore_system_fonts=True).query(
        "<w>", field="value", one=True
    )
    assert glyphs.width(said, 10.0) == pytest.approx(float(found), rel=0.01)


def test_the_typesetter_shows_every_character_that_is_kept() -> None:
    kept = "".join(chr(code) for low, high in glyphs.FALLBACK for code in range(low, high + 1))
    kept = "".join(char for char in kept if glyphs.printable(char) == char)
    assert len(kept) > 400
    source = (
        '#set document(title: "T")\n#set text(font: ("Inter", "Libertinus Serif", "DejaVu Sans Mono"), lang: '
        '"en")\n#text(sys.inputs.s)'
    )
    fonts = typst.Fonts(include_system_fonts=False, font_paths=[str(resource("fonts"))])
    compiler = typst.Compiler(source.encode(), root=str(resource("fonts")), font_paths=fonts, ignore_system_fonts=True)
    assert compiler.compile(format="pdf", sys_inputs={"s": " ".join(kept)}, pdf_standards=["a-3a", "ua-1"], timestamp=0)
