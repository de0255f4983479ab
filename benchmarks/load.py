"""Throughput and latency of a site during an evaluation.

    python -m benchmarks.load [--seconds 30] [--readers 16]

A site as `manage.py serve` starts it, with 6,000 simulated runs and the recorded ones, two web processes and its
workers, which execute runs of scripted agents meanwhile. A separate process simulates readers on this machine: each
sends its next request after the response, for leaderboards, heatmaps, windows of replays and the API. At first they are
signed in, so that no page comes from the cache: that is the baseline. Then they are not, like most readers.

Promised of the second: at least 150 requests a second, 99 of 100 served in 300 ms, none with an error. Exits with 1
when that is broken. Needs a container engine and the base image, or `--engine local`.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.command_line import benchmark_parser, conclude
from benchmarks.database import fill, prepare
from tests.browser.site import ROOT, Site

RUNS = 6_000
ATTEMPTS = 20
AGENTS = ("null", "oracle", "calibration-30", "calibration-90")
REPOSITORIES = ("netflow", "esim")  # of the dataset that ships
MIN_A_SECOND = 150
MAX_MS = 300
WARM_UP_SECONDS = 3.0
WEIGHTS = {"leaderboard": 3, "heatmap": 2, "replay": 3, "API": 2}


@dataclass(frozen=True, slots=True)
class Timing:
    """One request: its kind, its duration in seconds, and its status; 0 without a response."""

    kind: str
    seconds: float
    status: int


def main() -> int:
    """Prints both tables; 1 when the promise is broken."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--readers", type=int, default=16)
    parser.add_argument("--engine", choices=["docker", "local"], default="docker")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="benchbench-") as directory:
        data = Path(directory) / "data"
        data.mkdir()
        prepare(data)
        fill(RUNS)
        environment = {"BENCHBENCH_ENGINE": options.engine, "BENCHBENCH_API_REQUESTS": "0"}
        with Site(data, environment) as site:
            from runs.models import Run  # noqa: PLC0415 - needs Django

            _start_evaluation(site)
            addresses, session = _addresses(), _session()
            _print("signed in", _simulated(site, addresses, options, session), options.seconds)
            met = _print("not signed in", _simulated(site, addresses, options, ""), options.seconds)
            settled, going = _runs(Run.State.FINISHED), _runs(*Run.ACTIVE)
            print(f"the evaluation: {settled} runs settled meanwhile, {going} in progress")
    return conclude(met and settled + going > 0)


def simulate_readers(
    url: str, addresses: Sequence[tuple[str, str]], readers: int, seconds: float, session: str
) -> list[Timing]:
    """Simulates readers for `seconds`, after WARM_UP_SECONDS that do not count."""

    async def all_readers() -> list[Timing]:
        began = time.perf_counter() + WARM_UP_SECONDS
        tasks = [
            _read(url, addresses, seed=number, began=began, end=began + seconds, session=session)
            for number in range(readers)
        ]
        return [timing for found in await asyncio.gather(*tasks) for timing in found]

    return asyncio.run(all_readers())


async def _read(
    url: str, addresses: Sequence[tuple[str, str]], *, seed: int, began: float, end: float, session: str
) -> list[Timing]:
    """One reader: sends a request, reads the whole response, and repeats, over one connection while it is open."""
    chance = random.Random(seed)
    weights = [WEIGHTS[kind] / sum(kind == other for other, _ in addresses) for kind, _ in addresses]
    host, _, port = url.removeprefix("http://").partition(":")
    head = f"Host: {host}:{port}\r\nAccept-Encoding: gzip\r\n" + (
        f"Cookie: sessionid={session}\r\n" if session else ""
    )
    timings: list[Timing] = []
    streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
    while (now := time.perf_counter()) < end:
        ((kind, path),) = chance.choices(addresses, weights)
        try:
            if streams is None:
                streams = await asyncio.open_connection(host, int(port))
            streams[1].write(f"GET {path} HTTP/1.1\r\n{head}\r\n".encode())
            status, goes_on = await asyncio.wait_for(_response(streams[0]), 30)
        except (OSError, EOFError, TimeoutError):
            status, goes_on = 0, False
        if now >= began:
            timings.append(Timing(kind, time.perf_counter() - now, status))
        if not goes_on and streams is not None:
            streams[1].close()
            streams = None
    if streams is not None:
        streams[1].close()
    return timings


