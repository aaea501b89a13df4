"""The questions by JSON lines, as a stranger uses them: a program of its own asks and answers through pipes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.oracles import simulated_officer as officers

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.mark.slow
def test_a_program_that_reads_questions_and_writes_answers_finds_its_officer() -> None:
    officer = officers.Officer(officers.constant(3.0), "chance")
    with subprocess.Popen(
        [sys.executable, "main.py", "elicit"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None

        def say(line: dict[str, Any]) -> dict[str, Any]:
            assert program.stdout is not None
            program.stdin.write(json.dumps(line) + "\n")
            program.stdin.flush()
            answer: dict[str, Any] = json.loads(program.stdout.readline())
            return answer

        assert say({"answer": "yes"})["ok"] is False
        line = say({"setup": {"q": [0.001, 0.5], "benefit": "the regional plan"}, "assessor": "Ada"})
        assert say({"answer": "perhaps"})["error"]["hint"]
        while "question" in line:
            question = line["question"]
            releases = [question[name] for name in "ab" if name in question]
            sides = [(one["before"] / one["out_of"], one["after"] / one["out_of"]) for one in releases]
            if len(sides) == 2:
                said = officer.pair(*sides)
            else:
                said = "yes" if officer.level(*sides[0]) != (question["form"] == "reversed") else "no"
            assert said in line["choices"]
            line = say({"answer": said, "seconds": 2.0, "time": "2026-11-21T10:00:00Z"})
        assert line["finished"] is True
        assert line["asked"] <= 14
        assert 1 <= line["binding"] <= line["asked"]
        truth = officers.true_epsilon(officer.curve, (1.0, 1.0), (0.001, 0.5))
        assert line["result"]["epsilon"] <= truth
        low, high = line["result"]["low"], line["result"]["high"]
        assert low <= truth <= high
        assert (
            abs(line["result"]["middle"] / truth - 1.0) < 0.2
        )  # one officer; the median of many is under a tenth (docs/elicitation.md)
        played = say({"show": "playback"})["playback"]
        chance = played[0]["a"]
        corrected = say(
            {"correct": {**chance, "after": chance["before"] + 1 + (chance["after"] - chance["before"]) // 2}}
        )
        assert corrected["changes"]["moved"]
        session = say({"show": "session"})["session"]
        assert session["replies"][-1]["answer"] == "corrected"
        assert len(say({"show": "influences"})["influences"]) >= 8
        merged = say({"merge": [session, {**session, "assessor": "Béla"}]})
        assert [one["assessor"] for one in merged["spread"]] == ["Ada", "Béla"]
        resumed = say({"session": session})
        assert resumed["ok"] is True
        assert resumed["asked"] == line["asked"]
        odd_lines: list[dict[str, Any]] = [
            {"show": 3},
            {"settle": [1]},
            {"change": 0, "answer": "no"},
            {"correct": 1},
            {"merge": {}},
        ]
        for odd in (*odd_lines, {"settle": [1, "x"], "stands": "first"}):
            assert say(odd)["ok"] is False
        program.stdin.close()
        assert program.wait(timeout=30) == 2
