"""Keys in the worker's environment, and keys that a model, a tool or a provider says: they are nowhere afterwards."""

from __future__ import annotations

import json
import random
import string
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as site
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from redis import Redis

from harness.llm.scripted_server import ModelServer
from runs.models import Agent, Evaluation, LanguageModel, Run
from runs.transfer.evaluation_archive import export_runs
from runs.transfer.unpacking import unpack
from tests.conftest import RedisServer
from tests.runs.tiny import Tiny, manage

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.redis, pytest.mark.engine]


def key(prefix: str, length: int, letters: str = string.ascii_letters + string.digits) -> str:
    """Made each time: nothing of a key's shape is stored in the project."""
    return prefix + "".join(random.SystemRandom().choices(letters, k=length))


def keys() -> dict[str, str]:
    """One of each shape."""
    return {
        "sk": key("sk-", 48),
        "sk-proj": key("sk-proj-", 64),
        "sk-ant": key("sk-ant-api03-", 93),
        "AIza": key("AIza", 35),
        "AKIA": key("AKIA", 16, string.ascii_uppercase + "234567"),
        "ghp": key("ghp_", 36),
        "x-api-key": key("", 40),
        "Bearer": key("", 40),
    }


def said(secrets: dict[str, str]) -> str:
    """How somebody would say all of them."""
    plain = " ".join(value for name, value in secrets.items() if name not in ("x-api-key", "Bearer"))
    return f"{plain}\nx-api-key: {secrets['x-api-key']}\nAuthorization: Bearer {secrets['Bearer']}\n"


def script(text: str) -> dict[str, list[dict[str, Any]]]:
    """What the two models say: one echoes everything everywhere, the other's provider quotes it and refuses."""
    shown = text.replace("'", "")

    def call(name: str, **arguments: Any) -> dict[str, Any]:
        return {"name": name, "arguments": {"explanation": text, **arguments}}

    echo: list[dict[str, Any]] = [
        {
            "text": text,
            "reasoning": text,
            "calls": [
                call("write_file", path="keys.txt", content=text),
                call("run_terminal_cmd", command=f"cat keys.txt; echo '{shown}' | base64 -d; sleep 2"),
                call("read_file", path=text),
            ],
            "before": [{"status": 429, "message": text, "headers": {"Retry-After": "0"}}],
        },
        {"text": text, "calls": [{"name": "run_terminal_cmd", "arguments": f'{{"command": "{shown}'}]},
        {"text": text, "calls": [call(text)]},
        {"text": f"I am done. {text}"},
    ]
    refusal = {"status": 401, "message": f"Incorrect API key provided: {text}", "code": "invalid_api_key"}
    return {"echo": echo, "refused": [{"text": "never", "before": [refusal] * 20}]}


@contextmanager
def inspecting(instance: str) -> Iterator[list[str]]:
    """Everything that the engine says of each container of this site, again and again while the block runs."""
    seen: list[str] = []
    over = threading.Event()

    def look() -> None:
        listing = ["docker", "ps", "-aq", "--filter", f"label=benchbench.instance={instance}"]
        while not over.wait(0.1):
            found = subprocess.run(listing, capture_output=True, text=True, check=False).stdout.split()
            if found:
                shown = subprocess.run(
                    ["docker", "inspect", *found], capture_output=True, text=True, check=False
                )
                seen.append(shown.stdout)

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield seen
    finally:
        over.set()
        thread.join()


def of_images(inspected: list[str]) -> str:
    """What the engine says of the images that these containers were made from, their history too."""
    images = {entry["Image"] for text in inspected for entry in json.loads(text or "[]")}
    commands = [["docker", "inspect", image] for image in images]
    commands += [["docker", "history", "--no-trunc", image] for image in images]
    return "".join(
        subprocess.run(each, capture_output=True, text=True, check=True).stdout for each in commands
    )


def of_the_database() -> str:
    """Every row of every table."""
    with connection.cursor() as cursor:
        rows = []
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')
            rows += [repr(row) for row in cursor.fetchall()]
    return "\n".join(rows)


def of_redis(redis: RedisServer) -> str:
    """Everything in it."""
    texts = []
    with Redis.from_url(redis.url) as client:
        for name in client.scan_iter("*"):
            match client.type(name):
                case b"string":
                    texts.append(repr(client.get(name)))
                case b"hash":
                    texts.append(repr(client.hgetall(name)))
                case b"list":
                    texts.append(repr(client.lrange(name, 0, -1)))
                case _:
                    texts.append(repr(name))
    return "\n".join(texts)


