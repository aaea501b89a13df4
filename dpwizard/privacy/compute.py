"""Finds the public functions by name and calls them with the arguments of one line of JSON."""

from __future__ import annotations

import difflib
import functools
import importlib
from collections.abc import Callable, Mapping
from types import MappingProxyType, ModuleType
from typing import Any

from dpwizard.base import json_text
from dpwizard.base.errors import DPWizardError, InvalidInput
from dpwizard.base.values import plain

PACKAGES = MappingProxyType(  # the package of dpwizard.privacy that holds each module's functions
    {
        "relative_risk": "relative_risk",
        "accuracy": "accuracy",
        "privacy_at_risk": "privacy_at_risk",
        "composition": "accounting.composition",
        "accounting": "accounting.functions",
        "guessing_advantage": "guessing_advantage",
        "persuasive_privacy": "persuasive_privacy",
        "gaussian_risk": "gaussian_risk",
        "programme": "programme",
    }
)
MODULES = tuple(PACKAGES)


def module_named(module: str) -> ModuleType:
    """Return the package that holds the functions of one of MODULES."""
    return importlib.import_module(f"dpwizard.privacy.{PACKAGES[module]}")


@functools.cache
def functions(module: str) -> Mapping[str, Callable[..., Any]]:
    """Return the public functions of one of MODULES, by name."""
    loaded = module_named(module)
    members = {name: getattr(loaded, name) for name in sorted(getattr(loaded, "__all__", vars(loaded)))}
    return MappingProxyType(
        {name: function for name, function in members.items() if getattr(function, "is_public", False)}
    )


def find(name: Any) -> Callable[..., Any]:
    """Return the function called NAME, as "module.function"; InvalidInput names the most similar ones."""
    if not isinstance(name, str):
        raise InvalidInput("must be the name of a function, such as accuracy.noise", "$.fn", "See docs/functions.md.")
    module, _, function = name.partition(".")
    if module in MODULES:
        known = functions(module)
        if function in known:
            return known[function]
        similar = difflib.get_close_matches(function, known, n=3, cutoff=0.3) or sorted(known)[:3]
        raise InvalidInput(
            'there is no function "{name}"',
            "$.fn",
            "Near it: {names}.",
            name=name[:80],
            names=", ".join(f"{module}.{n}" for n in similar),
        )
    raise InvalidInput(
        'there is no function "{name}"', "$.fn", "The modules are {names}.", name=name[:80], names=", ".join(MODULES)
    )


def answer(line: str) -> dict[str, Any]:
    """Return the answer to one line of input: a value, or an error that names the argument."""
    request_id = None
    try:
        raw = json_text.parse(line)
        request_id = _request_id(raw)
        if not isinstance(raw, dict):
            raise InvalidInput("must be an object", "$", 'Write {"id": 1, "fn": "accuracy.noise", "args": {...}}.')
        unknown = sorted(raw.keys() - {"id", "fn", "args"})
        if unknown:
            raise InvalidInput("is not a field here", f"$.{unknown[0]}", 'A line has "id", "fn" and "args".')
        function, arguments = find(raw.get("fn")), raw.get("args", {})
        if not isinstance(arguments, dict):
            raise InvalidInput("must be an object of arguments by name", "$.args", 'For instance {"epsilon": 1}.')
        return {"id": request_id, "ok": True, "value": _call(function, arguments)}
    except DPWizardError as problem:
        return {"id": request_id, "ok": False, "error": as_plain(problem), "kind": type(problem).__name__}


def identifier(line: str) -> Any:
    """Return the id of one line of input, or None if none can be read."""
    try:
        return _request_id(json_text.parse(line))
    except DPWizardError:
        return None


def _request_id(raw: Any) -> Any:
    request_id = raw.get("id") if isinstance(raw, dict) else None
    return request_id if isinstance(request_id, str | int | float) and request_id == request_id else None


def _call(function: Callable[..., Any], arguments: dict[str, Any]) -> Any:
    try:
        return plain(function(**arguments))
    except DPWizardError as problem:
        raise problem.inside("$.args") from None


def as_plain(problem: DPWizardError) -> dict[str, str]:
    """Return an error as the command line writes it."""
    return {
        "where": problem.where or "$",
        "message": problem.message,
        "hint": problem.hint or "See docs/functions.md for what is allowed.",
    }
