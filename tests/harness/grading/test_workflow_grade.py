"""The grade of a workflow run, without containers: its verifiers read the patch and the conversation."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from harness.dataset import Task
from harness.errors import InfrastructureError
from harness.grading.grade import NotAdmitted, grade
from harness.records import Grade, Step, TestStatus
from harness.sandbox.base import ContainerUse, Owner
from harness.sandbox.docker import DockerEngine
from tests.harness.arena import Arena
from tests.harness.worlds import reference_diff

DIGITS, FINISHED = "the digits were changed", "the agent says that it is finished"
SAID = (Step(1, "", "user", "Is it finished?"), Step(2, "", "agent", "It is finished."))


@pytest.fixture
def arena(tmp_path: Path) -> Arena:
    return Arena.of_workflow(tmp_path)


def graded(
    arena: Arena, patch: str, steps: tuple[Step, ...], *, repeat: int = 1, task: Task | None = None
) -> Grade:
    with closing(DockerEngine()) as engine:
        return grade(
            engine,
            arena.repository,
            task or arena.task,
            patch.encode(),
            use=ContainerUse(Owner("test", "workflow-grade")),
            steps=steps,
            repeat=repeat,
        )


def test_all_verifiers_have_to_pass(arena: Arena) -> None:
    found = graded(arena, reference_diff(), SAID)
    assert found.resolved
    assert {test.id: test.status for test in found.tests} == {
        DIGITS: TestStatus.PASSED,
        FINISHED: TestStatus.PASSED,
    }
    assert (found.reason, found.exit_code, found.report) == ("all 2 expected tests passed", 0, "verifiers")


def test_one_that_fails_is_named_and_counted(arena: Arena) -> None:
    found = graded(arena, reference_diff(), SAID[:1])
    assert not found.resolved
    assert found.passed == 1
    assert found.reason == f"1 of 2 expected tests did not pass: {FINISHED} (failed)"


def test_repeats_are_combined(arena: Arena) -> None:
    found = graded(arena, "", SAID, repeat=2)
    assert found.repeats == 2
    assert found.reason == f"1 of 2 expected tests did not pass: {DIGITS} (failed) in all 2 repeats"


def test_a_task_without_a_proof_is_not_graded(arena: Arena) -> None:
    with pytest.raises(NotAdmitted):
        graded(arena, "", SAID, task=replace(arena.task, proof=None))


def test_a_patch_that_does_not_apply_is_no_fault_of_the_agent(arena: Arena) -> None:
    with pytest.raises(InfrastructureError, match="does not apply"):
        graded(arena, reference_diff().replace("letters = []", "letters = 1"), SAID)
