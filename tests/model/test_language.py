"""The language a text is said in."""

from __future__ import annotations

import threading

from dpwizard.language import phrase, speaking, spoken


def test_english_is_spoken_unless_another_language_is_asked_for() -> None:
    assert spoken() == "en"
    with speaking("de"):
        assert spoken() == "de"
    assert spoken() == "en"


def test_a_language_nobody_translated_to_is_said_in_english() -> None:
    with speaking("xx"):
        assert spoken() == "en"


def test_what_one_thread_speaks_leaves_the_others_alone() -> None:
    heard = []
    with speaking("de"):
        other = threading.Thread(target=lambda: heard.append(spoken()))
        other.start()
        other.join()
    assert heard == ["en"]


def test_a_text_without_translation_is_said_as_it_is() -> None:
    with speaking("de"):
        assert phrase("window", "No such text") == "No such text"
