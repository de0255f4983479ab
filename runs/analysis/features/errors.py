"""Errors, recovery and repetition in a run."""

from __future__ import annotations

from collections import Counter

from runs.analysis.features.base import Category, Evidence, ratio
from runs.analysis.trajectories.exits import exit_code
from runs.analysis.trajectories.repeats import episodes, marks
from runs.analysis.trajectories.trace import TracedCall


def failed(call: TracedCall) -> bool:
    """Whether the tool refused or failed. A call without a result did not fail: the run ended before."""
    return call.returned and not call.ok


def erred(call: TracedCall) -> bool:
    """Whether the call failed, or the command that it ran ended with another exit code than 0."""
    return failed(call) or bool(exit_code(call))


def _errors(run: Evidence) -> int:
    return sum(map(erred, run.calls))


def _recovered(run: Evidence) -> int:
    later: set[str] = set()
    recovered = 0
    for call in reversed(run.calls):
        if erred(call):
            recovered += call.tool in later
        elif call.returned:
            later.add(call.tool)
    return recovered


def _alike(run: Evidence) -> tuple[bytes, ...]:
    return marks(run.calls)


def _stuck(run: Evidence) -> list[int]:
    """The number of calls of each stuck episode."""
    return [len(episode) for episode in episodes(run.once(_alike))]


_CATEGORY = Category("errors")
_SAME = "Equal calls use the same tool with equal arguments, apart from arguments that only explain the call."

FEATURES = (
    _CATEGORY.process(
        "total_errors",
        "Calls whose result is an error (appendix A.3): the tool refused or failed, or the command ended "
        "with an exit code other than 0, a failing test run included.",
        lambda run: float(run.once(_errors)),
    ),
    _CATEGORY.process(
        "recovered_errors",
        "Errors that are followed by a later call of the same tool without an error. The paper does not "
        "define recovery; in its code any later message counts. Defined here.",
        lambda run: float(run.once(_recovered)),
    ),
    _CATEGORY.process(
        "recovery_rate",
        "recovered_errors ÷ total_errors, 0 to 1 (appendix A.3). Undefined without an error: the paper "
        "adds ε to the denominator, so a run without errors has 0, like one that recovers from no error.",
        lambda run: ratio(run.once(_recovered), run.once(_errors)),
    ),
    _CATEGORY.process(
        "max_repetition",
        f"How often the most frequent call was made; 0 without a call. {_SAME} Defined here.",
        lambda run: float(max(Counter(run.once(_alike)).values(), default=0)),
    ),
    _CATEGORY.process(
        "stuck_episodes",
        f"Sequences of three or more equal consecutive calls (appendix A.3; three as in Table 7). {_SAME}",
        lambda run: float(len(run.once(_stuck))),
    ),
    _CATEGORY.process(
        "max_stuck_duration",
        "Calls of the longest stuck episode, 0 without one (appendix A.3). The paper's code ignores an "
        "episode at the end of a run; here it counts.",
        lambda run: float(max(run.once(_stuck), default=0)),
    ),
)
