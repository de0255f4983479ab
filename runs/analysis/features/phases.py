"""The shares of calls that explore, implement and verify, and their order."""

from __future__ import annotations

from itertools import pairwise

from runs.analysis.features.base import Category, Evidence, ratio
from runs.analysis.features.tool_features import runs_tests
from runs.analysis.trajectories.kinds import Phase
from runs.analysis.trajectories.reads import reads


def _count(run: Evidence, phase: Phase) -> int:
    return sum(call.phase == phase for call in run.calls)


def _share(run: Evidence, phase: Phase) -> float | None:
    return ratio(_count(run, phase), len(run.calls))


def _transitions(run: Evidence) -> float:
    phases = [call.phase for call in run.calls if call.phase != "other"]
    return float(sum(former != other for former, other in pairwise(phases)))


def _read_before_write(run: Evidence) -> float | None:
    shown: dict[str, int] = {}
    for read in reads(run.trace, run.exercise.files):
        shown.setdefault(read.path, read.position)
    wrote = False
    position = 0
    for iteration in run.trace.iterations:
        # Reads of a step after its edits do not count.
        kinds = [call.kind for call in iteration.calls]
        before = position + (kinds.index("edit") if "edit" in kinds else len(kinds))
        position += len(kinds)
        for edit in iteration.changes:
            if edit.change != "added":
                wrote = True
                if shown.get(edit.path, before) < before:
                    return 1.0
    return 0.0 if wrote else None


def _test_after_change(run: Evidence) -> float | None:
    changed = False
    for iteration in run.trace.iterations:
        here = False
        for call in iteration.calls:
            if (changed or here) and (call.phase == "verification" or runs_tests(call)):
                return 1.0
            here |= bool(iteration.changes) and call.phase == "implementation"
        changed |= bool(iteration.changes)
    return 0.0 if changed else None


_CATEGORY = Category("phases")
_STEPS = (
    "A step of the paper is one call: a response with three calls counts three times. Shell commands that "
    "only read explore, those that change a text file implement, all others verify; builds and tests "
    "verify even if they add files. The paper has tools for each phase."
)
_PERCENT = (
    "Share of all calls, including those without a phase, 0 to 1 (appendix A.1). Undefined without a call."
)

FEATURES = (
    _CATEGORY.process(
        "exploration_steps",
        f"Calls that explore (equation 15). {_STEPS}",
        lambda run: float(_count(run, "exploration")),
    ),
    _CATEGORY.process(
        "implementation_steps",
        f"Calls that implement (equation 15). {_STEPS}",
        lambda run: float(_count(run, "implementation")),
    ),
    _CATEGORY.process(
        "verification_steps",
        f"Calls that verify (equation 15). {_STEPS}",
        lambda run: float(_count(run, "verification")),
    ),
    _CATEGORY.process(
        "exploration_pct", f"Calls that explore. {_PERCENT}", lambda run: _share(run, "exploration")
    ),
    _CATEGORY.process(
        "implementation_pct", f"Calls that implement. {_PERCENT}", lambda run: _share(run, "implementation")
    ),
    _CATEGORY.process(
        "verification_pct", f"Calls that verify. {_PERCENT}", lambda run: _share(run, "verification")
    ),
    _CATEGORY.process(
        "phase_transitions",
        "How often a call is of another phase than the call before it. Calls without a phase are skipped; "
        "the paper's code counts them as exploration. Defined here.",
        _transitions,
    ),
    _CATEGORY.process(
        "followed_read_before_write",
        "Whether some file that changed on disk had been shown before (appendix A.1; the paper's code checks "
        "only whether any exploration came before any implementation). Undefined if no existing file "
        "changed.",
        _read_before_write,
    ),
    _CATEGORY.process(
        "followed_test_after_change",
        "Whether a call that verifies or runs tests came after a change of the workspace (appendix A.1; "
        "the paper's code requires the first verification after the last change). Undefined if nothing "
        "changed.",
        _test_after_change,
    ),
)
