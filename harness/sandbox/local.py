"""An engine without containers: temporary directories and processes of this host.

For the project's own agents (null, oracle, scripted), if there is no container engine. It does not isolate processes
from the host, so other agents may not run here, and its grades are marked wherever they are shown. Dockerfiles are not
built: the host must have what the tests need, and a test script must not name its workdir.
"""

from __future__ import annotations

import logging
import platform
import secrets
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import PurePosixPath

from harness.dataset import Repository
from harness.errors import AgentError, HarnessError, InfrastructureError
from harness.sandbox.base import (
    Changes,
    ContainerUse,
    EngineStatus,
    ImageLayer,
    Interrupt,
    StoredImage,
    never,
)
from harness.sandbox.engine.changes import compare, pristine
from harness.sandbox.engine.image_recipes import INSIDE_SOURCE
from harness.sandbox.local_files import commit_workspace, disk_watch, make_workspace, members
from harness.sandbox.local_grader import LocalGrader
from harness.sandbox.pipes import PipedProcess
from harness.sandbox.temp_dirs import TempDir, temp_dir, temp_dirs_of
from harness.sandbox.tool_client import GRACE_SECONDS, ToolClient
from harness.sandbox.workspace import ToolServerWorkspace

RUNTIME = "none"
_log = logging.getLogger(__name__)


class LocalEngine:
    """Directories and processes of this host. `execute_run` allows only the project's own agents on it."""

    isolated = False

    def about(self) -> EngineStatus:
        """The same as `status`."""
        return self.status()

    def status(self) -> EngineStatus:
        """The status. Its description says clearly that this is no container engine."""
        missing = [name for name in ("bash", "git") if shutil.which(name) is None]
        if missing:
            return EngineStatus(
                False,
                "no container",
                reason=f"The local backend needs {' and '.join(missing)} on this host.",
                remedy="Install what is missing, or use a container engine.",
                isolated=False,
            )
        return EngineStatus(
            True,
            f"NO CONTAINER: temporary directories on this host ({platform.system()}/{platform.machine()}), for null, "
            "oracle and scripted agents only",
            runtime=RUNTIME,
            isolated=False,
        )

    def image(self, repository: Repository, *, interrupt: Interrupt = never) -> str:  # noqa: ARG002
        """A name for the repository's content. Nothing is built."""
        return f"local:{repository.digest[:16]}"

    @contextmanager
    def workspace(
        self,
        repository: Repository,
        use: ContainerUse,
        *,
        tools: Sequence[str] = (),
        layer: ImageLayer | None = None,
    ) -> Iterator[LocalWorkspace]:
        """A directory with the source as one orphan commit, and a tool server. Has no optional tools and no layers."""
        if tools or layer is not None:
            raise InfrastructureError(
                f"{', '.join(tools) or 'an image layer'}: this needs a container engine"
            )
        _log.warning("%s runs WITHOUT A CONTAINER, with the rights of this process", use.owner.run_id)
        with temp_dir("workspace", use.owner) as directory:
            workspace = LocalWorkspace(directory, repository, use)
            with workspace.started():
                yield workspace

    @contextmanager
    def grader(self, repository: Repository, use: ContainerUse) -> Iterator[LocalGrader]:
        """A grader that creates a directory for each test run and removes it."""
        yield LocalGrader(repository, use)

    def sweep(
        self, instance: str, *, in_use: Iterable[tuple[str, int]] = (), run_id: str | None = None
    ) -> list[str]:
        """Removes unused directories and ends their processes. Returns their names."""
        found = temp_dirs_of(instance)
        owners = set(in_use)  # read after the listing: a run is in use before its directory exists
        removed = []
        for directory in found:
            owner = directory.owner()
            if owner is None or run_id not in (None, owner.run_id):
                continue
            if (owner.run_id, owner.try_number) not in owners:
                directory.remove()
                removed.append(directory.name)
        return removed

    def removable_images(
        self,
        needed_by: Iterable[Repository] = (),  # noqa: ARG002
        *,
        older_than: float | None = None,  # noqa: ARG002
    ) -> list[StoredImage]:
        """None: there are no images."""
        return []

    def remove_images(self, chosen: Iterable[StoredImage]) -> list[StoredImage]:  # noqa: ARG002
        """None: there are no images."""
        return []

    def close(self) -> None:
        """Does nothing: there are no connections."""


class LocalWorkspace(ToolServerWorkspace):
    """One directory with its tool server; see `base.Workspace`."""

    def __init__(self, directory: TempDir, repository: Repository, use: ContainerUse) -> None:
        self._root = make_workspace(directory, repository)
        self.workdir = PurePosixPath(self._root)
        self._directory = directory
        self._repository = repository
        self._use = use
        self._server: PipedProcess
        self._disk = disk_watch(directory, use.limits)

    @contextmanager
    def started(self) -> Iterator[None]:
        """Creates the orphan commit and waits until the tool server is ready."""
        commit_workspace(self._root, self._directory)
        self._server = PipedProcess(
            [sys.executable, "-I", "-B", str(INSIDE_SOURCE), "--sealed", "--workdir", str(self._root)],
            directory=self._root,
            environment=self._directory.environment(),
            most_mb=self._use.limits.disk_mb,
            interrupt=self._use.interrupt,
        )
        try:
            self._client = ToolClient(self._server, self._directory.name, key=secrets.token_bytes(32))
            self._client.expect_ready()
            self._disk.begin()
            yield
        finally:
            self._disk.end()
            # Ends the server, which kills its children; other processes end with the directory.
            with suppress(OSError):
                self._server.end_input()
            with suppress(subprocess.TimeoutExpired):
                self._server.process.wait(GRACE_SECONDS)
            self._directory.kill()
            self._server.close()

    def peek(self) -> Changes:
        """The changes that the agent made so far; see `base.Workspace.peek`."""
        if self._broken is not None:
            raise self._broken
        with self._directory.paused():
            return compare(pristine(self._repository.source), members(self._root))

    def changes(self) -> Changes:
        """The changes that the agent made; see `base.Workspace.changes`."""
        self._directory.kill()
        self._close()
        return compare(pristine(self._repository.source), members(self._root))

    def _blame(self, symptom: str, *, silent_seconds: float = 0.0) -> HarnessError:  # noqa: ARG002
        if self._disk.error is not None:
            return self._disk.error
        if not self._root.exists():
            return InfrastructureError(f"{self._root} was removed while its agent acted")
        return AgentError(f"the agent broke its workspace: {symptom}")
