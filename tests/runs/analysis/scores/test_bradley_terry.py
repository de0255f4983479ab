"""Bradley–Terry ratings: closed forms, statsmodels, separation, intervals."""

from __future__ import annotations

import math

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st

from runs.analysis.scores.bradley_terry import POINTS, BradleyTerry, bradley_terry, strengths
from runs.analysis.scores.matches import matches
from runs.analysis.scores.ratings import expected_score
from tests.runs.analysis.personas import PERSONAS, ends
from tests.runs.analysis.random_scores import Scores, fields


def ratings(result: BradleyTerry) -> dict[str, float | None]:
    return {row.agent: row.rating.value for row in result.strengths}


def simulated(tasks: int = 30, seed: int = 3) -> dict[str, dict[str, float]]:
    random = np.random.default_rng(seed)
    return {
        name: {str(task): float(score) for task, score in enumerate(random.normal(0.1 * place, 0.5, tasks))}
        for place, name in enumerate("abcd")
    }


def test_two_agents() -> None:
    # Three wins to one: odds 3, so 400 · log₁₀ 3 = 190.85 points apart, around 1500.
    scores = {"alice": {"t": 1, "u": 1, "v": 1, "w": 0}, "bob": {"t": 0, "u": 0, "v": 0, "w": 1}}
    found = bradley_terry(scores)
    alice, bob = ratings(found)["alice"], ratings(found)["bob"]
    assert alice is not None
    assert bob is not None
    assert alice - bob == pytest.approx(400 * math.log10(3))
    assert alice + bob == pytest.approx(3000)
    assert expected_score(alice, bob) == pytest.approx(3 / 4)
    assert (found.n, found.rated) == (4, 2)
    # Regularised: by symmetry ±x. 3 − 4 · L(2x) + ½ − L(x) = 0, L the logistic function.
    x = ((found.strengths[0].regularised.value or 0) - 1500) / POINTS
    assert 3 - 4 / (1 + math.exp(-2 * x)) + 0.5 - 1 / (1 + math.exp(-x)) == pytest.approx(0, abs=1e-9)
    assert 0 < POINTS * x < alice - 1500


def test_a_tie_is_half_a_win() -> None:
    # One win and two ties of three: 2 to 1.
    found = ratings(bradley_terry({"a": {"t": 1, "u": 0, "v": 0}, "b": {"t": 0, "u": 0, "v": 0}}))
    assert (found["a"] or 0) - (found["b"] or 0) == pytest.approx(400 * math.log10(2))


def test_statsmodels_finds_the_same() -> None:
    """A logistic regression without a constant: each match twice, a tied one once won and once lost."""
    scores = simulated()
    field = matches(scores)
    rows, results = [], []
    for won in field.by_task():
        for i in range(4):
            for j in range(i):
                row = np.zeros(4)
                row[i], row[j] = 1, -1
                for result in {1.0: (1, 1), 0.5: (1, 0), 0.0: (0, 0)}[float(won[i, j])]:
                    rows.append(row[1:])  # the first agent is at 0
                    results.append(result)
    fitted = sm.Logit(results, np.array(rows)).fit(disp=0, tol=1e-12)
    theirs = np.array([0.0, *fitted.params])
    theirs = 1500 + POINTS * (theirs - theirs.mean())
    ours = ratings(bradley_terry(scores))
    assert [ours[agent] for agent in field.agents] == pytest.approx(theirs.tolist(), abs=1e-5)


def test_the_maximum_has_no_slope() -> None:
    field = matches(simulated())
    wins = np.nan_to_num(field.by_task()).sum(axis=0)
    for prior in (0, 1):
        odds = strengths(wins, prior)
        chance = 1 / (1 + np.exp(odds[None, :] - odds[:, None]))
        slope = (wins - (wins + wins.T) * chance).sum(axis=1)
        assert np.abs(slope).max() < (1e-8 if prior == 0 else 1)
        assert odds.mean() == pytest.approx(0)


def test_who_never_lost_has_no_upper_limit() -> None:
    scores: Scores = {
        "queen": {"t": 1, "u": 1},
        "a": {"t": 0.5, "u": 0.2},
        "b": {"t": 0.2, "u": 0.5},
        "pawn": {"t": 0, "u": 0},
        "idle": {},
    }
    found = {row.agent: row for row in bradley_terry(scores).strengths}
    assert found["a"].rating.value == found["b"].rating.value == 1500
    assert "no upper limit" in found["queen"].rating.reason
    assert "no lower limit" in found["pawn"].rating.reason
    assert found["idle"].rating.reason == "it met no other agent on a common task"
    assert found["idle"].regularised.value is None
    regularised = [found[name].regularised.value or 0 for name in ("queen", "a", "b", "pawn")]
    assert regularised[0] > regularised[1] == regularised[2] > regularised[3]
    assert math.fsum(regularised) == pytest.approx(6000)


