"""Hidden tests without a container: in a clean directory of this host."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from harness.background import POLL_SECONDS
from harness.dataset import Repository
from harness.errors import AgentError
from harness.patches import FileState
from harness.sandbox.base import CommandResult, ContainerUse
from harness.sandbox.grader import ENVIRONMENT, MAX_OUTPUT_BYTES, MAX_RESULT_BYTES
from harness.sandbox.local_files import commit_workspace, disk_watch, make_workspace, members, write_state
from harness.sandbox.pipes import PipedProcess
from harness.sandbox.stream import BoundedOutput, StreamEnded, StreamSilent
from harness.sandbox.temp_dirs import TempDir, temp_dir


class LocalGrader:
    """Creates one clean directory for each `run`; see `base.Grader`."""

    def __init__(self, repository: Repository, use: ContainerUse) -> None:
        self._repository = repository
        self._use = use

    def run(
        self,
        *,
        files: Iterable[FileState],
        tests: Sequence[FileState],
        script: Path,
        task: str,
        timeout: float,
        compare_programs: bool = True,  # noqa: ARG002 - there is no image
    ) -> tuple[CommandResult, Mapping[str, bytes]]:
        """Copies `files`, then the hidden tests, into the source; runs `script task` there."""
        with temp_dir("grader", self._use.owner) as directory:
            root, results = make_workspace(directory, self._repository), directory.path / "results"
            results.mkdir()
            commit_workspace(root, directory)
            for state in sorted(files, key=lambda file: file.content is not None):  # deletions first
                write_state(root, state)
            for state in tests:
                write_state(root, state)
            run_tests = directory.path / "run_tests.sh"
            shutil.copyfile(script, run_tests)
            environment = {**ENVIRONMENT, **directory.environment(), "RESULTS_DIR": str(results)}
            # Both streams are one pipe, as in a container: lines stay in order.
            command = ["sh", "-c", 'exec bash "$1" "$2" 2>&1', "sh", str(run_tests), task]
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
        disk = disk_watch(directory, self._use.limits)
        running = PipedProcess(
            command,
            directory=root,
            environment=environment,
            most_mb=self._use.limits.disk_mb,
            interrupt=self._use.interrupt,
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


def _read_results(results: Path) -> Mapping[str, bytes]:
    found: dict[str, bytes] = {}
    size = 0
    for member in members(results):
        size += member.size
        if size > MAX_RESULT_BYTES:
            raise AgentError(f"the tests left more than {MAX_RESULT_BYTES >> 20} MB of results")
        state = member.read()
        if not state.link and state.content is not None:
            found[state.path] = state.content
    return found
