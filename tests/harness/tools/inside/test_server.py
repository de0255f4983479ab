"""The tool server: its protocol, its isolation in a container, and the mark on its replies."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.sandbox.tool_client import opened
from tests.harness.tools.tool_server import INSIDE, ToolServer, alive, gone

BASE_IMAGE = "benchbench/base:bookworm"
FILES_OF_OTHERS = """
cd /app
chown 0:0 .
echo x > mine
echo secret > sealed
mkdir -m 555 shut
mkdir -m 700 locked
chmod 600 sealed
chown 1234:1234 sealed shut locked
"""


def test_the_code_that_enters_containers_is_python_3_8_and_imports_the_standard_library_alone() -> None:
    for path in INSIDE.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 8))
        for node in ast.walk(tree):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            assert not {name.split(".")[0] for name in names} & {"harness", "pydantic"}


class TestProtocol:
    def test_the_first_line_reports_ready(self, server: ToolServer) -> None:
        assert server.greeting["ready"] is True
        assert server.greeting["protocol"] == 1

    @pytest.mark.parametrize(
        ("line", "content"),
        [
            (b"nonsense", "not understood: Expecting value: line 1 column 1 (char 0)"),
            (b"[1, 2]", "a request is a JSON object"),
            (b"\xff\xfe\0", "not understood: "),
            (b"[" * 100_000, "the tool failed: RecursionError"),
        ],
    )
    def test_an_invalid_line_gets_a_reply(self, server: ToolServer, line: bytes, content: str) -> None:
        reply = server.send(line)
        assert (reply.id, reply.ok, reply.edits) == (None, False, [])
        assert content in reply.content
        assert server.call("list_dir").ok

    @pytest.mark.parametrize(
        ("request_line", "content"),
        [
            (b'{"id": 9, "tool": "coffee"}', "there is no tool 'coffee'; there are: read_file, "),
            (b'{"id": 9, "tool": []}', "there is no tool '[]'"),
            (b'{"id": 9, "tool": "read_file"}', "missing 1 required positional argument: 'path'"),
            (b'{"id": 9, "tool": "read_file", "arguments": {"path": 3}}', "the tool failed: TypeError"),
            (
                b'{"id": 9, "tool": "read_file", "arguments": {"pfad": ""}}',
                "unexpected keyword argument 'pfad'",
            ),
            (b'{"id": 9, "tool": "read_file", "arguments": [1]}', "the tool failed: TypeError"),
        ],
    )
    def test_a_bad_request_gets_a_reply_with_its_id(
        self, server: ToolServer, request_line: bytes, content: str
    ) -> None:
        reply = server.send(request_line)
        assert (reply.id, reply.ok) == (9, False)
        assert content in reply.content
        assert server.call("list_dir").ok

    def test_a_request_of_many_megabytes_is_understood(self, server: ToolServer) -> None:
        assert server.call("write_file", path="a", content="x" * 8_000_000).ok
        assert (server.workdir / "a").stat().st_size == 8_000_000

    def test_output_of_commands_does_not_get_into_the_stream(self, server: ToolServer) -> None:
        assert server.run("echo '{\"id\": 99}'; echo oops >&2").content.endswith('{"id": 99}\noops\n')
        assert server.call("list_dir").ok

    def test_names_and_texts_that_are_not_utf8_do_not_break_a_reply(self, server: ToolServer) -> None:
        (Path(os.fsdecode(os.fsencode(server.workdir) + b"/\xff.txt"))).write_bytes(b"\xff\n")
        reply = server.call("list_dir")
        assert "\N{REPLACEMENT CHARACTER}" in reply.content
        assert server.run("printf '\\377'").content.endswith("\N{REPLACEMENT CHARACTER}")

    def test_the_end_of_input_ends_the_server_and_everything_it_started(self, tmp_path: Path) -> None:
        with ToolServer(tmp_path) as server:
            server.run("sleep 4301 & setsid sleep 4302 & true")
            server.run("sleep 4303", background=True)
            assert (len(alive("sleep", "4301")), len(alive("sleep", "4303"))) == (1, 1)
        assert server.process.returncode == 0
        assert gone("sleep", "430")

    def test_the_end_of_input_ends_a_command_in_the_foreground(self, tmp_path: Path) -> None:
        server = ToolServer(tmp_path)
        assert server.process.stdin is not None
        server.process.stdin.write(
            b'{"id": 1, "tool": "run_terminal_cmd", "arguments": {"command": "sleep 4311"}}\n'
        )
        server.process.stdin.flush()
        deadline = time.monotonic() + 5
        while not alive("sleep 4311") and time.monotonic() < deadline:
            time.sleep(0.01)
        started = time.monotonic()
        with server:
            pass
        assert time.monotonic() - started < 3
        assert gone("sleep", "4311")


@pytest.mark.engine
class TestInAContainer:
    """As in an agent's container: no capabilities, no network, root without privileges."""

    @pytest.fixture
    def server(self, tmp_path: Path) -> Iterator[ToolServer]:
        app = tmp_path / "app"
        app.mkdir()
        # In a container, because only root can make files of other users.
        share = ["docker", "run", "--rm", "-v", f"{app}:/app", "--network=none", BASE_IMAGE, "sh", "-ec"]
        subprocess.run([*share, FILES_OF_OTHERS], check=True)
        options = ["--rm", "-i", "--init", "--network=none", "--cap-drop=ALL", "--memory=256m"]
        options += ["--security-opt=no-new-privileges"]
        mounts = ["-v", f"{INSIDE}:/opt/benchbench/inside:ro", "-v", f"{app}:/app"]
        serve = ["python3", "-I", "/opt/benchbench/inside", "--workdir", "/app"]
        with ToolServer(app, command=["docker", "run", *options, *mounts, BASE_IMAGE, *serve]) as running:
            yield running
        subprocess.run([*share, "rm -r /app/*"], check=True)

    def test_files_without_permission_are_reported(self, server: ToolServer) -> None:
        reply = server.call("read_file", path="sealed")
        assert (reply.ok, reply.content) == (False, "Permission denied: /app/sealed")
        assert (
            server.call("write_file", path="shut/a", content="").content == "Permission denied: /app/shut/a"
        )
        assert server.call("delete_file", path="shut/a").content == "there is no file 'shut/a'"
        assert server.call("codebase_search", query="secret").content == (
            "no match for 'secret' in 2 files\n[may not be read: sealed]"
        )
        assert server.call("list_dir", recursive=True).content == (
            "locked/  [may not be read]\nmine  2 bytes\nsealed  7 bytes\nshut/"
        )

    def test_a_command_cannot_reach_the_servers_streams(self, server: ToolServer) -> None:
        pid = server.greeting["pid"]
        writing = f'for fd in /proc/{pid}/fd/*; do echo > $fd && echo "$fd was written"; done'
        heading, *lines = server.run(writing).content.splitlines()
        assert heading.startswith("exit code 1 ")
        refused = [line for line in lines if line.endswith("Permission denied")]
        # What the server closed meanwhile is not there.
        assert [
            line for line in lines if line not in refused and not line.endswith("No such file or directory")
        ] == []
        assert len(refused) >= 5

    def test_commands_are_killed_first_when_memory_runs_out(self, server: ToolServer) -> None:
        assert server.run("cat /proc/self/oom_score_adj").content.endswith("\n1000\n")
        reply = server.run("python3 -c 'x = bytearray(600_000_000); print(len(x))'")
        assert "exit code 137" in reply.content or "killed by SIGKILL" in reply.content
        assert server.call("read_file", path="mine").ok

    def test_no_sleep_is_left_after_a_time_out(self, server: ToolServer) -> None:
        started = time.monotonic()
        assert not server.run("sleep 1000 & setsid sleep 1000 & sleep 1000", timeout=2).ok
        assert 2 <= time.monotonic() - started < 3
        assert server.run("grep -l sleep /proc/[0-9]*/comm").content.endswith(" s\n[no output]")


