"""The function and class of each line."""

from __future__ import annotations

import warnings

import pytest

from runs.analysis.features.scopes import MAX_SIZE, Structure, defined, indent_of, parsed, structure
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


def test_unreadable_source_has_no_structure() -> None:
    assert structure("a.py", "def (") is None
    assert structure("a.py", "x\0") is None
    assert structure("a.js", "x" * (MAX_SIZE + 1)) is None


def known(path: str, source: str) -> Structure:
    found = structure(path, source)
    assert found is not None
    return found


def test_the_nearest_scope_of_a_kind_may_be_the_scope_itself() -> None:
    high = known("tide.py", TIDE).at(12)
    assert high is not None
    assert high.nearest("function") == high
    table = high.nearest("class")
    assert table is not None
    assert (table.name, table.kind, table.indent, table.around) == ("Table", "class", 0, None)
    moon = known("tide.py", TIDE).at(19)
    assert moon is not None
    assert moon.nearest("class") is None


@pytest.mark.parametrize("line", [0, -1, 1, 99])
def test_outside_of_all_scopes_and_of_the_file_there_is_none(line: int) -> None:
    assert known("tide.py", TIDE).at(line) is None


def test_the_first_and_the_last_line_may_be_in_a_scope() -> None:
    source = known("clock.js", "class Clock {\n  function tick() {}")
    assert [scope.name if scope else "" for scope in map(source.at, range(4))] == [
        "",
        "Clock",
        "Clock.tick",
        "",
    ]


@pytest.mark.parametrize(
    ("line", "text", "name"),
    [
        (13, "        level += 1", "Table.high"),
        (14, "        level += 1", "Table.high"),  # the blank line above it belongs to no scope of its own
        (13, "    def mean(self):", "Table"),
        (13, "\tlevel = 0", "Table"),  # a tab is four columns
        (13, "x = 1", ""),
        (1, "    x = 1", ""),
    ],
)
def test_inserted_text_is_in_the_scope_of_its_indentation(line: int, text: str, name: str) -> None:
    scope = known("tide.py", TIDE).inserted(line, text)
    assert (scope.name if scope else "") == name


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("class Tide {", ("Tide", "class")),
        ("pub struct Tide<T> where T: Moon {", ("Tide", "class")),
        ("func (t *Tide) Rise(by int) {", ("Rise", "function")),
        ("  export function rise(by) {", ("rise", "function")),
        ("const rise = async (by) => {", ("rise", "function")),
        ("let rise = by => by + 1", ("rise", "function")),
        ("int main(void)", ("main", "function")),
        ("  rise(by) {", ("rise", "function")),
        ("if (high) {", None),
        ("} else if (high) {", None),
        ("return rise(by)", None),
        ("x = rise(by)", None),
        ("rise(by);", None),
        ("// function rise() {", None),
        ("# def rise():", None),
        ("", None),
        (f"function rise({'a, ' * 100}) {{", None),
    ],
)
def test_a_definition_is_known_by_its_looks(line: str, found: tuple[str, str] | None) -> None:
    assert defined(line, python=False) == found


def test_in_python_only_def_and_class_define() -> None:
    assert defined("    async def rise(self):", python=True) == ("rise", "function")
    assert defined("class Tide(Moon):", python=True) == ("Tide", "class")
    assert defined("subclass = class_of(tide)", python=True) is None
    assert defined("const rise = (by) => {", python=True) is None


def test_tabs_reach_to_the_next_multiple_of_four() -> None:
    assert [indent_of(line) for line in ("x", "    x", "\tx", "  \tx", "\t  x")] == [0, 4, 4, 4, 6]


def test_warnings_about_a_source_stay_unsaid() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert parsed("x = '\\d'") is not None
    assert parsed("x = (") is None
    assert parsed("(" * 5_000) is None
