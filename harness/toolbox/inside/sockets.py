"""websocket_test: a conversation over Socket.IO or a plain WebSocket, as a list of messages in order."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import socketio
from socketio.exceptions import SocketIOError

from .result import Result, ToolError, clip, cut
from .targets import check_url, nothing_listens

LISTEN_SECONDS = 1.0
CONNECT_SECONDS = 1.0
GOODBYE_SECONDS = 0.5
MAX_MESSAGES = 1000
MAX_MESSAGE_LENGTH = 4 << 20
_SHOWN = 2_000
_NO_CONNECTION = re.compile("Cannot connect to host|Connection refused")


class WebsocketTest:
    """Every call is a connection of its own."""

    async def call(self, arguments: Mapping[str, Any], seconds: float) -> Result:
        """Connects, sends, waits and disconnects. The result lists all messages with their times."""
        plain = arguments["url"].startswith(("ws:", "wss:"))
        url = await check_url(arguments["url"], ("ws", "wss") if plain else ("http", "https"))
        conversation = _Conversation(arguments)
        converse = _plain if plain else _socketio
        try:
            async with asyncio.timeout(seconds):
                await converse(url, arguments, conversation)
        except TimeoutError:
            conversation.fail(f"The time-out of {seconds:g} s came first{conversation.missing()}.")
        except aiohttp.ClientConnectorError as error:
            raise ToolError(nothing_listens(error.host, error.port)) from None
        return conversation.result()

    async def close(self) -> None:
        """There is nothing to close."""


class _Conversation:
    """What was sent and received, and what has to arrive before the call ends."""

    def __init__(self, arguments: Mapping[str, Any]) -> None:
        self.wait_for: str | None = arguments.get("wait_for")
        self.wait_messages: int | None = arguments.get("wait_messages")
        self.received = 0
        self._seen = False
        self._news = asyncio.Event()
        self._lines: list[str] = []
        self._failure = ""
        self._ended = ""
        self._began = time.monotonic()

    def note(self, text: str) -> None:
        """Adds a line with its time."""
        self._lines.append(f"{time.monotonic() - self._began:8.3f} s  {text}")

    def sent(self, text: str) -> None:
        """Records a message to the server."""
        self.note(f"→ {_short(text)}")

    def heard(self, text: str, name: str | None = None) -> None:
        """Records a message from the server. `name`: its event, if it has one."""
        self.received += 1
        if self.received <= MAX_MESSAGES:
            self.note(f"← {_short(text)}")
        if self.wait_for is not None and (
            name == self.wait_for if name is not None else self.wait_for in text
        ):
            self._seen = True
        self._news.set()

    def ended(self, reason: str) -> None:
        """Records that the server closed the connection."""
        self._ended = reason
        self.note(reason)
        self._news.set()

    def fail(self, reason: str) -> None:
        """Marks the call as failed."""
        self._failure = reason

    async def wait(self) -> None:
        """Waits for the expected messages, or LISTEN_SECONDS if none is expected."""
        if self.wait_for is None and self.wait_messages is None:
            await self._idle()
            return
        while self.missing():
            if self._ended:
                self.fail(f"The server hung up{self.missing()}.")
                return
            self._news.clear()
            await self._news.wait()

    async def _idle(self) -> None:
        deadline = asyncio.get_running_loop().time() + LISTEN_SECONDS
        while not self._ended and (left := deadline - asyncio.get_running_loop().time()) > 0:
            self._news.clear()
            try:
                await asyncio.wait_for(self._news.wait(), left)
            except TimeoutError:
                return

    def missing(self) -> str:
        """What has not arrived yet, as the end of a sentence; '' if nothing."""
        parts = []
        if self.wait_for is not None and not self._seen:
            parts.append(f"{self.wait_for!r} had not come")
        if self.wait_messages is not None and self.received < self.wait_messages:
            parts.append(f"{self.received} of {self.wait_messages} messages had come")
        return f": {' and '.join(parts)}" if parts else ""

    def result(self) -> Result:
        """The conversation as the result of the call."""
        if self.received > MAX_MESSAGES:
            self.note(f"[{self.received - MAX_MESSAGES} more messages came]")
        head = self._failure or f"{self.received} message{'s' * (self.received != 1)} received."
        text = clip("\n".join([head, *self._lines]), "wait for fewer messages")
        return Result(text, ok=not self._failure)


async def _plain(url: str, arguments: Mapping[str, Any], conversation: _Conversation) -> None:
    async with aiohttp.ClientSession(trust_env=False) as session:
        try:
            connection = await session.ws_connect(
                url,
                headers=arguments.get("headers"),
                protocols=arguments.get("subprotocols", ()),
                max_msg_size=MAX_MESSAGE_LENGTH,
                ssl=False,
            )
        except aiohttp.WSServerHandshakeError as error:
            raise ToolError(
                f"{url} returned {error.status} {error.message}: it is no WebSocket endpoint"
            ) from None
        except aiohttp.ClientConnectorError:
            raise
        except (aiohttp.ClientError, ValueError) as error:
            raise ToolError(f"connecting to {url} failed: {str(error) or type(error).__name__}") from None
        conversation.note(
            f"connected to {url}" + (f", subprotocol {connection.protocol}" if connection.protocol else "")
        )
        listener = asyncio.create_task(_listen(connection, conversation))
        try:
            for message in arguments.get("messages", ()):
                text = (
                    message["data"]
                    if isinstance(message.get("data"), str)
                    else json.dumps(message.get("data"))
                )
                await connection.send_str(text)
                conversation.sent(text)
            await conversation.wait()
        except (aiohttp.ClientError, ConnectionError):
            conversation.fail("The server hung up while messages were sent.")
        finally:
            listener.cancel()
            await connection.close()


async def _listen(connection: aiohttp.ClientWebSocketResponse, conversation: _Conversation) -> None:
    async for message in connection:
        if message.type is aiohttp.WSMsgType.TEXT:
            conversation.heard(message.data)
        elif message.type is aiohttp.WSMsgType.BINARY:
            conversation.heard(_binary(message.data))
        else:
            break
    reason = f" ({connection.exception()})" if connection.exception() else ""
    if connection.close_code == aiohttp.WSCloseCode.MESSAGE_TOO_BIG:
        conversation.ended(
            f"a message of more than {MAX_MESSAGE_LENGTH:,} bytes came: the connection was given up, code 1009"
        )
        return
    conversation.ended(f"the server closed the connection, code {connection.close_code}{reason}")


async def _socketio(url: str, arguments: Mapping[str, Any], conversation: _Conversation) -> None:
    client = socketio.AsyncClient(reconnection=False, ssl_verify=False)
    endpoint = arguments.get("path", "socket.io")
    # As in JavaScript, the path of the URL is the namespace; the path of the endpoint is a separate argument.
    named = urlsplit(url).path.strip("/")
    space = arguments.get("namespace") or f"/{named if named != endpoint.strip('/') else ''}"

    async def heard(event: str, *data: Any) -> None:
        conversation.heard(f"{event} {_json(data[0] if len(data) == 1 else list(data))}", event)

    async def gone(reason: Any = None) -> None:
        conversation.ended("the server closed the connection" + (f" ({reason})" if reason else ""))

    async def accepted() -> None:
        decided.set()

    async def refused(data: Any = None) -> None:
        reasons.append(str(data.get("message") if isinstance(data, dict) else data or ""))
        decided.set()

    reasons: list[str] = []
    decided = asyncio.Event()
    client.on("connect", accepted, namespace=space)
    client.on("*", heard, namespace=space)
    client.on("connect_error", refused, namespace=space)
    client.on("disconnect", gone, namespace=space)
    try:
        await client.connect(
            url,
            headers=arguments.get("headers") or {},
            auth=arguments.get("auth"),
            namespaces=[space],
            socketio_path=endpoint,
            wait=False,  # after a refusal it would wait for a request that the server may hold open
        )
        with suppress(TimeoutError):
            await asyncio.wait_for(decided.wait(), CONNECT_SECONDS)
        if space not in client.namespaces:
            raise SocketIOError(f"the server did not accept namespace {space}")
        conversation.note(f"connected to {url}, namespace {space}, over {client.transport()}")
        for message in arguments.get("messages", ()):
            event, data = message.get("event", "message"), message.get("data")
            conversation.sent(f"{event} {_json(data)}")
            if message.get("acknowledge"):
                response = await client.call(event, data, namespace=space, timeout=None)
                conversation.note(f"← acknowledged {event}: {_short(_json(response))}")
            else:
                await client.emit(event, data, namespace=space)
        await conversation.wait()
    except (SocketIOError, aiohttp.ClientError, ValueError, RuntimeError) as error:
        if _NO_CONNECTION.match(str(error)):
            parts = urlsplit(url)
            raise ToolError(nothing_listens(parts.hostname or "", parts.port)) from None
        why = (
            ", ".join(cut(str(reason), 500) for reason in reasons if reason)
            or str(error)
            or type(error).__name__
        )
        conversation.fail(f"Socket.IO at {url}, namespace {space}, failed: {why}")
    finally:
        client.on("disconnect", _nothing, namespace=space)
        await _hang_up(client)


async def _hang_up(client: socketio.AsyncClient) -> None:
    """Disconnects, without waiting for a request that the server holds open.

    aiohttp raises RuntimeError for a connection that closes meanwhile.
    """
    with suppress(TimeoutError, RuntimeError, aiohttp.ClientError):
        async with asyncio.timeout(GOODBYE_SECONDS):
            await client.disconnect()
    with suppress(RuntimeError, aiohttp.ClientError):
        await client.eio.disconnect(abort=True)


async def _nothing(*_: Any) -> None:
    """Ignores the end of the connection that this side has closed."""


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=_described)


def _described(value: Any) -> str:
    """A value that JSON cannot hold, as text."""
    return _binary(value) if isinstance(value, bytes) else repr(value)


def _binary(data: bytes) -> str:
    return f"(binary, {len(data):,} bytes, begins with {data[:16].hex(' ')})"


def _short(text: str) -> str:
    return clip(text, "it is long", _SHOWN)
