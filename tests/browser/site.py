"""A whole site as in production: `manage.py serve` in its own directory, on a free port."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

from benchbench.redis_server import socket_path

ROOT = Path(__file__).parents[2]
START_SECONDS = 180.0  # with all recorded runs, 40 on two free cores


def free_port() -> int:
    """A free TCP port."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@dataclass
class Site:
    """A running site. `environment` overrides that of this process.

    `prepared`: the data directory with which the site begins; making it takes ten seconds of CPU time.
    """

    data: Path
    environment: dict[str, str] = field(default_factory=dict)
    port: int = field(default_factory=free_port)
    own_password: str = ""  # of the operator, once the one-time password was used
    prepared: Path | None = None

    def __post_init__(self) -> None:
        self.log = self.data.parent / f"{self.data.name}.log"
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Its base URL, without a slash at the end."""
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Site:
        environment = {
            **os.environ,
            "BENCHBENCH_DATA": str(self.data),
            "PORT": str(self.port),
            "BENCHBENCH_WORKERS": "2",
            "BENCHBENCH_SHIPPED_RESULTS": "0",  # importing them takes ten seconds
            "PYTHONUNBUFFERED": "1",
            **self.environment,
        }
        if self.prepared and not self.data.exists():
            shutil.copytree(self.prepared, self.data)
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "serve"],
                cwd=ROOT,
                env=environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=_hear_the_end_of_the_terminal,  # noqa: PLW1509 - it takes no lock
            )
        try:
            self.wait_until_up()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def wait_until_up(self) -> None:
        """Returns when the site responds; else raises with its log."""
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            assert self.process is not None
            if self.process.poll() is not None:
                break
            with suppress(urllib.error.URLError, ConnectionError, TimeoutError):
                urllib.request.urlopen(f"{self.url}/healthz", timeout=2).close()
                return
            time.sleep(0.2)
        raise AssertionError(f"the site did not come up:\n{self.output()}")

    def stop(self) -> None:
        """Ctrl-C, as an operator would; the whole group is killed when that takes too long."""
        if self.process is None:
            return
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()
                raise AssertionError(f"Ctrl-C did not stop the site:\n{self.output()}") from None

    def output(self) -> str:
        """All that it has printed."""
        return self.log.read_text(encoding="utf-8", errors="replace")

    def password(self) -> str:
        """The admin's one-time password, from the file that the first start names: its output is no terminal."""
        match = re.search(r"one-time password in the file (\S+)", self.output())
        assert match, self.output()
        return Path(match.group(1)).read_text().strip()

    def processes(self) -> list[int]:
        """Every living process of this site: its data directory is in their environment.

        Redis overwrites its environment; the name of its socket gives it away.
        """
        data = f"BENCHBENCH_DATA={self.data}".encode()
        socket = f"unixsocket:{socket_path(self.data)}".encode()
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit() and int(entry.name) != os.getpid():
                with suppress(OSError):
                    ours = data in (entry / "environ").read_bytes().split(b"\0")
                    if ours or socket in (entry / "cmdline").read_bytes():
                        found.append(int(entry.name))
        return found

    def find(self, word: str) -> list[int]:
        """Processes of the site whose command line holds this, and that no keeper is."""
        lines = {pid: command_line(pid) for pid in self.processes()}
        return [pid for pid, line in lines.items() if "benchbench.supervise" not in line and word in line]


def _hear_the_end_of_the_terminal() -> None:
    """As in a terminal, also where the tests run under nohup."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def command_line(pid: int) -> str:
    """How a process was started; empty when it is gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""
