"""The container in which an agent works, with its tool server behind `call`."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from harness.dataset import Repository
from harness.errors import AgentError, HarnessError, InfrastructureError
from harness.patches import FileState
from harness.records import FileEdit, packed
from harness.sandbox.base import Changes, Interrupt, ToolReply, never
from harness.sandbox.engine.changes import Pristine, compare
from harness.sandbox.engine.client import IdleConnection, address
from harness.sandbox.engine.containers import Container
from harness.sandbox.engine.image_recipes import INSIDE
from harness.sandbox.engine.interpreter import PYTHON
from harness.sandbox.program import DockerProgram
from harness.sandbox.stream import AttachedStream, StreamEnded, StreamSilent
from harness.sandbox.tool_client import StreamCorrupt, ToolClient
from harness.tools.inside.protocol import RESTORE

_REST_SECONDS = 5.0
_MOMENT_SECONDS = 0.5
_PROGRAM_SECONDS = 5.0
_RESTORE_SECONDS = 60.0
_RESTORED_AT_ONCE = 8 << 20  # bytes


def tool_server_command(workdir: PurePosixPath) -> tuple[str, ...]:
    """Starts the tool server, cut off from the environment and from modules in the workspace."""
    return (str(PYTHON), "-I", "-B", str(INSIDE), "--sealed", "--forget", "--workdir", str(workdir))


class ToolServerWorkspace:
    """A workspace with its tool server behind `call`. Once it is broken, every call raises the same error."""

    _client: ToolClient
    _broken: HarnessError | None = None

    def call(self, tool: str, arguments: Mapping[str, Any], *, timeout: float) -> ToolReply:
        """Runs one tool; see `base.Workspace.call`."""
        if self._broken is not None:
            raise self._broken
        try:
            return tool_reply(self._client.call(tool, arguments, timeout=timeout))
        except StreamEnded:
            self._broken = self._blame("its tool server ended")
        except StreamSilent:
            seconds = self._client.patience(timeout)
            symptom = f"its tool server did not respond within {seconds:.0f} s"
            self._broken = self._blame(symptom, silent_seconds=seconds)
        except (StreamCorrupt, ValueError, TypeError, KeyError) as error:
            self._broken = AgentError(f"the tool server's stream is corrupt: {error}")
        raise self._broken

    def restore(self, files: Sequence[FileState]) -> None:
        """Puts these files into the workspace; see `base.Workspace.restore`."""
        for batch in _batches(files):
            reply = self.call(RESTORE, {"files": batch}, timeout=_RESTORE_SECONDS)
            if not reply.ok:
                raise InfrastructureError(f"files were not restored in a new workspace: {reply.content}")

    def _close(self) -> None:
        """Lets every later call fail."""
        self._broken = self._broken or InfrastructureError("the workspace ended when its changes were read")

    def _blame(self, symptom: str, *, silent_seconds: float = 0.0) -> HarnessError:
        """The error for a missing reply. `silent_seconds`: how long there was none; 0 if the stream ended."""
        raise NotImplementedError


class DockerWorkspace(ToolServerWorkspace):
    """One started container. `start` returns the initial state of its workspace."""

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

    @contextmanager
    def started(self) -> Iterator[DockerWorkspace]:
        """Starts the container and waits for its tool server. Every failure is an InfrastructureError."""
        api, name = self._container.api, self._container.name
        with closing(IdleConnection(api)) as self._connection:
            stream = AttachedStream.to_container(api, name, self._interrupt)
            with closing(ToolClient(stream, name, key=secrets.token_bytes(32))) as self._client:
                self._container.start()
                self._client.expect_ready()
                yield self

    @contextmanager
    def program(self, command: Sequence[str]) -> Iterator[DockerProgram]:
        """Starts a program beside the tool server; see `base.ProgramHost`."""
        name = self._container.program(command, self.workdir)
        stream = AttachedStream.to_program(self._container.api, name)
        try:
            yield DockerProgram(stream, partial(self._blame_for_program, name))
        finally:
            stream.close()
            with suppress(HarnessError):
                self._container.await_program(name, _PROGRAM_SECONDS)

    def peek(self) -> Changes:
        """The changes that the agent made so far; see `base.Workspace.peek`. Ignored files are read as well."""
        if self._broken is not None:
            raise self._broken
        start = self._pristine()
        with self._container.paused(), self._container.files(self.workdir) as files:
            return compare(start, files)

    def changes(self) -> Changes:
        """The changes that the agent made; see `base.Workspace.changes`.

        Its processes are killed, not paused: that is one call of the engine instead of two, and never fails. The
        stream is closed first: the engine ends no container while output waits for a reader.
        """
        self._client.close()
        self._container.kill()
        self._close()
        start = self._pristine()
        with self._container.files(self.workdir, start.rules.removable_root) as files:
            return compare(start, files)

    def _blame(self, symptom: str, *, silent_seconds: float = 0.0) -> HarnessError:
        ended = not silent_seconds
        return self._fault(symptom, self._client.stderr, ended=ended, silent_seconds=silent_seconds)

    def _fault(
        self, symptom: str, last_words: str, *, ended: bool, silent_seconds: float = 0.0
    ) -> HarnessError:
        """The agent's fault or the engine's, by the state that the engine reports.

        `last_words`: the end of standard error. `ended`: whether the stream ended, rather than being silent.
        """
        if (excess := self._container.excess) is not None:
            return excess
        try:
            if silent_seconds:
                self._container.check_engine(silent_seconds)
            return self._by_state(symptom, last_words, ended=ended)
        except HarnessError as error:
            return error

    def _blame_for_program(
        self, program: str, symptom: str, last_words: str, stream_ended: bool
    ) -> HarnessError:
        """The error for a program that ended: if its container still runs, a process in it ended the program."""
        container = self._container
        try:
            if stream_ended:
                self._check_connection()
                container.await_program(program, _REST_SECONDS)  # its streams end a moment earlier
            ended = container.program_ended(program)
            state = container.state_at_rest(_MOMENT_SECONDS)
            if ended and state is not None and state.running and not container.killed_from_outside():
                stderr = f": {last_words[-500:]}" if last_words else ""
                return AgentError(f"the agent broke its container: {symptom}{stderr}")
        except HarnessError as error:
            return error
        return self._fault(symptom, last_words, ended=stream_ended)

    def _by_state(self, symptom: str, last_words: str, *, ended: bool) -> HarnessError:
        if ended:
            self._check_connection()
        state = self._container.state_at_rest(_REST_SECONDS if ended else 0.0)
        if state is None:
            return InfrastructureError(f"container {self._container.name} was removed while its agent acted")
        if self._container.killed_from_outside():
            return InfrastructureError(f"container {self._container.name} was killed from outside")
        if not state.running and not self._container.end_was_seen():
            return InfrastructureError(
                f"container {self._container.name} stopped with its engine, which was restarted"
            )
        if state.out_of_memory:
            return AgentError(f"the container ran out of memory and {symptom}")
        ending = "" if state.running else f" and the container with it (exit code {state.exit_code})"
        stderr = f": {last_words[-500:]}" if last_words else ""
        return AgentError(f"the agent broke its container: {symptom}{ending}{stderr}")

    def _check_connection(self) -> None:
        """An agent can close the streams of its container and choose its exit code, but end no other connection."""
        if self._connection.broke:
            raise InfrastructureError(
                f"the connection to the engine at {address()} broke while container {self._container.name} ran"
            )


def _batches(files: Sequence[FileState]) -> Iterator[list[dict[str, Any]]]:
    """The files as the tool server restores them, deletions first, in parts that take little memory at a time."""
    batch: list[dict[str, Any]] = []
    size = 0
    for file in sorted(files, key=lambda file: file.content is not None):
        batch.append(packed(file))
        size += len(file.content or b"") + len(file.path)
        if size > _RESTORED_AT_ONCE:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def tool_reply(reply: Mapping[str, Any]) -> ToolReply:
    """Reads a reply. Raises ValueError, TypeError or KeyError for an invalid one."""
    return ToolReply(
        ok=bool(reply["ok"]),
        content=str(reply["content"]),
        seconds=float(reply["seconds"]),
        edits=tuple(FileEdit(**edit) for edit in reply["edits"]),
    )
