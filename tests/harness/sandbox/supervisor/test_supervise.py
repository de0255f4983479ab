"""The supervisor of a test run: its parts in a process of root's, and all of it in grading containers."""

from __future__ import annotations

import array
import ast
import os
import signal
import socket
import struct
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.sandbox.engine.image_recipes import SUPERVISOR_SOURCE
from harness.sandbox.supervisor import supervise
from harness.sandbox.supervisor.supervise import CODE as CODE_USER
from harness.sandbox.supervisor.supervise import Client, delete, start
from tests.harness.sandbox.clean import CODE, Clean

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="starts programs as other users, which root may")


def test_it_is_python_3_8() -> None:
    ast.parse((SUPERVISOR_SOURCE / "supervise.py").read_text("utf-8"), feature_version=(3, 8))


def test_deletions_have_odd_names_and_do_not_follow_links(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept/file").touch()
    (tmp_path / "tree/deep").mkdir(parents=True)
    (tmp_path / "two\nlines").touch()
    (tmp_path / "link").symlink_to(tmp_path / "kept")
    names = [tmp_path / name for name in ("tree", "two\nlines", "link", "missing", "kept/file/below")]
    listed = tmp_path / "listed"
    listed.write_bytes(b"".join(os.fsencode(name) + b"\0" for name in names))
    delete(str(listed))
    assert sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*")) == [
        "kept",
        "kept/file",
    ]


def children() -> set[str]:
    """The ids of the child processes of this process."""
    return {pid for path in Path("/proc/self/task").glob("*/children") for pid in path.read_text().split()}


