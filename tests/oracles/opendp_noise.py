"""What OpenDP says of noise at given scales. Run by Python of .venv-oracles, which holds it.

Standard input: a JSON line for each {"mechanism", "scale", "sensitivity", "level"}. Standard output, line for line:
{"loss", "width"}, the loss its measurement certifies for a change by the sensitivity (gaussian: rho of
zero-concentrated privacy), and the width a with P(|noise| >= a) = 1 - level by its accuracy functions.
"""

import json
import sys
import warnings

import opendp.prelude as dp

warnings.simplefilter("ignore", DeprecationWarning)  # older names of the features are accepted by more of its versions
dp.enable_features("contrib", "floating-point")


def answer(case: dict) -> dict:
    kind, scale, level = case["mechanism"], case["scale"], case["level"]
    if kind == "geometric":
        measurement = dp.m.make_laplace(dp.atom_domain(T=int), dp.absolute_distance(T=int), scale=scale)
        width = dp.discrete_laplacian_scale_to_accuracy(scale, 1 - level)
        return {"loss": measurement.map(int(case["sensitivity"])), "width": width}
    make = dp.m.make_laplace if kind == "laplace" else dp.m.make_gaussian
    measurement = make(dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float), scale=scale)
    widths = dp.laplacian_scale_to_accuracy if kind == "laplace" else dp.gaussian_scale_to_accuracy
    return {"loss": measurement.map(float(case["sensitivity"])), "width": widths(scale, 1 - level)}


if __name__ == "__main__":
    for line in sys.stdin:
        sys.stdout.write(json.dumps(answer(json.loads(line))) + "\n")
