"""The whole site as a set of processes: it starts with one command, mends itself, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from benchbench import redis_server
from tests.browser.site import ROOT, Site, free_port
from tests.harness.arena import Arena

pytestmark = [pytest.mark.long, pytest.mark.redis]


@pytest.fixture
def site(tmp_path: Path, prepared: Path) -> Iterator[Site]:
    """A site that is not started yet, on a machine without a container engine."""
    site = Site(tmp_path / "data", {"DOCKER_HOST": f"unix://{tmp_path}/no-engine.sock"}, prepared=prepared)
    yield site
    kill(site.processes())


def kill(pids: list[int]) -> None:
    """Ends these processes, if they still live."""
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue


def wait_until(true: Callable[[], bool], seconds: float = 90) -> None:
    """Returns when it is so."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it did not come to pass"
        time.sleep(0.1)


def replace(site: Site, word: str) -> None:
    """Kills these processes; returns when others have taken their place."""
    wait_until(lambda: bool(site.find(word)))
    dead = set(site.find(word))
    kill(list(dead))
    wait_until(lambda: bool(set(site.find(word)) - dead))


def responds(site: Site) -> bool:
    """Whether the first page comes."""
    try:
        with urllib.request.urlopen(f"{site.url}/", timeout=5) as response:
            return bool(response.status == 200)
    except OSError:
        return False


def test_one_command_starts_everything_and_mends_it(site: Site) -> None:
    site.prepared = None  # it makes its own tables
    site.__enter__()
    assert site.process is not None
    assert responds(site)
    assert f"http://127.0.0.1:{site.port}/" in site.output()
    password = site.password()
    assert len(password) == 16
    assert password not in site.output()
    assert "evaluations are refused" in site.output()
    assert (site.data / "secret_key").stat().st_mode & 0o777 == 0o600

    # A killed process is started again.
    for word in (redis_server.executable().name, "gunicorn", "manage.py work", "manage.py sweep"):
        replace(site, word)
    wait_until(lambda: responds(site))
    assert site.process.poll() is None

    # A killed supervisor takes everything with it, and the next start finds nothing in its way.
    site.process.kill()
    site.process.wait()
    wait_until(lambda: site.processes() == [], 15)
    with site:
        assert responds(site)
        assert password not in site.output()
        assert "one-time password" not in site.output()
    assert site.processes() == []  # after Ctrl-C


def test_a_taken_port_is_named_before_anything_is_prepared(site: Site) -> None:
    import socket

    site.prepared = None
    with socket.create_server(("127.0.0.1", 0)) as taken:
        site.port = taken.getsockname()[1]
        with pytest.raises(AssertionError, match=f"cannot listen on 127.0.0.1:{site.port}"):
            site.__enter__()
    assert (site.data / "db.sqlite3").stat().st_size == 0


@pytest.mark.engine
def test_ctrl_c_in_the_middle_of_a_run_leaves_no_container_and_the_run_goes_on_later(
    tmp_path: Path, prepared: Path
) -> None:
    Arena.make(tmp_path)
    site = Site(tmp_path / "data", {"BENCHBENCH_INSTANCE": f"test-serve-{free_port()}"}, prepared=prepared)
    instance = site.environment["BENCHBENCH_INSTANCE"]
    start = f"""
from django.core.management import call_command
call_command("load_dataset", {str(tmp_path / "tiny")!r})
from runs.models import Agent
from runs.operations.evaluations.lifecycle import start_evaluation
from tasks.models import Task
call = {{"name": "run_terminal_cmd", "arguments": {{"command": "sleep 6", "explanation": "Wait."}}}}
agent = Agent.objects.create(
    slug="slow", name="Slow", kind="scripted", settings={{"script": [{{"message": "", "calls": [call]}}]}}
)
task = Task.objects.get(repository__slug="calc")
start_evaluation(title="Slow", agents=[agent], tasks=[task], attempts=1)
"""

    def request(program: str) -> None:
        environment = {**os.environ, "BENCHBENCH_DATA": str(site.data), **site.environment}
        command = [sys.executable, "manage.py", "shell", "-v", "0", "-c", program]
        subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)

    def run() -> str:
        """Its state and tries, straight from the database: a `manage.py` for each look would miss the moment."""
        query = "SELECT state, tries FROM runs_run JOIN runs_agent a ON a.id = agent_id WHERE a.slug = 'slow'"
        with closing(sqlite3.connect(site.data / "db.sqlite3")) as database:
            state, tries = database.execute(query).fetchone()
        return f"{state} {tries}"

    def containers() -> list[str]:
        command = ["docker", "ps", "-aq", "--filter", f"label=benchbench.instance={instance}"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()

    with site:
        request(start)
        wait_until(lambda: run() == "running 1", 60)
        assert len(containers()) == 1
    assert containers() == []
    assert site.processes() == []
    assert run() == "queued 1"
    with site:
        wait_until(lambda: run() == "finished 2", 90)
        assert containers() == []
        # The terminal is closed: all its processes get a signal.
        assert site.process is not None
        os.killpg(site.process.pid, signal.SIGHUP)
        site.process.wait(30)
        assert site.processes() == []
