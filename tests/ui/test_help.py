"""The guide in the program: opened from menus, fields, cards and steps; read, searched and leafed through by
keyboard."""

from __future__ import annotations

import re
from collections import defaultdict

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QKeySequence, QTextDocument
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpwizard.base.language import LANGUAGES, speaking
from dpwizard.decision.requirements import kinds
from tests.ui.hands import Hands
from ui.help import GuideLink, guide
from ui.help.window import HelpWindow
from ui.widgets import theme

pytestmark = [pytest.mark.one_window, pytest.mark.slow]

CONTROL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier


@pytest.fixture
def reader(qtbot: QtBot) -> HelpWindow:
    made = HelpWindow(theme.LIGHT)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(made.isVisible)
    return made


def opened(hands: Hands) -> HelpWindow:
    made = hands.window.guide
    hands.bot.waitUntil(made.isVisible)
    return made


def seen(reader: HelpWindow) -> str:
    """Return the line that was gone to, which must be in sight."""
    assert reader.page.viewport().rect().contains(reader.page.cursorRect().center())
    return reader.page.textCursor().block().text()


# ---------------------------------------------------------------------------------- ways to it


def test_the_menu_opens_the_guide_the_keyboard_and_the_glossary(durham: Hands) -> None:
    for key, page in (("guide", guide.STEPS), ("keyboard", guide.KEYBOARD), ("glossary", guide.GLOSSARY)):
        durham.window.menus.actions[key].trigger()
        assert opened(durham).page.page == page


@pytest.mark.own_window
def test_f1_in_a_field_says_what_the_field_means_and_elsewhere_opens_the_guide_at_the_step(durham: Hands) -> None:
    durham.go("accuracy")
    editor = durham.editor("$.requirements[2].at_most")
    control = editor.controls()[0]
    control.setFocus()
    durham.bot.keyClick(control, Qt.Key.Key_F1)
    assert editor.explanation.isVisible()
    assert durham.window.guide is None
    durham.bot.keyClick(durham.wizard.footer.next_button, Qt.Key.Key_F1)
    assert opened(durham).page.page == guide.STEPS
    assert opened(durham)._heading == "accuracy"


def test_every_step_and_every_card_leads_to_what_the_guide_says_of_it(durham: Hands) -> None:
    for key in durham.wizard.pages:
        durham.go(key)
        links = [link for link in durham.page.findChildren(GuideLink) if link.isVisible()]
        durham.click(next(link for link in links if link.step == key))
        reader = opened(durham)
        assert (reader.page.page, reader._heading) == (
            guide.STEPS,
            guide.anchor(durham.wizard.steps.buttons[key].text()[3:]),
        )
        for link in links:
            if link.step is None:
                durham.click(link)
                assert opened(durham).page.page in {guide.requirement(kind) for kind in kinds()}
                assert "Guide" in link.accessibleName()


# ------------------------------------------------------------------------------------ reading


def test_every_page_is_shown_without_a_link_that_leads_nowhere_or_out(reader: HelpWindow) -> None:
    for language in LANGUAGES:
        headings: defaultdict[str, set[str]] = defaultdict(set)
        with speaking(language):
            for listed in guide.contents(language):
                if not listed.page:
                    continue
                reader.show_page(listed.page)
                html = reader.page.toHtml()
                assert "![" not in reader.page.toPlainText()
                for link in set(re.findall(r'<a href="([^"]+)"', html)):
                    page, heading = guide.link_target(listed.page, language, link)
                    assert guide.exists(page), f"{listed.page}: {link}"
                    headings[page].update({heading} - {""})
            for page, wanted in headings.items():
                reader.show_page(page)
                assert [heading for heading in wanted if not reader.page.go_to(heading)] == [], page


