"""The test frameworks that the files of a repository suggest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from harness.admission.frameworks import FRAMEWORKS, framework_note, suggested
from harness.dataset import REPORT_NAMES, load_dataset
from harness.dataset.trees import Tree
from tests.harness.published import write_published
from tests.harness.worlds import tiny_dataset, write_tiny_dataset, write_tree

SILENT = "#!/bin/sh\n# runs pytest, or mvn test\nmake check\n"


def found(root: Path, files: Mapping[str, str], script: str = SILENT) -> list[str]:
    """The suggested frameworks for a repository with these source files, and with hidden tests that say nothing."""
    repository, task = next(tiny_dataset(root / "tiny").tasks())
    sources = {f"source/{name}": content for name, content in files.items()}
    write_tree(root, {"run_tests.sh": script, "source/README.md": "", "tests/a": "", **sources})
    repository = replace(repository, directory=root, source=Tree(root / "source"))
    return [framework.title for framework in suggested(repository, replace(task, tests=Tree(root / "tests")))]


@pytest.mark.parametrize(
    ("files", "titles"),
    [
        ({"conftest.py": ""}, ["pytest"]),
        ({"pyproject.toml": "[tool.pytest.ini_options]\n"}, ["pytest"]),
        ({"t/test_a.py": "import unittest\n"}, ["unittest"]),
        ({"package.json": '{"devDependencies": {"jest": "29"}}'}, ["Jest"]),
        ({"client/vitest.config.ts": ""}, ["Vitest"]),
        ({"package.json": '{"devDependencies": {"mocha": "10"}}'}, ["Mocha"]),
        ({"package.json": '{"scripts": {"test": "node --test"}}'}, ["node:test"]),
        ({"pom.xml": "<artifactId>junit-jupiter</artifactId>"}, ["JUnit with Maven"]),
        ({"app/build.gradle.kts": "useJUnitPlatform()"}, ["JUnit with Gradle"]),
        ({"CMakeLists.txt": "enable_testing()\n"}, ["CTest"]),
        ({"t/a.cpp": "#include <gtest/gtest.h>\n"}, ["GoogleTest"]),
        ({"a_test.go": ""}, ["go test"]),
        ({"Cargo.toml": ""}, ["cargo test"]),
        ({".rspec": ""}, ["RSpec"]),
        ({"phpunit.xml.dist": ""}, ["PHPUnit"]),
        ({"t/T.csproj": '<PackageReference Include="Microsoft.NET.Test.Sdk" />'}, ["dotnet test"]),
        ({"CMakeLists.txt": "find_package(GTest)\nenable_testing()\n"}, ["CTest", "GoogleTest"]),
        ({"README.md": "Run pytest.\n", "package.json": "{}"}, []),
    ],
)
def test_files_suggest_frameworks(tmp_path: Path, files: Mapping[str, str], titles: list[str]) -> None:
    assert found(tmp_path, files) == titles


@pytest.mark.parametrize(
    ("command", "titles"),
    [
        ("exec python3 -m pytest -q", ["pytest"]),
        ("python -m unittest discover", ["unittest"]),
        ("npx jest --verbose", ["Jest"]),
        ("./mvnw -B test", ["JUnit with Maven"]),
        ("/opt/gradle/bin/gradle test", ["JUnit with Gradle"]),
        ("cd build && ctest", ["CTest"]),
        ("./unit --gtest_output=xml:$RESULTS_DIR/", ["GoogleTest"]),
        ("go test ./... -v", ["go test"]),
        ("make pytest-free", ["Jest"]),
    ],
)
def test_the_commands_of_the_script_decide_before_the_files(
    tmp_path: Path, command: str, titles: list[str]
) -> None:
    assert found(tmp_path, {"jest.config.js": ""}, f"#!/bin/sh\n{command}\n") == titles


def test_long_files_are_not_read(tmp_path: Path) -> None:
    assert found(tmp_path, {"setup.cfg": "x" * 300_000 + "[tool:pytest]"}) == []


def test_every_framework_has_a_known_format() -> None:
    assert all(set(framework.reports) <= set(REPORT_NAMES) for framework in FRAMEWORKS)


class TestTheSentence:
    def note(self, root: Path, report: str, script: str = "exec pytest -q\n") -> str:
        dataset = write_tiny_dataset(root)
        (dataset / "calc" / "run_tests.sh").write_text(script)
        with (dataset / "calc/tasks/add-negatives/task.toml").open("a") as file:
            file.write(report)
        return framework_note(*next(load_dataset(dataset).tasks()))

    def test_without_a_declared_format_it_names_what_the_files_suggest(self, tmp_path: Path) -> None:
        assert self.note(tmp_path, "") == (
            "test framework: none is declared, so results are read as junit; run_tests.sh suggests pytest"
        )

    def test_a_format_that_contradicts_the_files_is_named_with_a_better_one(self, tmp_path: Path) -> None:
        assert self.note(tmp_path, 'report = "jest"\n') == (
            "test framework: jest is declared, but run_tests.sh suggests pytest; "
            "its results are read with `report = pytest`"
        )

    @pytest.mark.parametrize("report", ["pytest", "junit", "tap"])
    def test_a_declared_format_that_may_fit_needs_no_sentence(self, tmp_path: Path, report: str) -> None:
        assert self.note(tmp_path, f'report = "{report}"\n') == ""

    def test_without_a_command_that_is_known_the_tests_suggest_it(self, tmp_path: Path) -> None:
        assert self.note(tmp_path, "", "exec ./unknown-runner\n# pytest\n").endswith(
            "; tests/test_sums.py, hidden/test_negatives.py suggest unittest"
        )

    def test_in_the_published_layout_it_names_that_layouts_field(self, tmp_path: Path) -> None:
        till = write_published(tmp_path)
        path = till / "tasks/task-1/task_description.txt"
        path.write_text(path.read_text().replace("parser_name: pytest", "parser_name: mocha"))
        first, second = load_dataset(till).tasks()
        assert framework_note(*first) == (
            "test framework: mocha is declared, but run_tests.sh suggests pytest; "
            "its results are read with `parser_name: pytest`"
        )
        assert framework_note(*second) == ""
