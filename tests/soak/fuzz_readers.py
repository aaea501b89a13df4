"""The readers of decisions, records, journals and locks under fire. Run: python -m tests.soak.fuzz_readers --runs
1000000 --seed 1

Half of the inputs are well-formed JSON of the format, drawn from its schema with the fuzzer's bytes as dice; the other
half are those bytes themselves, grown from real files. Atheris steers both by the branches reached (where it cannot be
had, the bytes are mutated blindly). Whatever comes out but a DPWizardError ends the run and is printed. With --coverage
the same inputs are read under coverage.py, and the share of the readers' branches that were taken is printed.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SLOWEST = 20.0  # seconds for one input on a busy machine; only a hang takes longer
LONGEST = 40_000  # bytes of one input
READERS = {  # by file, the functions that every file an officer opens goes through
    "dpwizard/base/json_text.py": ("parse", "_pairs", "_integer"),
    "dpwizard/base/values.py": (
        *("Within.__call__", "_infinity", "_integral", "_ordered", "_reaching", "_above_zero", "one_or_two", "_pairs"),
        *("freeze", "read"),
    ),
    "dpwizard/base/value_errors.py": ("in_words", "_allowed", "_path", "shown"),
    "dpwizard/decision/upgrades.py": ("version", "upgraded"),
    "dpwizard/decision/decision.py": ("read_decision", "_count_characters"),
    "dpwizard/decision/earlier.py": ("_check_digest",),
    "dpwizard/projects/newer.py": ("is_newer", "read_newer", "_without", "_step"),
    "dpwizard/projects/journal.py": ("read", "_content", "_decision", "_text"),
    "dpwizard/base/file_lock.py": ("read_holder",),
    "dpwizard/projects/project.py": ("read_project",),
    "dpwizard/records/record.py": ("is_record", "read_record", "of_members", "read_any"),
}
D1, D2 = "dpwizard.decision/1", "dpwizard.decision/2"
TELLING: tuple[Any, ...] = (  # small inputs that lead where chance seldom does
    {"format": D2, "title": 1},
    {"format": D2, **{f"to_come_{number}": number for number in range(150)}},
    {"format": D2, "requirements": [{}, {"kind": "to_come"}, 7], "release": {"parts": [{"share": 9}], "a.b[0]": 1}},
    {"format": D1, "epsilon": 1e305, "details": {"superseded_sha256": "x"}},
    {"format": D1, "details": {"superseded_sha256": "x"}},
    {"format": D1, "requirements": [{"kind": "relative_risk", "p": [0.5, 0.1]}]},
    {"format": D1, "requirements": [{"kind": "relative_risk", "p": [0, 0]}]},
    {"format": D1, "requirements": [{"kind": "relative_risk", "p": 0}]},
    {
        "format": D1,
        "requirements": [{"kind": "relative_risk", "profile": {"shape": "knots", "axis": "p", "points": []}}],
    },
    {"format": D1, "requirements": [{"kind": "relative_risk", "profile": {"shape": "to_come"}}, {"kind": 7}]},
    {"format": D1, "release": {"contributions": 10**17, "dimension": 0, "repetitions": 2.5}},
    {"format": D1, "release": {"parts": [{}] * 101, "surprise": 1}},
    {"format": D1, "release": {"parts": [{}] * 101}},
    {"format": D1, "title": "x" * 1_001},
    {"format": D1, "release": {"parts": [{"effects": {"age": "x"}}, {"effects": 3}, {"effects": [["age", 1]]}]}},
    {"format": D1, "release": None, "language": True},
    {"format": D1, "requirements": {"a": 1}, "withheld": [1, None, ["x"], {}, 1e30, -(10**40)]},
    {"format": 7},
    {"format": "dpwizard.record/9"},
    {
        "format": "dpwizard.record/1",
        "decision": {"format": D1},
        "assessment": {},
        "made": {},
        "sentences": {},
        "edition": 1,
    },
)
COUNTS = {"inputs": 0, "well_formed": 0, "accepted": 0, "refused": 0, "no_record": 0, "slowest": 0.0}


class FromBytes(random.Random):
    """Dice whose throws are the bytes of an input: a fuzzer that changes a byte changes one choice."""

    def __new__(cls, _: bytes) -> FromBytes:
        return super().__new__(cls, 0)

    def __init__(self, data: bytes) -> None:
        super().__init__(0)
        self.data, self.at = data, 0

    def getrandbits(self, k: int) -> int:
        size = (k + 7) // 8
        taken = self.data[self.at : self.at + size]
        self.at += size
        if len(taken) < size:
            return super().getrandbits(k)
        return int.from_bytes(taken, "big") >> (8 * size - k)

    def random(self) -> float:
        return self.getrandbits(32) / 2**32


def seeds() -> tuple[bytes, ...]:
    """Return what the inputs grow from: real files of every kind and version, and small things that matter."""
    places = ("tests/golden/decisions/*/*.json", "tests/golden/records/*.json", "resources/examples/*.json")
    small = (
        b"",
        b"{}",
        b"[]",
        b"null",
        b"\xef\xbb\xbf{}",
        b"\xff\xfe{\x00}\x00",
        *(json.dumps(raw).encode() for raw in TELLING),
    )
    return (*small, *(path.read_bytes()[:LONGEST] for place in places for path in sorted(ROOT.glob(place))))


class Target:
    """Reads one input in every way a file can reach the program."""

    def __init__(self, folder: Path) -> None:
        from dpwizard.base import file_lock, json_text
        from dpwizard.base.errors import DPWizardError
        from dpwizard.decision.decision import read_decision
        from dpwizard.decision.upgrades import upgraded
        from dpwizard.projects import journal, newer, project
        from dpwizard.records import record
        from tests.samples.drawn import draw

        self.json_text, self.project, self.record, self.read_decision = json_text, project, record, read_decision
        self.journal, self.lock, self.newer, self.draw = journal, file_lock, newer, draw
        self.error, self.upgraded = DPWizardError, upgraded
        self.file = folder / "input"

    def __call__(self, data: bytes) -> None:
        """Read DATA: as dice for a well-formed decision, or as the file itself."""
        COUNTS["inputs"] += 1
        began = time.perf_counter()
        well_formed = COUNTS["inputs"] % 2 == 0
        try:
            self.well_formed(data) if well_formed else self.as_file(data)
        except self.error:
            COUNTS["refused"] += 1
        else:
            COUNTS["accepted"] += 1
        COUNTS["well_formed"] += well_formed
        COUNTS["slowest"] = max(COUNTS["slowest"], time.perf_counter() - began)

    def well_formed(self, data: bytes) -> None:
        """Read a decision, or a record of it, or the same of a newer version, drawn from the schema with DATA as
        dice."""
        dice = FromBytes(data)
        way, raw = dice.randrange(8), self.draw(dice, dice.choice((0.05, 0.2, 0.5, 0.9)))
        if way == 0:
            rest = {name: dice.choice(({}, [], "a", 1, None)) for name in dice.sample(self.record.MEMBERS, 5)}
            raw = {**dict.fromkeys(self.record.MEMBERS), **rest, "format": self.record.FORMAT, "decision": raw}
        elif way == 1:
            raw["format"] = "dpwizard.decision/2"
            raw[dice.choice(("to_come", "epsilon", "release", "a.b[0]"))] = dice.choice((1, "x", [{}], {"a": None}))
            raw.setdefault("requirements", []).append({"kind": "to_come"})
        elif way == 2 and dice.random() < 0.05:
            raw["requirements"] = [{"kind": "budget", "off_reason": "x" * 99_000}] * 11
        self.as_file(json.dumps(raw, ensure_ascii=dice.random() < 0.5).encode("utf-8", "surrogatepass"))

    def as_file(self, data: bytes) -> None:
        """Read DATA as a project or record file; one in twenty also as a journal, a lock and a file on disk."""
        if COUNTS["inputs"] % 20 < 2:
            self.on_disk(data)
        raw = self.json_text.parse(data)
        if COUNTS["inputs"] % 10 < 2 and isinstance(raw, dict):
            self.upgraded(raw, {1: lambda old: old, 2: lambda old: {**old, "more": 1}}, 3)
            try:
                self.record.read_record(raw)
            except self.error:
                COUNTS["no_record"] += 1
        if self.newer.is_newer(raw):
            self.newer.read_newer(raw)
        elif self.record.is_record(raw):
            self.record.read(data)
        else:
            self.read_decision(raw)

    def on_disk(self, data: bytes) -> None:
        """Read DATA through the file system."""
        self.file.write_bytes(data)
        self.lock.read_holder(self.file)
        self.journal.read(self.file)
        lines = [line for line in data.splitlines() if line][:4]
        self.file.write_bytes(b"".join(_signed(line) for line in lines))
        self.journal.read(self.file)
        self.file.write_bytes(_signed(b'{"format":"dpwizard.journal/1","file":7,"owner":{"process":1}}') + _entry(data))
        self.journal.read(self.file)
        self.file.write_bytes(_signed(b'{"format":"dpwizard.journal/1","owner":{"process":"1"}}') + _entry(data))
        self.journal.read(self.file)
        self.file.write_bytes(data)
        try:
            self.project.read_project(self.file)
        except self.error:
            return


def _signed(line: bytes) -> bytes:
    import hashlib

    return hashlib.sha256(line).hexdigest().encode() + b" " + line + b"\n"


def _entry(data: bytes) -> bytes:
    try:
        return _signed(json.dumps({"time": "t", "steps": ["a", 1], "decision": json.loads(data)}).encode())
    except (ValueError, RecursionError):
        return b""


def mutated(data: bytes, dice: random.Random, others: tuple[bytes, ...]) -> bytes:
    """Return DATA with some of its bytes changed, cut, doubled or exchanged for those of others: without any
    guidance."""
    made = bytearray(data or b"\0")
    for _ in range(dice.choice((1, 1, 2, 4, 16))):
        at = dice.randrange(len(made) + 1)
        way = dice.randrange(5)
        if way == 0 and at < len(made):
            made[at] = dice.randrange(256)
        elif way == 1:
            del made[at : at + dice.randrange(1, 40)]
        elif way == 2:
            other = dice.choice(others) or b"{}"
            start = dice.randrange(len(other))
            made[at:at] = other[start : start + dice.randrange(1, 60)]
        elif way == 3:
            made[at:at] = dice.choice(
                (b"1e999", b"NaN", b"\xff", b"\\ud800", b"[[[[", b'"format":', b"-", b"null", b"9" * 500)
            )
        else:
            made[at:at] = made[at : at + 40]
    return bytes(made[:LONGEST])


def blindly(target: Callable[[bytes], None], runs: int, seed: int) -> None:
    """Call TARGET with RUNS inputs mutated without guidance."""
    dice, known = random.Random(seed), seeds()
    for _ in range(runs):
        target(
            mutated(dice.choice(known), dice, known)
            if COUNTS["inputs"] % 2 == 0
            else dice.randbytes(dice.randrange(4, 400))
        )


def guided(folder: Path, runs: int, seed: int, corpus: Path) -> None:
    """Fuzz with atheris; it ends the process itself."""
    import atheris

    with atheris.instrument_imports(include=["dpwizard"]):
        target = Target(folder)

    def once(data: bytes) -> None:
        target(data)
        if COUNTS["inputs"] >= runs:
            print(json.dumps({"fuzzer": "atheris", "seed": seed, **COUNTS}), flush=True)
            os._exit(0)

    limits = [
        f"-seed={seed}",
        f"-max_len={LONGEST}",
        f"-timeout={SLOWEST:.0f}",
        "-rss_limit_mb=4096",
        "-len_control=20",
        "-verbosity=0",
    ]
    atheris.Setup([sys.argv[0], *limits, f"-artifact_prefix={folder}/", str(corpus)], once)
    atheris.Fuzz()


def branches(folder: Path, runs: int, seed: int, corpus: Path) -> dict[str, Any]:
    """Return the share of the readers' branches that RUNS inputs take: those of CORPUS, and some mutated blindly."""
    import coverage

    measured = coverage.Coverage(branch=True, data_file=None, include=[str(ROOT / name) for name in READERS])
    measured.start()
    target = Target(folder)
    for path in sorted(corpus.iterdir()) if corpus.is_dir() else ():
        for _ in range(21):  # as a file, on disk and as dice
            target(path.read_bytes())
    blindly(target, runs, seed)
    measured.stop()
    report = folder / "coverage.json"
    measured.json_report(outfile=str(report), show_contexts=False)
    files = json.loads(report.read_text("utf-8"))["files"]
    rows, taken, every, missing = {}, 0, 0, []
    for name, functions in READERS.items():
        found = next(file for path, file in files.items() if path.endswith(name))["functions"]
        for function in functions:
            summary = found[function]["summary"]
            lines, all_lines = summary["covered_lines"], summary["num_statements"]
            taken += summary["covered_branches"] + (lines if not summary["num_branches"] else 0)
            every += summary["num_branches"] + (all_lines if not summary["num_branches"] else 0)
            missing += [f"{name}:{line} -> {to}" for line, to in found[function]["missing_branches"]]
        rows[name] = len(functions)
    return {
        "branches": every,
        "taken": taken,
        "share": round(taken / every, 4),
        "missing": missing,
        "functions": rows,
        **COUNTS,
    }


def main() -> None:
    """Fuzz, and print what came of it as one JSON line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=20_261_121)
    parser.add_argument("--corpus", type=Path, help="a folder where interesting inputs are kept from run to run")
    parser.add_argument(
        "--coverage", action="store_true", help="print the share of the readers' branches that are taken"
    )
    parser.add_argument("--blind", action="store_true", help="without atheris")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
        folder = Path(name)
        corpus = options.corpus or folder / "corpus"
        corpus.mkdir(parents=True, exist_ok=True)
        for number, seed in enumerate(seeds()):
            (corpus / f"seed-{number}").write_bytes(seed)
        if options.coverage:
            print(json.dumps(branches(folder, options.runs, options.seed, corpus)))
        elif options.blind or not _has_atheris():
            blindly(Target(folder), options.runs, options.seed)
            print(json.dumps({"fuzzer": "blind", "seed": options.seed, **COUNTS}))
        else:
            guided(folder, options.runs, options.seed, corpus)


def _has_atheris() -> bool:
    import importlib.util

    return importlib.util.find_spec("atheris") is not None


if __name__ == "__main__":
    main()
