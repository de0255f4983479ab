"""Which few agents together solve the most."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce
from itertools import combinations
from operator import or_

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runs.analysis.outcomes.solved import Solved
from runs.analysis.portfolios.coverage import best_cover, portfolios
from tests.runs.analysis.personas import ends


def of(tasks: str, **solved: Iterable[str]) -> Solved:
    sets = {agent: frozenset(theirs) for agent, theirs in solved.items()}
    return Solved(
        5, tuple(sorted(tasks)), sets, {agent: frozenset(tasks) - mine for agent, mine in sets.items()}
    )


def test_the_best_pair_need_not_hold_the_best_agent() -> None:
    # best alone: c with 4; with c at most 1 more comes to 5, but a and b together solve all 6
    found = portfolios(of("123456", a="123", b="456", c="2345"), 2)
    one, two = found.portfolios
    assert (one.agents, one.covered, one.exact) == (("c",), 4, True)
    assert (two.agents, two.covered, two.at_most, two.exact) == (("a", "b"), 6, 6, True)
    assert (two.coverage.value, two.coverage.n, two.undecided) == (1.0, 6, ())


def test_beyond_the_search_it_is_greedy_and_says_so_with_a_bound() -> None:
    # Greedy takes c (4), then a, which adds 1: 5. Gains still open: b adds 6, so at most min(6, 5 + 1) = 6.
    found = portfolios(of("123456", a="123", b="456", c="2345"), 2, nodes=1).portfolios[1]
    assert (found.agents, found.covered, found.at_most, found.exact) == (("a", "c"), 5, 6, False)


def test_the_bound_lets_every_agent_of_the_choice_gain() -> None:
    # Greedy: a (3), then b, 4 of 6. Two others may still add one each: at most 4 + 2.
    found = portfolios(of("123456", a="123", b="4", c="5", d="6"), 2, nodes=1).portfolios[1]
    assert (found.agents, found.covered, found.at_most, found.exact) == (("a", "b"), 4, 6, False)


def test_greedy_that_meets_its_bound_is_exact() -> None:
    found = portfolios(of("1234", a="12", b="34", c="1"), 2, nodes=1).portfolios[1]
    assert (found.agents, found.covered, found.at_most, found.exact) == (("a", "b"), 4, 4, True)


def test_equals_are_taken_by_name() -> None:
    assert portfolios(of("12", b="1", a="1", c="2"), 1).portfolios[0].agents == ("a",)


def test_what_is_not_known_is_named_and_not_covered() -> None:
    # No agent is known to solve 3: a failed, b has no verdict. With a alone it is known.
    solved = Solved(
        5,
        ("1", "2", "3"),
        {"a": frozenset("1"), "b": frozenset("2")},
        {"a": frozenset("23"), "b": frozenset("1")},
    )
    one, two = portfolios(solved).portfolios
    assert (one.agents, one.undecided) == (("a",), ())
    assert (two.agents, two.covered, two.undecided) == (("a", "b"), 2, ("3",))
    assert two.coverage.value == pytest.approx(2 / 3)


def test_no_agent_gives_no_portfolio() -> None:
    assert portfolios(Solved(1, (), {}, {})).portfolios == ()
    with pytest.raises(ValueError, match="expected 1 or more"):
        portfolios(of("1", a="1"), 0)
    with pytest.raises(ValueError, match="expected 1 to 2"):
        best_cover([1, 2], 3)


def test_pairs_that_the_paper_counts() -> None:
    # 4.9: Grok 4.1 Fast solves 54 tasks and Claude Haiku 70; the union solves 71. GPT-5.2 (76) with Sonnet (71): 77.
    fast, thorough = map(str, range(17, 71)), map(str, range(70))
    tasks = tuple(map(str, range(80)))
    sets = {"Grok 4.1 Fast": frozenset(fast), "Claude Haiku": frozenset(thorough)}
    solved = Solved(5, tasks, sets, {agent: frozenset(tasks) - theirs for agent, theirs in sets.items()})
    pair = portfolios(solved).portfolios[1]
    assert (pair.covered, f"{pair.coverage.value:.4f}") == (71, "0.8875")


def covered(sets: list[int], choice: Iterable[int]) -> int:
    return reduce(or_, (sets[place] for place in choice), 0).bit_count()


masks = st.lists(st.integers(0, 2**8 - 1), min_size=1, max_size=7)


@settings(max_examples=120)
@given(masks, st.data())
def test_it_finds_the_first_that_trying_everything_finds(sets: list[int], data: st.DataObject) -> None:
    size = data.draw(st.integers(1, len(sets)))
    first = max(combinations(range(len(sets)), size), key=lambda choice: covered(sets, choice))
    best = covered(sets, first)
    cover = best_cover(sets, size)
    assert (cover.covered, cover.exact, cover.members) == (best, True, first)

    greedy = best_cover(sets, size, nodes=1)
    assert greedy.covered <= best <= greedy.at_most
    assert greedy.covered >= (1 - 1 / 2.718281828) * best


@settings(max_examples=60)
@given(masks)
def test_greedy_takes_the_first_of_those_that_add_most(sets: list[int]) -> None:
    chosen: tuple[int, ...] = ()
    for size in range(1, len(sets) + 1):
        found = best_cover(sets, size, nodes=0).members
        others = [place for place in range(len(sets)) if place not in chosen]
        # max gives the first of equals
        chosen = (*chosen, max(others, key=lambda place: covered(sets, (*chosen, place))))
        assert found == tuple(sorted(chosen))


def test_what_greedy_proves_to_be_exact_need_not_be_the_first_choice() -> None:
    # Greedy takes e, which solves 3 of 4, then b, the first that adds 4. The search meets a and b before.
    agents = {"a": "12", "b": "34", "c": "23", "d": "14", "e": "123"}
    found, greedy = (portfolios(of("1234", **agents), 2, nodes=n).portfolios[1] for n in (100, 0))
    assert (found.agents, found.exact) == (("a", "b"), True)
    assert (greedy.agents, greedy.exact) == (("b", "e"), True)


@settings(max_examples=60)
@given(st.lists(st.sets(st.sampled_from("123456")), min_size=1, max_size=6))
def test_more_agents_never_cover_less_and_names_do_not_matter(sets: list[set[str]]) -> None:
    ours = of("123456", **{f"a{i}": theirs for i, theirs in enumerate(sets)})
    others = of("123456", **{f"a{9 - i}": theirs for i, theirs in enumerate(sets)})
    covered = [found.covered for found in portfolios(ours, 6).portfolios]
    assert covered == sorted(covered)
    assert covered == [found.covered for found in portfolios(others, 6).portfolios]


def test_two_equal_personas_of_each_scenario_count_as_one_task() -> None:
    alone, twice = of("123456", a="1234", b="35"), of("123456uvwxyz", a="1234uvwx", b="35wy")
    twice = replace(twice, scenarios=dict(zip("123456uvwxyz", "123456123456", strict=True)))
    for one, two in zip(portfolios(alone).portfolios, portfolios(twice).portfolios, strict=True):
        assert two.covered == 2 * one.covered
        assert (two.coverage.value, two.coverage.n) == (one.coverage.value, 12)
        assert ends(two.coverage) == pytest.approx(ends(one.coverage))
