"""Recomputes what an external run summary claims from the records beside it, and refuses contradictions."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from harness.errors import HarnessError
from harness.grading.similarity import similarity
from harness.limits import Ending
from harness.patches import count_lines
from harness.records import (
    PATCH,
    SUBMISSIONS,
    SUMMARY,
    TESTS,
    TRAJECTORY,
    USER,
    Outcome,
    Repair,
    RunSummary,
    Submission,
    TestStatus,
    UserTurn,
)
from harness.records.bounds import moment_of
from harness.redaction import MARK
from runs.transfer.record_counts import TrajectoryTotals, trajectory_totals
from runs.transfer.record_reading import RecordRefused, parsed, whole_file
from runs.transfer.record_shapes import RecordedGrade

MAX_SUMMARY, MAX_TESTS, MAX_PATCH = 256 << 10, 8 << 20, 8 << 20
MAX_USER, MAX_SUBMISSIONS = 1 << 20, 1 << 20
MAX_PATCH_LINES = 400_000
CLOCK_SECONDS = 60.0  # by which a clock may be corrected during a run
# Of the one response that may be missing in a trajectory, with all its repetitions.
MAX_UNSTORED_TOKENS, MAX_UNSTORED_DOLLARS = 20_000_000, 1000.0
_UNGRADED = (Ending.CANCELLED, Ending.INFRASTRUCTURE)
_EXACT = (Ending.COMPLETED, Ending.ITERATION_LIMIT, Ending.TOOL_LIMIT, Ending.SUBMISSION_LIMIT)
_UNSTORED = (Ending.AGENT_ERROR, *_UNGRADED)
_NOT_GRADED = "not graded"
# The sentences of a verdict that name numbers (harness.grading.verdict), behind what several repeats add.
_ALL_PASSED = re.compile(
    r"(?:.*; )?all (\d+) expected tests passed(?: in all \d+ repeats)?(?: \(.*\))?", re.DOTALL
)
_SOME_FAILED = re.compile(r"(?:.*; )?(\d+) of (\d+) expected tests did not pass: .*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class KnownTask:
    """What this site knows of the task of a run. `reference`: the reference patch, if the dataset is on disk.

    `is_workflow`: it has a simulated user, and may be resolved without a change.
    """

    tests: frozenset[str]
    reference: Callable[[], bytes | None]
    is_workflow: bool = False


def read_summary(directory: Path) -> RunSummary:
    """The summary. Raises RecordRefused unless it has exactly the shape that the harness writes."""
    content = whole_file(directory, SUMMARY, MAX_SUMMARY)
    if content is None:
        raise RecordRefused(SUMMARY, "is missing")
    model: Any = parsed(RunSummary, content, SUMMARY)
    return RunSummary.from_json(model.model_dump(mode="json"))


def check_records(directory: Path, summary: RunSummary, task: KnownTask) -> None:
    """Raises RecordRefused if the records are broken, or if the summary says something else than they do."""
    _check_times(summary)
    totals = trajectory_totals(directory, summary.identity)
    _check_trajectory(summary, totals)
    patch = whole_file(directory, PATCH, MAX_PATCH) or b""
    _check_patch(summary, patch, task)
    _check_user(summary, directory, task)
    _check_submissions(summary, directory)
    grade = _grade(directory)
    _check_grade(summary, grade, task)
    _check_similarity(summary, patch, task)


def _claims(name: str, claimed: object, found: object, where: str) -> RecordRefused:
    return RecordRefused(SUMMARY, f"{name} is {claimed!r}, but {where} gives {found!r}")


def _equal(summary: RunSummary, found: Mapping[str, Any], where: str) -> None:
    for name, value in found.items():
        claimed = getattr(summary, name)
        same = (
            math.isclose(claimed, value, rel_tol=1e-9, abs_tol=1e-9)
            if _floats(claimed, value)
            else claimed == value
        )
        if not same:
            raise _claims(name, claimed, value, where)


def _floats(one: object, other: object) -> bool:
    return isinstance(one, int | float) and isinstance(other, int | float)


def _check_times(summary: RunSummary) -> None:
    wall = (moment_of(summary.finished_at) - moment_of(summary.started_at)).total_seconds()
    parts = summary.prepare_seconds + summary.act_seconds + summary.grade_seconds
    if wall < 0:
        raise _claims("finished_at", summary.finished_at, summary.started_at, "started_at")
    if parts > wall + CLOCK_SECONDS:
        raise _claims(
            "prepare_seconds + act_seconds + grade_seconds", parts, wall, "finished_at − started_at"
        )


def _check_trajectory(summary: RunSummary, totals: TrajectoryTotals) -> None:
    """Steps, calls, tokens and cost.

    The harness counts a step, a call or a bill before it is stored, and some endings come in between; agents with
    their own programs may have requests that failed after they were billed.
    """
    own_program = summary.identity.agent_kind == "command"
    missing = 1 if summary.ending in _UNSTORED else 0
    _within(summary, "steps", totals.steps, totals.steps + missing)
    agent_steps = totals.agent_steps
    _within(summary, "iterations", 0 if own_program else agent_steps, agent_steps + missing)
    _within(summary, "tool_calls", min(totals.results, totals.calls), totals.calls)
    _within(summary, "failed_calls", 0 if own_program else totals.failed, totals.failed)
    exact = not own_program and summary.ending in _EXACT
    for name in ("prompt_tokens", "completion_tokens", "cached_tokens", "reasoning_tokens"):
        found = getattr(totals, name)
        if exact:
            _equal(summary, {name: found}, TRAJECTORY)
        else:
            most = math.inf if own_program else (found or 0) + MAX_UNSTORED_TOKENS
            _bounded(summary, name, found, most)
    _check_cost(summary, totals, exact, own_program=own_program)
    seconds = totals.seconds
    if not own_program and summary.act_seconds + 1 < seconds * 0.99:
        raise _claims("act_seconds", summary.act_seconds, round(seconds, 3), TRAJECTORY)


def _within(summary: RunSummary, name: str, least: int, most: int) -> None:
    claimed = getattr(summary, name)
    if not least <= claimed <= most:
        raise _claims(name, claimed, most, TRAJECTORY)


def _bounded(summary: RunSummary, name: str, found: float | None, most: float) -> None:
    """Not less than the trajectory has, and not more than `most`. None counts as nothing."""
    if not (found or 0) - 1e-9 <= (getattr(summary, name) or 0) <= most:
        raise _claims(name, getattr(summary, name), found, TRAJECTORY)


def _check_cost(summary: RunSummary, totals: TrajectoryTotals, exact: bool, *, own_program: bool) -> None:
    claimed, found = summary.cost_usd, totals.cost_usd
    if claimed is None or found is None:
        if claimed is not None or (exact and found is not None):
            raise _claims("cost_usd", claimed, found, TRAJECTORY)
    elif exact:
        _equal(summary, {"cost_usd": found}, TRAJECTORY)
    else:
        _bounded(summary, "cost_usd", found, math.inf if own_program else found + MAX_UNSTORED_DOLLARS)


def _check_user(summary: RunSummary, directory: Path, task: KnownTask) -> None:
    """The simulated user's numbers are at least those of its answers: one that broke off is in the summary only."""
    if (summary.user is not None) != task.is_workflow:
        raise RecordRefused(
            SUMMARY, "user is missing" if task.is_workflow else "has a user, but the task is no workflow"
        )
    content = whole_file(directory, USER, MAX_USER) or b""
    turns = [parsed(UserTurn, line, USER) for line in content.splitlines()]
    if summary.user is None:
        if turns:
            raise RecordRefused(USER, "is there, but the task is no workflow")
        return
    for name in ("prompt_tokens", "completion_tokens"):
        found = sum(getattr(turn, name) for turn in turns)
        if getattr(summary.user, name) < found:
            raise _claims(f"user.{name}", getattr(summary.user, name), found, USER)


