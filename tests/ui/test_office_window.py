"""What an office sets, as the window takes it: language, paper, folder of records; what it says of a broken file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from dpwizard import office_folder
from tests.ui.hands import Hands

HEAD = 'format = "dpwizard.office/1"\nname = "County of Durham"\n'


@pytest.fixture
def office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return what places settings in the folder of the office."""
    folder = tmp_path / "etc"
    folder.mkdir()
    monkeypatch.setattr(office_folder, "OFFICE", folder)

    def place(text: str) -> None:
        (folder / "office.toml").write_text(text, "utf-8")

    return place


def test_an_office_sets_language_paper_and_folder_and_an_officer_s_own_choice_wins(
    make_hands: Callable[..., Hands], office: Callable[[str], None], tmp_path: Path
) -> None:
    records = tmp_path / "records"
    records.mkdir()
    office(f'{HEAD}language = "de"\npaper = "us-letter"\nrecords = {json.dumps(str(records))}\n')
    hands = make_hands()
    window = hands.window
    assert window.start.new_button.text() == "Neue Entscheidung"
    assert window.menus.actions["language_office"].isChecked()
    hands.click(window.start.new_button)
    assert (hands.session.decision.language, hands.session.decision.paper) == ("de", "us-letter")
    assert not hands.session.unsaved
    hands.go("review")
    form = hands.page.sign_form
    assert Path(form.target.placeholderText()).parent == records
    assert "hält Ihre Stelle ihre Protokolle" in form.target_note.words
    window.menus.actions["language_en"].trigger()
    assert window.language.language == "en"
    window.about()
    said = window.about_dialog.office.text()
    assert "Set by County of Durham" in said
    assert "language Deutsch, paper of new decisions US Letter" in said
    records.rmdir()
    form = hands.page.sign_form
    form.refresh()
    assert Path(form.target.placeholderText()).parent != records
    assert "is not there" in form.target_note.words
    window.menus.actions["language_office"].trigger()
    assert window.language.language == "de"
    window.menus.actions["language_system"].trigger()
    assert window.language.language == "en"


def test_what_an_office_broke_is_said_at_the_start_and_nothing_stops(
    make_hands: Callable[..., Hands], office: Callable[[str], None]
) -> None:
    office(f'{HEAD}paper = "A5"')
    hands = make_hands()
    assert not hands.window.notice.isHidden()
    assert 'must be "a4" or "us-letter"' in hands.window.notice.says.text()
    assert "language_office" not in hands.window.menus.actions
    hands.click(hands.window.start.new_button)
    assert hands.session.decision.paper is None
    assert hands.window.notice.isHidden()
