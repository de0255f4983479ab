"""The pages of django-rq."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.conftest import RedisServer

pytestmark = [pytest.mark.django_db, pytest.mark.redis]


def test_pages_of_django_rq_are_for_operators(
    client: Client, admin_client: Client, redis: RedisServer, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    monkeypatch.setitem(settings.RQ_QUEUES["runs"], "URL", redis.url)
    assert client.get("/django-rq/").headers["Location"] == "/admin/login/?next=/django-rq/"
    for staff in (False, True):
        client.force_login(User.objects.create_user(f"clerk-{staff}", is_staff=staff))
        refusal = client.get("/django-rq/")
        assert refusal.status_code == 403
        assert "This is for operators" in refusal.content.decode()
    assert admin_client.get("/admin/django_rq/dashboard/").status_code == 404
    response = admin_client.get("/django-rq/")
    assert "runs" in response.content.decode()
    assert "style-src 'self' 'unsafe-inline'" in response.headers["Content-Security-Policy"]
    assert "script-src" not in response.headers["Content-Security-Policy"]


def test_without_redis_the_pages_of_django_rq_say_so(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path
) -> None:
    monkeypatch.setitem(settings.RQ_QUEUES["runs"], "URL", f"unix://{tmp_path}/none.sock")
    response = admin_client.get("/django-rq/")
    assert response.status_code == 503
    assert "Queued runs are safe" in response.content.decode()
    assert "none.sock" not in response.content.decode()


def test_a_queue_or_job_that_is_not_there_is_not_found(
    admin_client: Client, redis: RedisServer, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    monkeypatch.setitem(settings.RQ_QUEUES["runs"], "URL", redis.url)
    for path in ("queues/0/", "queues/0/failed/"):
        assert admin_client.get(f"/django-rq/{path}").status_code == 200
    for path in (
        "queues/1/",
        f"queues/{2**64}/failed/",
        "schedulers/1/",
        "queues/0/1/delete/",
        "queues/0/%201/",
    ):
        assert admin_client.get(f"/django-rq/{path}").status_code == 404
