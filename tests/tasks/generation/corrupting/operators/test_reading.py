"""What all operators have in common: where they change a function, and what they never change."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from harness.functions import find, functions_in
from tasks.generation.corrupting.operators import OPERATORS, FunctionBody, Site
from tests.tasks.generation.changed import PATH

SOURCE = textwrap.dedent(
    '''\
    """Größe: bytes are no characters."""

    def before(a, b):
        return a < b

    class Box:
        @first(1 < 2)
        @second
        def fits(
            self, a: int = 1 if 2 < 3 else 4, *, b: "1 < 2" = 5,
        ) -> True:
            """Whether 1 < 2."""
            # 1 < 2 and größer
            text = f"{a < b} {a!r:<{b}}" "1 < 2"
            limit: Literal[1] = b

            def inner(c):
                return c < limit

            class Inner:
                size = 1 < 2

            return a < b  # 1 < 2

    def after(a, b):
        return a < b
    '''
)


def all_sites(text: str, name: str) -> list[Site]:
    body = FunctionBody(text, find(PATH, text, name))
    return [site for operator in OPERATORS.values() for site in operator(body)]


def test_only_the_body_is_changed_without_texts_types_comments_and_inner_definitions() -> None:
    line = "        return a < b  # 1 < 2"
    changed = {
        new for site in all_sites(SOURCE, "Box.fits") for new in site.applied(SOURCE).split("\n")
    } - set(SOURCE.split("\n"))
    assert changed == {line.replace("a < b", "a <= b")}


def test_an_inner_function_is_changed_on_its_own() -> None:
    changed = [site.applied(SOURCE) for site in all_sites(SOURCE, "Box.fits.inner")]
    assert SOURCE.replace("return c < limit", "return c <= limit") in changed


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_other_line_ends_stay(end: str) -> None:
    source = "def function(a):\n    if a:\n        a.b()\n        a.c()\n    return a < 1\n"
    text = source.replace("\n", end)
    expected = [site.applied(source).replace("\n", end) for site in all_sites(source, "function")]
    assert expected
    if end == "\r\n":
        assert [site.applied(text) for site in all_sites(text, "function")] == expected


def test_a_file_without_a_last_line_end_and_one_with_tabs_are_read() -> None:
    text = "class Box:\n\tdef function(a):\n\t\ta.b()\n\t\treturn a"
    assert [site.applied(text) for site in all_sites(text, "Box.function")] == [
        "class Box:\n\tdef function(a):\n\t\treturn a"
    ]


def test_a_class_is_no_function() -> None:
    with pytest.raises(TypeError, match="ClassDef"):
        FunctionBody(SOURCE, next(one for one in functions_in(PATH, SOURCE) if one.kind == "class"))


def test_the_same_source_gives_the_same_sites() -> None:
    assert all_sites(SOURCE, "Box.fits") == all_sites(SOURCE, "Box.fits")


def test_each_operator_is_documented() -> None:
    page = (Path(__file__).parents[5] / "docs/generated-tasks.md").read_text(encoding="utf-8")
    assert [name for name in OPERATORS if f"| `{name}` |" not in page] == []
    assert len(OPERATORS) == page.count("\n| `", page.index("## Operators"), page.index("## What to know"))
