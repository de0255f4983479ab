"""Reads and writes hold on PostgreSQL as they do on SQLite: the same tests, on a server of their own."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.site import ROOT
from tests.postgres import PostgresServer

pytestmark = [pytest.mark.long, pytest.mark.postgres]

# Those that write at once, lock, or query in the database's own way.
SPECIFICATIONS = (
    "tests/runs/work/execution/test_settling.py",
    "tests/runs/work/execution/test_budget.py",
    "tests/runs/jobs/test_db_retry.py",
    "tests/runs/operations/evaluations/test_lifecycle.py",
    "tests/runs/data/cells/test_recompute.py",
    "tests/runs/data/cells/test_open_cells.py",
    "tests/runs/data/cells/test_boards.py",
    "tests/runs/transfer/test_importing.py",
    "tests/runs/intake/reported/test_storing.py",
    "tests/runs/intake/reported/test_bulk_rows.py",
    "tests/runs/intake/reported/growing/test_storing_longer_states.py",
    "tests/runs/intake/reported/joining/test_attaching.py",
    "tests/runs/intake/submissions/test_staging.py",
    "tests/runs/intake/submissions/test_deciding.py",
    "tests/runs/intake/uploads/test_reading_uploads.py",
    "tests/runs/data/queries/test_printed_numbers.py",
    "tests/runs/data/queries/test_strict_requests.py",
    "tests/runs/data/run_facts/test_facts_query.py",
    "tests/runs/data/text_index/test_searched_runs.py",
    "tests/runs/data/text_index/test_text_search.py",
    "tests/runs/access/accounts/test_backend.py",
)


@pytest.fixture
def server() -> Iterator[str]:
    """The URL of a database on a fresh server."""
    with tempfile.TemporaryDirectory(prefix="bbp") as name:
        postgres = PostgresServer(Path(name))
        postgres.start()
        try:
            yield postgres.url
        finally:
            postgres.crash()


def test_what_holds_on_sqlite_holds_on_postgresql(server: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *SPECIFICATIONS],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": server},
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert " passed" in done.stdout
    assert "skipped" not in done.stdout
