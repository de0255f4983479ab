"""Fixtures that most tests of pages share."""

from __future__ import annotations

import pytest

from tests.runs.cast import Cast


@pytest.fixture
def cast() -> Cast:
    """Agents, tasks and runs to build a site from."""
    return Cast()