def of_pages(client: Client, runs: list[Run]) -> str:
    """The pages that anybody may see, and the operator's."""
    user = get_user_model().objects.create_superuser("root", password="x")
    client.force_login(user)
    addresses = [
        "/",
        "/runs/",
        "/evaluations/",
        "/near-misses/",
        "/leaderboard.json",
        "/leaderboard.csv",
        "/healthz",
    ]
    models = ("run", "evaluation", "agent", "languagemodel")
    addresses += [f"/admin/runs/{model}/" for model in models] + ["/admin/"]
    for run in runs:
        addresses += [f"/runs/{run.pk}/{part}" for part in ("", "live/", "patch/", "log/")]
        addresses += [f"/runs/{run.pk}/steps/{number}/" for number in range(1, (run.steps or 0) + 1)]
        addresses += [f"/runs/{run.pk}/steps/{number}/raw/" for number in range(1, (run.steps or 0) + 1)]
        addresses += [
            run.evaluation.get_absolute_url(),
            run.agent.get_absolute_url(),
            run.task.get_absolute_url(),
        ]
        addresses += [f"/admin/runs/run/{run.pk}/change/", f"/admin/runs/agent/{run.agent_id}/change/"]
    responses = [client.get(address) for address in addresses]
    assert {response.status_code for response in responses} == {200}, [
        (address, response.status_code) for address, response in zip(addresses, responses, strict=True)
    ]
    return "".join(
        b"".join(response).decode() if response.streaming else response.content.decode()
        for response in responses
    )


def of_files(root: Path) -> str:
    """All files below a directory."""
    return "\n".join(
        path.read_bytes().decode("utf-8", "replace") for path in root.rglob("*") if path.is_file()
    )


def of_an_export(evaluation: Evaluation, directory: Path) -> str:
    """What an export holds."""
    export_runs(evaluation, directory / "runs.tar.xz")
    unpack(directory / "runs.tar.xz", directory / "exported")
    return of_files(directory / "exported")


@pytest.mark.parametrize("known", [True, False], ids=["in_the_environment", "known_by_their_shape_alone"])
def test_no_key_is_anywhere_after_a_run(
    known: bool, tmp_path: Path, redis: RedisServer, monkeypatch: pytest.MonkeyPatch, client: Client
) -> None:
    secrets = keys()
    own = key("", 24)
    monkeypatch.setenv("ECHO_API_KEY", own)
    if known:
        for name, value in secrets.items():
            monkeypatch.setenv(f"{name.upper().replace('-', '_')}_KEY", value)
    text = said(secrets) + (own if known else "")
    tiny = Tiny(tmp_path)
    with ModelServer(script(text)) as server:
        agents = [
            Agent.objects.create(
                slug=name,
                name=name.title(),
                kind="ide",
                settings={"patience": 2.0, "retry_delay": 0.01},
                model=LanguageModel.objects.create(
                    slug=name,
                    name=name.title(),
                    provider="Scripted",
                    litellm_id=f"openai/{name}",
                    api_base=server.url,
                    api_key_variable="ECHO_API_KEY",
                    context_window=100_000,
                    input_price=1.0,
                    output_price=1.0,
                ),
            )
            for name in ("echo", "refused")
        ]
        evaluation = tiny.start(agents=agents)
        with inspecting(site.INSTANCE) as inspected:
            worker = manage("work", "--burst", "--workers", "1")
            log, _ = worker.communicate(timeout=240)
        assert any(own in request.authorization for request in server.requests), "the key was never used"
    runs = list(evaluation.runs.select_related("agent", "task__repository", "evaluation").order_by("pk"))
    assert runs[0].outcome == "unresolved", log
    records = of_files(Path(site.RUNS_ROOT))

    places = {
        "the records": records,
        "the worker's log": log,
        "the database": of_the_database(),
        "Redis": of_redis(redis),
        "the pages": of_pages(client, runs),
        "an export": of_an_export(evaluation, tmp_path),
        "docker inspect, of containers": "".join(inspected),
        "docker inspect, of images": of_images(inspected),
    }
    found = [
        (name, place) for name, value in secrets.items() for place, text in places.items() if value in text
    ]
    assert found == []
    assert [place for place, text in places.items() if own in text] == []

    # They were said in every place where they could be stored, and each place was searched.
    assert records.count("[SK_KEY]" if known else "[redacted]") > 10
    assert "Incorrect API key provided" in of_the_database() or "refused" in log.lower()
    assert all(places.values())
    assert any(flag["kind"] == "redacted" for flag in runs[0].flags)


def test_the_search_finds_a_stored_key(tmp_path: Path, redis: RedisServer, client: Client) -> None:
    secret = key("sk-", 48)
    tiny = Tiny(tmp_path)
    run = tiny.start().runs.get()
    run.detail, run.directory = secret, "stored"
    run.save()
    run.path.mkdir()
    (run.path / "patch.diff").write_text(secret)
    with Redis.from_url(redis.url) as store:
        store.set("x", secret)
    assert secret in of_the_database()
    assert secret in of_redis(redis)
    assert secret in of_files(Path(site.RUNS_ROOT))
    assert secret in of_pages(client, [run])


def test_a_key_in_a_containers_environment_is_found(tmp_path: Path) -> None:
    secret, instance = key("sk-", 48), f"secrets-{tmp_path.name}-{time.time_ns()}"
    with inspecting(instance) as inspected:
        command = ["docker", "create", "--label", f"benchbench.instance={instance}", "--env", f"KEY={secret}"]
        made = subprocess.run(
            [*command, "benchbench/base:bookworm", "true"], capture_output=True, text=True, check=True
        )
        time.sleep(1)
        subprocess.run(["docker", "rm", made.stdout.strip()], capture_output=True, check=True)
    assert secret in "".join(inspected)
