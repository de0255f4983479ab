"""Runs the test script of a grading container as an unprivileged user, and reports to the host.

    supervise.py TIMEOUT SCRIPT ARGUMENT

This program is root in the container; its init process starts it. The script and the test runner are the user TESTER.
Programs under test that the tests start through `benchbench_code` are the user CODE. Neither user has access to the
memory or the streams of this program and of init.

Standard output is the script's output, byte for byte. Standard error is one JSON object per line:

    {"runner": "pytest"}                          a test runner starts that reports its results; once
    {"test": "test_adds", "status": "passed"}     a result, as soon as the test runner has it
    {"exit": 1, "seconds": 2.5}                   the end of the script; `exit` is null after TIMEOUT seconds

Before the script starts, the files of the image are taken out of the kernel's cache, which all containers of an image
share. When the script has ended, every process that it has left behind is killed before the end is reported.
Python 3.8 or newer, standard library only.
"""

from __future__ import annotations

import array
import errno
import json
import os
import select
import selectors
import shutil
import signal
import socket
import stat
import struct
import sys
import time
from contextlib import suppress
from typing import IO, Any, Callable, Iterator, Mapping, Sequence

TESTER, CODE = 64101, 64102
CHANNEL = "/benchbench/channel"
DELETED = "/benchbench/deleted"
TOOLS = "/opt/benchbench/inside"
STATUSES = ("passed", "failed", "skipped", "error")
MAX_NAME = 4_000
MAX_MESSAGE = 8 << 20
MAX_TESTS = 100_000
MAX_NAMES = 16 << 20
MAX_CLIENTS = 512
STREAMS = 3
CHUNK = 1 << 18
DRAIN_SECONDS = 2.0
START_SECONDS = 10.0
PR_SET_DUMPABLE = 4
KILLED = 128


def harden() -> None:
    """Closes the memory of this process to all other processes without capabilities."""
    # Root's processes are closed to other users in any case, and a Python may have been built without ctypes.
    with suppress(ImportError, AttributeError, OSError):
        import ctypes  # noqa: PLC0415

        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def delete(listed: str) -> None:
    """Deletes the paths in a file of names that each end in NUL. Does not follow links."""
    with open(listed, "rb") as file:
        names = file.read().split(b"\0")
    os.unlink(listed)
    for name in filter(None, names):
        try:
            if stat.S_ISDIR(os.lstat(name).st_mode):
                shutil.rmtree(name)
            else:
                os.unlink(name)
        except (FileNotFoundError, NotADirectoryError):
            pass


def forget_files() -> None:
    """Takes the files of the image out of the kernel's cache."""
    sys.path.append(TOOLS)
    from page_cache import forget  # type: ignore[import-not-found]  # noqa: PLC0415

    sys.path.remove(TOOLS)
    forget("/")


def start(
    user: int,
    command: list[str],
    environment: Mapping[str, str],
    directory: str,
    streams: Sequence[int],
    signals: bool = True,
    umask: int = 0o022,
) -> int:
    """Starts `command` as this user in a session of its own, with these standard streams. Returns its process id.

    `signals`: whether SIGPIPE and SIGXFSZ end it; otherwise it ignores them.
    Raises OSError as exec and chdir do, with the path that failed.
    """
    error_out, error_in = os.pipe()
    with open(error_out, "rb", buffering=0) as errors:
        with open(error_in, "wb", buffering=0) as own:
            pid = os.fork()
            if pid == 0:
                _replace(user, command, environment, directory, streams, signals, umask, own)
        failure = _failure(pid, errors)
    if failure:
        os.waitpid(pid, 0)
        number, _, place = failure.partition(b" ")
        path = directory if place == b"directory" else command[0]
        raise OSError(int(number), os.strerror(int(number)), path)
    return pid


def _failure(pid: int, errors: IO[bytes]) -> bytes:
    """What the new process reports before it becomes the command; empty if it becomes it.

    Other processes of its user may stop it in between. Then it is killed.
    """
    ready = select.poll()
    ready.register(errors)
    if ready.poll(START_SECONDS * 1000):
        return errors.read(64)
    os.kill(pid, signal.SIGKILL)
    return str(errno.ETIMEDOUT).encode()


