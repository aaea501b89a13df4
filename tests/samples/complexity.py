"""How many ways lead through a function: McCabe's number, counted as radon counts it."""

from __future__ import annotations

import ast

BRANCHES = (ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.Assert, ast.Lambda)
Function = ast.FunctionDef | ast.AsyncFunctionDef


def complexity(function: Function) -> int:
    """Return one more than the number of branches in the function, those of functions within it included."""
    total = 1
    for node in ast.walk(function):
        match node:
            case ast.comprehension(ifs=conditions):
                total += 1 + len(conditions)
            case ast.BoolOp(values=values):
                total += len(values) - 1
            case ast.match_case():
                total += 1
            case _ if isinstance(node, BRANCHES):
                total += 1
    return total


def functions(nodes: tuple[ast.AST, ...]) -> list[Function]:
    """Return every function and method among the NODES of a module."""
    return [node for node in nodes if isinstance(node, Function)]