def test_a_link_leads_to_its_page_and_the_keyboard_back_and_forward_again(reader: HelpWindow, qtbot: QtBot) -> None:
    reader.show_page(guide.requirement("relative_risk"))
    reader.page.anchorClicked.emit(QUrl("../glossary.md#risk-profile"))
    assert reader.page.page == guide.GLOSSARY
    assert seen(reader) == "Risk profile"
    qtbot.keyClick(reader.page, Qt.Key.Key_Left, ALT)
    assert reader.page.page == guide.requirement("relative_risk")
    assert reader.list.currentItem().text() == "Relative risk"
    qtbot.keyClick(reader.page, Qt.Key.Key_Right, ALT)
    assert reader.page.page == guide.GLOSSARY
    assert not reader.forward_button.isEnabled()
    qtbot.mouseClick(reader.back_button, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(reader.back_button, Qt.MouseButton.LeftButton)
    assert reader.page.page == guide.CONTENTS
    assert not reader.back_button.isEnabled()


def test_nothing_outside_is_opened_or_loaded(reader: HelpWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", asked.append)
    for address in ("https://example.org/", "file:///etc/passwd", "../../README.md", "../../../elsewhere.md"):
        reader.page.anchorClicked.emit(QUrl(address))
        assert reader.page.page == guide.CONTENTS
        assert reader.page.loadResource(QTextDocument.ResourceType.ImageResource.value, QUrl(address)) is None
        assert reader.page.loadResource(QTextDocument.ResourceType.HtmlResource.value, QUrl(address)) is None
    assert asked == []


# ------------------------------------------------------------------------------------- search


def test_a_search_lists_the_pages_and_enter_goes_there(reader: HelpWindow, qtbot: QtBot) -> None:
    qtbot.keyClick(reader, Qt.Key.Key_F, CONTROL)
    assert QApplication.focusWidget() is reader.search
    qtbot.keyClicks(reader.search, "kappa gain")
    qtbot.waitUntil(lambda: "found" in reader.says.words and not reader.finder.busy)
    found = reader.list.count()
    assert 0 < found < len(guide.contents("en"))
    assert str(found) in reader.says.words
    qtbot.keyClick(reader.search, Qt.Key.Key_Return)
    reader.list.setCurrentRow(0)
    assert reader.page.page == reader.list.item(0).data(Qt.ItemDataRole.UserRole)
    assert reader.page.extraSelections()
    reader.search.setFocus()
    qtbot.keyClicks(reader.search, " xylophone")
    qtbot.waitUntil(lambda: "No page" in reader.says.words)
    assert reader.list.count() == 0
    qtbot.keyClick(reader.search, Qt.Key.Key_Escape)
    assert reader.list.count() == len(guide.contents("en"))
    assert not reader.says.isVisible()
    assert reader.isVisible()
    assert reader.page.extraSelections() == []


# ------------------------------------------------------------------- keyboard, language, theme


def test_the_page_of_the_keyboard_names_every_key_of_the_menus_and_none_besides(durham: Hands) -> None:
    for language in LANGUAGES:
        with speaking(language):
            durham.window.menus.build()
            section = re.split(r"^## ", guide.read(guide.KEYBOARD, language), flags=re.MULTILINE)[1]
            named = {
                cells[1].strip().replace("Strg+", "Ctrl+"): cells[2].strip()
                for line in section.splitlines()
                if len(cells := line.split("|")) == 4
            }
            given = {keys for keys in named if re.fullmatch(r"(Ctrl\+)?(Shift\+)?([A-Z]|F\d+)", keys)}
            actions = {
                action.shortcut().toString(QKeySequence.SequenceFormat.PortableText): action
                for key, action in durham.window.menus.actions.items()
                if not action.shortcut().isEmpty() and key != "quit"
            }
            assert given == set(actions)
            for keys, action in actions.items():
                assert named[keys].startswith(action.text().replace("&", "").split(" “")[0].split(": „")[0]), keys
    durham.window.menus.build()


def test_a_page_without_a_translation_is_shown_in_english_and_says_so(reader: HelpWindow) -> None:
    with speaking("de"):
        reader.show_page("../methods/accuracy.md")
        assert reader.page.toPlainText().splitlines()[0].startswith("Diese Seite ist noch nicht übersetzt")
        reader.show_page(guide.KEYBOARD)
        assert "noch nicht übersetzt" not in reader.page.toPlainText()
