"""One hardened container: created, watched, read and removed."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from uuid import uuid4

import docker.errors
from docker import APIClient, DockerClient
from docker.types import LogConfig, Ulimit

from harness.errors import AgentError, ContainerSlow, EngineSlow, HarnessError, InfrastructureError
from harness.patches import FileState
from harness.sandbox.base import ContainerLimits, Owner
from harness.sandbox.engine import engine_watch
from harness.sandbox.engine.archive import Member, member_at, members, put
from harness.sandbox.engine.client import (
    ENDING_TIMEOUT,
    REQUEST_TIMEOUT,
    address,
    allowing,
    connect,
    engine_errors,
    hurried,
)
from harness.sandbox.engine.disk import UNKNOWN, DiskWatch
from harness.sandbox.engine.engine_watch import EngineWatch
from harness.sandbox.engine.seccomp import profile

_log = logging.getLogger(__name__)
_ADDED = 1
_TOO_LONG = "file name too long"  # in the kernel's words
_NOT_STOPPED = "to freeze"  # in the words of runc, for both versions of control groups
_BUSY = f"its state was not available within {ENDING_TIMEOUT:.0f} s: its files keep the engine busy"


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a container is created. `role` is shown by `docker ps`, as part of its name. `runtime`: '' is the default.

    `network`: "none", or `container:NAME` for the network of that container. `scratch_mb`: if not 0, the container is
    read-only except for this much space in /tmp. `capabilities`: those of root, for a program that starts others as
    other users. `tracing`: whether debuggers work.
    """

    role: str
    image: str
    command: Sequence[str]
    workdir: PurePosixPath
    owner: Owner
    limits: ContainerLimits
    environment: Mapping[str, str] = field(default_factory=dict)
    stdin: bool = False
    runtime: str = ""
    network: str = "none"
    user: str = "0:0"
    scratch_mb: int = 0
    capabilities: Sequence[str] = ()
    tracing: bool = True


@dataclass(frozen=True, slots=True)
class State:
    """The state of a container. `exit_code` is only meaningful if the container is not running."""

    running: bool
    exit_code: int
    out_of_memory: bool


