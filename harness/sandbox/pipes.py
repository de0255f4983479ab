"""A process of this host with the interface of an attached container."""

from __future__ import annotations

import os
import select
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from harness.background import POLL_SECONDS
from harness.sandbox.base import Interrupt
from harness.sandbox.stream import STDERR, STDOUT, StreamEnded, StreamSilent
from harness.sandbox.waiting import Throttled

_CHUNK = 1 << 18
# POSIX counts in blocks of 512 bytes. Limited from outside, a program could write, or start others, before the limit.
_LIMITED = 'ulimit -f "$0" && exec "$@"'


class PipedProcess:
    """A process in its own session. `most_mb` limits each of its files. Deadlines are in `time.monotonic` seconds."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        directory: Path,
        environment: Mapping[str, str],
        most_mb: int,
        interrupt: Interrupt,
    ) -> None:
        self._interrupt = Throttled(interrupt)
        self.process = subprocess.Popen(
            ["/bin/sh", "-c", _LIMITED, str(most_mb << 11), *command],
            cwd=directory,
            env=dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self._stdin = self.process.stdin
        self._outputs = {self.process.stdout.fileno(): STDOUT, self.process.stderr.fileno(): STDERR}

    def send(self, data: bytes, *, deadline: float) -> None:
        """Writes everything to its standard input."""
        rest = memoryview(data)
        os.set_blocking(self._stdin.fileno(), False)
        while rest:
            _, writable, _ = select.select([], [self._stdin], [], max(0.0, deadline - time.monotonic()))
            if not writable:
                raise StreamSilent
            try:
                rest = rest[os.write(self._stdin.fileno(), rest) :]
            except BlockingIOError:
                continue
            except OSError as error:
                raise StreamEnded(str(error)) from error

    def frame(self, *, deadline: float) -> tuple[int, bytes]:
        """The next piece of output: which stream, and its bytes. Raises StreamEnded after the last."""
        while self._outputs:
            self._interrupt()
            left = deadline - time.monotonic()
            if left <= 0:
                raise StreamSilent
            readable, _, _ = select.select(list(self._outputs), [], [], min(left, POLL_SECONDS))
            for fd in readable:
                data = os.read(fd, _CHUNK)
                if data:
                    return self._outputs[fd], data
                del self._outputs[fd]
        raise StreamEnded

    def end_input(self) -> None:
        """Closes its standard input."""
        self._stdin.close()

    def close(self) -> None:
        """Closes its streams and reaps it. It must be ending."""
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()
        try:
            self.process.wait(POLL_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
