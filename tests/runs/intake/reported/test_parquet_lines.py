"""The program that reads Parquet in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from runs.intake.reported import parquet_lines
from runs.intake.reported.parquet_lines import MAX_LINE_LENGTH


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
    assert [row for line in done.stdout.splitlines() for row in json.loads(line)] == [
        ["agent", "outcome"],
        ["ada", 1],
        ["größe", None],
    ]
    assert (done.returncode, done.stderr) == (0, "")


def test_long_rows_have_a_line_each(tmp_path: Path) -> None:
    texts = ["a" * 1_500_000, "b", "c" * 1_500_000, *("d" for _ in range(60))]
    done = lines(write(tmp_path / "a.parquet", {"detail": texts}))
    assert [row for line in done.stdout.splitlines() for row in json.loads(line)] == [
        ["detail"],
        *([text] for text in texts),
    ]
    assert max(map(len, done.stdout.splitlines())) < MAX_LINE_LENGTH


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ({"a": ["short", "a" * MAX_LINE_LENGTH]}, "row 2 has more than 2,000,000 characters"),
        ({f"c{number}": [1] for number in range(101)}, "101 columns; at most 100 are read"),
        ({"a": [None] * 2_000_001}, "2,000,001 rows; at most 2,000,000 are read"),
    ],
)
def test_it_ends_with_1_and_the_reason(columns: dict[str, object], reason: str, tmp_path: Path) -> None:
    done = lines(write(tmp_path / "a.parquet", columns))
    assert done.returncode == 1
    assert reason in done.stderr
    assert "a" * MAX_LINE_LENGTH not in done.stdout
