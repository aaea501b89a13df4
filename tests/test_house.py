"""The rules of the house (CONTRIBUTING.md), read off the source: who imports whom, what the model touches, how long a
file is."""

from __future__ import annotations

import ast
import inspect
import json
import re
import subprocess
import sys
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator
from io import StringIO
from pathlib import Path

import pytest

from dpwizard.privacy import compute
from dpwizard.privacy.mechanisms import EXACT, MECHANISMS
from tests.samples.budgets import (
    COMPLEX,
    MOST_COMPLEX_FUNCTIONS,
    MOST_IMPORTS_IN_FUNCTIONS,
    MOST_LINES,
    MOST_SHORT_FILES_OF_THE_WINDOW,
    SHORT_FILE,
)
from tests.samples.complexity import complexity, functions
from tests.samples.source_tree import ROOT, imported, module_name, nodes, place, sources, tracked, tree

LONGEST_FILE = 500

QT = frozenset({"PySide6", "pyqtgraph", "shiboken6", "PyQt6"})
NETWORK = frozenset({"socket", "http", "urllib", "ftplib", "smtplib", "requests", "aiohttp", "httpx", "urllib3"})
CLOCK_AND_CHANCE = frozenset({"time", "random", "secrets", "uuid"})
# Only these may look at a clock or draw at random: the command line; what makes keys, signatures, files; what waits.
MAY_READ_CLOCK_OR_CHANCE = frozenset(
    {
        "cli.terminal",
        "signing.identity",
        "signing.bounded",
        "signing.record_folder",
        "base.file_lock",
        "projects.journal",
    }
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


def attribute_name(node: ast.AST) -> str:
    """Return ``datetime.now`` for the expression of that form, with the last two names only."""
    if isinstance(node, ast.Attribute):
        owner = node.value
        before = owner.attr if isinstance(owner, ast.Attribute) else owner.id if isinstance(owner, ast.Name) else ""
        return f"{before}.{node.attr}"
    return ""


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


def test_a_mechanism_is_asked_what_it_is_not_compared_by_its_name() -> None:
    # "exact" is the name of a bound on guessing, too: who compares that with a mechanism is found by review
    names = set(MECHANISMS) - {EXACT.name}
    # a function called gaussian; what two public functions assume; what public functions call each release
    allowed = {"composition.py": 1, "cost.py": 2, "functions.py": 8, "trade_offs.py": 6}
    found = Counter(
        path.name
        for path in sources("dpwizard", "ui", "main.py")
        if not module_name(path).startswith("dpwizard.privacy.mechanisms")
        for node in nodes(path)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in names
    )
    assert found == allowed, "ask the mechanism itself: dpwizard/privacy/mechanisms/base.py says what it knows"


def test_only_the_command_line_prints() -> None:
    prints = [
        place(path, node)
        for path in sources("dpwizard")
        if not module_name(path).startswith("dpwizard.cli.")
        for node in nodes(path)
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
        wrong += [place(path, node) for node in nodes(path) if attribute_name(node) in READS_CLOCK_OR_CHANCE]
    assert wrong == []


def test_no_file_is_longer_than_one_can_read_at_a_sitting() -> None:
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text("utf-8").splitlines())
        for path in tracked()
        if path.suffix == ".py"
    }
    assert {name: length for name, length in lengths.items() if length > LONGEST_FILE} == {}


def test_no_package_grows() -> None:
    lines: Counter[str] = Counter()
    for path in sources("dpwizard", "ui", "tests"):
        parts = path.relative_to(ROOT).parts
        lines["/".join(parts[:2]) if len(parts) > 2 else parts[0]] += len(path.read_text("utf-8").splitlines())
    over = {name: count for name, count in lines.items() if count > MOST_LINES.get(name, 0)}
    assert over == {}, "take something away: a budget in MOST_LINES is raised by a decision note alone"


def test_the_window_is_not_cut_into_more_small_files() -> None:
    small = [
        path
        for path in sources("ui")
        if path.name != "__init__.py" and len(path.read_text("utf-8").splitlines()) < SHORT_FILE
    ]
    assert len(small) <= MOST_SHORT_FILES_OF_THE_WINDOW, [str(path.relative_to(ROOT)) for path in small]


def test_no_more_functions_are_hard_to_follow() -> None:
    hard = [
        f"{place(path, each)} {each.name}: {complexity(each)}"
        for path in sources("dpwizard", "ui")
        for each in functions(nodes(path))
        if complexity(each) > COMPLEX
    ]
    assert len(hard) <= MOST_COMPLEX_FUNCTIONS, hard


