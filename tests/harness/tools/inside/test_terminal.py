"""run_terminal_cmd, in the foreground and in the background."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.harness.tools.tool_server import ToolServer, alive, gone


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
        # Several times: the command may come before the supervisor's own next step.
        for _ in range(10):
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


def test_a_command_has_an_empty_input_that_is_open(server: ToolServer) -> None:
    assert "/dev/null" in server.run("readlink /proc/self/fd/0; cat").content
