"""A scripted model that streams, for tools that take nothing else: Anthropic's messages and OpenAI's responses.

A conversation is found by a mark in what its user says first. Its replies are sent in order, then "Done."; requests of
other conversations, as for a title, get "Done." at once. A reply, all of it optional:

    {"text": "...", "reasoning": "...",
     "calls": [{"name": "Read", "arguments": {...}}],            "input": "..." instead of arguments for a custom tool,
                                                                 "namespace": "..." beside it for Codex's agents
     "usage": {"sent": 100, "cached": 50, "written": 10, "received": 20, "reasoning": 5}}

`sent` includes cached and written tokens.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from harness.llm.scripted_server import LocalServer, QuietHandler

Reply = Mapping[str, Any]
Event = dict[str, Any]
DONE: Reply = {"text": "Done."}


class StreamingServer(LocalServer):
    """A running server: use it as a context manager. `served`: by mark, the replies that were sent, in order."""

    def __init__(self, conversations: Mapping[str, Sequence[Reply]]) -> None:
        super().__init__(_Handler)
        self._conversations = conversations
        self.served: dict[str, list[Reply]] = {mark: [] for mark in conversations}
        self._others = 0
        self._lock = threading.Lock()

    def stated(self, *marks: str) -> dict[str, int]:
        """What was served in these conversations, in the words of `facts_of`."""
        replies = [reply for mark in marks for reply in self.served[mark]]
        used = [reply.get("usage", {}) for reply in replies]
        return {
            "responses": len(replies),
            "calls": sum(len(reply.get("calls", ())) for reply in replies),
            **{name: sum(one.get(name, 0) for one in used) for name in ("sent", "cached", "received")},
        }

    def reply(self, body: Mapping[str, Any]) -> tuple[str, Reply]:
        """An id for the response, and the reply."""
        said = _first_words(body)
        with self._lock:
            mark = next((mark for mark in self._conversations if mark in said), None)
            if mark is None:
                self._others += 1
                return f"other_{self._others}", DONE
            served, script = self.served[mark], self._conversations[mark]
            reply = script[len(served)] if len(served) < len(script) else DONE
            served.append(reply)
            return f"{mark.lower()}_{len(served)}", reply


class _Handler(QuietHandler):
    def do_GET(self) -> None:  # noqa: N802 - http.server calls it
        """There is nothing but the two addresses for requests to a model."""
        self.send_error(404)

    def do_POST(self) -> None:  # noqa: N802 - http.server calls it
        """Streams a reply."""
        body = json.loads(self.content())
        path = self.path.partition("?")[0]
        if not path.endswith(("/messages", "/responses")):
            self.send_error(404)
            return
        assert isinstance(self.server.owner, StreamingServer)
        identity, reply = self.server.owner.reply(body)
        events = message_events if path.endswith("/messages") else response_events
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        for event in events(identity, str(body.get("model")), reply):
            self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
        self.close_connection = True


def message_events(identity: str, model: str, reply: Reply) -> Iterator[Event]:
    """The events of Anthropic's messages."""
    used = reply.get("usage", {})
    cached, written = used.get("cached", 0), used.get("written", 0)
    usage = {
        "input_tokens": used.get("sent", 0) - cached - written,
        "cache_read_input_tokens": cached,
        "cache_creation_input_tokens": written,
        "output_tokens": 1,
    }
    message: Event = {
        "id": f"msg_{identity}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [],
    }
    yield {"type": "message_start", "message": {**message, "stop_reason": None, "usage": usage}}
    for index, (block, deltas) in enumerate(_blocks(identity, reply)):
        yield {"type": "content_block_start", "index": index, "content_block": block}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    stop = "tool_use" if reply.get("calls") else "end_turn"
    final = {**usage, "output_tokens": used.get("received", 0)}
    yield {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": final}
    yield {"type": "message_stop"}


def _blocks(identity: str, reply: Reply) -> Iterator[tuple[Event, list[Event]]]:
    if thought := reply.get("reasoning"):
        deltas = [
            {"type": "thinking_delta", "thinking": thought},
            {"type": "signature_delta", "signature": "c2ln"},
        ]
        yield {"type": "thinking", "thinking": "", "signature": ""}, deltas
    if text := reply.get("text"):
        yield {"type": "text", "text": ""}, [{"type": "text_delta", "text": text}]
    for number, call in enumerate(reply.get("calls", ()), 1):
        block = {"type": "tool_use", "id": f"toolu_{identity}_{number}", "name": call["name"], "input": {}}
        yield block, [{"type": "input_json_delta", "partial_json": json.dumps(call["arguments"])}]


def response_events(identity: str, model: str, reply: Reply) -> Iterator[Event]:
    """The events of OpenAI's responses."""
    response: Event = {"id": f"resp_{identity}", "object": "response", "model": model, "output": []}
    yield {"type": "response.created", "response": {**response, "status": "in_progress"}}
    for index, item in enumerate(_items(identity, reply)):
        yield {"type": "response.output_item.added", "output_index": index, "item": item}
        yield {"type": "response.output_item.done", "output_index": index, "item": item}
    used = reply.get("usage", {})
    sent, received = used.get("sent", 0), used.get("received", 0)
    usage = {
        "input_tokens": sent,
        "input_tokens_details": {"cached_tokens": used.get("cached", 0)},
        "output_tokens": received,
        "output_tokens_details": {"reasoning_tokens": used.get("reasoning", 0)},
        "total_tokens": sent + received,
    }
    yield {"type": "response.completed", "response": {**response, "status": "completed", "usage": usage}}


def _items(identity: str, reply: Reply) -> Iterator[Event]:
    if thought := reply.get("reasoning"):
        summary = [{"type": "summary_text", "text": thought}]
        yield {"type": "reasoning", "id": f"rs_{identity}", "summary": summary}
    if text := reply.get("text"):
        content = [{"type": "output_text", "text": text, "annotations": []}]
        yield {"type": "message", "id": f"m_{identity}", "role": "assistant", "content": content}
    for number, call in enumerate(reply.get("calls", ()), 1):
        about = {
            "id": f"fc_{identity}_{number}",
            "call_id": f"call_{identity}_{number}",
            "name": call["name"],
            **({"namespace": call["namespace"]} if "namespace" in call else {}),
        }
        if "input" in call:
            yield {"type": "custom_tool_call", **about, "input": call["input"]}
        else:
            yield {"type": "function_call", **about, "arguments": json.dumps(call["arguments"])}


def _first_words(body: Mapping[str, Any]) -> str:
    """What the user says at the beginning of a conversation, as JSON; tools put words of their own before it."""
    messages = body.get("messages") or body.get("input") or []
    return json.dumps([one for one in messages if isinstance(one, dict) and one.get("role") == "user"][:3])
