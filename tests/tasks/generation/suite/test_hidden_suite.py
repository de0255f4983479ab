"""The hidden tests of a repository with changed files: on this host, and in containers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from harness.dataset import Tree, load_repository
from harness.patches import FileState
from harness.records import TestStatus
from harness.sandbox.base import Engine
from harness.sandbox.docker import DockerEngine
from harness.sandbox.local import LocalEngine
from tasks.generation.suite.hidden_suite import CPU_FILE, HiddenSuite, SuiteRun
from tests.tasks.generation.small import write_calc

BUSY = b"import time\nend = time.process_time() + 0.5\nwhile time.process_time() < end:\n    pass\n"


@pytest.fixture(params=["host", pytest.param("containers", marks=pytest.mark.engine)])
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    if request.param == "host":
        yield LocalEngine()
        return
    with closing(DockerEngine()) as found:
        yield found


def suite_in(root: Path, engine: Engine) -> HiddenSuite:
    dataset = write_calc(root)
    _, repository = load_repository(dataset, "calc")
    return HiddenSuite(
        engine, repository, Tree(dataset / "calc/tests"), report="junit", instance="hidden-suite"
    )


def passed(run: SuiteRun) -> int:
    return sum(result.status is TestStatus.PASSED for result in run.results)


def test_results_and_cpu_seconds_are_those_of_the_changed_tree(engine: Engine, tmp_path: Path) -> None:
    suite = suite_in(tmp_path, engine)
    whole = suite((), 60)
    assert (whole.trouble, passed(whole), len(whole.results)) == ("", 8, 8)
    assert whole.cpu_seconds is not None
    assert 0 < whole.cpu_seconds < 20

    digits = (tmp_path / "tiny/calc/source/calc/digits.py").read_bytes()
    wrong = digits.replace(b"number < 0", b"number <= 0") + BUSY
    changed = suite([FileState("calc/digits.py", wrong)], 60)
    assert (changed.trouble, len(changed.results)) == ("", 8)
    assert changed.cpu_seconds is not None
    assert changed.cpu_seconds >= 0.5
    assert not changed.timed_out


def test_a_script_that_does_not_end_is_stopped_and_one_without_a_report_has_none(
    engine: Engine, tmp_path: Path
) -> None:
    suite = suite_in(tmp_path, engine)
    endless = suite([FileState("calc/digits.py", b"while True:\n    pass\n")], 3)
    assert (endless.timed_out, endless.results) == (True, ())
    assert "stopped after 3 s" in endless.trouble

    (tmp_path / "tiny/calc/run_tests.sh").write_text("#!/bin/sh\necho no tests here\nexit 3\n")
    silent = suite((), 60)
    assert silent.trouble
    assert "no tests here" in silent.output
    assert CPU_FILE not in silent.trouble
