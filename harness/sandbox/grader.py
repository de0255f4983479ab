"""The clean container in which hidden tests run."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path, PurePosixPath

from harness.dataset import Layout, Repository, Tree
from harness.errors import AgentError, HarnessError, InfrastructureError
from harness.patches import FileState, file_state
from harness.sandbox.base import CommandResult, Interrupt
from harness.sandbox.engine.archive import pack
from harness.sandbox.engine.containers import Container
from harness.sandbox.engine.tampering import changed_programs, changed_tests
from harness.sandbox.stream import AttachedStream, BoundedOutput, StreamEnded, StreamSilent
from harness.sandbox.waiting import never

MAX_OUTPUT_BYTES = 1 << 20
MAX_RESULT_BYTES = 32 << 20
MAX_RESULT_FILES = 10_000
ENVIRONMENT = {
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONNOUSERSITE": "1",
    "PYTHONSAFEPATH": "1",
    "HOME": "/root",
    "LANG": "C.UTF-8",
    "RESULTS_DIR": "/benchbench/results",
}
_KILLED = 128 + 9
_REST_SECONDS = 10.0

# Deletions are a list of names that end in NUL, so that the shell does not interpret them.
# Both streams are one pipe, so that their lines stay in order.
# The script of an image without bash (such as Alpine's) does not need bash either.
_PRELUDE = """\
xargs -0 rm -rf -- < /benchbench/deleted && rm /benchbench/deleted || exit
command -v bash >/dev/null || exec sh "$1" "$2" 2>&1
exec bash "$1" "$2" 2>&1
"""

MakeContainer = Callable[[Sequence[str], Mapping[str, str]], AbstractContextManager[Container]]


class DockerGrader:
    """Creates one container for each `run`, and removes it after the run."""

    def __init__(self, make: MakeContainer, repository: Repository, interrupt: Interrupt = never) -> None:
        self._make = make
        self._interrupt = interrupt
        self._repository = repository

    def run(
        self, *, files: Iterable[FileState], tests: Tree, script: Path, task: str, timeout: float
    ) -> tuple[CommandResult, Mapping[str, bytes]]:
        """See `base.Grader.run`. Returns at most 1 MB of output, its head and its tail; `timeout` is in seconds."""
        layout = self._repository.layout
        tests_and_script, left = _test_files(self._repository, tests, script), list(files)
        archive = _archive(self._repository, left, tests_and_script)
        command = ["/bin/sh", "-c", _PRELUDE, "sh", str(layout.script_at), task]
        with self._make(command, _environment(layout)) as container:
            container.put(archive)
            result = _command(container, timeout, self._interrupt)
            found = _results(container)
            # Without files of an agent there is nothing that could tamper.
            tampered = _tampered(container, self._repository, tests_and_script, result) if left else ()
            return replace(result, tampered=tampered), found


def _environment(layout: Layout) -> Mapping[str, str]:
    left_out = () if layout.safe_path else ("PYTHONSAFEPATH",)
    return {name: value for name, value in ENVIRONMENT.items() if name not in left_out}


def _test_files(repository: Repository, tests: Tree, script: Path) -> list[FileState]:
    """The hidden tests and then the script, with their paths from the root."""
    hidden = [_placed(repository.workdir, file) for file in tests.files()]
    content = file_state(script, "").content
    return [*hidden, FileState(str(repository.layout.script_at).lstrip("/"), content, 0o755)]


def _tampered(
    container: Container, repository: Repository, tests_and_script: Sequence[FileState], result: CommandResult
) -> tuple[str, ...]:
    """The files that differ from the copied ones or from the image. The container has stopped, so they are final.

    The container is compared with its image only if the script succeeded: the comparison can take half a second, and a
    failed script does not resolve the task anyway.
    """
    layer = container.layer() if result.exit_code == 0 else {}
    tests_changed = changed_tests(container, tests_and_script, repository.layout.script_at)
    return (*tests_changed, *sorted(changed_programs(layer, repository.workdir)))


def _archive(
    repository: Repository, files: Sequence[FileState], tests_and_script: Sequence[FileState]
) -> bytes:
    """Everything that the container needs beyond its image. Hidden tests replace files of the agent."""
    workdir = repository.workdir
    *hidden, script = tests_and_script
    left = [_placed(workdir, file) for file in files]
    layers = [*_beside(hidden, (file for file in left if file.content is not None), workdir), *hidden]
    directories = sorted({parent for file in layers for parent in _parents(file.path, workdir)})
    copied = {file.path for file in layers}
    taken = copied.union(directories)
    # Paths below a file or link of these are gone already; deleting them would follow the link.
    deleted = {
        file.path
        for file in left
        if file.content is None and file.path not in taken and copied.isdisjoint(_parents(file.path, workdir))
    }
    # With the current time: Maven, make and others recompile files that are newer than the build in the image.
    return pack(
        [
            *layers,
            script,
            FileState(
                "benchbench/deleted", b"".join(f"/{path}".encode() + b"\0" for path in sorted(deleted))
            ),
        ],
        [*directories, "benchbench", "benchbench/results"],
        modified=time.time(),
    )


def _beside(
    hidden: Sequence[FileState], files: Iterable[FileState], workdir: PurePosixPath
) -> Iterator[FileState]:
    """The files without a conflict with a hidden one, such as a link in place of a test directory."""
    names = {file.path for file in hidden}
    taken = names.union(parent for name in names for parent in _parents(name, workdir))
    for file in files:
        if file.path not in taken and names.isdisjoint(_parents(file.path, workdir)):
            yield file


def _placed(workdir: PurePosixPath, file: FileState) -> FileState:
    path = PurePosixPath(file.path)
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise HarnessError(f"{file.path!r} leads out of the workspace")
    return FileState(str(workdir / path).lstrip("/"), file.content, file.mode, file.link)


def _parents(path: str, workdir: PurePosixPath) -> list[str]:
    """The directories between the workdir and `path`: as archive members, they replace old files and links."""
    root = PurePosixPath(str(workdir).lstrip("/"))
    return [
        str(parent)
        for parent in PurePosixPath(path).parents
        if parent != root and parent.is_relative_to(root)
    ]


def _command(container: Container, timeout: float, interrupt: Interrupt) -> CommandResult:
    output = BoundedOutput(MAX_OUTPUT_BYTES)
    stream = AttachedStream.to_container(container.api, container.name, interrupt)
    try:
        container.start()
        began = time.monotonic()
        exit_code = _run_to_its_end(container, stream, output, timeout)
        seconds = time.monotonic() - began
    finally:
        stream.close()
    return CommandResult(exit_code, output.text(), seconds)


def _run_to_its_end(
    container: Container, stream: AttachedStream, output: BoundedOutput, timeout: float
) -> int | None:
    """Reads until the command ends; None if it was killed after `timeout` seconds."""
    deadline = time.monotonic() + timeout
    try:
        while True:
            output.add(stream.frame(deadline=deadline)[1])
    except StreamEnded:
        # The init process holds the streams open: they end with the container, or because the connection broke.
        state = container.state_at_rest(_REST_SECONDS)
    except StreamSilent:
        container.check_engine(timeout)
        container.kill()
        return None
    if container.excess:
        raise AgentError(f"the tests were stopped: {container.excess}")
    if state is None or (state.exit_code == _KILLED and container.killed_from_outside()):
        raise InfrastructureError(f"container {container.name} was removed or killed while its tests ran")
    if state.running:
        raise InfrastructureError(f"the connection to container {container.name} broke while its tests ran")
    if not container.end_was_seen():
        raise InfrastructureError(f"container {container.name} stopped with its engine, which was restarted")
    if state.out_of_memory:
        output.add(b"\n[the container ran out of memory]\n")
    return state.exit_code


def _results(container: Container) -> Mapping[str, bytes]:
    """The regular files below $RESULTS_DIR, by relative path. Links are not followed and not listed."""
    found: dict[str, bytes] = {}
    size = 0
    with container.files(PurePosixPath(ENVIRONMENT["RESULTS_DIR"])) as members:
        for number, member in enumerate(members, 1):
            size += member.size
            if size > MAX_RESULT_BYTES:
                raise AgentError(f"the tests left more than {MAX_RESULT_BYTES >> 20} MB of results")
            if number > MAX_RESULT_FILES:
                raise AgentError(f"the tests left more than {MAX_RESULT_FILES} files of results")
            file = member.read()
            if not file.link and file.content is not None and ".." not in PurePosixPath(file.path).parts:
                found[file.path] = file.content
    return found
