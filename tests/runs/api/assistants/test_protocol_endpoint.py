"""`/mcp`: what is refused before a message is read. Messages are tested with a real client: test_mcp.py."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from runs.api.assistants.protocol_endpoint import COST, MAX_BYTES
from runs.models import PlaySession
from tests.conftest import RedisServer
from tests.runs.cast import Cast

ROOT = Path(__file__).parents[4]
JSON = "application/json"


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "PATCH", "DELETE"])
def test_there_is_no_session_to_read_or_to_end(client: Client, method: str) -> None:
    response = client.generic(method, "/mcp")
    assert response.status_code == 405
    assert response.headers["Allow"] == "POST, OPTIONS"


def test_scripts_of_any_origin_may_ask_without_credentials(client: Client) -> None:
    response = client.options("/mcp")
    assert response.status_code == 204
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert "MCP-Protocol-Version" in response.headers["Access-Control-Allow-Headers"]


def test_a_message_is_short(client: Client) -> None:
    assert client.post("/mcp", b"x" * (MAX_BYTES + 1), content_type=JSON).status_code == 413


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"jsonrpc": "2.0"}', b"\xff\x00"])
def test_what_is_no_message_is_refused(client: Client, body: bytes) -> None:
    response = client.post("/mcp", body, content_type=JSON, headers={"Accept": f"{JSON}, text/event-stream"})
    assert response.status_code == 400
    assert response.headers["Cache-Control"] == "no-store"


@pytest.mark.django_db
def test_who_plays_a_task_is_told_nothing_of_its_runs(client: Client, django_user_model: Any) -> None:
    cast = Cast()
    petra = django_user_model.objects.create_user("petra")
    PlaySession.objects.create(
        user=petra, run=cast.add_run(cast.alice(), cast.add_tasks(1)[0]), pseudonym="p-petra"
    )
    client.force_login(petra)
    response = client.post("/mcp", b"{", content_type=JSON)
    assert response.status_code == 403
    assert "ask again when you have finished" in response.json()["detail"]


@pytest.mark.redis
def test_it_has_the_limit_of_the_api(client: Client, limited: RedisServer, settings: Any) -> None:
    settings.API_REQUESTS = 2 * COST
    statuses = [client.post("/mcp", b"{", content_type=JSON).status_code for _ in range(3)]
    assert statuses[:2] == [statuses[0]] * 2
    assert statuses[2] == 429


def test_no_web_process_loads_the_protocol_before_somebody_asks() -> None:
    loaded = "import sys, benchbench.wsgi, runs.urls; print('mcp' in sys.modules, 'starlette' in sys.modules)"
    said = subprocess.run(
        [sys.executable, "-c", loaded], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert said.stdout.split() == ["False", "False"]
