"""Sums and means of expenses of runs, some of which may be unknown."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from runs.analysis.estimate import Estimate
from runs.analysis.method import Section, method
from runs.analysis.statistics.known_amounts import KnownAmounts
from runs.analysis.statistics.quantiles import Quantiles, quantiles
from runs.analysis.statistics.summaries import ratio

NO_SUCCESS = "no run resolved its task"
NO_RUN = "no run"


@dataclass(frozen=True, slots=True)
class Total:
    """A sum over runs. `at_least` is the sum of the known amounts; `unknown` counts the runs without one.

    `figure` is undefined if any amount is unknown.
    """

    figure: Estimate
    at_least: float
    unknown: int


@dataclass(frozen=True, slots=True)
class Amounts:
    """One agent's expenses in one resource.

    `per_success` is the total ÷ successes, including the expenses of failures; `of_successes` is the mean of the runs
    that resolved their task. `per_success_at_least`: from the known amounts; None without a success.
    """

    total: Total
    per_success: Estimate
    per_success_at_least: float | None
    of_successes: Estimate
    per_run: Quantiles


@method(
    "per-success",
    "Tokens, dollars and seconds per success",
    Section.COST_AND_EFFORT,
    3,
    short="Everything that was spent, failures included, divided by the number of successes.",
    example="$20 for 40 runs, 10 of them resolved: $2 per success.",
)
def amounts(
    values: Sequence[float | None], resolved: Sequence[bool], unknown: str, tasks: Sequence[str] = ()
) -> Amounts:
    """The expenses of runs in one resource, with two definitions of "per success".

    `values` has the amount of each run, None if it is unknown, with the reason `unknown`; `resolved` says which
    runs succeeded, `tasks` names their tasks (each its own if it is empty). ValueError for sequences of different
    length.

    Formula: `per_success` = Σ amount over all runs ÷ number of resolved runs: the expense for a success including all
    failures. `of_successes` = Σ amount over resolved runs ÷ number of resolved runs: the expense of a successful run.
    The first is never smaller.

    Source: IDE-Bench, table 3 prints "average tokens consumed per successfully completed task". It can only be
    `of_successes`: Llama 4 Scout solves 5 of 80 tasks, so at most 25 of its 400 runs succeed; with its mean of 111.3
    thousand tokens per run (table 11) `per_success` is at least 1,780 thousand, but the table prints 243.5.
    `per_success`: ours.

    Units: those of the amount (tokens, US dollars, seconds).

    Small n: without a run, or a resolved one, both are undefined. If amounts are unknown, the total is undefined, and
    the known amounts give a lower bound; both amounts for a success are over the known ones if these are 90 % or more
    (`mean_of_known`), counted by their n, and else undefined.
    """
    if not len(values) == len(resolved) == len(tasks or values):
        raise ValueError(
            f"{len(values)} amounts, {len(resolved)} outcomes and {len(tasks)} tasks: expected one of each for a run"
        )
    known = [value for value in values if value is not None]
    successes = [
        value for value, success in zip(values, resolved, strict=True) if success and value is not None
    ]
    lacking = len(values) - len(known)
    reason = f"{lacking} of {len(values)} runs: {unknown}" if lacking else ""
    at_least = math.fsum(known)
    count = sum(resolved)
    return Amounts(
        total=Total(_sum(at_least, len(values), reason), at_least, lacking),
        per_success=_per_success(values, resolved, tasks or list(map(str, range(len(values)))), reason),
        per_success_at_least=at_least / count if count else None,
        of_successes=_of_successes(successes, count, reason),
        per_run=quantiles(known, reason or NO_RUN),
    )


@method(
    "cached-share",
    "Share of cached tokens",
    Section.COST_AND_EFFORT,
    4,
    short="The share of prompt tokens that came from the provider’s cache, which costs less.",
    example="900,000 of 1,000,000 prompt tokens: 90 %.",
)
def cached_share(cached: Sequence[float], prompts: Sequence[float]) -> Estimate:
    """The share of prompt tokens that came from the provider's cache.

    Both sequences have one number for each run; ValueError for different lengths.

    Formula: Σ cached tokens ÷ Σ prompt tokens, over runs; so long runs have more weight.

    Source: ours.

    Units: 0 to 1; n counts runs.

    Small n: undefined without a run that has prompt tokens; n = 1 gives that run's share.
    """
    if len(cached) != len(prompts):
        raise ValueError(f"{len(cached)} counts of cached tokens and {len(prompts)} of prompt tokens")
    prompt = math.fsum(prompts)
    return ratio(min(prompt, math.fsum(cached)), prompt, len(prompts), "no run has prompt tokens")


def _sum(at_least: float, runs: int, reason: str) -> Estimate:
    if not runs:
        return Estimate.unknown(NO_RUN)
    return Estimate.unknown(reason, runs) if reason else Estimate(at_least, runs)


def _per_success(
    values: Sequence[float | None], resolved: Sequence[bool], tasks: Sequence[str], reason: str
) -> Estimate:
    """Over the tasks at which the amount of every run is known, as on the leaderboard."""
    if not any(resolved):
        return Estimate.unknown(NO_SUCCESS, len(values))
    lacking = {task for value, task in zip(values, tasks, strict=True) if value is None}
    runs = [
        (value, success)
        for value, success, task in zip(values, resolved, tasks, strict=True)
        if value is not None and task not in lacking
    ]
    total, count = math.fsum(value for value, _ in runs), sum(success for _, success in runs)
    known = KnownAmounts("the amount", total, len(runs), count, len(values))
    return known.per_success(NO_SUCCESS) if known.are_enough else Estimate.unknown(reason, len(values))


def _of_successes(known: Sequence[float], count: int, reason: str) -> Estimate:
    amounts = KnownAmounts("the amount", math.fsum(known), len(known), len(known), count)
    return amounts.per_attempt(NO_SUCCESS) if amounts.are_enough or not count else Estimate.unknown(reason)
