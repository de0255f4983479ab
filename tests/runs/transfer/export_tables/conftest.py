"""The fixture of these tests."""

from __future__ import annotations

import pytest

from tests.runs.cast import Cast


@pytest.fixture
def cast(db: None) -> Cast:
    """A dataset with agents."""
    return Cast()
