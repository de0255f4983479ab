"""The function that was read last is what a submission begins with."""

from __future__ import annotations

from harness.records import Step, ToolCall, ToolResult
from runs.play.played_record import PlayedRecord
from runs.play.read_functions import ReadFunction, last_read


def read(number: int, content: str, *, ok: bool = True, **arguments: object) -> Step:
    call = ToolCall(f"call-{number}", "read_function", dict(arguments))
    results = (ToolResult(call.id, content, ok, 0.0),)
    return Step(number, "", "agent", "", calls=(call,), results=results)


def test_it_is_the_last_one_that_was_found() -> None:
    record = PlayedRecord(
        (
            read(3, "     7\tdef f():\n     8\t    return 1", path="a.py", name="f"),
            read(4, "     9\tdef g():\n    10\t    return 2", path="a.py", name="g", occurrence=1),
            read(5, "a.py defines no h", ok=False, path="a.py", name="h"),
        )
    )
    found = last_read(record)
    assert found == ReadFunction(4, "a.py", "g", 1, "def g():\n    return 2\n")
    assert [found.value(name) for name in ("path", "name", "occurrence", "code", "explanation")] == [
        "a.py",
        "g",
        "1",
        "def g():\n    return 2\n",
        "",
    ]


def test_without_all_of_its_lines_it_has_no_code() -> None:
    gap = (
        "     7\tdef f():\n     8\t    x\n\n[... 9,000 characters left out here; read them]\n\n    99\t    y"
    )
    long = "     7\tdef f(): pass # [... 5,000 more characters in this line]"
    for content in (gap, long):
        found = last_read(PlayedRecord((read(3, content, path="a.py", name="f"),)))
        assert found is not None
        assert found.code == ""


def test_odd_arguments_are_no_function() -> None:
    assert last_read(PlayedRecord((read(3, "     1\tx", path=["a"], name="f"), read(4, "     1\tx")))) is None
