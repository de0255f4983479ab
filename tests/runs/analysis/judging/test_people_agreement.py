"""Agreement of people with themselves, each other and judges."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from runs.analysis.judging.judge_agreement import judge_agreement
from runs.analysis.judging.people_agreement import people_agreement
from runs.analysis.judging.review_scores import ReviewScore


def scores(who: str, given: Sequence[float | None], sample: int = 1) -> list[ReviewScore]:
    """The scores of one person or judge for runs 0, 1, 2 …; None: not rated."""
    return [
        ReviewScore(who, "pitfalls", str(run), str(run), score, sample)
        for run, score in enumerate(given)
        if score is not None
    ]


ADA = (0.0, 0.5, 1.0, 1.0, 0.5, 0.0, 1.0, 0.5)
BEA = (0.0, 0.5, 1.0, 0.5, 0.5, 0.5, 1.0, 0.0)


def test_people_agree_with_each_other_and_with_judges_as_judges_do() -> None:
    (found,) = people_agreement(
        [*scores("ada", ADA), *scores("bea", BEA)], scores("Portia", (1.0, None, *BEA[2:]), sample=3)
    )
    (judged,) = judge_agreement([*scores("a", ADA), *scores("b", BEA)])

    assert found.people == ("ada", "bea")
    assert found.alpha == judged.alpha
    assert (found.pairs[0].kappa, found.pairs[0].same) == (judged.pairs[0].kappa, judged.pairs[0].same)
    assert [(pair.first, pair.second, pair.kappa.n) for pair in found.with_judges] == [
        ("ada", "Portia", 7),
        ("bea", "Portia", 7),
    ]
    assert found.with_judges[1].same.value == 6 / 7


def test_a_person_who_repeats_her_scores_agrees_with_herself() -> None:
    again = (0.0, None, 1.0, 1.0, None, 0.5)
    (found,) = people_agreement([*scores("ada", ADA), *scores("ada", again, sample=2)], ())

    (ada,) = found.repeated
    # Three of four are equal, one is half the scale apart. Observed 1; by chance with (2, 0, 2) and (1, 1, 2):
    # (2·1 + 2·2·4 + 2·1·4 + 2·1) ÷ 4 = 7.
    assert (ada.same.value, ada.same.n) == (3 / 4, 4)
    assert ada.kappa.value == pytest.approx(1 - 1 / 7)
    assert found.alpha.reason == "one judge has no other to agree with"
    assert found.with_judges == ()


def test_without_a_repeat_self_agreement_is_undefined() -> None:
    (found,) = people_agreement(scores("ada", ADA), ())
    assert found.repeated[0].kappa.reason == "no run has both scores"


def test_one_score_for_all_runs_shows_no_agreement() -> None:
    (found,) = people_agreement([*scores("ada", ADA), *scores("bea", (1.0,) * 8)], scores("Portia", ADA))
    assert found.pairs[0].kappa.reason == "bea gave every run the score 1"
    assert [pair.kappa.value for pair in found.with_judges] == [pytest.approx(1), None]


def test_a_person_is_no_judge() -> None:
    with pytest.raises(ValueError, match="ada is the name of a person and of a judge"):
        people_agreement(scores("ada", ADA), scores("ada", BEA))
