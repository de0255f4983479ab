"""What the tests of several result pages share."""

from __future__ import annotations

import pytest

from tasks.models import Task
from tests.runs.cast import Cast


@pytest.fixture
def task(cast: Cast) -> Task:
    """The only task."""
    return cast.add_tasks(1)[0]
