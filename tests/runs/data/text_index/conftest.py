"""The runs that are searched."""

from __future__ import annotations

import pytest

from tests.runs.data.text_index.searching import Library, make_library


@pytest.fixture
def library() -> Library:
    """Four runs, all indexed."""
    return make_library()
