"""Size and centrality of functions, the hard set, and correlations."""

from __future__ import annotations

from runs.analysis.difficulty.task_shares import by_origin
from runs.reporting.topics.sections.function_sections import (
    correlation_section,
    curve_section,
    hard_section,
    title_of,
)
from tests.runs.reporting.topics.made import column, table
from tests.runs.reporting.topics.made_generated import generated_data

DATA = generated_data()
REMOVED = {"removed": by_origin(DATA.runs)["removed"]}


def test_both_measures_have_a_model_alone_and_one_together() -> None:
    found = table([curve_section(DATA, REMOVED)], "function-models")
    assert column(found, "model") == ["alone", "alone", "together", "together"]
    assert [row[0].title for row in found.rows] == ["code lines", "harmonic centrality"] * 2  # type: ignore[union-attr]
    assert all(ratio < 1 for ratio in column(found, "odds_ratio")[:1])


def test_the_hard_set_names_its_tasks_and_its_thresholds() -> None:
    section = hard_section(DATA, REMOVED)
    tasks = column(table([section], "hard-tasks"), "task")
    assert f"{len(tasks)} task" in section.intro
    assert column(table([section], "hard-set"), "agent") == ["alice", "bob", "carol"]


def test_correlations_are_over_the_measures_and_success() -> None:
    found = table([correlation_section(DATA, REMOVED)], "measures-1")
    assert [each.title for each in found.columns[1:]] == [
        "code lines",
        "cyclomatic",
        "harmonic centrality",
        "success rate",
    ]
    assert title_of("in_degree") == "in degree"


def test_without_measures_there_are_reasons() -> None:
    bare = generated_data()
    bare.measures.clear()  # type: ignore[attr-defined]
    for section in (
        curve_section(bare, REMOVED),
        hard_section(bare, REMOVED),
        correlation_section(bare, REMOVED),
    ):
        assert not any(each.rows for each in section.tables)
        assert section.pictures == ()
        assert section.empty.startswith("The size and the centrality of the functions are unknown")
