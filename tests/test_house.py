"""The rules of the house (CONTRIBUTING.md), read off the source: who imports whom, what the model touches, how long a file is."""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import re
import subprocess
import sys
import tokenize
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from io import StringIO
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LONGEST_FILE = 600

# Imports point from a later line to an earlier one. Modules that are not named here are helpers: they may stand
# anywhere, but what a named module reaches through them counts as its own import, and nothing may go round in a circle.
LAYERS = (
    ("errors",),
    ("fields",),
    ("numerics",),
    ("mechanisms", "priors", "profiles"),
    ("relative_risk", "privacy_at_risk", "guessing_advantage", "persuasive_privacy", "composition", "accuracy"),
    ("release",),
    ("requirement",),
    ("requirements.*",),
    ("requirements",),
    ("decision",),
    ("steps",),
    ("assessment",),
    ("influence",),
    ("record",),
    ("report", "exports", "signing"),
    ("cli",),
)
MATHEMATICS = LAYERS[4]
NEIGHBOURS_MAY_MEET = frozenset(MATHEMATICS) | frozenset(LAYERS[3]) | {"report", "exports", "signing"}

QT = frozenset({"PySide6", "pyqtgraph", "shiboken6", "PyQt6"})
NETWORK = frozenset({"socket", "http", "urllib", "ftplib", "smtplib", "requests", "aiohttp", "httpx", "urllib3"})
CLOCK_AND_CHANCE = frozenset({"time", "random", "secrets", "uuid"})
# Only these may look at a clock or draw at random: the command line, and what makes keys, signatures and files.
MAY_READ_CLOCK_OR_CHANCE = frozenset(
    {
        "cli",
        "record",
        "signing",
        "signatures.identity",
        "signatures.key_file",
        "signatures.certificates",
        "files",
        "project",
    }
    | {"projects.lock", "projects.journal"}
)
READS_CLOCK_OR_CHANCE = frozenset(
    {
        "datetime.now",
        "datetime.utcnow",
        "datetime.today",
        "date.today",
        "os.urandom",
        "np.random",
        "numpy.random",
        "os.getrandom",
    }
)


# ------------------------------------------------------------------------------------ reading source


@cache
def tracked() -> tuple[Path, ...]:
    """Return the files of the project: what git tracks or would, else everything but what no one writes by hand."""
    try:
        listing = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        passed = {".git", ".venv", ".venv-oracles", "build", "dist", "out", "__pycache__"}
        return tuple(
            path
            for path in sorted(ROOT.rglob("*"))
            if path.is_file()
            and not any(part in passed or part.endswith(("_cache", ".egg-info", ".hypothesis")) for part in path.parts)
        )
    names = [name for name in listing.stdout.decode().split("\0") if name]
    return tuple(sorted(path for path in (ROOT / name for name in names) if path.is_file()))


def sources(*folders: str) -> tuple[Path, ...]:
    return tuple(path for path in tracked() if path.suffix == ".py" and path.relative_to(ROOT).parts[0] in folders)


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"), str(path))


