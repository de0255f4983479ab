"""The server of the Model Context Protocol, asked by the client of its own SDK."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
from mcp import Client

from runs.api.assistants.assistant_tools import AssistantTools
from runs.api.assistants.protocol_server import INSTRUCTIONS, server_of
from runs.api.assistants.site_client import SiteClient


def answered(*calls: tuple[str, dict[str, Any]]) -> tuple[Any, list[Any]]:
    """The tools of a server, and its answers to these calls. The site behind it knows no run."""
    site = SiteClient(
        "https://bench.example.org",
        transport=httpx.MockTransport(lambda _: httpx.Response(404, json={"detail": "there is no run 7."})),
    )

    async def ask() -> tuple[Any, list[Any]]:
        async with Client(server_of(site)) as client:
            assert client.instructions == INSTRUCTIONS
            return await client.list_tools(), [await client.call_tool(*call) for call in calls]

    return asyncio.run(ask())


def test_every_tool_is_listed_as_reading_only_with_its_documentation() -> None:
    listed, _ = answered()
    methods = AssistantTools(SiteClient("https://bench.example.org")).all()
    assert [tool.name for tool in listed.tools] == [method.__name__ for method in methods]
    for tool in listed.tools:
        assert tool.description
        assert tool.annotations.read_only_hint
        assert "self" not in tool.input_schema["properties"]
        assert tool.input_schema["additionalProperties"] is False
    by_name = {tool.name: tool for tool in listed.tools}
    assert by_name["read_steps"].input_schema["required"] == ["run"]
    assert by_name["read_steps"].input_schema["properties"]["count"]["maximum"] == 20


def test_the_assistant_is_told_why_there_is_no_answer() -> None:
    _, (missing, wrong) = answered(("why_run_failed", {"run": 7}), ("why_run_failed", {"run": "seven"}))
    assert missing.is_error
    assert missing.content[0].text.endswith("there is no run 7.")
    assert wrong.is_error


def test_an_argument_that_a_tool_does_not_know_is_refused_and_not_ignored() -> None:
    _, (refused,) = answered(("find_runs", {"agent": "alice", "resolved": True}))
    assert refused.is_error
    assert "resolved\n  Extra inputs are not permitted" in refused.content[0].text