def test_a_plain_order_rates_no_agent_by_likelihood() -> None:
    found = bradley_terry({"a": {"t": 1}, "b": {"t": 0.5}, "c": {"t": 0}})
    assert found.rated == 0
    assert {row.rating.reason for row in found.strengths} == {
        "no two agents have won against each other, not even through others: no difference is finite"
    }
    assert [row.agent for row in found.strengths] == ["a", "b", "c"]


def test_sets_that_nothing_links() -> None:
    pair = {"t": 1.0, "u": 0.0}, {"t": 0.0, "u": 1.0}
    other = {"v": 1.0, "w": 0.0}, {"v": 0.0, "w": 1.0}
    found = bradley_terry({"a": pair[0], "b": pair[1], "c": other[0], "d": other[1]})
    assert (
        found.strengths[0].rating.reason
        == "several groups of 2 agents can be rated, but not compared with each other"
    )
    third = bradley_terry({"a": pair[0], "b": pair[1], "c": {"x": 1}, "d": {"x": 0}})
    assert {row.agent: row.rating.reason for row in third.strengths}[
        "c"
    ] == "no win links it with the rated agents"
    assert ratings(third)["a"] == 1500


def test_intervals_come_from_samples_of_tasks() -> None:
    found = bradley_terry(simulated(), draws=300)
    for row in found.strengths:
        assert row.rating.interval is not None
        assert row.rating.value is not None
        assert row.rating.interval.low < row.rating.value < row.rating.interval.high
    again = bradley_terry(simulated(), draws=300, seed=1)
    assert again.strengths[0].rating.interval != found.strengths[0].rating.interval
    assert again.strengths[0].rating.value == found.strengths[0].rating.value


def test_a_sample_without_a_maximum_leaves_no_interval() -> None:
    # With one task of four lost, about (3/4)⁴ = 32 % of the samples hold wins alone.
    scores = {"a": {"t": 1, "u": 1, "v": 1, "w": 0}, "b": {"t": 0, "u": 0, "v": 0, "w": 1}}
    row = bradley_terry(scores).strengths[0]
    assert row.rating.interval is None
    assert row.regularised.interval is not None
    assert bradley_terry({"a": {"t": 1}, "b": {"t": 0}}).strengths[0].regularised.interval is None


def test_tasks_that_all_go_the_same_way_leave_no_interval() -> None:
    found = bradley_terry({"a": {"t": 1, "u": 1, "v": 1}, "b": {"t": 0, "u": 0, "v": 0}})
    assert [row.regularised.interval for row in found.strengths] == [None, None]
    assert [row.regularised.reason for row in found.strengths] == ["", ""]


@given(fields, st.permutations("vwxyz"))
@settings(max_examples=30)
def test_names_have_no_say_at_all(scores: Scores, names: list[str]) -> None:
    renamed = dict(zip("abcde", names, strict=True))
    other = {renamed[agent]: scores[agent] for agent in reversed(list(scores))}
    before = {renamed[r.agent]: (r.rating, r.regularised) for r in bradley_terry(scores, draws=10).strengths}
    assert before == {r.agent: (r.rating, r.regularised) for r in bradley_terry(other, draws=10).strengths}


@given(fields)
@settings(max_examples=40)
def test_rated_agents_have_the_mean_1500(scores: Scores) -> None:
    found = bradley_terry(scores, draws=0)
    for values in (
        [row.rating.value for row in found.strengths if row.rating.value is not None],
        [row.regularised.value for row in found.strengths if row.regularised.value is not None],
    ):
        assert not values or math.fsum(values) / len(values) == pytest.approx(1500)
    assert all(row.regularised.value is not None for row in found.strengths if row.record.matches)


def test_no_agent_and_bad_arguments() -> None:
    assert bradley_terry({}).strengths == ()
    with pytest.raises(ValueError, match="-1 draws"):
        bradley_terry({}, draws=-1)


def test_two_equal_personas_of_each_scenario_count_as_one_task() -> None:
    scores = simulated()
    twice = {
        agent: {f"{task}.{persona}": score for task, score in theirs.items() for persona in PERSONAS}
        for agent, theirs in scores.items()
    }
    scenarios = {task: task.partition(".")[0] for task in twice["a"]}
    alone, twins = bradley_terry(scores, draws=100), bradley_terry(twice, scenarios, draws=100)
    independent = bradley_terry(twice, draws=100)
    assert (twins.n, twins.tasks) == (alone.n, 60)
    for one, two, other in zip(alone.strengths, twins.strengths, independent.strengths, strict=True):
        assert two.record == one.record
        for name in ("rating", "regularised"):
            assert ends(getattr(two, name)) == pytest.approx(ends(getattr(one, name)))
            low, high = ends(getattr(other, name))
            assert high - low < 0.8 * (ends(getattr(one, name))[1] - ends(getattr(one, name))[0])
