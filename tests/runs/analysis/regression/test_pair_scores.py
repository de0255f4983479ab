"""Two agents in each dimension, from comparisons of their runs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from runs.analysis.regression.pair_scores import PairScore, compared_dimensions


def scores(*values: int, dimension: str = "end_result", flipped: bool = False) -> list[PairScore]:
    """One pair for each value, in scenarios of their own."""
    return [
        PairScore(dimension, f"scenario {number}", str(number), value, flipped)
        for number, value in enumerate(values)
    ]


def test_the_mean_is_negative_if_the_first_agent_is_better() -> None:
    (found,) = compared_dimensions(scores(-5, -3, 0, 1))

    assert (found.score.value, found.score.n) == (-1.75, 4)
    assert found.metrics_value.value == pytest.approx(-1.75 / 5)
    assert (found.first, found.ties, found.second, found.flips, found.comparisons) == (2, 1, 1, 0, 4)
    # Of 2³ patterns of 5, 3 and 1 four have a sum of at least 7.
    assert found.p.value == 4 / 8


def test_personas_of_one_scenario_are_not_independent() -> None:
    pairs = [PairScore("end_result", str(number // 2), str(number), -2) for number in range(12)]
    (found,) = compared_dimensions(pairs)
    assert (found.p.value, found.p.n, found.metrics_value.n) == (2 / 2**6, 6, 12)
    assert found.paper.p.value == 2 / 2**12


def test_the_judges_alert_changes_the_papers_flags_and_nothing_else() -> None:
    (silent,) = compared_dimensions(scores(*[-5] * 6))
    (alarmed,) = compared_dimensions(scores(*[-5] * 6), {"end_result": True, "pitfalls": True})
    assert (silent.paper.flags.alert, alarmed.paper.flags.alert) == (False, True)
    assert replace(alarmed, paper=silent.paper) == silent


def test_p_is_corrected_for_the_number_of_dimensions() -> None:
    clear, equal = scores(*[-3] * 6), scores(*[0] * 6, dimension="pitfalls")

    found = {row.dimension: row for row in compared_dimensions([*clear, *equal])}

    assert found["end_result"].p.value == 2 / 2**6
    assert found["end_result"].corrected.value == 4 / 2**6
    assert not found["end_result"].significant
    assert (found["pitfalls"].corrected.value, found["pitfalls"].ties) == (1, 6)
    assert compared_dimensions(clear)[0].significant


def test_several_judges_of_a_pair_are_averaged_and_flips_are_ties() -> None:
    pair = [
        PairScore("end_result", "tide", "1", -4),
        PairScore("end_result", "tide", "1", -1),
        PairScore("end_result", "ebb", "2", 0, flipped=True),
    ]
    (found,) = compared_dimensions(pair)
    assert (found.score.value, found.metrics_value.value) == (-1.25, -0.25)
    assert (found.first, found.ties, found.flips, found.comparisons) == (1, 1, 1, 3)


def test_equal_scores_have_no_interval() -> None:
    tied, mixed = scores(0, 0, 0), scores(-1, -2, -3, dimension="pitfalls")
    found = {row.dimension: row.score.interval for row in compared_dimensions([*tied, *mixed])}
    assert found["end_result"] is None
    assert found["pitfalls"] is not None
    # 2 ± 4.303 · 1 ÷ √3
    assert found["pitfalls"].high == pytest.approx(-2 + 4.3027 / 3**0.5, abs=1e-3)


def test_without_a_comparison_there_is_no_row_and_odd_scores_are_refused() -> None:
    assert compared_dimensions([]) == ()
    with pytest.raises(ValueError, match="a score of 6"):
        PairScore("end_result", "tide", "1", 6)
