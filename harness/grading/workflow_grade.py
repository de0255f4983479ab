"""Grades a run of a workflow task with its verifiers."""

from __future__ import annotations

from collections.abc import Iterable

from harness.dataset import Proof, Repository, Task
from harness.grading.repeats import combine
from harness.grading.verdict import judge
from harness.grading.verifiers.verifying import verify
from harness.patches import ReadFile
from harness.records import Flag, Grade, Step
from harness.sandbox.base import ContainerUse, Engine

REPORT = "verifiers"  # in place of the format of a test report


def grade_workflow(
    engine: Engine,
    repository: Repository,
    task: Task,
    patch: bytes,
    *,
    proof: Proof,
    steps: Iterable[Step],
    use: ContainerUse,
    read: ReadFile | None = None,
    repeat: int = 1,
) -> Grade:
    """Runs all verifiers `repeat` times; resolved if each one passes each time. Their names are the ids of tests.

    Verifiers have no traps, so a resolved verdict is not confirmed by another run.
    """
    if task.workflow is None:
        raise ValueError(f"{task.slug} is no workflow task")
    steps = tuple(steps)
    found = [
        verify(
            engine,
            repository,
            task,
            task.workflow.verifiers,
            patch,
            steps=steps,
            use=use,
            seconds=task.workflow.limits.verifier_seconds,
            read=read,
        )
        for _ in range(repeat)
    ]
    verdict, flaky = combine([judge(proof.tests, one.results, exit_code=0) for one in found])
    flags: list[Flag] = list(dict.fromkeys(flag for one in found for flag in one.flags))
    return Grade(
        resolved=verdict.resolved,
        tests=verdict.tests,
        exit_code=0,
        seconds=sum(one.seconds for one in found),
        reason=verdict.reason,
        flags=(*flags, *flaky),
        log="\n".join(one.log for one in found),
        report=REPORT,
        repeats=repeat,
    )
