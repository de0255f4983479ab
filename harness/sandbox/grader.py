"""The clean container in which hidden tests run.

The test script and its runner are an unprivileged user there, and programs under test can be another one. A supervisor,
which is root, starts the script and reports to this process; see `supervisor/supervise.py`.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

from harness.dataset import Layout, Repository
from harness.errors import AgentError, InfrastructureError
from harness.patches import FileState
from harness.sandbox.base import CommandResult, Interrupt, never
from harness.sandbox.engine.containers import Container
from harness.sandbox.engine.image_recipes import SUPERVISOR
from harness.sandbox.engine.interpreter import PYTHON
from harness.sandbox.engine.tampering import changed_programs, changed_tests
from harness.sandbox.grader_files import grader_archive, hidden_files
from harness.sandbox.stream import STDERR, AttachedStream, BoundedOutput, StreamEnded, StreamSilent

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
    # The workspace belongs to another user than the tests.
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "safe.directory",
    "GIT_CONFIG_VALUE_0": "*",
}
CAPABILITIES = ("CHOWN", "DAC_OVERRIDE", "FOWNER", "KILL", "SETGID", "SETUID")
_KILLED = 128 + 9
_REST_SECONDS = 10.0
# The supervisor ends the script at its time-out. Only if it does not, the container is killed.
_GRACE_SECONDS = 10.0
_MAX_LINE_LENGTH = 1 << 16

MakeContainer = Callable[[Sequence[str], Mapping[str, str]], AbstractContextManager[Container]]


class DockerGrader:
    """Creates one container for each `run`, and removes it after the run."""

    def __init__(self, make: MakeContainer, repository: Repository, interrupt: Interrupt = never) -> None:
        self._make = make
        self._interrupt = interrupt
        self._repository = repository

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
        """See `base.Grader.run`. Returns at most 1 MB of output, its head and its tail; `timeout` is in seconds."""
        layout = self._repository.layout
        tests_and_script, agents = hidden_files(self._repository, tests, script), list(files)
        archive = grader_archive(self._repository, agents, tests_and_script)
        supervisor = [str(PYTHON), "-I", "-S", "-B", str(SUPERVISOR / "supervise.py")]
        command = [*supervisor, str(timeout), str(layout.script_at), task]
        with self._make(command, _environment(layout)) as container:
            container.put(archive)
            result = _command(container, timeout, self._interrupt)
            found = _results(container)
            # Without files of an agent there is nothing that could tamper.
            if not agents:
                return result, found
            # The comparison with the image can take half a second. Another exit code than 0 resolves the task only
            # under traps, which detect what a changed program could forge.
            layer = container.layer() if compare_programs and result.exit_code == 0 else {}
            tests_changed = changed_tests(container, tests_and_script, self._repository.layout.script_at)
            tampered = (*tests_changed, *sorted(changed_programs(layer, self._repository.workdir)))
            return replace(result, tampered=tampered), found


def _environment(layout: Layout) -> Mapping[str, str]:
    left_out = () if layout.safe_path else ("PYTHONSAFEPATH",)
    return {name: value for name, value in ENVIRONMENT.items() if name not in left_out}


class _Reports:
    """What the supervisor reports on standard error: results, and the end of the script."""

    def __init__(self) -> None:
        self.results: list[tuple[str, str]] | None = None  # None: no test runner reports any
        self.end: Mapping[str, Any] | None = None
        self._partial = b""

    def add(self, data: bytes) -> None:
        """Adds a piece of the stream. Raises InfrastructureError for one that no supervisor writes."""
        *lines, self._partial = (self._partial + data).split(b"\n")
        try:
            for line in lines:
                message = json.loads(line)
                if "exit" in message:
                    self.end = message
                    continue
                self.results = self.results or []
                if "runner" not in message:
                    self.results.append((message["test"], message["status"]))
        except (ValueError, KeyError, TypeError) as error:
            text = (b"\n".join(lines) + data)[-500:].decode("utf-8", "replace")
            raise InfrastructureError(f"the supervisor of the tests failed: {text}") from error
        if len(self._partial) > _MAX_LINE_LENGTH:
            raise InfrastructureError("the supervisor of the tests failed: a line without an end")


def _command(container: Container, timeout: float, interrupt: Interrupt) -> CommandResult:
    output, reports = BoundedOutput(MAX_OUTPUT_BYTES), _Reports()
    stream = AttachedStream.to_container(container.api, container.name, interrupt)
    try:
        container.start()
        began = time.monotonic()
        deadline = began + timeout + _GRACE_SECONDS
        exit_code = _run_to_its_end(container, stream, output, reports, deadline)
    finally:
        stream.close()
    if exit_code is None:
        container.kill()  # after the stream is closed: the engine waits for output that has a reader
    seconds = reports.end["seconds"] if reports.end else time.monotonic() - began
    reported = None if reports.results is None else tuple(reports.results)
    return CommandResult(exit_code, output.text(), seconds, reported=reported)


def _run_to_its_end(
    container: Container, stream: AttachedStream, output: BoundedOutput, reports: _Reports, deadline: float
) -> int | None:
    """Reads until the script ends; None if it was stopped at its time-out."""
    try:
        while True:
            source, data = stream.frame(deadline=deadline)
            (reports if source == STDERR else output).add(data)
    except StreamEnded:
        # The supervisor holds the streams open: they end with the container, or because the connection broke.
        state = container.state_at_rest(_REST_SECONDS)
    except StreamSilent:
        container.check_engine(_GRACE_SECONDS)
        return None
    if container.excess:
        raise AgentError(f"the tests were stopped: {container.excess}")
    if state is not None and state.out_of_memory:
        output.add(b"\n[the container ran out of memory]\n")
    if reports.end is not None:
        if reports.end["exit"] is None:
            container.check_engine(reports.end["seconds"])  # it may have held back the script's output
            return None
        return int(reports.end["exit"])
    if state is None or (state.exit_code == _KILLED and container.killed_from_outside()):
        raise InfrastructureError(f"container {container.name} was removed or killed while its tests ran")
    if state.running:
        raise InfrastructureError(f"the connection to container {container.name} broke while its tests ran")
    if not container.end_was_seen():
        raise InfrastructureError(f"container {container.name} stopped with its engine, which was restarted")
    return state.exit_code or _KILLED


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
