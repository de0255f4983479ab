"""Size and centrality of functions, the hard set, and correlations."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from runs.analysis.difficulty.task_shares import by_origin
from runs.reporting.topics.sections.function_sections import (
    correlation_section,
    curve_section,
    discovery_section,
    hard_section,
    title_of,
)
from runs.reporting.topics.topic_data import TopicData
from tests.runs.reporting.topics.made import column, pictures, table
from tests.runs.reporting.topics.made_generated import generated_data

DATA = generated_data()
REMOVED = {"removed": by_origin(DATA.runs)["removed"]}
ORIGINS = {origin: runs for origin, runs in by_origin(DATA.runs).items() if origin != "hand-made"}


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


def measured(without_rank: int = 0) -> TopicData:
    """Ranks grow with code lines, and successes of ranks below 20 are frequent; some tasks have no rank."""
    dice = random.Random(5)
    measures = {task: dict(known) for task, known in DATA.measures.items()}
    for place, known in enumerate(measures.values()):
        known["naming_share"] = dice.random()
        if place >= without_rank:
            known["ochiai_rank"] = float(round(known["code_lines"] or 0) + 1)
    return replace(DATA, measures=measures)


def test_each_measure_has_a_regression_of_its_own_and_a_curve() -> None:
    section = discovery_section(measured(), ORIGINS)
    found = table([section], "discovery-models")
    names = [(row[0].name, row[1]) for row in found.rows]  # type: ignore[union-attr]
    assert names == [
        ("ochiai_rank", "corrupted"),
        ("naming_share", "corrupted"),
        ("ochiai_rank", "multiple"),
        ("naming_share", "multiple"),
    ]
    assert column(found, "model") == ["alone"] * 4
    assert column(found, "odds_ratio")[0] < 1, "longer functions are harder here, and have higher ranks"
    assert pictures([section]) == ["ochiai-rank-chart", "naming-share-chart"]


def test_correlations_are_with_size_centrality_and_success() -> None:
    found = table([discovery_section(measured(), ORIGINS)], "discovery-measures")
    assert [column.name for column in found.columns] == [
        "measure",
        "origin",
        "code_lines",
        "harmonic",
        "success",
    ]
    first = found.rows[0]
    assert first[2].value == pytest.approx(1.0)  # type: ignore[union-attr] # the rank is code lines and 1
    assert first[2].n == 24  # type: ignore[union-attr]


def test_a_task_without_a_rank_counts_for_the_share_alone() -> None:
    section = discovery_section(measured(without_rank=50), {"corrupted": ORIGINS["corrupted"]})
    rank, share = table([section], "discovery-models").rows
    assert share[3].n == 72  # type: ignore[union-attr] # three agents at 24 tasks
    assert rank[3].n < 72  # type: ignore[union-attr]


def test_removed_functions_are_named_and_have_nothing_to_find() -> None:
    for data, origins in ((measured(), {"removed": ORIGINS["removed"]}), (DATA, ORIGINS)):
        section = discovery_section(data, origins)
        assert not any(each.rows for each in section.tables)
        assert section.pictures == ()
        assert section.empty.startswith("It is unknown where the failing tests")
