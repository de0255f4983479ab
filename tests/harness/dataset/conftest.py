"""A dataset in each of the two layouts, for the tests of this package."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness.published import write_published
from tests.harness.worlds import write_tiny_dataset


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """The tiny dataset, in our layout."""
    return write_tiny_dataset(tmp_path)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository in IDE-Bench's layout."""
    return write_published(tmp_path)
