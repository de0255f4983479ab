"""The toolbox: a container in the agent's network, with tools that connect to the servers which the agent starts.

It starts at the first call. It sees the agent's ports, but not its files or processes. It has no API key and no other
network, and nothing that it writes remains after it.
"""

from __future__ import annotations

import base64
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

from harness.dataset import OPTIONAL_TOOLS
from harness.errors import InfrastructureError
from harness.patches import FileState
from harness.sandbox.base import Changes, ContainerLimits, Interrupt, Owner, ToolReply, Workspace
from harness.sandbox.engine.containers import Container, Recipe
from harness.sandbox.stream import AttachedStream, StreamEnded, StreamSilent
from harness.sandbox.tool_client import StreamCorrupt, ToolClient
from harness.tools.inside.protocol import LOOK

LIMITS = ContainerLimits(memory_mb=1536, cpus=2.0, pids=512)
SCRATCH_MB = 512
_LOOK_SECONDS = 60.0
_REST_SECONDS = 2.0
_COMMAND = ("/opt/toolbox/venv/bin/python", "-I", "-B", "/opt/toolbox/inside")
_LOST = "Cookies and the page are gone; the next call begins with a fresh toolbox."
_log = logging.getLogger(__name__)


def recipe(image: str, beside: str, owner: Owner, runtime: str) -> Recipe:
    """A toolbox in the network of the container named `beside`."""
    return Recipe(
        role="toolbox",
        image=image,
        command=_COMMAND,
        workdir=PurePosixPath("/tmp"),  # noqa: S108 - its own, in memory
        owner=owner,
        limits=LIMITS,
        environment={"HOME": "/tmp"},  # noqa: S108
        stdin=True,
        runtime=runtime,
        network=f"container:{beside}",
        user="toolbox",
        scratch_mb=SCRATCH_MB,
    )


class Toolbox:
    """Started by its first call, and again by the first call after a failure. `make` creates its container."""

    def __init__(self, make: Callable[[], AbstractContextManager[Container]], interrupt: Interrupt) -> None:
        self._make = make
        self._interrupt = interrupt
        self._open = ExitStack()
        self._container: Container
        self._client: ToolClient | None = None

    def call(self, tool: str, arguments: Mapping[str, Any], *, timeout: float) -> ToolReply:
        """Runs one tool. A toolbox that breaks is a failed call; an engine that fails is an InfrastructureError."""
        began = time.monotonic()
        client = self._client or self._start()
        try:
            reply = client.call(tool, arguments, timeout=timeout)
            return ToolReply(
                ok=bool(reply["ok"]),
                content=str(reply["content"]),
                seconds=time.monotonic() - began,
                pictures=tuple(map(base64.b64decode, reply["pictures"])),
            )
        except StreamEnded:
            state = self._container.state_at_rest(_REST_SECONDS)
            symptom = "ran out of memory" if state and state.out_of_memory else "ended unexpectedly"
        except StreamSilent:
            self._container.check_engine(time.monotonic() - began)
            symptom = f"did not respond within {timeout:.0f} s"
        except (StreamCorrupt, ValueError, TypeError, KeyError) as error:
            symptom = f"sent an invalid reply ({error})"
        _log.warning("%s %s: %s", self._container.name, symptom, client.stderr[-500:])
        self.close()
        return ToolReply(False, f"The toolbox {symptom}. {_LOST}", time.monotonic() - began)

    def _start(self) -> ToolClient:
        with ExitStack() as opened:
            self._container = opened.enter_context(self._make())
            client = ToolClient(
                AttachedStream.to_container(self._container.api, self._container.name, self._interrupt),
                self._container.name,
            )
            opened.callback(client.close)
            self._container.start()
            client.expect_ready()
            self._open = opened.pop_all()
        self._client = client
        return client

    def close(self) -> None:
        """Removes its container, if it was started."""
        self._client = None
        self._open.close()


class EquippedWorkspace:
    """A workspace with a toolbox: sends each call to the container of its tool."""

    def __init__(self, workspace: Workspace, toolbox: Toolbox) -> None:
        self.workdir = workspace.workdir
        self._workspace = workspace
        self._toolbox = toolbox

    def call(self, tool: str, arguments: Mapping[str, Any], *, timeout: float) -> ToolReply:
        """Runs one tool. What the agent's servers change on disk during a call counts as edits of that call."""
        if tool not in OPTIONAL_TOOLS:
            return self._workspace.call(tool, arguments, timeout=timeout)
        try:
            reply = self._toolbox.call(tool, arguments, timeout=timeout)
        except InfrastructureError:
            self._look()  # raises the right error if the agent broke its workspace
            raise
        return replace(reply, edits=self._look().edits)

    def peek(self) -> Changes:
        """What the agent has changed so far."""
        return self._workspace.peek()

    def changes(self) -> Changes:
        """What the agent has changed."""
        return self._workspace.changes()

    def restore(self, files: Sequence[FileState]) -> None:
        """Puts these files into the workspace."""
        self._workspace.restore(files)

    def _look(self) -> ToolReply:
        return self._workspace.call(LOOK, {}, timeout=_LOOK_SECONDS)