def _replace(
    user: int,
    command: list[str],
    environment: Mapping[str, str],
    directory: str,
    streams: Sequence[int],
    signals: bool,
    umask: int,
    errors: IO[bytes],
) -> None:
    """Replaces this process by the command. Does not return."""
    place = "start"
    try:
        os.setsid()
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        _become(user)
        os.umask(umask)
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for name in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(name, signal.SIG_DFL if signals else signal.SIG_IGN)
        place = "directory"
        os.chdir(directory)
        place = "command"
        os.execvpe(command[0], command, environment)
    except OSError as error:
        errors.write("{} {}".format(error.errno or 1, place).encode())
    finally:
        os._exit(127)


def _become(user: int) -> None:
    """Gives up root for good."""
    # A process that is out of memory ends before this program does.
    with suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("500")
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


class Client:
    """A connection of the test runner."""

    def __init__(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        self.connection = connection
        self.process: int | None = None
        self._received = b""
        self._descriptors: list[int] = []

    def messages(self) -> list[dict[str, Any]]:
        """The complete messages that have arrived. Raises EOFError at the end, ValueError for an invalid message."""
        size = socket.CMSG_SPACE(STREAMS * array.array("i").itemsize)
        data, ancillary, _, _ = self.connection.recvmsg(CHUNK, size, socket.MSG_CMSG_CLOEXEC)
        for level, kind, content in ancillary:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
                found: array.array[int] = array.array("i")
                found.frombytes(content[: len(content) - len(content) % found.itemsize])
                self._descriptors.extend(found)
        if len(self._descriptors) > STREAMS:
            raise ValueError("too many descriptors")
        if not data:
            raise EOFError
        self._received += data
        return list(self._complete())

    def _complete(self) -> Iterator[dict[str, Any]]:
        while len(self._received) >= 4:
            size = struct.unpack("!I", self._received[:4])[0]
            if size > MAX_MESSAGE:
                raise ValueError("the message is too long")
            if len(self._received) < 4 + size:
                return
            message, self._received = self._received[4 : 4 + size], self._received[4 + size :]
            yield json.loads(message.decode("utf-8"))

    def streams(self) -> list[int]:
        """The three descriptors that came with a request; the caller closes them."""
        found, self._descriptors = self._descriptors, []
        if len(found) != STREAMS:
            for descriptor in found:
                os.close(descriptor)
            raise ValueError("a request has three standard streams")
        return found

    def reply(self, message: Mapping[str, Any]) -> None:
        """Sends one line. A client that has gone, or does not read, is ignored."""
        with suppress(OSError):
            self.connection.sendall(json.dumps(message).encode() + b"\n")

    def close(self) -> None:
        """Kills the process group that it has started, waits until its first process has ended, and disconnects."""
        if self.process is not None:
            with suppress(ProcessLookupError, ChildProcessError):
                os.killpg(self.process, signal.SIGKILL)
                os.waitid(os.P_PID, self.process, os.WEXITED | os.WNOWAIT)
        for descriptor in self._descriptors:
            os.close(descriptor)
        self.connection.close()


class Supervisor:
    """The script, its output, the connections of its test runner, and the programs that it has started."""

    def __init__(self, timeout: float) -> None:
        self._timeout = timeout
        self._selector = selectors.DefaultSelector()
        self._clients: dict[socket.socket, Client] = {}
        self._runner = False
        self._tests = self._names = 0
        self._script = 0
        self._status: int | None = None

    def run(self, command: list[str]) -> None:
        """Runs the script to its end and reports it."""
        self._listen()
        began = time.monotonic()
        output = self._start(command)
        deadline = began + self._timeout
        while self._status is None and time.monotonic() < deadline:
            self._turn(deadline)
        seconds = time.monotonic() - began
        self._kill_all()
        self._drain(output)
        _report({"exit": _exit_code(self._status), "seconds": seconds})

    def _listen(self) -> None:
        reader, writer = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        self._watch(reader, lambda: self._reap(reader))
        server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        server.bind(CHANNEL)
        os.chown(CHANNEL, TESTER, 0)
        os.chmod(CHANNEL, 0o600)
        server.listen(64)
        self._watch(server, lambda: self._accept(server))

    def _watch(self, source: int | socket.socket, serve: Callable[[], object]) -> None:
        self._selector.register(source, selectors.EVENT_READ, serve)

    def _start(self, command: list[str]) -> int:
        output, script_output = os.pipe2(os.O_CLOEXEC)
        os.fchmod(script_output, 0o622)  # so that scripts can open /dev/stdout and /dev/stderr
        nothing = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
        self._watch(output, lambda: self._forward(output))
        streams = (nothing, script_output, script_output)
        self._script = start(TESTER, command, dict(os.environ), os.getcwd(), streams)
        os.close(nothing)
        os.close(script_output)
        return output

    def _turn(self, deadline: float) -> None:
        for key, _ in self._selector.select(max(0.0, deadline - time.monotonic())):
            key.data()

    def _forward(self, output: int) -> bool:
        data = os.read(output, CHUNK)
        if data:
            _write(1, data)
        else:
            self._selector.unregister(output)
        return bool(data)

    def _drain(self, output: int) -> None:
        """Passes on what is left of the output. Its writers are dead, so this ends."""
        deadline = time.monotonic() + DRAIN_SECONDS
        os.set_blocking(output, False)
        try:
            while time.monotonic() < deadline and self._forward(output):
                pass
        except (BlockingIOError, KeyError):
            pass

    def _accept(self, server: socket.socket) -> None:
        try:
            connection, _ = server.accept()
        except OSError:  # no descriptors are left
            return
        if len(self._clients) >= MAX_CLIENTS:
            connection.close()
            return
        client = self._clients[connection] = Client(connection)
        self._watch(connection, lambda: self._serve(client))

    def _serve(self, client: Client) -> None:
        try:
            for message in client.messages():
                if "run" in message:
                    self._run(client, message["run"])
                elif "runner" in message:
                    self._announce()
                else:
                    self._result(message)
        except Exception:  # whatever a client sends ends its own connection only
            self._leave(client)

    def _leave(self, client: Client) -> None:
        self._selector.unregister(client.connection)
        del self._clients[client.connection]
        client.close()

    def _announce(self) -> None:
        if not self._runner:
            self._runner = True
            _report({"runner": "pytest"})

    def _result(self, message: Mapping[str, Any]) -> None:
        """Passes on one result. Those beyond MAX_TESTS, or MAX_NAMES characters in all, are left out."""
        name, status = message["test"], message["status"]
        if not isinstance(name, str) or status not in STATUSES:
            raise ValueError("a result has a name and a status")
        name = name[:MAX_NAME].encode("utf-8", "replace").decode("utf-8").replace("\0", "?")
        self._tests += 1
        self._names += len(name)
        if self._tests <= MAX_TESTS and self._names <= MAX_NAMES:
            _report({"test": name, "status": status})

    def _run(self, client: Client, request: Mapping[str, Any]) -> None:
        """Starts a program as the user CODE. A client has one program at a time."""
        streams = client.streams()
        try:
            if client.process is not None:
                raise ValueError("the previous program still runs")
            client.process = start(
                CODE,
                request["command"],
                request["environment"],
                request["directory"],
                streams,
                request["signals"],
                request["umask"],
            )
        except OSError as error:
            client.reply({"errno": error.errno or 1, "path": error.filename})
        finally:
            for stream in streams:
                os.close(stream)

    def _reap(self, wake_up: int) -> None:
        """Collects ended children: the script, and programs whose clients wait for them."""
        os.read(wake_up, 4096)
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid == self._script:
                self._status = status
            for client in self._clients.values():
                if client.process == pid:
                    client.process = None
                    client.reply({"status": status})

    def _kill_all(self) -> None:
        """Kills every process of the container but init and this one."""
        with suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)


def _exit_code(status: int | None) -> int | None:
    """The exit code of a wait status as shells report it; None without a status."""
    if status is None:
        return None
    return KILLED + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def _report(message: Mapping[str, Any]) -> None:
    _write(2, json.dumps(message).encode() + b"\n")


def _write(stream: int, data: bytes) -> None:
    while data:
        data = data[os.write(stream, data) :]


def main(timeout: str, script: str, argument: str) -> None:
    """Prepares the container, and runs the script."""
    harden()
    delete(DELETED)
    forget_files()
    Supervisor(float(timeout)).run([_shell(os.getcwd()), script, argument])


def _shell(workdir: str) -> str:
    """The image's bash, not one that an agent left on the path; images such as Alpine's have none."""
    places = os.environ.get("PATH", os.defpath).split(os.pathsep)
    path = os.pathsep.join(place for place in places if not _is_below(place, workdir))
    return shutil.which("bash", path=path) or "/bin/sh"


def _is_below(place: str, directory: str) -> bool:
    """Whether this is, or leads to, the directory or one below it. Relative paths begin in it."""
    return os.path.commonpath([os.path.realpath(place), os.path.realpath(directory)]) == os.path.realpath(
        directory
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
