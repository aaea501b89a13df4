"""JSON Schema (draft 2020-12) of the formats, generated from the declarations themselves."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, get_args, get_type_hints

from pydantic import BaseModel, TypeAdapter, create_model

from dpwizard.decision.decision import Decision
from dpwizard.privacy.compute import MODULES, functions
from dpwizard.privacy.mechanisms import MechanismName
from dpwizard.values import STRICT

DIALECT = "https://json-schema.org/draft/2020-12/schema"
BASE = "urn:dpwizard"
NULLABLE_NUMBER = {"type": ["number", "null"]}
COUNT = {"type": "integer", "minimum": 0}
SAID = {"key": {"type": "string"}, "with": {"type": "object"}}
MESSAGE = {"type": "object", "properties": SAID, "required": ["key", "with"]}


def decision() -> dict[str, Any]:
    """Return the schema of a decision file."""
    return _headed("decision", "A decision file", TypeAdapter(Decision).json_schema())


def assessment() -> dict[str, Any]:
    """Return the schema of the answer to a decision."""
    answer = {
        "type": "object",
        "properties": {
            "kind": {"type": "string"},
            "name": {"type": ["string", "null"]},
            "enabled": {"type": "boolean"},
            "status": {"enum": ["allowed", "infeasible", "unbounded", "not_applicable", "unanswered", "failed"]},
            "side": {"enum": ["upper", "lower", "verdict"]},
            "epsilon": NULLABLE_NUMBER,
            "error": {"type": "number", "minimum": 0},
            "binding": {"type": "object"},
            "attained": {"type": ["boolean", "null"]},
            "unique": {"type": ["boolean", "null"]},
            "grounds": {"enum": ["proved", "proved_under", "as_published", None]},
            "assumptions": {"type": "array", "items": {"type": "string"}},
            "source": {"type": "string"},
            "as_published": {"type": ["object", "null"]},
            "at_epsilon": {"type": "object"},
            "met": {"type": ["boolean", "null"]},
            "why": MESSAGE,
        },
        "required": ["kind", "status", "side", "epsilon", "error", "grounds", "source", "at_epsilon", "why"],
    }
    position = {"type": ["integer", "null"], "minimum": 0}
    window = {
        "type": "object",
        "properties": {
            "lower": {"type": "number", "minimum": 0},
            "upper": NULLABLE_NUMBER,
            "binds_lower": position,
            "binds_upper": position,
            "empty": {"type": "boolean"},
            "touching": {"type": "boolean"},
            "complete": {"type": "boolean"},
            "conflict": {"type": "array", "items": {"type": "integer", "minimum": 0}},
        },
        "required": ["lower", "upper", "binds_lower", "binds_upper", "empty", "touching", "complete", "conflict"],
    }
    problem = {"type": "object", "properties": {"step": {"type": "string"}, "where": {"type": "string"}, **SAID}}
    body = {
        "type": "object",
        "properties": {
            "format": {"const": "dpwizard.assessment/1"},
            "window": window,
            "answers": {"type": "array", "items": answer},
            "epsilon": NULLABLE_NUMBER,
            "inside": {"type": ["boolean", "null"]},
            "problems": {"type": "array", "items": problem},
        },
        "required": ["format", "window", "answers", "epsilon", "inside", "problems"],
    }
    return _headed("assessment", "The answer to a decision", body)


def record() -> dict[str, Any]:
    """Return the schema of a decision record."""
    stated = {
        "type": "object",
        "properties": {"time": {"type": "string"}, "time_source": {"enum": ["signer", "computer"]}},
    }
    text, digest = {"type": "string"}, {"type": "string", "pattern": "^[0-9a-f]{64}$"}
    ends = {
        "type": ["object", "null"],
        "properties": {"lower": {"type": "number"}, "upper": NULLABLE_NUMBER, "empty": {"type": "boolean"}},
        "required": ["lower", "upper", "empty"],
    }
    moved = {
        "type": "object",
        "properties": {"where": text, "value": {"type": "number"}, "down": ends, "up": ends, "swing": NULLABLE_NUMBER},
        "required": ["where", "value", "down", "up", "swing"],
    }
    influence = {
        "type": "object",
        "properties": {
            "share": {"type": "number"},
            "moved": COUNT,
            "of": COUNT,
            "rows": {"type": "array", "items": moved},
        },
        "required": ["share", "moved", "of", "rows"],
    }
    noise = {
        "type": "object",
        "properties": {
            "part": {"type": ["string", "null"]},
            "mechanism": {"enum": list(get_args(MechanismName))},
            **{
                name: {"type": "number", "exclusiveMinimum": 0}
                for name in ("sensitivity", "epsilon", "delta", "scale", "alpha")
            },
            "library_call": text,
        },
        "required": ["part", "mechanism", "sensitivity"],
    }
    policy = {
        "type": "object",
        "properties": {"name": text, "sha256": digest, "roles": {"type": "array", "items": text}},
        "required": ["name", "sha256", "roles"],
    }
    left_out = {"type": "object", "properties": {"where": text, "what": text}, "required": ["where", "what"]}
    body = {
        "type": "object",
        "properties": {
            "format": {"const": "dpwizard.record/1"},
            "edition": {"enum": ["internal", "public"]},
            "internal_sha256": digest,
            "left_out": {"type": "array", "items": left_out},
            "policy": policy,
            "made": stated,
            "program": {"type": "object"},
            "platform": {"type": "object"},
            "tolerance": {"type": "number", "exclusiveMinimum": 0},
            "decision": {"$ref": f"{BASE}:decision"},
            "assessment": {"$ref": f"{BASE}:assessment"},
            "accounting": {"type": "object"},
            "implementation": {"type": "array", "items": noise},
            "influence": influence,
            "sentences": {"type": "object"},
        },
        "required": [
            "format",
            "made",
            "program",
            "tolerance",
            "decision",
            "assessment",
            "accounting",
            "implementation",
            "sentences",
        ],
        "if": {"properties": {"edition": {"const": "public"}}, "required": ["edition"]},
        "then": {"required": ["internal_sha256", "left_out"]},
    }
    return _headed("record", "A decision record", body)


def calls() -> dict[str, Any]:
    """Return the schema of one line of calls of the functions by name."""
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
    return _headed("compute", "One call of a function by name", {"oneOf": variants, "$defs": definitions})


def _headed(name: str, title: str, body: dict[str, Any]) -> dict[str, Any]:
    return {**_in_one_line(body), "$schema": DIALECT, "$id": f"{BASE}:{name}", "title": title}


def _in_one_line(schema: Any) -> Any:
    """Return SCHEMA with each description, a sentence that the source may break over lines, in one line."""
    if isinstance(schema, dict):
        return {
            key: " ".join(held.split()) if key == "description" and isinstance(held, str) else _in_one_line(held)
            for key, held in schema.items()
        }
    return [_in_one_line(held) for held in schema] if isinstance(schema, list) else schema


SCHEMAS: Mapping[str, Callable[[], dict[str, Any]]] = MappingProxyType(
    {"decision": decision, "assessment": assessment, "record": record, "compute": calls}
)
