"""A tool server for the tests of this package."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.harness.tools.tool_server import ToolServer


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ToolServer]:
    app = tmp_path / "app"
    app.mkdir()
    with ToolServer(app) as running:
        yield running
