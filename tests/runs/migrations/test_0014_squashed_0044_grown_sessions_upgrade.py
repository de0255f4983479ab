"""A site of version 0.2.0 keeps its data, and gets the tables of a new site."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection

from tests.browser.site import ROOT

# Of a site of version 0.2.0, with a task with a proof and one without, a run and its cell.
OLD = Path(__file__).parent / "version_0_2_0.sql"


def migrate(directory: Path) -> subprocess.CompletedProcess[str]:
    """Runs `manage.py migrate` for the database of a data directory."""
    return subprocess.run(
        [sys.executable, "manage.py", "migrate", "--verbosity=0"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "BENCHBENCH_DATA": str(directory)},
        capture_output=True,
        text=True,
        check=False,
    )


def columns_and_indexes(database: sqlite3.Connection) -> dict[str, object]:
    """Each table with its columns, foreign keys and indexes, in no order: an upgrade appends columns."""
    tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    return {
        table: (
            sorted(row[1:] for row in database.execute(f"PRAGMA table_info({table})")),
            sorted(row[2:] for row in database.execute(f"PRAGMA foreign_key_list({table})")),
            sorted(
                (
                    "" if name.startswith("sqlite_") else name,
                    *how,
                    database.execute(f"PRAGMA index_info({name})").fetchall()[0][2],
                )
                for _, name, *how in database.execute(f"PRAGMA index_list({table})")
            ),
        )
        for table in tables
    }


@pytest.fixture
def old_site(tmp_path: Path) -> Path:
    """A data directory with the database of version 0.2.0."""
    with closing(sqlite3.connect(tmp_path / "db.sqlite3")) as database:
        database.executescript(OLD.read_text())
    return tmp_path


@pytest.mark.django_db
def test_a_site_of_version_0_2_0_is_upgraded(old_site: Path) -> None:
    done = migrate(old_site)
    assert done.returncode == 0, done.stderr
    with closing(sqlite3.connect(old_site / "db.sqlite3")) as upgraded:
        if connection.vendor == "sqlite":
            connection.ensure_connection()
            assert columns_and_indexes(upgraded) == columns_and_indexes(connection.connection)
        assert upgraded.execute("PRAGMA foreign_key_check").fetchall() == []
        proofs = upgraded.execute("SELECT task_id, content, digest FROM tasks_taskproof").fetchall()
        assert [(task, json.loads(content), digest) for task, content, digest in proofs] == [
            (8, {"passed": 3, "traps": []}, "")
        ]
        groups = "SELECT agent_id, dataset_id, revision FROM runs_cellgroup"
        assert upgraded.execute(groups).fetchall() == [(2, 1, 4)]
        run = "SELECT tests_passed, tests_total, tool_uses, user_ending, solved_elsewhere FROM runs_run"
        assert upgraded.execute(run).fetchall() == [(4, 5, None, "", 0)]
        roles = "SELECT name FROM auth_group ORDER BY id"
        assert [name for (name,) in upgraded.execute(roles)] == [
            "Viewers of hidden datasets",
            "Operators",
            "Admins",
            "Raters",
            "Players",
        ]


def test_a_site_between_two_versions_is_refused_as_it_is(old_site: Path) -> None:
    with closing(sqlite3.connect(old_site / "db.sqlite3")) as database:
        database.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('runs', '0014_plain_help_texts', '')"
        )
        database.commit()
        before = list(database.iterdump())

    refused = migrate(old_site)

    assert refused.returncode == 1
    assert "Start commit 509a4b75 with this database once:" in refused.stderr
    with closing(sqlite3.connect(old_site / "db.sqlite3")) as database:
        assert list(database.iterdump()) == before
