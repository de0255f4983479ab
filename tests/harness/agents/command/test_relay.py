"""The relay outside the container: each dialect with a scripted model."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from harness.agents.command.relay import Relay
from harness.errors import ModelError
from harness.limits import Ending, LimitReached, Limits
from harness.llm.client import Client
from harness.llm.scripted_server import ModelServer
from harness.llm.spec import CallSettings, ModelSpec
from tests.harness.agents.command.test_transcript import Table

MODEL = "openai/scripted"
USAGE = {"prompt": 1000, "completion": 100, "cached": 400}
USER = {"role": "user", "content": "Hello"}
SECOND = {"messages": [USER, {"role": "assistant", "content": "Hello"}, USER]}
KEY = "sk-hidden-from-the-container"
CALL = {
    "text": "Look.",
    "reasoning": "Hm.",
    "calls": [{"name": "bash", "arguments": {"command": "ls"}}],
    "usage": USAGE,
}


class Bench:
    """A relay with a scripted model and its recorded steps."""

    def __init__(self, relay: Relay, table: Table, server: ModelServer) -> None:
        self.relay, self.table, self.server = relay, table, server

    def send(self, path: str, body: object, method: str = "POST") -> tuple[int, Any]:
        """(status, body); a JSON body is parsed."""
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        response = self.relay.respond(method, path, content)
        text = response.body.decode()
        return response.status, json.loads(text) if response.type == "application/json" else text

    def ends(self, path: str, body: object) -> Exception | None:
        """Why the run ends with this request."""
        return self.relay.respond("POST", path, json.dumps(body).encode()).error


@contextmanager
def bench(
    root: Path, *script: Mapping[str, Any], limits: Limits | None = None, name: str = MODEL, **model: Any
) -> Iterator[Bench]:
    with ModelServer(list(script)) as server:
        spec = ModelSpec(
            "Scripted", name, server.url, input_price=2.0, output_price=10.0, cached_price=0.5, **model
        )
        table = Table(root, limits)
        client = Client(spec, CallSettings(temperature=None, patience=2.0, retry_delay=0.01, call_timeout=20))
        yield Bench(Relay(client, table.session, table.transcript), table, server)


def events(stream: str) -> list[dict[str, Any]]:
    return [
        json.loads(line.removeprefix("data: ")) for line in stream.split("\n") if line.startswith("data: {")
    ]


class TestMessages:
    def test_conversation_is_billed_and_recorded(self, tmp_path: Path) -> None:
        tool = {
            "name": "bash",
            "input_schema": {"type": "object", "properties": {"command": {"type": "string"}}},
        }
        first = {
            "model": MODEL,
            "max_tokens": 9000,
            "system": "Be brief.",
            "messages": [USER],
            "tools": [tool],
        }
        with bench(tmp_path, CALL, {"text": "Done.", "usage": USAGE}) as there:
            status, response = there.send("/v1/messages?beta=true", first)
            assert status == 200
            thought, said, use = response["content"]
            assert (thought["thinking"], said["text"], use["input"]) == ("Hm.", "Look.", {"command": "ls"})
            assert response["usage"]["cache_read_input_tokens"] == 400
            result = {"type": "tool_result", "tool_use_id": use["id"], "content": "no", "is_error": True}
            more = [
                USER,
                {"role": "assistant", "content": response["content"]},
                {"role": "user", "content": [result]},
            ]
            status, stream = there.send("/v1/messages", {**first, "messages": more, "stream": True})
            assert [event["type"] for event in events(stream)] == [
                "message_start",
                "content_block_start",
                "content_block_delta",
                "content_block_stop",
                "message_delta",
                "message_stop",
            ]
            there.table.transcript.close()
            sent = there.server.requests[1].body
            assert sent["max_tokens"] == 4000
            # This server may not know a field for thoughts, and wants a text beside each call.
            assert set(sent["messages"][2]) == {"role", "content", "tool_calls"}
            assert sent["messages"][3]["content"] == "The call failed.\nno"
            assert set(sent) == {"model", "messages", "max_tokens", "tools"}
            look, done = there.table.steps[2:]
            assert (look.message, look.reasoning, look.results[0].ok) == ("Look.", "Hm.", False)
            assert done.message == "Done."
            assert there.table.spending.cost_usd == pytest.approx(2 * 0.0024)

    def test_signed_thinking_and_its_budget_reach_anthropic(self, tmp_path: Path) -> None:
        signed = {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}
        use = {"type": "tool_use", "id": "toolu_1", "name": "bash", "input": {}}
        body = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "claude-sonnet-4-5",
            "content": [signed, use],
            "stop_reason": "tool_use",
            "stop_sequence": None,
            "usage": {"input_tokens": 10, "output_tokens": 5},
        }
        request_body = {
            "messages": [USER],
            "max_tokens": 4000,
            "tools": [{"name": "bash", "input_schema": {"type": "object", "properties": {}}}],
            "thinking": {"type": "enabled", "budget_tokens": 2048},
        }
        with bench(tmp_path, {"body": body}, {"body": body}, name="anthropic/claude-sonnet-4-5") as there:
            status, response = there.send("/v1/messages", request_body)
            assert (status, response["content"], response["stop_reason"]) == (200, [signed, use], "tool_use")
            result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "x"}
            said = {"role": "assistant", "content": response["content"]}
            there.send(
                "/v1/messages",
                {**request_body, "messages": [USER, said, {"role": "user", "content": [result]}]},
            )
            first, second = (request.body for request in there.server.requests)
            assert first["thinking"] == {"type": "enabled", "budget_tokens": 2048}
            assert second["messages"][1]["content"] == [signed, use]

    def test_tokens_are_counted_without_a_request(self, tmp_path: Path) -> None:
        with bench(tmp_path) as there:
            body = {"model": MODEL, "messages": [{"role": "user", "content": "x" * 3963}]}
            assert there.send("/v1/messages/count_tokens", body) == (200, {"input_tokens": 1000})
            assert there.send("/v1/messages/count_tokens", {"messages": 1})[0] == 400
            assert (there.server.requests, there.table.steps) == ([], [])

    def test_errors_have_the_format_of_anthropic(self, tmp_path: Path) -> None:
        full = {"before": [{"status": 400, "code": "context_length_exceeded", "message": "too long"}]}
        with bench(tmp_path, full) as there:
            search = {"messages": [USER], "tools": [{"type": "web_search_20250305", "name": "web_search"}]}
            status, response = there.send("/v1/messages", search)
            assert (status, response["error"]["type"]) == (400, "invalid_request_error")
            assert there.server.requests == []
            status, response = there.send("/v1/messages", {"messages": [USER], "model": "claude-haiku"})
            assert (status, response["error"]["type"]) == (404, "not_found_error")
            status, response = there.send("/v1/messages", {"messages": [USER]})
            assert (status, response["error"]["message"][:19]) == (400, "prompt is too long:")
            assert there.relay.full is not None

    def test_limit_ends_the_run(self, tmp_path: Path) -> None:
        with bench(tmp_path, limits=Limits(cost_usd=0.0001)) as there:
            error = there.ends("/v1/messages", {"messages": [USER]})
            assert isinstance(error, LimitReached)
            assert error.ending is Ending.COST_LIMIT
            assert there.server.requests == []


DEEP = b'{"a":' * 5000 + b"1" + b"}" * 5000
DIGITS = b'{"messages": [{"role": "user", "content": "x"}], "max_tokens": ' + b"9" * 5000 + b"}"
GARBAGE: Sequence[bytes] = (
    b"",
    b"\xff\xfe",
    b"[1]",
    b"null",
    b"[" * 100_000,
    DEEP,
    DIGITS,
    b'{"messages": ' + b"[" * 5000 + b"]" * 5000 + b"}",
    b'{"messages": [{"role": "user", "content": [{"type": "text", "text": '
    + b"[" * 900
    + b"]" * 900
    + b"}]}]}",
    b'{"messages": [{"role": ["user"], "content": {}}], "input": {"a": 1}}',
    b'{"input": [{"type": {}}], "messages": [[]]}',
    b'{"input": "x", "tools": [{"type": "namespace", "name": "a", "tools": [{"type": "function"}]}]}',
    b'{"input": "x", "messages": "x", "tools": {"a": 1}}',
)


@pytest.mark.parametrize(
    "path", ["/v1/chat/completions", "/v1/messages", "/v1/messages/count_tokens", "/v1/responses"]
)
def test_invalid_requests_are_refused_in_every_dialect(tmp_path: Path, path: str) -> None:
    with bench(tmp_path) as there:
        for garbage in GARBAGE:
            status, response = there.send(path, garbage)
            assert (status, bool(response["error"]["message"])) == (400, True), garbage[:80]
        assert there.server.requests == []


def test_other_paths_and_methods_are_not_found(tmp_path: Path) -> None:
    with bench(tmp_path) as there:
        for method, path in (
            ("GET", "/v1/messages"),
            ("POST", "/v1/models"),
            ("POST", "/v1/messages/batches"),
            ("POST", "/v1/chat/completions/count_tokens"),
            ("POST", "/v1/responses/resp_1"),
            ("POST", "/v1"),
            ("POST", "http://[::1"),
        ):
            status, response = there.send(path, {"messages": [USER]}, method)
            assert status == 404, path
            assert "there is POST /v1/chat/completions, POST /v1/messages" in response["error"]["message"]


def test_key_is_in_no_response(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCH_KEY", KEY)
    faults = [
        {"status": 400, "message": f"Incorrect API key: {KEY}"},
        {"status": 401, "message": f"{KEY} is no key"},
    ]
    with bench(tmp_path, {"text": "OK"}, {"before": faults}, api_key_variable="BENCH_KEY") as there:
        statuses = []
        for _ in faults:
            status, response = there.send("/v1/messages", SECOND)
            statuses.append(status)
            assert KEY not in json.dumps(response)
        assert statuses == [502, 502]
        assert there.server.requests[0].authorization == f"Bearer {KEY}"


@pytest.mark.parametrize(
    ("faults", "status"),
    [
        ([{"status": 500}] * 6, 502),
        ([{"status": 400, "message": "messages[2]: no"}], 400),
        ([{"status": 422, "message": "messages[2]: no"}], 422),
    ],
)
def test_a_failure_on_one_request_is_sent_to_the_agent_if_the_provider_serves_a_plain_one(
    tmp_path: Path, faults: Sequence[Mapping[str, Any]], status: int
) -> None:
    with bench(tmp_path, {"text": "OK"}, {"text": "Done.", "before": faults}) as there:
        response = there.relay.respond("POST", "/v1/chat/completions", json.dumps(SECOND).encode())
        assert (response.status, response.error) == (status, None)
        assert [len(request.messages) for request in there.server.requests] == [3] * len(faults) + [1]
        assert there.send("/v1/chat/completions", SECOND)[0] == 200


@pytest.mark.parametrize("fault", [{"status": 400}, {"status": 401}, {"status": 500}])
def test_a_provider_that_fails_on_a_plain_request_too_ends_the_run(
    tmp_path: Path, fault: Mapping[str, Any]
) -> None:
    with bench(tmp_path, {"before": [fault] * 40}) as there:
        response = there.relay.respond("POST", "/v1/messages", json.dumps({"messages": [USER]}).encode())
        assert response.status == 502
        assert isinstance(response.error, ModelError)
