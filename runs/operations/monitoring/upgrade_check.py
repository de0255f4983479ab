"""Refuses to migrate databases that an unreleased version left between two releases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

# The last commit with each of the migrations that were joined.
LAST_WITH_ALL = "509a4b75"


@register(Tags.database)
def check_joined_migrations(*, databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """An error for each joined migration that is partly applied; `manage.py migrate` then changes nothing."""
    return [
        Error(
            f"The database is from an unreleased version: it has only some of the migrations that {name} replaces.",
            hint=f"Start commit {LAST_WITH_ALL} with this database once: it applies the others. Then start this one.",
            id="runs.E001",
        )
        for alias in databases or ()
        for name in partly_applied(connections[alias])
    ]


def partly_applied(connection: BaseDatabaseWrapper) -> list[str]:
    """The migrations that replace several others, of which this database has some and not all.

    Django would leave them out without a word, as it can neither apply nor skip them.
    """
    loader = MigrationLoader(connection, load=False)
    loader.load_disk()
    applied = MigrationRecorder(connection).applied_migrations().keys()
    return [
        ".".join(key)
        for key, migration in sorted(loader.disk_migrations.items())
        if applied & set(migration.replaces) and not applied >= set(migration.replaces)
    ]
