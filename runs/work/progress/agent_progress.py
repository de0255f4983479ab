"""The results of each agent so far, and the cost of the evaluation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet, Sum

from runs.analysis.estimate import Estimate
from runs.analysis.outcomes.interim import Costs, SoFar, cost_at_end, so_far
from runs.analysis.outcomes.standings import CellFacts, Rate, rate_of
from runs.data.cells.run_sums import RunSums
from runs.models import Agent, Run
from runs.work.execution.budget import Account
from runs.work.progress.run_counts import RunTally, tallies
from tasks.models import Task


@dataclass(frozen=True, slots=True)
class AgentSoFar:
    """One row of the results."""

    agent: Agent
    tally: RunTally
    found: SoFar

    @property
    def rate(self) -> Rate | None:
        """pass@1 with its interval."""
        return rate_of(self.found.resolved)


@dataclass(frozen=True, slots=True)
class Money:
    """The cost of an evaluation in US dollars, and its budget. `spent` is None if nothing of it is known.

    `at_end`: the estimated cost at its end; `too_much`: that is more than the budget.
    """

    account: Account
    budget: float | None
    spent: float | None
    at_end: Estimate

    @property
    def too_much(self) -> bool:
        """Whether the estimate is more than the budget."""
        return self.budget is not None and self.at_end.value is not None and self.at_end.value > self.budget

    @property
    def scale(self) -> float:
        """The dollars that the whole bar stands for."""
        used = self.account.used + self.account.reserved
        return max(self.budget or 0.0, used) or 1.0

    def share(self, dollars: float) -> float:
        """The share of the bar, in percent."""
        return round(100 * dollars / self.scale, 2)

    @property
    def bar(self) -> tuple[tuple[str, float, float], ...]:
        """The parts of the bar: name, start and width in percent."""
        parts = []
        start = 0.0
        for name, dollars in (
            ("spent", self.account.spent),
            ("doubtful", self.account.doubtful),
            ("reserved", self.account.reserved),
        ):
            if dollars > 0:
                parts.append((name, start, self.share(dollars)))
                start += self.share(dollars)
        return tuple(parts)


def agents_so_far(
    agents: Sequence[Agent], rows: Sequence[RunSums], cells: Mapping[int, list[CellFacts]]
) -> tuple[AgentSoFar, ...]:
    """Best first; agents without a verdict last."""
    by_agent = tallies(rows, lambda row: row.agent)
    found = [AgentSoFar(agent, by_agent[agent.pk], so_far(cells.get(agent.pk, []))) for agent in agents]
    return tuple(sorted(found, key=_best_first))


def _best_first(one: AgentSoFar) -> tuple[float, str]:
    rate = one.found.resolved.value
    return (1.0 if rate is None else -rate, one.agent.name)


def user_costs(runs: QuerySet[Run]) -> Costs:
    """The cost of the simulated users of these runs, which a model plays."""
    talks = runs.filter(task__mode=Task.Mode.WORKFLOW)
    settled = Q(state=Run.State.FINISHED, outcome__in=Run.VERDICTS)
    found = talks.aggregate(
        settled=Count("pk", filter=settled),
        known=Count("user_cost_usd", filter=settled),
        dollars=Sum("user_cost_usd", filter=settled),
        remaining=Count("pk", filter=Q(state__in=Run.OPEN)),
    )
    spent = (found["dollars"] or 0.0) if found["known"] == found["settled"] else None
    return Costs(found["settled"], spent, found["remaining"])


def money_of(
    account: Account, budget: float | None, agents: Sequence[AgentSoFar], users: Costs | None = None
) -> Money:
    """The cost of the runs so far. `users`: of the simulated users, if a model plays them."""
    costs = [
        Costs(one.found.settled, one.found.cost, one.tally.to_come, free=one.agent.model is None)
        for one in agents
    ]
    costs += [users] if users else []
    return Money(
        account,
        budget,
        None if account.unknown and not account.spent else account.spent,
        cost_at_end(costs, other_cost=account.failed + account.doubtful),
    )
