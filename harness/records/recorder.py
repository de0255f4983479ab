"""Writes a run directory."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from harness.errors import AgentError
from harness.patches import FileState
from harness.pictures import check_picture
from harness.records.conversation import (
    UNFINISHED,
    SavedConversation,
    Used,
    append,
    forget,
    reopen,
    saved_conversation,
)
from harness.records.progress import (
    DRAFTS,
    Progress,
    RunLock,
    cut_after,
    draft_of,
    drafted,
    progress_of,
)
from harness.records.reader import (
    ARTIFACTS,
    EDITS,
    LOG,
    PATCH,
    PROGRESS,
    SUBMISSIONS,
    SUMMARY,
    TESTS,
    TRAJECTORY,
    USER,
)
from harness.records.steps import (
    ATIF_VERSION,
    FileEdit,
    Metrics,
    Source,
    Step,
    StepEdits,
    Submission,
    ToolCall,
    ToolResult,
    UserTurn,
    now,
)
from harness.records.summary import Grade, Identity, RunSummary
from harness.records.whole_file import space_for
from harness.redaction import Redactor

MAX_BYTES = 200 << 20
MAX_ARTIFACTS = 200
_FILE_OF_PATCH = re.compile(rb"^(?=diff --git )", re.MULTILINE)
_PACKED = b"\nGIT binary patch\n"


class RecordsFull(AgentError):
    """The records of a run exceed the size limit."""

    def __init__(self, most_bytes: int) -> None:
        super().__init__(
            f"the records of this run would take more than {most_bytes / (1 << 20):g} MB: its last step is not stored"
        )


class RunRecorder:
    """Writes one run directory. Data is on disk when the method that writes it returns.

    Characters without a UTF-8 encoding (lone surrogates) are stored as replacement characters. A full disk raises
    DiskFull.
    `redactor` removes secrets from every text before it is written; the default one recognizes keys only by their
    format. Steps, edits and pictures together take at most `most_bytes`: anything beyond is not written and raises
    RecordsFull.

    With `resume` the directory may have the records of a process that ended before the run did: they go on after the
    last step that was saved, and `progress` or `conversation` is what was saved. Until `close` no other process can
    resume the run. Raises ResumeRefused.
    """

    def __init__(
        self,
        directory: Path,
        identity: Identity,
        *,
        redactor: Redactor | None = None,
        most_bytes: int = MAX_BYTES,
        resume: bool = False,
    ) -> None:
        with space_for(directory):
            directory.mkdir(parents=True, exist_ok=resume)
        self.directory = directory
        self._most_bytes = most_bytes
        self._written = 0
        self.redactor = redactor or Redactor()
        self._next_step = 1
        self._artifacts = 0
        self._lock: RunLock | None = None
        self.progress: Progress | None = None
        self.conversation: SavedConversation | None = None
        if resume:
            self._go_on()
        if self._next_step == 1:
            self._append(TRAJECTORY, self._header(identity))

    def _go_on(self) -> None:
        self._lock = RunLock(self.directory)
        try:
            reopen(self.directory)
            self.progress = progress_of(self.directory)
            self.conversation = saved_conversation(self.directory)
            saved = self.conversation if self.progress is None else self.progress
            with space_for(self.directory):
                self._written = cut_after(self.directory, None if saved is None else saved.step_id)
        except BaseException:
            self._lock.release()
            raise
        self._next_step = 1 if saved is None else saved.step_id + 1
        self._artifacts = len(list((self.directory / ARTIFACTS).glob("*.png")))

    def close(self) -> None:
        """Lets another process resume the run."""
        if self._lock is not None:
            self._lock.release()

    def draft(self) -> tuple[FileState, ...]:
        """The files that the workspace had changed when `progress` was saved. Raises ResumeRefused."""
        return draft_of(self.directory, self.progress) if self.progress else ()

    def save(self, progress: Progress, files: Sequence[FileState] | None) -> None:
        """Stores what another process needs to go on. `files`: what the workspace has changed; None: as before.

        All of it is stored or nothing. Drafts are stored with their secrets: they are restored, and deleted at the end.
        """
        before = self.progress
        progress = replace(progress, step_id=self._next_step - 1)
        if files is not None:
            content = drafted(files)
            name = f"draft-{progress.step_id}-{hashlib.sha256(content).hexdigest()[:12]}.json"
            self._replace(name, content)
            progress = replace(progress, draft=name, digest=hashlib.sha256(content).hexdigest())
        elif before is not None:
            progress = replace(progress, draft=before.draft, digest=before.digest)
        self._replace(PROGRESS, json.dumps(asdict(progress), indent=1).encode() + b"\n")
        self.progress = progress
        self._remove_drafts(except_for=progress.draft)

    def remember(
        self,
        messages: Sequence[Mapping[str, Any]],
        state: Mapping[str, Any],
        used: Used,
        *,
        finished: bool = False,
    ) -> None:
        """Stores the messages since the last call, so that another process can go on after the last step."""
        append(self.directory, self._next_step - 1, messages, state, used, finished=finished)

    def _remove_drafts(self, except_for: str = "") -> None:
        for path in self.directory.glob(DRAFTS):
            if path.name != except_for:
                path.unlink(missing_ok=True)

    @staticmethod
    def _header(identity: Identity) -> dict[str, Any]:
        return {
            "schema_version": ATIF_VERSION,
            "session_id": identity.run_id,
            "agent": {
                "name": identity.agent,
                "version": "1",
                "model_name": identity.model or None,
                "extra": {
                    "kind": identity.agent_kind,
                    "settings": dict(identity.settings),
                    **({"effective": dict(identity.effective)} if identity.effective else {}),
                },
            },
            "extra": {
                "dataset": identity.dataset,
                "repository": identity.repository,
                "task": identity.task,
                "attempt": identity.attempt,
                "try_number": identity.try_number,
            },
        }

    def step(
        self,
        source: Source,
        message: str,
        *,
        reasoning: str = "",
        calls: Sequence[ToolCall] = (),
        results: Sequence[ToolResult] = (),
        metrics: Metrics | None = None,
    ) -> Step:
        """Appends the next step and returns it with its number and time."""
        step = Step(
            step_id=self._next_step,
            timestamp=now(),
            source=source,
            message=message,
            reasoning=reasoning,
            calls=tuple(calls),
            results=tuple(results),
            metrics=metrics,
        )
        self._append(TRAJECTORY, step.to_atif())
        self._next_step += 1
        return step

    def artifact(self, content: bytes) -> str:
        """Stores a picture for the next step. Returns its name, which is unique in this run.

        Raises ValueError if `check_picture` rejects it, or if the run has MAX_ARTIFACTS pictures.
        """
        check_picture(content)
        if self._artifacts == MAX_ARTIFACTS:
            raise ValueError(f"this run already has {MAX_ARTIFACTS} pictures; no more are stored")
        self._book(len(content))
        self._artifacts += 1
        name = f"step-{self._next_step}-{self._artifacts}.png"
        (self.directory / ARTIFACTS).mkdir(exist_ok=True)
        self._replace(f"{ARTIFACTS}/{name}", content)
        return name

    def edits(self, step_id: int, files: Sequence[FileEdit]) -> None:
        """Appends the changes of a step, if there are any."""
        if files:
            self._append(EDITS, asdict(StepEdits(step_id, tuple(files))))

    def user_turn(self, turn: UserTurn) -> None:
        """Appends an answer of the simulated user."""
        self._append(USER, asdict(turn))

    def submission(self, submission: Submission) -> None:
        """Appends code that the agent submitted."""
        self._append(SUBMISSIONS, asdict(submission))

    def patch(self, diff: bytes) -> bool:
        """Stores the final patch without secrets. Returns whether it contained none."""
        # File by file: a search in one long text would stop all threads of this process meanwhile.
        written = b"".join(map(self._redacted_file, _FILE_OF_PATCH.split(diff)))
        self._replace(PATCH, written)
        return written == diff

    def grade(self, grade: Grade) -> None:
        """Stores `tests.json` and `grading.log`."""
        self._replace(TESTS, self._json(grade.to_json()))
        self._replace(LOG, self.redactor.text(grade.log).encode("utf-8", "replace"))

    def summary(self, summary: RunSummary) -> None:
        """Stores the summary, which completes the directory, and removes what was there for going on.

        The conversation of a run without a verdict stays: the run may go on.
        """
        self._replace(SUMMARY, self._json(summary.to_json(), indent=2))
        (self.directory / PROGRESS).unlink(missing_ok=True)
        self._remove_drafts()
        if summary.ending not in UNFINISHED:
            forget(self.directory)
        if self._lock is not None:
            self._lock.remove()

    def _append(self, name: str, entry: Mapping[str, Any]) -> None:
        content = self._json(entry)
        self._book(len(content))
        with space_for(self.directory), (self.directory / name).open("ab") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())

    def _book(self, size: int) -> None:
        if self._written + size > self._most_bytes:
            raise RecordsFull(self._most_bytes)
        self._written += size

    def _replace(self, name: str, content: bytes) -> None:
        partial = self.directory / f"{name}.partial"
        with space_for(self.directory):
            with partial.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            partial.replace(self.directory / name)

    def _redacted_file(self, part: bytes) -> bytes:
        """The patch of one file without secrets. The packed content of a binary file is not readable."""
        head, mark, packed = part.partition(_PACKED)
        return self.redactor.data(head) + mark + packed

    def _json(self, entry: Mapping[str, Any], indent: int | None = None) -> bytes:
        text = json.dumps(self.redactor.value(entry), ensure_ascii=False, indent=indent)
        return text.encode("utf-8", "replace") + b"\n"
