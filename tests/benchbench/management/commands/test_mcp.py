"""Assistants ask a real site: over standard input and output, and over HTTP, with the client of the protocol's SDK."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from mcp import Client, StdioServerParameters

from benchbench.management.commands.mcp import own_address
from tests.site.serving import Served, made_once

ROOT = Path(__file__).parents[4]
pytestmark = pytest.mark.redis


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, shared: Path) -> Iterator[Served]:
    """A site that serves the demonstration world."""
    with Served(tmp_path_factory.mktemp("mcp") / "data", copied=made_once(shared)) as served:
        yield served


def command(data: Path, *options: str) -> StdioServerParameters:
    """The command on a data directory."""
    environment = {"PATH": os.environ["PATH"], "BENCHBENCH_DATA": str(data)}
    return StdioServerParameters(
        command=sys.executable, args=["manage.py", "mcp", *options], cwd=ROOT, env=environment
    )


def told(server: StdioServerParameters | str) -> dict[str, Any]:
    """What an assistant learns in four steps: the best agent, its failed run with a replay, why, and a step of it."""

    async def ask() -> dict[str, Any]:
        async with Client(server) as client:

            async def call(name: str, **arguments: object) -> Any:
                result = await client.call_tool(name, arguments)
                assert not result.is_error, result.content
                return result.structured_content

            board = await call("leaderboard", rows=5)
            runs = await call("find_runs", outcome="unresolved", with_replay=True)
            number = runs["runs"][0]["id"]
            return {
                "tools": [tool.name for tool in (await client.list_tools()).tools],
                "leaderboard": board,
                "why": await call("why_run_failed", run=number),
                "steps": await call("read_steps", run=number, count=1),
                "missing": (await client.call_tool("why_run_failed", {"run": 10**9})).is_error,
            }

    return asyncio.run(ask())


def test_the_same_is_told_in_every_way(site: Served, tmp_path: Path) -> None:
    by_http = told(f"{site.url}/mcp")
    assert len(by_http["tools"]) == 10
    assert by_http["leaderboard"]["rows"][0]["pass_at_1"]["n"] > 0
    assert "did not resolve the task" in by_http["why"]["answer"]
    assert by_http["why"]["url"].startswith(site.url)
    assert by_http["steps"]["recorded"]["steps"]
    assert by_http["missing"]
    assert told(command(tmp_path / "nothing", "--site", site.url)) == by_http
    own = told(command(site.data))
    assert own["why"]["answer"] == by_http["why"]["answer"]
    assert own["steps"]["recorded"] == by_http["steps"]["recorded"]


def test_a_wrong_address_is_refused() -> None:
    with pytest.raises(CommandError, match="is no address of a site"):
        call_command("mcp", site="bench.example.org")


@pytest.mark.parametrize(
    ("hosts", "address"),
    [
        (["bench.example.org", "localhost"], "http://bench.example.org"),
        (["*"], "http://localhost"),
        ([".example.org", "127.0.0.1"], "http://127.0.0.1"),
    ],
)
def test_links_begin_with_an_address_that_the_site_answers_to(
    settings: Any, hosts: list[str], address: str
) -> None:
    settings.ALLOWED_HOSTS = hosts
    assert own_address() == address
