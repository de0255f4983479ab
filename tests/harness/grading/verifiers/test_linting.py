"""The verifier of diagnostics: SARIF on this host, real tools in containers."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from harness.dataset import load_dataset
from harness.dataset.verifier_kinds import NoFileErrors, Tool
from harness.grading.verifiers.findings import Finding
from harness.grading.verifiers.linting import MAX_FILES, check_no_file_errors
from harness.sandbox.base import Owner
from harness.sandbox.docker import DockerEngine
from tests.harness.arena import INSTANCE
from tests.harness.grading.verifiers.conftest import Run
from tests.harness.worlds import write_tiny_dataset

DOCKERFILE = """\
ARG BASE_IMAGE=benchbench/base:bookworm
FROM ${BASE_IMAGE}
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev mypy && rm -rf /var/lib/apt/lists/*
WORKDIR /app
"""


def check(run: Run, verifier: NoFileErrors, patch: bytes = b"", *, seconds: float = 60.0) -> Finding:
    return check_no_file_errors(verifier, run.bench(patch, seconds=seconds), run.state(patch))


def sarif(level: str, path: str = "calc/sums.py") -> NoFileErrors:
    """A tool that reports one result of this level in this file."""
    place = {"physicalLocation": {"artifactLocation": {"uri": path}, "region": {"startLine": 2}}}
    found = [{"level": level, "message": {"text": "bad"}, "locations": [place]}]
    log = {"runs": [{"tool": {"driver": {"name": "lint"}}, "results": found if level else []}]}
    command = f"echo \"$@\"; echo '{json.dumps(log)}' > $RESULTS_DIR/lint.sarif"
    return NoFileErrors("n", ("calc/s*.py",), Tool.SARIF, ("-v",), command)


class TestSarif:
    @pytest.mark.parametrize(
        ("verifier", "passed", "message"),
        [
            (sarif(""), True, "sarif found no error"),
            (sarif("error"), False, "sarif found 1 error: calc/sums.py:2: bad"),
            (sarif("warning"), True, "sarif found no error"),
            (sarif("error", "calc/digits.py"), True, "sarif found no error"),
            (
                NoFileErrors("n", ("calc/*.py",), Tool.SARIF, (), "echo broken; exit 2"),
                False,
                "sarif gave no usable report: the command left no *.sarif in $RESULTS_DIR: broken (exit code 2)",
            ),
            (
                NoFileErrors("n", ("src/*.rs",), Tool.SARIF, (), "true"),
                False,
                "no file matches src/*.rs",
            ),
        ],
    )
    def test_what_a_tool_reports_in_its_files(
        self, run: Run, verifier: NoFileErrors, passed: bool, message: str
    ) -> None:
        found = check(run, verifier)
        assert (found.passed, found.message, found.broken) == (passed, message, False)

    def test_the_files_are_the_arguments(self, run: Run) -> None:
        patch = run.patch_of({"calc/s'x y.py": "", "calc/s-new.py": "", "calc/sums.py": None})
        assert check(run, sarif(""), patch).output == "-v calc/s'x y.py calc/s-new.py\n"

    def test_a_tool_that_hangs_has_failed(self, run: Run) -> None:
        verifier = NoFileErrors("n", ("calc/*.py",), Tool.SARIF, (), "sleep 60")
        assert check(run, verifier, seconds=1.0).message == "the command was stopped after 1 s"

    def test_too_many_files_are_not_checked(self, run: Run) -> None:
        patch = run.patch_of({f"calc/s{number}.py": "" for number in range(MAX_FILES)})
        message = "1001 files match calc/s*.py; at most 1000 are checked"
        assert check(run, sarif(""), patch) == Finding(False, message)


class TestRuff:
    @pytest.fixture(autouse=True)
    def installed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Ruff from this project's own tools."""
        monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")

    @pytest.mark.parametrize(
        ("text", "include_warnings", "message"),
        [
            ("import os\n", False, "ruff found no error"),
            (
                "import os\n",
                True,
                "ruff found 0 errors and 1 warning: new.py:1: F401 `os` imported but unused",
            ),
            ("x = y  # noqa\n", False, "ruff found 1 error: new.py:1: F821 Undefined name `y`"),
            (
                "def f(:\n    pass\n",
                False,
                "ruff found 2 errors: new.py:1: invalid-syntax Expected a parameter or",
            ),
        ],
    )
    def test_settings_and_comments_of_the_agent_change_nothing(
        self, run: Run, text: str, include_warnings: bool, message: str
    ) -> None:
        verifier = NoFileErrors("n", ("new.py",), Tool.RUFF, include_warnings=include_warnings)
        patch = run.patch_of({"ruff.toml": "lint.ignore = ['ALL']\n", "new.py": text})
        found = check(run, verifier, patch)
        # On this host, the workspace lies in a temporary directory.
        assert re.sub(r"/\S+/new\.py", "new.py", found.message).startswith(message)
        assert found.passed is message.endswith("no error")

    def test_wrong_arguments_are_a_failure_with_its_words(self, run: Run) -> None:
        found = check(run, NoFileErrors("n", ("calc/*.py",), Tool.RUFF, ("--nonsense",)))
        assert found.message.startswith(
            "ruff gave no usable report: there is no ruff.json: error: unexpected arg"
        )


@pytest.fixture(scope="module")
def contained(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """A run whose commands run in containers with GCC and mypy."""
    dataset = write_tiny_dataset(tmp_path_factory.mktemp("linting"))
    (dataset / "calc/Dockerfile").write_text(DOCKERFILE)
    repository, task = next(load_dataset(dataset).tasks())
    with closing(DockerEngine()) as engine:
        yield Run(repository, task, engine, Owner(INSTANCE, "linting"))


@pytest.mark.engine
class TestRealTools:
    @pytest.mark.parametrize(
        ("text", "include_warnings", "passed", "message"),
        [
            ("int f(void) { return 1; }\n", True, True, "gcc found no error and no warning"),
            ("int f(void) { int a; return 1; }\n", False, True, "gcc found no error"),
            (
                "int f(void) { int a; return 1; }\n",
                True,
                False,
                "gcc found 0 errors and 1 warning: src/a b.c:1: unused variable 'a' [-Wunused-variable]",
            ),
            (
                "int f(void) { return b; }\n",
                False,
                False,
                "gcc found 1 error: src/a b.c:1: 'b' undeclared (first use in this function)",
            ),
        ],
    )
    def test_gcc(self, contained: Run, text: str, include_warnings: bool, passed: bool, message: str) -> None:
        verifier = NoFileErrors("n", ("src/*.c",), Tool.GCC, ("-std=c11",), include_warnings=include_warnings)
        found = check(contained, verifier, contained.patch_of({"src/a b.c": text}))
        assert (found.passed, found.message) == (passed, message)

    def test_mypy_ignores_settings_of_the_agent(self, contained: Run) -> None:
        patch = contained.patch_of(
            {"mypy.ini": "[mypy]\nignore_errors = True\n", "new.py": "def f(x: int) -> str:\n    return x\n"}
        )
        found = check(contained, NoFileErrors("n", ("new.py",), Tool.MYPY), patch)
        assert (found.passed, found.message) == (
            False,
            'mypy found 1 error: new.py:2: Incompatible return value type (got "int", expected "str")  [return-value]',
        )
        assert check(contained, NoFileErrors("n", ("calc/*.py",), Tool.MYPY)).passed

    def test_a_syntax_error_is_an_error_of_the_file(self, contained: Run) -> None:
        patch = contained.patch_of({"new.py": "def f(:\n"})
        found = check(contained, NoFileErrors("n", ("*.py",), Tool.MYPY), patch)
        assert (found.passed, found.message) == (
            False,
            "mypy found 1 error: new.py:1: invalid syntax  [syntax]",
        )

    def test_a_tool_that_crashes_has_failed_with_its_words(self, contained: Run) -> None:
        verifier = NoFileErrors("n", ("README.md",), Tool.GCC, ("-x", "nonsense"))
        found = check(contained, verifier)
        assert not found.passed
        assert "nonsense" in found.message

    def test_a_tool_that_is_not_installed_is_a_fault_of_the_task(self, contained: Run) -> None:
        patch = contained.patch_of({"ruff": "#!/bin/sh\nexit 0\n"})
        found = check(contained, NoFileErrors("n", ("calc/*.py",), Tool.RUFF), patch)
        message = "ruff is not installed in the image of calc: install it in the repository's Dockerfile"
        assert (found.passed, found.broken, found.message) == (False, True, message)
