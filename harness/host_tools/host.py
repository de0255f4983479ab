"""Runs the tools of the sets `remove`, `discovery` and `pull_request` that work on the host."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import PurePosixPath
from posixpath import normpath
from typing import Any

from harness.dataset import Repository, Target, Task
from harness.host_tools.examination import Examiner
from harness.host_tools.functions_of_files import FunctionsRefused, listed, shown, source, with_source
from harness.host_tools.visible_tests import command_for
from harness.limits import Spending
from harness.patches import FileState
from harness.records import FileEdit, Submission
from harness.sandbox.base import ToolReply, Workspace
from harness.tools.inside.protocol import WHOLE_FILE
from harness.tools.inside.text import RESULT_LIMIT, count
from harness.tools.selection import FINAL_SUBMISSION

MAX_BYTES = 1 << 20  # of a file in which functions are looked for
NO_TESTS = "There are no tests for submissions in this run."
NO_VISIBLE_TESTS = "This repository has no tests that you can see."
SUBMITTED = "Submitted: the work is done."


class _Refused(Exception):
    """A call is refused. The message is for the model."""


class HostTools:
    """These tools for one run. They read and write files through the tools in the container.

    `examiner` None: nothing can be submitted to the tests. A submission is counted in `spending`, which leaves out the
    time for its tests.
    """

    def __init__(
        self,
        repository: Repository,
        task: Task,
        workspace: Workspace,
        spending: Spending,
        examiner: Examiner | None = None,
    ) -> None:
        self._repository = repository
        self._task = task
        self._workspace = workspace
        self._spending = spending
        self._examiner = examiner
        self._attempts: dict[Target, str] = {}
        self._edits: list[FileEdit] = []
        self._submission: Submission | None = None
        self._aside = ""
        self._tools: Mapping[str, Callable[[Mapping[str, Any], float], str]] = {
            "list_file_functions": self._list,
            "read_function": self._read,
            "submit_attempt": self._attempt,
            "replace_function": self._replace,
            FINAL_SUBMISSION: self._submit_patch,
        }

    def call(self, tool: str, arguments: Mapping[str, Any], *, timeout: float) -> ToolReply | None:
        """The reply of a tool with checked arguments; None for a tool that does not run here.

        Its seconds are without those of tests. `timeout` is the limit for each tool in the container that it needs, in
        seconds. Raises what `Workspace.call`, `Workspace.peek` and `Examiner.examine` raise.
        """
        if tool == "run_tests":
            command = command_for(self._repository.source, arguments.get("path"))
            if command is None:
                return ToolReply(False, NO_VISIBLE_TESTS, 0.0)
            return self._workspace.call(
                "run_terminal_cmd", {"command": command, "timeout": timeout}, timeout=timeout
            )
        run = self._tools.get(tool)
        if run is None:
            return None
        self._edits, self._submission, self._aside = [], None, ""
        began, ok = time.monotonic(), True
        try:
            content = run(arguments, timeout)
        except (_Refused, FunctionsRefused) as error:
            content, ok = str(error), False
        seconds = max(0.0, time.monotonic() - began - self._tested_seconds())
        return ToolReply(ok, content, seconds, tuple(self._edits), aside=self._aside)

    def restore(self, files: Iterable[FileState]) -> None:
        """Takes what these files of the workspace have for the targets as the latest attempts."""
        texts = {file.path: (file.content or b"").decode("utf-8", "replace") for file in files}
        for target in self._task.targets:
            if target.path not in texts:
                continue
            with suppress(FunctionsRefused):
                code = source(target.path, texts[target.path], target.name, target.occurrence)
                self._attempts[target] = code

    def _tested_seconds(self) -> float:
        return self._submission.seconds if self._submission else 0.0

    def submission(self) -> Submission | None:
        """What the last call submitted, without the number of its step; None if it submitted nothing."""
        found, self._submission = self._submission, None
        return found

    def in_place_of(self, reply: ToolReply, arguments: Mapping[str, Any], *, timeout: float) -> ToolReply:
        """A reply of read_file; the functions of the file instead if it does not fit into one result.

        Source: Breakpoint, appendix A.
        """
        if len(reply.content) < RESULT_LIMIT or not reply.ok or {"offset", "limit"} & arguments.keys():
            return reply
        path = arguments["path"]
        try:
            functions = listed(path, self._text(path, timeout))
        except (_Refused, FunctionsRefused):
            return reply
        advice = "read_function shows one of them, read_file with offset and limit shows lines"
        return replace(reply, content=f"{path} is too long for one result; {advice}.\n{functions}")

    def _list(self, arguments: Mapping[str, Any], timeout: float) -> str:
        return listed(arguments["path"], self._text(arguments["path"], timeout))

    def _read(self, arguments: Mapping[str, Any], timeout: float) -> str:
        path = arguments["path"]
        return shown(path, self._text(path, timeout), arguments["name"], arguments.get("occurrence", 0))

    def _attempt(self, arguments: Mapping[str, Any], timeout: float) -> str:
        """The file as it was at the start, with the latest attempts at its targets."""
        name = arguments.get("name")
        targets = self._task.targets
        if not targets:
            raise _Refused("This task names no function, so there is nothing to submit with submit_attempt.")
        chosen = [one for one in targets if name in (None, one.name)]
        if len(chosen) != 1:
            raise _Refused(
                f"This task is about {count(len(targets), 'function')}: {', '.join(map(str, targets))}. Give one of "
                "these names."
            )
        target = chosen[0]
        attempts = {**self._attempts, target: arguments["code"]}
        text = self._text_at_start(target.path)
        for one, code in attempts.items():
            if one.path == target.path:
                text = with_source(one.path, text, one.name, one.occurrence, code)
        self._check_examiner()
        self._write(str(self._workspace.workdir / target.path), text, timeout)
        self._attempts = attempts
        return self._examined("submit_attempt", target)

    def _replace(self, arguments: Mapping[str, Any], timeout: float) -> str:
        path, name, occurrence = arguments["path"], arguments["name"], arguments.get("occurrence", 0)
        text = self._text(path, timeout)
        changed = with_source(path, text, name, occurrence, arguments["code"])
        self._check_examiner()
        self._write(path, changed, timeout)
        located = PurePosixPath(normpath(self._workspace.workdir / path))
        home = PurePosixPath(normpath(self._workspace.workdir))
        named = located.relative_to(home) if located.is_relative_to(home) else located  # as patches name it
        return self._examined("replace_function", Target(str(named), name, occurrence))

    def _submit_patch(self, _arguments: Mapping[str, Any], _timeout: float) -> str:
        """The grade is the test of the patch, so nothing is tested here."""
        self._submission = self._counted(FINAL_SUBMISSION)
        return SUBMITTED

    def _examined(self, tool: str, target: Target) -> str:
        """Tests the workspace as it is. The time for that is left out."""
        assert self._examiner is not None
        made = self._counted(tool, target)
        clock, began = self._spending.clock, self._spending.clock()
        try:
            found = self._examiner.examine(self._workspace.peek())
        finally:
            seconds = clock() - began
            self._spending.leave_out(seconds)
        self._submission = replace(
            made,
            passed=found.passed,
            failed=found.failed,
            first_failure=found.message(),
            resolved=found.resolved,
            seconds=seconds,
        )
        self._aside = found.message()
        return found.counts()

    def _counted(self, tool: str, target: Target | None = None) -> Submission:
        self._spending.submissions += 1
        made = Submission(self._spending.submissions, 0, tool)
        if target is None:
            return made
        return replace(made, path=target.path, function=target.name, occurrence=target.occurrence)

    def _check_examiner(self) -> None:
        if self._examiner is None:
            raise _Refused(NO_TESTS)

    def _text(self, path: str, timeout: float) -> str:
        """The exact text of a file of the workspace."""
        reply = self._workspace.call(WHOLE_FILE, {"path": path, "most": MAX_BYTES}, timeout=timeout)
        if not reply.ok:
            raise _Refused(reply.content)
        return reply.content

    def _text_at_start(self, path: str) -> str:
        state = self._repository.source.read(path)
        content = None if state is None or state.link else state.content
        try:
            return (content or b"").decode("utf-8")
        except UnicodeDecodeError:
            raise _Refused(f"{path}: is no text in UTF-8") from None

    def _write(self, path: str, text: str, timeout: float) -> None:
        reply = self._workspace.call("write_file", {"path": path, "content": text}, timeout=timeout)
        self._edits.extend(reply.edits)
        if not reply.ok:
            raise _Refused(reply.content)
