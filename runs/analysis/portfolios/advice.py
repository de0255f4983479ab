"""Which agent, or which two agents one after the other, for a goal and a budget."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from runs.analysis.estimate import Estimate
from runs.analysis.method import Section, method
from runs.analysis.portfolios.cascades import Handover, Plan, Resource
from runs.analysis.statistics.digits import leading

Goal = Literal["success", "cost", "time", "consistency"]
GOALS: tuple[Goal, ...] = get_args(Goal)
READY = 0.85


@dataclass(frozen=True, slots=True)
class Candidate:
    """One agent alone or two in a cascade; all figures are means over the same tasks, for one try at each."""

    agents: tuple[str, ...]
    handover: Handover
    rate: Estimate
    both: Estimate
    icc: Estimate
    amounts: Mapping[Resource, Estimate]

    def per_success(self, resource: Resource) -> Estimate:
        """The expense of a success; undefined without a success, or if the expense is unknown."""
        amount = self.amounts[resource]
        if amount.value is None:
            return amount
        if not self.rate.value:
            return Estimate.unknown("no try succeeds", amount.n)
        return Estimate(amount.value / self.rate.value, amount.n)


def candidate(plan: Plan) -> Candidate:
    """The figures of a plan that a choice depends on."""
    amounts: dict[Resource, Estimate] = {
        "cost_usd": plan.cost_usd,
        "tokens": plan.tokens,
        "seconds": plan.seconds,
    }
    return Candidate(plan.agents, plan.handover, plan.rate, plan.both, plan.icc, amounts)


def figure_of(candidate: Candidate, goal: Goal, resource: Resource = "cost_usd") -> Estimate:
    """What a goal is measured by: success rate, expense or seconds of a success, or the chance of two successes."""
    if goal == "success":
        return candidate.rate
    if goal == "consistency":
        return candidate.both
    return candidate.per_success("seconds" if goal == "time" else resource)


@method("best-within", "The best choice for a goal and a budget", Section.CASCADES_AND_ROUTING, 3)
def best_within(
    candidates: Iterable[Candidate], goal: Goal, resource: Resource = "cost_usd", budget: float | None = None
) -> tuple[Candidate, ...]:
    """The candidates for a goal whose expense is within a budget, the best first.

    Formula: success: the highest rate; cost: the least expense of a success in `resource`, `amount ÷ rate`; time: the
    fewest seconds of a success; consistency: the highest probability that two tries at a task both succeed. A
    candidate is within the budget if its mean expense of a task is at most `budget`. Those with equal figures are
    ordered by their expense of a task (an unknown one last), then one agent before two, then by name. Candidates whose
    figure is undefined are left out, and with a budget those of unknown expense.

    Source: IDE-Bench, 4.10 (success, cost, consistency; budgets are ours). It measures cost by its efficiency score and
    consistency by σ and ICC, which are best for an agent that never succeeds; two successes in a row are not.

    Units: as the figures; `budget` in the unit of `resource`, per task: US dollars, tokens or seconds.

    Small n: no candidate gives none. Differences may be due to chance: see the intervals of the rates. ValueError for a
    negative budget.
    """
    if budget is not None and not budget >= 0:
        raise ValueError(f"a budget of {budget}: expected 0 or more")
    known = [
        each
        for each in candidates
        if figure_of(each, goal, resource).value is not None and _affordable(each, resource, budget)
    ]
    return tuple(sorted(known, key=lambda each: _order(each, goal, resource)))


@method("production-threshold", "Ready for production", Section.CASCADES_AND_ROUTING, 4)
def is_ready(pass_k: Estimate) -> bool | None:
    """Whether an agent is ready for production by the paper's threshold: pass@k of 85 % or more.

    Formula: `pass@k ≥ 0.85`. Use the interval to see how certain this is.

    Source: IDE-Bench, 4.10 ("Production-Ready Threshold"), for k = 5; the paper derives it from the gains of its own
    models. It does not follow that other tasks have the same threshold.

    Units: yes or no.

    Small n: None if pass@k is undefined.
    """
    return None if pass_k.value is None else pass_k.value >= READY


def _affordable(candidate: Candidate, resource: Resource, budget: float | None) -> bool:
    amount = candidate.amounts[resource].value
    return budget is None or (amount is not None and leading(amount) <= leading(budget))


def _order(
    candidate: Candidate, goal: Goal, resource: Resource
) -> tuple[float, bool, float, int, str, Sequence[str]]:
    figure = leading(figure_of(candidate, goal, resource).value)
    amount = candidate.amounts[resource].value
    return (
        figure if goal in ("cost", "time") else -figure,
        amount is None,
        leading(amount or 0.0),
        len(candidate.agents),
        candidate.handover,
        candidate.agents,
    )
