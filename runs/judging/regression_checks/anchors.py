"""With which earlier evaluation a new one is compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runs.analysis.regression.run_sets import obstacles
from runs.judging.regression_checks.comparing_sets import lost_reason
from runs.judging.regression_checks.set_members import MemberSet, as_run_sets
from runs.judging.regression_checks.stored_members import members_of_evaluation
from runs.models import Agent, Evaluation, RegressionCheck, Schedule

MAX_LOOKED_AT = 30  # earlier checks
NO_EARLIER = (
    "There is no earlier evaluation that this one can be compared with; later ones are compared with it."
)


def anchor_for(check: RegressionCheck, candidate: MemberSet) -> Evaluation | None:
    """The anchor of a check; None if there is none yet.

    explicit: the evaluation that the schedule names, whether or not it can be compared. last green: the candidate of
    the newest earlier check of this schedule whose verdict is *none*. best: among those, the one with the highest share
    of resolved runs, of equal ones the newest. For both rules an evaluation counts only if dataset, limits and
    simulated user are those of the new one. The first check, which had nothing to be compared with, counts as green:
    without it, there would never be one.
    """
    schedule = check.schedule
    if schedule.anchor == Schedule.Anchor.EXPLICIT:
        return schedule.anchor_evaluation
    if schedule.anchor == Schedule.Anchor.LAST_GREEN:
        return next((found for found, _ in _comparable(check, candidate)), None)
    best = max(_comparable(check, candidate), key=lambda pair: _resolved(pair[1]), default=None)
    return best[0] if best else None


def is_anchor(evaluation: Evaluation, agent: Agent) -> bool:
    """Whether an evaluation of this agent can be compared with this one: it has a run of the agent."""
    return evaluation.runs.filter(agent=agent).exists()


def green_checks(check: RegressionCheck) -> Sequence[RegressionCheck]:
    """The earlier checks of the schedule that can be an anchor, the newest first."""
    ended = check.schedule.checks.filter(
        due_at__lt=check.due_at, state=RegressionCheck.State.FINISHED, candidate__isnull=False
    )
    ended = ended.filter(
        verdict__in=(RegressionCheck.Verdict.NONE, RegressionCheck.Verdict.NOT_COMPARABLE)
    ).select_related("candidate")
    green = (
        one
        for one in ended.order_by("-due_at")
        if one.verdict == RegressionCheck.Verdict.NONE or one.is_first
    )
    return [one for _, one in zip(range(MAX_LOOKED_AT), green, strict=False)]


def _comparable(check: RegressionCheck, candidate: MemberSet) -> Iterator[tuple[Evaluation, MemberSet]]:
    for earlier in green_checks(check):
        evaluation = earlier.candidate
        assert evaluation is not None
        members = members_of_evaluation(evaluation, check.schedule.agent)
        if not lost_reason(members) and not list(obstacles(*as_run_sets(members, candidate))):
            yield evaluation, members


def _resolved(members: MemberSet) -> float:
    return sum(one.run.value("formal") or 0.0 for one in members.members) / len(members.members)
