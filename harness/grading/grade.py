"""Grades a patch: compares the results of its test runs with the manifest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from random import SystemRandom

from harness.dataset import Proof, Repository, Task, Trap, started
from harness.errors import HarnessError
from harness.grading.closing import closes
from harness.grading.hidden_tests import TestRun, run_hidden_tests
from harness.grading.repeats import combine
from harness.grading.reports import is_printed
from harness.grading.targets import changed_functions, targets_alone
from harness.grading.traps.choosing import MIN_COUNT, choose, still_made
from harness.grading.verdict import Verdict, judge
from harness.grading.workflow_grade import grade_workflow
from harness.patches import PatchError, ReadFile
from harness.records import Flag, Grade, Repair, Step
from harness.sandbox.base import ContainerUse, Engine

READ_FROM_OUTPUT = "read from printed output, not from a report"


class NotAdmitted(HarnessError):
    """A task has no proof for its current files and this version, so the tests that must pass or fail are unknown."""

    def __init__(self, repository: Repository, task: Task) -> None:
        if task.proof is None:
            what = "has no proof of admission"
        elif task.admitted:
            what = "was admitted by a version that altered its tests in another way"
        else:
            what = "was changed since it was admitted"
        super().__init__(
            f"{repository.slug}/{task.slug} {what}: run `python -m harness admit` on its dataset"
        )


def grade(
    engine: Engine,
    repository: Repository,
    task: Task,
    patch: bytes,
    *,
    use: ContainerUse,
    read: ReadFile | None = None,
    repeat: int = 1,
    confirm: bool = False,
    steps: Iterable[Step] = (),
) -> Grade:
    """Grades `patch` against the task's manifest. Raises NotAdmitted without one, and any exception of `use.interrupt`.

    `read` returns the original files that the patch changes; the default reads the repository's `source/`.
    `repeat`: the number of test runs, each in a new container and with other traps. The task is resolved only if every
    repeat resolves it; each test whose status differs gets a flag. `confirm`: whether a resolved verdict is confirmed
    by one more test run. `seconds` is the sum over all repeats. `exit_code` is the one of the first repeat that did not
    resolve the task; 0 where the script ended as it does when only the traps fail.

    A task that names functions to repair is resolved only by a repair of these: see `harness.grading.targets`. A
    workflow task is graded by its verifiers, which also read the `steps` of the run; see `grade_workflow`.
    """
    proof, known = require_proof(repository, task)
    repository = started(repository, task)
    if repeat < 1:
        raise ValueError(f"repeat must be at least 1, not {repeat}")
    if task.workflow:
        return grade_workflow(
            engine,
            repository,
            task,
            patch,
            proof=proof,
            steps=steps,
            use=use,
            read=read,
            repeat=repeat,
        )
    run = partial(
        run_hidden_tests,
        engine,
        repository,
        task,
        use=use,
        read=read,
        expected=proof.tests,
    )

    original = read or repository.source.read
    return _grade_by_tests(run, task, patch, original, known, repeat=repeat, confirm=confirm)


def _grade_by_tests(
    run: Callable[..., TestRun],
    task: Task,
    patch: bytes,
    read: ReadFile,
    known: Mapping[Trap, bool],
    *,
    repeat: int,
    confirm: bool,
) -> Grade:
    """The grade of a task without a conversation. `run(diff, traps=...)`: one test run."""
    proof = task.proof
    assert proof is not None

    def run_once(diff: bytes) -> TestRun:
        seconds = proof.ceiling_seconds
        traps = choose(known, len(proof.tests), SystemRandom(), proof.fail_to_pass, seconds=seconds)
        return run(diff, traps=traps)

    found = _repeated(task, proof, partial(run_once, patch), repeat=repeat, confirm=confirm)
    if not task.targets:
        return found
    return _with_repair(found, task, patch, read, lambda alone: _verdict(proof, run_once(alone)))


def _with_repair(
    found: Grade, task: Task, patch: bytes, read: ReadFile, judge_patch: Callable[[bytes], Verdict]
) -> Grade:
    """The grade of a task that names functions to repair. Runs the tests once more if other code was changed, too."""
    changed = changed_functions(task, patch, read)
    refusal = changed.refusal(task.mode) if found.resolved else ""
    if found.resolved and not refusal and not changed.only_targets:
        try:
            verdict = judge_patch(targets_alone(task, patch, read))
            refusal = "" if verdict.resolved else f"the new source of the functions alone: {verdict.reason}"
        except PatchError as error:
            refusal = f"the new source of the functions does not stand alone: {error}"
    repair = Repair(found=not changed.missed, elsewhere=bool(refusal))
    if not refusal:
        return replace(found, repair=repair)
    return replace(
        found,
        resolved=False,
        reason=found.reason.replace(" passed", " passed, but not by a repair of the right function", 1),
        flags=(*found.flags, Flag("solved_elsewhere", "", refusal)),
        repair=repair,
    )


def _repeated(
    task: Task, proof: Proof, run_once: Callable[[], TestRun], *, repeat: int, confirm: bool
) -> Grade:
    """The grade of `repeat` test runs, and of one more if they resolve the task and the verdict is to be confirmed."""
    test_runs, verdicts = list[TestRun](), list[Verdict]()
    while len(verdicts) < repeat or (
        confirm and len(verdicts) == repeat and all(one.resolved for one in verdicts)
    ):
        test_run = run_once()
        test_runs.append(test_run)
        verdicts.append(_verdict(proof, test_run))
    return _grade(task, proof, test_runs, verdicts)


def _verdict(proof: Proof, test_run: TestRun) -> Verdict:
    return judge(
        proof.tests,
        test_run.results,
        exit_code=_exit_code(proof, test_run),
        trouble=test_run.trouble or ("" if test_run.forged else _hidden_failure(proof, test_run)),
        forged=bool(test_run.forged),
    )


def _hidden_failure(proof: Proof, test_run: TestRun) -> str:
    """Says that the script ended as if no test had failed, although traps did; else ''."""
    code = proof.traps.exit_code if test_run.traps and proof.traps else 0
    if code and test_run.command.exit_code == 0:
        return f"altered tests end the script with exit code {code}, but it ended as if none had failed"
    return ""


def _grade(task: Task, proof: Proof, test_runs: Sequence[TestRun], verdicts: Sequence[Verdict]) -> Grade:
    """The grade from all test runs."""
    verdict, flaky = combine(verdicts)
    decisive = next((number for number, one in enumerate(verdicts) if not one.resolved), 0)
    return Grade(
        resolved=verdict.resolved,
        tests=verdict.tests,
        exit_code=_exit_code(proof, test_runs[decisive]),
        seconds=sum(test_run.command.seconds for test_run in test_runs),
        reason=f"{verdict.reason} ({READ_FROM_OUTPUT})" if is_printed(task.report) else verdict.reason,
        flags=(
            *dict.fromkeys(flag for test_run in test_runs for flag in test_run.flags),
            *flaky,
            *(_missing_closing(proof, test_runs[0]) if verdict.resolved else ()),
        ),
        log=_logs(test_runs),
        report=task.report,
        repeats=len(test_runs),
    )


def require_proof(repository: Repository, task: Task) -> tuple[Proof, Mapping[Trap, bool]]:
    """The task's proof, and its traps that this version can use, see `still_made`. Raises NotAdmitted."""
    if task.proof is None or not task.admitted:
        raise NotAdmitted(repository, task)
    known = still_made(task.tests.files(), task.proof.traps.known, task.traps) if task.proof.traps else {}
    if task.proof.traps and len(known) < MIN_COUNT:
        raise NotAdmitted(repository, task)
    return task.proof, known


