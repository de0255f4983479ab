"""What agents spend: tokens, money and time, and what a success comes to."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from runs.analysis.facts import COST, SECONDS, TOKENS, Need, RunFacts, by_agent, by_task, sift
from runs.analysis.figure import Exclusion, Figure
from runs.analysis.method import Method
from runs.analysis.passes import pass_at_k
from runs.analysis.quantiles import Quantiles, quantiles
from runs.analysis.summaries import mean_figure

PAPER_K = 5
NO_SUCCESS = "no run resolved its task"
NO_RUN = "no run"

CACHED = Need(
    "cached tokens are no number, negative or more than the prompt's",
    lambda run: 0 <= run.cached_tokens <= run.prompt_tokens,
)


@dataclass(frozen=True, slots=True)
class Total:
    """A sum over runs. `at_least`: what is known of it, which is all of it unless `unknown` runs have no amount.

    `figure` is undefined as soon as one run's amount is unknown.
    """

    figure: Figure
    at_least: float
    unknown: int


@dataclass(frozen=True, slots=True)
class Amounts:
    """What one agent spent of one resource.

    `per_success` is everything spent ÷ successes, failures' expense included; `of_successes` is the mean of those
    runs alone that resolved their task. `per_success_at_least`: from the known amounts; None without a success.
    """

    total: Total
    per_success: Figure
    per_success_at_least: float | None
    of_successes: Figure
    per_run: Quantiles


@dataclass(frozen=True, slots=True)
class Effort:
    """One agent's runs, what they cost, and what came of it. The rates are means over tasks."""

    agent: str
    runs: int
    resolved: int
    k: int
    pass_1: Figure
    pass_k: Figure
    tokens: Amounts
    cost_usd: Amounts
    seconds: Amounts
    cached_share: Figure
    efficiency: Figure


@dataclass(frozen=True, slots=True)
class Efforts:
    """All agents, by name. Runs named in `excluded` for a bad amount still count for the other amounts."""

    agents: tuple[Effort, ...]
    excluded: tuple[Exclusion, ...]


def efforts(runs: Sequence[RunFacts], *, k: int = PAPER_K) -> Efforts:
    """What each agent spent: tokens, dollars and seconds, in all, by run and by success.

    A run whose amount is unknown makes a total undefined (`Total.at_least` says what is known) and is left out of
    means and quantiles, which say how many runs they rest on. What runs cost that the infrastructure failed is in
    none of these.

    Formula: see the amounts, the efficiency score and the share of cached tokens.

    Source: IDE-Bench, 4.3 and tables 3 and 11.

    Units: tokens (prompt and completion, cached ones in the prompt's), US dollars, seconds that the agent acted.

    Small n: no run gives no agent; an agent with one run has that run's amounts everywhere.
    ValueError for k < 1.
    """
    if k < 1:
        raise ValueError(f"k of {k}: expected 1 or more attempts")
    kept = sift(runs)
    agents = tuple(_effort(agent, theirs, k) for agent, theirs in by_agent(kept.kept).items())
    lacking = (sift(kept.kept, *needs).excluded for needs in ((TOKENS, CACHED), (COST,), (SECONDS,)))
    return Efforts(agents, kept.excluded + tuple(exclusion for found in lacking for exclusion in found))


def amounts(runs: Sequence[RunFacts], need: Need, amount: Callable[[RunFacts], float | None]) -> Amounts:
    """What graded runs of one agent spent of one resource, in two readings of "per success".

    Formula: `per_success` = Σ amount over all runs ÷ number of resolved runs: what one has to spend for a success,
    with all the failures on the way. `of_successes` = Σ amount over resolved runs ÷ number of resolved runs: what a
    run that succeeds takes. The first is never smaller.

    Source: IDE-Bench, table 3 prints "average tokens consumed per successfully completed task". It can only be
    `of_successes`: Llama 4 Scout solves 5 of 80 tasks, so at most 25 of its 400 runs succeed; at its mean of 111.3
    thousand tokens a run (table 11) `per_success` is at least 1,780 thousand, and printed is 243.5. `per_success`:
    ours.

    Units: those of the amount (tokens, US dollars, seconds).

    Small n: no run, or none resolved, leaves both undefined. An unknown amount of any run leaves `per_success`
    undefined, with what is known as a lower bound; `of_successes` is then the mean over the known ones, and its n
    says how many.
    """
    usable = [run for run in runs if need.holds(run)]
    known = [float(amount(run) or 0) for run in usable]
    successes = [value for value, run in zip(known, usable, strict=True) if run.resolved]
    resolved = sum(run.resolved for run in runs)
    unknown = len(runs) - len(known)
    at_least = math.fsum(known)
    reason = f"{unknown} of {len(runs)} runs: {need.reason}" if unknown else ""
    return Amounts(
        total=Total(_sum(at_least, len(runs), reason), at_least, unknown),
        per_success=_per_success(at_least, resolved, len(runs), reason),
        per_success_at_least=at_least / resolved if resolved else None,
        of_successes=mean_figure(successes, reason if resolved else NO_SUCCESS),
        per_run=quantiles(known, reason or NO_RUN),
    )


