"""Finds the least budget of tables that add up with CVXPY. Run by Python of .venv-oracles, which holds it.

Standard input: a JSON line for each {"rows", "table", "cost", "limits"}: what each published number is of the smallest
ones (a row of 0 and 1), in which table it stands, what one unit of precision costs in each table, and the largest
variance of each number after adding up (null: no need). Standard output, line for line: the least cost.
"""

import json
import sys

import cvxpy
import numpy


def least(case: dict) -> float:
    rows = numpy.array(case["rows"], dtype=float)
    cost = numpy.array(case["cost"])
    precisions = cvxpy.Variable(len(cost), nonneg=True)
    told = sum(
        precisions[at] * (rows[numpy.array(case["table"]) == at].T @ rows[numpy.array(case["table"]) == at])
        for at in range(len(cost))
    )
    needs = [
        cvxpy.matrix_frac(row, told) <= limit
        for row, limit in zip(rows, case["limits"], strict=True)
        if limit is not None
    ]
    problem = cvxpy.Problem(cvxpy.Minimize(cost @ precisions), needs)
    problem.solve(solver=cvxpy.CLARABEL)
    return float(problem.value)


for line in sys.stdin:
    sys.stdout.write(json.dumps(least(json.loads(line))) + "\n")
