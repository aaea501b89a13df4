"""Judge whole decisions by the hundred thousand: what a program answers, held against data sets and actual noise.

    .venv/bin/python -m tests.soak.judge --count 200000 --seed 20261122
    .venv/bin/python -m tests.soak.judge --folder ANOTHER_CHECKOUT --findings found.md

Prints a table in Markdown and how many findings there are; the findings themselves, with decision and data, go to a
file.
"""

from __future__ import annotations

import argparse
import multiprocessing
import shlex
from collections import Counter
from pathlib import Path

from tests.oracles.judge.run import findings, judge_many, table, told
from tests.oracles.judge.verdicts import Verdict

CHUNK = 500
Work = tuple[list[str], range, Path | None, int, bool]


def judged(work: Work) -> list[Verdict]:
    """Return the verdicts on one stretch of seeds."""
    command, seeds, folder, measured, words = work
    return judge_many(command, seeds, folder=folder, measured=measured, words=words)


def main() -> None:
    """Judge as many decisions as asked, and print what was found."""
    parser = argparse.ArgumentParser(description="Judge whole decisions.")
    parser.add_argument("--program", default=".venv/bin/python main.py", help="how the program is called")
    parser.add_argument("--folder", type=Path, help="where it is called: another checkout")
    parser.add_argument("--seed", type=int, default=20261122)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--measured", type=int, default=1, help="every so many are measured against the truth")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--words", action="store_true", help="hold the sentences against the data, too")
    parser.add_argument("--findings", type=Path, help="a new file for what was found")
    asked = parser.parse_args()
    end = asked.seed + asked.count
    stretches = [range(start, min(start + CHUNK, end)) for start in range(asked.seed, end, CHUNK)]
    command = shlex.split(asked.program)
    work = [(command, seeds, asked.folder, asked.measured, asked.words) for seeds in stretches]
    verdicts: list[Verdict] = []
    with multiprocessing.Pool(asked.workers) as pool:
        for done in pool.imap(judged, work):
            verdicts += done
            if asked.findings is not None:
                asked.findings.write_text("\n\n".join(told(finding) for finding in findings(verdicts)))
    print(table(verdicts))
    found = Counter((finding.kind, finding.what.split(":")[0]) for finding in findings(verdicts))
    print(f"{asked.count} decisions from seed {asked.seed}; {sum(found.values())} findings: {dict(found)}")


if __name__ == "__main__":
    main()
