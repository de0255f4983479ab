"""Detection of the seven failure modes of the Coding Agent Evaluation Framework, and two that it only names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from harness.grading.similarity import line_similarity
from harness.limits import Ending
from harness.patches import PatchError, touched_paths
from runs.analysis.failures.finding import ABSENT, Case, Finding, found, undecided
from runs.analysis.trajectories.keywords import agents_words, keywords
from runs.analysis.trajectories.reads import files_read
from runs.analysis.trajectories.repeats import episodes, marks

MIN_FILES = 2
INCOMPLETE_ABOVE, INCOMPLETE_BELOW = 0.3, 0.7

_NO_STEP = "the agent took no step"
_NO_REFERENCE = "the reference patch is not known"
_UNREADABLE = "a patch cannot be read"
_FAILED = "the infrastructure failed, or the run was cancelled"


def excessive_exploration(case: Case) -> Finding:
    """More than 0.7 of all calls explore; compared with integers."""
    phases = [(each.step_id, call.phase) for each in case.trace.iterations for call in each.calls]
    if not phases:
        return undecided("the agent called no tool")
    exploring = [step for step, phase in phases if phase == "exploration"]
    return found(exploring) if 10 * len(exploring) > 7 * len(phases) else ABSENT


def insufficient_context(case: Case) -> Finding:
    """Fewer than two files were read."""
    if not case.trace.iterations:
        return undecided(_NO_STEP)
    few = len(files_read(case.reads)) < MIN_FILES
    return found(read.step_id for read in case.reads) if few else ABSENT


def misunderstood_issue(case: Case) -> Finding:
    """The agent wrote less than a fifth of the keywords of the description."""
    if not case.trace.iterations:
        return undecided(_NO_STEP)
    wanted = keywords(case.exercise.description)
    if not wanted:
        return undecided("the description holds no keyword")
    return found() if 5 * len(wanted & agents_words(case.trace)) < len(wanted) else ABSENT


def wrong_location(case: Case) -> Finding:
    """No file of the patch is a file of the reference patch."""
    if case.exercise.reference is None:
        return undecided(_NO_REFERENCE)
    try:
        ours = set(touched_paths(case.exercise.patch))
        theirs = set(touched_paths(case.exercise.reference))
    except PatchError:
        return undecided(_UNREADABLE)
    return found(_steps_that_changed(case, ours)) if ours and not ours & theirs else ABSENT


def incomplete_fix(case: Case) -> Finding:
    """The similarity of the lines of both patches is between the limits."""
    if case.exercise.reference is None:
        return undecided(_NO_REFERENCE)
    try:
        alike = line_similarity(case.exercise.patch, case.exercise.reference)
        ours = set(touched_paths(case.exercise.patch))
    except PatchError:
        return undecided(_UNREADABLE)
    if alike is None:
        return undecided("neither patch has a line to compare")
    return found(_steps_that_changed(case, ours)) if INCOMPLETE_ABOVE < alike < INCOMPLETE_BELOW else ABSENT


def stuck_in_loop(case: Case) -> Finding:
    """Sequences of nearly equal calls."""
    steps = [each.step_id for each in case.trace.iterations for _ in each.calls]
    long = episodes(marks(case.trace.calls))
    return found(steps[place] for episode in long for place in episode) if long else ABSENT


def no_submission(case: Case) -> Finding:
    """The run did not end by itself, or there is no patch."""
    verdict = case.verdict
    if _ended_from_outside(case):
        return undecided(_FAILED)
    submitted = verdict.reports_completion and case.exercise.patch.strip()
    return ABSENT if submitted else found(case.last_step)


def gave_up_early(case: Case) -> Finding:
    """The agent ended by itself without an edit attempt."""
    if _ended_from_outside(case):
        return undecided(_FAILED)
    tried = case.edits or case.exercise.patch.strip()
    return found(case.last_step) if case.verdict.reports_completion and not tried else ABSENT


def missed_relevant_file(case: Case) -> Finding:
    """The agent read or changed no existing file of the reference patch."""
    if case.exercise.reference is None:
        return undecided(_NO_REFERENCE)
    if case.exercise.files is None:
        return undecided("the files of the workspace are not known")
    try:
        relevant = set(touched_paths(case.exercise.reference)) & set(case.exercise.files)
    except PatchError:
        return undecided(_UNREADABLE)
    if not relevant:
        return undecided("the reference patch changes no file that was there")
    changed = {file.path for each in case.trace.iterations for file in each.edits}
    return found() if relevant.isdisjoint(files_read(case.reads) | changed) else ABSENT


def _ended_from_outside(case: Case) -> bool:
    """Whether the run ended for a reason outside the agent."""
    return case.verdict.infrastructure_failed or case.verdict.ending in {
        Ending.INFRASTRUCTURE,
        Ending.CANCELLED,
    }


def _steps_that_changed(case: Case, paths: set[str]) -> Iterable[int]:
    return (each.step_id for each in case.trace.iterations if any(file.path in paths for file in each.edits))


DETECTORS: Mapping[str, Callable[[Case], Finding]] = {
    "excessive_exploration": excessive_exploration,
    "insufficient_context": insufficient_context,
    "misunderstood_issue": misunderstood_issue,
    "wrong_location": wrong_location,
    "incomplete_fix": incomplete_fix,
    "stuck_in_loop": stuck_in_loop,
    "no_submission": no_submission,
    "gave_up_early": gave_up_early,
    "missed_relevant_file": missed_relevant_file,
}
