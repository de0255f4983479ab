"""Numbers about a whole capture: the summary, and who talks most."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from ipaddress import ip_network

from netflow.capture import RawPacket
from netflow.packets import Address, Packet, decode

# Upper bounds of the size classes of frames; longer ones are in a class of their own.
SIZE_CLASSES = (64, 128, 256, 512, 1024, 1518)
NETWORK_PREFIX = 24


@dataclass(slots=True)
class Count:
    """Packets and the bytes of their frames."""

    packets: int = 0
    bytes: int = 0

    def add(self, size: int) -> None:
        """Counts one frame."""
        self.packets += 1
        self.bytes += size


@dataclass(slots=True)
class Summary:
    """A capture in a few numbers. Frames without a readable IP packet count as protocol 'other'."""

    total: Count = field(default_factory=Count)
    payload: int = 0
    first_ns: int | None = None
    last_ns: int | None = None
    protocols: dict[str, Count] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_size_names(), 0))

    @property
    def duration_ns(self) -> int:
        """From the earliest to the latest frame; 0 for none or one."""
        if self.first_ns is None or self.last_ns is None:
            return 0
        return self.last_ns - self.first_ns


def summarise(frames: Iterable[RawPacket]) -> Summary:
    """The summary of a capture."""
    summary = Summary()
    for frame in frames:
        packet = decode(frame)
        size = packet.length if packet else len(frame.data)
        summary.total.add(size)
        summary.protocols.setdefault(packet.protocol if packet else "other", Count()).add(size)
        summary.payload += packet.payload if packet else 0
        first, last = summary.first_ns, summary.last_ns
        summary.first_ns = frame.time_ns if first is None else min(first, frame.time_ns)
        summary.last_ns = frame.time_ns if last is None else max(last, frame.time_ns)
        summary.sizes[_size_class(len(frame.data))] += 1
    return summary


@dataclass(slots=True)
class Talker:
    """What one address, network or port has sent and received."""

    name: str
    sent: Count = field(default_factory=Count)
    received: Count = field(default_factory=Count)

    @property
    def bytes(self) -> int:
        """Bytes in both directions."""
        return self.sent.bytes + self.received.bytes


def top_talkers(packets: Iterable[Packet], by: str, limit: int) -> list[Talker]:
    """The `limit` busiest addresses, networks or ports (`by`), most bytes first.

    Equals are sorted by number: addresses and networks by their bits, ports by protocol and number.
    """
    identify = IDENTITIES[by]
    talkers: dict[tuple, Talker] = {}
    for packet in packets:
        for address, port, sends in (
            (packet.source, packet.source_port, True),
            (packet.destination, packet.destination_port, False),
        ):
            identity = identify(packet.protocol, address, port)
            if identity is None:
                continue
            order, name = identity
            talker = talkers.setdefault(order, Talker(name))
            (talker.sent if sends else talker.received).add(packet.length)
    ranked = sorted(talkers.items(), key=lambda item: (-item[1].bytes, item[0]))
    return [talker for _, talker in ranked[:limit]]


def _by_address(_protocol: str, address: Address, _port: int) -> tuple[tuple, str] | None:
    return (address,), str(address)


def _by_network(_protocol: str, address: Address, _port: int) -> tuple[tuple, str] | None:
    network = ip_network((address, NETWORK_PREFIX), strict=False)
    return (network,), str(network)


def _by_port(protocol: str, _address: Address, port: int) -> tuple[tuple, str] | None:
    return ((protocol, port), f"{protocol}/{port}") if port else None


# How a packet's end is named: a key to sort by and a name to show, or None when the packet has no such thing.
IDENTITIES: dict[str, Callable[[str, Address, int], tuple[tuple, str] | None]] = {
    "address": _by_address,
    "network": _by_network,
    "port": _by_port,
}


def _size_names() -> list[str]:
    lower = 0
    names = []
    for upper in SIZE_CLASSES:
        names.append(f"{lower}-{upper}")
        lower = upper + 1
    return [*names, f"{lower}+"]


def _size_class(size: int) -> str:
    position = sum(size > upper for upper in SIZE_CLASSES)
    return _size_names()[position]
