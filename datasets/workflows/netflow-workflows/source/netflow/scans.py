"""Port scans: one source that knocks at many doors in a short time.

Only packets that open a TCP connection count. A *vertical* scan tries many ports of one host, a *horizontal* scan
tries one port of many hosts.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Hashable, Iterable
from dataclasses import dataclass

from netflow.packets import Address, Packet


@dataclass(frozen=True, slots=True)
class Scan:
    """One scan. `target` is the host (vertical) or the port (horizontal); `doors` is how many different ports or
    hosts were tried in the busiest window, `first_ns` when the window that first reached the threshold began.
    """

    kind: str
    source: Address
    target: str
    doors: int
    first_ns: int


class _Window:
    """The doors that were tried within a time."""

    def __init__(self, length_ns: int, threshold: int) -> None:
        self.length_ns = length_ns
        self.threshold = threshold
        self.doors: Counter[Hashable] = Counter()
        self.attempts: deque[tuple[int, Hashable]] = deque()
        self.most = 0
        self.first_ns = 0

    def add(self, time_ns: int, door: Hashable) -> None:
        """Counts an attempt, and forgets those that are too old by now."""
        self.attempts.append((time_ns, door))
        self.doors[door] += 1
        while time_ns - self.attempts[0][0] > self.length_ns:
            _, old = self.attempts.popleft()
            self.doors[old] -= 1
            if not self.doors[old]:
                del self.doors[old]
        if self.most < self.threshold <= len(self.doors):
            self.first_ns = self.attempts[0][0]
        self.most = max(self.most, len(self.doors))


def find_scans(packets: Iterable[Packet], window_ns: int, threshold: int) -> list[Scan]:
    """The sources that tried at least `threshold` doors within `window_ns`, sorted by source, kind and target."""
    windows: dict[tuple, _Window] = {}
    for packet in sorted(packets, key=lambda packet: packet.time_ns):
        if packet.protocol != "tcp" or not packet.opens_connection:
            continue
        vertical = ("vertical", packet.source, packet.destination)
        horizontal = ("horizontal", packet.source, packet.destination_port)
        for key, door in ((vertical, packet.destination_port), (horizontal, packet.destination)):
            if key not in windows:
                windows[key] = _Window(window_ns, threshold)
            windows[key].add(packet.time_ns, door)
    found = [(key, window) for key, window in windows.items() if window.most >= threshold]
    found.sort(key=lambda item: (item[0][1], item[0][0], item[0][2]))
    return [
        Scan(kind, source, str(target), window.most, window.first_ns)
        for (kind, source, target), window in found
    ]