@pytest.mark.parametrize("folder", MOST_IMPORTS_IN_FUNCTIONS)
def test_no_more_imports_stand_inside_functions(folder: str) -> None:
    inside = [
        place(path, node)
        for path in sources(folder)
        for each in functions(nodes(path))
        for node in each.body
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    assert len(inside) <= MOST_IMPORTS_IN_FUNCTIONS[folder], "import at the top, or say why not and take one away"


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


# with how libraries are found, run or held in memory; each once saved milliseconds, and one ended the process
TRICKS = {
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


# where Python itself hands over what catches errors nobody caught
HOOKS = {"sys.excepthook", "sys.unraisablehook", "threading.excepthook"}
DIGITS = "mp.mp.dps"  # mpmath's own switch: how many digits an oracle counts with
# a line that may set one, or set it in a roundabout way: the few files that have such lines are parsed
MAY_SET = re.compile(
    r"(?m)^\s*(?!self\.)[\w., ]+\.\w[\w., ]*(?::.*)?[-+*/|&%@]?=[^=]|setattr\(|delattr\(|^\s*del |\bas \w+\."
)


def test_nobody_sets_an_attribute_of_what_was_imported() -> None:
    # what one test leaves in a module, every test after it meets: pytest's monkeypatch gives it back
    found = []
    for path in sources("main.py", "dpwizard", "ui", "tests", "scripts", "packaging"):
        if not MAY_SET.search(path.read_text("utf-8")):
            continue
        imports = [node for node in nodes(path) if isinstance(node, ast.Import | ast.ImportFrom)]
        names = {alias.asname or alias.name.split(".")[0] for node in imports for alias in node.names}
        for node in nodes(path):
            match node:
                case ast.Attribute(ctx=ast.Store() | ast.Del()):
                    target = ast.unparse(node)
                case ast.Call(func=ast.Name(id="setattr" | "delattr"), args=[of, *_]):
                    target = f"{ast.unparse(of)}."
                case _:
                    continue
            if target.split(".")[0] in names and target not in HOOKS and not target.endswith(DIGITS):
                found.append(place(path, node))
    assert found == []


def test_no_test_is_skipped_or_expected_to_fail() -> None:
    marks = {"mark.skip", "mark.skipif", "mark.xfail", "pytest.skip", "pytest.xfail", "pytest.importorskip"}
    assert [
        place(path, node)
        for path in sources("tests")
        if re.search("skip|xfail", path.read_text("utf-8"))  # to parse them all takes longer than all else here
        for node in nodes(path)
        if attribute_name(node) in marks
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
        if "NotImplementedError" in path.read_text("utf-8")
        for node in nodes(path)
        if isinstance(node, ast.Name) and node.id == "NotImplementedError"
    ]
    assert left + stubs == []


PROMISED = {  # what the docstring of a function by name says
    "what it returns": r"\AReturns? ",
    "its arguments": r"\bArguments\b",
    "how exact it is, and on which side": r"(?i)\b(errors?|exact(ly)?|never "
    r"(above|below)|relative|bound|digits|rounded|safe side)\b",
    "what it raises": r"\bRaises\b",
    "its source": r"\bSource:",
}


@pytest.mark.parametrize("module", compute.MODULES)
def test_every_function_by_name_is_public_documented_and_takes_named_arguments(module: str) -> None:
    wrong = []
    for name, function in compute.functions(module).items():
        kinds = {parameter.kind for parameter in inspect.signature(function).parameters.values()}
        said = function.__doc__ or ""
        for what, pattern in PROMISED.items():
            if not re.search(pattern, said) and (what != "its arguments" or kinds):
                wrong.append(f"{name} does not say {what}")
        if kinds - {inspect.Parameter.KEYWORD_ONLY}:
            wrong.append(f"{name} takes arguments by position")
    assert wrong == []


def test_every_public_function_of_the_mathematics_can_be_called_by_name() -> None:
    marked = {
        node.name
        for path in sources("dpwizard")
        if module_name(path).startswith("dpwizard.privacy.")
        for node in tree(path).body
        if isinstance(node, ast.FunctionDef)
        and any(isinstance(mark, ast.Name) and mark.id == "public" for mark in node.decorator_list)
    }
    made = {name for name in compute.functions("accuracy") if name not in marked}  # one for each statistic, by_name.py
    assert made
    assert marked | made == {name for module in compute.MODULES for name in compute.functions(module)}


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


def test_every_note_of_method_and_theorem_that_the_source_cites_is_there() -> None:
    missing = []
    for path in sources("dpwizard", "ui"):
        prose = " ".join(path.read_text("utf-8").split())
        for name, theorem in re.findall(r"docs/methods/(\w+\.md)(?:, (Theorem \d))?", prose):
            note = ROOT / "docs" / "methods" / name
            if not note.is_file() or (theorem and f"\n### {theorem}\n" not in note.read_text("utf-8")):
                missing.append(f"{path.relative_to(ROOT)}: {name} {theorem}")
    assert missing == []
