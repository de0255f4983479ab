"""Where the attempts to write outside the workspace are made, and how every place is searched for what they wrote."""

from __future__ import annotations

import os
import socket
import subprocess
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from tests.harness.attacks import Attack, calls_of
from tests.harness.writing_attacks import SESSION, SPLIT, word_of

# What holds a word was written after this moment, and the kernel alone sets the time of a file's last change. So each
# search reads the few files that are new, never the gigabytes that lie beside them.
NEW = ("-type", "f", "-newerct", f"@{time.time() - 1:.0f}")
# Fixed text first, which is quick; the words themselves only from files that have some.
EVERYWHERE = (
    f"find / -path /proc -prune -o -path /sys -prune -o %s{' '.join(NEW)} -exec grep -aFl '{SPLIT}' {{}} + "
    f"2>/dev/null | while IFS= read -r f; do grep -ahoE 'word-[a-z0-9]+-{SPLIT}' \"$f\"; done"
)


class Listeners:
    """The host's ends of the attacks that send: a port (TCP and UDP) and an abstract local socket."""

    def __init__(self) -> None:
        self.heard = ""
        self.abstract = f"benchbench-{SESSION}"
        self._tcp = socket.create_server(("0.0.0.0", 0))
        self.port: int = self._tcp.getsockname()[1]
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.bind(("0.0.0.0", self.port))
        self._local = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._local.bind(f"\0{self.abstract}")
        for listen in (self._accept, self._udp.recv, self._local.recv):
            threading.Thread(target=self._hear, args=(listen,), daemon=True).start()

    def _accept(self, size: int) -> bytes:
        connection, _ = self._tcp.accept()
        with connection:
            return connection.recv(size)

    def _hear(self, listen: object) -> None:
        assert callable(listen)
        while True:
            try:
                heard = listen(999).decode("utf-8", "replace")
            except OSError:
                return
            self.heard = f"{self.heard}{heard}\n"


@dataclass
class World:
    """Where everything happens, and what is found where in the end."""

    root: Path
    host: Path = field(init=False)
    listeners: Listeners = field(default_factory=Listeners)
    process: subprocess.Popen[bytes] = field(init=False)

    def __post_init__(self) -> None:
        self.host = self.root / "host"
        self.host.mkdir()
        (self.host / "canary").write_text("untouched\n")
        self.process = subprocess.Popen(["sleep", "600"], start_new_session=True)

    def calls(self, attack: Attack) -> list[tuple[str, dict[str, object]]]:
        """Its calls, with everything of the host's filled in."""
        values = {"{host}": self.host, "{port}": self.listeners.port, "{abstract}": self.listeners.abstract}
        values |= {"{pid}": self.process.pid, "$HOST_SLASHES": str(self.host).replace("/", "\u2044")}
        return [
            (tool, {name: _replaced(value, values) for name, value in arguments.items()})
            for tool, arguments in calls_of(attack, word_of(attack))
        ]

    def kernel(self) -> dict[str, str]:
        """Settings and objects of the host's kernel."""
        sys = Path("/proc/sys")
        names = (
            "kernel/core_pattern",
            "kernel/hostname",
            "kernel/modprobe",
            "kernel/panic",
            "net/ipv4/ip_forward",
        )
        return {name: (sys / name).read_text() for name in names if (sys / name).exists()}

    def on_host(self) -> str:
        """Everything of the host that could hold a word: files, processes, keys, names."""
        places = [
            "/etc",
            "/root",
            "/opt",
            "/usr/local/bin",
            "/var/spool",
            "/srv",
            "/benchbench",
            str(self.host),
        ]
        places = [place for place in places if Path(place).exists()]
        command = ["find", *places, *NEW, "-exec", "grep", "-aF", SESSION, "{}", "+"]
        found = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        command = ["find", *places, "-xdev", "-name", f"*{SESSION}*"]
        found += subprocess.run(command, capture_output=True, text=True, check=False).stdout
        found += "\n".join(str(path) for path in self.host.rglob("*pwned*"))
        for process in Path("/proc").iterdir():
            if process.name.isdigit() and int(process.name) != os.getpid():
                try:
                    found += (process / "cmdline").read_bytes().decode("utf-8", "replace")
                except OSError:
                    continue
        return found + Path("/proc/keys").read_text() + Path("/proc/sys/kernel/core_pattern").read_text()


def _replaced(value: object, values: dict[str, object]) -> object:
    if isinstance(value, str):
        for name, text in values.items():
            value = value.replace(name, str(text))
    return value
