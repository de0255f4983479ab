"""Budgets, and the difficulty of what two agents solved."""

from __future__ import annotations

from dataclasses import replace

from runs.analysis.difficulty.recalled_success import Recalled
from runs.analysis.difficulty.task_shares import by_origin
from runs.reporting.topics.sections.agent_sections import budget_section, recall_section, twin_section
from tests.runs.reporting.topics.made import column, table
from tests.runs.reporting.topics.made_generated import generated_data

DATA = generated_data()
ORIGINS = {origin: runs for origin, runs in by_origin(DATA.runs).items() if origin != "hand-made"}
REMOVED = sorted({run.task for run in ORIGINS["removed"]})


def test_the_largest_budget_is_compared_with_the_smallest() -> None:
    data = generated_data()

    found = budget_section(data, {"removed": by_origin(data.runs)["removed"]})

    assert column(table([found], "budgets"), "submissions") == [2, 8]
    solved = table([found], "solved-difficulty")
    assert [row[3].title for row in solved.rows] == ["code lines", "harmonic centrality"]  # type: ignore[union-attr]
    assert [picture.name for picture in found.pictures] == ["budgets-chart"]


def test_without_runs_there_is_a_reason() -> None:
    found = budget_section(generated_data(), {})

    assert (found.pictures, [each.rows for each in found.tables]) == ((), [(), ()])
    assert found.empty


def test_models_have_four_bands_and_agents_of_one_model_are_together() -> None:
    recall = {"m": {task: Recalled(place / len(REMOVED), False) for place, task in enumerate(REMOVED)}}
    found = table([recall_section(replace(DATA, recall=recall), ORIGINS)], "recall")
    assert column(found, "model") == ["m"] * 4
    assert column(found, "band") == ["0 to 0.5", "0.5 to 0.8", "0.8 to 1", "equal"]
    assert column(found, "runs") == [40, 24, 16, 0]  # of Alice and Bob at 40 tasks


def test_twins_have_discordant_counts_for_each_agent_and_small_numbers_are_said() -> None:
    twins = {REMOVED[place + 1]: REMOVED[place] for place in range(0, 6, 2)}
    section = twin_section(replace(DATA, twins=twins), ORIGINS)
    found = table([section], "twins")
    assert column(found, "agent") == ["alice", "bob", "carol"]
    assert {
        sum(row)
        for row in zip(
            *(column(found, name) for name in ("both", "only_original", "only_twin", "neither")), strict=True
        )
    } == {3}
    assert "3 rows of 3 have fewer: n is too small there." in section.intro


def test_without_probes_and_twins_there_are_reasons() -> None:
    assert recall_section(DATA, ORIGINS).empty.startswith("No model of these agents was asked")
    assert twin_section(DATA, ORIGINS).empty == "No agent tried a task and its twin."
    for section in (recall_section(DATA, ORIGINS), twin_section(DATA, ORIGINS)):
        assert not any(each.rows for each in section.tables)
