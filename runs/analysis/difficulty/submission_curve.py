"""Cumulative success by submission."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from runs.analysis.difficulty.task_shares import one_origin, task_share
from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import Need, RunFacts, by_agent, sensible, sift
from runs.analysis.method import Section, method

MAX_COUNT = 100  # more submissions than any budget allows
SUBMITTED = Need(
    "the number of submissions is unknown, or that of the one that passed is not among them",
    lambda run: (
        run.submissions is not None
        and sensible(run.submissions)
        and run.submissions <= MAX_COUNT
        and (run.solved_at_submission is None or 1 <= run.solved_at_submission <= run.submissions)
    ),
)


@dataclass(frozen=True, slots=True)
class SubmissionCurve:
    """One agent. `solved[s − 1]`: the share of runs that solved their task with at most s submissions; n counts tasks.

    `submitted[s − 1]`: how many runs made s submissions or more. `runs`: all, those without a submission included.
    """

    agent: str
    solved: tuple[Estimate, ...]
    submitted: tuple[int, ...]
    runs: int


@dataclass(frozen=True, slots=True)
class SubmissionCurves:
    """Every agent with runs that may submit, in alphabetical order."""

    agents: tuple[SubmissionCurve, ...]
    excluded: tuple[Exclusion, ...]


@method("submission-curve", "Success by submission", Section.GENERATED_TASKS, 6)
def submission_curves(runs: Iterable[RunFacts]) -> SubmissionCurves:
    """The share of runs that solved their task by their first, second, ... submission. ValueError for several origins.

    The steps are those of one run, which sees the failures of its earlier submissions; they are no separate attempts.
    A run that passed the tests of a submission but is not resolved, for example because it changed other functions,
    counts as not solved.

    Formula: for s = 1 to the largest number of submissions of the agent, `task_share` of the resolved runs whose s-th
    submission or an earlier one passed.

    Source: Breakpoint, section 4.2.1 and Figure 8.

    Units: shares from 0 to 1; n counts tasks.

    Small n: as `task_share`; an agent whose runs never submitted has an empty curve.
    """
    given = tuple(runs)
    one_origin(given)
    sifted = sift(given, SUBMITTED)
    curves = []
    for agent, theirs in by_agent(sifted.usable).items():
        steps = range(1, max(run.submissions or 0 for run in theirs) + 1)
        solved = tuple(task_share(theirs, partial(_by, submission)) for submission in steps)
        submitted = tuple(sum((run.submissions or 0) >= submission for run in theirs) for submission in steps)
        curves.append(SubmissionCurve(agent, solved, submitted, len(theirs)))
    return SubmissionCurves(tuple(curves), sifted.excluded)


def _by(submission: int, run: RunFacts) -> bool:
    return run.resolved and run.solved_at_submission is not None and run.solved_at_submission <= submission
