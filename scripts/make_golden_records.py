"""Make the golden records of the tests again: their JSON from the decisions, and the hash of their pages.

Run: python scripts/make_golden_records.py, after pages or numbers were changed on purpose. The decision, the name and
the time of each record stay as they are.
"""

from __future__ import annotations

import hashlib
import json
import sys
from datetime import datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tests" / "golden" / "records"
PAGES = FOLDER / "pages.sha256"


def main() -> None:
    """Write every golden record anew, and the hashes of their pages."""
    sys.path.insert(0, str(ROOT))
    from dpwizard.decision import read_decision
    from dpwizard.records import AssertedTime, Public, make, write
    from dpwizard.report import document

    lines = []
    for path in sorted(FOLDER.glob("*.json")):
        old = json.loads(path.read_text("utf-8"))
        stated = AssertedTime(time=datetime.fromisoformat(old["made"]["time"]), source=old["made"]["time_source"])
        public = None if old["public"] is None else Public(**old["public"])
        record = make(read_decision(old["decision"]), stated, name=path.stem, salt=old["salt"], public=public)
        path.write_bytes(write(record))
        lines.append(f"{hashlib.sha256(document.typeset(record)).hexdigest()}  {path.stem}.pdf\n")
    PAGES.write_text("".join(lines), "ascii")


if __name__ == "__main__":
    main()
