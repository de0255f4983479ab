"""The scores of Lighthouse for every public kind of page, on a phone and on a desktop.

    python -m benchmarks.lighthouse [--only leaderboard replay] [--variants]
    python -m benchmarks.lighthouse --url http://127.0.0.1:8000 --paths / /runs/

Needs npm, its registry and a Chromium. Without `--url` the demonstration world of the tests is served, and every kind
of page that a reader can open is measured: pages that differ only in the query or in a number of their address are one
kind. `--variants` measures the others of each kind. Lighthouse is fetched in a fixed version into npm's own cache.
Promised of each page: performance of at least 97, accessibility and best practices of 100. Exits with 1 when that is
broken. SEO is shown; pages that robots.txt closes have less than 100. Scores of performance fall on a busy machine; a
page that misses is measured twice more, and its best score counts.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from http import HTTPStatus
from pathlib import Path
from typing import Any

from benchmarks.command_line import benchmark_parser, conclude
from tests.browser.conftest import CHROMIUM, chromium_path
from tests.site.kinds import KINDS
from tests.site.serving import Served

LIGHTHOUSE = "lighthouse@12.8.2"
PROMISED = {"performance": 97, "accessibility": 100, "best-practices": 100}
SHOWN = (*PROMISED, "seo")
PRESETS = {"phone": (), "desktop": ("--preset=desktop",)}
WITH_WINDOWS = CHROMIUM[1:]  # Lighthouse chooses the mode without windows itself
MEASUREMENTS = 3


def main() -> int:
    """Prints the table; 1 when a page misses the promise."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("--only", nargs="+", metavar="KIND")
    parser.add_argument("--variants", action="store_true", help="the other pages of each kind")
    parser.add_argument("--url", help="the address of a running site, without a slash at the end")
    parser.add_argument(
        "--paths", nargs="+", default=["/"], metavar="PATH", help="the pages to measure there"
    )
    options = parser.parse_args()
    if shutil.which("npx") is None or chromium_path(WITH_WINDOWS) is None:
        parser.error("npx and a Chromium are needed")
    with ExitStack() as stack:
        if options.url:
            pages = {path: options.url + path for path in options.paths}
        else:
            data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="benchbench-"))) / "data"
            served = stack.enter_context(Served(data))
            pages = {
                name: served.url + path
                for name, path in _pages(served, variants=options.variants).items()
                if name in (options.only or [name])
            }
        print(f"{'':<24}{'':<8}" + "".join(f"{name:>16}" for name in SHOWN))
        missed = [
            f"{name}, {preset}"
            for name, address in pages.items()
            for preset, flags in PRESETS.items()
            if not _line(name, preset, _best(address, flags))
        ]
    return conclude(not missed, "; ".join(missed))


def _pages(served: Served, *, variants: bool) -> dict[str, str]:
    """The names and paths of the pages: the first one of those that differ only in the query or in a number.

    With `variants` the others. A run and a reported run have addresses of one form, but not one page: names that begin
    alike are of one page.
    """
    addresses = served.addresses()
    first: dict[tuple[str, str], str] = {}
    others: list[str] = []
    for kind in KINDS:
        path = addresses[kind.name]
        shape = re.sub(r"/\d+/", "/0/", path.partition("?")[0]), kind.name.partition("-")[0]
        is_read = kind.status == HTTPStatus.OK and not kind.operator
        if is_read and first.setdefault(shape, kind.name) != kind.name:
            others.append(kind.name)
    return {name: addresses[name] for name in (others if variants else first.values())}


def _best(url: str, flags: Sequence[str]) -> dict[str, Any]:
    """The first report that meets the promise, or else the one with the best performance."""
    reports: list[dict[str, Any]] = []
    for _ in range(MEASUREMENTS):
        try:
            reports.append(_report(url, flags))
        except subprocess.CalledProcessError as error:
            print(f"    a measurement failed: {error.stderr.strip()[-300:]}")
            continue
        if all(_score(reports[-1], name) >= least for name, least in PROMISED.items()):
            return reports[-1]
    if not reports:
        raise RuntimeError(f"Lighthouse fails on {url}")
    return max(reports, key=lambda report: _score(report, "performance"))


def _report(url: str, flags: Sequence[str]) -> dict[str, Any]:
    chrome = "--chrome-flags=--headless=new --no-sandbox"
    categories = "--only-categories=" + ",".join(SHOWN)
    done = subprocess.run(
        ["npx", "--yes", LIGHTHOUSE, url, "--output=json", "--quiet", chrome, categories, *flags],
        env={**os.environ, "CHROME_PATH": chromium_path(WITH_WINDOWS) or ""},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def _score(report: dict[str, Any], category: str) -> int:
    return round(100 * (report["categories"][category]["score"] or 0))


def _line(name: str, preset: str, report: dict[str, Any]) -> bool:
    """Prints a row, and below it the audits that cost points. Returns whether the page meets the promise."""
    scores = {category: _score(report, category) for category in SHOWN}
    print(f"{name:<24}{preset:<8}" + "".join(f"{score:>16}" for score in scores.values()), flush=True)
    fine = all(scores[category] >= least for category, least in PROMISED.items())
    if not fine:
        for category in PROMISED:
            for part in report["categories"][category]["auditRefs"]:
                audit = report["audits"][part["id"]]
                if part["weight"] and audit["score"] is not None and audit["score"] < 0.9:
                    print(f"    {category}: {audit['title']} {audit.get('displayValue', '')}")
    return fine


if __name__ == "__main__":
    sys.exit(main())
