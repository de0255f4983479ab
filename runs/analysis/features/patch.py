"""The size of the patch of a run, relative to its steps."""

from __future__ import annotations

from runs.analysis.features.base import Category, Evidence, flag, ratio

LARGE = 500


def _correct_files(run: Evidence) -> float | None:
    if run.patch_files is None or run.reference_files is None:
        return None
    return float(len(run.patch_files & run.reference_files))


def _added(run: Evidence) -> float | None:
    return None if run.changes is None else float(sum(len(change.added) for change in run.changes))


def _removed(run: Evidence) -> float | None:
    return None if run.changes is None else float(sum(len(change.removed) for change in run.changes))


def _too_large(run: Evidence) -> float | None:
    added, removed = _added(run), _removed(run)
    return None if added is None or removed is None else flag(added + removed > LARGE)


def _edit_to_explore(run: Evidence) -> float | None:
    edits = sum(call.phase == "implementation" for call in run.calls)
    return ratio(edits, sum(call.phase == "exploration" for call in run.calls))


_CATEGORY = Category("patch")
_UNREADABLE = "Undefined if the patch is unreadable."

FEATURES = (
    _CATEGORY.reference(
        "correct_files_touched",
        "Files that both patches name. The paper's code has only whether there is one, like "
        "fixes_same_file. Undefined without a reference patch. Defined here.",
        _correct_files,
    ),
    _CATEGORY.process("lines_added", f"Lines that the patch adds (appendix A.5). {_UNREADABLE}", _added),
    _CATEGORY.process(
        "lines_removed", f"Lines that the patch removes (appendix A.5). {_UNREADABLE}", _removed
    ),
    _CATEGORY.process(
        "patch_too_large",
        "Whether the patch adds and removes more than 500 lines together, the most that the paper's tasks "
        "need (section 2.1); its code compares with the reference patch instead (ten times its "
        f"characters), which would reveal the outcome. {_UNREADABLE} Defined here.",
        _too_large,
    ),
    _CATEGORY.process(
        "steps_per_file",
        "Iterations ÷ files that the patch names. Undefined for an empty patch. Defined here.",
        lambda run: (
            None if run.patch_files is None else ratio(len(run.trace.iterations), len(run.patch_files))
        ),
    ),
    _CATEGORY.process(
        "edit_to_explore_ratio",
        "implementation_steps ÷ exploration_steps. Undefined without an exploration step. Defined here.",
        _edit_to_explore,
    ),
)
