"""A client of the tool server over attached streams: requests and replies, one JSON line each."""

from __future__ import annotations

import hmac
import json
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from harness.errors import InfrastructureError
from harness.sandbox.stream import LineReader, LineTooLong, Stream, StreamEnded, StreamSilent
from harness.tools.inside.protocol import sealed

GRACE_SECONDS = 10.0
READY_SECONDS = 60.0
MAX_LINE_LENGTH = 64 << 20


class StreamCorrupt(Exception):
    """The received line is not a reply to the request."""


def opened(line: bytes, key: bytes) -> bytes:
    """The content of a line that the tool server sealed. Raises ValueError if another process wrote it."""
    mark, _, content = line.partition(b" ")
    if not hmac.compare_digest(sealed(content, key).partition(b" ")[0], mark):
        raise ValueError("a line without the tool server's mark")
    return content


class ToolClient:
    """Uses a stream that was attached before the server started, so that no byte is missed. `name` is for errors.

    A `key` is sent to the server first, and every line from it must be sealed with the key.
    """

    def __init__(self, stream: Stream, name: str, *, key: bytes = b"") -> None:
        self._name = name
        self._key = key
        self._stream = stream
        self._lines = LineReader(self._stream, longest=MAX_LINE_LENGTH)
        self._last_id = 0

    @property
    def stderr(self) -> str:
        """The end of the server's standard error."""
        return self._lines.stderr

    def patience(self, timeout: float) -> float:
        """How many seconds to wait for a tool with this `timeout`."""
        return timeout + GRACE_SECONDS

    def expect_ready(self) -> None:
        """Waits for the server's ready message. Raises InfrastructureError if it does not arrive."""
        deadline = time.monotonic() + READY_SECONDS
        with suppress(StreamEnded, StreamSilent):  # the wait below fails, too, and reports the reason
            if self._key:
                self._stream.send(self._key.hex().encode() + b"\n", deadline=deadline)
        try:
            line = self._line(deadline)
            if json.loads(line)["ready"] is True:
                return
            reason = f"it sent {line[:200]!r}"
        except StreamEnded:
            reason = "it ended"
        except StreamSilent:
            reason = f"it sent nothing within {READY_SECONDS:.0f} s"
        except (LineTooLong, ValueError, TypeError, KeyError) as error:
            reason = f"its first message is invalid: {error!r}"
        raise InfrastructureError(
            f"the tool server in {self._name} is not ready: {reason} (it needs Python 3.8 or newer in the "
            f"image) {self.stderr}".rstrip()
        )

    def call(self, tool: str, arguments: Mapping[str, Any], *, timeout: float) -> Mapping[str, Any]:
        """The reply to one request. `timeout` (seconds) is the limit of the tool.

        Raises StreamEnded, StreamSilent or StreamCorrupt; after any of them the connection is unusable.
        """
        self._last_id += 1
        request = {"id": self._last_id, "tool": tool, "arguments": dict(arguments), "timeout": timeout}
        deadline = time.monotonic() + self.patience(timeout)
        self._stream.send(json.dumps(request).encode() + b"\n", deadline=deadline)
        try:
            reply = json.loads(self._line(deadline))
            if reply["id"] != self._last_id:
                raise ValueError(f"reply {reply['id']!r} to request {self._last_id}")
        except (LineTooLong, ValueError, TypeError, KeyError) as error:
            raise StreamCorrupt(repr(error)) from error
        checked: Mapping[str, Any] = reply
        return checked

    def _line(self, deadline: float) -> bytes:
        line = self._lines.line(deadline=deadline)
        return opened(line, self._key) if self._key else line

    def close(self) -> None:
        """Closes the connection. The server receives end of input."""
        self._stream.close()
