"""The container in which an agent acts, with its tool server behind `call`."""

from __future__ import annotations

import hmac
import json
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import PurePosixPath
from typing import Any

from harness.dataset import Repository
from harness.errors import AgentError, HarnessError, InfrastructureError
from harness.records import FileEdit
from harness.sandbox.base import Changes, Interrupt, ToolReply
from harness.sandbox.changes import Pristine, compare
from harness.sandbox.containers import Container
from harness.sandbox.images import INSIDE
from harness.sandbox.stream import AttachedStream, LineReader, LineTooLong, StreamEnded, StreamSilent
from harness.sandbox.waiting import never
from harness.tools.inside.seal import sealed

GRACE_SECONDS = 10.0
READY_SECONDS = 60.0
LONGEST_LINE = 64 << 20
_REST_SECONDS = 5.0


def tool_server_command(workdir: PurePosixPath) -> tuple[str, ...]:
    """Starts the tool server, cut off from the environment and from modules in the workspace."""
    return ("python3", "-I", "-B", str(INSIDE), "--sealed", "--workdir", str(workdir))


def opened(line: bytes, key: bytes) -> bytes:
    """The line that the tool server has sealed. Raises ValueError for one that somebody else has written."""
    mark, _, content = line.partition(b" ")
    if not hmac.compare_digest(sealed(content, key).partition(b" ")[0], mark):
        raise ValueError("a line without the tool server's mark")
    return content


class DockerWorkspace:
    """One started container. `start` tells the state that its workspace began with, when it is asked for."""

    def __init__(
        self,
        container: Container,
        repository: Repository,
        start: Callable[[], Pristine],
        interrupt: Interrupt = never,
    ) -> None:
        self.workdir = repository.workdir
        self._interrupt = interrupt
        self._container = container
        self._pristine = start
        self._last_id = 0
        self._key = secrets.token_bytes(32)
        self._broken: HarnessError | None = None
        self._stream: AttachedStream
        self._lines: LineReader

    @contextmanager
    def started(self) -> Iterator[DockerWorkspace]:
        """Starts the container and waits for its tool server. No agent acted yet: every failure is infrastructure's."""
        self._stream = AttachedStream(self._container.api, self._container.name, self._interrupt)
        try:
            self._lines = LineReader(self._stream, longest=LONGEST_LINE)
            self._container.start()
            self._send_key()
            self._expect_ready()
            yield self
        finally:
            self._stream.close()

    def call(self, tool: str, arguments: Mapping[str, Any], *, timeout: float) -> ToolReply:
        """Runs one tool; see `base.Workspace.call`. Once the container is broken, every call says so again."""
        if self._broken is not None:
            raise self._broken
        self._last_id += 1
        request = {"id": self._last_id, "tool": tool, "arguments": dict(arguments), "timeout": timeout}
        patience = timeout + GRACE_SECONDS
        deadline = time.monotonic() + patience
        try:
            self._stream.send(json.dumps(request).encode() + b"\n", deadline=deadline)
            return self._reply(opened(self._lines.line(deadline=deadline), self._key))
        except StreamEnded:
            self._broken = self._blame("its tool server ended")
        except StreamSilent:
            self._broken = self._blame(f"its tool server did not answer within {patience:.0f} s")
        except (LineTooLong, ValueError, TypeError, KeyError) as error:
            self._broken = AgentError(f"the tool server's stream is corrupt: {error!r}")
        raise self._broken

    def changes(self) -> Changes:
        """What the agent left behind, with its processes held still. Works on a container that has died."""
        with self._container.frozen(), self._container.files(self.workdir) as files:
            return compare(self._pristine(), files)

    def _send_key(self) -> None:
        with suppress(StreamEnded, StreamSilent):  # then it will not be ready either, and say why
            self._stream.send(self._key.hex().encode() + b"\n", deadline=time.monotonic() + READY_SECONDS)

    def _expect_ready(self) -> None:
        try:
            line = opened(self._lines.line(deadline=time.monotonic() + READY_SECONDS), self._key)
            if json.loads(line)["ready"] is True:
                return
            reason = f"it said {line[:200]!r}"
        except StreamEnded:
            reason = "it ended"
        except StreamSilent:
            reason = f"it said nothing within {READY_SECONDS:.0f} s"
        except (LineTooLong, ValueError, TypeError, KeyError) as error:
            reason = f"it said something else: {error!r}"
        raise InfrastructureError(
            f"the tool server in {self._container.name} is not ready: {reason} (it needs Python 3.8 or newer in the "
            f"image) {self._lines.stderr}".rstrip()
        )

    def _reply(self, line: bytes) -> ToolReply:
        reply = json.loads(line)
        if reply["id"] != self._last_id:
            raise ValueError(f"reply {reply['id']!r} to request {self._last_id}")
        return ToolReply(
            ok=bool(reply["ok"]),
            content=str(reply["content"]),
            seconds=float(reply["seconds"]),
            edits=tuple(FileEdit(**edit) for edit in reply["edits"]),
        )

    def _blame(self, symptom: str) -> HarnessError:
        """Whose fault it is that no reply came. The engine decides: it knows what it was asked to do."""
        if self._container.excess:
            return AgentError(self._container.excess)
        try:
            return self._verdict(symptom)
        except InfrastructureError as error:
            return error

    def _verdict(self, symptom: str) -> HarnessError:
        state = self._container.state_at_rest(_REST_SECONDS if "ended" in symptom else 0.0)
        if state is None:
            return InfrastructureError(f"container {self._container.name} was removed while its agent acted")
        if self._container.killed_from_outside():
            return InfrastructureError(f"container {self._container.name} was killed from outside")
        if state.running and "ended" in symptom:
            return InfrastructureError(f"the connection to container {self._container.name} broke")
        if not state.running and not self._container.end_was_seen():
            return InfrastructureError(
                f"container {self._container.name} stopped with its engine, which was restarted"
            )
        if state.out_of_memory:
            return AgentError(f"the container ran out of memory and {symptom}")
        ending = "" if state.running else f" and the container with it (exit code {state.exit_code})"
        stderr = f": {self._lines.stderr[-500:]}" if self._lines.stderr else ""
        return AgentError(f"the agent broke its container: {symptom}{ending}{stderr}")