def efficiency_score(rate: float, tokens: float) -> float | None:
    """How much success an agent gets for its tokens: higher is better.

    Formula: 100 · rate ÷ (tokens ÷ 1000), with `rate` the mean pass@5 and `tokens` the mean of runs that succeed.

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


def cached_share(runs: Sequence[RunFacts]) -> Figure:
    """Which part of the prompts' tokens came from the provider's cache.

    Formula: Σ cached tokens ÷ Σ prompt tokens, over runs; so long runs weigh more than short ones.

    Source: ours.

    Units: 0 to 1; n counts runs.

    Small n: no run with sensible counts, or none with a prompt token, leaves it undefined; n = 1 gives that run's
    share.
    """
    usable = [run for run in runs if TOKENS.holds(run) and CACHED.holds(run)]
    prompt = math.fsum(run.prompt_tokens for run in usable)
    if not prompt:
        return Figure.unknown("no run has prompt tokens", len(usable))
    return Figure(min(1.0, math.fsum(run.cached_tokens for run in usable) / prompt), len(usable))


def _effort(agent: str, runs: Sequence[RunFacts], k: int) -> Effort:
    tokens = amounts(runs, TOKENS, lambda run: run.tokens)
    pass_k = _pass_at(runs, k)
    return Effort(
        agent=agent,
        runs=len(runs),
        resolved=sum(run.resolved for run in runs),
        k=k,
        pass_1=_pass_at(runs, 1),
        pass_k=pass_k,
        tokens=tokens,
        cost_usd=amounts(runs, COST, lambda run: run.cost_usd),
        seconds=amounts(runs, SECONDS, lambda run: run.seconds),
        cached_share=cached_share(runs),
        efficiency=_efficiency(pass_k, tokens.of_successes),
    )


def _pass_at(runs: Sequence[RunFacts], k: int) -> Figure:
    cells = by_task(runs).values()
    rates = [pass_at_k(len(cell), sum(run.resolved for run in cell), k) for cell in cells]
    known = [rate for rate in rates if rate is not None]
    if len(known) < len(rates):
        few = f"{len(rates) - len(known)} of {len(rates)} tasks have fewer than {k} graded attempts"
        return Figure.unknown(few, len(rates))
    return mean_figure(known, NO_RUN)


def _efficiency(pass_k: Figure, tokens: Figure) -> Figure:
    if pass_k.value is None:
        return pass_k
    if tokens.value is None:
        return Figure.unknown(tokens.reason, pass_k.n)
    score = efficiency_score(pass_k.value, tokens.value)
    return (
        Figure.unknown("successes took less than a token", pass_k.n)
        if score is None
        else Figure(score, pass_k.n)
    )


def _sum(at_least: float, runs: int, reason: str) -> Figure:
    if not runs:
        return Figure.unknown(NO_RUN)
    return Figure.unknown(reason, runs) if reason else Figure(at_least, runs)


def _per_success(at_least: float, resolved: int, runs: int, reason: str) -> Figure:
    if not resolved:
        return Figure.unknown(NO_SUCCESS, runs)
    return Figure.unknown(reason, runs) if reason else Figure(at_least / resolved, runs)


METHODS = (
    Method("effort", "What agents spend", efforts),
    Method("per-success", "Tokens, dollars and seconds per success", amounts),
    Method("efficiency-score", "Efficiency score", efficiency_score),
    Method("cached-share", "Share of cached tokens", cached_share),
)
