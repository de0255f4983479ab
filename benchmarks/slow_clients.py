"""What slow clients take from the readers of a site that has no proxy in front of it.

    python -m benchmarks.slow_clients [--seconds 120] [--runs 6000]

A site as `manage.py serve` starts it, with simulated runs. It is attacked three times, each time for `--seconds`: by 40
clients that send a request byte by byte or stop in its middle, by 40 clients that request large pages and exports and
read 8 bytes a second, and by all 80. A client whose connection the site closes comes back at once. Meanwhile /healthz
is requested every second, and ordinary pages and an export one after the other.

Promised: each request for /healthz is answered within 1 s, no page fails, no web process grows by more than MAX_MB.
Exits with 1 when that is broken.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import socket
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.command_line import benchmark_parser, conclude, mark
from benchmarks.database import SMALL, fill, prepare
from tests.browser.site import Site

CLIENTS = 40
MAX_SECONDS = 1.0  # for /healthz
PAGE_SECONDS = 10.0  # until a page counts as failed
MAX_MB = 100
LARGE = (
    "/exports/runs.jsonl",
    "/runs/",
    "/methods/",
    "/?columns=all",
    "/api/v1/runs?limit=200",
    "/analysis/tools/",
)
ORDINARY = (
    "/",
    "/exports/runs.jsonl",
    "/runs/",
    "/repositories/",
    "/analysis/",
    "/methods/",
    "/api/v1/agents",
)
HEAD = "Host: localhost\r\nAccept-Encoding: identity\r\n"

Attack = Callable[[str, int, int], Awaitable[None]]


@dataclass(slots=True)
class Answers:
    """How long requests took, in seconds, and how many had no response with status 200 in time."""

    seconds: list[float] = field(default_factory=list)
    failed: int = 0

    @property
    def slowest(self) -> float:
        """In seconds."""
        return max(self.seconds, default=float("inf"))


def main() -> int:
    """Prints a row for each attack; 1 when the promise is broken."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--runs", type=int, default=SMALL)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="benchbench-") as directory:
        data = Path(directory) / "data"
        data.mkdir()
        prepare(data)
        fill(options.runs)
        with Site(data, {"BENCHBENCH_ENGINE": "local", "BENCHBENCH_API_REQUESTS": "0"}) as site:
            return conclude(_attacked(site, options))


def _attacked(site: Site, options: argparse.Namespace) -> bool:
    print(
        f"{'':<24}{'/healthz':>10}{'slowest, s':>12}{'failed':>8}"
        f"{'pages':>8}{'slowest, s':>12}{'failed':>8}{'MB more':>9}"
    )
    met = True
    # Every page once, so that caches are filled before memory is compared.
    asyncio.run(_ask(site.port, iter((*LARGE, *ORDINARY) * 4), float("inf"), Answers(), 60, pause=0))
    rows: tuple[tuple[str, Sequence[Attack]], ...] = (
        ("no client", ()),
        ("40 half-sent", (half_sent,)),
        ("40 slow readers", (slow_reader,)),
        ("both", (half_sent, slow_reader)),
    )
    for name, attacks in rows:
        before = _memory(site)
        health, pages = asyncio.run(under(attacks, site.port, options.seconds if attacks else 10))
        grown = max((after - before.get(pid, after) for pid, after in _memory(site).items()), default=0.0)
        fine = health.slowest <= MAX_SECONDS and not health.failed and not pages.failed and grown <= MAX_MB
        print(
            f"{name:<24}{len(health.seconds):>10}{health.slowest:>12.3f}{health.failed:>8}"
            f"{len(pages.seconds):>8}{pages.slowest:>12.3f}{pages.failed:>8}{grown:>9.1f}{mark(fine)}",
            flush=True,
        )
        met = met and fine
    return met


async def under(
    attacks: Sequence[Attack], port: int, seconds: float, clients: int = CLIENTS
) -> tuple[Answers, Answers]:
    """The answers for /healthz and for ordinary pages while each attack has so many clients."""
    slow = [
        asyncio.create_task(_again_and_again(attack, port, number))
        for attack in attacks
        for number in range(clients)
    ]
    await asyncio.sleep(min(3, seconds / 4) if slow else 0)
    end = time.monotonic() + seconds
    health, pages = Answers(), Answers()
    try:
        await asyncio.gather(
            _ask(port, itertools.repeat("/healthz"), end, health, MAX_SECONDS, pause=min(1, seconds / 4)),
            _ask(port, itertools.cycle(ORDINARY), end, pages, PAGE_SECONDS, pause=0.2),
        )
    finally:
        for task in slow:
            task.cancel()
        await asyncio.gather(*slow, return_exceptions=True)
    return health, pages


async def half_sent(host: str, port: int, number: int) -> None:
    """A request that never ends: some clients send its head byte by byte, some its body, some stop in the middle."""
    _, writer = await asyncio.open_connection(host, port)
    head = f"POST /leaderboard/freeze/ HTTP/1.1\r\n{HEAD}"
    body = f"{head}Content-Length: 100000\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n"
    try:
        writer.write((head + "X-Slow: ", body, head[:20], body + "a=")[number % 4].encode())
        while True:
            await writer.drain()
            await asyncio.sleep(0.5)
            if number % 4 < 2:
                writer.write(b"a")
    finally:
        writer.close()


async def slow_reader(host: str, port: int, number: int) -> None:
    """A request for something large, of which 8 bytes a second are read."""
    loop = asyncio.get_running_loop()
    with socket.socket() as plain:
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        plain.setblocking(False)
        await loop.sock_connect(plain, (host, port))
        await loop.sock_sendall(plain, f"GET {LARGE[number % len(LARGE)]} HTTP/1.1\r\n{HEAD}\r\n".encode())
        while await loop.sock_recv(plain, 8):
            await asyncio.sleep(1)


async def _again_and_again(attack: Attack, port: int, number: int) -> None:
    while True:
        with contextlib.suppress(OSError):
            await attack("127.0.0.1", port, number)
        await asyncio.sleep(0.5)


async def _ask(
    port: int,
    paths: Iterator[str],
    end: float,
    answers: Answers,
    most: float,
    *,
    pause: float,
) -> None:
    """Requests one path after the other, each over a connection of its own, until `end`."""
    for path in paths:
        began = time.monotonic()
        if began >= end:
            return
        try:
            status = await asyncio.wait_for(status_of(port, path), most)
        except (OSError, EOFError, TimeoutError):
            status = 0
        answers.seconds.append(time.monotonic() - began)
        answers.failed += status != 200
        await asyncio.sleep(max(0.0, pause - answers.seconds[-1]))


async def status_of(port: int, path: str) -> int:
    """The status of a response that was read to its end."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(f"GET {path} HTTP/1.1\r\n{HEAD}Connection: close\r\n\r\n".encode())
        answer = await reader.read()
        return int(answer.split(b" ", 2)[1]) if answer else 0
    finally:
        writer.close()


def _memory(site: Site) -> dict[int, float]:
    """Process id → its memory in MB, of the web processes."""
    found = {}
    for pid in site.find("gunicorn"):
        with contextlib.suppress(OSError):
            status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
            found[pid] = int(status.partition("VmRSS:")[2].split()[0]) / 1024
    return found


if __name__ == "__main__":
    sys.exit(main())
