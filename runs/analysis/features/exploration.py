"""Explored files and directories, and how many of them are relevant."""

from __future__ import annotations

import posixpath
import re

from runs.analysis.features.base import Category, Evidence, flag, ratio
from runs.analysis.trajectories.kinds import lists
from runs.analysis.trajectories.reads import reads
from runs.analysis.trajectories.trace import TracedCall

_SEARCHING = re.compile(r"\b(?:grep|egrep|fgrep|rg|ag|find|fd)\b")


def explored(run: Evidence) -> dict[str, int]:
    """Every file of the workspace that was shown, with the number of the iteration that showed it first."""
    numbers = [each.number for each in run.trace.iterations for _ in each.calls]
    first: dict[str, int] = {}
    for read in reads(run.trace, run.exercise.files):
        first.setdefault(read.path, numbers[read.position])
    return first


def _lists(call: TracedCall) -> bool:
    return call.kind == "read" and lists(call.tool)


def _directories(run: Evidence) -> float:
    directories = {posixpath.dirname(path) or "." for path in run.once(explored)}
    for call in run.calls:
        if call.ok and _lists(call):
            directories.update(path.rstrip("/") or "/" for path in call.paths or (".",))
    return float(len(directories))


def _discovery(run: Evidence) -> float | None:
    if run.relevant_files is None:
        return None
    return min(
        (float(number) for path, number in run.once(explored).items() if path in run.relevant_files),
        default=None,
    )


def _efficiency(run: Evidence) -> float | None:
    if run.relevant_files is None:
        return None
    seen = run.once(explored).keys()
    return ratio(len(seen & run.relevant_files), len(seen))


def _wasted(run: Evidence) -> float | None:
    return None if run.relevant_files is None else float(len(run.once(explored).keys() - run.relevant_files))


def _search_to_read(run: Evidence) -> float | None:
    return ratio(sum(map(_searches, run.calls)), sum(map(_reads, run.calls)))


def _searches(call: TracedCall) -> bool:
    if call.kind == "search":
        return True
    by_shell = call.kind == "run" and call.phase == "exploration" and not call.paths
    return by_shell and _SEARCHING.search(call.command[:2000]) is not None


def _reads(call: TracedCall) -> bool:
    if call.kind == "run":
        return call.phase == "exploration" and bool(call.paths)
    return call.kind == "read" and not _lists(call)


def read_relevant_files(run: Evidence) -> float | None:
    """Whether a file of the reference patch was shown; None without a relevant file."""
    return None if run.relevant_files is None else flag(not run.relevant_files.isdisjoint(run.once(explored)))


_CATEGORY = Category("exploration")
_RELEVANT = (
    "Relevant: files of the reference patch that existed at the start; the paper lists them with each task."
)

FEATURES = (
    _CATEGORY.process(
        "files_explored",
        "Different files of the workspace that were shown, by a tool or by shell (cat, head, sed -n, …). "
        "Search results do not count.",
        lambda run: float(len(run.once(explored))),
    ),
    _CATEGORY.process(
        "directories_explored",
        "Different directories that were listed by a tool, or of which a file was shown. The paper's code "
        "counts only listings, which an agent with a shell does not need. Defined here.",
        _directories,
    ),
    _CATEGORY.location(
        "relevant_file_discovery_step",
        "The iteration, counted from 1, that first showed a relevant file. Undefined if no iteration did "
        f"(the paper's code has −1, which would be the earliest). {_RELEVANT}",
        _discovery,
    ),
    _CATEGORY.location(
        "exploration_efficiency",
        f"Share of the explored files that are relevant, 0 to 1 (equation 4). {_RELEVANT} Undefined if no "
        "file was explored, or none is relevant.",
        _efficiency,
    ),
    _CATEGORY.location(
        "wasted_explorations",
        f"Explored files that are not relevant. {_RELEVANT} Undefined if no file is relevant.",
        _wasted,
    ),
    _CATEGORY.process(
        "search_to_read_ratio",
        "Calls that search ÷ calls that show a file, by tool or shell. Undefined if no call shows a file. "
        "Defined here.",
        _search_to_read,
    ),
)
