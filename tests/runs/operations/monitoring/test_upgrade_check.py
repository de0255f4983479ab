"""A database between two releases is refused before anything changes in it."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from runs.operations.monitoring.upgrade_check import check_joined_migrations, partly_applied

pytestmark = pytest.mark.django_db
LAST = "0044_grown_sessions"


def forget(*names: str) -> None:
    """Makes the database believe that migrations of runs are not applied."""
    MigrationRecorder.Migration.objects.filter(app="runs", name__in=names).delete()


def test_a_database_of_this_version_is_taken() -> None:
    assert partly_applied(connection) == []
    call_command("check", databases=["default"])


def test_one_without_the_last_of_the_joined_migrations_is_refused() -> None:
    forget(LAST)
    with pytest.raises(SystemCheckError) as refused:
        call_command("migrate", skip_checks=False)
    message = str(refused.value)
    assert "has only some of the migrations that runs.0014_squashed_0044_grown_sessions replaces" in message
    assert "Start commit 509a4b75 with this database once:" in message


def test_one_with_the_first_of_the_joined_migrations_is_refused() -> None:
    MigrationRecorder.Migration.objects.filter(app="runs").delete()
    assert partly_applied(connection) == []
    MigrationRecorder(connection).record_applied("runs", "0001_initial")
    assert partly_applied(connection) == ["runs.0001_squashed_0013_deletion_in_words"]


def test_commands_that_use_no_database_do_not_look_at_it() -> None:
    forget(LAST)
    assert check_joined_migrations(databases=None) == []
    call_command("check")
