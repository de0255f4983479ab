"""Own records in the two published forms."""

from __future__ import annotations

import json
from typing import Any

from harness.patches import FileState, make_patch

BEFORE = [
    FileState("calc/sums.py", b"def add(a, b):\n    return a - b\n"),
    FileState("tests/test_sums.py", b""),
]
AFTER = [
    FileState("calc/sums.py", b"def add(a, b):\n    return a + b\n"),
    FileState(
        "tests/test_sums.py", b"from calc.sums import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n"
    ),
]
PATCH = make_patch(BEFORE, AFTER).decode()
SOURCE_PATCH = make_patch(BEFORE[:1], AFTER[:1]).decode()
TEST_PATCH = make_patch(BEFORE[1:], AFTER[1:]).decode()


def paper_record(number: int = 7, **changed: Any) -> dict[str, Any]:
    """A record in the form of the Coding Agent Evaluation Framework."""
    return {
        "id": f"calc__calc-{number}",
        "repo": "calc/calc",
        "base_commit": "0" * 40,
        "issue_number": 3,
        "issue_title": "Sums are wrong",
        "issue_body": "`add(1, 2)` is -1.\r\n",
        "pr_number": number,
        "pr_title": "Fix sums",
        "gold_patch": PATCH,
        "fail_to_pass": ["test_add"],
        "pass_to_pass": [],
        "relevant_files": ["calc/sums.py"],
        "difficulty": "easy",
        "created_at": "2025-01-02T03:04:05Z",
        "pr_url": f"https://example.org/pull/{number}",
        "issue_url": "https://example.org/issues/3",
        **changed,
    }


def swe_record(*, packed: bool = True, **changed: Any) -> dict[str, Any]:
    """A record in the form of SWE-bench. `packed`: the lists are texts."""
    lists = (["tests/test_sums.py::test_add"], ["tests/test_sums.py::test_zero"])
    return {
        "instance_id": "calc__calc-7",
        "repo": "calc/calc",
        "base_commit": "0" * 40,
        "patch": SOURCE_PATCH,
        "test_patch": TEST_PATCH,
        "problem_statement": "Sums are wrong\n`add(1, 2)` is -1.",
        "hints_text": "",
        "created_at": "2025-01-02T03:04:05Z",
        "version": "1.0",
        "FAIL_TO_PASS": json.dumps(lists[0]) if packed else lists[0],
        "PASS_TO_PASS": json.dumps(lists[1]) if packed else lists[1],
        "environment_setup_commit": "1" * 40,
        **changed,
    }
