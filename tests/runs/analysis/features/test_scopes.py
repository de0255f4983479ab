"""The function and class of each line."""

from __future__ import annotations

from runs.analysis.features.scopes import LARGEST, structure
from tests.runs.analysis.features.made_sources import CLOCK, TIDE


def names(path: str, source: str) -> list[str]:
    known = structure(path, source)
    assert known is not None
    return [scope.name if scope else "" for scope in known.scopes]


def test_python_lines_lie_in_scopes_by_grammar() -> None:
    found = names("tide.py", TIDE)
    assert found[:5] == [""] * 5
    assert found[5:8] == ["Table"] * 3
    assert found[8:12] == ["Table.high"] * 4  # with its decorator
    assert found[12:15] == ["Table", "Table.low", "Table.low"]
    assert found[15:] == ["", "", "moon", "moon", ""]


def test_other_lines_lie_in_scopes_by_indentation() -> None:
    found = names("clock.js", CLOCK)
    assert found[0] == "Clock"
    assert found[1:6] == ["Clock.tick"] * 5
    assert found[7:10] == ["Clock.stop"] * 3
    assert found[12:15] == ["start"] * 3
    assert found[16:20] == ["main"] * 4


def test_what_cannot_be_read_has_no_structure() -> None:
    assert structure("a.py", "def (") is None
    assert structure("a.py", "x\0") is None
    assert structure("a.js", "x" * (LARGEST + 1)) is None
