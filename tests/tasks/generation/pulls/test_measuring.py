from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from harness.dataset import Proof, load_dataset
from harness.records import TestResult, TestStatus
from harness.sandbox.docker import DockerEngine
from tasks.generation.pulls.changes import Reason
from tasks.generation.pulls.measuring import ContainerMeasurement, Screened, Unfit, compare
from tests.harness.worlds import (
    FAIL_UNTOUCHED,
    PASS_UNTOUCHED,
    tiny_dataset,
    write_tiny_dataset,
)


def results(**statuses: TestStatus) -> list[TestResult]:
    """Results by the id of a test."""
    return [TestResult(name, status) for name, status in statuses.items()]


PASSED, FAILED, SKIPPED = TestStatus.PASSED, TestStatus.FAILED, TestStatus.SKIPPED


def test_both_lists_are_what_the_two_runs_say() -> None:
    assert compare(
        results(a=FAILED, b=PASSED, c=SKIPPED), results(a=PASSED, b=PASSED, c=SKIPPED)
    ) == Screened(("a",), ("b",), (), ("c",))


def test_a_change_that_makes_no_test_pass_is_refused() -> None:
    unfit = compare(results(a=PASSED, b=FAILED), results(a=PASSED))
    assert unfit == Unfit(Reason.EMPTY, "1 tests pass, all of them without the change, too")
    unfit = compare(results(a=PASSED, b=FAILED), results(a=PASSED, b=FAILED))
    assert unfit == Unfit(
        Reason.EMPTY, "1 tests pass, all of them without the change, too; 1 do not pass with it"
    )


def test_a_change_with_failing_tests_is_refused() -> None:
    unfit = compare(results(a=FAILED), results(a=FAILED))
    assert unfit == Unfit(Reason.BROKEN_TESTS, "none of 1 passes: a (failed): ")
    unfit = compare(results(a=FAILED, b=FAILED), results(a=PASSED, b=FAILED))
    assert unfit == Unfit(Reason.BROKEN_TESTS, "1 of 2: b (failed): ")


def test_tests_that_are_missing_before_are_refused_unless_they_are_allowed() -> None:
    before, after = results(a=PASSED), results(a=PASSED, b=PASSED)
    assert compare(before, after) == Unfit(
        Reason.MISSING_TESTS, "1 of 2, as if their files were unreadable: b"
    )
    assert compare(before, after, allow_missing=True) == Screened(("b",), ("a",), ("b",))


@pytest.fixture(scope="module")
def engine() -> Iterator[DockerEngine]:
    with closing(DockerEngine()) as engine:
        yield engine


@pytest.mark.engine
def test_both_lists_are_measured_in_containers(engine: DockerEngine, tmp_path: Path) -> None:
    ((repository, task),) = tiny_dataset(tmp_path).tasks()
    measurement = ContainerMeasurement(engine, repeats=1, instance="test-measuring")
    screened = measurement.screen(repository, task)
    assert isinstance(screened, Screened)
    assert {test.rpartition("::")[2] for test in screened.fail_to_pass} == set(FAIL_UNTOUCHED)
    assert {test.rpartition("::")[2] for test in screened.pass_to_pass} == set(PASS_UNTOUCHED)
    proof = measurement.prove(repository, task)
    assert isinstance(proof, Proof)
    assert (proof.fail_to_pass, proof.pass_to_pass) == (screened.fail_to_pass, screened.pass_to_pass)


@pytest.mark.engine
def test_broken_and_flaky_tests_are_refused_with_the_reason(engine: DockerEngine, tmp_path: Path) -> None:
    directory = write_tiny_dataset(tmp_path)
    script = directory / "calc/run_tests.sh"
    written = script.read_text()
    measurement = ContainerMeasurement(engine, repeats=3, instance="test-measuring")
    script.write_text("#!/bin/bash\necho nothing\n")
    broken = measurement.screen(*next(load_dataset(directory).tasks()))
    assert isinstance(broken, Unfit)
    assert broken.reason is Reason.BROKEN_TESTS
    assert broken.detail.endswith("output ends: nothing\n")
    script.write_text(written)
    tests = directory / "calc/tasks/add-negatives/tests/hidden/test_negatives.py"
    name = "\n\nimport os\n\nsetattr(NegativesTest, 'test_' + os.urandom(8).hex(), lambda self: None)\n"
    tests.write_text(tests.read_text() + name)
    flaky = measurement.prove(*next(load_dataset(directory).tasks()))
    assert isinstance(flaky, Unfit)
    assert flaky.reason is Reason.FLAKY
    assert "with the reference patch repeats 1 and 2 do not agree, the tests are flaky" in flaky.detail
