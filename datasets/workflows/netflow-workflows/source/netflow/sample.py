"""Made-up traffic, the same for the same seed: connections, name look-ups, pings and one port scan."""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator
from ipaddress import IPv4Address

from netflow.capture import NANOSECONDS, RawPacket
from netflow.packets import ACK, FIN, RST, SYN

START_NS = 1_700_000_000 * NANOSECONDS
PSH = 0x08


def ethernet(payload: bytes, ethertype: int = 0x0800, vlans: tuple[int, ...] = ()) -> bytes:
    """A frame between two fixed stations, with a tag for each of `vlans`."""
    tags = b"".join(struct.pack("!HH", 0x8100, vlan) for vlan in vlans)
    return bytes.fromhex("02000000000b02000000000a") + tags + struct.pack("!H", ethertype) + payload


def ipv4(source: str, destination: str, number: int, payload: bytes) -> bytes:
    """An IPv4 packet of protocol `number`. Its checksum is left out: nothing here looks at it."""
    header = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(payload), 0, 0, 64, number, 0)
    return header + IPv4Address(source).packed + IPv4Address(destination).packed + payload


def tcp(source_port: int, destination_port: int, flags: int, payload: bytes = b"") -> bytes:
    """A TCP segment without options."""
    return struct.pack("!HHIIBBHHH", source_port, destination_port, 0, 0, 0x50, flags, 65535, 0, 0) + payload


def udp(source_port: int, destination_port: int, payload: bytes = b"") -> bytes:
    """A UDP datagram."""
    return struct.pack("!HHHH", source_port, destination_port, 8 + len(payload), 0) + payload


def frame(time_ns: int, data: bytes) -> RawPacket:
    """A frame that was captured whole."""
    return RawPacket(time_ns, data, len(data))


def sample_frames(seed: int, connections: int) -> list[RawPacket]:
    """A capture of about ten minutes, in order of time."""
    chance = random.Random(seed)
    frames: list[RawPacket] = []
    for _ in range(connections):
        start = START_NS + chance.randrange(600 * NANOSECONDS)
        client = f"10.0.{chance.randrange(4)}.{chance.randrange(1, 255)}"
        kind = chance.choice(("web", "web", "web", "dns", "dns", "ping"))
        if kind == "web":
            frames += _connection(chance, start, client, f"192.0.2.{chance.randrange(1, 20)}")
        elif kind == "dns":
            frames += _look_up(chance, start, client)
        else:
            frames += _pings(start, client)
    frames += _scan(START_NS + 300 * NANOSECONDS)
    return sorted(frames, key=lambda raw: raw.time_ns)


def _connection(chance: random.Random, start: int, client: str, server: str) -> Iterator[RawPacket]:
    port = chance.randrange(32768, 61000)
    script = [(True, SYN, 0), (False, SYN | ACK, 0), (True, ACK, 0), (True, ACK | PSH, chance.randrange(80, 600))]
    script += [(False, ACK, 1400)] * chance.randrange(1, 8)
    script += [(False, FIN | ACK, 0), (True, FIN | ACK, 0), (False, ACK, 0)]
    for number, (up, flags, size) in enumerate(script):
        source, destination = (client, server) if up else (server, client)
        ports = (port, 443) if up else (443, port)
        segment = tcp(*ports, flags, bytes(size))
        yield frame(start + number * 15_000_000, ethernet(ipv4(source, destination, 6, segment)))


def _look_up(chance: random.Random, start: int, client: str) -> Iterator[RawPacket]:
    port = chance.randrange(32768, 61000)
    yield frame(start, ethernet(ipv4(client, "10.0.0.53", 17, udp(port, 53, bytes(32)))))
    yield frame(start + 8_000_000, ethernet(ipv4("10.0.0.53", client, 17, udp(53, port, bytes(64)))))


def _pings(start: int, client: str) -> Iterator[RawPacket]:
    for number in range(3):
        echo = bytes([8, 0]) + bytes(62)
        yield frame(start + number * NANOSECONDS, ethernet(ipv4(client, "192.0.2.1", 1, echo)))


def _scan(start: int) -> Iterator[RawPacket]:
    for number in range(40):
        segment = tcp(40000 + number, 1 + number, SYN)
        yield frame(start + number * 50_000_000, ethernet(ipv4("203.0.113.9", "10.0.0.80", 6, segment)))
        refusal = tcp(1 + number, 40000 + number, RST | ACK)
        yield frame(start + number * 50_000_000 + 900_000, ethernet(ipv4("10.0.0.80", "203.0.113.9", 6, refusal)))