def _check_submissions(summary: RunSummary, directory: Path) -> None:
    """One line for each submission, numbered; the last one may be missing if the run broke off while it was tested."""
    content = whole_file(directory, SUBMISSIONS, MAX_SUBMISSIONS) or b""
    found = [parsed(Submission, line, SUBMISSIONS) for line in content.splitlines()]
    if [one.number for one in found] != list(range(1, len(found) + 1)):
        raise RecordRefused(SUBMISSIONS, "is not numbered from 1")
    if not 0 <= (summary.submissions or 0) - len(found) <= (1 if summary.ending in _UNSTORED else 0):
        raise _claims("submissions", summary.submissions, len(found), SUBMISSIONS)
    solved = next((one.number for one in found if one.resolved), None)
    untested = [one.number for one in found if one.resolved is None] if solved is None else []
    if summary.solved_at_submission not in ({None, *untested} if solved is None else {solved}):
        raise _claims("solved_at_submission", summary.solved_at_submission, solved, SUBMISSIONS)
    if not (summary.submissions or 0) <= (summary.tool_uses or 0) <= summary.tool_calls:
        raise _claims("tool_uses", summary.tool_uses, summary.tool_calls, TRAJECTORY)


def _check_patch(summary: RunSummary, patch: bytes, task: KnownTask) -> None:
    if patch.count(b"\n") > MAX_PATCH_LINES:
        raise RecordRefused(PATCH, f"has more than {MAX_PATCH_LINES} lines")
    try:
        counted = count_lines(patch)
    except (HarnessError, IndexError, ValueError) as error:
        raise RecordRefused(PATCH, f"is no patch of git's format: {ascii(str(error))[:200]}") from error
    if patch.strip() and not counted.files:
        raise RecordRefused(PATCH, "is no patch of git's format: it names no file")
    _equal(summary, {"files_changed": counted.files}, PATCH)
    if not _redacted(summary, patch):
        _equal(summary, {"lines_added": counted.added, "lines_removed": counted.removed}, PATCH)
    if summary.outcome is Outcome.RESOLVED and not patch.strip() and not task.is_workflow:
        raise _claims("outcome", "resolved", "no change", PATCH)


