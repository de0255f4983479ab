"""Published tables."""

from __future__ import annotations

import pytest

from runs.published.tables import AGENT_LENS, IDE_BENCH, table, tables


def test_every_published_table_names_its_paper_and_is_complete() -> None:
    assert len(tables()) == 17
    assert len({found.anchor for found in tables()}) == 17
    for found in tables():
        assert all(len(row) == len(found.columns) for row in found.rows), found.file
    with pytest.raises(KeyError, match="IDE-Bench"):
        table(IDE_BENCH, 13)


def test_a_printed_stack_mean_lies_within_its_range_and_an_overlap_is_the_jaccard_index() -> None:
    stacks = table(IDE_BENCH, 4)
    assert len(stacks.rows) == 12
    for *_, mean, low, high in stacks.rows:
        assert not low or float(low) <= float(mean) <= float(high)
    # A mean over repositories: with two of them, it is the middle of the range, as ECS and CL-DT have ten tasks each.
    assert [row[2] for row in stacks.rows if row[4] and sum(map(float, row[4:])) / 2 == float(row[3])] == [
        "GPT-5.2",
        "Opus",
        "Sonnet",
    ]
    for *_, jaccard, overlap in table(IDE_BENCH, 7).rows:
        assert round(100 * float(jaccard), 1) == float(overlap)


def test_the_published_quality_indices_are_the_means_of_their_components() -> None:
    """AgentLens, equation 1: every index of Table 6 is the mean of the six columns beside it."""
    published = table(AGENT_LENS, 6)
    assert len(published.rows) == 17
    for row in published.rows:
        cells = dict(zip(published.columns, row, strict=True))
        # "67.3±0.9" is printed with a standard deviation over runs, which no single row gives.
        printed = float(cells.pop("quality_index").split("±")[0])
        scores = [float(cells[name]) for name in cells if name not in {"harness", "model"}]
        assert len(scores) == 6
        # Half a unit of the last decimal; Kimi K2.6 lies on the edge: 168.9 ÷ 6 = 28.15, printed as 28.1.
        assert abs(sum(scores) / 6 - printed) <= 0.05 + 1e-9, cells["model"]
