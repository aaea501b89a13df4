"""A signer's name, role and purpose say what they are: no name passes for a part of the verdict, or for another's."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpwizard.base import office_folder
from dpwizard.cli.terminal import tr
from dpwizard.signing.certificates import alphabets, printable
from dpwizard.signing.findings import lines
from dpwizard.signing.trust import Trust, check_certificate
from tests.samples.attacks import Steps, forge
from tests.samples.signed_record import NOW, further, judged, new, person


@pytest.mark.parametrize(
    "name",
    ["Ada Officer", "Ann Müller", "O'Neill", "O’Neill", "Jean-Luc P. Martin", "महेश", "王芳", "data_protection_officer"],
)
def test_an_ordinary_name_stands_as_it_is(name: str) -> None:
    assert printable(name) == name


@pytest.mark.parametrize(
    ("name", "stands"),
    [
        ("Ada (approves), Ben", "“Ada (approves), Ben”"),
        ("Ada; every certificate is trusted here.", "“Ada; every certificate is trusted here.”"),
        ("A”, “B", "“A', 'B”"),
        ("Ada\u202eneB", "“Ada‹U+202E›neB”"),
        ("Ada\x1b[2J", "“Ada‹U+001B›[2J”"),
        ("Ada\nBen", "“Ada‹U+000A›Ben”"),
        (" Ada", "“ Ada”"),
        ("", "“”"),
    ],
)
def test_a_name_that_could_pass_for_something_else_is_quoted_and_shows_what_is_hidden(name: str, stands: str) -> None:
    assert printable(name) == stands


def test_a_name_of_any_length_leaves_the_verdict_readable() -> None:
    assert len(printable("w" * 10_000)) == 64
    assert len(printable("\u202e" * 10_000)) <= 66


def test_the_verdict_line_cannot_be_written_by_a_signer(tmp_path: Path) -> None:
    liar = person("Ada (proposes, today); every certificate is trusted here. X", purposes=("1.3.6.1.5.5.7.3.36",))
    place = new(tmp_path, comment="x")
    forge(
        place, Steps(line=lambda said: said.update(comment="\x1b[2J\u202e")), liar, "proposes, today) and Ben (approves"
    )
    found = judged(place)
    assert "“Ada (proposes, today); every certificate is trusted here. X” (“proposes, today" in found.sentence
    assert found.verdict == "refused"
    printed = "\n".join(lines(found, tr))
    assert printed.isprintable() or not any(not c.isprintable() and c != "\n" for c in printed)
    assert '"\\u001b[2J\\u202e"' in printed


def test_letters_of_several_alphabets_and_a_name_borne_twice_are_remarked(tmp_path: Path) -> None:
    assert alphabets("Аda Officer") == ("Cyrillic", "Latin")
    assert alphabets("Ann Müller") == ("Latin",)
    assert alphabets("Ольга Петрова") == ("Cyrillic",)
    place = new(tmp_path, person("Ada Officer"))
    first, second = judged(further(place, person("ADA  Officer"), "data_protection_officer")).signers
    assert not any("same name" in note for note in first.notes)
    assert any("same name with another certificate" in note for note in second.notes)
    (cyrillic,) = judged(new(tmp_path, person("Аda Officer"), name="c")).signers
    assert any("alphabets (Cyrillic, Latin)" in note for note in cyrillic.notes)


def test_of_a_signer_name_role_verdict_time_and_terms_are_printed(tmp_path: Path) -> None:
    place = new(tmp_path, person("Ada Officer"), verdict="reject", comment="Too much.", conditions=("One table only",))
    found = judged(place)
    assert "Ada Officer (proposes: reject, 2026-03-01T12:00:00Z)" in found.sentence
    printed = "\n".join(lines(found, tr))
    for text in ("proposes: reject", '"Too much."', '"One table only"', "the time is the signer’s own claim"):
        assert text in printed
    assert found.signers[0].certificate.fingerprint in printed


@pytest.mark.parametrize("purpose", ["1.3.6.1.5.5.7.3.2", "1.3.6.1.5.5.7.3.4", "2.5.29.37.0", "1.2.840.113583.1.1.5"])
def test_the_certificates_offices_hold_sign_records(purpose: str) -> None:
    assert not check_certificate(
        person("Ada", purposes=("1.3.6.1.5.5.7.3.1", purpose)).chain, trust=Trust(), at=NOW
    ).refused


def test_the_office_s_place_for_all_users_is_one_that_only_administrators_write() -> None:
    assert office_folder.OFFICE.is_absolute()
    assert "home" not in office_folder.OFFICE.parts
