"""Whether a process is ready to serve pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder

from runs.operations.monitoring.readiness import readiness
from tests.conftest import RedisServer

pytestmark = pytest.mark.django_db


@pytest.fixture
def collected(settings: Any) -> None:
    """Static files were collected."""
    (Path(settings.STATIC_ROOT) / "staticfiles.json").write_text("{}")


@pytest.mark.redis
@pytest.mark.usefixtures("collected")
def test_a_whole_site_is_ready(redis: RedisServer) -> None:
    assert readiness() == {"database": "ok", "migrations": "ok", "redis": "ok", "static": "ok"}


@pytest.mark.usefixtures("all_down", "collected")
def test_pages_work_without_redis() -> None:
    assert readiness() == {
        "database": "ok",
        "migrations": "ok",
        "redis": "It does not respond: pages work, runs wait.",
        "static": "ok",
    }


@pytest.mark.usefixtures("all_down")
def test_static_files_have_to_be_collected_outside_of_development(settings: Any) -> None:
    missing = "Static files were not collected: run manage.py collectstatic."
    assert readiness()["static"] == missing
    settings.DEBUG = True
    assert readiness()["static"] == "ok"


@pytest.mark.usefixtures("all_down")
def test_missing_migrations_are_counted() -> None:
    applied = MigrationRecorder.Migration.objects.filter(app="otp_totp").order_by("-name")
    applied[0].delete()
    assert readiness()["migrations"] == "1 is not applied: run manage.py migrate."
    applied[0].delete()
    assert readiness()["migrations"] == "2 are not applied: run manage.py migrate."


@pytest.mark.usefixtures("all_down")
def test_a_database_between_two_versions_is_not_ready() -> None:
    MigrationRecorder.Migration.objects.get(name="0044_grown_sessions").delete()
    assert readiness()["migrations"] == "Some are missing: manage.py migrate says what to do."


@pytest.mark.usefixtures("all_down")
def test_a_database_that_does_not_respond_is_named_without_details(caplog: pytest.LogCaptureFixture) -> None:
    def refuse(*_arguments: object) -> object:
        raise DatabaseError("no route to 10.0.0.7")

    with connection.execute_wrapper(refuse):
        found = readiness()

    assert found["database"] == "It does not respond."
    assert found["migrations"] == "The database does not respond."
    assert "10.0.0.7" not in str(found)
    assert "no route to 10.0.0.7" in caplog.text
