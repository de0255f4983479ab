"""The scripted model over plain HTTP, without a client library."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from http.client import HTTPConnection, HTTPResponse, RemoteDisconnected
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from harness.llm.scripted_server import ModelServer, Request, ScriptError, load_script

HELLO = [{"role": "user", "content": "Hello"}]


def send(
    url: str, messages: list[dict[str, Any]] = HELLO, model: str = "any", **more: Any
) -> tuple[int, Any, HTTPResponse]:
    address = urlsplit(url)
    assert address.hostname
    connection = HTTPConnection(address.hostname, address.port or 80, timeout=5)
    try:
        body = json.dumps({"model": model, "messages": messages, **more})
        connection.request("POST", f"{address.path}/chat/completions", body, {"Authorization": "Bearer key"})
        response = connection.getresponse()
        content = response.read().decode()
    finally:
        connection.close()
    try:
        return response.status, json.loads(content), response
    except ValueError:
        return response.status, content, response


def conversation(count: int) -> list[dict[str, Any]]:
    return [*HELLO, *({"role": "assistant", "content": "Yes?"} for _ in range(count))]


def test_nth_reply_is_sent_for_every_nth_turn() -> None:
    with ModelServer([{"text": "one"}, {"text": "two"}]) as server:
        texts = [
            send(server.url, conversation(count))[1]["choices"][0]["message"]["content"]
            for count in (1, 0, 1, 2, 7)
        ]
    assert texts == ["two", "one", "two", "Done.", "Done."]


def test_a_reply_carries_text_reasoning_calls_and_usage() -> None:
    calls = [
        {"name": "read_file", "arguments": {"path": "a.py"}},
        {"name": "broken", "arguments": '{"path": '},
    ]
    usage = {"prompt": 900, "completion": 40, "cached": 800, "reasoning": 30}
    with ModelServer([{"text": "Look.", "reasoning": "Hm.", "calls": calls, "usage": usage}]) as server:
        status, body, _ = send(server.url)
    assert status == 200
    assert body["choices"] == [
        {
            "index": 0,
            "finish_reason": "tool_calls",
            "message": {
                "role": "assistant",
                "content": "Look.",
                "reasoning_content": "Hm.",
                "tool_calls": [
                    {
                        "id": "call_1_1",
                        "type": "function",
                        "function": {"name": "read_file", "arguments": '{"path": "a.py"}'},
                    },
                    {
                        "id": "call_1_2",
                        "type": "function",
                        "function": {"name": "broken", "arguments": '{"path": '},
                    },
                ],
            },
        }
    ]
    assert body["usage"] == {
        "prompt_tokens": 900,
        "completion_tokens": 40,
        "total_tokens": 940,
        "prompt_tokens_details": {"cached_tokens": 800},
        "completion_tokens_details": {"reasoning_tokens": 30},
    }


def test_body_is_sent_unchanged_at_the_path_of_any_provider() -> None:
    script: list[dict[str, Any]] = [
        {"body": {"candidates": []}},
        {"body": {"second": True}, "before": [{"status": 429, "body": ["no"]}]},
    ]
    contents = [{"role": "user", "parts": []}, {"role": "model", "parts": []}]
    with ModelServer({"gemini-x": script}) as server:
        address = urlsplit(server.url)
        responses = []
        for turn in (contents[:1], contents, contents):
            connection = HTTPConnection(address.hostname or "", address.port, timeout=5)
            path = "/v1beta/models/gemini-x:generateContent?alt=json"
            connection.request("POST", path, json.dumps({"contents": turn}), {"X-Goog-Api-Key": "key"})
            response = connection.getresponse()
            responses.append((response.status, json.loads(response.read())))
            connection.close()
    assert responses == [(200, {"candidates": []}), (429, ["no"]), (200, {"second": True})]
    assert server.requests[0].path == "/v1beta/models/gemini-x:generateContent"
    assert server.requests[0].headers["x-goog-api-key"] == "key"


def test_usage_is_estimated_by_default_and_omitted_if_null() -> None:
    with ModelServer([{"text": "one"}, {"text": "two", "usage": None}]) as server:
        assert send(server.url)[1]["usage"]["prompt_tokens"] == len(json.dumps(HELLO)) // 4
        assert "usage" not in send(server.url, conversation(1))[1]


def test_faults_come_once_for_each_request_body_and_then_the_reply() -> None:
    faults = [
        {"status": 429, "headers": {"Retry-After": "1"}, "message": "Slower.", "code": "rate_limit"},
        {"empty_choices": True, "usage": {"prompt": 7, "completion": 3}},
        {"raw": "not json"},
    ]
    with ModelServer([{"text": "at last", "before": faults}]) as server:
        status, body, response = send(server.url)
        assert (status, response.getheader("Retry-After")) == (429, "1")
        assert body["error"] == {
            "message": "Slower.",
            "type": "scripted_error",
            "param": None,
            "code": "rate_limit",
        }
        assert send(server.url, temperature=1)[0] == 429
        status, body, _ = send(server.url)
        assert (status, body["choices"], body["usage"]["total_tokens"]) == (200, [], 10)
        assert send(server.url)[1] == "not json"
        assert send(server.url)[1]["choices"][0]["message"]["content"] == "at last"
        assert send(server.url)[1]["choices"][0]["message"]["content"] == "at last"


def test_hang_ends_without_a_response() -> None:
    with ModelServer([{"before": [{"hang": 0.2}]}]) as server:
        began = time.monotonic()
        with pytest.raises(RemoteDisconnected):
            send(server.url)
        assert 0.2 <= time.monotonic() - began < 2


def test_closing_does_not_wait_for_a_hang() -> None:
    with ModelServer([{"before": [{"hang": 60}]}]) as server:
        address = urlsplit(server.url)
        connection = HTTPConnection("127.0.0.1", address.port or 80)
        connection.request("POST", "/v1/chat/completions", json.dumps({"model": "any", "messages": HELLO}))
        while not server.requests:
            time.sleep(0.01)
        began = time.monotonic()
    assert time.monotonic() - began < 2
    connection.close()


def test_each_model_has_its_own_script() -> None:
    with ModelServer({"polite": [{"text": "Please."}], "curt": [{"text": "No."}]}) as server:
        assert send(server.url, model="curt")[1]["choices"][0]["message"]["content"] == "No."
        assert send(server.url, model="polite")[1]["choices"][0]["message"]["content"] == "Please."
        status, body, _ = send(server.url, model="absent")
    assert (status, body["error"]["code"]) == (404, "model_not_found")


def test_requests_are_recorded_in_order() -> None:
    with ModelServer([]) as server:
        send(server.url, model="first")
        send(server.url, conversation(1), model="second")
    assert [(request.model, request.turn) for request in server.requests] == [("first", 0), ("second", 1)]
    assert server.requests[1].messages == conversation(1)
    assert server.requests[0].authorization == "Bearer key"


def test_unsupported_requests_are_refused() -> None:
    with ModelServer([]) as server:
        assert send(server.url, stream=True)[0] == 400


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("{", "Expecting property name"),
        ('{"m": 1}', "m: expected a list of replies"),
        ("[1]", r"\*\[0\]: expected an object"),
        ('[{"txt": "x"}]', r"\*\[0\]: unknown \['txt'\]"),
        ('[{"calls": [{}]}]', r"\*\[0\].calls\[0\]: expected an object with a name"),
        (
            '[{"before": [{"staus": 429}]}]',
            r"\*\[0\].before\[0\]: expected an object with one of status, hang",
        ),
    ],
)
def test_a_script_with_a_mistake_is_refused_with_its_place(tmp_path: Path, script: str, reason: str) -> None:
    path = tmp_path / "script.json"
    path.write_text(script, encoding="utf-8")
    with pytest.raises(ScriptError, match=f"script.json: {reason}"):
        load_script(path)


def test_it_serves_a_script_from_the_shell(tmp_path: Path) -> None:
    path = tmp_path / "script.json"
    path.write_text('[{"text": "Good day."}]', encoding="utf-8")
    command = [sys.executable, "-m", "harness.llm.scripted_server", str(path), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            url = process.stdout.readline().strip()
            assert send(url)[1]["choices"][0]["message"]["content"] == "Good day."
        finally:
            process.terminate()


def test_a_function_replies_to_what_it_reads() -> None:
    def echo(request: Request) -> dict[str, Any]:
        return {"text": request.messages[-1]["content"][::-1]}

    with ModelServer({"echo": echo, "list": [{"text": "one"}]}) as server:
        texts = [
            send(server.url, model=model)[1]["choices"][0]["message"]["content"] for model in ("echo", "list")
        ]
    assert texts == ["olleH", "one"]
