"""Captures made without the code under test, and the command line run as a user of its own.

BENCHBENCH-CANARY 81d96142-47f1-44f8-a055-ec8141f48db1
"""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from ipaddress import IPv4Address
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
SYN, ACK = 0x02, 0x10
# The tests and the program under test are two users that change each other's files.
os.umask(0)


@pytest.fixture
def tmp_path() -> Path:
    """A directory for both users."""
    return Path(directory())


def environment() -> dict[str, str]:
    """The environment for the code under test: it is found in the workspace, wherever the command runs."""
    values = {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}
    return {**values, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "netflow", *map(str, arguments)]


def netflow(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Runs `netflow ARGUMENTS` to its end."""
    return run(command(*arguments), capture_output=True, text=True, cwd=ROOT, env=environment(), timeout=60)


def output(*arguments: object) -> str:
    """What `netflow ARGUMENTS` prints; it must succeed without a word on standard error."""
    done = netflow(*arguments)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def write(path: Path, records: list[bytes], cut: int = 0) -> Path:
    """A little-endian Ethernet capture of these records, without its last `cut` bytes."""
    content = b"\xd4\xc3\xb2\xa1" + struct.pack("<HHiIII", 2, 4, 0, 0, 65535, 1) + b"".join(records)
    path.write_bytes(content[: len(content) - cut])
    return path


def record(seconds: int, frame: bytes) -> bytes:
    return struct.pack("<IIII", seconds, 0, len(frame), len(frame)) + frame


def tcp(source: str, source_port: int, target: str, target_port: int, flags: int, size: int = 0) -> bytes:
    """An Ethernet frame with a TCP segment."""
    segment = struct.pack("!HHIIBBHHH", source_port, target_port, 1, 1, 0x50, flags, 999, 0, 0) + bytes(size)
    return _frame(source, target, 6, segment)


def udp(source: str, source_port: int, target: str, target_port: int, size: int = 0) -> bytes:
    """An Ethernet frame with a UDP datagram."""
    return _frame(source, target, 17, struct.pack("!HHHH", source_port, target_port, 8 + size, 0) + bytes(size))


def _frame(source: str, target: str, number: int, payload: bytes) -> bytes:
    header = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(payload), 7, 0, 64, number, 0)
    ends = IPv4Address(source).packed + IPv4Address(target).packed
    return bytes(range(12)) + b"\x08\x00" + header + ends + payload
