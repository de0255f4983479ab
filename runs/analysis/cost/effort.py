"""What agents spend: tokens, money and time, and what a success comes to."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from runs.analysis.cost.amounts import Amounts, amounts, cached_share
from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import COST, SECONDS, TOKENS, Need, RunFacts, by_agent, sift
from runs.analysis.method import Method
from runs.analysis.outcomes.passes import TaskScore, checked_k, pass_rate, usual_k
from runs.analysis.outcomes.solved import scores_of

CACHED = Need(
    "cached tokens are no number, negative or more than the prompt's",
    lambda run: 0 <= run.cached_tokens <= run.prompt_tokens,
)


@dataclass(frozen=True, slots=True)
class AgentEffort:
    """One agent's runs, what they cost, and what came of it. The rates are means over tasks."""

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
    """All agents, by name. Runs named in `excluded` for a bad amount still count for the other amounts."""

    agents: tuple[AgentEffort, ...]
    excluded: tuple[Exclusion, ...]


def efforts(runs: Sequence[RunFacts], *, k: int | None = None) -> EffortReport:
    """What each agent spent: tokens, dollars and seconds, in all, by run and by success.

    A run whose amount is unknown makes a total undefined (`Total.at_least` says what is known) and is left out of
    means and quantiles, which say how many runs they rest on. What runs cost that the infrastructure failed is in
    none of these.

    Formula: see the amounts, the efficiency score (with this `k`) and the share of cached tokens. `k` None: 5, or the
    most attempts that some agent has at each of its tasks, as in every other result.

    Source: IDE-Bench, 4.3 and tables 3 and 11.

    Units: tokens (prompt and completion, cached ones in the prompt's), US dollars, seconds that the agent acted.

    Small n: no run gives no agent; an agent with one run has that run's amounts everywhere.
    ValueError for k < 1.
    """
    sifted = sift(runs)
    books = {agent: _Book.of(theirs) for agent, theirs in by_agent(sifted.kept).items()}
    scores = {agent: list(tasks.values()) for agent, tasks in scores_of(sifted.kept).items()}
    k = checked_k(k) or usual_k([[score.attempts for score in theirs] for theirs in scores.values()])
    return EffortReport(
        tuple(_effort(agent, book, scores[agent], k) for agent, book in books.items()),
        sifted.excluded + _exclusions(list(books.values())),
    )


def efficiency_score(rate: float, tokens: float) -> float | None:
    """How much success an agent gets for its tokens: higher is better.

    Formula: 100 · rate ÷ (tokens ÷ 1000), with `rate` the mean pass@k (k = 5 in the paper) and `tokens` the mean of
    runs that succeed.

    Source: IDE-Bench, 4.3 and table 3: pass@5 in percent by thousands of tokens. All fifteen printed scores follow
    from the columns beside them. The score rewards failing early only through `rate`; a mean over successes hides
    what failures cost, so read it beside tokens per success.

    Units: percentage points by thousand tokens; `rate` from 0 to 1, `tokens` in tokens.

    Small n: it is no sample. None for less than one token. ValueError for a rate outside 0 to 1, or negative or
    endless tokens.
    """
    if not 0 <= rate <= 1:
        raise ValueError(f"a rate of {rate}: expected 0 to 1")
    if not 0 <= tokens < math.inf:
        raise ValueError(f"{tokens} tokens: expected a finite number from 0")
    return 100 * rate / (tokens / 1000) if tokens >= 1 else None


@dataclass(frozen=True, slots=True)
class _Book:
    """One agent's graded runs and what each of them spent; None where that is not known."""

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


def _exclusions(books: Sequence[_Book]) -> tuple[Exclusion, ...]:
    found = (
        (TOKENS, [run for book in books for run in book.lacking(book.tokens)]),
        (CACHED, [run.run for book in books for run in book.with_tokens() if not CACHED.holds(run)]),
        (COST, [run for book in books for run in book.lacking(book.cost_usd)]),
        (SECONDS, [run for book in books for run in book.lacking(book.seconds)]),
    )
    return tuple(Exclusion(need.reason, tuple(sorted(runs))) for need, runs in found if runs)


def _effort(agent: str, book: _Book, scores: Sequence[TaskScore], k: int) -> AgentEffort:
    resolved = [run.resolved for run in book.runs]
    tokens = amounts(book.tokens, resolved, TOKENS.reason)
    pass_k = pass_rate(scores, k)
    cached = [run for run in book.with_tokens() if CACHED.holds(run)]
    return AgentEffort(
        agent=agent,
        runs=len(resolved),
        resolved=sum(resolved),
        k=k,
        pass_1=pass_rate(scores),
        pass_k=pass_k,
        tokens=tokens,
        cost_usd=amounts(book.cost_usd, resolved, COST.reason),
        seconds=amounts(book.seconds, resolved, SECONDS.reason),
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
    return (
        Estimate.unknown("successes took less than a token", pass_k.n)
        if score is None
        else Estimate(score, pass_k.n)
    )


METHODS = (
    Method("effort", "What agents spend", efforts),
    Method("efficiency-score", "Efficiency score", efficiency_score),
)
