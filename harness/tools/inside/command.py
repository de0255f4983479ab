"""One shell command and everything that it starts.

Between the server and the shell runs a supervisor: a forked process that adopts the orphans of its command. All that a
command leaves behind, in its own session or not, is therefore a descendant of the supervisor and can be killed.
"""

from __future__ import annotations

import os
import signal
import time
from functools import partial

from . import kernel
from .loop import Loop

PART_BYTES = 64 * 1024  # stored of the beginning and of the end of a stream
KILL_SECONDS = 5.0
# The first byte of an order: both streams in one pipe, or separate.
_TOGETHER, _APART = b"=", b"|"


class Output:
    """Beginning and end of a stream since the last `take`, in bounded memory."""

    def __init__(self) -> None:
        self._head = bytearray()
        self._tail = bytearray()
        self._missing = 0

    def add(self, data: bytes) -> None:
        """Appends to the output."""
        room = PART_BYTES - len(self._head)
        self._head += data[:room] if room > 0 else b""
        self._tail += data[max(room, 0) :]
        surplus = len(self._tail) - PART_BYTES
        if surplus > PART_BYTES:
            del self._tail[:surplus]
            self._missing += surplus

    def take(self) -> str:
        """What arrived since the last call, as text."""
        head, tail, missing = bytes(self._head), bytes(self._tail), self._missing
        self._head.clear()
        self._tail.clear()
        self._missing = 0
        if not missing:
            return (head + tail).decode("utf-8", "replace")
        seam = f"\n[... {missing:,} bytes of output were dropped ...]\n"
        return head.decode("utf-8", "replace") + seam + tail.decode("utf-8", "replace")


class Supervisor:
    """A supervisor that waits for its command. It is forked ahead of time to make the next call faster."""

    def __init__(self, workdir: str) -> None:
        orders_end, self._orders = os.pipe()
        self.output, output_end = os.pipe()
        self.errors, errors_end = os.pipe()
        self.news, news_end = os.pipe()
        theirs = (orders_end, output_end, errors_end, news_end)
        try:
            self.pid = os.fork()
        except OSError:
            for fd in (*theirs, self._orders, self.output, self.errors, self.news):
                os.close(fd)
            raise
        if self.pid == 0:
            _supervise(workdir, *theirs)
        for fd in theirs:
            os.close(fd)

    def order(self, command: bytes, apart: bool) -> bool:
        """Starts the command, its two streams in one pipe or `apart`.

        Returns False if the supervisor was killed; it is then closed.
        """
        command = (_APART if apart else _TOGETHER) + command
        try:
            while command:
                command = command[os.write(self._orders, command) :]
        except BrokenPipeError:
            self.dismiss()
            os.close(self.output)
            os.close(self.errors)
            os.close(self.news)
            return False
        os.close(self._orders)
        return True

    def dismiss(self) -> None:
        """Ends a supervisor that has no command."""
        os.close(self._orders)
        os.waitpid(self.pid, 0)