def module_name(path: Path) -> str:
    """Return the dotted name of a file, for instance ``dpwizard.decision.requirements.budget``."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(path: Path) -> set[str]:
    """Return the dotted names a file imports, wherever in the file: ``from a import b`` gives a and a.b."""
    package = module_name(path).split(".")
    found: set[str] = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                up = package if path.name == "__init__.py" else package[:-1]
                base = ".".join([*up[: len(up) - node.level + 1], *([base] if base else [])])
            found.add(base)
            found.update(f"{base}.{alias.name}" for alias in node.names)
    return found


@cache
def own_imports() -> Mapping[str, frozenset[str]]:
    """Return, for each module of the model, the modules of the model it imports (without the package's own name)."""
    paths = {module_name(path): path for path in sources("dpwizard")}
    graph = {}
    for name, path in paths.items():
        reached = {other for other in imported(path) if other in paths and other not in ("dpwizard", name)}
        # `from dpwizard.decision.requirements import budget` is an import of budget; of its package only if a name of the package is taken
        graph[name.removeprefix("dpwizard.")] = frozenset(other.removeprefix("dpwizard.") for other in reached)
    return graph


def rank(name: str) -> int | None:
    """Return the layer of a module of the model, or None for a helper."""
    for position, layer in enumerate(LAYERS):
        if name in layer or (name.startswith("requirements.") and "requirements.*" in layer):
            return position
    return None


def reached(name: str) -> dict[str, tuple[str, ...]]:
    """Return the named modules that NAME reaches through helpers alone, each with the way there."""
    found: dict[str, tuple[str, ...]] = {}
    waiting = [(other, (name, other)) for other in own_imports()[name]]
    seen = {name}
    while waiting:
        other, way = waiting.pop()
        if other in seen:
            continue
        seen.add(other)
        if rank(other) is not None:
            found[other] = way
        else:
            waiting.extend((further, (*way, further)) for further in own_imports()[other])
    return found


def attribute_name(node: ast.AST) -> str:
    """Return ``datetime.now`` for the expression of that form, with the last two names only."""
    if isinstance(node, ast.Attribute):
        owner = node.value
        before = owner.attr if isinstance(owner, ast.Attribute) else owner.id if isinstance(owner, ast.Name) else ""
        return f"{before}.{node.attr}"
    return ""


def place(path: Path, node: ast.AST) -> str:
    return f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"


def uses(folder: str, forbidden: Iterable[str]) -> list[str]:
    """Return "file imports package" for each import of a forbidden top-level package."""
    names = frozenset(forbidden)
    return [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in sources(folder)
        for name in sorted(imported(path))
        if name.split(".")[0] in names
    ]


# ---------------------------------------------------------------------------------------- the rules


def test_the_model_imports_no_qt() -> None:
    assert uses("dpwizard", QT) == []


def test_the_program_opens_no_network_connection() -> None:
    assert uses("dpwizard", NETWORK) + uses("ui", NETWORK) == []


def test_imports_in_the_model_point_downward() -> None:
    wrong = []
    for name in own_imports():
        own = rank(name)
        if own is None:
            continue
        for other, way in reached(name).items():
            theirs = rank(other)
            assert theirs is not None
            same_layer_allowed = theirs == own and {name, other} <= NEIGHBOURS_MAY_MEET
            if theirs >= own and not same_layer_allowed:
                wrong.append(" -> ".join(way))
    assert wrong == []


def test_no_modules_of_the_model_import_one_another_in_a_circle() -> None:
    graph = own_imports()
    finished: set[str] = set()
    circles: list[str] = []

    def follow(name: str, way: tuple[str, ...]) -> None:
        if name in way:
            circles.append(" -> ".join((*way[way.index(name) :], name)))
        elif name not in finished:
            for other in sorted(graph[name]):
                follow(other, (*way, name))
            finished.add(name)

    for name in sorted(graph):
        follow(name, ())
    assert circles == []


def test_requirement_files_never_import_one_another() -> None:
    wrong = [
        f"{name} -> {other}"
        for name, others in own_imports().items()
        for other in others
        if name.startswith("requirements.") and other.startswith("requirements")
    ]
    assert wrong == []


@pytest.mark.parametrize(("room", "base"), [("pages", "page"), ("panels", "panel")])
def test_pages_and_panels_never_import_their_own_kind(room: str, base: str) -> None:
    inside = f"ui.{room}"
    shared = f"{inside}.{base}"  # the class they are all built on
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in sources("ui")
        if module_name(path).startswith(f"{inside}.")
        for name in imported(path)
        if name.startswith(f"{inside}.") and name != shared and not name.startswith(f"{shared}.")
    ]
    assert wrong == []


def test_the_views_never_import_the_command_line_and_the_model_never_the_views() -> None:
    views = [f"{path.relative_to(ROOT)}" for path in sources("ui") if "dpwizard.cli" in imported(path)]
    model = uses("dpwizard", {"ui", "main", "tests", "benchmarks"})
    assert views + model == []


def test_only_the_command_line_prints() -> None:
    prints = [
        place(path, node)
        for path in sources("dpwizard")
        if module_name(path) != "dpwizard.cli"
        for node in ast.walk(tree(path))
        if (isinstance(node, ast.Name) and node.id == "print") or attribute_name(node) in ("sys.stdout", "sys.stderr")
    ]
    assert prints == []


def test_the_model_reads_no_clock_and_draws_nothing_at_random() -> None:
    wrong = []
    for path in sources("dpwizard"):
        if module_name(path).removeprefix("dpwizard.") in MAY_READ_CLOCK_OR_CHANCE:
            continue
        wrong += [
            f"{path.relative_to(ROOT)} imports {name}"
            for name in imported(path)
            if name.split(".")[0] in CLOCK_AND_CHANCE
        ]
        wrong += [place(path, node) for node in ast.walk(tree(path)) if attribute_name(node) in READS_CLOCK_OR_CHANCE]
    assert wrong == []


def test_no_file_is_longer_than_one_can_read_at_a_sitting() -> None:
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text("utf-8").splitlines())
        for path in tracked()
        if path.suffix == ".py"
    }
    assert {name: length for name, length in lengths.items() if length > LONGEST_FILE} == {}