async def _response(stream: asyncio.StreamReader) -> tuple[int, bool]:
    """Reads the next response; its status, and whether the connection stays open."""
    lines = (await stream.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
    if headers.get("transfer-encoding") == "chunked":
        while size := int(await stream.readuntil(b"\r\n"), 16):
            await stream.readexactly(size + 2)
        await stream.readexactly(2)
    else:
        await stream.readexactly(int(headers.get("content-length", 0)))
    return int(lines[0].split()[1]), headers.get("connection", "").lower() != "close"


def _simulated(
    site: Site, addresses: Sequence[tuple[str, str]], options: argparse.Namespace, session: str
) -> list[Timing]:
    """Simulates the readers in a process of its own, so that it does not slow down this one."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(
            simulate_readers, site.url, addresses, options.readers, options.seconds, session
        ).result()


def _start_evaluation(site: Site) -> None:
    command = [
        sys.executable,
        "manage.py",
        "start_evaluation",
        "Load",
        "--agents",
        *AGENTS,
        "--tasks",
        *REPOSITORIES,
    ]
    subprocess.run(
        [*command, "--attempts", str(ATTEMPTS)],
        cwd=ROOT,
        env={**os.environ, **site.environment, "BENCHBENCH_DATA": str(site.data)},
        check=True,
        stdout=subprocess.DEVNULL,
    )


def _addresses() -> list[tuple[str, str]]:
    """The requested paths, with their kinds."""
    from runs.models import Run  # noqa: PLC0415 - needs Django

    recorded = Run.objects.filter(state=Run.State.FINISHED, steps__gt=3).exclude(evaluation__slug="simulated")
    found = [
        ("leaderboard", "/"),
        ("leaderboard", "/?sort=-tests"),
        ("leaderboard", "/?repository=repository-0"),
    ]
    found += [("heatmap", f"/repositories/repository-{number}/") for number in range(3)]
    for run in recorded.order_by("pk")[:10]:
        found.append(("replay", f"/runs/{run.pk}/"))
        found += [("replay", f"/runs/{run.pk}/steps/{number}/") for number in (2, 3)]
        found.append(("replay", f"/runs/{run.pk}/steps/?first=0"))
    names = ("leaderboard", "runs?limit=50", "agents", "tasks", "near-misses", "evaluations")
    return found + [("API", f"/api/v1/{name}") for name in names]


def _session() -> str:
    """The session cookie of a signed-in user."""
    from django.conf import settings  # noqa: PLC0415 - needs Django
    from django.contrib.auth.models import User  # noqa: PLC0415
    from django.test import Client  # noqa: PLC0415

    client = Client()
    client.force_login(User.objects.create_user("reader"))
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def _runs(*states: str) -> int:
    """How many runs of the evaluation are in these states."""
    from runs.models import Run  # noqa: PLC0415 - needs Django

    return Run.objects.filter(evaluation__title="Load", state__in=states).count()


def _print(who: str, timings: Sequence[Timing], seconds: float) -> bool:
    """Prints a table; returns whether the promise is met."""
    by_kind: dict[str, list[Timing]] = defaultdict(list)
    for timing in timings:
        by_kind[timing.kind].append(timing)
    print(f"\n{who:<16}{'a second':>10}{'median, ms':>12}{'p95':>8}{'p99':>8}{'errors':>8}")
    for kind, found in [*sorted(by_kind.items()), ("all", list(timings))]:
        middle, high, highest = 1000 * np.quantile([timing.seconds for timing in found], [0.5, 0.95, 0.99])
        errors = sum(timing.status != 200 for timing in found)
        rate = len(found) / seconds
        print(f"{kind:<16}{rate:>10.0f}{middle:>12.1f}{high:>8.1f}{highest:>8.1f}{errors:>8}", flush=True)
    return bool(rate >= MIN_A_SECOND and highest <= MAX_MS and not errors)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    sys.exit(main())
