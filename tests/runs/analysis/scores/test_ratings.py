"""Elo ratings: the formula, every order at once, and names that do not matter."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runs.analysis.scores.matches import Record, matches
from runs.analysis.scores.ratings import Elo, elo, expected_score
from tests.runs.analysis.random_scores import Scores, fields


def by_name(result: Elo) -> dict[str, float | None]:
    return {row.agent: row.rating.value for row in result.ratings}


def test_the_expected_score() -> None:
    # 400 points: 1 ÷ (1 + 10⁻¹) = 10 ÷ 11. Equal: ½. Equation 18: 1573 against 1465 gives 0.65.
    assert expected_score(1900, 1500) == pytest.approx(10 / 11)
    assert expected_score(1500, 1900) == pytest.approx(1 / 11)
    assert expected_score(1500, 1500) == 0.5
    assert round(expected_score(1573, 1465), 2) == 0.65
    assert expected_score(1e6, 0) == 1


def test_one_win() -> None:
    # Equal ratings expect ½: 1500 ± 32 · (1 − ½) = 1516 and 1484.
    found = elo({"alice": {"t": 0.9}, "bob": {"t": 0.2}})
    best, worst = found.ratings
    assert (best.agent, best.rating.value, best.rating.n) == ("alice", 1516, 1)
    assert (worst.rating.value, worst.spread.value) == (1484, 0)
    assert (best.record, best.win_rate.value) == (Record(1, 0, 0), 1)
    # Against an agent at 1500: 1 ÷ (1 + 10^(−16 ÷ 400)) = 0.523
    assert best.expected.value == pytest.approx(0.52301, abs=1e-5)
    assert (found.n, found.tasks, found.linked) == (1, 1, True)


def test_two_wins() -> None:
    # The second is expected with 1 ÷ (1 + 10^(−32 ÷ 400)) = 0.545922…: 1516 + 32 · 0.454078 = 1530.5305
    found = elo({"alice": {"t": 1, "u": 1}, "bob": {"t": 0, "u": 0}})
    assert found.ratings[0].rating.value == pytest.approx(1516 + 32 * (1 - 1 / (1 + 10**-0.08)))
    assert found.ratings[0].rating.value == pytest.approx(1530.5305, abs=1e-4)


def test_the_order_of_matches_is_averaged_out_and_shown() -> None:
    # Alice wins one and loses one. Win first: 1516 − 32 · 0.545922 = 1498.5305; loss first: 1484 + 17.4695 = 1501.4695.
    # Each is 1.4695 from their mean.
    found = elo({"alice": {"t": 1, "u": 0}, "bob": {"t": 0, "u": 1}}, orders=2000)
    assert by_name(found)["alice"] == pytest.approx(1500, abs=4 * 1.4695 / math.sqrt(2000))
    assert found.ratings[0].spread.value == pytest.approx(1.4695, abs=0.01)
    one = elo({"alice": {"t": 1, "u": 0}, "bob": {"t": 0, "u": 1}}, orders=1)
    assert round(by_name(one)["alice"] or 0, 4) in {1498.5305, 1501.4695}


def test_ties_lie_below_the_margin() -> None:
    # 0.70 − 0.65 is the margin itself, however it is rounded, so it is won; 0.04 is a tie, worth ½, which was expected.
    assert elo({"a": {"t": 0.70}, "b": {"t": 0.65}}).ratings[0].record == Record(1, 0, 0)
    assert elo({"a": {"t": 0.30}, "b": {"t": 0.25}}).ratings[0].record == Record(1, 0, 0)
    tied = elo({"a": {"t": 0.69}, "b": {"t": 0.65}})
    assert tied.ratings[0].record == Record(0, 1, 0)
    assert (by_name(tied), tied.ratings[0].win_rate.value) == ({"a": 1500, "b": 1500}, 0.5)
    exact = elo({"a": {"t": 0.5}, "b": {"t": 0.5}, "c": {"t": 0.501}}, margin=0)
    assert exact.ratings[0].record == Record(2, 0, 0)
    assert exact.ratings[1].record == Record(0, 1, 1)


def played(scores: Scores, order: list[tuple[str, str, str]]) -> dict[str, float]:
    """Equation 12, match by match."""
    ratings = dict.fromkeys(scores, 1500.0)
    for task, a, b in order:
        difference = scores[a][task] - scores[b][task]
        won = 0.5 if abs(difference) < 0.05 else float(difference > 0)
        change = 32 * (won - 1 / (1 + 10 ** ((ratings[b] - ratings[a]) / 400)))
        ratings[a] += change
        ratings[b] -= change
    return ratings


def test_the_mean_is_that_of_all_orders() -> None:
    """Three agents, two tasks: both sequences of tasks, all six of the matches on each."""
    scores = {"a": {"t": 0.9, "u": 0.2}, "b": {"t": 0.5, "u": 0.6}, "c": {"t": 0.1, "u": 0.62}}
    rounds = {task: list(itertools.permutations([(task, *p) for p in ("ab", "ac", "bc")])) for task in "tu"}
    orders = [
        [*first, *second] for one, other in ("tu", "ut") for first in rounds[one] for second in rounds[other]
    ]
    all_orders = [played(scores, order) for order in orders]
    found = elo(scores, orders=3000)
    for row in found.ratings:
        ratings = [result[row.agent] for result in all_orders]
        mean = math.fsum(ratings) / len(ratings)
        deviation = math.sqrt(math.fsum((rating - mean) ** 2 for rating in ratings) / len(ratings))
        assert row.rating.value == pytest.approx(mean, abs=4 * deviation / math.sqrt(3000))
        assert row.spread.value == pytest.approx(deviation, rel=0.1)


@given(fields, st.permutations("vwxyz"))
@settings(max_examples=40)
def test_names_have_no_say_at_all(scores: Scores, names: list[str]) -> None:
    """To the last bit, also for agents that differ only in their names."""
    renamed = dict(zip("abcde", names, strict=True))
    reversed_and_renamed = {
        renamed[agent]: dict(reversed(list(scores[agent].items()))) for agent in reversed(list(scores))
    }
    before, after = elo(scores, orders=5), elo(reversed_and_renamed, orders=5)
    assert {renamed[row.agent]: row.rating for row in before.ratings} == {
        row.agent: row.rating for row in after.ratings
    }


@given(fields)
@settings(max_examples=40)
def test_points_only_change_hands(scores: Scores) -> None:
    found = elo(scores, orders=5)
    points = [row.rating.value for row in found.ratings if row.rating.value is not None]
    assert math.fsum(points) == pytest.approx(1500 * len(points))
    assert sum(row.record.wins for row in found.ratings) == sum(row.record.losses for row in found.ratings)
    assert sum(row.record.matches for row in found.ratings) == 2 * found.n


def test_who_scores_the_same_is_rated_the_same() -> None:
    same = {"t": 0.5, "u": 0.7}
    found = by_name(elo({"zoe": same, "adam": same, "bob": {"t": 1, "u": 0}}))
    assert found["zoe"] == found["adam"]


def test_no_agent_to_play() -> None:
    assert elo({}).ratings == ()
    (alone,) = elo({"alice": {"t": 1}}).ratings
    assert alone.rating.reason == "it met no other agent on a common task"
    found = elo({"a": {"t": 1}, "b": {"t": 0}, "c": {"u": 1}, "d": {"u": 0}, "e": {}})
    assert not found.linked
    assert [row.agent for row in found.ratings] == ["a", "c", "b", "d", "e"]
    assert found.ratings[-1].rating.value is None


def test_bad_arguments() -> None:
    with pytest.raises(ValueError, match="0 orders"):
        elo({}, orders=0)
    with pytest.raises(ValueError, match="a margin of -1"):
        matches({}, -1)
    with pytest.raises(ValueError, match="a scored nan on t"):
        matches({"a": {"t": math.nan}})


def test_published_ratings() -> None:
    """The fourth paper's Table 13: 1573, 1564 and 1465, and win rates of 60.3, 58.9 and 44.2 % against the average."""
    ratings = (1573, 1564, 1465)
    # Points that only change hands would leave the mean at 1500.
    assert sum(ratings) / 3 == 1534
    against_start = [round(100 * expected_score(rating, 1500), 1) for rating in ratings]
    assert against_start == [60.4, 59.1, 45.0]
    against_mean = [round(100 * expected_score(rating, 1534), 1) for rating in ratings]
    assert against_mean == [55.6, 54.3, 40.2]


def test_two_equal_personas_of_each_scenario_are_one_match() -> None:
    scores = {"a": {"t": 1.0, "u": 0.2, "v": 0.6}, "b": {"t": 0.1, "u": 0.9, "v": 0.6}, "c": {"t": 0.5}}
    twice = {
        agent: {f"{task}.{persona}": score for task, score in theirs.items() for persona in "dt"}
        for agent, theirs in scores.items()
    }
    scenarios = {f"{task}.{persona}": task for task in "tuv" for persona in "dt"}
    assert elo(twice, scenarios).ratings == elo(scores).ratings
    assert elo(twice, scenarios).tasks == 6
