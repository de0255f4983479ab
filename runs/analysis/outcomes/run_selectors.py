"""Selectors of best-of-N: what is known of a run before it is graded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from runs.analysis.facts import COST, SECONDS, TOKENS, TRAJECTORY, Need, RunFacts, sensible
from runs.analysis.features import feature
from runs.analysis.features.base import Basis


@dataclass(frozen=True, slots=True)
class Selector:
    """A rule that chooses one of several runs of an agent at a task: the one with the `highest` or the lowest value.

    `value` sees a run with the outcome and the tests removed (`blind`). None, negative and not finite: no value.
    `needs`: what the record must have; a run without it has no value, and is named in the result. `compares`: the value
    alone decides nothing; of the drawn runs with a value, that is chosen whose patch is most similar to those of the
    others.
    """

    name: str
    title: str
    value: Callable[[RunFacts], float | None]
    highest: bool = False
    compares: bool = False
    needs: tuple[Need, ...] = ()


def by_feature(name: str, title: str, *, highest: bool = False) -> Selector:
    """A selector by a behavioural feature. ValueError for a feature that needs the reference patch, or an unknown one.

    The reference patch, even the names of its files, is unknown when a run is chosen.
    """
    if feature(name).basis is not Basis.PROCESS:
        raise ValueError(f"{name} needs the reference patch, which is unknown when a run is chosen")
    return Selector(name, title, lambda run: _counted(run, name), highest, needs=TRAJECTORY)


def _counted(run: RunFacts, name: str) -> float | None:
    return run.behaviour.features.get(name) if run.behaviour else None


def _patch_lines(run: RunFacts) -> float | None:
    """Lines that the patch adds and removes; None for an empty patch, which solves nothing."""
    added, removed = _counted(run, "lines_added"), _counted(run, "lines_removed")
    return None if added is None or removed is None else (added + removed or None)


CALLS = Need(
    "the number of calls is unknown or invalid", lambda run: sensible(run.failed_calls, run.tool_calls)
)
AGREEMENT = Selector(
    "agreement",
    "most like the others",
    lambda run: 1.0 if run.behaviour and run.behaviour.patch_sketch else None,
    compares=True,
    needs=TRAJECTORY,
)
SELECTORS: tuple[Selector, ...] = (
    Selector("smallest_patch", "smallest patch", _patch_lines, needs=TRAJECTORY),
    Selector("fewest_failed_calls", "fewest failed calls", lambda run: run.failed_calls, needs=(CALLS,)),
    Selector("fewest_calls", "fewest calls", lambda run: run.tool_calls, needs=(CALLS,)),
    AGREEMENT,
    by_feature("last_check_passed", "own last check passed", highest=True),
    by_feature("verification_steps", "most checks", highest=True),
    by_feature("followed_test_after_change", "checked after a change", highest=True),
    by_feature("reasoning_quality_score", "most signs of reasoning", highest=True),
    Selector("fewest_tokens", "fewest tokens", lambda run: run.tokens, needs=(TOKENS,)),
    Selector("lowest_cost", "lowest cost", lambda run: run.cost_usd, needs=(COST,)),
    Selector("fastest", "fastest", lambda run: run.seconds, needs=(SECONDS,)),
)


def blind(run: RunFacts) -> RunFacts:
    """The run without what grading found: outcome, tests, and the comparison with the reference patch."""
    return RunFacts(
        run=run.run,
        agent=run.agent,
        task=run.task,
        repository=run.repository,
        attempt=run.attempt,
        outcome="",
        ending=run.ending,
        iterations=run.iterations,
        tool_calls=run.tool_calls,
        failed_calls=run.failed_calls,
        prompt_tokens=run.prompt_tokens,
        completion_tokens=run.completion_tokens,
        cached_tokens=run.cached_tokens,
        cost_usd=run.cost_usd,
        seconds=run.seconds,
        behaviour=run.behaviour,
    )


def value_of(selector: Selector, run: RunFacts) -> float | None:
    """The value of a run; None if it has none, or if the record lacks what the selector needs."""
    if not all(need.holds(run) for need in selector.needs):
        return None
    value = selector.value(run)
    return value if value is not None and sensible(value) else None
