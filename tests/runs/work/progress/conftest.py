"""What the tests of progress share."""

from __future__ import annotations

import pytest

from tests.runs.cast import Cast


@pytest.fixture
def cast() -> Cast:
    """Agents, tasks and runs to build an evaluation from."""
    return Cast()
