"""For hidden tests: runs the program under test as another user, away from the tests and their runner.

    from benchbench_code import run

`run` takes the common arguments of `subprocess.run`. The program runs as a user that cannot read the hidden tests,
signal or trace the test runner, or write anything but temporary files and its own. The module exists in grading
containers only; elsewhere, `subprocess.run` is a substitute. As a script, `benchbench_code.py COMMAND ...` does the
same for tests in other languages: its standard streams and exit code are those of the command.

Both users need access to the files that they share: `directory` makes a place for them, and with `os.umask(0)` each may
change the files of the other.

Python 3.7 or newer, standard library only.
"""

from __future__ import annotations

import array
import json
import os
import selectors
import socket
import struct
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from functools import partial
from typing import IO, Any, Mapping, Sequence, Union

_Stream = Union[int, IO[Any], None]
_Text = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]
_Command = Union[_Text, Sequence[_Text]]

CHANNEL = "/benchbench/channel"
_KILLED = 128
_CHUNK = 1 << 16


def directory() -> str:
    """A new temporary directory in which the program under test may write, too."""
    path = tempfile.mkdtemp(prefix="tests-")
    os.chmod(path, 0o777)
    return path


def outside(*command: str | os.PathLike[str]) -> list[str]:
    """The command line that runs this command as the other user, for `subprocess.Popen`."""
    return [sys.executable, "-I", os.path.abspath(__file__), *(os.fspath(part) for part in command)]


def run(
    command: _Command,
    input: bytes | str | None = None,
    stdin: _Stream = None,
    stdout: _Stream = None,
    stderr: _Stream = None,
    capture_output: bool = False,
    text: bool = False,
    encoding: str | None = None,
    errors: str | None = None,
    env: Mapping[Any, Any] | None = None,
    cwd: _Text | None = None,
    timeout: float | None = None,
    check: bool = False,
    restore_signals: bool = True,
) -> subprocess.CompletedProcess[Any]:
    """Runs a program to its end and returns a `subprocess.CompletedProcess`; see there for arguments and errors."""
    if input is not None and stdin is not None:
        raise ValueError("stdin and input arguments may not both be used.")
    if capture_output and (stdout is not None or stderr is not None):
        raise ValueError("stdout and stderr arguments may not be used with capture_output.")
    text = bool(text or encoding or errors)
    encoding, errors = encoding or "utf-8", errors or "strict"
    if capture_output:
        stdout = stderr = subprocess.PIPE
    if stdin == subprocess.PIPE:
        input = "" if text else b""
    data = input.encode(encoding, errors) if text and input is not None else input  # type: ignore[union-attr]
    program = _Program(command, os.environ if env is None else env, cwd, restore_signals)
    code, out, err = program.run(data, stdin, stdout, stderr, timeout)  # type: ignore[arg-type]
    convert = partial(_decoded, encoding=encoding, errors=errors) if text else bytes
    found = [part if part is None else convert(part) for part in (out, err)]
    completed: subprocess.CompletedProcess[Any] = subprocess.CompletedProcess(command, code, *found)
    if check:
        completed.check_returncode()
    return completed


def _decoded(data: bytes, *, encoding: str, errors: str) -> str:
    return data.decode(encoding, errors).replace("\r\n", "\n").replace("\r", "\n")


def _words(command: _Command) -> list[str]:
    parts = [command] if isinstance(command, (str, bytes, os.PathLike)) else command
    return [_word(part) for part in parts]


def _word(part: _Text) -> str:
    """One argument, name or value as the system knows it. Raises ValueError for one that no program can have."""
    word = os.fsdecode(os.fsencode(part))
    if "\0" in word:
        raise ValueError("embedded null byte")
    return word


def _environment(variables: Mapping[Any, Any]) -> dict[str, str]:
    environment = {_word(key): _word(value) for key, value in variables.items()}
    if any("=" in key for key in environment):
        raise ValueError("illegal environment variable name")
    return environment


def _umask() -> int:
    """The umask of this process. Other threads may make files, so it is only set if it cannot be read."""
    with open("/proc/self/status", "rb") as file:
        for line in file:
            if line.startswith(b"Umask:"):
                return int(line.split()[1], 8)
    mask = os.umask(0)  # kernels such as gVisor's
    os.umask(mask)
    return mask


def _open_to_all(descriptor: int, bits: int) -> None:
    """Lets the other user open a pipe by its name, such as /dev/stdout."""
    if os.readlink("/proc/self/fd/{}".format(descriptor)).startswith("pipe:"):
        with suppress(OSError):  # a pipe of yet another user
            os.fchmod(descriptor, os.fstat(descriptor).st_mode & 0o777 | bits)


