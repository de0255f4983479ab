"""run_terminal_cmd: commands in the foreground and in the background."""

from __future__ import annotations

import contextlib
import signal

from .command import Command, Supervisor, kill_orphans
from .loop import Loop
from .text import RESULT_LIMIT, ToolError, clip, count, encode_exactly, on_screen

DEFAULT_SECONDS = 120.0
MAX_SECONDS = 600.0
MAX_BACKGROUND = 16
# How long to wait for more output after the end of a command whose children hold its pipes.
GRACE_SECONDS = 0.1
# How long to watch a new background command, to see whether it fails at once.
FIRST_LOOK_SECONDS = 0.25
_REMEDY = "write it to a file and read that in parts"


class Terminal:
    """All commands of this run; `close` kills them."""

    def __init__(self, loop: Loop, workdir: str) -> None:
        self._loop = loop
        self._workdir = workdir
        self._background: dict[str, Command] = {}
        self._left_behind: list[Command] = []
        self._started = 0
        self._spare: Supervisor | None = None

    @property
    def busy(self) -> bool:
        """Whether a process of an earlier command may still run."""
        commands = [*self._background.values(), *self._left_behind]
        return not all(command.gone for command in commands)

    def run(self, command: str, seconds: float = DEFAULT_SECONDS, apart: bool = False) -> str:
        """Runs to the end or to the time-out. Raises ToolError, with the output so far, on the time-out."""
        running = self._start(command, apart)
        if not running.wait(seconds):
            running.kill()
            text = (
                f"timed out after {seconds:g} s; the command and everything it had started was killed. "
                "Start servers and long work in the background; there is no input to wait for"
            )
            raise ToolError(_report(text, running))
        running.settle(GRACE_SECONDS)
        text = _ending(running)
        survivors = running.survivors()
        if survivors:
            self._left_behind.append(running)
            text += "; {} still running (pid {})".format(
                count(len(survivors), "process", "processes"), ", ".join(map(str, survivors[:5]))
            )
        return _report(text, running)

    def start(self, command: str, apart: bool = False) -> str:
        """Starts in the background; the text names the handle."""
        if sum(not one.gone for one in self._background.values()) >= MAX_BACKGROUND:
            raise ToolError(
                f"{MAX_BACKGROUND} background commands are running already; stop one first: "
                + ", ".join(name for name, one in self._background.items() if not one.gone)
            )
        running = self._start(command, apart)
        self._started += 1
        handle = f"bg-{self._started}"
        self._background[handle] = running
        running.wait(FIRST_LOOK_SECONDS)
        return _report(f"{handle}: {_state(running)}", running)

    def look(self, handle: str, seconds: float = 0.0) -> str:
        """State of a background command, and its output since the last look, after waiting for its end."""
        running = self._find(handle)
        if running.wait(seconds):
            running.settle(GRACE_SECONDS)
        else:
            self._loop.pump(0)
        return _report(f"{handle}: {_state(running)}", running)

    def stop(self, handle: str) -> str:
        """Kills a background command with everything it started; the text has its last output."""
        running = self._find(handle)
        was_running = not running.gone
        running.kill()
        return _report(f"{handle}: {'stopped' if was_running else _state(running)}", running)

    def prepare(self) -> None:
        """Forks the supervisor of the next command ahead of time."""
        if self._spare is None:
            with contextlib.suppress(OSError):  # too many processes: the next command reports it
                self._spare = Supervisor(self._workdir)

    def close(self) -> None:
        """Kills all processes that are left."""
        for command in [*self._background.values(), *self._left_behind]:
            command.kill()
        if self._spare is not None:
            self._spare.dismiss()
            self._spare = None
        kill_orphans()

    def _start(self, command: str, apart: bool) -> Command:
        self._left_behind = [one for one in self._left_behind if not one.gone]
        text = encode_exactly(command)
        supervisor, self._spare = self._spare, None
        try:
            # An earlier command may have killed the spare.
            while supervisor is None or not supervisor.order(text, apart):
                supervisor = Supervisor(self._workdir)
        except OSError as error:
            raise ToolError(
                f"no new process could be started: {error}. Too many may be running; stop some"
            ) from error
        return Command(self._loop, supervisor, apart)

    def _find(self, handle: str) -> Command:
        if handle not in self._background:
            names = ", ".join(self._background) or "none was started"
            raise ToolError(f"there is no background command {handle!r}; there are: {names}")
        return self._background[handle]


def _report(heading: str, command: Command) -> str:
    if not command.apart:
        output = on_screen(command.output.take())
        return f"{heading}\n{clip(output, _REMEDY)}" if output else f"{heading}\n[no output]"
    parts = [heading]
    for name, stream in (("stdout", command.output), ("stderr", command.errors)):
        text = on_screen(stream.take())
        parts.append(f"[{name}]\n{clip(text, _REMEDY, RESULT_LIMIT // 2)}" if text else f"[{name}: nothing]")
    return "\n".join(part[:-1] if part.endswith("\n") else part for part in parts) + "\n"


def _state(command: Command) -> str:
    return _ending(command) if command.ended else "running"


def _ending(command: Command) -> str:
    code = command.exit_code
    assert code is not None
    if code < 0:
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        return f"killed by {name} after {command.seconds:.2f} s"
    return f"exit code {code} after {command.seconds:.2f} s"
