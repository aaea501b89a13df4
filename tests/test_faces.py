"""What the packages offer one another: each has a face, its __init__.py, and others import nothing else of it."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

from dpwizard.privacy import compute
from tests.samples.source_tree import module_name, nodes, place, sources, tree

CLOSED = frozenset({"dpwizard", "ui", "dpwizard.base", "dpwizard.privacy"})
PACKAGES = tuple(
    module_name(path) for path in sources("dpwizard", "ui") if path.name == "__init__.py" and len(path.parts) > 2
)


def package_of(name: str) -> str:
    """Return the package with a face that the module NAME belongs to: the innermost one that lies open to others."""
    inside = [package for package in PACKAGES if name == package or name.startswith(f"{package}.")]
    return max((package for package in inside if package not in CLOSED), key=len, default="")


def test_packages_import_the_faces_of_others_not_their_parts() -> None:
    # an import inside a function is one that is put off, of a module that brings a heavy library with it
    wrong, modules = [], {module_name(path) for path in sources("dpwizard", "ui")}
    for path in sources("dpwizard", "ui", "main.py"):
        own = package_of(module_name(path))
        for node in tree(path).body:
            if isinstance(node, ast.ImportFrom) and node.module:
                other = package_of(node.module)
                if other and other not in (own, node.module) and not own.startswith(other):
                    wrong.append(f"{place(path, node)} imports {node.module}")
                parts = {f"{node.module}.{alias.name}" for alias in node.names}
                if node.module == own != module_name(path) and not parts <= modules:  # a ring the linter does not see
                    wrong.append(f"{place(path, node)} imports the face of its own package")
    assert wrong == []


def faces() -> dict[str, Path]:
    """Return the files in which packages say what they offer to others, by package."""
    found = {module_name(path): path for path in sources("dpwizard", "ui") if path.name == "__init__.py"}
    return {name: path for name, path in found.items() if name not in CLOSED}


def offered(path: Path) -> set[str]:
    """Return what a face offers: what its __all__ names; without one, all that it imports or makes."""
    made, listed = set(), None
    for node in tree(path).body:
        if isinstance(node, ast.ImportFrom):
            made |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            made.add(node.name)
        elif isinstance(node, ast.Assign):
            name = ast.unparse(node.targets[0])
            made.add(name)
            listed = set(ast.literal_eval(node.value)) if name == "__all__" else listed
    return made if listed is None else listed


def test_a_face_offers_what_is_imported_from_it() -> None:
    names = {package: found for package, path in faces().items() if (found := offered(path))}
    wrong = [
        f"{place(path, node)}: {node.module} does not offer {alias.name}"
        for path in sources("dpwizard", "ui", "main.py")
        for node in nodes(path)
        if isinstance(node, ast.ImportFrom) and node.module in names and package_of(module_name(path)) != node.module
        for alias in node.names
        if alias.name not in names[node.module]
    ]
    assert wrong == []


def test_a_face_that_lists_nothing_offers_only_what_others_ask_for() -> None:
    asked = {path: set(re.findall(r"\w+", path.read_text("utf-8"))) for path in sources("dpwizard", "ui", "tests")}
    by_name = {name for module in compute.MODULES for name in compute.functions(module)}
    unasked = []
    for package, face in faces().items():
        here = Counter(re.findall(r"\w+", face.read_text("utf-8")))  # what stands there more than once is used there
        once = [name for name in sorted(offered(face) - by_name) if here[name] == 1 and "__all__" not in here]
        elsewhere = [words for path, words in asked.items() if face.parent not in path.parents]
        unasked += [f"{package}.{name}" for name in once if not any(name in words for words in elsewhere)]
    assert unasked == []
