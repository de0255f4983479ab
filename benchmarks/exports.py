"""Time and memory of an export of all runs, with few runs in the database and with many.

    python -m benchmarks.exports [--runs 6000 600000]

Simulated runs go into a SQLite database of their own. Each export is read chunk by chunk through the whole stack of
middleware, as a server would send it, in a process of its own. Promised: an export adds at most MAX_MB to the memory
of a process, for any number of runs; the first chunk comes within FIRST_SECONDS; and the whole export takes at most
MAX_TIMES the time in which the same columns of all runs are read from the database at once. Times are CPU times of the
process: other time depends on the reader. Exits with 1 when a promise is broken.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.command_line import benchmark_parser, conclude, mark
from benchmarks.database import SMALL, fill, prepare

MAX_MB = 160
FIRST_SECONDS = 2.0
MAX_TIMES = 4.0
ADDRESSES = ("/exports/runs.jsonl", "/exports/runs.parquet")
BASELINE = "all rows at once"


def main() -> int:
    """Prints a table for each number of runs; 1 when a promise is broken."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("--runs", type=int, nargs="+", default=[SMALL, 600_000])
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(_one(options.one)))
        return 0
    with tempfile.TemporaryDirectory(prefix="benchbench-") as directory:
        prepare(Path(directory))
        met = [_table(count) for count in options.runs]
    return conclude(all(met))


def _table(count: int) -> bool:
    fill(count)
    print(f"\n{count:,} runs")
    print(f"{'':<26}{'first, CPU s':>14}{'all, CPU s':>12}{'MB added':>10}{'MB sent':>10}{'times':>8}")
    whole = _measured(BASELINE)
    holds = True
    for what, found in ((BASELINE, whole), *((address, _measured(address)) for address in ADDRESSES)):
        times = found["all"] / whole["all"]
        fine = what == BASELINE or (
            found["added"] <= MAX_MB
            and found["first"] <= FIRST_SECONDS
            and (times <= MAX_TIMES or count <= SMALL)
        )
        print(
            f"{what:<26}{found['first']:>14.2f}{found['all']:>12.1f}{found['added']:>10.0f}{found['sent']:>10.1f}"
            f"{times:>8.1f}{mark(fine)}",
            flush=True,
        )
        holds = holds and fine
    return holds


def _measured(what: str) -> dict[str, float]:
    """Measures in a process of its own, because a process does not return memory that it has used."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.exports", "--one", what],
        check=True,
        capture_output=True,
        text=True,
    )
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def _one(what: str) -> dict[str, float]:
    import django  # noqa: PLC0415 - its settings come from the environment

    django.setup()
    from django.test import Client  # noqa: PLC0415

    client = Client(headers={"host": "localhost"})
    client.get("/exports/runs.jsonl?agent=none").close()
    before = _megabytes()
    began = time.process_time()
    first = sent = 0.0
    if what == BASELINE:
        from runs.models import Run  # noqa: PLC0415
        from runs.transfer.run_rows import STORED  # noqa: PLC0415

        assert list(Run.objects.order_by("-pk").values_list(*STORED))
    else:
        for chunk in client.get(what):
            first = first or time.process_time() - began
            sent += len(chunk)
    whole = time.process_time() - began
    return {"first": first, "all": whole, "added": _megabytes() - before, "sent": sent / 1e6}


def _megabytes() -> float:
    """The peak memory of this process. getrusage would include that of its parent."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    sys.exit(main())
