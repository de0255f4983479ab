"""A program beside the tool server: sends and receives lines, and explains its end."""

from __future__ import annotations

import time
from collections.abc import Callable

from harness.errors import AgentError, HarnessError
from harness.sandbox.stream import AttachedStream, LineReader, LineTooLong, StreamEnded, StreamSilent

MAX_LINE_LENGTH = 32 << 20


class DockerProgram:
    """See `base.Program`.

    `blame` returns the error for a symptom, the end of standard error, and whether the stream has ended.
    """

    def __init__(self, stream: AttachedStream, blame: Callable[[str, str, bool], HarnessError]) -> None:
        self._stream = stream
        self._lines = LineReader(stream, longest=MAX_LINE_LENGTH)
        self._blame = blame

    def send(self, line: bytes, *, timeout: float) -> None:
        """Writes one line."""
        try:
            self._stream.send(line + b"\n", deadline=time.monotonic() + timeout)
        except StreamEnded:
            raise self._ended() from None
        except StreamSilent:
            symptom = f"a program of the harness took no input for {timeout:.0f} s"
            raise self._blame(symptom, self._lines.stderr, False) from None

    def receive(self, *, timeout: float) -> bytes | None:
        """The next line, if one arrives in time."""
        try:
            return self._lines.line(deadline=time.monotonic() + timeout)
        except StreamSilent:
            return None
        except StreamEnded:
            raise self._ended() from None
        except LineTooLong:
            raise AgentError("a program of the harness wrote a line without an end") from None

    def _ended(self) -> HarnessError:
        return self._blame("a program of the harness was ended", self._lines.stderr, True)