class Command:
    """A started command. `exit_code` is None until its shell has ended; `gone`: none of its processes is left.

    `errors` stays empty unless the command's streams are apart.
    """

    def __init__(self, loop: Loop, supervisor: Supervisor, apart: bool) -> None:
        self.apart = apart
        self.output = Output()
        self.errors = Output()
        self.exit_code: int | None = None
        self.gone = False
        self.started = time.monotonic()
        self.seconds = 0.0
        self._loop = loop
        self._shell = 0
        self._news = b""
        self._supervisor = supervisor.pid
        self._open_streams = 2
        loop.watch(supervisor.output, partial(self._receive, self.output))
        loop.watch(supervisor.errors, partial(self._receive, self.errors))
        loop.watch(supervisor.news, self._receive_news)

    @property
    def ended(self) -> bool:
        """Whether the shell has ended; processes that it started may still run."""
        return self.exit_code is not None

    @property
    def drained(self) -> bool:
        """Whether all output has arrived."""
        return not self._open_streams

    def wait(self, seconds: float) -> bool:
        """Waits until the shell has ended, `seconds` at most. Returns whether it has."""
        deadline = time.monotonic() + seconds
        while not self.ended and not self._loop.closed and time.monotonic() < deadline:
            self._loop.pump(deadline - time.monotonic())
        return self.ended

    def settle(self, seconds: float) -> None:
        """Waits until all output has arrived and no process is left, `seconds` at most."""
        deadline = time.monotonic() + seconds
        while not (self.gone and self.drained) and time.monotonic() < deadline:
            self._loop.pump(deadline - time.monotonic())

    def survivors(self) -> list[int]:
        """The processes of this command that still run."""
        return [] if self.gone else sorted(self._descendants())

    def _descendants(self) -> set[int]:
        return kernel.descendants(self._supervisor, self._shell)

    def kill(self) -> None:
        """Kills all processes that this command has started. Returns when they are gone, or after a few seconds."""
        deadline = time.monotonic() + KILL_SECONDS
        while not self.gone and time.monotonic() < deadline:
            kernel.kill_found(self._descendants, deadline)
            self._loop.pump(0.02)
        self.settle(0.1)

    def _receive(self, stream: Output, data: bytes) -> None:
        if data:
            stream.add(data)
        else:
            self._open_streams -= 1

    def _receive_news(self, data: bytes) -> None:
        self._news += data
        *lines, self._news = self._news.split(b"\n")
        for line in lines:
            word, _, number = line.partition(b" ")
            if word == b"shell":
                self._shell = int(number)
            else:
                self._end(int(number))
        if not data:
            os.waitpid(self._supervisor, 0)
            if not self.ended:  # the supervisor was killed: the exit code is lost
                kernel.kill_found(self._descendants, time.monotonic() + KILL_SECONDS)
                self._end(-signal.SIGKILL)
            self.gone = True

    def _end(self, exit_code: int) -> None:
        if self.exit_code is None:
            self.exit_code = exit_code
            self.seconds = time.monotonic() - self.started


def kill_orphans() -> None:
    """Kills all descendants of this process, such as those of a command whose supervisor was killed."""
    kernel.send(signal.SIGKILL, kernel.descendants(os.getpid(), 0))


def _supervise(workdir: str, orders: int, out: int, err: int, news: int) -> None:
    """Runs the supervisor; never returns.

    The shell writes its pid to `news`, this process the shell's exit code; the end of `news` means that no process is
    left.
    """
    try:
        kernel.close_all_but(orders, out, err, news)
        kernel.adopt_orphans()
        command = b""
        while True:
            part = os.read(orders, 65536)
            if not part:
                break
            command += part
        if not command:
            return  # dismissed
        shell = os.fork()
        if shell == 0:
            _become_shell(command[1:], workdir, out, err if command[:1] == _APART else out, news)
        os.close(out)
        os.close(err)
        while True:
            pid, status = os.wait()
            if pid == shell:
                code = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
                os.write(news, b"exit %d\n" % code)
    except ChildProcessError:
        pass  # the last of them has ended
    except OSError as error:
        os.write(out, f"the command could not be started: {error}\n".encode())
        os.write(news, b"exit 126\n")
    finally:
        os._exit(0)


def _become_shell(command: bytes, workdir: str, out: int, err: int, news: int) -> None:
    try:
        os.setsid()
        # Written here, not by the supervisor: the command may kill that before it writes.
        os.write(news, b"shell %d\n" % os.getpid())
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.set_inheritable(0, True)  # if 0 was free, open returned it and dup2 did nothing
        os.dup2(out, 1)
        os.dup2(err, 2)
        os.chdir(workdir)
        kernel.die_first()
        # Python ignores these signals; a shell that inherits this never ends `yes | head`.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        shell = b"/bin/bash" if os.access("/bin/bash", os.X_OK) else b"/bin/sh"
        os.execv(shell, [shell, b"-c", command])  # noqa: S606
    except (OSError, ValueError, UnicodeError) as error:
        os.write(2, f"the command could not be started: {error}\n".encode("utf-8", "replace"))
    finally:
        os._exit(127)
