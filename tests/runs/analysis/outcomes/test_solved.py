"""Which tasks count as solved, and of which it is not known."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runs.analysis.estimate import Exclusion
from runs.analysis.facts import RunFacts
from runs.analysis.outcomes.solved import solved_within


def attempts(agent: str, task: str, outcomes: str, first: int = 1) -> list[RunFacts]:
    """One run for each letter: y resolved, n unresolved, i infrastructure failed."""
    named = {"y": "resolved", "n": "unresolved", "i": "infrastructure_failed"}
    return [
        RunFacts(first + i, agent, task, task.split("/", maxsplit=1)[0], i + 1, named[letter])
        for i, letter in enumerate(outcomes)
    ]


def test_the_first_k_graded_attempts_decide() -> None:
    runs = [
        *attempts("a", "q/late", "nny"),
        *attempts("a", "q/early", "ynn", 10),
        *attempts("a", "q/never", "nnn", 20),
        *attempts("a", "q/short", "n", 30),
        *attempts("a", "q/short-but-solved", "y", 40),
        *attempts("a", "q/broken", "iny", 50),  # the infrastructure's failure is no attempt
    ]
    found = solved_within(runs, 2)
    assert found.solved["a"] == {"q/early", "q/short-but-solved", "q/broken"}
    assert found.unsolved["a"] == {"q/late", "q/never"}
    assert set(found.tasks) - found.decided("a") == {"q/short"}
    assert found.excluded == (Exclusion("the infrastructure failed", (50,)),)


def test_k_is_what_some_agent_has_on_each_task_and_at_most_five() -> None:
    runs = [*attempts("a", "q/t", "nnn"), *attempts("a", "q/u", "nnnn", 10), *attempts("new", "q/t", "n", 20)]
    assert solved_within(runs).k == 3
    assert solved_within(attempts("a", "q/t", "nnnnnnn")).k == 5
    assert solved_within([]).k == 1
    assert solved_within([]).agents == ()


@pytest.mark.parametrize("k", [0, -1])
def test_k_counts_from_one(k: int) -> None:
    with pytest.raises(ValueError, match="expected 1 or more"):
        solved_within([], k)


cells = st.dictionaries(
    st.tuples(st.sampled_from("abc"), st.sampled_from(["q/t", "q/u"])), st.text("yni", max_size=6), max_size=6
)


def runs_of(cells: dict[tuple[str, str], str]) -> list[RunFacts]:
    return [
        run
        for place, ((agent, task), letters) in enumerate(cells.items())
        for run in attempts(agent, task, letters, 10 * place)
    ]


@settings(max_examples=80)
@given(cells, st.integers(1, 6), st.randoms(use_true_random=False))
def test_more_attempts_solve_more_and_order_does_not_matter(
    cells: dict[tuple[str, str], str], k: int, random: Any
) -> None:
    runs = runs_of(cells)
    found = solved_within(runs, k)
    shuffled = list(runs)
    random.shuffle(shuffled)
    assert solved_within(shuffled, k) == found

    more = solved_within(runs, k + 1)
    for agent in found.agents:
        assert not found.solved[agent] & found.unsolved[agent]
        assert found.solved[agent] <= more.solved[agent]
        assert more.unsolved[agent] <= found.unsolved[agent]


def test_the_first_attempts_are_those_of_the_lowest_numbers_whenever_they_ran() -> None:
    # The second attempt is run 1, the first run 2: with k = 1 only the first counts.
    late = RunFacts(2, "a", "q/t", "q", 1, "unresolved")
    early = RunFacts(1, "a", "q/t", "q", 2, "resolved")
    assert solved_within([early, late], 1).unsolved == {"a": frozenset({"q/t"})}
