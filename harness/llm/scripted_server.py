"""A scripted model behind an OpenAI-compatible HTTP address on loopback.

    python -m harness.llm.scripted_server SCRIPT.json --port 8400

For demonstrations and tests: a whole run, retries and failures included, with no provider and no cost. A script is a
list of replies, or an object that gives one list for each model name. The n-th reply is sent to every request with
n-1 messages of the assistant, so one server can serve any number of runs. After the last reply it sends "Done.".

A reply, all of it optional:

    {"text": "...", "reasoning": "...", "finish_reason": "stop",
     "calls": [{"name": "read_file", "arguments": {"path": "a.py"}}],       a string is sent as it is, valid JSON or not
     "usage": {"prompt": 900, "completion": 40, "cached": 800},             null: the response has no usage;
                                                                            "reasoning": 30 may be in it, too
     "body": {...},                                                         sent as it is, instead of all of the above
     "before": [fault, ...]}

In Python, a model's list may be a function that gets the request and returns the reply, for models that respond to what
they read (`harness.judges.stand_ins`).

With `body`, the server simulates any provider at its own path: the model and the turn of a request are
read in the formats of OpenAI, Anthropic, Gemini and Cohere.

Faults are served first, each once for each distinct request body:

    {"status": 429, "headers": {"Retry-After": "1"}, "message": "...", "code": "...", "body": {...}}
    {"hang": 30}                           waits so many seconds, then hangs up
    {"trickle": 30}                        sends a blank from time to time instead, for so many seconds
    {"empty_choices": true, "usage": {}}   a billed response without a choice
    {"raw": "not json", "headers": {}}     200 and this body
    {"raw": "{", "cut": true}              hangs up in the middle of it
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from harness.errors import ConfigurationError

TRICKLE_SECONDS = 0.2
CHARACTERS_PER_TOKEN = 4
FAULTS = ("status", "hang", "trickle", "empty_choices", "raw")
REPLY_FIELDS = {"text", "reasoning", "finish_reason", "calls", "usage", "body", "before"}
GEMINI_PATH = re.compile(r"/models/([^/:]+):generateContent$")

Entry = Mapping[str, Any]
Responder = Callable[["Request"], Entry]
Replies = Sequence[Entry] | Responder


class ScriptError(ConfigurationError):
    """A script was refused; the message says where and why."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request as it arrived. `authorization` is the header's text, '' without one; header names in lower case."""

    model: str
    body: Mapping[str, Any]
    authorization: str
    path: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def messages(self) -> Sequence[Mapping[str, Any]]:
        """The conversation that was sent; Gemini calls it contents."""
        messages: Sequence[Mapping[str, Any]] = self.body.get("messages") or self.body.get("contents") or []
        return messages

    @property
    def turn(self) -> int:
        """The index of the reply: the number of messages of the assistant (Gemini: "model")."""
        return sum(message.get("role") in ("assistant", "model") for message in self.messages)


class Script:
    """The replies of a server. Raises ScriptError for an invalid script."""

    def __init__(self, source: Replies | Mapping[str, Replies]) -> None:
        self._by_model = dict(source) if isinstance(source, Mapping) else {"*": source}
        for model, replies in self._by_model.items():
            if callable(replies):
                continue
            if not isinstance(replies, list | tuple):
                raise ScriptError(f"{model}: expected a list of replies")
            for number, reply in enumerate(replies):
                _check_reply(reply, f"{model}[{number}]")

    @property
    def models(self) -> list[str]:
        """The models that it names; empty if it accepts any."""
        return [name for name in self._by_model if name != "*"]

    def reply(self, request: Request) -> Entry | None:
        """The reply to a request; None for an unknown model."""
        replies = self._by_model.get(request.model, self._by_model.get("*"))
        if replies is None:
            return None
        if callable(replies):
            return replies(request)
        return replies[request.turn] if request.turn < len(replies) else {"text": "Done."}


def load_script(path: Path) -> Script:
    """The script in a JSON file. Raises ScriptError, also for a file that is not there or not JSON."""
    try:
        return Script(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, ScriptError) as error:
        raise ScriptError(f"{path}: {error}") from error


