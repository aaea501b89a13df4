"""The only mutable cell, and edits by path."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from dpwizard.base.errors import InvalidInput
from dpwizard.decision import Decision, edits, new_decision
from ui.session import DocumentSession


def test_an_edit_is_told_once_and_no_change_is_not_told(qtbot: QtBot) -> None:
    session = DocumentSession()
    told: list[Decision] = []
    session.changed.connect(lambda: told.append(session.decision))
    assert session.put("Set title", "$.title", "A") is None
    assert session.put("Set title", "$.title", "A") is None
    assert [decision.title for decision in told] == ["A"]


def test_what_a_record_holds_is_kept_until_it_is_changed_or_has_a_file_of_its_own(qtbot: QtBot) -> None:
    session = DocumentSession()
    session.put("Set title", "$.title", "A")
    assert not session.kept
    session.recorded = session.decision
    assert (session.kept, session.unsaved) == (True, True)
    session.put("Set title", "$.title", "B")
    assert not session.kept
    session.undo()
    assert session.kept
    session.path = Path("a.json")  # which is behind
    assert not session.kept
    session.start(new_decision())
    assert session.recorded is None


def test_it_knows_whether_what_it_holds_is_saved(qtbot: QtBot, tmp_path: Path) -> None:
    session = DocumentSession()
    session.put("Set title", "$.title", "A")
    assert session.unsaved
    session.saved(tmp_path / "a.json")
    assert not session.unsaved
    session.put("Set title", "$.title", "B")
    assert session.unsaved
    session.undo()
    assert not session.unsaved
    session.start(new_decision())
    assert session.path is None
    assert session.history.undo_name is None


@pytest.mark.parametrize(
    ("where", "raw"),
    [
        ("$.nothing", 1),
        ("$.requirements[0].at_most", 1),
        ("$", 1),
        ("$..title", "x"),
        ("title", None),
        ("$.release.sensitivity", "x"),
        ("$.release.sensitivity.x", 1),
        ("$.epsilon", float("nan")),
        ("$.title", 7),
        ("$.release[0]", 7),
    ],
)
def test_what_cannot_be_put_is_refused_in_words(where: str, raw: object) -> None:
    with pytest.raises(InvalidInput):
        edits.put(new_decision(), where, raw)
