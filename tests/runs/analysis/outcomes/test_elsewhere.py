"""Ranks on other repositories: repositories are the observations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from runs.analysis.outcomes.elsewhere import Elsewhere, places_elsewhere
from runs.analysis.outcomes.passes import TaskScore
from runs.analysis.outcomes.ties import Place, tie_groups

Solved = Mapping[str, Sequence[Sequence[int]]]


def scores(solved: Solved) -> dict[str, dict[str, TaskScore]]:
    """Each agent has a list for each repository, with 1 for each task that it resolved."""
    return {
        agent: {
            f"{home}/{task}": TaskScore(1, won)
            for home, tasks in enumerate(homes)
            for task, won in enumerate(tasks)
        }
        for agent, homes in solved.items()
    }


def elsewhere(solved: Solved) -> Elsewhere[str]:
    made = scores(solved)
    return places_elsewhere(made, {task: task.split("/")[0] for theirs in made.values() for task in theirs})


def test_an_agent_that_is_better_in_every_repository_is_better_on_others() -> None:
    # One of the 2⁵ patterns of six repositories is as extreme: p = 1 ÷ 32.
    six = elsewhere({"ada": [[1, 1]] * 6, "ben": [[0, 1]] * 6})
    assert six.better == {("ada", "ben")}
    assert six.places == {"ada": Place(1, 1), "ben": Place(2, 2)}
    # In one of seven repositories ben is better: 8 of 64 patterns are as extreme.
    seven = elsewhere({"ada": [*[[1, 1]] * 6, [0, 1]], "ben": [*[[0, 1]] * 6, [1, 1]]})
    assert seven.better == frozenset()


def test_an_agent_that_is_much_better_in_one_large_repository_is_better_there_alone() -> None:
    solved = {"ada": [[1] * 100, *[[1, 0]] * 11], "ben": [[0] * 100, *[[1, 0]] * 11]}

    assert tie_groups(scores(solved)).better == {("ada", "ben")}
    assert elsewhere(solved).better == frozenset()
    assert elsewhere(solved).places == {"ada": Place(1, 2), "ben": Place(1, 2)}


def test_a_pair_is_judged_beside_all_others() -> None:
    # Alone the two differ; others with luck in all but some repositories reach as much by chance.
    two = {"ada": [[1, 1, 1, 1]] * 6, "ben": [[1, 1, 1, 0]] * 6}
    lucky = {f"c{n:02}": [[n >> place & 1] * 4 for place in range(6)] for n in range(1, 40)}

    assert elsewhere(two).better == {("ada", "ben")}
    assert ("ada", "ben") not in elsewhere({**two, **lucky}).better


def test_a_pair_that_differs_is_left_out_before_the_others_are_judged() -> None:
    def of_four(*solved: int) -> list[list[int]]:
        return [[1] * count + [0] * (4 - count) for count in solved]

    three = {"ada": of_four(4, 4, 4, 4, 4, 4, 4), "ben": of_four(1, 4, 2, 3, 1, 1, 3)}
    three["cleo"] = of_four(4, 0, 0, 3, 1, 2, 0)
    # In 3 of 64 patterns some pair is as clear as ada and ben, which is more than 4.5 %; without ada and cleo, in 2.
    assert elsewhere(three).better == {("ada", "ben"), ("ada", "cleo")}


def test_few_repositories_give_no_place_and_few_common_ones_no_test() -> None:
    five = elsewhere({"ada": [[1]] * 5, "ben": [[0]] * 5})
    assert five == Elsewhere(reason="5 repositories are too few to say anything about others: 6 are needed")
    assert elsewhere({}).reason.startswith("0 repositories")

    ada = {str(task): TaskScore(1, 1) for task in range(8)}
    ben = {str(task): TaskScore(1, 0) for task in range(3, 12)}  # five in common
    apart = places_elsewhere({"ada": ada, "ben": ben}, {str(task): str(task) for task in range(12)})
    assert apart.places == {"ada": Place(1, 2), "ben": Place(1, 2)}


def test_of_many_repositories_patterns_are_drawn_with_a_seed() -> None:
    solved = {"ada": [[1, 1]] * 20, "ben": [[0, 1]] * 20, "cleo": [[0, 1]] * 20}
    assert elsewhere(solved).better == {("ada", "ben"), ("ada", "cleo")}
    assert elsewhere(solved) == elsewhere(solved)
