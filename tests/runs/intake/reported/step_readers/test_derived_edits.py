"""What calls say that they changed."""

from __future__ import annotations

from typing import Any

import pytest

from harness.records import FileEdit, Step, ToolCall, ToolResult
from runs.intake.reported.step_readers.derived_edits import derived_edits


def edits(tool: str, content: str = "", ok: bool | None = None, **arguments: Any) -> tuple[FileEdit, ...]:
    """The edits of a step with one call."""
    call = ToolCall("c", tool, arguments)
    return derived_edits(
        Step(1, "", "agent", "", calls=(call,), results=(ToolResult("c", content, ok, None),)), "/testbed"
    )


def lines(found: tuple[FileEdit, ...]) -> list[tuple[str, str, int, int, bool]]:
    """Path, change, added and removed lines, and whether these are known."""
    return [(one.path, one.change, one.added, one.removed, one.is_compared) for one in found]


CHANGED = ("src/a.py", "modified", 2, 1, True)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        (
            "str_replace_editor",
            {"command": "str_replace", "path": "/testbed/src/a.py", "old_str": "x\ny", "new_str": "x\nz\nz"},
        ),
        ("Edit", {"file_path": "/testbed/src/a.py", "old_string": "x\ny", "new_string": "x\nz\nz"}),
        ("MultiEdit", {"file_path": "src/a.py", "edits": [{"old_string": "y", "new_string": "z\nz"}]}),
        (
            "apply_patch",
            {"input": "*** Begin Patch\n*** Update File: src/a.py\n@@\n x\n-y\n+z\n+z\n*** End Patch"},
        ),
        (
            "shell",
            {
                "command": [
                    "bash",
                    "-lc",
                    "apply_patch <<'X'\n*** Begin Patch\n*** Update File: src/a.py\n-y\n+z\n+z\n*** End Patch\nX",
                ]
            },
        ),
    ],
)
def test_a_replaced_text_is_a_change_of_its_lines(tool: str, arguments: dict[str, Any]) -> None:
    found = edits(tool, **arguments)
    assert lines(found) == [CHANGED]
    assert found[0].diff.startswith("--- a/src/a.py\n+++ b/src/a.py\n@@ ")
    assert "somewhere in the file\n" in found[0].diff


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        (
            "str_replace_editor",
            {"command": "create", "path": "/testbed/n.py", "file_text": "a\nb\n"},
            ("n.py", "added", 2, 0, True),
        ),
        (
            "str_replace_editor",
            {"command": "insert", "path": "/testbed/n.py", "insert_line": 3, "new_str": "a"},
            ("n.py", "modified", 1, 0, True),
        ),
        ("Write", {"file_path": "/testbed/n.py", "content": "a\n"}, ("n.py", "modified", 0, 0, False)),
        ("apply_patch", {"input": "*** Add File: n.py\n+a\n+b\n"}, ("n.py", "added", 2, 0, True)),
        ("apply_patch", {"input": "*** Delete File: n.py\n"}, ("n.py", "deleted", 0, 0, False)),
        ("bash", {"command": "cat > n.py <<'EOF'\nx > y\nrm z\nEOF"}, ("n.py", "modified", 0, 0, False)),
        ("bash", {"command": "cd src && sed -i 's/a/b/' n.py"}, ("src/n.py", "modified", 0, 0, False)),
        ("bash", {"command": "rm -f n.py"}, ("n.py", "deleted", 0, 0, False)),
    ],
)
def test_other_changes_are_as_exact_as_the_call(
    tool: str, arguments: dict[str, Any], expected: tuple[str, str, int, int, bool]
) -> None:
    assert lines(edits(tool, **arguments)) == [expected]


@pytest.mark.parametrize(
    ("tool", "arguments", "content", "ok"),
    [
        ("Edit", {"file_path": "/testbed/a.py", "old_string": "a", "new_string": "b"}, "", False),
        ("bash", {"command": "sed -i s/a/b/ a.py"}, "<returncode>1</returncode>", None),
        ("bash", {"command": "ls > /dev/null; cat a.py"}, "", None),
        ("Edit", {"file_path": "/etc/passwd", "old_string": "a", "new_string": "b"}, "", None),
        ("Edit", {"file_path": "/testbed/../../x", "old_string": "a", "new_string": "b"}, "", None),
        ("bash", {"command": "rm *.pyc $HOME/x"}, "", None),
        ("Read", {"file_path": "/testbed/a.py"}, "", True),
        ("Edit", {"file_path": ["/testbed/a.py"], "old_string": 7, "new_string": {}}, "", None),
        ("Edit", {}, "", None),
    ],
)
def test_nothing_is_said_of_failed_reading_and_foreign_calls(
    tool: str, arguments: dict[str, Any], content: str, ok: bool | None
) -> None:
    assert edits(tool, content, ok, **arguments) == ()


def test_a_call_without_a_result_changed_nothing() -> None:
    call = ToolCall("c", "Edit", {"file_path": "/testbed/a.py", "old_string": "a", "new_string": "b"})
    assert derived_edits(Step(1, "", "agent", "", calls=(call,)), "/testbed") == ()


def test_a_long_text_is_not_compared() -> None:
    (found,) = edits("str_replace_editor", command="create", path="/testbed/n.py", file_text="a\n" * 5_001)
    assert not found.is_compared
