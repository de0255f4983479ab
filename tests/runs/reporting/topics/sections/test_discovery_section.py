"""How hard faults are to find, from made measures."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from runs.analysis.difficulty.task_shares import by_origin
from runs.reporting.topics.sections.discovery_section import discovery_section
from runs.reporting.topics.topic_data import TopicData
from tests.runs.reporting.topics.made import column, pictures, table
from tests.runs.reporting.topics.made_generated import generated_data

DATA = generated_data()
ORIGINS = {origin: runs for origin, runs in by_origin(DATA.runs).items() if origin != "hand-made"}


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
