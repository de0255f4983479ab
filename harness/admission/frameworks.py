"""Suggests the test framework of a task from the files of its repository.

IDE-Bench detects frameworks in its grader (appendix F.3.1). Here the format of a report is always declared or the
layout's default: what the files suggest is a sentence in the admission report, and decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from harness.dataset import Repository, Task
from harness.grading.reports import is_printed

MAX_READ = 200  # files
MAX_FILE_LENGTH = 256 * 1024  # bytes
MAX_NAMED = 3


@dataclass(frozen=True, slots=True)
class Framework:
    """A test framework. `reports`: the formats in which its results are read, the best one first.

    `commands`: words of test scripts that run it. `signs`: names of files (globs) → texts of which the file holds one;
    with () the file's existence is enough.
    """

    title: str
    reports: tuple[str, ...]
    commands: tuple[str, ...] = ()
    signs: Mapping[str, tuple[str, ...]] = field(default_factory=dict, compare=False)


FRAMEWORKS = (
    Framework(
        "pytest",
        ("pytest", "junit"),
        ("pytest", "py.test"),
        {
            "pytest.ini": (),
            "conftest.py": (),
            "pyproject.toml": ("[tool.pytest", "pytest"),
            "setup.cfg": ("[tool:pytest]",),
            "tox.ini": ("[pytest]", "pytest"),
            "requirements*.txt": ("pytest",),
            "*test*.py": ("import pytest", "from pytest"),
        },
    ),
    Framework(
        "unittest",
        ("pytest", "junit"),
        ("unittest",),
        {"*test*.py": ("import unittest", "from unittest")},
    ),
    Framework(
        "Jest",
        ("jest", "junit", "ctrf"),
        ("jest",),
        {"jest.config.*": (), "package.json": ('"jest',), "*.test.[jt]s": ("@jest/globals",)},
    ),
    Framework(
        "Vitest",
        ("junit", "tap", "ctrf"),
        ("vitest",),
        {
            "vitest.config.*": (),
            "package.json": ('"vitest',),
            "*.test.[jt]s": ("from 'vitest", 'from "vitest'),
        },
    ),
    Framework(
        "Mocha", ("mocha", "junit", "tap", "ctrf"), ("mocha",), {".mocharc*": (), "package.json": ('"mocha',)}
    ),
    Framework(
        "node:test",
        ("tap", "junit"),
        ("node --test",),
        {"package.json": ("node --test",), "*.test.*js": ("node:test",)},
    ),
    Framework("JUnit with Maven", ("surefire", "junit"), ("mvn", "mvnw"), {"pom.xml": ("junit", "testng")}),
    Framework(
        "JUnit with Gradle",
        ("junit",),
        ("gradle", "gradlew"),
        {"build.gradle*": ("junit", "useJUnitPlatform")},
    ),
    Framework("JUnit's console launcher", ("junit-console", "junit"), ("junit-platform-console-standalone",)),
    Framework(
        "CTest",
        ("ctest", "junit"),
        ("ctest",),
        {"CMakeLists.txt": ("enable_testing", "add_test(", "gtest_discover_tests")},
    ),
    Framework(
        "GoogleTest",
        ("junit", "ctest"),
        ("--gtest_output",),
        {
            "CMakeLists.txt": ("GTest", "googletest"),
            **dict.fromkeys(("*.cc", "*.cpp", "*.cxx"), ("gtest/gtest.h",)),
        },
    ),
    Framework("go test", ("go", "junit"), ("go test", "gotestsum"), {"*_test.go": ()}),
    Framework("cargo test", ("cargo", "junit"), ("cargo test", "cargo nextest"), {"Cargo.toml": ()}),
    Framework(
        "RSpec", ("rspec", "junit"), ("rspec",), {".rspec": (), "spec_helper.rb": (), "Gemfile": ("rspec",)}
    ),
    Framework(
        "PHPUnit",
        ("phpunit", "junit"),
        ("phpunit",),
        {"phpunit.xml*": (), "composer.json": ("phpunit/phpunit",)},
    ),
    Framework(
        "dotnet test", ("dotnet", "junit"), ("dotnet test",), {"*.csproj": ("Microsoft.NET.Test.Sdk",)}
    ),
)


def framework_note(repository: Repository, task: Task) -> str:
    """A sentence if no format of results is declared, or one that no suggested framework has; '' otherwise."""
    found = suggested(repository, task)
    fitting = any(task.report in framework.reports for framework in found)
    if not found or (task.report_declared and (fitting or not is_printed(task.report))):
        return ""
    evidence = list(dict.fromkeys(name for names in found.values() for name in names))
    more = " and others" if len(evidence) > MAX_NAMED else ""
    named = f"{', '.join(evidence[:MAX_NAMED])}{more} suggest{'s' if len(evidence) == 1 else ''}"
    titles = " and ".join(framework.title for framework in found)
    setting = "parser_name:" if repository.layout.name == "IDE-Bench" else "report ="
    best = next(iter(found)).reports[0]
    advice = "" if fitting else f"; its results are read with `{setting} {best}`"
    if task.report_declared:
        return f"test framework: {task.report} is declared, but {named} {titles}{advice}"
    return f"test framework: none is declared, so results are read as {task.report}; {named} {titles}{advice}"


def suggested(repository: Repository, task: Task) -> dict[Framework, tuple[str, ...]]:
    """The frameworks that the test script runs or, if it names none, those that the files suggest.

    Each has the names of the files that suggest it, the script first.
    """
    script = repository.directory / "run_tests.sh"
    lines = script.read_text("utf-8", "replace")[:MAX_FILE_LENGTH].split("\n") if script.is_file() else []
    code = "\n".join(line for line in lines if not line.lstrip().startswith("#"))
    run = [framework for framework in FRAMEWORKS if any(_runs(word, code) for word in framework.commands)]
    if run:
        return dict.fromkeys(run, (script.name,))
    files = dict(_texts(repository, task))
    signs = {framework: tuple(_signs(framework, files)) for framework in FRAMEWORKS}
    return {framework: names for framework, names in signs.items() if names}


def _runs(command: str, script: str) -> bool:
    return re.search(rf"(?<![\w.-]){re.escape(command)}(?![\w-])", script) is not None


def _signs(framework: Framework, files: Mapping[str, str]) -> Iterator[str]:
    for name, text in files.items():
        base = name.rpartition("/")[2]
        for pattern, needles in framework.signs.items():
            if fnmatchcase(base, pattern) and (not needles or any(needle in text for needle in needles)):
                yield name
                break


def _texts(repository: Repository, task: Task) -> Iterator[tuple[str, str]]:
    """The files of source and hidden tests that a sign names, MAX_READ at most; those near the root first."""
    patterns = {pattern for framework in FRAMEWORKS for pattern in framework.signs}
    trees = [(name, tree) for tree in (repository.source, task.tests) for name in tree.names()]
    named = [
        (name, tree)
        for name, tree in trees
        if any(fnmatchcase(name.rpartition("/")[2], pattern) for pattern in patterns)
    ]
    for name, tree in sorted(named, key=lambda pair: pair[0].count("/"))[:MAX_READ]:
        file = tree.read(name)
        if file and file.content is not None and not file.link and len(file.content) <= MAX_FILE_LENGTH:
            yield name, file.content.decode("utf-8", "replace")
