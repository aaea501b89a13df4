"""What an office sets, as the window takes it: language, paper, folder of records, letterhead; and a broken file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from dpwizard.base import office_folder
from tests.samples.pictures import picture
from tests.ui import signing_hands
from tests.ui.choosers import choose_file
from tests.ui.hands import Hands

pytestmark = pytest.mark.slow

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
    dialog = signing_hands.begin(hands)
    assert Path(hands.page.sign_form.places.record).parent == records
    assert "speichert Ihre Stelle ihre Protokolle" in dialog.read.where.words
    signing_hands.close(hands, dialog)
    window.menus.actions["language_en"].trigger()
    assert window.language.language == "en"
    window.about()
    said = window.about_dialog.office.text()
    assert "Set by County of Durham" in said
    assert "language Deutsch, paper of new decisions US Letter" in said
    records.rmdir()
    dialog = signing_hands.begin(hands)
    assert Path(hands.page.sign_form.places.record).parent != records
    assert "does not exist" in dialog.read.where.words
    signing_hands.close(hands, dialog)
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


def test_a_letterhead_is_taken_from_the_office_changed_and_removed(
    make_hands: Callable[..., Hands], office: Callable[[str], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    office(f'{HEAD}[letterhead]\nname = "County of Durham"\nlogo = "logo.png"\n')
    (tmp_path / "etc" / "logo.png").write_bytes(picture(40, 10))
    hands = make_hands("durham").go("review")
    card = hands.page.blocks["letterhead"]
    assert card.head.state.text() == "no letterhead"
    hands.click(card.head)
    form = hands.page.letterhead
    hands.click(form.office_button)
    assert hands.session.decision.letterhead.name == "County of Durham"
    assert form.logo.accessibleName() == "Logo of County of Durham"
    assert not form.logo.pixmap().isNull()
    assert form.office_button.isHidden()
    assert card.head.state.text() == "County of Durham"
    hands.fill("$.letterhead.lines", "12 Main Street, Durham")
    assert hands.session.decision.letterhead.lines == ("12 Main Street, Durham",)
    drawing = tmp_path / "drawing.png"
    drawing.write_text("<svg/>", "utf-8")
    choose_file(hands, form.logo_button, drawing)
    assert form.says.words.startswith("drawing.png: is not a PNG picture")
    other = tmp_path / "other.png"
    other.write_bytes(picture(10, 40))
    choose_file(hands, form.logo_button, other)
    assert hands.session.decision.letterhead.shape == 0.25
    assert form.says.isHidden()
    hands.click(form.no_logo_button)
    assert hands.session.decision.letterhead.logo is None
    assert form.logo.isHidden()
    hands.click(form.remove_button)
    assert hands.session.decision.letterhead is None
    hands.click(form.write_button)
    assert hands.session.decision.letterhead.name == hands.session.decision.details.controller
    hands.window.undo()
    hands.window.undo()
    assert hands.session.decision.letterhead.lines == ("12 Main Street, Durham",)
