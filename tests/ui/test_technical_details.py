"""The technical details of a page: folded under its plain questions, opened by the officer or by the decision."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from dpwizard.charts import picture
from dpwizard.decision import Decision, edits, new_decision
from ui.forms import Form
from ui.host import keep_technical_details_open
from ui.pages import Page
from ui.panels import fresh
from ui.session import DocumentSession
from ui.widgets import Card, theme


class _Window:
    """What a page asks of its window."""

    colours = theme.LIGHT

    def __init__(self, settings: QSettings) -> None:
        self.settings = settings

    def show_guide(self, page: str, heading: str = "") -> None:
        """Show nothing."""


class _Page(Page):
    """A page with one plain question and one technical field."""

    key = "release"

    def build_questions(self) -> Iterator[None]:
        self.said = QLabel()
        self.questions_column.addWidget(self.said)
        yield

    def show_questions(self, state: object) -> None:
        self.said.setText(self.session.decision.title or "")

    def build(self) -> Iterator[None]:
        card = Card("Title")
        self.form = self.add_form(card, Form(self.session, "$", Decision, ("title",)))
        self.fields.addWidget(card)
        yield


def _page(qtbot: QtBot, folder: Path, decision: Decision, *, always: bool = False) -> _Page:
    settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    keep_technical_details_open(settings, always)
    session = DocumentSession()
    session.start(decision)
    page = _Page(session, _Window(settings))
    qtbot.addWidget(page)
    page.make()
    page.show_state(fresh(decision, picture(decision)))
    return page


def _retitle(page: _Page, title: str) -> None:
    page.session.edit("Set the title", edits.put(page.session.decision, "$.title", title))
    page.show_state(fresh(page.session.decision, picture(page.session.decision)))


@pytest.fixture
def simple() -> Decision:
    return new_decision().model_copy(update={"title": "Deaths"})


def test_plain_questions_stand_above_folded_details(qtbot: QtBot, tmp_path: Path, simple: Decision) -> None:
    page = _page(qtbot, tmp_path, simple)
    assert page.said.text() == "Deaths"
    assert not page.technical_is_shown
    assert not page.technical_built  # nothing is made that nobody looks at
    page.technical.head.click()
    assert page.technical_is_shown
    assert page.form.editors["title"].controls()[0].text() == "Deaths"


def test_the_officer_keeps_details_open(qtbot: QtBot, tmp_path: Path, simple: Decision) -> None:
    page = _page(qtbot, tmp_path, simple, always=True)
    assert page.technical_is_shown
    keep_technical_details_open(page.host.settings, False)
    page.fold_as_asked()
    assert not page.technical_is_shown


@pytest.mark.parametrize("mechanism", ["gaussian", "discrete_gaussian"])
def test_gaussian_noise_opens_details(qtbot: QtBot, tmp_path: Path, simple: Decision, mechanism: str) -> None:
    gaussian = edits.put(simple, "$.release.mechanism", mechanism)
    assert _page(qtbot, tmp_path, gaussian).technical_is_shown
    assert not _page(qtbot, tmp_path, edits.put(simple, "$.release.mechanism", "geometric")).technical_is_shown


def test_a_field_that_is_led_to_opens_details(qtbot: QtBot, tmp_path: Path, simple: Decision) -> None:
    page = _page(qtbot, tmp_path, simple)
    assert not page.reach("$.release.nowhere")
    assert not page.technical_is_shown
    assert page.reach("$.title")
    assert page.technical_is_shown


def test_details_out_of_sight_follow_what_is_seen(qtbot: QtBot, tmp_path: Path, simple: Decision) -> None:
    page = _page(qtbot, tmp_path, simple, always=True)
    page.said.setFixedHeight(3000)
    page.resize(600, 300)
    page.show()
    field = page.form.editors["title"].controls()[0]
    _retitle(page, "Births")
    assert (page.said.text(), field.text()) == ("Births", "Deaths")
    qtbot.waitUntil(lambda: not page.out_of_sight.isActive())
    assert field.text() == "Births"
    page.ensureWidgetVisible(field)
    _retitle(page, "Weddings")
    assert field.text() == "Weddings"  # at once


def test_what_is_folded_follows_when_it_is_opened(qtbot: QtBot, tmp_path: Path, simple: Decision) -> None:
    page = _page(qtbot, tmp_path, simple)
    page.technical.head.click()
    page.technical.head.click()
    _retitle(page, "Births")
    assert page.form.editors["title"].controls()[0].text() == "Deaths"  # folded: left alone
    page.technical.head.click()
    assert page.form.editors["title"].controls()[0].text() == "Births"
