"""The program that reads Parquet in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from runs.reported import parquet_lines


def lines(path: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-I", parquet_lines.__file__, str(path)], capture_output=True, text=True, check=False
    )


def write(path: Path, columns: dict[str, object]) -> Path:
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table(columns), path)
    return path


def test_it_prints_the_names_of_the_columns_and_each_row(tmp_path: Path) -> None:
    done = lines(write(tmp_path / "a.parquet", {"agent": ["ada", "größe"], "outcome": [1, None]}))
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        ["agent", "outcome"],
        ["ada", 1],
        ["größe", None],
    ]
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ({f"c{number}": [1] for number in range(101)}, "101 columns; at most 100 are read"),
        ({"a": [None] * 2_000_001}, "2,000,001 rows; at most 2,000,000 are read"),
    ],
)
def test_it_ends_with_1_and_the_reason(columns: dict[str, object], reason: str, tmp_path: Path) -> None:
    done = lines(write(tmp_path / "a.parquet", columns))
    assert done.returncode == 1
    assert reason in done.stderr
    assert done.stdout == ""
