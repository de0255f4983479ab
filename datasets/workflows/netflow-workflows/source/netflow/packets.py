"""From frames to packets: Ethernet with VLAN tags, IPv4, TCP, UDP, ICMP."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address

from netflow.capture import LINK_RAW_IP, RawPacket

ETHERTYPE_IPV4 = 0x0800
# 802.1Q, 802.1ad and the number that old switches use for double tags.
ETHERTYPES_VLAN = (0x8100, 0x88A8, 0x9100)

ETHERNET_HEADER = 14
VLAN_TAG = 4
IPV4_HEADER = 20
TCP_HEADER = 20
UDP_HEADER = 8
FRAGMENT_OFFSET = 0x1FFF

# Whatever an end of a packet is named by.
Address = IPv4Address

PROTOCOLS = {1: "icmp", 6: "tcp", 17: "udp"}

FIN = 0x01
SYN = 0x02
RST = 0x04
ACK = 0x10


@dataclass(frozen=True, slots=True)
class Packet:
    """One IP packet.

    `length` counts the frame with all its headers, `payload` what TCP, UDP or another protocol carries above its own
    header. Ports and `flags` are 0 where there are none: other protocols, and later fragments.
    """

    time_ns: int
    length: int
    payload: int
    protocol: str
    source: Address
    destination: Address
    source_port: int = 0
    destination_port: int = 0
    flags: int = 0

    @property
    def opens_connection(self) -> bool:
        """Whether this is the first packet of a TCP handshake."""
        return self.flags & (SYN | ACK) == SYN


def decode(raw: RawPacket) -> Packet | None:
    """The IP packet in a frame, or None: another protocol (ARP, …), or headers that make no sense."""
    if raw.link_type == LINK_RAW_IP:
        return _decode_ipv4(raw, 0)
    data = raw.data
    offset = ETHERNET_HEADER
    ethertype = int.from_bytes(data[12:14], "big")
    while ethertype in ETHERTYPES_VLAN:
        ethertype = int.from_bytes(data[offset + 2 : offset + 4], "big")
        offset += VLAN_TAG
    if ethertype == ETHERTYPE_IPV4:
        return _decode_ipv4(raw, offset)
    return None


def _decode_ipv4(raw: RawPacket, start: int) -> Packet | None:
    header = raw.data[start : start + IPV4_HEADER]
    if len(header) < IPV4_HEADER or header[0] >> 4 != 4:
        return None
    header_length = (header[0] & 0x0F) * 4
    total_length = int.from_bytes(header[2:4], "big")
    if header_length < IPV4_HEADER or total_length < header_length:
        return None
    first_fragment = int.from_bytes(header[6:8], "big") & FRAGMENT_OFFSET == 0
    return _decode_transport(
        raw,
        start + header_length,
        number=header[9],
        source=IPv4Address(header[12:16]),
        destination=IPv4Address(header[16:20]),
        first_fragment=first_fragment,
    )


def _decode_transport(
    raw: RawPacket,
    start: int,
    *,
    number: int,
    source: Address,
    destination: Address,
    first_fragment: bool,
) -> Packet | None:
    """The packet whose transport header begins at `start`."""
    segment = raw.data[start:]
    size = len(segment)
    source_port = destination_port = flags = header_length = 0
    protocol = PROTOCOLS.get(number, f"ip-{number}")
    if protocol == "tcp" and first_fragment:
        if len(segment) < TCP_HEADER:
            return None
        header_length = (segment[12] >> 4) * 4
        flags = segment[13]
    elif protocol == "udp" and first_fragment:
        header_length = UDP_HEADER
    if header_length:
        if header_length > size:
            return None
        source_port = int.from_bytes(segment[0:2], "big")
        destination_port = int.from_bytes(segment[2:4], "big")
    return Packet(
        time_ns=raw.time_ns,
        length=len(raw.data),
        payload=size - header_length,
        protocol=protocol,
        source=source,
        destination=destination,
        source_port=source_port,
        destination_port=destination_port,
        flags=flags,
    )
