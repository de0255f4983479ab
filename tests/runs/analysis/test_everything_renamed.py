"""Names decide nothing but the order among equals."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from runs.analysis.estimate import Estimate
from runs.analysis.everything import everything
from runs.analysis.facts import RunFacts
from tests.runs.analysis.random_runs import worlds
from tests.runs.analysis.result_walk import each, plain, walk

# Where several are equally good, the first by name is shown: the agents of a portfolio and of a route, and in a pair of
# equals who comes first, so which agents have adjacent ranks. Their other numbers are checked by tests of their module.
CHOSEN = {
    "similarity.portfolios": {"agents", "undecided"},
    "similarity.routing": {"agent", "best", "tied", "interval"},
    "similarity.routing_by_language": {"agent", "best", "tied", "interval"},
    "similarity.similarity": {"first", "second", "only_first", "only_second"},
    "outcomes.outcomes": {"pairs", "groups"},
    "pairs.head_to_head": {"pairs"},
    "tasks.rank_gaps": {"pairs"},
}
# What is drawn with a seed is drawn in the order of tasks: their names may change by a little what is drawn.
DRAWN = {"scores.elo": {"rating", "spread", "expected"}, "scores.bradley_terry": {"interval"}}


def shuffled(names: set[str], prefix: str, dice: random.Random) -> Mapping[str, str]:
    """Another name for each, in another order."""
    new = [f"{prefix}{number}" for number in range(len(names))]
    dice.shuffle(new)
    return dict(zip(sorted(names), new, strict=True))


def back(new: Mapping[str, str], name: str) -> str:
    """The name that stood there before, also of two agents in a row."""
    old = {here: there for there, here in new.items()}
    return ", then ".join(old.get(part, part) for part in name.split(", then "))


@settings(max_examples=10)
@given(worlds(bad=True), st.randoms(use_true_random=False))
def test_agents_under_other_names_have_the_same_results(runs: list[RunFacts], dice: random.Random) -> None:
    new = shuffled({run.agent for run in runs}, "somebody-", dice)
    found = each([replace(run, agent=new[run.agent]) for run in runs])

    for name, before in each(runs).items():
        drop = CHOSEN.get(name, set())
        assert plain(found[name], lambda text: back(new, text), drop) == plain(before, drop=drop), name


@settings(max_examples=10)
@given(worlds(bad=True), st.randoms(use_true_random=False))
def test_tasks_and_repositories_under_other_names_have_the_same_results(
    runs: list[RunFacts], dice: random.Random
) -> None:
    tasks = shuffled({run.task for run in runs}, "somewhere/something-", dice)
    places = shuffled({run.repository for run in runs} - {""}, "somewhere-", dice)
    found = each(
        [replace(run, task=tasks[run.task], repository=places.get(run.repository, "")) for run in runs]
    )

    new = {**tasks, **places}
    for name, before in each(runs).items():
        drop = DRAWN.get(name, set())
        assert plain(found[name], lambda text: back(new, text), drop) == plain(before, drop=drop), name


@settings(max_examples=5)
@given(worlds())
def test_names_in_the_same_order_change_nothing_at_all(runs: list[RunFacts]) -> None:
    renamed = [
        replace(run, agent=f"x{run.agent}", task=f"x{run.task}", repository=f"x{run.repository}")
        for run in runs
    ]

    def values(results: object) -> list[Estimate]:
        return [found for _, found in walk(results) if isinstance(found, Estimate)]

    assert values(everything(renamed)) == values(everything(runs))