class LocalServer:
    """An HTTP server on loopback: use it as a context manager. Its handlers have it as `server.owner`."""

    def __init__(self, handler: type[QuietHandler], port: int = 0) -> None:
        self.closing = threading.Event()
        self._http = _HttpServer(("127.0.0.1", port), handler, self)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), name="local-server")

    @property
    def address(self) -> str:
        """The address, without a path."""
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()


class _HttpServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int], handler: type[QuietHandler], owner: LocalServer) -> None:
        self.owner = owner
        super().__init__(address, handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """Prints nothing: clients may give up."""


class QuietHandler(BaseHTTPRequestHandler):
    """Handles the requests of a LocalServer."""

    server: _HttpServer

    def content(self) -> bytes:
        """The body of the request."""
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def log_message(self, format: str, *args: object) -> None:
        """Logs nothing."""


class ModelServer(LocalServer):
    """A running server. `url` is the API base, `requests` all requests, in order."""

    def __init__(self, script: Script | Replies | Mapping[str, Replies], port: int = 0) -> None:
        super().__init__(_Handler, port)
        self.script = script if isinstance(script, Script) else Script(script)
        self.requests: list[Request] = []
        self._served: dict[str, int] = {}
        self._lock = threading.Lock()

    @property
    def url(self) -> str:
        """The API base for clients."""
        return f"{self.address}/v1"

    def accept(self, request: Request) -> tuple[Entry, bool] | None:
        """The entry to send and whether it is a fault; None for a model that is not in the script."""
        reply = self.script.reply(request)
        digest = hashlib.sha256(json.dumps(request.body, sort_keys=True).encode()).hexdigest()
        with self._lock:
            self.requests.append(request)
            if reply is None:
                return None
            faults = reply.get("before") or []
            served = self._served.get(digest, 0)
            self._served[digest] = served + 1
        return (faults[served], True) if served < len(faults) else (reply, False)


class _Handler(QuietHandler):
    @property
    def model_server(self) -> ModelServer:
        """The server that it handles a request of."""
        assert isinstance(self.server.owner, ModelServer)
        return self.server.owner

    def do_GET(self) -> None:
        """Lists the models."""
        models = [{"id": name, "object": "model"} for name in self.model_server.script.models]
        self.respond(200, {"object": "list", "data": models})

    def do_POST(self) -> None:
        """Responds to a chat completion request."""
        content = self.content()
        try:
            body = json.loads(content)
            path = urlsplit(self.path).path
            in_path = GEMINI_PATH.search(path)
            request = Request(
                in_path[1] if in_path else str(body["model"]),
                body,
                self.headers.get("Authorization") or "",
                path,
                {name.lower(): value for name, value in self.headers.items()},
            )
        except (ValueError, KeyError, TypeError):
            self.respond(400, _error("The body is not a chat completion request."))
            return
        if body.get("stream"):
            self.respond(400, _error("This server does not stream."))
            return
        due = self.model_server.accept(request)
        if due is None:
            self.respond(404, _error(f"The model {request.model!r} does not exist.", "model_not_found"))
            return
        entry, is_fault = due
        if is_fault:
            self.fail(request, entry)
        elif "body" in entry:
            self.respond(200, entry["body"])
        else:
            self.respond(200, _completion(request, entry, [_choice(request, entry)]))

    def fail(self, request: Request, fault: Entry) -> None:
        """Sends one fault."""
        closing = self.server.owner.closing
        if "status" in fault:
            message = fault.get("message", f"Scripted {fault['status']}.")
            body = fault.get("body", _error(message, fault.get("code")))
            self.respond(fault["status"], body, fault.get("headers"))
        elif "hang" in fault:
            closing.wait(fault["hang"])
            self.close_connection = True
        elif "trickle" in fault:
            self.trickle(fault["trickle"])
        elif "raw" in fault:
            self.send(200, str(fault["raw"]).encode(), fault.get("headers"), missing=bool(fault.get("cut")))
        else:
            self.respond(200, _completion(request, fault, []))

    def trickle(self, seconds: float) -> None:
        """Sends blanks, so that a client's read timeout never fires."""
        count = max(1, round(seconds / TRICKLE_SECONDS))
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(count + 1))
        self.end_headers()
        with suppress(OSError):
            for _ in range(count):
                self.wfile.write(b" ")
                if self.server.owner.closing.wait(TRICKLE_SECONDS):
                    break
        self.close_connection = True

    def respond(self, status: int, body: Any, headers: Mapping[str, str] | None = None) -> None:
        """Sends JSON."""
        self.send(status, json.dumps(body).encode(), headers)

    def send(
        self, status: int, content: bytes, headers: Mapping[str, str] | None = None, *, missing: int = 0
    ) -> None:
        """Sends `content` as JSON, with a Content-Length that is `missing` bytes too large."""
        with suppress(OSError):
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content) + missing))
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)
        self.close_connection = self.close_connection or bool(missing)


