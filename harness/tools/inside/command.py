"""One shell command and everything that it starts.

Between the server and the shell stands a keeper: a forked process that adopts the orphans of its command. So whatever
a command leaves behind, with sessions of its own or not, is found below its keeper and can be killed.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from functools import partial

from . import kernel
from .loop import Loop

KEPT_BYTES = 64 * 1024
KILL_SECONDS = 5.0
# How an order begins.
_TOGETHER, _APART = b"=", b"|"


class Output:
    """Head and tail of a stream since the last `take`; memory stays bounded however much arrives."""

    def __init__(self) -> None:
        self._head = bytearray()
        self._tail = bytearray()
        self._missing = 0

    def add(self, data: bytes) -> None:
        """Appends to what was kept."""
        room = KEPT_BYTES - len(self._head)
        self._head += data[:room] if room > 0 else b""
        self._tail += data[max(room, 0) :]
        surplus = len(self._tail) - KEPT_BYTES
        if surplus > KEPT_BYTES:
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
        seam = f"\n[... {missing:,} bytes of output were not kept ...]\n"
        return head.decode("utf-8", "replace") + seam + tail.decode("utf-8", "replace")


class Keeper:
    """A keeper that waits for its command. Forked ahead of time, it takes milliseconds off the call that needs it."""

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
            _keep(workdir, *theirs)
        for fd in theirs:
            os.close(fd)

    def order(self, command: bytes, apart: bool) -> bool:
        """Has the command started, its two streams in one pipe or `apart`.

        Returns False, and is of no more use, when somebody has killed the keeper.
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
        """Lets a keeper go that has got no command."""
        os.close(self._orders)
        os.waitpid(self.pid, 0)


class Command:
    """A started command. `exit_code` is None until its shell has ended; `gone` once nothing of it is left alive.

    `errors` stays empty unless the command's streams are apart.
    """

    def __init__(self, loop: Loop, keeper: Keeper, apart: bool) -> None:
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
        self._keeper = keeper.pid
        self._open_streams = 2
        loop.watch(keeper.output, partial(self._receive, self.output))
        loop.watch(keeper.errors, partial(self._receive, self.errors))
        loop.watch(keeper.news, self._receive_news)

    @property
    def ended(self) -> bool:
        """Whether the shell has ended; what it left behind may live on."""
        return self.exit_code is not None

    @property
    def drained(self) -> bool:
        """Whether all output is in."""
        return not self._open_streams

    def wait(self, seconds: float) -> bool:
        """Waits until the shell has ended, `seconds` at most. Returns whether it has."""
        deadline = time.monotonic() + seconds
        while not self.ended and not self._loop.closed and time.monotonic() < deadline:
            self._loop.pump(deadline - time.monotonic())
        return self.ended

    def settle(self, seconds: float) -> None:
        """Waits until all output is in and nothing is left alive, `seconds` at most."""
        deadline = time.monotonic() + seconds
        while not (self.gone and self.drained) and time.monotonic() < deadline:
            self._loop.pump(deadline - time.monotonic())

    def survivors(self) -> list[int]:
        """The processes of this command that still live."""
        return [] if self.gone else sorted(kernel.descendants(self._keeper, self._shell))

    def kill(self) -> None:
        """Kills everything that this command has started. Returns when it is gone, or after a few seconds."""
        deadline = time.monotonic() + KILL_SECONDS
        while not self.gone and time.monotonic() < deadline:
            # Stopped processes cannot fork: once nobody new appears, the list is complete.
            stopped: set[int] = set()
            while time.monotonic() < deadline:
                found = kernel.descendants(self._keeper, self._shell)
                if found <= stopped:
                    break
                _signal(found - stopped, signal.SIGSTOP)
                stopped |= found
            _signal(stopped, signal.SIGKILL)
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
            os.waitpid(self._keeper, 0)
            if not self.ended:  # somebody killed the keeper: what it kept is lost, so it ends here
                _signal(kernel.descendants(self._keeper, self._shell), signal.SIGKILL)
                self._end(-signal.SIGKILL)
            self.gone = True

    def _end(self, exit_code: int) -> None:
        if self.exit_code is None:
            self.exit_code = exit_code
            self.seconds = time.monotonic() - self.started


def kill_orphans() -> None:
    """Kills whatever still descends from this process: commands whose keeper was killed leave such."""
    _signal(kernel.descendants(os.getpid(), 0), signal.SIGKILL)


def _signal(pids: set[int], number: int) -> None:
    for pid in pids:
        with contextlib.suppress(OSError):  # it ended by itself
            os.kill(pid, number)


def _keep(workdir: str, orders: int, out: int, err: int, news: int) -> None:
    """The keeper's life; never returns. Tells the shell's pid, its exit code, and by its own end that all is over."""
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
            _become_shell(command[1:], workdir, out, err if command[:1] == _APART else out)
        os.write(news, b"shell %d\n" % shell)
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


def _become_shell(command: bytes, workdir: str, out: int, err: int) -> None:
    try:
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.set_inheritable(0, True)  # 0 was free, so it is what was opened, and dup2 had nothing to do
        os.dup2(out, 1)
        os.dup2(err, 2)
        os.chdir(workdir)
        kernel.die_first()
        # Python ignores these for itself; a shell that inherited that would never end `yes | head`.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        shell = b"/bin/bash" if os.access("/bin/bash", os.X_OK) else b"/bin/sh"
        os.execv(shell, [shell, b"-c", command])  # noqa: S606
    except (OSError, ValueError, UnicodeError) as error:
        os.write(2, f"the command could not be started: {error}\n".encode("utf-8", "replace"))
    finally:
        os._exit(127)
