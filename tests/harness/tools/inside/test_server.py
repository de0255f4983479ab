"""The tool server: its protocol, its commands, and the changes that it reports."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.sandbox.tool_client import opened
from tests.harness.tools.tool_server import INSIDE, ToolServer

BASE_IMAGE = "benchbench/base:bookworm"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ToolServer]:
    app = tmp_path / "app"
    app.mkdir()
    with ToolServer(app) as running:
        yield running


def alive(*words: str) -> list[str]:
    """Command lines of living processes that hold every one of the words."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
            except OSError:
                continue
            if all(word in line for word in words):
                found.append(line)
    return found


def gone(*words: str) -> bool:
    """Whether no such process is left, shortly."""
    deadline = time.monotonic() + 2
    while alive(*words) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not alive(*words)


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

    def test_a_module_in_the_workspace_cannot_shadow_the_servers(self, tmp_path: Path) -> None:
        for name in ("json", "files", "os", "difflib"):
            (tmp_path / f"{name}.py").write_text("raise SystemExit('shadowed')\n")
        with ToolServer(tmp_path, environment={**os.environ, "PYTHONPATH": str(tmp_path)}) as server:
            assert server.call("list_dir").ok

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


class TestCommands:
    def test_exit_code_duration_and_both_streams_in_order(self, server: ToolServer) -> None:
        reply = server.run("echo one; echo two >&2; echo three; pwd; exit 3")
        heading, *output = reply.content.splitlines()
        assert reply.ok
        assert heading.startswith("exit code 3 after 0.")
        assert output == ["one", "two", "three", str(server.workdir)]

    def test_the_streams_can_be_shown_separately(self, server: ToolServer) -> None:
        reply = server.run("echo one; echo two >&2; echo three; exit 3", separate_streams=True)
        assert reply.content.startswith("exit code 3 after 0.")
        assert reply.content.partition("\n")[2] == "[stdout]\none\nthree\n[stderr]\ntwo\n"
        assert server.run("printf x >&2", separate_streams=True).content.endswith(
            "\n[stdout: nothing]\n[stderr]\nx\n"
        )

    def test_a_flood_on_one_stream_leaves_the_other_readable(self, server: ToolServer) -> None:
        reply = server.run("echo the reason >&2; yes | head -c 5000000", separate_streams=True)
        assert len(reply.content) < 17_000
        assert reply.content.endswith("\n[stderr]\nthe reason\n")

    def test_the_streams_of_a_background_command_stay_apart(self, server: ToolServer) -> None:
        reply = server.run("echo up; sleep 4441", background=True, separate_streams=True)
        assert reply.content == "bg-1: running\n[stdout]\nup\n[stderr: nothing]\n"
        reply = server.call("run_terminal_cmd", handle="bg-1", stop=True)
        assert reply.content == "bg-1: stopped\n[stdout: nothing]\n[stderr: nothing]\n"

    def test_a_command_without_output_is_reported_as_such(self, server: ToolServer) -> None:
        assert server.run("true").content.endswith(" s\n[no output]")

    def test_here_documents_quotes_and_newlines_arrive_as_they_are(self, server: ToolServer) -> None:
        assert server.run("cat <<'END'\na \"b\" $c \\n 'd'\nEND\n").content.endswith("\na \"b\" $c \\n 'd'\n")

    def test_there_is_no_input(self, server: ToolServer) -> None:
        assert server.run("cat; read x || echo nothing").content.endswith("\nnothing\n")

    def test_the_input_is_empty_not_closed(self, server: ToolServer) -> None:
        for _ in range(2):
            assert server.run("readlink /proc/self/fd/0").content.endswith("\n/dev/null\n")

    @pytest.mark.parametrize(
        ("output", "shown"),
        [
            (r"\033[1;31mred\033[0m \033[2K\033(B\033=plain", "red plain"),
            (r"\033]0;a title\007\033]8;;http://x\033\\link\033]8;;\033\\", "link"),
            (r" 1%%\r 2%%\r100%%\ndone", "[drawn over 2 times] 100%\ndone"),
            (r"working\r       \rok\n", "[drawn over 1 time] ok\n"),
            (r"a\r\nb\r\n", "a\r\nb\r\n"),
            (r"1\r2\r\n", "[drawn over 1 time] 2\r\n"),
            (r"a\0b", "a\N{SYMBOL FOR NULL}b"),
        ],
    )
    def test_output_is_shown_as_a_screen_would(self, server: ToolServer, output: str, shown: str) -> None:
        assert server.run(f"printf '{output}'").content.partition("\n")[2] == shown
        apart = server.run(f"printf '{output}' >&2", separate_streams=True).content
        assert apart.partition("[stderr]\n")[2].rstrip("\n") == shown.rstrip("\n")

    def test_a_broken_pipe_ends_a_command_quietly(self, server: ToolServer) -> None:
        assert server.run("yes | head -1; echo ${PIPESTATUS[0]}").content.endswith("\ny\n141\n")

    def test_a_signal_is_named(self, server: ToolServer) -> None:
        assert server.run("kill -SEGV $$").content.startswith("killed by SIGSEGV after 0.")

    def test_a_time_out_kills_all_that_was_started_with_the_output_so_far(self, server: ToolServer) -> None:
        started = time.monotonic()
        reply = server.run(
            "echo before; sleep 4321 & setsid sleep 4322 & (setsid bash -c 'sleep 4323 & disown' &); sleep 4324",
            timeout=2,
        )
        assert 2 <= time.monotonic() - started < 3
        assert (reply.ok, reply.content) == (
            False,
            "timed out after 2 s; the command and everything it had started was killed. Start servers and long "
            "work in the background; there is no input to wait for\nbefore\n",
        )
        assert gone("sleep", "432")

    def test_two_sleeps_and_two_seconds(self, server: ToolServer) -> None:
        started = time.monotonic()
        assert not server.run("sleep 4331 & sleep 4331", timeout=2).ok
        assert 2 <= time.monotonic() - started < 3
        assert gone("sleep", "4331")

    def test_the_requests_own_time_out_is_a_ceiling(self, server: ToolServer) -> None:
        reply = server.run("sleep 4341", timeout=60, within=0.3)
        assert reply.content.startswith("timed out after 0.3 s")

    def test_a_command_that_stops_itself_or_ignores_signals_is_killed(self, server: ToolServer) -> None:
        reply = server.run("trap '' TERM INT HUP; sleep 4351 & kill -STOP $$", timeout=0.5)
        assert not reply.ok
        assert gone("sleep", "4351")

    def test_a_child_that_still_runs_does_not_delay_the_reply(self, server: ToolServer) -> None:
        started = time.monotonic()
        reply = server.run("sleep 4361 & echo done")
        assert time.monotonic() - started < 1
        assert reply.ok
        assert "; 1 process still running (pid " in reply.content.splitlines()[0]
        assert reply.content.endswith("\ndone\n")
        assert len(alive("sleep", "4361")) == 1

    def test_a_child_that_still_runs_can_go_on_writing(self, server: ToolServer) -> None:
        server.run("(for i in $(seq 20000); do echo $i; done; touch finished) &")
        deadline = time.monotonic() + 10
        while not (server.workdir / "finished").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        assert (server.workdir / "finished").exists()

    def test_very_long_output_is_cut_and_takes_little_memory(self, server: ToolServer) -> None:
        reply = server.run("yes | head -c 50000000; echo the end")
        assert 29_000 < len(reply.content) < 31_000
        assert "characters left out here: write it to a file and read that in parts ...]" in reply.content
        assert reply.content.endswith("y\nthe end\n")
        status = Path(f"/proc/{server.process.pid}/status").read_text()
        (peak,) = [int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")]
        assert peak < 60_000  # KiB

    def test_a_command_that_kills_its_supervisor_is_reported(self, server: ToolServer) -> None:
        reply = server.run("kill -9 $PPID; sleep 4371")
        assert reply.content.startswith("killed by SIGKILL after ")
        assert server.run("echo fine").content.endswith("\nfine\n")
        assert gone("sleep", "4371")

    def test_a_command_that_is_too_long_is_reported(self, server: ToolServer) -> None:
        reply = server.run("#" * 200_000)
        assert "the command could not be started: [Errno 7] Argument list too long" in reply.content

    def test_the_server_survives_a_deleted_workspace(self, server: ToolServer) -> None:
        server.run("echo > a")
        reply = server.run(f"rm -rf {server.workdir}")
        assert [(edit["path"], edit["change"]) for edit in reply.edits] == [("a", "deleted")]
        assert "could not be started: [Errno 2] No such file or directory" in server.run("ls").content
        assert not server.call("list_dir").ok
        assert server.call("write_file", path="b", content="x\n").ok
        assert server.run("cat b").content.endswith("\nx\n")


class TestBackground:
    def test_output_comes_piece_by_piece_until_the_end(self, server: ToolServer) -> None:
        reply = server.run(
            "echo one; while [ ! -e go ]; do sleep 0.05; done; echo two; exit 4", background=True
        )
        assert (reply.ok, reply.content) == (True, "bg-1: running\none\n")
        assert server.call("run_terminal_cmd", handle="bg-1").content == "bg-1: running\n[no output]"
        server.call("write_file", path="go", content="")
        reply = server.call("run_terminal_cmd", handle="bg-1", timeout=10)
        assert reply.content.startswith("bg-1: exit code 4 after ")
        assert reply.content.endswith(" s\ntwo\n")

    def test_a_command_that_fails_at_once_is_seen_at_once(self, server: ToolServer) -> None:
        content = server.run("nonexistent-program", background=True).content
        assert content.startswith("bg-1: exit code 127 after ")
        assert "nonexistent-program: command not found" in content

    def test_stop_kills_it_with_its_children(self, server: ToolServer) -> None:
        server.run("echo up; sleep 4401 & setsid sleep 4402", background=True)
        assert (
            server.call("run_terminal_cmd", handle="bg-1", stop=True).content == "bg-1: stopped\n[no output]"
        )
        assert gone("sleep", "440")
        assert "bg-1: killed by SIGKILL" in server.call("run_terminal_cmd", handle="bg-1").content

    def test_an_unknown_handle_is_refused_with_the_known_ones(self, server: ToolServer) -> None:
        reply = server.call("run_terminal_cmd", handle="bg-7")
        assert reply.content == "there is no background command 'bg-7'; there are: none was started"
        server.run("true", background=True)
        assert "there are: bg-1" in server.call("run_terminal_cmd", handle="bg-7").content

    def test_much_output_in_the_background_does_not_block_the_server(self, server: ToolServer) -> None:
        server.run("yes", background=True)
        time.sleep(0.3)
        started = time.monotonic()
        assert server.call("list_dir").ok
        assert time.monotonic() - started < 0.5
        content = server.call("run_terminal_cmd", handle="bg-1", stop=True).content
        assert "characters left out here" in content

    def test_the_number_of_background_commands_is_limited(self, server: ToolServer) -> None:
        for _ in range(16):
            server.run("sleep 4411", background=True)
        reply = server.run("sleep 4411", background=True)
        assert not reply.ok
        assert reply.content.startswith(
            "16 background commands are running already; stop one first: bg-1, bg-2"
        )


class TestEdits:
    def edit(self, **fields: Any) -> dict[str, Any]:
        return {"added": 0, "removed": 0, "binary": False, "syntax_ok": None, "diff": "", **fields}

    def test_a_tool_reports_what_it_changed(self, server: ToolServer) -> None:
        added = server.call("write_file", path="d/a.py", content="x = 1\ny = (\n").edits
        assert added == [
            self.edit(
                path="d/a.py",
                change="added",
                added=2,
                syntax_ok=False,
                diff="--- /dev/null\n+++ b/d/a.py\n@@ -0,0 +1,2 @@\n+x = 1\n+y = (\n",
            )
        ]
        changed = server.call("search_replace", path="d/a.py", old="y = (\n", new="y = 2").edits
        assert changed == [
            self.edit(
                path="d/a.py",
                change="modified",
                added=1,
                removed=1,
                syntax_ok=True,
                diff=(
                    "--- a/d/a.py\n+++ b/d/a.py\n@@ -1,2 +1,2 @@\n x = 1\n-y = (\n+y = 2\n"
                    "\\ No newline at end of file\n"
                ),
            )
        ]
        deleted = server.call("delete_file", path="d/a.py").edits
        assert [(one["change"], one["added"], one["removed"]) for one in deleted] == [("deleted", 0, 2)]

    def test_a_shell_edits_too(self, server: ToolServer) -> None:
        (edit,) = server.run("seq 100 > n; sed -i 50d n").edits
        assert (edit["path"], edit["change"], edit["added"]) == ("n", "added", 99)
        (edit,) = server.run("sed -i -e 3d -e 's/^80$/eighty/' n").edits
        assert (edit["added"], edit["removed"]) == (1, 2)
        assert edit["diff"] == (
            "--- a/n\n+++ b/n\n"
            "@@ -1,6 +1,5 @@\n 1\n 2\n-3\n 4\n 5\n 6\n"
            "@@ -76,7 +75,7 @@\n 77\n 78\n 79\n-80\n+eighty\n 81\n 82\n 83\n"
        )

    def test_a_call_without_changes_reports_no_edits(self, server: ToolServer) -> None:
        server.run("echo x > a")
        assert server.run("touch a; cp a b; mv b a; mkdir d").edits == []
        assert server.call("create_directory", path="e").edits == []

    def test_a_change_that_keeps_size_and_time_is_seen(self, server: ToolServer) -> None:
        server.run("echo x > a; touch -d 2020-01-01 a")
        (edit,) = server.run("echo y > a; touch -d 2020-01-01 a").edits
        assert (edit["added"], edit["removed"]) == (1, 1)

    def test_modes_links_and_binaries(self, server: ToolServer) -> None:
        server.run("echo x > a; chmod 644 a")
        assert server.run("chmod +x a; ln -s a l; printf '\\0' > b").edits == [
            self.edit(path="a", change="modified", diff="old mode 100644\nnew mode 100755\n"),
            self.edit(path="b", change="added", binary=True, diff="--- /dev/null\n+++ b/b\n[binary]\n"),
            self.edit(
                path="l",
                change="added",
                added=1,
                diff="--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n",
            ),
        ]

    def test_git_and_caches_are_left_out(self, server: ToolServer) -> None:
        command = (
            "for d in .git __pycache__ .pytest_cache node_modules; do mkdir -p s/$d; echo > s/$d/x; done"
        )
        assert server.run(command).edits == []

    def test_changes_in_the_background_are_reported_by_the_next_call_even_one_that_reads(
        self, server: ToolServer
    ) -> None:
        server.run("while [ ! -e go ]; do sleep 0.02; done; echo late > late", background=True)
        (server.workdir / "go").touch()
        deadline = time.monotonic() + 5
        while not (server.workdir / "late").exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        time.sleep(0.1)
        assert [edit["path"] for edit in server.call("list_dir").edits] == ["go", "late"]
        assert server.call("list_dir").edits == []

    def test_files_that_exist_at_the_start_are_no_edits(self, tmp_path: Path) -> None:
        (tmp_path / "a").write_text("1\n2\n")
        with ToolServer(tmp_path) as server:
            (edit,) = server.run("echo 3 >> a").edits
        assert edit["diff"] == "--- a/a\n+++ b/a\n@@ -1,2 +1,3 @@\n 1\n 2\n+3\n"

    def test_large_files_and_large_diffs_are_bounded(self, server: ToolServer) -> None:
        (edit,) = server.run("head -c 2000000 /dev/zero | tr '\\0' x > big").edits
        assert edit["diff"].endswith("[not compared: too large, or not readable]\n")
        (edit,) = server.run("seq 100000 > many").edits
        assert edit["added"] == 100_000
        assert len(edit["diff"]) < 64 * 1024 + 100
        assert "[the diff is cut here: " in edit["diff"]

    def test_texts_without_equal_lines_are_compared_quickly(self, server: ToolServer) -> None:
        server.run("seq 1 60000 > a")
        started = time.monotonic()
        (edit,) = server.run("seq 60001 120000 > a").edits
        assert (edit["added"], edit["removed"]) == (60_000, 60_000)
        assert time.monotonic() - started < 3


@pytest.mark.engine
class TestInAContainer:
    """As in an agent's container: no capabilities, no network, root without privileges."""

    @pytest.fixture
    def server(self, tmp_path: Path) -> Iterator[ToolServer]:
        app = tmp_path / "app"
        app.mkdir()
        (app / "mine").write_text("x\n")
        os.chown(app, 0, 0)
        sealed = app / "sealed"
        sealed.write_text("secret\n")
        sealed.chmod(0o600)
        os.chown(sealed, 1234, 1234)
        (app / "shut").mkdir(mode=0o555)
        os.chown(app / "shut", 1234, 1234)
        (app / "locked").mkdir(mode=0o700)
        os.chown(app / "locked", 1234, 1234)
        options = ["--rm", "-i", "--init", "--network=none", "--cap-drop=ALL", "--memory=256m"]
        options += ["--security-opt=no-new-privileges"]
        mounts = ["-v", f"{INSIDE}:/opt/benchbench/inside:ro", "-v", f"{app}:/app"]
        serve = ["python3", "-I", "/opt/benchbench/inside", "--workdir", "/app"]
        with ToolServer(app, command=["docker", "run", *options, *mounts, BASE_IMAGE, *serve]) as running:
            yield running

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
        heading, *lines = server.run(f"for fd in /proc/{pid}/fd/*; do echo > $fd; done").content.splitlines()
        assert heading.startswith("exit code 1 ")
        assert len(lines) >= 5
        assert all(line.endswith("Permission denied") for line in lines)

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


def test_a_command_has_an_empty_input_that_is_open(server: ToolServer) -> None:
    assert "/dev/null" in server.run("readlink /proc/self/fd/0; cat").content


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
