"""The public functions named after statistics: the value at a budget, and the least budget for a required value.

Each is built from the class of its statistic: its fields are the arguments, and its docstring describes the value. A
probability is exact to 1e-10 relative; a budget is **never below the true minimum** (docs/methods/accuracy.md).
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from typing import Any, get_type_hints

from dpwizard.base.values import Epsilon, Positive, Probability, Within, public
from dpwizard.privacy.accuracy.number_noise import delta_of, noise_with
from dpwizard.privacy.accuracy.statistics import (
    ASKED,
    AllWithin,
    Cells,
    DropRate,
    ExactProbability,
    MeanAbsoluteError,
    NoiseInterval,
    RelativeError,
    Rmse,
    ShareWithin,
    SpuriousRate,
    Statistic,
    SumWithin,
    least_budget,
)
from dpwizard.privacy.mechanisms import (
    GAUSSIAN,
    IN_RHO,
    MechanismName,
    NoiseName,
    RhoName,
    mechanism_named,
    noise_named,
)

ByName = Callable[..., float]
END = "Raises InvalidInput. Source: docs/methods/accuracy.md."


def value_of(name: str, statistic: type[Statistic]) -> ByName:
    """Return the function called NAME that returns the value of STATISTIC for the noise of a budget."""
    arguments = {argument: hint for argument, hint in _argument_types(statistic).items() if argument not in ASKED}
    limits = {
        field.name: 1.0 for field in fields(statistic) if field.name in ASKED
    }  # the value does not depend on them

    def function(mechanism: str, epsilon: float | None, rho: float | None, sensitivity: float, **stated: Any) -> float:
        return statistic(**stated, **limits).value(noise_with(mechanism, epsilon, rho, sensitivity))

    text = f"""Return {_summary(statistic)}

    Arguments: mechanism geometric | laplace with epsilon in [0, inf], gaussian | discrete_gaussian with rho in [0,
    inf]; sensitivity > 0 (L1; L2 for the Gaussians); {_describe_ranges(arguments)}. Exact to 1e-10 relative. {END}"""
    first = {"mechanism": NoiseName, **arguments}
    then = {"epsilon": (Epsilon | None, None), "rho": (Epsilon | None, None), "sensitivity": (Positive, 1.0)}
    return _publish(name, function, text, first, then)


def epsilon_for(name: str, statistic: type[Statistic], **more: Any) -> ByName:
    """Return the function called NAME that returns the least epsilon; MORE: types of further arguments."""
    arguments = {**_argument_types(statistic), **more}

    def function(mechanism: str, sensitivity: float, delta: float | None, **stated: Any) -> float:
        noise, cells = mechanism_named(mechanism).noise, stated.pop("cells", 1)
        if noise is None:
            return 0.0
        return least_budget(statistic(**stated), noise, sensitivity, delta_of(noise, delta), cells)

    text = f"""Return the smallest epsilon that meets a limit on {_summary(statistic)}

    Arguments: mechanism, geometric | laplace | gaussian | discrete_gaussian | exact; sensitivity > 0 (L1; L2 for the
    Gaussians); {_describe_ranges(arguments)}; delta in [0, 1], needed by the Gaussians. Returns epsilon, **never below
    the true one** and at most 1e-11 relative above it; 0 if any is enough and for exact, inf if only a release without
    noise is accurate enough. Infeasible if not even that is. {END}"""
    then = {"sensitivity": (Positive, 1.0), "delta": (Probability | None, None)}
    return _publish(name, function, text, {"mechanism": MechanismName, **arguments}, then)


def rho_for(name: str, statistic: type[Statistic], **more: Any) -> ByName:
    """Return the function called NAME that returns the least rho; MORE as for epsilon_for."""
    arguments = {**_argument_types(statistic), **more}

    def function(mechanism: str, sensitivity: float, **stated: Any) -> float:
        noise, cells = noise_named(mechanism).calibrated(IN_RHO), stated.pop("cells", 1)
        return least_budget(statistic(**stated), noise, sensitivity, cells=cells)

    text = f"""Return the smallest rho that meets a limit on {_summary(statistic)}

    Arguments: mechanism, gaussian | discrete_gaussian; {_describe_ranges(arguments)}; sensitivity > 0 (L2). Returns
    rho, **never below the true one** and at most 1e-11 relative above it; inf if no finite one is enough. Infeasible if
    not even a release without noise is accurate enough. {END}"""
    return _publish(
        name, function, text, arguments, {"mechanism": (RhoName, GAUSSIAN.name), "sensitivity": (Positive, 1.0)}
    )


def _argument_types(statistic: type[Statistic]) -> dict[str, Any]:
    hints = get_type_hints(statistic, include_extras=True)
    return {field.name: hints[field.name] for field in fields(statistic) if field.default is MISSING}


def _summary(statistic: type[Statistic]) -> str:
    summary = (inspect.getdoc(statistic) or "").partition("\n\n")[0]
    return summary[:1].lower() + summary[1:]


def _describe_ranges(arguments: Mapping[str, Any]) -> str:
    described = []
    for name, hint in arguments.items():
        within = next((part for part in getattr(hint, "__metadata__", ()) if isinstance(part, Within)), None)
        described.append(f"{name} {within.words if within else 'a whole number from 1 on'}")
    return ", ".join(described)


def _publish(
    name: str, function: ByName, text: str, needed: Mapping[str, Any], optional: Mapping[str, tuple[Any, Any]]
) -> ByName:
    """Return FUNCTION as a public function, with these arguments and their defaults."""
    kind = inspect.Parameter.KEYWORD_ONLY
    parameters = [inspect.Parameter(argument, kind, annotation=hint) for argument, hint in needed.items()]
    parameters += [
        inspect.Parameter(argument, kind, annotation=hint, default=default)
        for argument, (hint, default) in optional.items()
    ]
    function.__name__ = function.__qualname__ = name
    function.__doc__ = "\n\n".join(textwrap.fill(" ".join(part.split()), 118) for part in text.split("\n\n"))
    function.__annotations__ = {argument.name: argument.annotation for argument in parameters} | {"return": float}
    vars(function)["__signature__"] = inspect.Signature(parameters, return_annotation=float)
    return public(function)


relative_error = value_of("relative_error", RelativeError)
all_within = value_of("all_within", AllWithin)
share_within = value_of("share_within", ShareWithin)
drop_rate = value_of("drop_rate", DropRate)
spurious_rate = value_of("spurious_rate", SpuriousRate)

epsilon_for_rmse = epsilon_for("epsilon_for_rmse", Rmse)
epsilon_for_mean_absolute_error = epsilon_for("epsilon_for_mean_absolute_error", MeanAbsoluteError)
epsilon_for_interval = epsilon_for("epsilon_for_interval", NoiseInterval)
epsilon_for_exact_probability = epsilon_for("epsilon_for_exact_probability", ExactProbability)
epsilon_for_relative_error = epsilon_for("epsilon_for_relative_error", RelativeError)
epsilon_for_all_within = epsilon_for("epsilon_for_all_within", AllWithin)
epsilon_for_share_within = epsilon_for("epsilon_for_share_within", ShareWithin)
epsilon_for_drop_rate = epsilon_for("epsilon_for_drop_rate", DropRate)
epsilon_for_spurious_rate = epsilon_for("epsilon_for_spurious_rate", SpuriousRate)
epsilon_for_sum_within = epsilon_for("epsilon_for_sum_within", SumWithin, cells=Cells)

rho_for_relative_error = rho_for("rho_for_relative_error", RelativeError)
rho_for_all_within = rho_for("rho_for_all_within", AllWithin)
rho_for_share_within = rho_for("rho_for_share_within", ShareWithin)
rho_for_drop_rate = rho_for("rho_for_drop_rate", DropRate)
rho_for_spurious_rate = rho_for("rho_for_spurious_rate", SpuriousRate)
rho_for_sum_within = rho_for("rho_for_sum_within", SumWithin, cells=Cells)