class TestSeal:
    """A root user in the container can write to the stream of the server, but cannot forge its mark."""

    KEY = bytes(range(32))

    def sealed_server(self, app: Path) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-I", str(INSIDE), "--sealed", "--workdir", str(app)]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert process.stdin is not None
        process.stdin.write(self.KEY.hex().encode() + b"\n")
        process.stdin.flush()
        return process

    def test_every_reply_carries_the_mark_of_its_key(self, tmp_path: Path) -> None:
        process = self.sealed_server(tmp_path)
        assert process.stdout is not None
        greeting = process.stdout.readline().rstrip(b"\n")
        assert json.loads(opened(greeting, self.KEY))["ready"] is True
        with pytest.raises(ValueError, match="without the tool server's mark"):
            opened(greeting, bytes(32))
        with pytest.raises(ValueError, match="without the tool server's mark"):
            opened(greeting.replace(b"true", b"null"), self.KEY)
        with pytest.raises(ValueError, match="without the tool server's mark"):
            opened(greeting.partition(b" ")[2], self.KEY)
        output, _ = process.communicate(b'{"id": 1, "tool": "list_dir"}\n', timeout=20)
        assert json.loads(opened(output.rstrip(b"\n"), self.KEY))["id"] == 1

    def test_a_module_that_is_replaced_later_is_not_loaded(self, tmp_path: Path) -> None:
        (tmp_path / "colorsys.py").write_text("raise SystemExit('loaded')\n")
        code = (
            "import sys; sys.path.insert(0, sys.argv[1]); from inside import server; server.end_imports()\n"
            "try:\n    import colorsys\nexcept ImportError:\n    print('refused')\nelse:\n    print('loaded')\n"
        )
        command = [sys.executable, "-I", "-c", code, str(INSIDE.parent)]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        assert done.stdout == "refused\n"

    def test_sources_in_other_encodings_are_parsed_or_skipped(self, server: ToolServer) -> None:
        for encoding in ("cp1252", "koi8_r", "mac_roman", "utf_8"):
            content = f"# -*- coding: {encoding} -*-\nx = 1\n"
            reply = server.call("write_file", path=f"{encoding}.py", content=content)
            assert reply.ok
            assert "syntax error" not in reply.content.lower()
