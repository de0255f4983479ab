"""The layers of the code: imports run downwards, packages form no cycles, and a name means one thing."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# From the bottom up: a package or module imports only what stands above its own line here.
LAYERS: Mapping[str, tuple[str, ...]] = {
    "runs": (
        "analysis",  # numbers from runs: pure functions
        "models",
        "presentation",  # numbers, texts, charts
        "access",  # accounts, audit log
        "data",  # what pages and jobs read
        "jobs",  # background work
        "operations",  # of evaluations
        "work",  # of workers: runs, generations
        "judging",  # of runs, by judges, people and earlier runs
        "rankings",  # of agents
        "reporting",  # topics, reports
        "play",  # people as agents
        "transfer",  # exports and imports of runs
        "intake",  # what others send
        "api",
        "views",
        "templatetags",
        "management",
        "admin_pages",
        "admin",
        "apps",
        "urls",
    ),
    "harness": (
        "version",
        "errors",
        "background",
        "scratch",
        "archive_stream",
        "pictures",
        "redaction",
        "limits",
        "searching",  # untrusted regular expressions
        "patches",
        "functions",  # of source files
        "tools",
        "toolbox",
        "dataset",
        "records",
        "llm",
        "sandbox",
        "users",
        "host_tools",  # tools that work on the host
        "session",
        "agents",
        "grading",
        "submissions",
        "execute",
        "judges",
        "evaluation",
        "admission",
        "commands",
        "cli",
        "__main__",
    ),
}

MAX_FILES = 20
MAX_LOOSE_MODULES = 8  # directly in runs/
MAX_PACKAGES_OF_RUNS = 26  # with the modules beside them
MAX_LAYERS_OF_RUNS = 13
MAX_FUNCTION_LENGTH = 60  # lines, with its docstring

# Names that Django, its commands and its nested classes prescribe.
PRESCRIBED_MODULES = {"__init__", "models", "urls", "admin", "apps"}
PRESCRIBED_CLASSES = {"Command"}


def sources(package: str) -> list[Path]:
    """The Python files of a package, without migrations and test data."""
    files = [path for path in sorted((ROOT / package).rglob("*.py")) if "migrations" not in path.parts]
    assert files, f"{package} holds no Python"
    return files


def imports_of(path: Path) -> Iterator[str]:
    """Every module that a file imports, wherever in the file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            # `from package import module` imports the module, too.
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def module_of(path: Path) -> tuple[str, ...]:
    """The dotted name of a file, in parts; of `__init__.py`, that of its package."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts


def offences(package: str, forbidden: set[str]) -> list[str]:
    """`file imports module` for each import of a forbidden top-level package or dotted module."""
    return [
        f"{path.relative_to(ROOT)} imports {module}"
        for path in sources(package)
        for module in imports_of(path)
        if any(module == name or module.startswith(f"{name}.") for name in forbidden)
    ]


@pytest.mark.parametrize(
    ("package", "forbidden"),
    [
        ("harness", {"django", "django_rq", "rq", "redis", "benchbench", "runs", "tasks"}),
        ("harness/tools/inside", {"harness", "pydantic", "docker", "litellm"}),
        ("harness/toolbox", {"harness", "pydantic", "docker", "litellm"}),
        ("harness/sandbox", {"litellm"}),
        ("harness/grading", {"harness.agents", "litellm"}),
        ("harness/agents", {"litellm"}),
        ("tasks", {"runs", "benchbench", "litellm"}),
        ("tasks/generation", {"django", "tasks.models", "tasks.loading"}),
        ("runs/analysis", {"django", "runs.models", "tasks", "harness.sandbox"}),
        ("runs", {"benchbench", "litellm"}),
        ("benchbench", {"litellm", "docker"}),
    ],
)
def test_a_package_imports_nothing_that_it_must_not_know(package: str, forbidden: set[str]) -> None:
    assert offences(package, forbidden) == []


def test_only_one_module_imports_litellm() -> None:
    users = {line.split(" ")[0] for line in offences("harness", {"litellm"})}
    assert users <= {"harness/llm/provider.py"}


@pytest.mark.parametrize("package", LAYERS)
def test_every_import_runs_down_the_layers(package: str) -> None:
    order = {name: place for place, name in enumerate(LAYERS[package])}
    upward = []
    for path in sources(package):
        module = module_of(path)
        if len(module) == 1:  # the package's own __init__ names what other programs use
            continue
        assert module[1] in order, f"{path.relative_to(ROOT)}: add {module[1]} to LAYERS"
        for imported in imports_of(path):
            name = imported.split(".")
            if name[0] == package and len(name) > 1 and order.get(name[1], -1) > order[module[1]]:
                upward.append(f"{path.relative_to(ROOT)} imports {imported}")
    assert upward == []


@pytest.mark.parametrize("package", LAYERS)
def test_the_parts_of_a_package_form_no_cycle(package: str) -> None:
    """Of each package at any depth: its modules and subpackages, seen as one node each."""
    modules = {module_of(path): path for path in sources(package)}
    arrows: dict[tuple[str, ...], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for module, path in modules.items():
        for imported in imports_of(path):
            target = tuple(imported.split("."))
            if target not in modules:
                continue
            depth = next(
                (i for i, pair in enumerate(zip(module, target, strict=False)) if pair[0] != pair[1]), None
            )
            if depth is not None:
                arrows[module[:depth]][module[depth]].add(target[depth])
    cycles = {".".join(place): found for place, parts in arrows.items() if (found := _cycle(parts))}
    assert cycles == {}


def _cycle(arrows: Mapping[str, set[str]]) -> set[str]:
    """What remains when whatever imports nothing that remains is taken away, again and again."""
    remaining = set(arrows)
    while free := {name for name in remaining if not arrows[name] & remaining}:
        remaining -= free
    return remaining


def test_the_packages_are_small_enough_to_survey() -> None:
    counts: dict[str, int] = defaultdict(int)
    for package in LAYERS:
        for path in sources(package):
            if not path.stem.startswith("__"):
                counts[str(path.parent.relative_to(ROOT))] += 1
    assert {name: count for name, count in counts.items() if count > MAX_FILES} == {}
    assert counts["runs"] <= MAX_LOOSE_MODULES


def test_runs_has_few_packages_on_few_layers() -> None:
    arrows: dict[str, set[str]] = {}
    for path in (ROOT / "runs").rglob("*.py"):
        module = module_of(path)
        if len(module) > 1:
            parts = {name.split(".")[1] for name in imports_of(path) if name.startswith("runs.")}
            arrows.setdefault(module[1], set()).update(parts - {module[1]})
    assert len(arrows) <= MAX_PACKAGES_OF_RUNS
    assert _height(arrows) <= MAX_LAYERS_OF_RUNS


def _height(arrows: Mapping[str, set[str]]) -> int:
    """The number of layers: a package lies on the layer above the highest one that it imports."""
    remaining = set(arrows)
    layers = 0
    while remaining:
        lowest = {name for name in remaining if not arrows[name] & remaining}
        assert lowest, f"{sorted(remaining)} form a cycle"
        remaining -= lowest
        layers += 1
    return layers


def test_no_two_modules_of_runs_share_a_name() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for path in sources("runs"):
        # Commands are named as they are called: manage.py NAME
        if path.stem not in PRESCRIBED_MODULES and path.parent.name != "commands":
            places[path.stem].append(str(path.relative_to(ROOT)))
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_no_two_classes_of_runs_share_a_name() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for path in sources("runs"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and node.name not in PRESCRIBED_CLASSES:
                places[node.name].append(str(path.relative_to(ROOT)))
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


# Checks of a whole: the harness under attack, its documents, its public names, the recorded bodies of providers.
WHOLE = {
    "tests/harness/test_attacks_reading.py",
    "tests/harness/test_attacks_replies.py",
    "tests/harness/test_attacks_voiding.py",
    "tests/harness/test_attacks_writing.py",
    "tests/harness/test_docs.py",
    "tests/harness/test_taking_part.py",
    "tests/harness/test_public.py",
    "tests/harness/test_recorded_outputs.py",
    "tests/harness/test_recordings.py",
    "tests/harness/grading/parsers/test_recorded_outputs.py",
}


@pytest.mark.parametrize("package", ["runs", "harness", "tasks", "benchbench"])
def test_each_test_file_is_named_after_its_module_and_lies_beside_it(package: str) -> None:
    """`tests/a/test_b.py` or `test_b_<aspect>.py` tests the module or package `a/b`, or the package `a` itself."""
    strays = []
    for path in sorted((ROOT / "tests" / package).rglob("test_*.py")):
        place = path.relative_to(ROOT)
        if str(place) in WHOLE or "outputs" in place.parts:
            continue
        home = ROOT.joinpath(*place.parts[1:-1])
        subjects = {found.stem for found in home.glob("*")} | {home.name}
        name = place.stem.removeprefix("test_")
        if not any(name == subject or name.startswith(f"{subject}_") for subject in subjects):
            strays.append(str(place))
    assert strays == []


# Modules without logic of their own, or whose only call another test makes in a real process.
WITHOUT_TESTS = {
    "benchbench/formats/en/formats.py",
    "benchbench/web_hooks.py",  # tests/benchbench/test_garbage.py
    "benchbench/wsgi.py",
    "harness/__main__.py",
    "harness/agents/base.py",
    "harness/llm/spec.py",
    "runs/analysis/method.py",
    "runs/api/schemas/catalogue_schemas.py",
    "runs/api/schemas/comparison_schemas.py",
    "runs/api/schemas/result_schemas.py",
    "runs/management/commands/answer.py",  # tests/runs/reporting/topics/test_computing.py
}
PRESCRIBED_WITHOUT_TESTS = {"__init__.py", "apps.py", "urls.py"}


@pytest.mark.parametrize("package", ["runs", "harness", "tasks", "benchbench"])
def test_each_module_has_a_test_file_of_its_name(package: str) -> None:
    """`a/b.py` is tested by `tests/a/test_b.py` or `test_b_<aspect>.py`; parsers by `WHOLE`'s recorded outputs."""
    missing = []
    for path in sources(package):
        place = path.relative_to(ROOT)
        exempt = place.name in PRESCRIBED_WITHOUT_TESTS or "parsers" in place.parts
        home = ROOT / "tests" / place.parent
        names = {found.stem for found in home.glob("test_*.py")}
        own = f"test_{place.stem}"
        if not exempt and not any(name == own or name.startswith(f"{own}_") for name in names):
            missing.append(str(place))
    assert set(missing) == {name for name in WITHOUT_TESTS if name.startswith(f"{package}/")}


def test_functions_are_short() -> None:
    lengths = {
        f"{path.relative_to(ROOT)}: {node.name}": (node.end_lineno or node.lineno) - node.lineno + 1
        for package in (*LAYERS, "tasks", "benchbench")
        for path in sources(package)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
    }
    assert {name: lines for name, lines in lengths.items() if lines > MAX_FUNCTION_LENGTH} == {}
