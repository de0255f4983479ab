"""Flows: packets of one conversation, both directions together.

A flow is what two endpoints exchange over one protocol until it ends, for one of four reasons:

    closed   TCP: both sides have sent FIN and another packet followed, or one side has sent RST
    idle     no packet for longer than the idle timeout
    active   the flow has lasted longer than the active timeout
    end      the capture has ended

Time is the time of the packets. Captures are not always in order; a packet that comes too late counts for its flow,
widens the flow's span where need be, and can never make a flow end that would not have ended at that moment.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from netflow.packets import FIN, RST, Address, Packet

Endpoint = tuple[Address, int]
FlowKey = tuple[str, Endpoint, Endpoint]


@dataclass(slots=True)
class Flow:
    """One flow. The client is whoever sent the first packet that we have seen."""

    protocol: str
    client: Endpoint
    server: Endpoint
    first_ns: int
    last_ns: int
    client_packets: int = 0
    client_bytes: int = 0
    server_packets: int = 0
    server_bytes: int = 0
    payload: int = 0
    reason: str = ""
    finished: set[Endpoint] = field(default_factory=set, repr=False)

    @property
    def packets(self) -> int:
        """Packets in both directions."""
        return self.client_packets + self.server_packets

    @property
    def bytes(self) -> int:
        """Bytes of the frames in both directions."""
        return self.client_bytes + self.server_bytes

    def add(self, packet: Packet) -> None:
        """Counts a packet. Sets `reason` when the packet closes the connection."""
        sender = (packet.source, packet.source_port)
        if sender == self.client:
            self.client_packets += 1
            self.client_bytes += packet.length
        else:
            self.server_packets += 1
            self.server_bytes += packet.length
        self.payload += packet.payload
        self.first_ns = min(self.first_ns, packet.time_ns)
        self.last_ns = max(self.last_ns, packet.time_ns)
        if packet.flags & RST or len(self.finished) == 2:
            self.reason = "closed"
        if packet.flags & FIN:
            self.finished.add(sender)


def key_of(packet: Packet) -> FlowKey:
    """What all packets of a flow have in common, whichever way they go."""
    source = (packet.source, packet.source_port)
    destination = (packet.destination, packet.destination_port)
    if destination < source:
        source, destination = destination, source
    return packet.protocol, source, destination


class FlowTable:
    """The flows that are open at one moment."""

    def __init__(self, idle_timeout_ns: int, active_timeout_ns: int) -> None:
        self.idle_timeout_ns = idle_timeout_ns
        self.active_timeout_ns = active_timeout_ns
        self._flows: dict[FlowKey, Flow] = {}

    def __len__(self) -> int:
        return len(self._flows)

    def add(self, packet: Packet) -> list[Flow]:
        """Takes a packet in. Returns the flows that end at it: first those that time out at the packet's time, in
        the order in which they began, then the packet's own flow where the packet closes it.
        """
        ended = self._expire(packet.time_ns)
        key = key_of(packet)
        flow = self._flows.get(key)
        if flow is None:
            flow = self._open(key, packet)
        flow.add(packet)
        if flow.reason:
            del self._flows[key]
            ended.append(flow)
        return ended

    def flush(self) -> list[Flow]:
        """Ends the flows that are left, in the order in which they began."""
        flows = list(self._flows.values())
        self._flows.clear()
        for flow in flows:
            flow.reason = "end"
        return flows

    def _open(self, key: FlowKey, packet: Packet) -> Flow:
        flow = Flow(
            protocol=packet.protocol,
            client=(packet.source, packet.source_port),
            server=(packet.destination, packet.destination_port),
            first_ns=packet.time_ns,
            last_ns=packet.time_ns,
        )
        self._flows[key] = flow
        return flow

    def _expire(self, now_ns: int) -> list[Flow]:
        ended = []
        for key, flow in list(self._flows.items()):
            if now_ns - flow.last_ns > self.idle_timeout_ns:
                flow.reason = "idle"
            elif now_ns - flow.first_ns > self.active_timeout_ns:
                flow.reason = "active"
            else:
                continue
            del self._flows[key]
            ended.append(flow)
        return ended


def collect_flows(packets: Iterable[Packet], idle_timeout_ns: int, active_timeout_ns: int) -> Iterable[Flow]:
    """All flows of a capture, in the order in which they end."""
    table = FlowTable(idle_timeout_ns, active_timeout_ns)
    flows = []
    for packet in packets:
        flows.extend(table.add(packet))
    flows.extend(table.flush())
    return flows
