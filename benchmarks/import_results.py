"""How fast results that others reported are read and stored, beside parsing their file alone.

    python -m benchmarks.import_results [--rows 100000]

A table of random results (20 agents, 500 tasks, several attempts; tokens, costs, times, names of failed tests) is
written as CSV, as JSON lines and as Parquet. Each is imported into an empty SQLite database. The baseline takes the
file apart with `csv`, `json` and `pyarrow`, and checks nothing. Promised: MIN_ROWS a second are read and stored; two
thirds of what a machine with two processors did, so that slower ones keep it, too. It did 21,500: of the 46 µs of a
row, SQLite takes 16 for the row and its 14 indexes, taking the file apart 4 to 9, checking its values 6, the rows of
the database 5, their cells 5, and the digest by which a second import is known 4.
Times are CPU times of the process and its children, so they do not depend on what else the machine does. Exits with 1
when the promise is broken.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.command_line import benchmark_parser, conclude, mark
from benchmarks.database import prepare

MIN_ROWS = 14_000
AGENTS, TASKS = 20, 500
ROWS = 100_000


def main() -> int:
    """Prints a row for each form; 1 when the promise is broken."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--one", choices=FORMS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        return 0 if _import(options.one, options.rows) else 1
    print(f"{options.rows:,} rows")
    print(f"{'':<16}{'MB':>6}{'parsed alone':>16}{'read':>12}{'read and stored':>18}{'times':>8}", flush=True)
    command = [sys.executable, "-m", "benchmarks.import_results", "--rows", str(options.rows), "--one"]
    codes = [subprocess.run([*command, form], check=False).returncode for form in FORMS]
    return conclude(not any(codes))


def _import(form: str, count: int) -> bool:
    """In a process of its own, with an empty database."""
    write, parse = FORMS[form]
    with tempfile.TemporaryDirectory(prefix="benchbench-") as name:
        path = Path(name) / f"results.{form}"
        prepare(path.parent)
        write(path, list(_rows(count)))
        return _measured(path, parse, count)


def _measured(path: Path, parse: Callable[[Path], int], count: int) -> bool:
    from runs.intake.reported.paused_collection import paused_collection  # noqa: PLC0415 - needs Django
    from runs.intake.reported.reading import read_results  # noqa: PLC0415
    from runs.intake.reported.storing import store  # noqa: PLC0415

    given = {"slug": path.suffix[1:], "title": path.name, "reported_by": "Benchmark", "version": "1"}
    began = _cpu()
    assert parse(path) == count
    alone = _cpu() - began
    began = _cpu()
    with paused_collection():
        found = read_results(path, given)
        read = _cpu() - began
        assert store(found).new == count
    whole = _cpu() - began
    met = count / whole >= MIN_ROWS
    print(
        f"{path.name:<16}{path.stat().st_size / 1e6:>6.1f}{count / alone:>14,.0f}/s{count / read:>10,.0f}/s"
        f"{count / whole:>16,.0f}/s{whole / alone:>8.1f}{mark(met)}",
        flush=True,
    )
    return met


def _cpu() -> float:
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def _rows(count: int) -> Iterator[dict[str, Any]]:
    chance = random.Random(1)
    for number in range(count):
        pair, total = number % (AGENTS * TASKS), chance.randrange(1, 30)
        failed = chance.randrange(total)
        second = f"{chance.randrange(60):02d}.{chance.randrange(10**6):06d}"
        yield {
            "agent": f"agent {pair % AGENTS}",
            "repository": f"org/repository-{pair // AGENTS % 12}",
            "task": f"task-{pair // AGENTS}",
            "attempt": number // (AGENTS * TASKS) + 1,
            "outcome": "unresolved" if failed else "resolved",
            "ending": chance.choice(("completed", "time_limit", "")),
            "tests_passed": total - failed,
            "tests_total": total,
            "failed_tests": [f"test_{test}" for test in range(failed)] if number % 10 == 0 else [],
            "prompt_tokens": chance.randrange(10**6),
            "completion_tokens": chance.randrange(10**5),
            "cost_usd": round(chance.random() * 3, 6),
            "seconds": round(chance.random() * 3_000, 3),
            "started_at": f"2026-01-{chance.randrange(1, 28):02d}T{chance.randrange(24):02d}:15:{second}Z",
        }


def _write_csv(path: Path, rows: list[dict[str, Any]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows({**row, "failed_tests": json.dumps(row["failed_tests"])} for row in rows)


def _parse_csv(path: Path) -> int:
    with path.open(newline="", encoding="utf-8") as file:
        return len([dict(row) for row in csv.DictReader(file)])


def _write_json_lines(path: Path, rows: list[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f"{json.dumps(row)}\n" for row in rows)


def _parse_json_lines(path: Path) -> int:
    with path.open(encoding="utf-8") as file:
        return len([json.loads(line) for line in file])


def _write_parquet(path: Path, rows: list[dict[str, Any]]) -> None:
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    pq.write_table(pa.Table.from_pylist(rows), path)


def _parse_parquet(path: Path) -> int:
    import pyarrow.parquet as pq  # noqa: PLC0415

    return len(pq.read_table(path).to_pylist())


FORMS: dict[str, tuple[Callable[[Path, list[dict[str, Any]]], None], Callable[[Path], int]]] = {
    "csv": (_write_csv, _parse_csv),
    "jsonl": (_write_json_lines, _parse_json_lines),
    "parquet": (_write_parquet, _parse_parquet),
}


if __name__ == "__main__":
    sys.exit(main())
