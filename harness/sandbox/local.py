"""No container at all: temporary directories and processes of this host.

For agents of the project's own (null, oracle, scripted), where there is no container engine. It does not
isolate processes from the host, so other agents may not run here; and its grades are marked wherever they are shown.
Dockerfiles are not built: the host must have what the tests need, and a test script must not name its workdir.
"""

from __future__ import annotations

import logging
import os
import platform
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path, PurePosixPath

from harness.background import POLL_SECONDS
from harness.dataset import Repository, Tree
from harness.errors import AgentError, HarnessError, InfrastructureError
from harness.patches import FileState, file_state
from harness.sandbox.base import (
    Changes,
    CommandResult,
    ContainerLimits,
    EngineStatus,
    ImageLayer,
    Interrupt,
    Owner,
    StoredImage,
)
from harness.sandbox.engine.archive import Member
from harness.sandbox.engine.changes import compare, pristine
from harness.sandbox.engine.disk import DiskWatch
from harness.sandbox.engine.image_recipes import COMMIT, INSIDE_SOURCE
from harness.sandbox.grader import ENVIRONMENT, MAX_OUTPUT_BYTES, MAX_RESULT_BYTES
from harness.sandbox.pipes import PipedProcess
from harness.sandbox.stream import BoundedOutput, StreamEnded, StreamSilent
from harness.sandbox.temp_dirs import TempDir, temp_dir, temp_dirs_of
from harness.sandbox.tool_client import GRACE_SECONDS, ToolClient
from harness.sandbox.waiting import never
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

    def image(self, repository: Repository, *, interrupt: Interrupt | None = None) -> str:  # noqa: ARG002
        """A name for the repository's content. Nothing is built."""
        return f"local:{repository.digest[:16]}"

    @contextmanager
    def workspace(
        self,
        repository: Repository,
        *,
        owner: Owner,
        limits: ContainerLimits,
        interrupt: Interrupt | None = None,
        tools: Sequence[str] = (),
        layer: ImageLayer | None = None,
    ) -> Iterator[LocalWorkspace]:
        """A directory with the source as one orphan commit, and a tool server. Has no optional tools and no layers."""
        if tools or layer is not None:
            raise InfrastructureError(
                f"{', '.join(tools) or 'an image layer'}: this needs a container engine"
            )
        _log.warning("%s runs WITHOUT A CONTAINER, with the rights of this process", owner.run_id)
        with temp_dir("workspace", owner) as directory:
            workspace = LocalWorkspace(directory, repository, limits, interrupt or never)
            with workspace.started():
                yield workspace

    @contextmanager
    def grader(
        self,
        repository: Repository,
        *,
        owner: Owner,
        limits: ContainerLimits,
        interrupt: Interrupt | None = None,
    ) -> Iterator[LocalGrader]:
        """A grader that creates a directory for each test run and removes it."""
        yield LocalGrader(repository, owner, limits, interrupt or never)

    def sweep(self, instance: str, *, in_use: Iterable[tuple[str, int]] = ()) -> list[str]:
        """Removes unused directories and ends their processes. Returns their names."""
        found = temp_dirs_of(instance)
        owners = set(in_use)  # read after the listing: a run is in use before its directory exists
        removed = []
        for directory in found:
            owner = directory.owner()
            if owner is not None and (owner.run_id, owner.try_number) not in owners:
                directory.remove()
                removed.append(directory.name)
        return removed

    def superfluous_images(
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

    def __init__(
        self, directory: TempDir, repository: Repository, limits: ContainerLimits, interrupt: Interrupt
    ) -> None:
        self._root = _with_source(directory, repository)
        self.workdir = PurePosixPath(self._root)
        self._directory = directory
        self._repository = repository
        self._limits = limits
        self._interrupt = interrupt
        self._server: PipedProcess
        self._disk = _watch(directory, limits)

    @contextmanager
    def started(self) -> Iterator[None]:
        """Creates the orphan commit and waits until the tool server is ready."""
        _commit(self._root, self._directory)
        self._server = PipedProcess(
            [sys.executable, "-I", "-B", str(INSIDE_SOURCE), "--sealed", "--workdir", str(self._root)],
            directory=self._root,
            environment=self._directory.environment(),
            most_mb=self._limits.disk_mb,
            interrupt=self._interrupt,
        )
        try:
            self._client = ToolClient(self._server, self._directory.name, key=secrets.token_bytes(32))
            self._client.expect_ready()
            self._disk.begin()
            yield
        finally:
            self._disk.end()
            self._end()

    def changes(self) -> Changes:
        """The changes that the agent made; see `base.Workspace.changes`."""
        self._directory.kill()
        self._close()
        return compare(pristine(self._repository.source), _members(self._root))

    def _blame(self, symptom: str, *, silent_seconds: float = 0.0) -> HarnessError:  # noqa: ARG002
        if self._disk.excess:
            return AgentError(self._disk.excess)
        if not self._root.exists():
            return InfrastructureError(f"{self._root} was removed while its agent acted")
        return AgentError(f"the agent broke its workspace: {symptom}")

    def _end(self) -> None:
        """Ends the server, which kills its children; other processes end with the directory."""
        with suppress(OSError):
            self._server.end_input()
        with suppress(subprocess.TimeoutExpired):
            self._server.process.wait(GRACE_SECONDS)
        self._directory.kill()
        self._server.close()


class LocalGrader:
    """Creates one clean directory for each `run`; see `base.Grader`."""

    def __init__(
        self, repository: Repository, owner: Owner, limits: ContainerLimits, interrupt: Interrupt
    ) -> None:
        self._repository = repository
        self._owner = owner
        self._limits = limits
        self._interrupt = interrupt

    def run(
        self, *, files: Iterable[FileState], tests: Tree, script: Path, task: str, timeout: float
    ) -> tuple[CommandResult, Mapping[str, bytes]]:
        """Copies `files`, then the hidden tests, into the source; runs `script task` there."""
        with temp_dir("grader", self._owner) as directory:
            root, results = _with_source(directory, self._repository), directory.path / "results"
            results.mkdir()
            _commit(root, directory)
            for state in sorted(files, key=lambda file: file.content is not None):  # deletions first
                _write(root, state)
            for state in tests.files():
                _write(root, state)
            shutil.copyfile(script, directory.path / "run_tests.sh")
            environment = {**ENVIRONMENT, **directory.environment(), "RESULTS_DIR": str(results)}
            # Both streams are one pipe, as in a container: lines stay in order.
            command = [
                "sh",
                "-c",
                'exec bash "$1" "$2" 2>&1',
                "sh",
                str(directory.path / "run_tests.sh"),
                task,
            ]
            return self._command(directory, root, command, environment, timeout), _read_results(results)

    def _command(
        self,
        directory: TempDir,
        root: Path,
        command: Sequence[str],
        environment: Mapping[str, str],
        timeout: float,
    ) -> CommandResult:
        began = time.monotonic()
        output = BoundedOutput(MAX_OUTPUT_BYTES)
        disk = _watch(directory, self._limits)
        running = PipedProcess(
            command,
            directory=root,
            environment=environment,
            most_mb=self._limits.disk_mb,
            interrupt=self._interrupt,
        )
        try:
            running.end_input()
            disk.begin()
            ended = _until_it_ends(running, output, began + timeout, directory)
        finally:
            disk.end()
            directory.kill()
            running.close()
        if disk.excess:
            raise AgentError(f"the tests were stopped: {disk.excess}")
        return CommandResult(
            running.process.returncode if ended else None, output.text(), time.monotonic() - began
        )


def _until_it_ends(running: PipedProcess, output: BoundedOutput, deadline: float, directory: TempDir) -> bool:
    """Whether the command ended in time. Ends everything that it has started."""
    while time.monotonic() < deadline:
        ended = running.process.poll() is not None
        if ended:
            directory.kill()
        try:
            while True:
                output.add(running.frame(deadline=min(deadline, time.monotonic() + POLL_SECONDS / 10))[1])
        except StreamSilent:
            continue
        except StreamEnded:
            with suppress(subprocess.TimeoutExpired):
                running.process.wait(max(0.0, deadline - time.monotonic()))
            return running.process.returncode is not None
    return False


def _with_source(directory: TempDir, repository: Repository) -> Path:
    root = directory.path / "work"
    root.mkdir()
    for state in repository.source.files():
        _write(root, state)
    return root


def _write(root: Path, state: FileState) -> None:
    """Writes the file of `state`; replaces anything at its path."""
    parts = PurePosixPath(state.path).parts
    if not parts or ".." in parts or PurePosixPath(state.path).is_absolute():
        raise HarnessError(f"{state.path!r} leads out of the workspace")
    directory = root
    for part in parts[:-1]:
        directory = directory / part
        if state.content is None and (directory.is_symlink() or not directory.is_dir()):
            return
        if directory.is_symlink() or not directory.is_dir():
            directory.unlink(missing_ok=True)
            directory.mkdir()
    target = directory / parts[-1]
    if target.is_dir() and not target.is_symlink():
        shutil.rmtree(target)
    target.unlink(missing_ok=True)
    if state.content is None:
        return
    if state.link:
        target.symlink_to(os.fsdecode(state.content))
    else:
        target.write_bytes(state.content)
        target.chmod(state.mode)


def _commit(root: Path, directory: TempDir) -> None:
    command = ["/bin/sh", "-c", COMMIT, "sh", str(root)]
    done = subprocess.run(command, env=directory.environment(), capture_output=True, text=True, check=False)
    if done.returncode:
        raise InfrastructureError(f"committing the workspace failed: {done.stderr.strip()[-500:]}")


def _members(root: Path) -> Iterator[Member]:
    for top, directories, names in os.walk(root):
        for path in (Path(top, name) for name in [*names, *directories]):
            if path.is_symlink() or path.is_file():
                relative = path.relative_to(root).as_posix()
                yield Member(relative, path.lstat().st_size, partial(file_state, path, relative))


def _read_results(results: Path) -> Mapping[str, bytes]:
    found: dict[str, bytes] = {}
    size = 0
    for member in _members(results):
        size += member.size
        if size > MAX_RESULT_BYTES:
            raise AgentError(f"the tests left more than {MAX_RESULT_BYTES >> 20} MB of results")
        state = member.read()
        if not state.link and state.content is not None:
            found[state.path] = state.content
    return found


def _watch(directory: TempDir, limits: ContainerLimits) -> DiskWatch:
    return DiskWatch(measure=directory.size, stop=directory.kill, most_mb=limits.disk_mb)
