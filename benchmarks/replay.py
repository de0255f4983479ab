"""How fast a replay opens and moves in a browser, for short and for long runs.

    python -m benchmarks.replay [--visits 9]

Runs of 10 steps, of 1,000 steps and 8 MB, and of 10,000 steps and 100 MB are served as in production: gunicorn,
WhiteNoise, Redis, on this machine. Chromium opens each at steps in its middle that were not requested before, each time
as a new visitor, in a window that is open already. First byte: from the request to the first byte of the response.
First screen: until text is painted. Bytes: all that is transferred before any action of the reader. Jump: from the
request for a far step until it is painted, with a short rest on each step. Heap: of the tab's scripts, after 200 jumps
and after scrolling through the whole outline, beside its size at first. Figures are medians and are only valid on a
quiet machine. Exits with 1 when a promise is broken.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from benchmarks.command_line import benchmark_parser, conclude
from tests.browser.conftest import QUIET, chromium_path
from tests.browser.site import ROOT
from tests.site.serving import Served

SIZES = ((10, 0.1), (1_000, 8.0), (10_000, 100.0))
FIRST_BYTE, FIRST_SCREEN, JUMP = 50.0, 300.0, 100.0  # milliseconds
MAX_BYTES = 250_000
MAX_HEAP = 12.0  # MB more than at first
MAX_ROWS = 400
JUMPS_FOR_HEAP = 200
LOOKED_AT, LOOK = 40, 300.0  # of the jumps, so many rest on their step for so many milliseconds
SCROLLS = 150
WINDOW_SETTLES = 1500.0  # milliseconds

_PAINTED = """
async (number) => {
  const shown = new Promise((done) => document.addEventListener("stepchange", done, { once: true }));
  const before = performance.now();
  document.dispatchEvent(new CustomEvent("stepwanted", { detail: { number, history: "" } }));
  await shown;
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return performance.now() - before;
}
"""
_OPENED = """
() => {
  const [page] = performance.getEntriesByType("navigation");
  const [paint] = performance.getEntriesByName("first-contentful-paint");
  return [page.responseStart - page.requestStart, paint.startTime];
}
"""
_SCROLL = """
async (share) => {
  const outline = document.querySelector("[data-outline]");
  outline.scrollTop = share * outline.scrollHeight;
  await new Promise((done) => setTimeout(done, 30));
}
"""


class Opened(NamedTuple):
    """The costs of opening a replay: milliseconds and bytes."""

    first_byte: float
    first_screen: float
    bytes: float


@dataclass(frozen=True, slots=True)
class Moved:
    """The costs of moving in it: milliseconds of a jump, MB of heap before and after, and rows in the outline after."""

    jump: float
    heap: float
    heap_after: float
    rows: int


def main() -> int:
    """Prints a line for each run; 1 when a promise is broken."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("--visits", type=int, default=9)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="benchbench-") as directory, sync_playwright() as playwright:
        data = Path(directory) / "data"
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=QUIET)
        with Served(data, made=False) as served:
            print(
                f"{'run':>22}{'first byte':>13}{'first screen':>14}{'bytes':>10}{'jump':>9}{'heap':>17}{'rows':>6}"
            )
            broken = [
                name
                for (steps, megabytes), number in zip(SIZES, create_runs(data, SIZES), strict=True)
                if not report(
                    name := f"{steps:,} steps, {megabytes:g} MB",
                    *measure_run(browser, f"{served.url}/runs/{number}/", steps, options.visits),
                )
            ]
        browser.close()
    return conclude(not broken, "; ".join(broken))


def measure_run(browser: Browser, address: str, steps: int, visits: int) -> tuple[Opened, Moved]:
    """Measures one run. The first visit is not counted, because it starts with cold processes and files.

    Each visit is to another step, so that its page is not cached.
    """
    middle_step = max(1, steps // 2 - visits // 2)
    opened = [visit(browser, f"{address}?step={middle_step + number}") for number in range(visits + 1)]
    return middle(opened[1:]), walk_through(browser, f"{address}?step={steps // 2}", steps)


def report(name: str, opened: Opened, moved: Moved) -> bool:
    """Prints a line. Returns whether all promises are met."""
    heap = f"{moved.heap:.1f} → {moved.heap_after:.1f} MB"
    print(
        f"{name:>22}{opened.first_byte:10.0f} ms{opened.first_screen:11.0f} ms{opened.bytes:10,.0f}"
        f"{moved.jump:6.0f} ms{heap:>17}{moved.rows:6}",
        flush=True,
    )
    return (
        opened.first_byte <= FIRST_BYTE
        and opened.first_screen <= FIRST_SCREEN
        and opened.bytes <= MAX_BYTES
        and moved.jump <= JUMP
        and moved.heap_after - moved.heap <= MAX_HEAP
        and moved.rows <= MAX_ROWS
    )


def create_runs(data: Path, sizes: Sequence[tuple[int, float]]) -> list[int]:
    """Creates runs of these sizes in a data directory. Returns their numbers."""
    arguments = [f"{steps}:{megabytes}" for steps, megabytes in sizes]
    command = [sys.executable, "-m", "tests.runs.data.replay.long_runs", str(data), *arguments]
    finished = subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    numbers: list[int] = json.loads(finished.stdout)
    return numbers


def visit(browser: Browser, address: str) -> Opened:
    """Opens a page as a new visitor and waits until it loads nothing more."""
    with opened_page(browser) as (page, session):
        received: list[float] = []
        session.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
        page.goto(address)
        page.wait_for_load_state("networkidle")
        first_byte, first_screen = page.evaluate(_OPENED)
        return Opened(first_byte, first_screen, sum(received))


def walk_through(browser: Browser, address: str, steps: int, look: float = LOOK) -> Moved:
    """Jumps through the whole run, then scrolls through the whole outline.

    `look`: how long the first steps are looked at, in milliseconds; after 80, the steps beside one are loaded.
    """
    with opened_page(browser) as (page, session):
        page.goto(address)
        page.wait_for_load_state("networkidle")
        heap = used_heap(session)
        far = [1 + (7919 * place) % steps for place in range(1, JUMPS_FOR_HEAP + 1)]
        shown = steps // 2
        took = []
        for place, number in enumerate(far):
            if number != shown:
                took.append(page.evaluate(_PAINTED, number))
            shown = number
            if place < LOOKED_AT:
                page.wait_for_timeout(look)
        for place in range(SCROLLS + 1):
            page.evaluate(_SCROLL, place / SCROLLS)
        page.wait_for_load_state("networkidle")
        rows = page.locator("[data-rows] li").count()
        return Moved(statistics.median(took[:LOOKED_AT]), heap, used_heap(session), rows)


def used_heap(session: CDPSession) -> float:
    """The heap of the scripts in MB, after a garbage collection."""
    session.send("HeapProfiler.collectGarbage")
    size: float = session.send("Runtime.getHeapUsage")["usedSize"]
    return size / 1e6


def middle(visits: Sequence[Opened]) -> Opened:
    """The median of each measurement."""
    return Opened(*map(statistics.median, zip(*visits, strict=True)))


@contextmanager
def opened_page(browser: Browser) -> Iterator[tuple[Page, CDPSession]]:
    """A new tab of a new visitor, without cookies and cache."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    # A new window loads the browser's own pages (its address bar, for one), on the same two cores.
    page.wait_for_timeout(WINDOW_SETTLES)
    try:
        yield page, session
    finally:
        context.close()


if __name__ == "__main__":
    sys.exit(main())
