"""Recorded outputs and replies hold nothing of the machine on which they were recorded."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
OF_A_MACHINE = re.compile(rb"(?<![\w.])/(?:home|root|tmp|work|Users|private/var)(?:/|\\/)[^\s\"')]*")
RECORDED = ("outputs", "replies")


@pytest.mark.parametrize("directory", RECORDED)
def test_no_recorded_file_holds_a_path_of_a_machine(directory: str) -> None:
    found = {
        f"{path.relative_to(HERE)}: {path_found.decode()}"
        for path in (HERE / directory).rglob("*")
        if path.suffix in {".txt", ".json", ".jsonl", ".xml"}
        for path_found in OF_A_MACHINE.findall(path.read_bytes())
    }
    assert found == set()