def _exit_code(proof: Proof, test_run: TestRun) -> int | None:
    """The script's exit code; 0 if it ended as it does when all expected tests pass and the traps fail."""
    code = test_run.command.exit_code
    return 0 if test_run.traps and proof.traps and code == proof.traps.exit_code else code


def _missing_closing(proof: Proof, test_run: TestRun) -> tuple[Flag, ...]:
    """A flag if the output does not end with the closing line that the task's proof expects."""
    closing = proof.traps.closing if test_run.traps and proof.traps else proof.closing
    if not closing or closes(test_run.command.output, closing):
        return ()
    note = f"the script did not end as it does with the reference patch: no last line like {closing!r}"
    return (Flag("closing", "printed output", note),)


def _logs(test_runs: Sequence[TestRun]) -> str:
    """The printed output, with the names of the traps, and a heading for each repeat if there are several."""
    if len(test_runs) == 1:
        return _log(test_runs[0])
    return "\n".join(
        f"[repeat {number} of {len(test_runs)}]\n{_log(test_run)}"
        for number, test_run in enumerate(test_runs, 1)
    )


def _log(test_run: TestRun) -> str:
    output = test_run.command.output
    if not test_run.traps:
        return output
    names = ", ".join(sorted(test_run.placed.shown()))
    return f"{output.rstrip()}\n[altered tests, which have to fail: {names}]\n"
