"""Agreement of judges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from runs.analysis.judging.judge_agreement import judge_agreement
from runs.analysis.judging.review_scores import ReviewScore
from tests.runs.analysis.personas import ends


def scores(judge: str, given: Sequence[float | None], sample: int = 0) -> list[ReviewScore]:
    """The scores of one judge for runs 0, 1, 2 …"""
    return [
        ReviewScore(judge, "pitfalls", str(run), f"scenario-{run}", score, sample)
        for run, score in enumerate(given)
    ]


ONE = (0.0, 0.5, 1.0, 1.0, 0.5, 0.0, 1.0, 0.5)
OTHER = (0.0, 0.5, 1.0, 0.5, 0.5, 0.5, 1.0, 0.0)


def test_alpha_and_kappa_by_hand() -> None:
    (found,) = judge_agreement([*scores("a", ONE), *scores("b", OTHER)])
    (pair,) = found.pairs
    # Five of eight are equal, three are half the scale apart. Quadratic weights: 3 · 1 observed; by chance with
    # (2, 3, 3) and (2, 4, 2): (2·4 + 3·2 + 3·2 + 3·4 + 4 · (2·2 + 3·2)) ÷ 8 = 9.
    assert pair.same.value == 5 / 8
    assert pair.kappa.value == pytest.approx(1 - 3 / 9)
    # Ordinal distances of (4, 7, 5) scores: 5.5², 6² and 11.5². Observed 2 · (2 · 30.25 + 36) = 193, expected
    # 2 · (28 · 30.25 + 35 · 36 + 20 · 132.25) ÷ 15 = 633.6.
    assert found.alpha.value == pytest.approx(1 - 193 / 633.6)
    assert (found.alpha.n, pair.kappa.n, found.missing) == (8, 8, 0)
    for estimate in (found.alpha, pair.kappa):
        assert estimate.interval is not None
        assert estimate.value is not None
        assert estimate.interval.low < estimate.value < estimate.interval.high <= 1


def test_missing_scores_are_left_out_and_counted() -> None:
    (found,) = judge_agreement([*scores("a", (*ONE, None)), *scores("b", (*OTHER, 1.0)), *scores("c", [1.0])])
    assert found.judges == ("a", "b", "c")
    assert found.missing == 1 + 8
    first = found.pairs[0]
    assert (first.first, first.second, first.kappa.n) == ("a", "b", 8)
    assert found.pairs[1].kappa.reason == "both scored 1 of the 2 runs that kappa needs"


def test_a_judge_that_always_gives_one_score_is_no_evidence() -> None:
    (found,) = judge_agreement([*scores("a", ONE), *scores("b", [1.0] * 8)])
    assert found.alpha.reason == found.pairs[0].kappa.reason == "b gave every run the score 1"
    assert found.left_out == {"b": "b gave every run the score 1"}
    assert found.pairs[0].same.value == 3 / 8
    (both,) = judge_agreement([*scores("a", [0.5] * 8), *scores("b", [0.5] * 8)])
    assert both.alpha.reason == "a gave every run the score 0.5; b gave every run the score 0.5"
    assert both.pairs[0].same.value == 1


def test_a_constant_judge_leaves_the_others_their_alpha() -> None:
    varying = [*scores("a", ONE), *scores("b", OTHER)]
    (alone,) = judge_agreement(varying)
    # d shares only one run with another judge that is not constant.
    (found,) = judge_agreement([*varying, *scores("c", [1.0] * 8), *scores("d", [None] * 7 + [0.0, 1.0])])
    assert found.alpha == alone.alpha
    assert found.left_out == {
        "c": "c gave every run the score 1",
        "d": "d gave every run the score 0",
    }
    assert found.judges == ("a", "b", "c", "d")
    assert [(pair.first, pair.second) for pair in found.pairs][:2] == [("a", "b"), ("a", "c")]
    assert found.pairs[1].same.value == 3 / 8


def test_runs_of_one_scenario_are_drawn_together() -> None:
    given = [*scores("a", ONE * 2), *scores("b", OTHER * 2)]
    twins = [replace(one, run=f"{one.run}.{persona}") for one in given for persona in ("default", "toxic")]
    (alone,), (twice,) = judge_agreement(given), judge_agreement(twins)
    ours, theirs = alone.pairs[0].kappa, twice.pairs[0].kappa
    assert (theirs.value, theirs.n) == (ours.value, 2 * ours.n)
    assert ends(theirs) == pytest.approx(ends(ours))
    low, high = ends(twice.alpha)
    assert high - low == pytest.approx(ends(alone.alpha)[1] - ends(alone.alpha)[0], rel=0.05)
    (same,) = judge_agreement([replace(one, scenario="one") for one in given])
    assert (same.alpha.value, same.alpha.interval) == (alone.alpha.value, None)


def test_perfect_agreement_has_no_interval() -> None:
    (found,) = judge_agreement([*scores("a", ONE), *scores("b", ONE)])
    assert (found.alpha.value, found.alpha.interval) == (1, None)
    assert (found.pairs[0].kappa.value, found.pairs[0].kappa.interval) == (1, None)


def test_only_the_first_sample_counts() -> None:
    again = scores("a", [1.0] * 8, sample=1)
    assert judge_agreement([*again, *scores("a", ONE), *scores("b", OTHER)]) == judge_agreement(
        [*scores("b", OTHER), *scores("a", ONE)]
    )
    with pytest.raises(ValueError, match="a scored 0 twice in pitfalls, sample 0"):
        judge_agreement([*scores("a", ONE), *scores("a", ONE)])


def test_one_judge_and_no_judge() -> None:
    (found,) = judge_agreement(scores("a", ONE))
    assert found.alpha.reason == "one judge has no other to agree with"
    assert (found.pairs, judge_agreement([])) == ((), ())
    (apart,) = judge_agreement([*scores("a", (1.0, None)), *scores("b", (None, 0.0))])
    assert apart.alpha.reason == "0 runs have the scores of two judges, and alpha needs 2"
