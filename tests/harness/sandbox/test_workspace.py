"""A workspace runs tools, and says who is to blame when it cannot."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from harness.errors import AgentError, HarnessError, InfrastructureError
from harness.patches import FileState
from harness.records import FileEdit
from harness.sandbox import tool_client
from harness.sandbox.base import ContainerUse, Owner, ToolReply, never
from harness.sandbox.docker import DockerEngine
from harness.sandbox.pipes import PipedProcess
from harness.sandbox.tool_client import ToolClient
from harness.sandbox.workspace import ToolServerWorkspace, tool_reply, tool_server_command
from tests.harness.conformance.rig import LIMITS, shell
from tests.harness.worlds import tiny_dataset

REPLY = {"id": 1, "ok": True, "content": "a.py", "seconds": 0.25, "edits": []}


class BlamingWorkspace(ToolServerWorkspace):
    """Its tool server is a script; it remembers what the workspace was blamed for."""

    def __init__(self, process: PipedProcess) -> None:
        self._client = ToolClient(process, "box")
        self.blamed: list[tuple[str, float]] = []

    def end(self) -> None:
        self._close()

    def _blame(self, symptom: str, *, silent_seconds: float = 0.0) -> HarnessError:
        self.blamed.append((symptom, silent_seconds))
        return AgentError(symptom)


@contextmanager
def served_by(directory: Path, script: str) -> Iterator[BlamingWorkspace]:
    environment = {"PATH": os.environ.get("PATH", os.defpath)}
    process = PipedProcess(
        ["/bin/sh", "-c", script], directory=directory, environment=environment, most_mb=1, interrupt=never
    )
    try:
        yield BlamingWorkspace(process)
    finally:
        process.process.kill()
        process.close()


def test_a_reply_is_read_with_its_edits() -> None:
    edit = {"path": "a.py", "change": "modified", "added": 1, "removed": 0, "syntax_ok": True}
    assert tool_reply({**REPLY, "edits": [edit]}) == ToolReply(
        True, "a.py", 0.25, (FileEdit("a.py", "modified", 1, 0, syntax_ok=True),)
    )


@pytest.mark.parametrize(
    "broken",
    [
        {"ok": True, "content": "", "seconds": 0.0},
        {**REPLY, "seconds": "soon"},
        {**REPLY, "edits": [{"path": "a.py"}]},
        {**REPLY, "edits": [{"path": "a", "change": "added", "added": 1, "removed": 0, "colour": "blue"}]},
        {**REPLY, "edits": None},
    ],
)
def test_an_invalid_reply_is_refused(broken: dict[str, Any]) -> None:
    with pytest.raises((ValueError, TypeError, KeyError)):
        tool_reply(broken)


def test_the_tool_server_runs_cut_off_from_the_environment_and_the_workspace() -> None:
    assert tool_server_command(PurePosixPath("/app")) == (
        "/opt/benchbench/python3",
        "-I",
        "-B",
        "/opt/benchbench/inside",
        "--sealed",
        "--forget",
        "--workdir",
        "/app",
    )


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("read line; echo nonsense; cat", r"^the tool server's stream is corrupt: JSONDecodeError\("),
        ("read line; echo '{\"id\": 1}'; cat", r"^the tool server's stream is corrupt: 'ok'$"),
        ("read line; exit 0", "^its tool server ended$"),
        ("exec sleep 60", "^its tool server did not respond within 0 s$"),
    ],
)
def test_once_it_is_broken_every_call_raises_the_same_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, message: str
) -> None:
    monkeypatch.setattr(tool_client, "GRACE_SECONDS", 0.2)
    with served_by(tmp_path, script) as workspace:
        with pytest.raises(AgentError, match=message) as first:
            workspace.call("list_dir", {}, timeout=0.2 if "sleep" in script else 10.0)
        began = time.monotonic()
        with pytest.raises(AgentError) as second:
            workspace.call("list_dir", {}, timeout=10.0)
        assert second.value is first.value
        assert time.monotonic() - began < 1.0
        expected = {"its tool server ended": 0.0, "its tool server did not respond within 0 s": 0.4}
        assert workspace.blamed == [item for item in expected.items() if str(first.value) == item[0]]


def test_no_call_follows_the_reading_of_its_changes_and_the_first_error_stays(tmp_path: Path) -> None:
    with served_by(tmp_path, "cat") as workspace:
        workspace.end()
        with pytest.raises(InfrastructureError, match=r"^the workspace ended when its changes were read$"):
            workspace.call("list_dir", {}, timeout=1.0)
    with served_by(tmp_path, "exit 0") as workspace:
        with pytest.raises(AgentError, match="its tool server ended"):
            workspace.call("list_dir", {}, timeout=10.0)
        workspace.end()
        with pytest.raises(AgentError, match="its tool server ended"):
            workspace.call("list_dir", {}, timeout=10.0)


@pytest.mark.engine
def test_silent_tool_server_is_an_agent_error(
    engine: DockerEngine, tmp_path: Path, owner: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tool_client, "GRACE_SECONDS", 1.0)
    repository = tiny_dataset(tmp_path).repository("calc")
    with engine.workspace(repository, ContainerUse(owner, LIMITS)) as silent:
        with pytest.raises(AgentError, match="did not respond within 2 s"):
            shell(silent, "kill -STOP -1", timeout=1.0)
        assert silent.changes().after == ()


@pytest.mark.engine
def test_lines_of_five_megabytes_cross_both_ways(engine: DockerEngine, tmp_path: Path, owner: Owner) -> None:
    text = "0123456789" * 500_000
    repository = tiny_dataset(tmp_path).repository("calc")
    with engine.workspace(repository, ContainerUse(owner, LIMITS)) as there:
        written = there.call(
            "write_file", {"path": "big.txt", "content": text, "explanation": "x"}, timeout=30
        )
        assert written.ok, written.content
        refused = there.call("no such tool " + text, {}, timeout=30)
        assert not refused.ok
        assert there.changes().after == (FileState("big.txt", text.encode()),)
