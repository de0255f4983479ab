"""How the seven modes of the fourth paper's Table 7 are told in one run, and two that its text only names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from harness.grading.similarity import similarity
from harness.limits import Ending
from harness.patches import PatchError, touched_paths
from runs.analysis.failures.finding import ABSENT, Case, Finding, found, undecided
from runs.analysis.trajectories.keywords import agents_words, keywords
from runs.analysis.trajectories.reads import files_read
from runs.analysis.trajectories.repeats import episodes, marks

FEWEST_FILES = 2
INCOMPLETE_ABOVE, INCOMPLETE_BELOW = 0.3, 0.7

_NO_STEP = "the agent took no step"
_NO_REFERENCE = "the reference patch is not known"
_UNREADABLE = "a patch cannot be read"
_FAILED = "the infrastructure failed, or the run was cancelled"


def excessive_exploration(case: Case) -> Finding:
    """The share of all calls that explore; more than 0.7, compared in whole numbers."""
    phases = [(each.step_id, call.phase) for each in case.trace.iterations for call in each.calls]
    if not phases:
        return undecided("the agent called no tool")
    exploring = [step for step, phase in phases if phase == "exploration"]
    return found(exploring) if 10 * len(exploring) > 7 * len(phases) else ABSENT


def insufficient_context(case: Case) -> Finding:
    """Files that were read."""
    if not case.trace.iterations:
        return undecided(_NO_STEP)
    few = len(files_read(case.reads)) < FEWEST_FILES
    return found(read.step_id for read in case.reads) if few else ABSENT


def misunderstood_issue(case: Case) -> Finding:
    """Keywords of the description that the agent wrote, too; less than a fifth of them."""
    if not case.trace.iterations:
        return undecided(_NO_STEP)
    wanted = keywords(case.exercise.description)
    if not wanted:
        return undecided("the description holds no keyword")
    return found() if 5 * len(wanted & agents_words(case.trace)) < len(wanted) else ABSENT


def wrong_location(case: Case) -> Finding:
    """Files of the patch that are files of the reference patch."""
    if case.exercise.reference is None:
        return undecided(_NO_REFERENCE)
    try:
        ours = set(touched_paths(case.exercise.patch))
        theirs = set(touched_paths(case.exercise.reference))
    except PatchError:
        return undecided(_UNREADABLE)
    return found(_steps_that_changed(case, ours)) if ours and not ours & theirs else ABSENT


def incomplete_fix(case: Case) -> Finding:
    """How alike the lines of both patches are."""
    if case.exercise.reference is None:
        return undecided(_NO_REFERENCE)
    try:
        alike = similarity(case.exercise.patch, case.exercise.reference).lines
        ours = set(touched_paths(case.exercise.patch))
    except PatchError:
        return undecided(_UNREADABLE)
    if alike is None:
        return undecided("neither patch has a line to compare")
    return found(_steps_that_changed(case, ours)) if INCOMPLETE_ABOVE < alike < INCOMPLETE_BELOW else ABSENT


def stuck_in_loop(case: Case) -> Finding:
    """Rows of calls that are alike, each to the one before it."""
    steps = [each.step_id for each in case.trace.iterations for _ in each.calls]
    long = episodes(marks(case.trace.calls))
    return found(steps[place] for episode in long for place in episode) if long else ABSENT


def no_submission(case: Case) -> Finding:
    """How the run ended, and whether there is a patch."""
    verdict = case.verdict
    if _not_the_agents(case):
        return undecided(_FAILED)
    handed_in = verdict.reports_completion and case.exercise.patch.strip()
    return ABSENT if handed_in else found(case.last_step)


def gave_up_early(case: Case) -> Finding:
    """An agent that ended by itself, and had not tried to change anything."""
    if _not_the_agents(case):
        return undecided(_FAILED)
    tried = case.edits or case.exercise.patch.strip()
    return found(case.last_step) if case.verdict.reports_completion and not tried else ABSENT


def missed_relevant_file(case: Case) -> Finding:
    """Files of the reference patch that the agent read or changed."""
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


def _not_the_agents(case: Case) -> bool:
    """Whether others than the agent ended the run."""
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
