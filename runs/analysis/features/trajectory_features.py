"""The length of a run compared with the shortest possible one."""

from __future__ import annotations

from runs.analysis.features.base import Category, Evidence


def length(run: Evidence) -> int:
    """|τ|: the number of actions: calls, and responses without a call (the final response, a call in the paper)."""
    return sum(max(1, len(iteration.calls)) for iteration in run.trace.iterations)


def _optimal(run: Evidence) -> float | None:
    return None if run.reference_files is None else 2.0 * len(run.reference_files) + 1


def _efficiency(run: Evidence) -> float | None:
    optimal = _optimal(run)
    actions = length(run)
    return None if optimal is None or not actions else min(1.0, optimal / actions)


def _unnecessary(run: Evidence) -> float | None:
    optimal = _optimal(run)
    return None if optimal is None else max(0.0, length(run) - optimal)


_CATEGORY = Category("trajectory")

FEATURES = (
    _CATEGORY.process(
        "trajectory_length",
        "Actions: calls, and responses without one (the final response, which in the paper is a call).",
        lambda run: float(length(run)),
    ),
    _CATEGORY.location(
        "optimal_length",
        "2 × files of the reference patch + 1: read each, write each, submit (equation 5). The paper's "
        "code adds a test run. Undefined without a reference patch.",
        _optimal,
    ),
    _CATEGORY.location(
        "trajectory_efficiency",
        "optimal_length ÷ trajectory_length (equation 5), at most 1, because a run may be shorter than "
        "optimal_length. The paper's code has no maximum, so its table includes values above 1. "
        "Undefined without an action or a reference patch.",
        _efficiency,
    ),
    _CATEGORY.location(
        "unnecessary_steps",
        "trajectory_length − optimal_length, at least 0. The paper's code counts searches and listings "
        "instead. Undefined without a reference patch. Defined here.",
        _unnecessary,
    ),
)
