"""The hidden tests of a repository, run in clean containers with changed files on its original environment."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import uuid4

from harness.dataset import Category, Difficulty, Repository, Task, Tree
from harness.grading.hidden_tests import TRUSTED_TRIES, ScriptRun, run_script
from harness.grading.reports import read_results
from harness.grading.results import ReportError
from harness.patches import FileState
from harness.records import TestResult
from harness.sandbox.base import ContainerUse, Engine, Owner
from harness.scratch import scratch

CPU_FILE = "benchbench-cpu-seconds.txt"
_MARK = "# The script of the repository:"
# Runs the script behind the mark as it is, and then writes the CPU time of everything that it started.
_WRAPPER = f"""#!/bin/sh
script=$(mktemp)
sed '1,/^{_MARK}$/d' "$0" > "$script"
chmod 700 "$script"
"$script" "$@"
code=$?
times > "$RESULTS_DIR/{CPU_FILE}"
rm -f "$script"
exit $code
{_MARK}
"""
_TIME = re.compile(r"(\d{1,9})m(\d{1,9}(?:\.\d{1,9})?)s")


@dataclass(frozen=True, slots=True)
class SuiteRun:
    """One run of all hidden tests. `trouble`: why there are no usable results, '' if there are some.

    `cpu_seconds`: of the script and what it started, None if that is unknown. `timed_out`: whether it was stopped.
    `output`: the end of what it printed.
    """

    results: tuple[TestResult, ...]
    seconds: float
    cpu_seconds: float | None = None
    trouble: str = ""
    timed_out: bool = False
    output: str = ""


RunSuite = Callable[[Sequence[FileState], float], SuiteRun]
"""Runs all hidden tests with these files in place of the source's, for so many seconds at most."""


class HiddenSuite:
    """Runs the hidden `tests` of a repository. One image serves all runs: candidates get none of their own."""

    def __init__(
        self, engine: Engine, repository: Repository, tests: Tree, *, report: str, instance: str = "shell"
    ) -> None:
        self._engine = engine
        self._repository = repository
        self._tests = tuple(tests.files())
        self._report = report
        self._instance = instance
        # A task of this repository, for its script: only the name of its directory is used.
        nowhere = repository.directory / "tasks" / "screening"
        self._task = Task(
            slug=nowhere.name,
            title="",
            category=Category.OTHER,
            difficulty=Difficulty.MEDIUM,
            description="",
            directory=nowhere,
            reference_diff=Path("/dev/null"),
            tests=tests,
            test_timeout=0.0,
            digest="",
            proof=None,
            report=report,
        )

    def output_of(self, script: Path, timeout: float) -> str:
        """What another script prints in such a container, on the unchanged source."""
        return self._run(script, (), timeout).command.output

    def _run(self, script: Path, changed: Sequence[FileState], timeout: float) -> ScriptRun:
        return run_script(
            self._engine,
            self._repository,
            self._task,
            files=changed,
            tests=self._tests,
            script=script,
            timeout=timeout,
            use=ContainerUse(Owner(self._instance, f"screening-{uuid4().hex}")),
            tries=TRUSTED_TRIES,
        )

    def __call__(self, changed: Sequence[FileState], timeout: float) -> SuiteRun:
        """Raises InfrastructureError for failures that no code under test can cause."""
        with scratch("screening") as directory:
            script = directory / "run_tests.sh"
            script.write_bytes(_WRAPPER.encode() + self._repository.run_tests.read_bytes())
            ran = self._run(script, changed, timeout)
        files = dict(ran.files)
        # The sum of what the shell's `times` prints: user and system, of the shell and of its children.
        times = files.pop(CPU_FILE, b"")
        found = [
            int(minutes) * 60 + float(seconds)
            for minutes, seconds in _TIME.findall(times.decode("ascii", "replace"))
        ]
        cpu = round(sum(found), 3) if len(found) == 4 else None
        end = ran.command.output[-1000:]
        run = SuiteRun((), ran.command.seconds, cpu, ran.trouble, ran.command.exit_code is None, end)
        if run.timed_out:
            return replace(run, trouble=run.trouble or f"the tests were stopped after {timeout:.0f} s")
        try:
            return replace(run, results=tuple(read_results(self._report, files, ran.command.output)))
        except ReportError as error:
            return replace(run, trouble=run.trouble or str(error))
