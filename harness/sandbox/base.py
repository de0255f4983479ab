"""The interface of container engines; the tests in `tests/harness/conformance/` check every engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, Protocol, runtime_checkable

from harness.dataset import Repository
from harness.patches import FileState
from harness.records import FileEdit

INSTANCE_LABEL, RUN_LABEL, TRY_LABEL = "benchbench.instance", "benchbench.run", "benchbench.try"

Interrupt = Callable[[], None]
"""Called about every second during a long wait. An exception from it ends the wait and is passed on."""


def never() -> None:
    """An `Interrupt` that does nothing."""


@dataclass(frozen=True, slots=True)
class EngineStatus:
    """Whether an engine is available; if not, `reason` and `remedy` are sentences for the operator.

    `runtime`: what runs its containers (`runc`, `runsc`, …). `isolated`: see `Engine.isolated`.
    """

    available: bool
    description: str
    reason: str = ""
    remedy: str = ""
    runtime: str = ""
    isolated: bool = True


@dataclass(frozen=True, slots=True)
class ContainerLimits:
    """Limits of one container. `disk_mb` limits each file and the sum of everything written.

    `files` limits how many files, directories and links may be added or changed.
    """

    memory_mb: int = 2048
    cpus: float = 2.0
    pids: int = 512
    disk_mb: int = 4096
    files: int = 200_000


@dataclass(frozen=True, slots=True)
class Owner:
    """Which execution a container belongs to; stored in its labels, where the sweeper finds it."""

    instance: str
    run_id: str
    try_number: int = 1

    def labels(self) -> dict[str, str]:
        """The labels that mark a container as this owner's."""
        return {
            INSTANCE_LABEL: self.instance,
            RUN_LABEL: self.run_id,
            TRY_LABEL: str(self.try_number),
        }


@dataclass(frozen=True, slots=True)
class ContainerUse:
    """For whom a container runs, within which limits, and what is called while somebody waits for it."""

    owner: Owner
    limits: ContainerLimits = ContainerLimits()
    interrupt: Interrupt = never


@dataclass(frozen=True, slots=True)
class ImageLayer:
    """What is installed on top of a workspace image for the containers of one agent; graders do not have it.

    `source` is copied to /opt/benchbench/agent/recipe, and its `install.sh`, where there is one, runs as root in
    /opt/benchbench/agent, with a network. It must leave the workspace as it is. `digest` is that of `source`.
    """

    name: str
    source: Path
    digest: str


@dataclass(frozen=True, slots=True)
class ToolReply:
    """A reply of the tool server. `ok` False: the tool refused or failed, and `content` says why, for the model.

    `edits`: changes of the workspace since the previous call. `pictures`: PNG files that the tool made. `aside`: see
    `harness.records.ToolResult`.
    """

    ok: bool
    content: str
    seconds: float
    edits: tuple[FileEdit, ...] = ()
    pictures: tuple[bytes, ...] = field(default=(), repr=False)
    aside: str = ""


@dataclass(frozen=True, slots=True)
class CommandResult:
    """One command that ended or timed out (`exit_code` None). Output is stdout and stderr, in order.

    `tampered`: absolute paths of the test script, of hidden tests and of the system's programs that the command
    changed, as far as the engine can detect. `reported`: (test, status) as the test runner reported each result while
    it ran; None if it does not report any.
    """

    exit_code: int | None
    output: str
    seconds: float
    tampered: tuple[str, ...] = ()
    reported: tuple[tuple[str, str], ...] | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Changes:
    """How a workspace differs from its image, compared on the host: each path before and after.

    `ignored`: paths that the pristine tree's .gitignore lists (and .git itself); they are not compared.
    """

    before: tuple[FileState, ...] = ()
    after: tuple[FileState, ...] = ()
    ignored: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class StoredImage:
    """An image that this project made. `bytes`: about how much its removal frees. `made`: seconds since the epoch."""

    id: str
    tags: tuple[str, ...]
    bytes: int
    made: float