def _redacted(summary: RunSummary, patch: bytes) -> bool:
    """Whether a secret was removed from the patch, so that its lines are no longer those that were counted.

    Raises RecordRefused for a flag that says so of a patch without the mark of a removed secret.
    """
    flagged = any(flag.kind == "redacted" for flag in summary.flags)
    if flagged and MARK.encode() not in patch:
        raise _claims("flags", "redacted", f"no {MARK}", PATCH)
    return flagged


def _grade(directory: Path) -> RecordedGrade | None:
    content = whole_file(directory, TESTS, MAX_TESTS)
    return None if content is None else parsed(RecordedGrade, content, TESTS)


def _check_grade(summary: RunSummary, grade: RecordedGrade | None, task: KnownTask) -> None:
    """Verdict and counts of tests."""
    failed = summary.outcome is Outcome.INFRASTRUCTURE_FAILED
    if failed != (summary.ending is Ending.INFRASTRUCTURE):
        raise _claims("outcome", summary.outcome.value, summary.ending.value, "its ending")
    if summary.failure and not failed:
        raise _claims("failure", summary.failure, summary.ending.value, "its ending")
    if summary.ending in _UNGRADED:
        # Grading may have broken off after its records were stored; nothing of it counts.
        if summary.outcome is Outcome.RESOLVED:
            raise _claims("outcome", "resolved", "no verdict", "its ending")
        if grade is None:
            _check_ungraded(summary, task)
            return
    if grade is None:
        raise RecordRefused(TESTS, "is missing: it holds the evidence of the verdict")
    _check_tests([test.id for test in grade.tests], task.tests)
    passed = sum(test.status is TestStatus.PASSED for test in grade.tests)
    _equal(
        summary,
        {"tests_total": len(task.tests), "tests_passed": passed, "grading_reason": grade.reason},
        TESTS,
    )
    resolved = passed == len(task.tests) and grade.exit_code == 0
    if grade.resolved and not resolved:
        raise RecordRefused(
            TESTS,
            f"resolved is True, but {passed} of {len(task.tests)} tests passed with exit code {grade.exit_code}",
        )
    if (summary.outcome is Outcome.RESOLVED) != grade.resolved:
        raise _claims("outcome", summary.outcome.value, "resolved" if grade.resolved else "unresolved", TESTS)
    repair = grade.repair and Repair(grade.repair.found, grade.repair.elsewhere)
    if summary.repair != repair:
        raise _claims("repair", summary.repair and asdict(summary.repair), grade.repair, TESTS)
    if grade.seconds > summary.grade_seconds + 0.5:
        raise _claims("grade_seconds", summary.grade_seconds, grade.seconds, TESTS)
    _check_reason(grade, passed)


def _check_ungraded(summary: RunSummary, task: KnownTask) -> None:
    """An ungraded run claims no result."""
    # A site without the proof of the task counts no tests.
    tests = 0 if summary.tests_total == 0 else len(task.tests)
    reason = _NOT_GRADED if summary.grading_reason else ""  # older versions wrote none
    nothing = {"tests_passed": 0, "tests_total": tests, "grading_reason": reason, "similarity": {}}
    _equal(summary, nothing, "an ungraded run")


def _check_reason(grade: RecordedGrade, passed: int) -> None:
    """Raises RecordRefused for a reason whose numbers or verdict are not those of the tests."""
    all_passed, failed = _ALL_PASSED.fullmatch(grade.reason), _SOME_FAILED.fullmatch(grade.reason)
    numbers = f"{passed} of {len(grade.tests)} tests passed, resolved is {grade.resolved}"
    wrong = RecordRefused(TESTS, f"reason is {grade.reason[:100]!a}, but {numbers}")
    if grade.resolved != (all_passed is not None) or (all_passed and int(all_passed[1]) != len(grade.tests)):
        raise wrong
    if failed and int(failed[2]) != len(grade.tests):
        raise wrong
    # Of several repeats the reason is that of one of them, and each test has its worst status.
    if failed and grade.repeats == 1 and int(failed[1]) != len(grade.tests) - passed:
        raise wrong


def _check_tests(found: Sequence[str], expected: frozenset[str]) -> None:
    twice = len(found) - len(set(found))
    if twice:
        raise RecordRefused(TESTS, f"names {twice} tests twice")
    unknown = sorted(set(found) - expected)
    if unknown:
        raise RecordRefused(TESTS, f"names a test that the task does not have: {unknown[0][:100]!a}")
    if len(found) != len(expected):
        raise RecordRefused(TESTS, f"names {len(found)} tests; the task has {len(expected)}")


def _check_similarity(summary: RunSummary, patch: bytes, task: KnownTask) -> None:
    claimed: Mapping[str, Any] = summary.similarity
    if not claimed or _redacted(summary, patch):
        return
    reference = task.reference()
    if reference is None:
        return
    for name, value in similarity(patch, reference).to_json().items():
        said = claimed.get(name)
        if name == "tokens" and said is None:  # a record of an older version
            continue
        if (said is None) != (value is None) or (
            said is not None and value is not None and not math.isclose(said, value, abs_tol=1e-6)
        ):
            raise _claims(f"similarity.{name}", said, value, PATCH)
