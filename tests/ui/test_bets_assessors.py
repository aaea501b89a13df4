"""Several assessors, each in a file of their own, brought together; and the log, read back from a file and from a
signed record."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dpwizard.charts import tolerance_chart
from dpwizard.decision import ElicitationSession as Log
from dpwizard.elicitation import interview as elicitation
from dpwizard.records import AssertedTime
from dpwizard.signing import RecordFiles, signing
from dpwizard.signing.identity import create_identity, open_identity
from dpwizard.wording import figures
from tests.ui.bets_hands import Officer
from tests.ui.hands import PATIENCE, Hands, seen_on

pytestmark = [pytest.mark.one_window, pytest.mark.slow]

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def stricter(log: Log) -> Log:
    """Return the log of a second assessor, who refuses every single release that the first accepted but one."""
    raw = log.model_dump(exclude_none=True)
    accepted = [n for n, reply in enumerate(log.replies) if reply.answer == "yes" and reply.question.again is None]
    for n in accepted[1:]:
        raw["replies"][n]["answer"] = "no"
    return elicitation.read_session({**raw, "assessor": "Grace", "replies": raw["replies"]})


def test_two_assessors_are_merged_from_files_and_agree_with_reasons(officer: Officer, tmp_path: Path) -> None:
    officer.begin("Ada")
    officer.walk()
    window, assessors = officer.asked, officer.asked.assessors
    officer.hands.click(window.outcome.several_button)
    assessors.save_to(tmp_path / "ada.answers.json")
    officer.bot.waitUntil(lambda: not assessors.worker.busy, timeout=PATIENCE)
    own = officer.decision.elicitation[0]
    assert elicitation.read_session(json.loads((tmp_path / "ada.answers.json").read_text("utf-8"))) == own
    other = stricter(own)
    told = other.model_dump(mode="json", exclude_none=True)
    (tmp_path / "grace.answers.json").write_text(json.dumps(told), "utf-8")
    assessors.bring_in((tmp_path / "ada.answers.json", tmp_path / "grace.answers.json"))
    officer.bot.waitUntil(lambda: not assessors.worker.busy, timeout=PATIENCE)
    assert officer.decision.elicitation == (own, other)
    officer.bot.waitUntil(
        lambda: assessors.together is not None and len(assessors.together.spread) == 2, timeout=PATIENCE
    )
    assert {"Ada", "Grace"} <= {line.label for line in assessors.figure.plot.shown.lines}
    assert [line.words[: line.words.index(" to ")] for line in assessors.people.lines] == [
        f"{who}: epsilon {figures.format_max(elicitation.result(log).low or 0.0)}"
        for who, log in (("Ada", own), ("Grace", other))
    ]
    drawn = {line.label: (line.role, line.dash) for line in assessors.figure.plot.shown.lines if line.label}
    for person, style in zip(("Ada", "Grace"), tolerance_chart.person_styles(assessors.together.spread), strict=True):
        assert (style.role, style.dash) == drawn[person]  # what stands beside the name is what is drawn
    assert "not protected by cryptography" in " ".join(seen_on(officer.asked))
    assert assessors.choice.currentText().startswith("Grace")  # the strictest comes first
    officer.hands.click(assessors.agree_button)
    assert assessors.problem.isVisible()  # not without reasons
    officer.hands.type(assessors.reason, "The stricter of the two, as both could live with it.")
    officer.hands.click(assessors.agree_button)
    agreed = officer.decision.elicitation[2].agreed
    assert agreed.who == ("Ada", "Grace")
    assert agreed.profile == elicitation.result(other).profile
    assert agreed.reason.startswith("The stricter")
    officer.bot.waitUntil(lambda: assessors.use_button.isVisible(), timeout=PATIENCE)
    officer.hands.click(assessors.use_button)
    assert officer.decision.requirements[0].profile == agreed.profile
    assert officer.hands.session.history.undo_name == "Use the profile agreed on"


def test_a_file_that_holds_no_answers_is_refused_in_words(officer: Officer, tmp_path: Path) -> None:
    officer.hands.click(officer.entry.ask_button)
    officer.comes()
    officer.hands.click(officer.asked.begin.several_button)
    for name, content in (("a.json", "{}"), ("b.json", "nonsense"), ("c.json", '{"replies": 5}')):
        (tmp_path / name).write_text(content)
        officer.asked.assessors.bring_in((tmp_path / name,))
        officer.bot.waitUntil(lambda: not officer.asked.assessors.worker.busy, timeout=PATIENCE)
        assert "cannot be imported" in officer.asked.assessors.says.words
        assert officer.decision.elicitation == ()


def logged(officer: Officer) -> list[list[str]]:
    """Return what the table of the log shows, row by row."""
    return [list(cells) for cells in officer.asked.journal.table.rows()]


def read_back(officer: Officer, log: Log) -> None:
    """Open the log in the window and compare it with LOG, answer by answer."""
    officer.hands.click(officer.entry.log_button)
    officer.comes()
    rows = logged(officer)
    assert rows[0][0].startswith("Questions answered by Ada")
    for row, reply in zip(rows[1 : len(log.replies) + 1], log.replies, strict=True):
        assert row[1] == reply.question.text
        assert row[4] == reply.time.replace("T", "\n")
        assert row[5] == "Ada"
        assert float(row[3]) == reply.seconds
    assert any("Changes answer 2." in row[6] for row in rows)


def answered_and_changed(officer: Officer) -> Log:
    """Answer five questions, change the second, close; return the log."""
    officer.begin("Ada")
    officer.walk(5)
    for _ in range(4):
        officer.hands.click(officer.footer.back_button)
    officer.press("no" if officer.asked.interviewer.log.replies[1].answer == "yes" else "yes")
    officer.hands.click(officer.asked.stop_button)
    officer.bot.waitUntil(lambda: not officer.asked.isVisible())
    return officer.decision.elicitation[0]


@pytest.mark.soak
@pytest.mark.own_window
def test_the_log_is_read_back_from_a_signed_record(
    officer: Officer, tmp_path: Path, make_hands: Callable[..., Hands]
) -> None:
    log = answered_and_changed(officer)
    made = create_identity(name="Ada", organisation="", passphrase="nine blue herons", valid_years=2, now=NOW)
    identity = open_identity(pkcs12=made, passphrase="nine blue herons")
    stated = AssertedTime(time=NOW, source="signer")
    signature = signing.SigningRequest(identity=identity, role="approves", verdict="approve", comment="", stated=stated)
    files = RecordFiles.beside(tmp_path / "record.json")
    rejected = officer.decision.model_copy(update={"outcome": "reject"})  # an approval would need further answers
    signing.sign_new(rejected, files, signature, lambda _: None)
    hands = make_hands()
    hands.window.open_path(files.json)
    hands.settle()
    hands.go("profile")
    read_back(Officer(hands, hands.page.cards.cards[0].question_buttons), log)
