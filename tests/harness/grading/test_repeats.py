from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from harness.grading.grade import grade
from harness.grading.repeats import combine
from harness.grading.verdict import Verdict, judge
from harness.records import Flag, TestResult, TestStatus
from harness.sandbox.base import ContainerUse, Owner
from harness.sandbox.docker import DockerEngine
from tests.harness.arena import INSTANCE, Arena
from tests.harness.worlds import let_tests_toss_coins, reference_diff, write_tiny_dataset

PASSED, FAILED, MISSING = TestStatus.PASSED, TestStatus.FAILED, TestStatus.MISSING


def verdict(*statuses: TestStatus, exit_code: int = 0) -> Verdict:
    tests = [TestResult(name, status, 1.0) for name, status in zip("abcde", statuses, strict=False)]
    return judge(
        [test.id for test in tests], [t for t in tests if t.status is not MISSING], exit_code=exit_code
    )


class TestSeveralVerdicts:
    def test_one_is_itself(self) -> None:
        alone = verdict(PASSED, FAILED)
        assert combine([alone]) == (alone, ())

    def test_all_that_agree_resolve_the_task_together(self) -> None:
        together, flaky = combine([verdict(PASSED)] * 3)
        assert together.resolved
        assert together.tests == (TestResult("a", PASSED, 3.0),)
        assert together.reason == "all 1 expected tests passed in all 3 repeats"
        assert flaky == ()

    def test_one_that_disagrees_makes_the_task_unresolved_and_names_the_test(self) -> None:
        together, flaky = combine([verdict(PASSED, PASSED), verdict(PASSED, FAILED), verdict(PASSED, PASSED)])
        assert not together.resolved
        assert [test.status for test in together.tests] == [PASSED, FAILED]
        assert flaky == (Flag("flaky", "b", "its verdict differs between repeats: passed 2×, failed 1×"),)
        assert together.reason == (
            "2 of 3 repeats resolved the task, flaky: b; 1 of 2 expected tests did not pass: b (failed)"
        )

    def test_a_test_that_was_missing_once_is_missing(self) -> None:
        together, flaky = combine([verdict(FAILED), verdict(MISSING)])
        assert together.tests[0].status is MISSING
        assert [flag.path for flag in flaky] == ["a"]

    def test_an_exit_code_that_differs_is_no_tests_fault(self) -> None:
        together, flaky = combine([verdict(PASSED), verdict(PASSED, exit_code=1)])
        assert not together.resolved
        assert flaky == ()
        assert together.reason.startswith(
            "1 of 2 repeats resolved the task; all 1 expected tests passed, but"
        )

    def test_no_more_than_three_are_named_in_the_reason(self) -> None:
        together, flaky = combine([verdict(*[PASSED] * 5), verdict(*[FAILED] * 5)])
        assert "flaky: a, b, c and 2 more; 5 of 5 expected tests" in together.reason
        assert len(flaky) == 5

    def test_none_is_a_mistake(self) -> None:
        with pytest.raises(ValueError, match="no verdict"):
            combine([])


@pytest.mark.engine
class TestInContainers:
    OWNER = Owner(INSTANCE, "repeats")

    def test_a_sound_patch_is_resolved_every_time(self, tmp_path: Path) -> None:
        arena = Arena.make(tmp_path)
        with closing(DockerEngine()) as engine:
            found = grade(
                engine,
                arena.repository,
                arena.task,
                reference_diff().encode(),
                use=ContainerUse(self.OWNER),
                repeat=2,
            )
        assert found.resolved
        assert found.repeats == 2
        assert found.reason == "all 8 expected tests passed in all 2 repeats"
        assert [line for line in found.log.splitlines() if "repeat" in line] == [
            "[repeat 1 of 2]",
            "[repeat 2 of 2]",
        ]

    def test_tests_that_toss_a_coin_are_found_out(self, tmp_path: Path) -> None:
        """Eight coins, four times: once in 17 million times none of them differs."""
        dataset = write_tiny_dataset(tmp_path)
        let_tests_toss_coins(dataset)
        arena = Arena.make_from(tmp_path, dataset)
        with closing(DockerEngine()) as engine:
            found = grade(engine, arena.repository, arena.task, b"", use=ContainerUse(self.OWNER), repeat=4)
        assert not found.resolved
        flaky = [flag for flag in found.flags if flag.kind == "flaky"]
        assert flaky
        assert {flag.path for flag in flaky} <= {test.id for test in found.tests if test.status is FAILED}
        assert "repeats resolved the task, flaky: " in found.reason
