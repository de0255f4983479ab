"""Whether this process is ready to serve pages, for load balancers and monitors."""

from __future__ import annotations

import logging
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from redis import RedisError

from runs.jobs import queue
from runs.operations.monitoring.upgrade_check import partly_applied

log = logging.getLogger(__name__)

OK = "ok"


def readiness() -> dict[str, str]:
    """For each part "ok" or the problem in a sentence. This is public: no addresses and no details."""
    database = _database()
    return {
        "database": database,
        "migrations": _migrations() if database == OK else "The database does not respond.",
        "redis": _redis(),
        "static": _static(),
    }


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        log.error("not ready: the database does not respond: %s", error)
        return "It does not respond."
    return OK


def _migrations() -> str:
    try:
        if partly_applied(connection):
            return "Some are missing: manage.py migrate says what to do."
        executor = MigrationExecutor(connection)
        missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError as error:
        log.error("not ready: migrations cannot be read: %s", error)
        return "They cannot be read."
    if not missing:
        return OK
    return f"{len(missing)} {'is' if len(missing) == 1 else 'are'} not applied: run manage.py migrate."


def _redis() -> str:
    try:
        queue.connection(queue.AT_ONCE).ping()
    except RedisError:
        return "It does not respond: pages work, runs wait."
    return OK


def _static() -> str:
    """Pages find static files by the manifest that collectstatic writes."""
    if settings.DEBUG or (Path(settings.STATIC_ROOT) / "staticfiles.json").is_file():
        return OK
    return "Static files were not collected: run manage.py collectstatic."
