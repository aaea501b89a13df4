"""Writes what is generated from the declarations: docs/functions.md and, of resources/schema, claim.json, compute.json,
decision.json and record.json. Run: make reference. What an assessment looks like is written there by hand: it is read
by other programs, and never changes with the code."""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_type_hints

from pydantic import BaseModel, TypeAdapter, create_model

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from dpwizard.base.values import STRICT, signature
from dpwizard.decision import Decision
from dpwizard.examination import Claim
from dpwizard.privacy.compute import MODULES, functions
from dpwizard.records.record import MEMBERS, VALUES

HEAD = """# The functions by name

Every function below is a documented Python function of `dpwizard.privacy`, and answers on the command line:

    echo '{"fn": "accuracy.noise", "args": {"mechanism": "laplace", "epsilon": 1, "sensitivity": 1}}' | dpwizard compute

One JSON answer comes back for each line: `{"id": 1, "ok": true, "value": ...}`, or `"ok": false` with an error that
names the argument, what is allowed and a remedy. Unbounded is written `null`; the string `"inf"` stands for infinity
where an epsilon or a ratio may be infinite. The JSON Schema of all calls is `resources/schema/compute.json`.

This page is made from the source by `make reference`.
"""


def decision_schema() -> dict[str, Any]:
    """Return the JSON Schema of a decision file."""
    return TypeAdapter(Decision).json_schema()


def claim_schema() -> dict[str, Any]:
    """Return the JSON Schema of a claim that is examined."""
    return TypeAdapter(Claim).json_schema()


def record_schema() -> dict[str, Any]:
    """Return the JSON Schema of the JSON file of a record: all its members, and none besides."""
    fields: dict[str, Any] = {name: (kind, ...) for name, kind in VALUES.items()}
    values: type[BaseModel] = create_model("Record", __config__=STRICT, **fields)
    schema = values.model_json_schema()
    schema["properties"] |= {name: {"$ref": f"urn:dpwizard:{name}"} for name in ("decision", "assessment")}
    return schema | {"required": sorted(MEMBERS)}


def call_schema() -> dict[str, Any]:
    """Return the JSON Schema of one call of a function by name."""
    variants: list[dict[str, Any]] = []
    definitions: dict[str, Any] = {}
    for module in MODULES:
        for name, function in functions(module).items():
            hints = get_type_hints(function, include_extras=True)
            fields: dict[str, Any] = {
                argument: (hints[argument], ... if parameter.default is inspect.Parameter.empty else parameter.default)
                for argument, parameter in inspect.signature(function).parameters.items()
            }
            values: type[BaseModel] = create_model(f"{module}.{name}", __config__=STRICT, **fields)
            arguments = values.model_json_schema(ref_template="#/$defs/{model}")
            definitions.update(arguments.pop("$defs", {}))
            properties = {
                "id": {"type": ["string", "number", "null"]},
                "fn": {"const": f"{module}.{name}"},
                "args": arguments,
            }
            variants.append({"type": "object", "properties": properties, "required": ["fn", "args"]})
    return {"oneOf": variants, "$defs": definitions}


def in_one_line(schema: Any) -> Any:
    """Return SCHEMA with each description, a sentence that the source may break over lines, in one line."""
    if isinstance(schema, dict):
        return {
            key: in_one_line(" ".join(held.split()) if key == "description" and isinstance(held, str) else held)
            for key, held in schema.items()
        }
    if isinstance(schema, str):
        return schema.replace("{budget}", "epsilon")  # what it is called where it is not counted in rho
    return [in_one_line(held) for held in schema] if isinstance(schema, list) else schema


SCHEMAS: dict[str, tuple[str, Callable[[], dict[str, Any]]]] = {
    "decision": ("A decision file", decision_schema),
    "claim": ("A claim that is examined", claim_schema),
    "record": ("The JSON file of a record", record_schema),
    "compute": ("One call of a function by name", call_schema),
}


def schema_text(name: str) -> str:
    """Return the JSON Schema (draft 2020-12) NAME as the command line prints it."""
    title, schema = SCHEMAS[name]
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": f"urn:dpwizard:{name}", "title": title}
    return json.dumps({**in_one_line(schema()), **head}, ensure_ascii=False, indent=2, sort_keys=True) + "\n"


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
