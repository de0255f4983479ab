"""Fixtures of the tests of queries."""

from __future__ import annotations

import pytest

from tests.runs.cast import Cast


@pytest.fixture
def cast() -> Cast:
    return Cast()