class Container:
    """A container by name. Its methods raise InfrastructureError when the engine fails or the container is gone."""

    def __init__(self, api: APIClient, name: str, disk: DiskWatch | None = None) -> None:
        self.api = api
        self.name = name
        self._disk = disk

    @property
    def excess(self) -> HarnessError | None:
        """Why the disk watch has killed it; None if it has not."""
        return self._disk.error if self._disk else None

    def check_engine(self, seconds: float) -> None:
        """Raises InfrastructureError if the engine did not respond within the last `seconds`.

        Then missing output is no sign of a failure in the container.
        """
        with engine_errors("pinging the engine"):
            began = time.monotonic()
            self.api.ping()
        silent = max(
            time.monotonic() - began, self._disk.engine_watch.silence(began - seconds) if self._disk else 0.0
        )
        if silent >= engine_watch.LONG_SECONDS:
            raise InfrastructureError(
                f"the engine at {address()} did not respond for {silent:.0f} s while container {self.name} ran"
            )

    def start(self) -> None:
        """Runs the command."""
        with engine_errors(f"starting container {self.name}"):
            self.api.start(self.name)
        if self._disk:
            self._disk.begin()

    def kill(self) -> None:
        """Ends every process in it, if it runs. Close or read streams that are attached to it: the engine waits for
        their reader.

        Raises ContainerSlow if the engine responds, but the processes do not end within ENDING_TIMEOUT.
        """
        doing = f"killing container {self.name}"
        late = f"its processes did not end within {ENDING_TIMEOUT:.0f} s"
        with self._slowed_by_content(late), engine_errors(doing), allowing(409), hurried(self.api):
            self.api.kill(self.name)
        if self._disk:
            self._disk.rest()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Stops every process in it meanwhile, so that its files can be read as they are at one moment.

        A container that does not run stays as it is. Raises ContainerSlow if its files keep the engine busy, or its
        processes cannot be stopped.
        """
        late = f"its processes did not stop within {ENDING_TIMEOUT:.0f} s"
        with (
            self._slowed_by_content(late),
            engine_errors(f"pausing container {self.name}"),
            allowing(409),
            hurried(self.api),
        ):
            self._pause(late)
        try:
            yield
        finally:
            with (
                self._slowed_by_content(late),
                engine_errors(f"continuing container {self.name}"),
                allowing(404, 409, 500),  # 500: it does not run, in the words of some versions
                hurried(self.api),
            ):
                self.api.unpause(self.name)

    def _pause(self, late: str) -> None:
        """Pauses it. Raises ContainerSlow with `late` if that fails for ENDING_TIMEOUT.

        A process that waits for the disk does not stop before it has its data, and the kernel's first version of
        control groups gives up after a third of a second: one pause in fourteen failed while a container wrote files.
        """
        deadline = time.monotonic() + ENDING_TIMEOUT
        while True:
            try:
                self.api.pause(self.name)
                return
            except docker.errors.APIError as error:
                if _NOT_STOPPED not in str(error.explanation):
                    raise
                if time.monotonic() >= deadline:
                    raise ContainerSlow(late) from None
            time.sleep(0.05)

    @contextmanager
    def _slowed_by_content(self, symptom: str, seconds: float = ENDING_TIMEOUT) -> Iterator[None]:
        """Blames the container, with ContainerSlow, if a request about it takes `seconds` while the engine responds to
        pings.

        Files of a container can keep the engine busy for minutes, and other requests about it wait meanwhile.
        """
        try:
            yield
        except EngineSlow:
            self.check_engine(seconds)
            raise ContainerSlow(symptom) from None

    def remove(self) -> None:
        """Removes it with everything in it, running or not, if it exists."""
        # 409: another process is removing it
        with engine_errors(f"removing container {self.name}"), allowing(404, 409), hurried(self.api):
            self.api.remove_container(self.name, force=True, v=True)

    def state(self) -> State | None:
        """Its state; None if it does not exist. Raises ContainerSlow if its files keep the engine busy for too long."""
        doing = f"inspecting container {self.name}"
        with self._slowed_by_content(_BUSY), engine_errors(doing), hurried(self.api):
            try:
                state = self.api.inspect_container(self.name)["State"]
            except docker.errors.NotFound:
                return None
        if not state["Running"] and self._disk:
            self._disk.rest()
        return State(state["Running"], state["ExitCode"], state["OOMKilled"])

    def state_at_rest(self, patience: float) -> State | None:
        """The state once it has stopped, or the state after `patience` seconds."""
        deadline = time.monotonic() + patience
        while (state := self.state()) is not None and state.running and time.monotonic() < deadline:
            time.sleep(0.02)
        return state

    def killed_from_outside(self) -> bool:
        """Whether it was killed through the engine, which no process inside can do."""
        return self._has_event("kill", "stop", "destroy")

    def end_was_seen(self) -> bool:
        """Whether the engine saw it end by itself. False if the engine was restarted since then."""
        return self._has_event("die", "oom")

    def _has_event(self, *names: str) -> bool:
        with engine_errors(f"reading the events of container {self.name}"):
            filters = {"container": self.name, "event": list(names)}
            until = int(time.time()) + 1  # events that are still on their way count, too
            return bool(list(self.api.events(since=1, until=until, filters=filters, decode=True)))

    def program(self, command: Sequence[str], workdir: PurePosixPath) -> str:
        """Prepares another program, which starts when attached; returns its id in the engine."""
        with engine_errors(f"preparing a program in container {self.name}"):
            made = self.api.exec_create(
                self.name, list(command), stdin=True, workdir=str(workdir), user="0:0"
            )
            return str(made["Id"])

    def program_ended(self, program: str) -> bool:
        """Whether a program has ended. Its exit code tells: attached, it may not be reported as running yet."""
        doing = f"inspecting a program in container {self.name}"
        with self._slowed_by_content(_BUSY), engine_errors(doing), hurried(self.api):
            return self.api.exec_inspect(program)["ExitCode"] is not None

    def await_program(self, program: str, patience: float) -> None:
        """Waits until a program has ended, for at most `patience` seconds."""
        deadline = time.monotonic() + patience
        while not self.program_ended(program) and time.monotonic() < deadline:
            time.sleep(0.02)

    def put(self, archive: bytes) -> None:
        """Unpacks a tar archive over its root."""
        put(self.api, self.name, archive)

    def files(
        self, root: PurePosixPath, ignored: Callable[[str], str | None] = lambda _: None
    ) -> AbstractContextManager[Iterable[Member]]:
        """Every file and link below `root`; see `archive.members`. The context may be left early.

        Raises AgentError if the engine responds, but there is too much to read.
        """
        return closing(members(self.api, self.name, root, ignored))

    def file(self, path: PurePosixPath) -> FileState | None:
        """One file or link, the last part of the path not followed; None where there is neither."""
        return member_at(self.api, self.name, path)

    def layer(self) -> dict[str, bool]:
        """Every path, from the root, that differs from the image, directories above them included.

        The value: whether it was added, that is, the image has nothing there. Raises AgentError for a path that is
        too long for the engine, and if the comparison takes too long: the image has no such path.
        """
        late = "comparing the container with its image took too long: it has too many files, or too deep directories"
        doing = f"comparing container {self.name} with its image"
        with self._slowed_by_content(late, REQUEST_TIMEOUT), engine_errors(doing):
            try:
                changes = self.api.diff(self.name) or ()
            except docker.errors.APIError as error:
                if _TOO_LONG in str(error.explanation or error):
                    raise AgentError(
                        "a path in the container is too long to compare it with its image"
                    ) from error
                raise
            return {change["Path"]: change["Kind"] == _ADDED for change in changes}


@contextmanager
def created(api: APIClient, recipe: Recipe) -> Iterator[Container]:
    """A container, not started; always removed at the end.

    No network, no capabilities but those of the recipe, no way to gain privileges, and fewer system calls than the
    engine's default (see `seccomp`); memory without swap, CPU, process and disk limits; an init process, so that
    orphans are reaped and everything ends with the command.
    """
    name = f"benchbench-{recipe.role}-{uuid4().hex[:12]}"
    layer = _Layer(name)
    most = recipe.limits.disk_mb
    disk = DiskWatch(
        measure=layer.written,
        stop=layer.kill,
        leave=layer.leave,
        most_mb=most,
        count=layer.count,
        most_files=recipe.limits.files,
        engine_watch=EngineWatch(layer.ping),
    )
    container = Container(api, name, disk)
    memory = f"{recipe.limits.memory_mb}m"
    try:
        with engine_errors(f"creating container {name}"):
            api.create_container(
                recipe.image,
                name=name,
                entrypoint=list(recipe.command),
                working_dir=str(recipe.workdir),
                user=recipe.user,
                environment=dict(recipe.environment),
                labels=recipe.owner.labels(),
                stdin_open=recipe.stdin,
                healthcheck={"test": ["NONE"]},
                host_config=api.create_host_config(
                    network_mode=recipe.network,
                    cap_drop=["ALL"],
                    cap_add=list(recipe.capabilities),
                    security_opt=["no-new-privileges", f"seccomp={profile(tracing=recipe.tracing)}"],
                    mem_limit=memory,
                    memswap_limit=memory,
                    nano_cpus=int(recipe.limits.cpus * 1e9),
                    pids_limit=recipe.limits.pids,
                    ulimits=[Ulimit(name="fsize", soft=most << 20, hard=most << 20)],
                    runtime=recipe.runtime or None,
                    read_only=recipe.scratch_mb > 0,
                    tmpfs={"/tmp": f"size={recipe.scratch_mb}m,mode=1777"} if recipe.scratch_mb else {},  # noqa: S108
                    init=True,
                    # Output is read from the attached stream; a copy in the engine's log could fill the disk.
                    log_config=LogConfig(type="none"),
                ),
            )
        yield container
    finally:
        disk.end()
        _remove_or_leave(container)


class _Layer:
    """The disk usage of a container above its image, read over a separate connection."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._client: DockerClient | None = None

    def written(self) -> int:
        """Bytes, sparse files at their full length; 0 when the container is gone.

        UNKNOWN where the engine cannot measure its files, for example because of a path of more than 4,096 bytes.
        """
        api = self._api()
        url = f"{api.base_url}/v{api.api_version}/containers/{self._name}/json"
        with (
            engine_errors(f"measuring container {self._name}"),
            api.get(url, params={"size": 1}, timeout=api.timeout) as response,
        ):
            size = int(response.json().get("SizeRw") or 0) if response.ok else 0
            return size if size >= 0 else UNKNOWN

    def count(self) -> int:
        """How many files, directories and links differ from the image. The engine takes a second or more."""
        return len(Container(self._api(), self._name).layer())

    def ping(self) -> None:
        """Waits for a response of the engine."""
        with engine_errors("pinging the engine"):
            self._api().ping()

    def kill(self) -> None:
        """Ends every process in it."""
        Container(self._api(), self._name).kill()

    def leave(self) -> None:
        """Closes the connection."""
        if self._client is not None:
            self._client.close()

    def _api(self) -> APIClient:
        if self._client is None:
            self._client = connect()
        return self._client.api


def _remove_or_leave(container: Container) -> None:
    """Removes the container; on failure it is left to the sweeper, so that a finished run does not fail."""
    try:
        container.remove()
    except InfrastructureError as error:
        _log.warning("container %s is left behind: %s", container.name, error)
