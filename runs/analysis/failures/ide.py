"""Detection of the twelve failure modes of IDE-Bench, with the thresholds of the paper."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TypeVar

from harness.limits import Ending
from harness.records import FileEdit
from runs.analysis.failures.assertions import by_assertion, says_nothing
from runs.analysis.failures.finding import ABSENT, Case, Finding, found, undecided
from runs.analysis.failures.modes import INFRASTRUCTURE
from runs.analysis.trajectories.edit_attempts import EditAttempt
from runs.analysis.trajectories.reads import files_read, re_reads

Item = TypeVar("Item")

FILES_BEFORE_EDIT = 3
SYNTAX_LOOP = 3
MAX_IDLE_ITERATIONS = 15
MAX_EDIT = 50
FAILED_CALLS = 5
MAX_EDITS_OF_A_FILE = 4
MAX_RE_READS = 5
MIN_GAIN = 0.5

_PROSE = (".md", ".txt", ".rst", ".csv", ".log")
_SYNTAX = re.compile(
    r"SyntaxError|IndentationError|TabError|(?:syntax|parse) error|invalid syntax|unexpected token", re.I
)


def premature_editing(case: Case) -> Finding:
    """Few files were read before the first edit attempt; absent without an edit attempt."""
    if not case.edits:
        return ABSENT
    first = case.edits[0]
    before = files_read(read for read in case.reads if read.position < first.position)
    return found([first.step_id]) if len(before) < FILES_BEFORE_EDIT else ABSENT


def syntax_error_loop(case: Case) -> Finding:
    """Consecutive edit attempts after which a target file does not parse. Not every language is checked."""
    broken = list(_leave_broken(case.edits))
    certain = _stretches(case.edits, [state is True for state in broken], SYNTAX_LOOP)
    if certain:
        return found(edit.step_id for edit in certain)
    if _stretches(case.edits, [state is not False for state in broken], SYNTAX_LOOP):
        return undecided("the syntax of what was changed was not checked")
    return ABSENT


def wrong_file_targeting(case: Case) -> Finding:
    """Most edit attempts changed nothing, and a small share of the workspace was read."""
    failed = [edit for edit in case.edits if not edit.landed]
    if 2 * len(failed) <= len(case.edits):
        return ABSENT
    files = case.exercise.files
    if not files:
        return undecided("the files of the workspace are not known")
    explored = len(files_read(case.reads) & set(files))
    return found(edit.step_id for edit in failed) if 10 * explored < 3 * len(set(files)) else ABSENT


def infinite_exploration(case: Case) -> Finding:
    """Many consecutive iterations without an edit attempt."""
    edited = {edit.iteration for edit in case.edits}
    iterations = case.trace.iterations
    idle = _stretches(iterations, [each.number not in edited for each in iterations], MAX_IDLE_ITERATIONS + 1)
    return found(each.step_id for each in idle) if idle else ABSENT


def large_risky_edits(case: Case) -> Finding:
    """An edit touched many lines."""
    large = [edit.step_id for edit in case.edits if edit.lines > MAX_EDIT]
    return found(large) if large else ABSENT


def iteration_exhaustion(case: Case) -> Finding:
    """The run reached its own iteration limit; if the limit is unknown, its ending decides."""
    limit = case.verdict.iteration_limit
    reached = limit is not None and len(case.trace.iterations) >= limit
    return found(case.last_step) if reached or case.verdict.ending == Ending.ITERATION_LIMIT else ABSENT


def infrastructure_errors(case: Case) -> Finding:
    """The outcome is an infrastructure failure."""
    return found(case.last_step) if case.verdict.infrastructure_failed else ABSENT


def no_successful_edits(case: Case) -> Finding:
    """There were edit attempts, but the workspace never changed."""
    changed = any(each.changes for each in case.trace.iterations)
    return ABSENT if changed or not case.edits else found(edit.step_id for edit in case.edits)


def tool_call_failures(case: Case) -> Finding:
    """Many calls were refused or failed."""
    calls = ((each.step_id, call) for each in case.trace.iterations for call in each.calls)
    failed = [step_id for step_id, call in calls if call.returned and not call.ok]
    return found(failed) if len(failed) >= FAILED_CALLS else ABSENT


def thrashing(case: Case) -> Finding:
    """Many edits changed the same file."""
    steps: dict[str, list[int]] = defaultdict(list)
    for edit in case.edits:
        for path in {file.path for file in edit.changed}:
            steps[path].append(edit.step_id)
    often = [each for each in steps.values() if len(each) > MAX_EDITS_OF_A_FILE]
    return found(step for each in often for step in each) if often else ABSENT


def context_loss(case: Case) -> Finding:
    """The same file was read again many times."""
    often = [again for again in re_reads(case.reads).values() if len(again) > MAX_RE_READS]
    return found(read.step_id for again in often for read in again) if often else ABSENT


def test_misinterpretation(case: Case) -> Finding:
    """The agent reported completion after a largely correct implementation, but a test failed in an assertion.

    The paper requires a correct implementation that fails in edge cases. That takes an edit that landed, and a gain
    above the null agent: (passed - floor) / (tests - floor) of at least `MIN_GAIN`, where `floor` tests pass on the
    untouched code. So most of the required behaviour is there, and the tests that fail are the smaller part.
    """
    verdict = case.verdict
    if verdict.infrastructure_failed:
        return undecided("the infrastructure failed")
    if verdict.resolved or not verdict.reports_completion or not any(edit.landed for edit in case.edits):
        return ABSENT
    if verdict.resolved is None:
        return undecided("the outcome is unknown")
    if not verdict.tests:
        return undecided("no test was recorded")
    gain = verdict.gain
    if gain is None:
        return undecided("it is not known how many tests pass on the untouched code")
    return _failed_in_an_assertion(case) if gain >= MIN_GAIN else ABSENT


def _failed_in_an_assertion(case: Case) -> Finding:
    messages = [test.message for test in case.verdict.failed_tests]
    if any(map(by_assertion, messages)):
        return found(case.last_step)
    if any(map(says_nothing, messages)):
        return undecided("the test runner does not say why tests failed")
    return ABSENT


def _leave_broken(edits: Sequence[EditAttempt]) -> Iterator[bool | None]:
    """For each attempt, whether a target file does not parse afterwards; None: unknown.

    A file is assumed to parse until an edit is known to break it. Attempts without a change leave files unchanged.
    """
    broken: dict[str, bool | None] = {}
    for edit in edits:
        said = _SYNTAX.search(edit.content.partition("\n")[0]) is not None
        for file in edit.changed:
            broken[file.path] = True if said and file.syntax_ok is None else _does_not_parse(file)
        states = [broken.get(path, False) for path in (*edit.paths, *(file.path for file in edit.changed))]
        if True in states or (said and not edit.landed):
            yield True
        else:
            yield None if None in states else False


def _does_not_parse(file: FileEdit) -> bool | None:
    if file.syntax_ok is not None:
        return not file.syntax_ok
    harmless = file.change == "deleted" or file.binary or file.path.lower().endswith(_PROSE)
    return False if harmless else None


def _stretches(items: Sequence[Item], holds: Sequence[bool], shortest: int) -> list[Item]:
    """The items of every consecutive stretch of at least `shortest` items for which `holds` is true."""
    items_of_stretches: list[Item] = []
    for state, group in groupby(zip(items, holds, strict=True), key=lambda pair: pair[1]):
        stretch = [item for item, _ in group]
        if state and len(stretch) >= shortest:
            items_of_stretches += stretch
    return items_of_stretches


DETECTORS: Mapping[str, Callable[[Case], Finding]] = {
    "premature_editing": premature_editing,
    "syntax_error_loop": syntax_error_loop,
    "wrong_file_targeting": wrong_file_targeting,
    "infinite_exploration": infinite_exploration,
    "large_risky_edits": large_risky_edits,
    "iteration_exhaustion": iteration_exhaustion,
    INFRASTRUCTURE: infrastructure_errors,
    "no_successful_edits": no_successful_edits,
    "tool_call_failures": tool_call_failures,
    "thrashing": thrashing,
    "context_loss": context_loss,
    "test_misinterpretation": test_misinterpretation,
}