def test_every_module_is_named_for_what_it_holds() -> None:
    nameless = {"utils", "util", "helpers", "common", "misc", "manager", "base_classes"}
    assert [str(path.relative_to(ROOT)) for path in tracked() if path.suffix == ".py" and path.stem in nameless] == []


def test_no_tool_is_silenced() -> None:
    silence = re.compile(r"#\s*(?:type:\s*ignore|noqa|mypy:|ruff:|pylint:|pyright:|pragma:\s*no)")
    silenced = []
    for path, text in texts():
        if path.suffix in (".py", ".spec") and silence.search(text):
            comments = (
                token for token in tokenize.generate_tokens(StringIO(text).readline) if token.type == tokenize.COMMENT
            )
            silenced += [
                f"{path.relative_to(ROOT)}:{token.start[0]}: {token.string}"
                for token in comments
                if silence.search(token.string)
            ]
    assert silenced == []


TRICKS = {  # with how libraries are found, run or held in memory; each once saved milliseconds, and one ended the process
    "finders of modules of our own": r"\bmeta_path\b|\bpath_hooks\b|\bimportlib\.abc\b|\bLazyLoader\b",
    "an import in the place of Python's": r"\b__import__\b|\b__orig_import__\b",
    "false modules": r"\bsys\.modules\[[^]]+\]\s*=|\bsys\.modules\.(?:update|setdefault)\b|\bModuleType\(",
    "looks into a caller's frame": r"\b_getframe\b|\b_current_frames\b|\bcurrentframe\b",
    "a collector told what to do": r"\bgc\.(?:freeze|unfreeze|disable|enable|set_threshold)\b",
    "memory handled for the C library": r"\bmallopt\b|\bmalloc_trim\b|\bMALLOC_",
    "installed packages changed": r"\bSBK_EMBED\b|\bfiles\.dir\b",
}


@pytest.mark.parametrize("what", TRICKS)
def test_the_program_and_what_builds_it_play_no_tricks_on_libraries_or_on_python(what: str) -> None:
    places = ("main.py", "build.spec", "Makefile", "dpwizard", "ui", "scripts", "packaging", "benchmarks")
    pattern = re.compile(TRICKS[what])
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path, text in texts()
        if path.relative_to(ROOT).parts[0] in places
        for number, line in enumerate(text.splitlines(), 1)
        if pattern.search(line)
    ]
    assert found == []


def test_no_test_is_skipped_or_expected_to_fail() -> None:
    marks = {"mark.skip", "mark.skipif", "mark.xfail", "pytest.skip", "pytest.xfail", "pytest.importorskip"}
    assert [
        place(path, node) for path in sources("tests") for node in ast.walk(tree(path)) if attribute_name(node) in marks
    ] == []


def test_every_abstract_method_of_a_qt_class_is_said_by_its_subclasses() -> None:
    # abc cannot see to it: Qt's classes have a metaclass of their own, and are made without asking
    classes = {node.name: node for path in sources("ui") for node in tree(path).body if isinstance(node, ast.ClassDef)}
    methods = {
        name: {each.name: each for each in node.body if isinstance(each, ast.FunctionDef)}
        for name, node in classes.items()
    }
    bases = {
        name: [each.id for each in node.bases if isinstance(each, ast.Name) and each.id in classes]
        for name, node in classes.items()
    }
    owned = {base for several in bases.values() for base in several}

    def said(name: str) -> dict[str, ast.FunctionDef]:
        found: dict[str, ast.FunctionDef] = {}
        for base in reversed(bases[name]):
            found |= said(base)
        return found | methods[name]

    missing = [
        f"{name}.{method.name}"
        for name in classes
        if name not in owned
        for method in said(name).values()
        if any(isinstance(part, ast.Raise) and "NotImplementedError" in ast.unparse(part) for part in method.body)
    ]
    assert missing == []


def test_nothing_is_left_to_be_written() -> None:
    open_points = re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X)\b")
    left = [
        str(path.relative_to(ROOT))
        for path in tracked()
        if path.suffix == ".py" and open_points.search(path.read_text("utf-8"))
    ]
    stubs = [
        place(path, node)
        for path in sources("dpwizard", "benchmarks", "scripts", "packaging")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Name) and node.id == "NotImplementedError"
    ]
    assert left + stubs == []


PROMISED = {  # what the docstring of a function by name says
    "what it returns": r"\AReturns? ",
    "its arguments": r"\bArguments\b",
    "how exact it is, and on which side": r"(?i)\b(errors?|exact(ly)?|never (above|below)|relative|bound|digits|rounded|safe side)\b",
    "what it raises": r"\bRaises\b",
    "its source": r"\bSource:",
}
WRITTEN = tuple(name for name in MATHEMATICS if (ROOT / "dpwizard" / f"{name}.py").exists())


