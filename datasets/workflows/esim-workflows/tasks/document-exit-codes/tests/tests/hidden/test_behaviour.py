"""Each example of docs/exit-codes.md ends with the exit code of its row.

BENCHBENCH-CANARY 81d96142-47f1-44f8-a055-ec8141f48db1
"""

import importlib.util
import re
import shlex
from pathlib import Path

import pytest

_spec = importlib.util.spec_from_file_location("hidden_support", Path(__file__).with_name("support.py"))
support = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(support)

program, esim = support.program, support.esim
STATUSES = ["ESIM_OK", "ESIM_REFUSED", "ESIM_USAGE", "ESIM_INVALID", "ESIM_NOT_FOUND", "ESIM_STORAGE"]


@pytest.fixture(scope="module")
def rows():
    """The cells of the rows that begin with a number."""
    text = (support.WORKSPACE / "docs" / "exit-codes.md").read_text(encoding="utf-8")
    lines = [line.strip().strip("|").split("|") for line in text.splitlines() if line.lstrip().startswith("|")]
    return [[cell.strip() for cell in line] for line in lines if line[0].strip(" `").isdigit()]


def test_there_is_one_row_for_each_code(rows):
    assert [row[0].strip("`") for row in rows] == ["0", "1", "2", "3", "4", "5"]
    assert all(len(row) == 4 for row in rows)


def test_each_row_names_its_status(rows):
    assert [row[1].strip("`") for row in rows] == STATUSES


def test_each_example_ends_with_its_code(rows, esim):
    ended = []
    for row in rows:
        example = re.fullmatch(r"`esim (.+)`", row[3])
        assert example, f"no single command in: {row[3]}"
        ended.append(str(esim.run(*shlex.split(example[1]))[0]))
    assert ended == [row[0].strip("`") for row in rows]
