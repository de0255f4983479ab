"""websocket_test in a real toolbox."""

from __future__ import annotations

from typing import Any

import pytest

from harness.sandbox.base import Workspace
from tests.harness.shop import ONLY_HERE, SHOP, call

# The first time on a machine, two images are built.
pytestmark = [pytest.mark.long, pytest.mark.engine, pytest.mark.timeout(900)]


class TestWebsocketTest:
    def talk(self, there: Workspace, **arguments: Any) -> tuple[bool, list[str]]:
        """Whether it went well, and the lines without their times."""
        reply = call(there, "websocket_test", **arguments)
        head, *lines = reply.content.split("\n")
        return reply.ok, [head, *(line.partition(" s  ")[2] for line in lines)]

    def test_a_socketio_event_is_acknowledged_and_gets_a_reply(self, there: Workspace) -> None:
        greet = {"event": "greet", "data": "Ada", "acknowledge": True}
        ok, lines = self.talk(there, url=SHOP, messages=[greet], wait_for="greeting")
        assert ok
        assert lines[0] == "1 message received."
        assert sorted(lines[1:]) == sorted(
            [
                f"connected to {SHOP}, namespace /, over polling",
                '→ greet "Ada"',
                '← greeting {"hello": "Ada"}',
                '← acknowledged greet: "heard Ada"',
            ]
        )

    def test_a_namespace_and_a_number_of_messages(self, there: Workspace) -> None:
        ok, lines = self.talk(
            there, url=SHOP, namespace="/room", messages=[{"event": "x", "data": [1]}], wait_messages=1
        )
        assert (ok, lines[2:]) == (True, ["→ x [1]", '← again ["x", [1]]'])

    def test_a_socketio_server_in_node_is_used_over_its_websocket(self, there: Workspace) -> None:
        join = {"event": "join", "data": "tea", "acknowledge": True}
        ok, lines = self.talk(
            there,
            url="http://localhost:4000/chat",
            messages=[join, {"event": "say", "data": "hello"}],
            wait_for="said",
        )
        assert ok
        assert lines == [
            "1 message received.",
            "connected to http://localhost:4000/chat, namespace /chat, over websocket",
            '→ join "tea"',
            '← acknowledged join: {"room": "tea", "members": 1}',
            '→ say "hello"',
            '← said {"text": "hello", "bytes": "(binary, 2 bytes, begins with 68 69)"}',
        ]

    def test_a_plain_websocket(self, there: Workspace) -> None:
        ok, lines = self.talk(
            there, url="ws://localhost:8765/", messages=[{"data": "hi"}, {"data": {"a": 1}}], wait_messages=4
        )
        assert ok
        assert lines[0] == "4 messages received."
        assert [line for line in lines if line.startswith("→")] == ["→ hi", '→ {"a": 1}']
        assert [line for line in lines if line.startswith("←")] == [
            "← HI",
            "← (binary, 2 bytes, begins with 00 01)",
            '← {"A": 1}',
            "← (binary, 2 bytes, begins with 00 01)",
        ]

    @pytest.mark.parametrize(
        ("arguments", "reason"),
        [
            (
                {"url": SHOP, "wait_for": "x", "timeout": 1.0},
                "The time-out of 1 s came first: 'x' had not come.",
            ),
            (
                {"url": SHOP, "messages": [{"event": "leave"}], "wait_messages": 2},
                "The server hung up: 0 of 2 messages had come.",
            ),
            (
                {"url": SHOP, "auth": {"token": "wrong"}},
                f"Socket.IO at {SHOP}, namespace /, failed: wrong token",
            ),
            (
                {"url": "ws://localhost:8765/", "messages": [{"data": "bye"}], "wait_for": "x"},
                "The server hung up: 'x' had not come.",
            ),
            (
                {"url": "ws://localhost:5000/"},
                "ws://localhost:5000/ returned 400 Invalid response status: it is no WebSocket endpoint",
            ),
            (
                # The refusal does not wait for the request that this server holds open.
                {"url": SHOP, "path": "closed", "timeout": 5.0},
                f"Socket.IO at {SHOP}, namespace /, failed: the shop is closed",
            ),
            (
                {"url": "http://localhost:5000", "path": "other"},
                "Socket.IO at http://localhost:5000, namespace /, failed: ",
            ),
            ({"url": "http://localhost:5999"}, "Nothing listens at localhost:5999."),
            ({"url": "ws://localhost:5999"}, "Nothing listens at localhost:5999."),
            ({"url": "ws://example.com"}, f"The host 'example.com' is not known here. {ONLY_HERE}"),
        ],
    )
    def test_the_failure_comes_first(self, there: Workspace, arguments: dict[str, Any], reason: str) -> None:
        reply = call(there, "websocket_test", **arguments)
        assert not reply.ok
        assert reply.content.startswith(reason)
