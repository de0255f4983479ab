"""Whether this process can answer as it should: for whoever sends it readers, and takes them away again."""

from __future__ import annotations

import logging
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from redis import RedisError

from runs import queue

log = logging.getLogger(__name__)

WELL = "ok"


def readiness() -> dict[str, str]:
    """For each part "ok", or in a sentence why it is not. No addresses and no details: anybody may ask."""
    database = _database()
    return {
        "database": database,
        "migrations": _migrations() if database == WELL else "The database does not answer.",
        "redis": _redis(),
        "static": _static(),
    }


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        log.error("not ready: the database does not answer: %s", error)
        return "It does not answer."
    return WELL


def _migrations() -> str:
    try:
        executor = MigrationExecutor(connection)
        missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError as error:
        log.error("not ready: migrations cannot be read: %s", error)
        return "They cannot be read."
    if not missing:
        return WELL
    return f"{len(missing)} {'is' if len(missing) == 1 else 'are'} not applied: run manage.py migrate."


def _redis() -> str:
    try:
        queue.connection(hasty=True).ping()
    except RedisError:
        return "It does not answer: pages work, runs wait."
    return WELL


def _static() -> str:
    """Pages name static files by what they hold; the list of these names is written by collectstatic."""
    if settings.DEBUG or (Path(settings.STATIC_ROOT) / "staticfiles.json").is_file():
        return WELL
    return "Static files were not collected: run manage.py collectstatic."
