"""Preference of judges for their own family."""

from __future__ import annotations

import pytest

from runs.analysis.judging.self_preference import FamilyScore, self_preference


def matrix_scores(cells: dict[tuple[str, str], float], scenarios: int = 3) -> list[FamilyScore]:
    """The same scores in every scenario."""
    return [
        FamilyScore(judge, agent, "pleasantness", f"scenario-{number}", score)
        for number in range(scenarios)
        for (judge, agent), score in cells.items()
    ]


def test_strict_judges_and_good_agents_are_no_self_preference() -> None:
    # Judge y is 0.2 stricter, agents of x are 0.3 better.
    (found,) = self_preference(
        matrix_scores({("x", "x"): 0.9, ("x", "y"): 0.6, ("y", "x"): 0.7, ("y", "y"): 0.4})
    )
    assert [cell.beyond.value for row in found.cells for cell in row] == pytest.approx([0, 0, 0, 0])
    assert [cell.mean.value for row in found.cells for cell in row] == pytest.approx([0.9, 0.6, 0.7, 0.4])
    assert [cell.own for row in found.cells for cell in row] == [True, False, False, True]


def test_what_main_effects_leave_is_self_preference() -> None:
    # As above, with 0.2 more for each own family: 0.2 ÷ 2 beyond the main effects.
    (found,) = self_preference(
        matrix_scores({("x", "x"): 1.0, ("x", "y"): 0.5, ("y", "x"): 0.6, ("y", "y"): 0.5}, scenarios=6)
    )
    assert [cell.beyond.value for row in found.cells for cell in row] == pytest.approx([0.1, -0.1, -0.1, 0.1])
    assert found.cells[0][0].p.value == 2 / 2**6
    assert (found.judges, found.agents, found.incomplete) == (("x", "y"), ("x", "y"), 0)


def test_scenarios_without_all_cells_are_left_out_of_the_difference() -> None:
    cells = {("x", "x"): 1.0, ("x", "y"): 0.5, ("y", "x"): 0.5, ("y", "y"): 0.5}
    more = [FamilyScore("x", "x", "pleasantness", "odd", 0.0)]
    (found,) = self_preference([*matrix_scores(cells), *more])
    own = found.cells[0][0]
    assert (own.mean.value, own.mean.n) == (0.75, 4)
    assert (own.beyond.value, own.beyond.n, found.incomplete) == (0.125, 3, 1)
    (alone,) = self_preference(more)
    assert alone.cells[0][0].beyond.reason == "two families of judges and two of agents are needed"
    (apart,) = self_preference([*more, FamilyScore("y", "y", "pleasantness", "tide", 1.0)])
    assert apart.cells[0][0].beyond.reason == "no scenario has scores of all families"
    assert apart.cells[0][1].mean.reason == "no judge of this family scored an agent of that one"


def test_a_score_beyond_the_scale_is_refused() -> None:
    with pytest.raises(ValueError, match="x gave the score 2"):
        FamilyScore("x", "y", "pleasantness", "tide", 2)
