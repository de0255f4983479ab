"""How fast trajectories of other tools are read, stored and counted, beside parsing their files alone.

    python -m benchmarks.import_trajectories [--runs 1000] [--form FORM …] [--big] [--megabytes 1024]

A directory of runs of about 100 KB in each form is imported into an empty SQLite database, with its counts for
analysis. The baseline parses the same files as JSON and does nothing with them. Promised: MIN_RUNS a second, in
seconds of the clock with all processes that the import may use. Exits with 1 when a promise is broken.

With `--big`, one trajectory of 1 GB in each form of a single file is imported instead, and its replay is opened in
Chromium: the import, with the index of the replay, needs at most MAX_MEMORY MB of memory, and the replay holds its
promises (`benchmarks.replay`).
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.command_line import benchmark_parser, conclude, mark
from benchmarks.database import prepare
from benchmarks.made_trajectories import FORMS, SINGLE_FILES, json_texts, write_big, write_runs

MIN_RUNS = 50.0  # a second
MAX_MEMORY = 300.0  # MB
RUNS, MEGABYTES = 1_000, 1_024
BIG_STEP = 100_000  # bytes of each step of the big trajectory
_LINE = 42  # bytes of one of its lines


def main() -> int:
    """Prints a row for each form, or for its big trajectory; 1 when a promise is broken."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--form", action="append", choices=FORMS, help="only this one; may be repeated")
    parser.add_argument("--big", action="store_true", help="one trajectory of 1 GB instead")
    parser.add_argument("--megabytes", type=int, default=MEGABYTES, help="of the big trajectory")
    parser.add_argument("--one", choices=FORMS, help=argparse.SUPPRESS)
    parser.add_argument("--path", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.path:
        return _import_big(options.path)
    if options.one:
        return 0 if _measured(options.one, options.runs) else 1
    if options.big:
        chosen = [form for form in options.form or SINGLE_FILES if form in SINGLE_FILES]
        hold = [_holds_big(form, options.megabytes) for form in chosen]
        return conclude(all(hold))
    print(f"{options.runs:,} runs of each form")
    print(f"{'':<16}{'KB each':>9}{'parsed alone':>16}{'imported':>14}{'times':>8}", flush=True)
    command = [sys.executable, "-m", "benchmarks.import_trajectories", "--runs", str(options.runs), "--one"]
    codes = [subprocess.run([*command, form], check=False).returncode for form in options.form or FORMS]
    return conclude(not any(codes))


def _measured(form: str, count: int) -> bool:
    """Imports runs of one form, in a process of its own with an empty database."""
    with tempfile.TemporaryDirectory(prefix="benchbench-") as name:
        home = Path(name)
        prepare(home)
        source = home / "in"
        source.mkdir()
        write_runs(form, source, count)
        texts = list(json_texts(source))
        began = time.perf_counter()
        for text in texts:
            json.loads(text)
        alone = time.perf_counter() - began
        size = sum(path.stat().st_size for path in source.rglob("*.*")) / count / 1e3
        del texts
        took = _imported(source, count)
        met = count / took >= MIN_RUNS
        print(
            f"{form:<16}{size:>9.0f}{count / alone:>14,.0f}/s{count / took:>12,.1f}/s{took / alone:>8.1f}{mark(met)}",
            flush=True,
        )
        return met


def _imported(directory: Path, count: int) -> float:
    from runs.intake.reported.reading import read_trajectories  # noqa: PLC0415
    from runs.intake.reported.storing import store  # noqa: PLC0415
    from runs.models import Counts  # noqa: PLC0415 - needs Django

    began = time.perf_counter()
    stored = store(read_trajectories(directory, {}))
    took = time.perf_counter() - began
    assert stored.new == Counts.objects.exclude(behaviour="").count() == count
    return took


def _holds_big(form: str, megabytes: int) -> bool:
    """Imports a big trajectory of a form and opens its replay; whether both hold."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only here

    from benchmarks import replay  # noqa: PLC0415
    from tests.browser.conftest import QUIET, chromium_path  # noqa: PLC0415
    from tests.site.serving import Served  # noqa: PLC0415

    with tempfile.TemporaryDirectory(prefix="benchbench-") as name, sync_playwright() as playwright:
        home = Path(name)
        steps = megabytes * 1024 * 1024 // BIG_STEP
        path = write_big(form, home, steps, BIG_STEP // _LINE)
        with Served(home / "data", made=False) as served:
            command = [sys.executable, "-m", "benchmarks.import_trajectories", "--path", str(path)]
            finished = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True)
            if finished.returncode:
                print(f"{form}: the import failed", flush=True)
                return False
            number, memory, seconds = map(float, finished.stdout.split())
            fits = memory <= MAX_MEMORY
            size = path.stat().st_size / 1024**2
            print(
                f"{form}, {size:,.0f} MB, {steps:,} steps: "
                f"imported in {seconds:.0f} s with {memory:.0f} MB{mark(fits)}",
                flush=True,
            )
            browser = playwright.chromium.launch(executable_path=chromium_path(), args=QUIET)
            holds = replay.report(
                "replay", *replay.measure_run(browser, f"{served.url}/runs/{number:.0f}/", steps, 9)
            )
            browser.close()
    return fits and holds


def _import_big(path: Path) -> int:
    """In a process of its own: prints the run's number, the peak of its memory in MB, and the seconds that it took."""
    prepare(path.parent / "data")
    from runs.data.replay.open_index import update_index  # noqa: PLC0415
    from runs.models import Run  # noqa: PLC0415

    took = _imported(path, 1)
    began = time.perf_counter()
    run = Run.objects.get()
    update_index(run.path)
    took += time.perf_counter() - began
    print(run.pk, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, took)
    return 0


if __name__ == "__main__":
    sys.exit(main())
