"""The source of the project as the tests of the house read it: every file listed, read and parsed once."""

from __future__ import annotations

import ast
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NOT_OURS = frozenset({".git", ".venv", ".venv-oracles", "build", "dist", "out", "__pycache__"})


@cache
def tracked() -> tuple[Path, ...]:
    """Return the files of the project: what git tracks or would, else everything but what no one writes by hand."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listing = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return tuple(path for path in sorted(ROOT.rglob("*")) if path.is_file() and not _is_made(path))
    names = [name for name in listing.stdout.decode().split("\0") if name]
    return tuple(sorted(path for path in (ROOT / name for name in names) if path.is_file()))


def _is_made(path: Path) -> bool:
    return any(part in NOT_OURS or part.endswith(("_cache", ".egg-info", ".hypothesis")) for part in path.parts)


@cache
def sources(*places: str) -> tuple[Path, ...]:
    """Return the files of Python in the folders (or of the names) at the root that PLACES name."""
    return tuple(path for path in tracked() if path.suffix == ".py" and path.relative_to(ROOT).parts[0] in places)


@cache
def tree(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text("utf-8"), str(path))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Return every node of the syntax tree of a file, as `ast.walk` yields them."""
    return tuple(ast.walk(tree(path)))


def place(path: Path, node: ast.AST) -> str:
    """Return where NODE stands, as an editor opens it: ``ui/session.py:12``."""
    return f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"


def called(node: ast.Call) -> str:
    """Return the name of what is called, without what stands before a point."""
    match node.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def module_name(path: Path) -> str:
    """Return the dotted name of a file, for instance ``dpwizard.decision.requirements.budget``."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def imported(path: Path) -> frozenset[str]:
    """Return the dotted names a file imports, wherever in the file: ``from a import b`` gives a and a.b."""
    package = module_name(path).split(".")
    found: set[str] = set()
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                up = package if path.name == "__init__.py" else package[:-1]
                base = ".".join([*up[: len(up) - node.level + 1], *([base] if base else [])])
            found.add(base)
            found.update(f"{base}.{alias.name}" for alias in node.names)
    return frozenset(found)
