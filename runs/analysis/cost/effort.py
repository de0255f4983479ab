"""The expenses of agents: tokens, dollars and time, in total and per success."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from runs.analysis.cost.amounts import Amounts, amounts, cached_share
from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import COST, SECONDS, TOKENS, Need, RunFacts, by_agent, sift
from runs.analysis.method import Section, method
from runs.analysis.outcomes.passes import TaskScore, checked_k, pass_rate, usual_k
from runs.analysis.outcomes.solved import scores_of

CACHED = Need(
    "cached tokens are not a number, negative or more than the prompt's",
    lambda run: 0 <= run.cached_tokens <= run.prompt_tokens,
)


@dataclass(frozen=True, slots=True)
class AgentEffort:
    """One agent's runs, their expenses and their outcomes. The rates are means over tasks."""

    agent: str
    runs: int
    resolved: int
    k: int
    pass_1: Estimate
    pass_k: Estimate
    tokens: Amounts
    cost_usd: Amounts
    seconds: Amounts
    cached_share: Estimate
    efficiency: Estimate


@dataclass(frozen=True, slots=True)
class EffortReport:
    """All agents, sorted by name. A run in `excluded` for an invalid amount still counts for the other amounts."""

    agents: tuple[AgentEffort, ...]
    excluded: tuple[Exclusion, ...]


@method(
    "effort",
    "Expenses of agents",
    Section.COST_AND_EFFORT,
    1,
    short="What an agent spends in tokens, dollars and time: in total, by run and by success.",
    example="$20 for 40 runs, 10 of them resolved: $0.50 a run, $2 a success.",
)
def efforts(runs: Sequence[RunFacts], *, k: int | None = None) -> EffortReport:
    """The expenses of each agent in tokens, dollars and seconds: in total, by run and by success.

    A run with an unknown amount makes a total undefined (`Total.at_least` has the known part) and is excluded from
    quantiles and means, and means need 90 % known amounts; their n counts the runs used. Expenses of runs that the
    infrastructure failed are not included.

    Formula: see the amounts, the efficiency score (with this `k`) and the share of cached tokens. `k` None: 5, or the
    largest number of attempts that some agent has at all its tasks, as in every other result.

    Source: IDE-Bench, 4.3 and tables 3 and 11.

    Units: tokens (prompt and completion; cached tokens are part of the prompt), US dollars, seconds in which the agent
    acted.

    Small n: no run gives no agent; for an agent with one run all amounts are those of that run. ValueError for k < 1.
    """
    sifted = sift(runs)
    expenses = {agent: _Expenses.of(theirs) for agent, theirs in by_agent(sifted.usable).items()}
    scores = {agent: list(tasks.values()) for agent, tasks in scores_of(sifted.usable).items()}
    k = checked_k(k) or usual_k(scores.values())
    return EffortReport(
        tuple(_effort(agent, own, scores[agent], k) for agent, own in expenses.items()),
        sifted.excluded + _exclusions(list(expenses.values())),
    )


@method(
    "efficiency-score",
    "Efficiency score",
    Section.COST_AND_EFFORT,
    2,
    short="The success rate in percent for each thousand tokens of a successful run.",
    example="60 % with 30,000 tokens is 2.0.",
)
def efficiency_score(rate: float, tokens: float) -> float | None:
    """The success rate of an agent per thousand tokens: higher is better.

    Formula: 100 · rate ÷ (tokens ÷ 1000), with `rate` the mean pass@k (k = 5 in the paper) and `tokens` the mean of
    successful runs.

    Source: IDE-Bench, 4.3 and table 3: pass@5 in percent per thousand tokens. All fifteen printed scores follow
    from the other columns of the table. The mean over successes does not include the expenses of failures, so compare
    it with tokens per success.

    Units: percentage points per thousand tokens; `rate` from 0 to 1, `tokens` in tokens.

    Small n: not a sample statistic. None for less than one token. ValueError for a rate outside 0 to 1, or negative or
    infinite tokens.
    """
    if not 0 <= rate <= 1:
        raise ValueError(f"a rate of {rate}: expected 0 to 1")
    if not 0 <= tokens < math.inf:
        raise ValueError(f"{tokens} tokens: expected a finite number from 0")
    return 100 * rate / (tokens / 1000) if tokens >= 1 else None


@dataclass(frozen=True, slots=True)
class _Expenses:
    """One agent's graded runs and the expenses of each; None if unknown."""

    runs: Sequence[RunFacts]
    tokens: Sequence[float | None]
    cost_usd: Sequence[float | None]
    seconds: Sequence[float | None]

    @classmethod
    def of(cls, runs: Sequence[RunFacts]) -> Self:
        return cls(
            runs,
            [run.tokens if TOKENS.holds(run) else None for run in runs],
            [run.cost_usd if COST.holds(run) else None for run in runs],
            [run.seconds if SECONDS.holds(run) else None for run in runs],
        )

    def with_tokens(self) -> list[RunFacts]:
        return [run for run, tokens in zip(self.runs, self.tokens, strict=True) if tokens is not None]

    def lacking(self, values: Sequence[float | None]) -> list[int]:
        return [run.run for run, value in zip(self.runs, values, strict=True) if value is None]


def _exclusions(expenses: Sequence[_Expenses]) -> tuple[Exclusion, ...]:
    lacking = (
        (TOKENS, [run for own in expenses for run in own.lacking(own.tokens)]),
        (CACHED, [run.run for own in expenses for run in own.with_tokens() if not CACHED.holds(run)]),
        (COST, [run for own in expenses for run in own.lacking(own.cost_usd)]),
        (SECONDS, [run for own in expenses for run in own.lacking(own.seconds)]),
    )
    return tuple(Exclusion(need.reason, tuple(sorted(runs))) for need, runs in lacking if runs)


def _effort(agent: str, own: _Expenses, scores: Sequence[TaskScore], k: int) -> AgentEffort:
    resolved, tasks = [run.resolved for run in own.runs], [run.task for run in own.runs]
    tokens = amounts(own.tokens, resolved, TOKENS.reason, tasks)
    pass_k = pass_rate(scores, k)
    cached = [run for run in own.with_tokens() if CACHED.holds(run)]
    return AgentEffort(
        agent=agent,
        runs=len(resolved),
        resolved=sum(resolved),
        k=k,
        pass_1=pass_rate(scores),
        pass_k=pass_k,
        tokens=tokens,
        cost_usd=amounts(own.cost_usd, resolved, COST.reason, tasks),
        seconds=amounts(own.seconds, resolved, SECONDS.reason, tasks),
        cached_share=cached_share(
            [run.cached_tokens for run in cached], [run.prompt_tokens for run in cached]
        ),
        efficiency=_efficiency(pass_k, tokens.of_successes),
    )


def _efficiency(pass_k: Estimate, tokens: Estimate) -> Estimate:
    if pass_k.value is None:
        return pass_k
    if tokens.value is None:
        return Estimate.unknown(tokens.reason, pass_k.n)
    score = efficiency_score(pass_k.value, tokens.value)
    if score is None:
        return Estimate.unknown("successful runs used less than one token", pass_k.n)
    return Estimate(score, pass_k.n)
