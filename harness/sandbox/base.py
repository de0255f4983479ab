"""What every container engine must offer; `tests/harness/sandbox_conformance.py` puts each promise to the test."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, Protocol, runtime_checkable

from harness.dataset import Repository, Tree
from harness.patches import FileState
from harness.records import FileEdit

__all__ = [
    "Changes",
    "CommandResult",
    "ContainerLimits",
    "Engine",
    "EngineStatus",
    "FileState",
    "Grader",
    "ImageLayer",
    "Interrupt",
    "Owner",
    "Program",
    "ProgramHost",
    "StoredImage",
    "ToolReply",
    "Workspace",
]


Interrupt = Callable[[], None]
"""Called every second or so while something takes long. What it raises breaks the wait off, and passes through."""


@dataclass(frozen=True, slots=True)
class EngineStatus:
    """Whether an engine answers; where not, `reason` and `remedy` are sentences for the operator.

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
    """Ceilings of one container. `disk_mb`: no file may be bigger, and all that is written together neither."""

    memory_mb: int = 2048
    cpus: float = 2.0
    pids: int = 512
    disk_mb: int = 4096


@dataclass(frozen=True, slots=True)
class Owner:
    """Which execution a container belongs to; becomes its labels, by which the sweeper finds it."""

    instance: str
    run_id: str
    try_number: int = 1

    def labels(self) -> dict[str, str]:
        """The labels that mark a container as this owner's."""
        return {
            "benchbench.instance": self.instance,
            "benchbench.run": self.run_id,
            "benchbench.try": str(self.try_number),
        }


@dataclass(frozen=True, slots=True)
class ImageLayer:
    """What is installed on top of a workspace image for one agent's containers; no grader ever sees it.

    `source` is copied to /opt/benchbench/agent/recipe, and its `install.sh`, where there is one, runs as root in
    /opt/benchbench/agent, with a network. It must leave the workspace as it is. `digest` is that of `source`.
    """

    name: str
    source: Path
    digest: str


@dataclass(frozen=True, slots=True)
class ToolReply:
    """What the tool server answers. `ok` False: the tool refused or failed, and `content` says why, for the model.

    `edits`: how the workspace differs from what it was after the call before. `pictures`: PNG files that it took.
    """

    ok: bool
    content: str
    seconds: float
    edits: tuple[FileEdit, ...] = ()
    pictures: tuple[bytes, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class CommandResult:
    """One command that ran to its end or to its time-out (`exit_code` None). Output is stdout and stderr, in order.

    `tampered`: absolute paths of the test script, of hidden tests and of the system's programs that are not as they
    were before it, as far as the engine can tell.
    """

    exit_code: int | None
    output: str
    seconds: float
    tampered: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Changes:
    """How a workspace differs from its image, as compared on the host: each path before and after.

    `ignored`: paths that the pristine tree's .gitignore calls build products (and .git itself); they are not compared.
    """

    before: tuple[FileState, ...] = ()
    after: tuple[FileState, ...] = ()
    ignored: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class StoredImage:
    """An image that this project made. `bytes`: about what is freed with it. `made`: seconds since the epoch."""

    id: str
    tags: tuple[str, ...]
    bytes: int
    made: float


class Workspace(Protocol):
    """A running container in which an agent acts, with one persistent tool server behind `call`."""

    workdir: PurePosixPath

    def call(self, tool: str, arguments: Mapping[str, Any], *, timeout: float) -> ToolReply:
        """Runs one tool. Raises AgentError when the agent broke its own container, InfrastructureError when the
        engine did. `timeout` (seconds) is how long a well-behaved tool may take; a small grace is added."""

    def changes(self) -> Changes:
        """What the agent left behind. It is the end of whatever runs in there; a call that follows is refused.

        Works on a container that has already died, and may be asked again.
        """


class Program(Protocol):
    """A program that runs in a workspace's container, spoken to in lines over its standard streams.

    Both methods raise AgentError when the agent broke it, InfrastructureError when the engine did.
    """

    def send(self, line: bytes, *, timeout: float) -> None:
        """Writes one line, given without its newline. `timeout` (seconds) bounds how long that may take."""

    def receive(self, *, timeout: float) -> bytes | None:
        """The next line without its newline; None when there was none within `timeout` seconds."""


@runtime_checkable
class ProgramHost(Protocol):
    """A workspace in which programs can run beside the tool server."""

    def program(self, command: Sequence[str]) -> AbstractContextManager[Program]:
        """Starts a program in the workdir. Its standard input ends with the context, and that must end the program."""


class Grader(Protocol):
    """A clean container of the same image, not started until `run`."""

    def run(
        self,
        *,
        files: Iterable[FileState],
        tests: Tree,
        script: Path,
        task: str,
        timeout: float,
    ) -> tuple[CommandResult, Mapping[str, bytes]]:
        """Lays `files` over the pristine tree, then the hidden `tests` over that; runs `script task` in the workdir.

        Returns the command's result and the files below $RESULTS_DIR by relative path.
        """


class Engine(Protocol):
    """One container engine.

    `isolated`: what runs in it is kept from the host. Where it is not, only agents of the project's own may act.
    """

    isolated: bool

    def status(self) -> EngineStatus:
        """Asks the engine whether it lives; never raises."""

    def about(self) -> EngineStatus:
        """What `status` said when it last found this engine alive; asks when it never did. For records of runs."""

    def image(self, repository: Repository, *, interrupt: Interrupt | None = None) -> str:
        """The name of the image with the repository's environment and pristine workspace (one orphan commit).

        Built when there is none for this content; ImageBuildFailed when that fails. Holds neither tests nor solutions
        nor the test script.
        """

    def workspace(
        self,
        repository: Repository,
        *,
        owner: Owner,
        limits: ContainerLimits,
        interrupt: Interrupt | None = None,
        tools: Sequence[str] = (),
        layer: ImageLayer | None = None,
    ) -> AbstractContextManager[Workspace]:
        """A container for an agent; gone, with everything in it, when the context ends.

        `interrupt` is asked while the image is built, while the container starts, and during every call. `tools` are
        the optional tools that it has to offer (OPTIONAL_TOOLS in `harness.dataset`). `layer` is laid over the image:
        built once for each content, and refused when it changes the workspace.
        """

    def grader(
        self,
        repository: Repository,
        *,
        owner: Owner,
        limits: ContainerLimits,
        interrupt: Interrupt | None = None,
    ) -> AbstractContextManager[Grader]:
        """A container for one test run; gone when the context ends. `interrupt` is asked while the tests run."""

    def sweep(self, instance: str, *, keep: Iterable[tuple[str, int]] = ()) -> list[str]:
        """Removes every container, network and volume of `instance` whose (run id, try number) is not in `keep`, and
        what a killed image build left behind. Returns their names.

        `keep` is read after they were listed: a lazy one cannot miss a run that begins meanwhile.
        """

    def superfluous_images(
        self, needed_by: Iterable[Repository] = (), *, older_than: float | None = None
    ) -> list[StoredImage]:
        """Images of this project that can go; removes nothing.

        Spared is what any of `needed_by` needs, what was made within the last `older_than` days, what a container uses,
        and what any of these, or an image of somebody else's, stands on.
        """

    def remove_images(self, chosen: Iterable[StoredImage]) -> list[StoredImage]:
        """Removes them, but for those that a build or a run needs by now. Returns those that went."""

    def close(self) -> None:
        """Gives connections back. The engine can be used again."""
