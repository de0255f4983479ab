"""Runs a verifier's command in the clean grading container, with the workspace as the agent left it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from harness.dataset import Repository, Task, Tree
from harness.grading.hidden_tests import ScriptRun, TestRun, run_hidden_tests, run_script
from harness.patches import FileState, ReadFile
from harness.sandbox.base import ContainerUse, Engine
from harness.scratch import scratch

_SCRIPT = "#!/bin/bash\nset -o pipefail\n{command}\n"


@dataclass(frozen=True, slots=True)
class Bench:
    """Where commands run. `seconds` is the limit of each; `changed` are the files that `patch` changes."""

    engine: Engine
    repository: Repository
    task: Task
    patch: bytes
    changed: Sequence[FileState]
    read: ReadFile
    use: ContainerUse
    seconds: float

    def run(self, command: str) -> ScriptRun:
        """Runs a line for bash in the workspace, with all changes of the agent and without hidden files.

        So nothing is left out that could take over the command: what runs there is the agent's code anyway.
        """
        with _script(command) as script:
            ran = run_script(
                self.engine,
                self.repository,
                self.task,
                files=self.changed,
                tests=(),
                script=script,
                timeout=self.seconds,
                use=self.use,
            )
        if ran.command.exit_code is None and not ran.trouble:
            return replace(ran, trouble=f"the command was stopped after {self.seconds:.0f} s")
        return ran

    def run_tests(self, command: str, report: str, references: frozenset[str]) -> TestRun:
        """Runs the hidden tests as for an ordinary task, without traps; '' for the repository's script and the task's
        format. `references`: hidden files that are no tests and stay outside.
        """
        tests = Tree(self.task.tests.root, self.task.tests.only, self.task.tests.without | references)
        task = replace(
            self.task, tests=tests, traps=(), report=report or self.task.report, test_timeout=self.seconds
        )
        with _script(command) as script:
            return run_hidden_tests(
                self.engine,
                self.repository,
                task,
                self.patch,
                use=self.use,
                read=self.read,
                script=script if command else None,
            )


@contextmanager
def _script(command: str) -> Iterator[Path]:
    """A script with this command, on the host. File names in it may hold any bytes."""
    with scratch("verifier") as directory:
        path = directory / "run.sh"
        path.write_bytes(os.fsencode(_SCRIPT.format(command=command)))
        path.chmod(0o755)
        yield path