def _check_reply(reply: Any, where: str) -> None:
    if not isinstance(reply, Mapping):
        raise ScriptError(f"{where}: expected an object")
    if unknown := set(reply) - REPLY_FIELDS:
        raise ScriptError(f"{where}: unknown {sorted(unknown)}; known are {sorted(REPLY_FIELDS)}")
    for number, call in enumerate(reply.get("calls") or []):
        if not isinstance(call, Mapping) or not isinstance(call.get("name"), str):
            raise ScriptError(f"{where}.calls[{number}]: expected an object with a name and arguments")
    for number, fault in enumerate(reply.get("before") or []):
        if not isinstance(fault, Mapping) or sum(kind in fault for kind in FAULTS) != 1:
            raise ScriptError(f"{where}.before[{number}]: expected an object with one of {', '.join(FAULTS)}")


def _completion(request: Request, entry: Entry, choices: list[dict[str, Any]]) -> dict[str, Any]:
    body: dict[str, Any] = {
        "id": f"chatcmpl-{request.turn + 1}",
        "object": "chat.completion",
        "created": 0,
        "model": request.model,
        "choices": choices,
    }
    if entry.get("usage", {}) is not None:
        stated = entry.get("usage") or {}
        prompt = stated.get("prompt", _tokens(request.messages))
        completion = stated.get("completion", _tokens(choices))
        usage = {
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "total_tokens": prompt + completion,
            "prompt_tokens_details": {"cached_tokens": stated.get("cached", 0)},
        }
        if "reasoning" in stated:
            usage["completion_tokens_details"] = {"reasoning_tokens": stated["reasoning"]}
        body["usage"] = usage
    return body


def _tokens(value: object) -> int:
    return max(1, len(json.dumps(value)) // CHARACTERS_PER_TOKEN)


def _choice(request: Request, reply: Entry) -> dict[str, Any]:
    calls = [
        {
            "id": f"call_{request.turn + 1}_{number}",
            "type": "function",
            "function": {"name": call["name"], "arguments": _arguments(call.get("arguments", {}))},
        }
        for number, call in enumerate(reply.get("calls") or [], start=1)
    ]
    message: dict[str, Any] = {"role": "assistant", "content": reply.get("text")}
    if calls:
        message["tool_calls"] = calls
    if reply.get("reasoning"):
        message["reasoning_content"] = reply["reasoning"]
    finish = reply.get("finish_reason") or ("tool_calls" if calls else "stop")
    return {"index": 0, "message": message, "finish_reason": finish}


def _arguments(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _error(message: str, code: str | None = None) -> dict[str, Any]:
    return {"error": {"message": message, "type": "scripted_error", "param": None, "code": code}}


def main(arguments: Sequence[str] | None = None) -> None:
    """Serves until it is interrupted."""
    parser = argparse.ArgumentParser(
        prog="python -m harness.llm.scripted_server", description="A scripted model."
    )
    parser.add_argument("script", type=Path, help="a JSON file; its format is in this module's docstring")
    parser.add_argument("--port", type=int, default=0, help="0 picks a free one")
    options = parser.parse_args(arguments)
    try:
        script = load_script(options.script)
    except ScriptError as error:
        parser.error(str(error))
    with ModelServer(script, options.port) as server, suppress(KeyboardInterrupt):
        print(server.url, flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
