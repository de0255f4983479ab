"""Reads requests, runs tools, writes replies: the protocol of the agent's tool server, with pictures in addition."""

from __future__ import annotations

import asyncio
import base64
import importlib
import json
import os
import sys
import time
from collections.abc import Mapping
from typing import Any, Protocol

from .result import Result, ToolError, presentable

PROTOCOL = 1
GRACE_SECONDS = 3.0
MAX_REQUEST_LENGTH = 64 << 20
# Module, class, and default time-out in seconds, the same as in the schema.
TOOLS = {
    "api_call": ("api", "ApiCall", 30.0),
    "database_query": ("database", "DatabaseQuery", 30.0),
    "websocket_test": ("sockets", "WebsocketTest", 10.0),
    "ui_test": ("browser", "UiTest", 60.0),
}


class Tool(Protocol):
    """One tool, with its state from call to call."""

    async def call(self, arguments: Mapping[str, Any], seconds: float) -> Result:
        """Runs a call within `seconds`. Raises ToolError, or returns a result that says what failed."""

    async def close(self) -> None:
        """Closes connections and processes."""


class Server:
    """Runs one request after the other. A tool is imported at its first call."""

    def __init__(self, replies: int) -> None:
        self._replies = replies
        self._tools: dict[str, Tool] = {}

    async def serve(self, requests: int) -> None:
        """Replies to requests until the input ends."""
        reader = asyncio.StreamReader(limit=MAX_REQUEST_LENGTH)
        pipe = os.fdopen(requests, "rb", buffering=0)
        loop = asyncio.get_running_loop()
        transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), pipe)
        self._send(
            {"ready": True, "protocol": PROTOCOL, "python": sys.version.split()[0], "pid": os.getpid()}
        )
        try:
            while line := await reader.readline():
                self._send(await self.reply_to(line))
        finally:
            transport.close()
            for tool in self._tools.values():
                await tool.close()

    async def reply_to(self, line: bytes) -> dict[str, Any]:
        """The reply to one line of input, valid or not."""
        began = time.monotonic()
        request: dict[str, Any] = {}
        try:
            parsed = json.loads(line)
            if not isinstance(parsed, dict):
                raise ToolError("a request is a JSON object")
            request = parsed
            result = await self._run(request)
        except ToolError as error:
            result = Result(str(error), ok=False)
        except Exception as error:
            result = Result(f"the tool failed: {type(error).__name__}: {error}", ok=False)
        return {
            "id": request.get("id"),
            "ok": result.ok,
            "content": presentable(result.content),
            "seconds": time.monotonic() - began,
            "pictures": [base64.b64encode(picture).decode() for picture in result.pictures],
        }

    async def _run(self, request: Mapping[str, Any]) -> Result:
        name, arguments = str(request["tool"]), dict(request["arguments"])
        if name not in TOOLS:
            raise ToolError(f"there is no tool {name!r}; there are: {', '.join(TOOLS)}")
        module, kind, default = TOOLS[name]
        seconds = min(float(arguments.pop("timeout", default)), float(request["timeout"]))
        if name not in self._tools:
            loaded = importlib.import_module(f".{module}", __package__)
            self._tools[name] = getattr(loaded, kind)()
        tool = self._tools[name]
        try:
            async with asyncio.timeout(seconds + GRACE_SECONDS):
                return await tool.call(arguments, seconds)
        except TimeoutError:
            raise ToolError(f"{name} did not finish within {seconds:g} s and was broken off") from None

    def _send(self, reply: Mapping[str, Any]) -> None:
        line = memoryview(json.dumps(reply).encode() + b"\n")
        while line:
            line = line[os.write(self._replies, line) :]


def main() -> None:
    """Serves on the standard streams, and hides them from child processes."""
    requests, replies = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    asyncio.run(Server(replies).serve(requests))
