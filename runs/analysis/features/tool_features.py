"""The tools that an agent used."""

from __future__ import annotations

from collections.abc import Set

from runs.analysis.features.base import Category, Evidence, flag
from runs.analysis.features.errors import failed
from runs.analysis.features.exploration import read_relevant_files
from runs.analysis.trajectories import shell
from runs.analysis.trajectories.kinds import called, plain_name
from runs.analysis.trajectories.trace import TracedCall

_WRITING = frozenset({"writefile", "writetofile", "write", "create", "createfile"})
_REPLACING = frozenset(
    {"editfile", "searchreplace", "searchandreplace", "edit", "multiedit", "editblock", "replace", "replaceinfile",
     "replacestringinfile", "multireplacestringinfile", "replacefilecontent", "replacefunction", "strreplace",
     "strreplacefile", "strreplaceinfile", "insert", "insertcontent", "inserteditintofile", "applypatch", "applydiff",
     "patch", "notebookedit", "editnotebook"}
)  # fmt: skip
_SUBMITTING = frozenset(
    {"submit", "submitattempt", "submitpatch", "finish", "attemptcompletion", "taskcomplete", "complete"}
)
_SENTINEL = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
_MAX_LENGTH = 2_000


def _uses(run: Evidence, names: frozenset[str], commands: Set[str]) -> float:
    for call in run.calls:
        tool, _, command = called(call.tool, call.arguments).rpartition(" ")
        if plain_name(tool or command) in names or command in commands:
            return 1.0
    return 0.0


def runs_tests(call: TracedCall) -> bool:
    """Whether the call uses a test tool, or a command that runs a known test runner."""
    if plain_name(call.tool) == "runtests":
        return True
    return shell.runs_tests(call.command)


def _submitted(run: Evidence) -> float | None:
    """Whether the last response ended the run: text without a call, or a call to submit."""
    if not run.trace.iterations:
        return None
    last = run.trace.iterations[-1]
    if not last.calls:
        return flag(bool(last.message.strip()))
    return flag(
        any(plain_name(c.tool) in _SUBMITTING or _SENTINEL in c.command[:_MAX_LENGTH] for c in last.calls)
    )


_CATEGORY = Category("tools")

FEATURES = (
    _CATEGORY.process(
        "total_tool_calls",
        "Tool calls (appendix A.4), with or without a result.",
        lambda run: float(len(run.calls)),
    ),
    _CATEGORY.location(
        "read_relevant_files",
        "Whether a file of the reference patch that existed at the start was shown. Undefined if there is "
        "no such file.",
        read_relevant_files,
    ),
    _CATEGORY.process(
        "used_str_replace",
        "Whether the agent called a tool that changes a part of a file.",
        lambda run: _uses(run, _REPLACING, {"str_replace", "insert", "apply_patch"}),
    ),
    _CATEGORY.process(
        "used_write_file",
        "Whether the agent called a tool that writes a whole file.",
        lambda run: _uses(run, _WRITING, {"create", "write"}),
    ),
    _CATEGORY.process(
        "ran_tests",
        "Whether the agent called a tool for tests, or a command that runs tests (pytest, npm test, make "
        "check and similar ones). Commands are found by name; unknown names do not count.",
        lambda run: flag(any(map(runs_tests, run.calls))),
    ),
    _CATEGORY.process(
        "submitted",
        "Whether the run ended by itself: its last response is text without a call, or calls a tool to "
        "submit. Known before the run is graded. Undefined for a run without a response.",
        _submitted,
    ),
    _CATEGORY.process(
        "tool_errors_count",
        "Calls that the tool refused or that failed (appendix A.4). The paper defines it like total_errors; "
        "here a command that ended with an exit code other than 0 does not count, as the tool worked.",
        lambda run: float(sum(map(failed, run.calls))),
    ),
)