def functions_by_name(module: str) -> Iterator[tuple[str, Callable[..., object]]]:
    found = importlib.import_module(f"dpwizard.{module}")
    for name in found.__all__:
        thing = getattr(found, name)
        if inspect.isroutine(thing):
            yield name, thing


@pytest.mark.parametrize("module", WRITTEN)
def test_every_function_by_name_is_public_documented_and_takes_named_arguments(module: str) -> None:
    wrong = []
    for name, function in functions_by_name(module):
        kinds = {parameter.kind for parameter in inspect.signature(function).parameters.values()}
        if not getattr(function, "is_public", False):
            wrong.append(f"{name} is not marked @public")
        said = function.__doc__ or ""
        for what, pattern in PROMISED.items():
            if not re.search(pattern, said) and (what != "its arguments" or kinds):
                wrong.append(f"{name} does not say {what}")
        if kinds - {inspect.Parameter.KEYWORD_ONLY}:
            wrong.append(f"{name} takes arguments by position")
    assert wrong == []


@pytest.mark.parametrize("module", WRITTEN)
def test_every_public_function_of_a_mathematics_module_can_be_called_by_name(module: str) -> None:
    path = ROOT / "dpwizard" / f"{module}.py"
    marked = {
        node.name
        for node in tree(path).body
        if isinstance(node, ast.FunctionDef)
        and any(isinstance(mark, ast.Name) and mark.id == "public" for mark in node.decorator_list)
    }
    assert marked - set(importlib.import_module(f"dpwizard.{module}").__all__) == set()


def test_the_command_line_starts_without_qt_and_without_the_heavy_libraries() -> None:
    code = "import json, sys, dpwizard.cli; print(json.dumps(sorted({name.split('.')[0] for name in sys.modules})))"
    finished = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(json.loads(finished.stdout))
    assert loaded & (QT | {"scipy", "pyhanko", "typst"}) == set()


# ------------------------------------------------------------------------------- what lies in the tree


def texts() -> Iterator[tuple[Path, str]]:
    for path in tracked():
        try:
            yield path, path.read_text("utf-8")
        except UnicodeDecodeError:
            continue  # a font or a picture


def test_nothing_names_a_package_index_or_the_machine_it_was_written_on() -> None:
    hosts = r"pypi\." + r"org|python" + r"hosted|registry\.npm" + r"js|(?:index-url|find-links)[ =]+\S*[:/]/"
    folders = r"(?<![\w.])/(?:ro" + r"ot|wo" + r"rk|ho" + r"me|Us" + r"ers|op" + r"t/py)\w*/\w"
    pattern = re.compile(f"{hosts}|{folders}|[A-Z]:" + r"\\{1,2}Us" + "ers", re.IGNORECASE)
    found = []
    for path, text in texts():
        for number, line in enumerate(text.splitlines(), 1):
            if pattern.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}")
    assert found == []


def test_every_requirement_is_pinned_with_its_hashes() -> None:
    loose = []
    for path in sorted((ROOT / "requirements").glob("*.txt")):
        joined = path.read_text("utf-8").replace("\\\n", " ")
        for line in joined.splitlines():
            text = line.strip()
            if (
                text
                and not text.startswith("#")
                and not re.match(r"^[\w.-]+==[^ ]+ .*--hash=sha256:[0-9a-f]{64}", text)
            ):
                loose.append(f"{path.name}: {text[:60]}")
    assert loose == []


def anchors(text: str) -> set[str]:
    """Return the anchors of a Markdown text's headings."""
    headings = re.findall(r"^#{1,6} +(.+?) *#*$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_link_between_documents_leads_somewhere() -> None:
    broken = []
    for path, text in texts():
        if path.suffix != ".md":
            continue
        prose = re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.DOTALL)
        for target in re.findall(r"\]\(([^)\s]+)\)", prose):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            goal = (path.parent / name).resolve() if name else path
            if not goal.exists() or (
                anchor and goal.suffix == ".md" and anchor not in anchors(goal.read_text("utf-8"))
            ):
                broken.append(f"{path.relative_to(ROOT)}: {target}")
    assert broken == []


def test_every_module_of_the_model_has_its_place_in_the_guide_for_contributors() -> None:
    named = set(re.findall(r"`([a-z0-9_]+)(?:\.py)?`", (ROOT / "CONTRIBUTING.md").read_text("utf-8")))
    missing = (
        {path.stem for path in (ROOT / "dpwizard").rglob("*.py") if path.parent.name != "requirements"}
        - named
        - {"__init__"}
    )
    assert missing == set(), "say in CONTRIBUTING.md which room each of these serves"
