"""Reading `verifiers.toml`."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.dataset.model import Problem
from harness.dataset.verifier_kinds import (
    BuildTask,
    ChatOrToolRegexp,
    ChatRegexp,
    Coverage,
    ExactFiles,
    FilePair,
    Metric,
    NewFileRegexp,
    NoChanges,
    NoFileErrors,
    Occurrences,
    RunTests,
    SourceRegexp,
    Tool,
    Unit,
    Verifier,
    YesChanges,
)
from harness.dataset.verifiers import MAX_PATTERN, MAX_VERIFIERS, read_verifiers


class _Problems:
    def __init__(self) -> None:
        self.found: list[Problem] = []

    def problem(self, path: Path, where: str, reason: str) -> None:
        self.found.append(Problem(path, where, reason))


def read(directory: Path, text: str) -> tuple[tuple[Verifier, ...], list[str]]:
    """The verifiers, and the problems as `field: reason`."""
    path, problems = directory / "tasks/talk/verifiers.toml", _Problems()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    verifiers = read_verifiers(problems, path)
    assert {problem.path for problem in problems.found} <= {path}
    return verifiers, [f"{problem.where}: {problem.reason}" for problem in problems.found]


EXAMPLES: dict[str, Verifier] = {
    "kind = 'no_changes'": NoChanges("it"),
    "kind = 'no_changes'\nallowed = ['docs/']\nforbidden = ['docs/a.md']": NoChanges(
        "it", ("docs/",), ("docs/a.md",)
    ),
    "kind = 'yes_changes'\ntargets = ['src/**/*.py']": YesChanges("it", ("src/**/*.py",)),
    "kind = 'exact_files'\npairs = [{path = 'a.py', reference = 'expected/a.py'}, {path = 'b.py'}]\ntrim = true": (
        ExactFiles("it", (FilePair("a.py", "expected/a.py"), FilePair("b.py", "b.py")), trim=True)
    ),
    "kind = 'chat_regexp'\npattern = '(?i)done'": ChatRegexp("it", Occurrences("(?i)done")),
    "kind = 'chat_or_tool_regexp'\npattern = 'pytest'\nexpected = 2": ChatOrToolRegexp(
        "it", Occurrences("pytest", 2)
    ),
    "kind = 'source_regexp'\npath = 'a.py'\npattern = 'old'\nexpected = 0\nstrict = true\nuncommented_only = true": (
        SourceRegexp("it", "a.py", Occurrences("old", 0, strict=True), uncommented_only=True)
    ),
    "kind = 'new_file_regexp'\npattern = 'tests/test_.+'": NewFileRegexp("it", "tests/test_.+"),
    "kind = 'run_tests'": RunTests("it"),
    "kind = 'run_tests'\ncommand = 'pytest'\nreport = 'pytest'": RunTests("it", "pytest", "pytest"),
    "kind = 'coverage'\ncommand = 'make cover'\nminimum = 80": Coverage("it", "make cover", 80.0),
    (
        "kind = 'coverage'\ncommand = 'c'\nminimum = 50.5\nunit = 'file'\ntarget = 'src/**'\nmetric = 'branch'\n"
        "report = 'jacoco.xml'"
    ): Coverage("it", "c", 50.5, Unit.FILE, Metric.BRANCH, "src/**", "jacoco.xml"),
    "kind = 'build_task'\ncommand = 'make'": BuildTask("it", "make"),
    "kind = 'build_task'\ncommand = 'make'\npattern = 'built'": BuildTask("it", "make", Occurrences("built")),
    "kind = 'no_file_errors'\ntool = 'gcc'\npaths = ['src/*.c']\narguments = ['-Isrc']\ninclude_warnings = true": (
        NoFileErrors("it", ("src/*.c",), Tool.GCC, ("-Isrc",), include_warnings=True)
    ),
    "kind = 'no_file_errors'\ntool = 'sarif'\npaths = ['*.c']\ncommand = 'lint'": NoFileErrors(
        "it", ("*.c",), Tool.SARIF, (), "lint"
    ),
}


@pytest.mark.parametrize("text", EXAMPLES)
def test_each_kind_is_read_with_its_parameters(tmp_path: Path, text: str) -> None:
    for name in ("expected/a.py", "b.py"):
        reference = tmp_path / "tasks/talk/tests" / name
        reference.parent.mkdir(parents=True, exist_ok=True)
        reference.write_text("")
    (tmp_path / "run_tests.sh").write_text("")
    assert read(tmp_path, f"[[verifiers]]\nname = 'it'\n{text}") == ((EXAMPLES[text],), [])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("kind = 'no_change'", "verifiers[1].kind: must be one of no_changes, yes_changes, exact_files"),
        ("kind = 'run_tests'\nworkdir = '/'", "verifiers[1].workdir: is unknown; known are: "),
        ("kind = 'chat_regexp'", "verifiers[1].pattern: is missing"),
        ("kind = 'chat_regexp'\npattern = '(a'", "verifiers[1].pattern: is no regular expression of Python: "),
        (f"kind = 'chat_regexp'\npattern = '{'a' * (MAX_PATTERN + 1)}'", "verifiers[1].pattern: may have at most"),
        (f"kind = 'chat_regexp'\npattern = '{'(' * 499 + ')' * 499}'", "verifiers[1].pattern: is no regular expr"),
        (f"kind = 'chat_regexp'\npattern = '{'(?:|x?)' * 40}(?=y)'", "verifiers[1].pattern: is too slow: on an empty"),
        ("kind = 'chat_regexp'\npattern = 'a'\nexpected = -1", "verifiers[1].expected: must be a whole number"),
        ("kind = 'chat_regexp'\npattern = 'a'\nstrict = 1", "verifiers[1].strict: must be true or false"),
        ("kind = 'chat_regexp'\npattern = 'a'\nexpected = 0", "verifiers[1]: 'it' cannot fail: `expected` is 0"),
        ("kind = 'yes_changes'\ntargets = ['/etc/passwd']", "verifiers[1].targets: '/etc/passwd' must be a path"),
        ("kind = 'exact_files'\npairs = [{path = 'a'}]", "verifiers[1].pairs[1].reference: there is no file tests/a"),
        ("kind = 'exact_files'\npairs = [{path = '../a'}]", "verifiers[1].pairs[1].path: must be a path from the top"),
        ("kind = 'run_tests'", "verifiers[1].command: is missing: the repository has no run_tests.sh"),
        ("kind = 'run_tests'\nreport = 'xunit'", "verifiers[1].report: must be one of junit"),
        ("kind = 'coverage'\ncommand = 'c'", "verifiers[1].minimum: is missing"),
        ("kind = 'coverage'\ncommand = 'c'\nminimum = 0", "verifiers[1]: 'it' cannot fail: `minimum` is 0"),
        ("kind = 'coverage'\ncommand = 'c'\nminimum = 101", "verifiers[1].minimum: must be a number of percent"),
        ("kind = 'coverage'\ncommand = 'c'\nminimum = 9\ntarget = 'a'", "verifiers[1].target: names units, but"),
        ("kind = 'build_task'\ncommand = 'true'", "verifiers[1]: 'it' cannot fail: its command"),
        ("kind = 'no_file_errors'\npaths = ['a']\ntool = 'pylint'", "verifiers[1].tool: must be one of ruff, mypy"),
        ("kind = 'no_file_errors'\npaths = ['a']\ntool = 'ruff'\ncommand = 'x'", "verifiers[1].command: belongs to"),
    ],
)  # fmt: skip
def test_a_problem_names_the_verifier_and_the_field(tmp_path: Path, text: str, problem: str) -> None:
    problems = read(tmp_path, f"[[verifiers]]\nname = 'it'\n{text}")[1]
    assert any(found.startswith(problem) for found in problems), problems


def test_names_are_unique(tmp_path: Path) -> None:
    part = "[[verifiers]]\nname = 'it'\nkind = 'no_changes'\n"
    assert read(tmp_path, part * 2)[1] == ["verifiers: 2 have the name 'it'; it is the id of the result"]


def test_a_name_is_one_line(tmp_path: Path) -> None:
    problems = read(tmp_path, '[[verifiers]]\nname = "a\\nb"\nkind = "no_changes"')[1]
    assert problems == ["verifiers[1].name: must be one line of at most 200 characters"]


def test_a_file_without_verifiers_or_with_too_many_is_refused(tmp_path: Path) -> None:
    assert read(tmp_path, "# nothing")[1] == ["verifiers: is missing"]
    part = "[[verifiers]]\nname = 'it'\nkind = 'no_changes'\n"
    assert read(tmp_path, part * (MAX_VERIFIERS + 1))[1] == ["verifiers: has 51 tables; at most 50 are read"]
