"""Published tables."""

from __future__ import annotations

import pytest

from runs.published.tables import IDE_BENCH, table, tables


def test_every_published_table_names_its_paper_and_is_complete() -> None:
    assert len(tables()) == 12
    assert len({found.anchor for found in tables()}) == 12
    for found in tables():
        assert all(len(row) == len(found.columns) for row in found.rows), found.file
    with pytest.raises(KeyError, match="IDE-Bench"):
        table(IDE_BENCH, 4)