class Workspace(Protocol):
    """A running container in which an agent acts, with one persistent tool server behind `call`."""

    workdir: PurePosixPath

    def call(self, tool: str, arguments: Mapping[str, Any], *, timeout: float) -> ToolReply:
        """Runs one tool. `timeout` (seconds) is the limit of the tool; a short grace period is added.

        Raises AgentError when the agent broke its own container, LimitReached when it made too many files,
        InfrastructureError when the engine failed.
        """

    def peek(self) -> Changes:
        """The changes that the agent made so far. Its processes stand still meanwhile and go on afterwards.

        Raises AgentError and LimitReached when the changes are too big, too many or too slow to read, and what `call`
        raises.
        """

    def changes(self) -> Changes:
        """The changes that the agent made. Ends all processes in the workspace; later calls are refused.

        Works on a container that has already died, and may be called again. Raises AgentError and LimitReached when
        the changes are too big, too many or too slow to read.
        """

    def restore(self, files: Sequence[FileState]) -> None:
        """Puts the files that an earlier workspace of the same run had changed into this new one, before any call.

        `files` are its `Changes.after`. Afterwards `peek` gives the same changes. What they do not contain stays lost:
        ignored files, files outside of the workdir, and processes. Raises what `call` raises.
        """


class Program(Protocol):
    """A program in the container of a workspace; it exchanges lines over its standard streams.

    Both methods raise AgentError when the agent broke it, InfrastructureError when the engine failed.
    """

    def send(self, line: bytes, *, timeout: float) -> None:
        """Writes one line, passed without its newline, within `timeout` seconds."""

    def receive(self, *, timeout: float) -> bytes | None:
        """The next line without its newline; None after `timeout` seconds without one."""


@runtime_checkable
class ProgramHost(Protocol):
    """A workspace in which programs can run beside the tool server."""

    def program(self, command: Sequence[str]) -> AbstractContextManager[Program]:
        """Starts a program in the workdir. The context closes its standard input, and that must end the program."""


class Grader(Protocol):
    """A clean container of the same image, not started until `run`."""

    def run(
        self,
        *,
        files: Iterable[FileState],
        tests: Sequence[FileState],
        script: Path,
        task: str,
        timeout: float,
        compare_programs: bool = True,
    ) -> tuple[CommandResult, Mapping[str, bytes]]:
        """Copies `files`, then the hidden `tests`, into the pristine tree; runs `script task` in the workdir.

        Their paths are relative to the workdir. Returns the command's result and the files below $RESULTS_DIR by
        relative path. `compare_programs`: whether changed programs of the image are among those tampered with. The
        engine needs half a second or more for that.
        """


class Engine(Protocol):
    """One container engine.

    `isolated`: its processes have no access to the host. Without isolation, only the project's own agents may run.
    """

    isolated: bool

    def status(self) -> EngineStatus:
        """Checks whether the engine is available; never raises."""

    def about(self) -> EngineStatus:
        """The last `status` with an available engine; calls it if there is none. For records of runs."""

    def image(self, repository: Repository, *, interrupt: Interrupt = never) -> str:
        """The name of the image with the repository's environment and pristine workspace (one orphan commit).

        Built if there is none for this content; raises ImageBuildFailed. Contains no tests, no solutions and no test
        script.
        """

    def workspace(
        self,
        repository: Repository,
        use: ContainerUse,
        *,
        tools: Sequence[str] = (),
        layer: ImageLayer | None = None,
    ) -> AbstractContextManager[Workspace]:
        """A container for an agent; removed with everything in it when the context ends.

        `use.interrupt` is called while the image is built, while the container starts, and during every call. `tools`
        are the optional tools to provide (OPTIONAL_TOOLS in `harness.dataset`). `layer` is built on top of the image,
        once for each content, and refused if it changes the workspace.
        """

    def grader(self, repository: Repository, use: ContainerUse) -> AbstractContextManager[Grader]:
        """A container for one test run, removed when the context ends. `use.interrupt` is called during the run."""

    def sweep(
        self, instance: str, *, in_use: Iterable[tuple[str, int]] = (), run_id: str | None = None
    ) -> list[str]:
        """Removes every container, network and volume of `instance` whose (run id, try number) is not `in_use`, and
        the remains of killed image builds. Returns their names. With `run_id` only those of this run.

        `in_use` is read after the listing: a lazy iterable includes runs that start meanwhile.
        """

    def removable_images(
        self, needed_by: Iterable[Repository] = (), *, older_than: float | None = None
    ) -> list[StoredImage]:
        """Images of this project that can be removed; removes nothing.

        Excluded are images that `needed_by` needs, that were made within the last `older_than` days or that a
        container uses, and all base images of these and of other projects' images.
        """

    def remove_images(self, chosen: Iterable[StoredImage]) -> list[StoredImage]:
        """Removes the images that no build or run uses. Returns the removed ones."""

    def close(self) -> None:
        """Closes the connections. The engine can be used again."""