class _Program:
    """A program that the container's supervisor starts as another user."""

    def __init__(
        self,
        command: _Command,
        environment: Mapping[Any, Any],
        directory: _Text | None,
        restore_signals: bool,
    ) -> None:
        self._command = command
        self._call = _words(command)
        self._request = {
            "command": self._call,
            "environment": _environment(environment),
            "directory": os.path.join(os.getcwd(), _word(directory or "")),
            "signals": restore_signals,
            "umask": _umask(),
        }
        self._selector = selectors.DefaultSelector()
        self._own: list[int] = []  # descriptors to close at the end
        self._found: dict[str, list[bytes]] = {}

    def run(
        self,
        input: bytes | None,
        stdin: _Stream,
        stdout: _Stream,
        stderr: _Stream,
        timeout: float | None,
    ) -> tuple[int, bytes | None, bytes | None]:
        """Runs it: (exit code, standard output, standard error); a stream that is not a pipe gives None."""
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._start(connection, input, stdin, stdout, stderr)
            code = self._wait(connection, timeout)
        finally:
            connection.close()  # kills the program if it still runs
            self._selector.close()
            for descriptor in self._own:
                os.close(descriptor)
        return code, self._text("stdout"), self._text("stderr")

    def _start(
        self,
        connection: socket.socket,
        input: bytes | None,
        stdin: _Stream,
        stdout: _Stream,
        stderr: _Stream,
    ) -> None:
        theirs: list[int] = []
        try:
            theirs.append(self._stdin(input, stdin))
            theirs.append(self._output("stdout", stdout, 1))
            theirs.append(theirs[1] if stderr == subprocess.STDOUT else self._output("stderr", stderr, 2))
            for descriptor, bits in zip(theirs, (0o044, 0o022, 0o022)):
                _open_to_all(descriptor, bits)
            message = json.dumps({"run": self._request}).encode()
            data = memoryview(struct.pack("!I", len(message)) + message)
            rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", theirs))
            connection.connect(CHANNEL)
            connection.sendall(data[connection.sendmsg([data], [rights]) :])
        finally:
            for descriptor in set(theirs) - {0, 1, 2}:
                os.close(descriptor)

    def _stdin(self, input: bytes | None, stdin: _Stream) -> int:
        if input is None:
            return os.dup(0) if stdin is None else self._dup(stdin)
        theirs, ours = os.pipe()
        self._own.append(ours)
        os.set_blocking(ours, False)
        self._selector.register(ours, selectors.EVENT_WRITE, [memoryview(input)])
        return theirs

    def _output(self, name: str, stream: _Stream, default: int) -> int:
        if stream != subprocess.PIPE:
            return os.dup(default) if stream is None else self._dup(stream)
        ours, theirs = os.pipe()
        self._own.append(ours)
        self._found[name] = []
        self._selector.register(ours, selectors.EVENT_READ, self._found[name])
        return theirs

    def _dup(self, stream: int | IO[Any]) -> int:
        if stream == subprocess.DEVNULL:
            return os.open(os.devnull, os.O_RDWR)
        return os.dup(stream if isinstance(stream, int) else stream.fileno())

    def _wait(self, connection: socket.socket, timeout: float | None) -> int:
        """Moves data until the program has ended and its streams are closed. Returns its exit code."""
        deadline = None if timeout is None else time.monotonic() + timeout
        ended: dict[str, int] = {}
        reply = b""
        self._selector.register(connection, selectors.EVENT_READ, connection)
        while len(self._selector.get_map()):
            left = None if deadline is None else deadline - time.monotonic()
            ready = self._selector.select(left) if left is None or left > 0 else ()
            if not ready:
                self._stop(connection)
                found = [self._text(name) or None for name in ("stdout", "stderr")]
                raise subprocess.TimeoutExpired(self._command, timeout or 0.0, *found)
            for key, _ in ready:
                if key.data is not connection:
                    self._move(key)
                    continue
                reply += connection.recv(_CHUNK) or b'{"errno": 5}\n'
                if reply.endswith(b"\n"):
                    self._selector.unregister(connection)
                    ended = json.loads(reply.decode())
        if "errno" in ended:
            raise OSError(ended["errno"], os.strerror(ended["errno"]), ended.get("path"))
        status = ended["status"]
        return -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)

    def _stop(self, connection: socket.socket) -> None:
        """Returns when the program has been killed."""
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(_CHUNK):
            pass

    def _move(self, key: selectors.SelectorKey) -> None:
        if key.events & selectors.EVENT_WRITE:
            try:
                key.data[0] = key.data[0][os.write(key.fd, key.data[0][:_CHUNK]) :]
                done = not key.data[0]
            except BrokenPipeError:
                done = True
        else:
            data = os.read(key.fd, _CHUNK)
            key.data.append(data)
            done = not data
        if done:
            self._selector.unregister(key.fd)
            self._own.remove(key.fd)
            os.close(key.fd)

    def _text(self, name: str) -> bytes | None:
        return b"".join(self._found[name]) if name in self._found else None


if __name__ == "__main__":
    code = run(sys.argv[1:]).returncode
    sys.exit(code if code >= 0 else _KILLED - code)
