"""A site without containers: it works for the project's own agents, and says what it is wherever that matters."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from harness.records import RunRecord
from runs.operations.monitoring.health import engine_status
from runs.work.execution.jobs import execute
from tests.conftest import RedisServer
from tests.runs.tiny import Tiny

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.redis]


@pytest.fixture
def tiny(tmp_path: Path, redis: RedisServer, monkeypatch: pytest.MonkeyPatch) -> Tiny:
    """The tiny dataset on a site that is set to do without containers."""
    monkeypatch.setenv("BENCHBENCH_ENGINE", "local")
    return Tiny(tmp_path)


def test_the_start_page_says_so_in_red(tiny: Tiny, client: Client) -> None:
    assert tiny.task.admitted
    client.force_login(get_user_model().objects.create_superuser("root", password="x"))
    page = client.get("/evaluations/start/").content.decode()
    assert 'id="engine-not-isolated" role="status"><b>Container engine:</b> NO CONTAINER' in page


def test_a_run_is_graded_and_its_page_says_where(tiny: Tiny, client: Client) -> None:
    run = tiny.start(engine=engine_status()).runs.get()
    execute(run.pk, 1)
    run.refresh_from_db()
    assert (run.state, run.outcome) == ("finished", "resolved")
    summary = RunRecord(run.path).summary()
    assert summary is not None
    assert summary.environment["isolated"] is False
    page = client.get(f"/runs/{run.pk}/").content.decode()
    assert "acted and was graded on the host itself: the numbers are not comparable" in page
