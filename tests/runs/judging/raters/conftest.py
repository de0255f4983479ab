"""A site with a person who rates."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from tests.runs.cast import Cast
from tests.runs.roles import rater


@pytest.fixture
def cast(db: None) -> Cast:
    """A dataset with agents."""
    return Cast()


@pytest.fixture
def ada(db: None) -> User:
    """Staff who may rate."""
    return rater("ada")