@needs_root
class TestStart:
    def run(
        self, command: list[str], directory: str = "/", *, signals: bool = True, umask: int = 0o022
    ) -> tuple[int, str]:
        """Exit status and output of a command that is started as the user CODE."""
        ours, theirs = os.pipe()
        with os.fdopen(ours) as output:
            environment = {"PATH": "/usr/bin:/bin"}
            pid = start(CODE_USER, command, environment, directory, (theirs, theirs, theirs), signals, umask)
            os.close(theirs)
            text = output.read()
            return os.waitpid(pid, 0)[1], text

    def test_the_program_is_the_user_in_a_session_of_its_own_with_three_streams(self) -> None:
        script = "id -u; id -g; id -G; umask; pwd; cut -d ' ' -f 6 /proc/$$/stat; echo $$"
        status, output = self.run(["sh", "-c", script], "/usr", umask=0o027)
        *lines, session, pid = output.splitlines()
        user = str(CODE_USER)
        assert (status, lines) == (0, [user, user, user, "0027", "/usr"])
        assert session == pid

    def test_it_has_no_capabilities_and_ends_first_when_memory_is_short(self) -> None:
        _, output = self.run(
            ["sh", "-c", "grep -E 'Cap(Prm|Eff|Amb)' /proc/self/status; cat /proc/self/oom_score_adj"]
        )
        assert output.split() == ["CapPrm:", "0" * 16, "CapEff:", "0" * 16, "CapAmb:", "0" * 16, "500"]

    @pytest.mark.parametrize(("signals", "status"), [(True, signal.SIGPIPE), (False, 0)])
    def test_a_closed_pipe_ends_it_unless_it_ignores_it(self, signals: bool, status: int) -> None:
        assert self.run(["sh", "-c", "kill -PIPE $$"], signals=signals) == (status, "")

    def test_its_errors_name_what_failed_and_leave_no_process_and_no_descriptor(self, tmp_path: Path) -> None:
        before, running = set(Path("/proc/self/fd").iterdir()), children()
        null = os.open(os.devnull, os.O_RDWR)
        for command, directory, error, path in (
            (["/nonexistent"], "/", FileNotFoundError, "/nonexistent"),
            (["nonexistent"], "/", FileNotFoundError, "nonexistent"),
            (["/etc/passwd"], "/", PermissionError, "/etc/passwd"),
            (["true"], "/nonexistent", FileNotFoundError, "/nonexistent"),
            (["true"], "/proc/1/fd", PermissionError, "/proc/1/fd"),
            (["true", "x" * 200_000], "/", OSError, "true"),
        ):
            with pytest.raises(error) as failure:
                start(CODE_USER, command, {"PATH": "/usr/bin:/bin"}, directory, (null, null, null))
            assert failure.value.filename == path
        os.close(null)
        assert children() == running
        assert set(Path("/proc/self/fd").iterdir()) == before

    def test_a_process_that_is_stopped_before_it_is_the_command_is_given_up(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        class Stopped(dict[str, str]):
            def get(self, *_: object) -> str:
                os.kill(os.getpid(), signal.SIGSTOP)  # as another process of its user would
                return ""

        monkeypatch.setattr(supervise, "START_SECONDS", 0.2)
        with pytest.raises(TimeoutError):
            start(CODE_USER, ["true"], Stopped(), "/", (0, 1, 2))


class TestClient:
    @pytest.fixture
    def pair(self) -> Iterator[tuple[socket.socket, Client]]:
        theirs, ours = socket.socketpair()
        client = Client(ours)
        yield theirs, client
        client.close()
        theirs.close()

    def test_messages_arrive_whole_however_they_are_sent(self, pair: tuple[socket.socket, Client]) -> None:
        theirs, client = pair
        data = b"".join(struct.pack("!I", len(text)) + text for text in (b'{"a": 1}', b'{"b": 2}'))
        found = []
        for part in (data[:3], data[3:7], data[7:20], data[20:]):
            theirs.sendall(part)
            found.append(client.messages())
        assert found == [[], [], [{"a": 1}], [{"b": 2}]]
        theirs.close()
        with pytest.raises(EOFError):
            client.messages()

    @pytest.mark.parametrize("data", [b"\xff\xff\xff\xff", b"\0\0\0\2[", b"\0\0\0\1\xff"])
    def test_what_is_no_message_is_refused(self, pair: tuple[socket.socket, Client], data: bytes) -> None:
        theirs, client = pair
        theirs.sendall(data + b"x")
        with pytest.raises(ValueError, match=r"too long|Expecting|can't decode"):
            client.messages()

    def test_a_request_has_three_descriptors_and_further_ones_are_closed(self) -> None:
        before = len(list(Path("/proc/self/fd").iterdir()))
        theirs, ours = socket.socketpair()
        client = Client(ours)
        for sent in (2, 4):
            rights = array.array("i", [0] * sent)
            theirs.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
        assert client.messages() == []
        with pytest.raises(ValueError, match="too many descriptors"):
            client.messages()
        client.close()
        theirs.close()
        assert len(list(Path("/proc/self/fd").iterdir())) == before

    def test_a_reply_that_nobody_reads_holds_nobody_up(self, pair: tuple[socket.socket, Client]) -> None:
        _, client = pair
        for _ in range(20_000):
            client.reply({"errno": 2, "path": "x" * 100})


# What code in the process of the tests can send. Afterwards, the channel must be open for others.
HOSTILE = """
import array, json, os, socket, struct, time

NULL = os.open(os.devnull, os.O_RDWR)


def connected():
    client = socket.socket(socket.AF_UNIX)
    client.connect("/benchbench/channel")
    return client


def send(data, descriptors=()):
    client = connected()
    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))] if descriptors else []
    try:
        client.sendmsg([struct.pack("!I", len(data)) + data], rights)
        client.shutdown(socket.SHUT_WR)
        client.recv(1)
    except OSError:
        pass
    return client


def message(value, descriptors=()):
    return send(json.dumps(value).encode(), descriptors)


held = [send(b"[" * 200000)]
for value in ([], 1, None, "run", {}, {"test": 1, "status": "passed"}, {"test": "a", "status": "won"},
              {"test": "a"}, {"run": 1}, {"run": {}}, {"exit": 0, "seconds": 0}):
    held.append(message(value))
three = [NULL] * 3
good = {"command": ["true"], "environment": {}, "directory": "/", "signals": True, "umask": 18}
for change in ({"command": []}, {"command": "x"}, {"command": {}}, {"command": [1]}, {"environment": 1},
               {"environment": {"A": 1}}, {"directory": 5}, {"directory": None}, {"umask": -1}, {"umask": 1 << 70}):
    held.append(message({"run": {**good, **change}}, three))
held.append(message({"run": good}))
held.append(message({"run": good}, [NULL]))
half = connected()
half.sendall(b"\\0\\0")
many = connected()
try:
    for _ in range(30000):
        many.sendmsg([b"\\0"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", three))])
except OSError:
    pass
crowd = [connected() for _ in range(600)]
del crowd[:]
time.sleep(0.2)
message({"runner": "other"})
message({"runner": 1})
for name in ("ours", "\\udcff\\0", "n" * 9999, "\\U0001f600"):
    message({"test": name, "status": "passed"})
"""


@pytest.mark.engine
class TestInAContainer:
    def test_whatever_the_tests_send_only_results_arrive(self, clean: Clean) -> None:
        script = f"python3 tests/hostile.py; {CODE} sh -c 'id -u; ls /proc/self/fd; exit 7'; echo $?"
        result, _ = clean.run(script, tests={"tests/hostile.py": HOSTILE})
        assert (result.exit_code, result.output) == (0, f"{CODE_USER}\n0\n1\n2\n3\n7\n")  # 3: of `ls`
        names = ["ours", "??", "n" * 4_000, "\U0001f600"]
        assert result.reported == tuple((name, "passed") for name in names)

    def test_the_end_of_the_script_is_the_end_of_the_run(self, clean: Clean) -> None:
        script = """
        echo first; echo second >&2; echo third > /dev/stderr
        (setsid sh -c 'trap "" TERM HUP; while :; do echo left > $RESULTS_DIR/left; sleep 0.02; done' &)
        exec >&- 2>&-
        sleep 0.3
        kill -SEGV $$
        """
        began = time.monotonic()
        result, _ = clean.run(script)
        assert (result.exit_code, result.output) == (128 + 11, "first\nsecond\nthird\n")
        assert 0.3 <= result.seconds <= time.monotonic() - began < 50

    def test_at_the_time_out_all_programs_are_killed_and_the_output_is_complete(self, clean: Clean) -> None:
        program = "setsid sh -c 'trap \"\" TERM; echo child; exec sleep 60'"
        result, _ = clean.run(f"echo begun; {program} & head -c 60000 /dev/zero; sleep 60", timeout=2)
        assert result.exit_code is None
        assert 2 <= result.seconds < 10
        words = result.output.replace("\0", "").split()
        assert (words, result.output.count("\0")) == (["begun", "child"], 60000)

    def test_a_flood_of_output_is_bounded_and_the_script_ends(self, clean: Clean) -> None:
        result, _ = clean.run("echo first; yes | head -c 20000000; echo last; exit 9")
        assert (result.exit_code, result.output[:6], result.output[-5:]) == (9, "first\n", "last\n")
        assert len(result.output) < (1 << 20) + 100

    def test_no_user_reaches_the_supervisor_or_the_other_user(self, clean: Clean) -> None:
        probe = """
        for pid in 1 "$@"; do
            test -d /proc/$pid || echo there is no $pid
            cat /proc/$pid/environ >/dev/null 2>&1 && echo reads $pid
            ls /proc/$pid/fd >/dev/null 2>&1 && echo lists $pid
            (echo x > /proc/$pid/mem) 2>/dev/null && echo writes $pid
            (echo x > /proc/$pid/fd/1) 2>/dev/null && echo forges $pid
            kill -0 $pid 2>/dev/null && echo signals $pid
        done; echo done
        """
        script = f"""
        sleep 60 & {CODE} sh -s $PPID $$ $! < tests/probe.sh
        {CODE} sh -c 'echo $$ > /tmp/pid; exec sleep 60' &
        until test -s /tmp/pid; do sleep 0.05; done; sh tests/probe.sh $PPID $(cat /tmp/pid)
        """
        result, _ = clean.run(script, tests={"tests/probe.sh": probe})
        assert result.output == "done\ndone\n"
