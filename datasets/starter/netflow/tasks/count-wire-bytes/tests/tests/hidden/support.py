"""Captures made without the code under test, and the command line run as a user of its own.

BENCHBENCH-CANARY dac63323-c34c-4c38-b77a-91d311237f9d
"""

from __future__ import annotations

import ipaddress
import os
import struct
import subprocess
import sys
from pathlib import Path

import pytest

try:
    from benchbench_code import directory, outside, run
except ImportError:  # not in a grading container
    from subprocess import run
    from tempfile import mkdtemp as directory

    def outside(*command):
        return list(command)

ROOT = Path(__file__).resolve().parents[2]
ETHERNET, RAW_IP = 1, 101
FIN, SYN, RST, ACK = 0x01, 0x02, 0x04, 0x10
TCP, UDP = 6, 17
# The tests and the program under test are two users that change each other's files.
os.umask(0)


@pytest.fixture
def tmp_path() -> Path:
    """A directory for both users."""
    return Path(directory())


def environment() -> dict[str, str]:
    """The environment for the code under test: it is found in the workspace, wherever the command runs."""
    values = {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}
    return {**values, "PYTHONPATH": str(ROOT)}


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "netflow", *map(str, arguments)]


def netflow(*arguments: object, stdin: bytes = b"") -> subprocess.CompletedProcess[str]:
    """Runs `netflow ARGUMENTS` to its end."""
    done = run(command(*arguments), input=stdin, capture_output=True, cwd=ROOT, env=environment(), timeout=60)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def output(*arguments: object, stdin: bytes = b"") -> str:
    """What `netflow ARGUMENTS` prints; it must succeed without a word on standard error."""
    done = netflow(*arguments, stdin=stdin)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def file_header(link_type: int = ETHERNET, magic: bytes = b"\xd4\xc3\xb2\xa1", order: str = "<") -> bytes:
    return magic + struct.pack(f"{order}HHiIII", 2, 4, 0, 0, 65535, link_type)


def record(seconds: float, frame: bytes, snap: int = 65535, order: str = "<") -> bytes:
    """A frame as it lies in a capture that was taken with snap length `snap`."""
    micros = round(seconds * 1_000_000)
    kept = frame[:snap]
    return struct.pack(f"{order}IIII", *divmod(micros, 1_000_000), len(kept), len(frame)) + kept


def ethernet(payload: bytes, ethertype: int, vlans: tuple[int, ...] = ()) -> bytes:
    tags = b"".join(struct.pack("!HH", 0x8100, vlan) for vlan in vlans)
    return bytes(range(12)) + tags + struct.pack("!H", ethertype) + payload


def ip4(source: str, destination: str, number: int, payload: bytes, options: bytes = b"", fragment: int = 0) -> bytes:
    words = 5 + len(options) // 4
    header = struct.pack("!BBHHHBBH", 0x40 | words, 0, words * 4 + len(payload), 7, fragment, 64, number, 0)
    ends = ipaddress.IPv4Address(source).packed + ipaddress.IPv4Address(destination).packed
    return header + ends + options + payload


def ip6(source: str, destination: str, number: int, payload: bytes) -> bytes:
    header = struct.pack("!IHBB", 6 << 28, len(payload), number, 64)
    return header + ipaddress.IPv6Address(source).packed + ipaddress.IPv6Address(destination).packed + payload


def tcp(source: int, destination: int, flags: int, payload: bytes = b"", options: bytes = b"") -> bytes:
    words = 5 + len(options) // 4
    return struct.pack("!HHIIBBHHH", source, destination, 1, 1, words << 4, flags, 999, 0, 0) + options + payload


def udp(source: int, destination: int, payload: bytes = b"") -> bytes:
    return struct.pack("!HHHH", source, destination, 8 + len(payload), 0) + payload


def frame4(source: str, destination: str, number: int, payload: bytes, **options: object) -> bytes:
    return ethernet(ip4(source, destination, number, payload, **options), 0x0800)


def frame6(source: str, destination: str, number: int, payload: bytes) -> bytes:
    return ethernet(ip6(source, destination, number, payload), 0x86DD)
