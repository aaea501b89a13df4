"""Writes what is generated from the declarations: resources/schema/*.json and docs/functions.md. Run: make
reference."""

from __future__ import annotations

import inspect
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from dpwizard.decision.schema import SCHEMAS
from dpwizard.privacy.compute import MODULES, functions
from dpwizard.values import signature

HEAD = """# The functions by name

Every function below is a documented Python function of `dpwizard.privacy`, and answers on the command line:

    echo '{"fn": "accuracy.noise", "args": {"mechanism": "laplace", "epsilon": 1, "sensitivity": 1}}' | dpwizard compute

One JSON answer comes back for each line: `{"id": 1, "ok": true, "value": ...}`, or `"ok": false` with an error that
names the argument, what is allowed and a remedy. Unbounded is written `null`; the string `"inf"` stands for infinity
where an epsilon or a ratio may be infinite. The JSON Schema of all calls is `resources/schema/compute.json`.

This page is made from the source by `make reference`.
"""


def schema_text(name: str) -> str:
    """Return the JSON Schema NAME as the command line prints it."""
    return json.dumps(SCHEMAS[name](), ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def functions_text() -> str:
    """Return the page that documents every function by name."""
    parts = [HEAD]
    for module in MODULES:
        parts.append(f"\n## {module}\n")
        for name, function in functions(module).items():
            parts.append(f"\n### {module}.{name}\n\n`{signature(function)}`\n\n{inspect.getdoc(function)}\n")
    return "".join(parts)


def main() -> None:
    """Write all files."""
    folder = ROOT / "resources" / "schema"
    folder.mkdir(exist_ok=True)
    for name in SCHEMAS:
        (folder / f"{name}.json").write_text(schema_text(name), "utf-8")
    (ROOT / "docs" / "functions.md").write_text(functions_text(), "utf-8")


if __name__ == "__main__":
    main()
