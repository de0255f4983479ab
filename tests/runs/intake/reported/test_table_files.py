"""Tables as CSV, JSON lines and Parquet, plain and compressed."""

from __future__ import annotations

import gzip
import json
import lzma
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from runs.intake.reported.reported_result import ReportedResult, ResultsRefused
from runs.intake.reported.table_files import csv_rows, is_table, read_table

MORNING = datetime(2026, 1, 31, 9, 30, tzinfo=UTC)
RESULTS = [
    ReportedResult("ada", "sum", 1, "resolved", cost_usd=0.25, started_at=MORNING),
    ReportedResult(
        *("=ada", 'größer, "max"', 2, "unresolved"),
        tests_passed=0,
        tests_total=1,
        failed_tests=("test_a",),
    ),
]
CSV = (
    "agent,task,attempt,outcome,cost_usd,started_at,tests_passed,tests_total,failed_tests\n"
    "ada,sum,1,1,0.25,2026-01-31T09:30:00Z,,,\n"
    '=ada,"größer, ""max""",2,0,,,0,1,"[""test_a""]"\n'
)
JSON = (
    '{"agent": "ada", "task": "sum", "outcome": true, "cost_usd": 0.25, "started_at": "2026-01-31T09:30:00Z"}\n'
    '{"agent": "=ada", "task": "gr\\u00f6\\u00dfer, \\"max\\"", "attempt": 2, "outcome": 0, "cost_usd": null,'
    ' "tests_passed": 0, "tests_total": 1, "failed_tests": ["test_a"]}\n'
)


def _parquet(path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {
        "agent": pa.array(["ada", "=ada"]).dictionary_encode(),
        "task": pa.array(["sum", 'größer, "max"'], pa.large_string()),
        "attempt": pa.array([1, 2], pa.uint8()),
        "outcome": [True, False],
        "cost_usd": [Decimal("0.25"), None],
        "started_at": pa.array([MORNING, None], pa.timestamp("ms", "Europe/Zurich")),
        "tests_passed": [None, 0],
        "tests_total": [None, 1],
        "failed_tests": [None, ["test_a"]],
    }
    pq.write_table(pa.table(columns), path)


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("results.csv", lambda path: path.write_bytes(CSV.encode())),
        ("with a mark of UTF-8.csv", lambda path: path.write_bytes(b"\xef\xbb\xbf" + CSV.encode())),
        ("of Windows.CSV", lambda path: path.write_bytes(CSV.replace("\n", "\r\n").encode())),
        ("with empty lines.csv", lambda path: path.write_bytes(CSV.replace("\n", "\n\n").encode())),
        ("results.csv.gz", lambda path: path.write_bytes(gzip.compress(CSV.encode()))),
        ("results.csv.xz", lambda path: path.write_bytes(lzma.compress(CSV.encode(), preset=9))),
        ("compressed without saying so.csv", lambda path: path.write_bytes(gzip.compress(CSV.encode()))),
        ("results.jsonl", lambda path: path.write_text(JSON)),
        ("results.ndjson", lambda path: path.write_text("\n" + JSON.rstrip())),
        ("results.jsonl.xz", lambda path: path.write_bytes(lzma.compress(JSON.encode()))),
        ("results.parquet", _parquet),
    ],
)
def test_each_form_gives_the_same_results(name: str, write: Callable[[Path], object], tmp_path: Path) -> None:
    write(tmp_path / name)
    assert is_table(tmp_path / name)
    assert read_table(tmp_path / name) == RESULTS


@pytest.mark.parametrize("name", ["report.json", "log.eval", "results.txt", "results.gz", "csv", ".csv"])
def test_other_names_are_no_tables(name: str) -> None:
    assert not is_table(Path(name))


def test_a_row_has_the_number_of_its_line(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_text("agent,task,outcome\n\nada,sum,1\n\nada,max,2\n")
    assert [number for number, _ in csv_rows(path)] == [1, 3, 5]
    with pytest.raises(ResultsRefused, match=r"^results\.csv: row 5, column 'outcome': '2' is invalid"):
        read_table(path)


def test_names_of_20_000_tests_fit_into_a_row(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    names = [f"tests/test_module.py::TestClass::test_{number}[a-b]" for number in range(20_000)]
    row = {"agent": "ada", "task": "sum", "outcome": 0, "tests_passed": 0, "tests_total": 20_000}
    path.write_text(json.dumps({**row, "failed_tests": names}))
    assert read_table(path)[0].failed_tests == tuple(names)
