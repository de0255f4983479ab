"""What several tests need."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Iterable
from pathlib import Path

from netflow.capture import NANOSECONDS, RawPacket, write_capture
from netflow.packets import Packet, decode
from netflow.sample import ethernet, frame, ipv4, tcp, udp

ROOT = Path(__file__).resolve().parent.parent


def at(seconds: float) -> int:
    """A moment, in nanoseconds."""
    return round(seconds * NANOSECONDS)


def tcp_frame(seconds: float, source: str, destination: str, flags: int, size: int = 0) -> RawPacket:
    """A frame with a TCP segment. An end is written 'address:port'."""
    (host, port), (other, other_port) = (end.split(":") for end in (source, destination))
    segment = tcp(int(port), int(other_port), flags, bytes(size))
    return frame(at(seconds), ethernet(ipv4(host, other, 6, segment)))


def udp_frame(seconds: float, source: str, destination: str, size: int = 0) -> RawPacket:
    """A frame with a UDP datagram. An end is written 'address:port'."""
    (host, port), (other, other_port) = (end.split(":") for end in (source, destination))
    return frame(at(seconds), ethernet(ipv4(host, other, 17, udp(int(port), int(other_port), bytes(size)))))


def packets(frames: Iterable[RawPacket]) -> list[Packet]:
    """The packets in frames that all hold one."""
    decoded = [decode(raw) for raw in frames]
    assert all(decoded)
    return decoded


class WithDirectory(unittest.TestCase):
    """Gives each test a directory of its own, and the command line."""

    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = Path(directory.name)

    def capture(self, frames: Iterable[RawPacket], name: str = "test.pcap") -> str:
        """The path of a capture with these frames."""
        path = str(self.directory / name)
        write_capture(path, frames)
        return path

    def netflow(self, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess:
        """Runs the command; output is text."""
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [sys.executable, "-m", "netflow", *arguments], input=stdin, capture_output=True, env=environment
        )
        done.stdout, done.stderr = done.stdout.decode(), done.stderr.decode()
        return done
