"""Published tables."""

from __future__ import annotations

import pytest

from runs.data.published.tables import IDE_BENCH, table, tables


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
