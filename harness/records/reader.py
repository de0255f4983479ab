"""Reads a run directory."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from harness.patches import MAX_PATCH_BYTES
from harness.pictures import MAX_PICTURE_BYTES, PICTURE_SUFFIXES, picture_type
from harness.records.steps import FileEdit, Step, StepEdits, Submission, UserTurn
from harness.records.summary import RunSummary, TestResult, TestStatus

# The files of a run directory; see `harness.records`.
SUMMARY, TRAJECTORY, EDITS = "run_summary.json", "trajectory.jsonl", "edits.jsonl"
PATCH, TESTS, LOG = "patch.diff", "tests.json", "grading.log"
USER = "user.jsonl"
SUBMISSIONS = "submissions.jsonl"
PROGRESS = "progress.json"
TERMINAL = "terminal.cast"
ARTIFACTS = "artifacts"
ARTIFACT_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,63}\.(?:png|jpg)")


class RunRecord:
    """Reads one run directory, complete or not. Missing files count as empty."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def header(self) -> dict[str, Any]:
        """Line 1 of the trajectory; empty if nothing is written yet."""
        return next(self._lines(TRAJECTORY), {})

    @property
    def workdir(self) -> str:
        """The directory of the workspace, as records of other harnesses name it; '' if they do not."""
        extra = self.header().get("extra")
        found = extra.get("workdir") if isinstance(extra, dict) else None
        return found if isinstance(found, str) else ""

    def steps(self) -> Iterator[Step]:
        """Every complete step, in order."""
        for number, entry in enumerate(self._lines(TRAJECTORY)):
            if number:
                yield Step.from_atif(entry)

    def edits_by_step(self) -> Iterator[tuple[int, StepEdits]]:
        """The changes of each step that edited files, with its step id."""
        for entry in self._lines(EDITS):
            files = tuple(FileEdit(**file) for file in entry["files"])
            yield entry["step_id"], StepEdits(entry["step_id"], files)

    def user_turns(self) -> Iterator[UserTurn]:
        """Every answer of the simulated user, in order; none for tasks without one."""
        return (
            UserTurn(**{**entry, "rejected": tuple(entry.get("rejected", ()))}) for entry in self._lines(USER)
        )

    def submissions(self) -> Iterator[Submission]:
        """What the agent submitted during the run, in order."""
        return (Submission(**entry) for entry in self._lines(SUBMISSIONS))

    def patch(self) -> bytes:
        """The final patch; empty if the workspace is unchanged or there is no patch yet.

        Of one that is too big to be applied, only the beginning, one byte more than the limit.
        """
        return self._bytes(PATCH, MAX_PATCH_BYTES + 1) or b""

    def tests(self) -> tuple[TestResult, ...]:
        """All tests with their status; empty before grading."""
        stored = self._bytes(TESTS)
        if stored is None:
            return ()
        return tuple(
            replace(TestResult(**test), status=TestStatus(test["status"]))
            for test in json.loads(stored)["tests"]
        )

    def artifacts(self) -> tuple[str, ...]:
        """The names of the pictures, sorted."""
        directory = self.directory / ARTIFACTS
        names = (path.name for path in directory.glob("*.*") if path.suffix in PICTURE_SUFFIXES.values())
        return tuple(sorted(names)) if directory.is_dir() else ()

    def artifact(self, name: str) -> bytes | None:
        """One picture; None if the name is invalid, the file does not exist, or it is no picture within the limits."""
        if not ARTIFACT_NAME.fullmatch(name):
            return None
        path = self.directory / ARTIFACTS / name
        if path.is_symlink() or path.parent.is_symlink() or not path.is_file():
            return None
        with path.open("rb") as file:
            content = file.read(MAX_PICTURE_BYTES + 1)
        try:
            picture_type(content)
        except ValueError:
            return None
        return content

    def terminal(self) -> Path | None:
        """The recording of the agent's terminal, in asciinema's form, version 2; None if there is none."""
        path = self.directory / TERMINAL
        return path if path.is_file() and not path.is_symlink() else None

    def grading_log(self) -> str:
        """The raw output of the test run."""
        return (self._bytes(LOG) or b"").decode("utf-8", "replace")

    def summary(self) -> RunSummary | None:
        """The summary; None if the run is not finished or was cut off."""
        stored = self._bytes(SUMMARY)
        return None if stored is None else RunSummary.from_json(json.loads(stored))

    def _lines(self, name: str) -> Iterator[dict[str, Any]]:
        try:
            file = (self.directory / name).open("rb")
        except FileNotFoundError:
            return
        with file:
            for line in file:
                if line.endswith(b"\n"):
                    yield json.loads(line)

    def _bytes(self, name: str, most: int = -1) -> bytes | None:
        try:
            with (self.directory / name).open("rb") as file:
                return file.read(most)
        except FileNotFoundError:
            return None
