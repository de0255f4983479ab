"""The protocol of the toolbox: each line of input gets one reply, whatever it is."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import sys
import types
from collections.abc import Mapping
from typing import Any

import pytest

from harness.toolbox.inside import server
from harness.toolbox.inside.result import Result, ToolError
from harness.toolbox.inside.server import Server

TOOL_NAMES = "api_call, database_query, websocket_test, ui_test"


class Echo:
    """A tool whose arguments say what becomes of its call."""

    def __init__(self) -> None:
        self.calls = 0
        self.closed = False

    async def call(self, arguments: Mapping[str, Any], seconds: float) -> Result:
        self.calls += 1
        match arguments.get("do"):
            case "refuse":
                raise ToolError("not today")
            case "break":
                raise ValueError("a bug")
            case "hang":
                await asyncio.sleep(60)
            case "draw":
                return Result("two", pictures=(b"\x89PNG", b"\xff"))
            case "fail":
                return Result("half \ud83d of a pair\0", ok=False)
        return Result(f"call {self.calls} within {seconds:g} s: {dict(arguments)}")

    async def close(self) -> None:
        self.closed = True


@pytest.fixture
def _echo(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server has one tool."""
    module = types.ModuleType("harness.toolbox.inside.echo")
    module.Echo = Echo  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(server, "TOOLS", {"echo": ("echo", "Echo", 30.0)})
    monkeypatch.setattr(server, "GRACE_SECONDS", 0.1)


def replies(*requests: bytes | Mapping[str, Any]) -> list[dict[str, Any]]:
    """The replies of one server to these lines, without their times."""

    async def reply() -> list[dict[str, Any]]:
        server = Server(-1)
        lines = (line if isinstance(line, bytes) else json.dumps(line).encode() for line in requests)
        return [await server.reply_to(line) for line in lines]

    found = asyncio.run(reply())
    for each in found:
        assert each.pop("seconds") >= 0.0
    return found


def request(*, timeout: float = 60.0, **arguments: Any) -> dict[str, Any]:
    return {"id": 7, "tool": "echo", "arguments": arguments, "timeout": timeout}


@pytest.mark.usefixtures("_echo")
class TestReplies:
    def test_the_state_of_a_tool_lasts_from_call_to_call(self) -> None:
        first, second = replies(request(a=1), request(timeout=5.0))
        assert first == {
            "id": 7,
            "ok": True,
            "content": "call 1 within 30 s: {'a': 1}",
            "pictures": [],
        }
        assert second["content"] == "call 2 within 5 s: {}"

    def test_the_time_out_is_the_smaller_one_of_the_model_and_the_harness(self) -> None:
        model = {"id": 1, "tool": "echo", "arguments": {"timeout": 2.0}, "timeout": 60.0}
        harness = {"id": 2, "tool": "echo", "arguments": {"timeout": 20.0}, "timeout": 6.0}
        assert [reply["content"] for reply in replies(model, harness)] == [
            "call 1 within 2 s: {}",
            "call 2 within 6 s: {}",
        ]

    @pytest.mark.parametrize(
        ("do", "content"),
        [
            ("refuse", "not today"),
            ("break", "the tool failed: ValueError: a bug"),
            ("fail", "half ? of a pair␀"),
        ],
    )
    def test_a_failure_is_a_reply(self, do: str, content: str) -> None:
        assert replies(request(do=do)) == [{"id": 7, "ok": False, "content": content, "pictures": []}]

    def test_a_call_that_does_not_end_is_broken_off_and_the_next_one_works(self) -> None:
        hung, next_one = replies(request(do="hang", timeout=0.1), request())
        assert (hung["ok"], hung["content"]) == (
            False,
            "echo did not finish within 0.1 s and was broken off",
        )
        assert next_one["ok"]

    def test_pictures_are_sent_as_base64(self) -> None:
        [reply] = replies(request(do="draw"))
        assert list(map(base64.b64decode, reply["pictures"])) == [b"\x89PNG", b"\xff"]


@pytest.mark.parametrize(
    ("line", "number", "content"),
    [
        (b"nonsense\n", None, "the tool failed: JSONDecodeError: "),
        (b"\xff\n", None, "the tool failed: UnicodeDecodeError: "),
        (b"[1, 2]\n", None, "a request is a JSON object"),
        (b"3\n", None, "a request is a JSON object"),
        (b'{"id": 9}\n', 9, "the tool failed: KeyError: 'tool'"),
        (b'{"id": 9, "tool": "api_call"}\n', 9, "the tool failed: KeyError: 'arguments'"),
        (
            b'{"id": 9, "tool": "coffee", "arguments": {}, "timeout": 1}\n',
            9,
            f"there is no tool 'coffee'; there are: {TOOL_NAMES}",
        ),
        (
            b'{"id": 9, "tool": "api_call", "arguments": {"timeout": "soon"}, "timeout": 1}\n',
            9,
            "the tool failed: ValueError: ",
        ),
    ],
)
def test_an_invalid_line_gets_a_reply_with_its_id(line: bytes, number: int | None, content: str) -> None:
    [reply] = replies(line)
    assert (reply["id"], reply["ok"], reply["pictures"]) == (number, False, [])
    assert reply["content"].startswith(content)


@pytest.mark.usefixtures("_echo")
def test_it_greets_replies_in_order_and_closes_its_tools_at_the_end_of_input() -> None:
    made: list[Echo] = []

    class Remembered(Echo):
        def __init__(self) -> None:
            super().__init__()
            made.append(self)

    sys.modules["harness.toolbox.inside.echo"].Echo = Remembered  # type: ignore[attr-defined]
    (requests, send), (read, replies) = os.pipe(), os.pipe()
    os.write(send, b"nonsense\n" + json.dumps(request()).encode() + b"\n")
    os.close(send)
    asyncio.run(Server(replies).serve(requests))
    os.close(replies)
    with os.fdopen(read, "rb") as file:
        greeting, first, second = map(json.loads, file)
    assert (greeting["ready"], greeting["protocol"], greeting["pid"]) == (True, 1, os.getpid())
    assert (first["id"], second["id"], second["ok"]) == (None, 7, True)
    assert [tool.closed for tool in made] == [True]
