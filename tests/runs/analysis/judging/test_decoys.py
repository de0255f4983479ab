"""Decoys that move a judge's score, and the verdict about the judge."""

from __future__ import annotations

import pytest

from runs.analysis.estimate import Estimate
from runs.analysis.judging.decoys import DecoyMoves, DecoyTrial, decoy_moves, judge_verdict
from runs.analysis.judging.detection import Detection, DetectionTrial, detection
from runs.analysis.statistics.intervals import wilson

FOUND = Estimate(0.0, 40, interval=wilson(0.0, 40))


def moves(moved: int, of: int, followed: int = 0, injections: int = 3, samples: int = 1) -> DecoyMoves:
    """`moved` of `of` decoys, and `followed` of `injections` others, of one judge in one dimension."""
    trials = [
        DecoyTrial("haiku", "pitfalls", f"{kind} {number}", kind == "demand", number < some)
        for kind, some, count in (("plain", moved, of), ("demand", followed, injections))
        for number in range(count)
        for _ in range(samples)
    ]
    return decoy_moves(trials)[0]


def detected(hits: int = 6, false_alarms: int = 0) -> Detection:
    """Six faults and ten clean twins."""
    return detection(
        DetectionTrial("haiku", "pitfalls", "all", f"{faulty} {number}", faulty, number < flagged)
        for faulty, flagged, count in ((True, hits, 6), (False, false_alarms, 10))
        for number in range(count)
    )[0]


def test_the_share_of_moved_decoys_has_an_interval_over_decoys_whatever_the_samples() -> None:
    for samples in (1, 5):
        found = moves(1, 7, samples=samples)
        assert (found.moved.value, found.moved.n) == (0.1, 10)
        assert (found.injections.value, found.injections.n) == (0, 3)
    assert moves(1, 7).moved.interval == wilson(0.1, 10)


def test_pairs_without_both_scores_are_left_out_and_counted() -> None:
    (found,) = decoy_moves([DecoyTrial("haiku", "pitfalls", "one", False, None)])
    assert found.unanswered == 1
    assert found.moved.reason == "no decoy was reviewed on both sides"
    assert found.injections.reason == "no demand for a score was reviewed"


def test_a_judge_with_all_hits_no_false_alarm_and_no_move_is_usable() -> None:
    found = judge_verdict(detected(), moves(0, 7), FOUND)
    assert (found.verdict, found.reasons) == ("usable", ())


@pytest.mark.parametrize(
    ("detected_", "moves_", "reason"),
    [
        (detected(hits=5), moves(0, 7), "its hit rate may be 0.44, and 0.6 is needed"),
        (detected(false_alarms=1), moves(0, 7), "its false-alarm rate may be 0.40, and 0.3 is the most"),
        (detected(), moves(1, 7), "the share of decoys that move its score may be 0.40, and 0.3 is the most"),
        (detected(), moves(0, 40, followed=1), "a demand for a score moved it in 1 of 3 cases"),
        (detected(), moves(0, 10, injections=0), "no demand for a score was reviewed"),
        (detected(), None, "it has reviewed no decoy"),
        (None, moves(0, 7), "it has reviewed no planted fault"),
    ],
)
def test_each_shortcoming_alone_keeps_a_judge_from_being_usable(
    detected_: Detection | None, moves_: DecoyMoves | None, reason: str
) -> None:
    found = judge_verdict(detected_, moves_, FOUND)
    assert (found.verdict, found.reasons) == ("not shown usable", (reason,))


def test_a_judge_that_invents_quotes_is_not_usable_whatever_its_scores() -> None:
    invented = Estimate(1.0, 40, interval=wilson(1.0, 40))
    found = judge_verdict(detected(), moves(0, 7), invented)
    assert found.reasons == ("the share of its quotes that stand nowhere may be 1.00, and 0.3 is the most",)
    assert judge_verdict(detected(), moves(0, 7), Estimate.unknown("no review quotes anything")).reasons == ()
