"""Functions of C, TypeScript and JavaScript files."""

from __future__ import annotations

import pytest

from harness.functions import (
    InvalidReplacement,
    UnreadableSource,
    contents,
    find,
    functions_in,
    replaced,
    source_of,
    without_body,
)

C = """\
#include <stdio.h>
/* Adds. */
static int *(add)(int a, int b)
{
    return a + b; /* sum */
}

int main(void) { return 0; }
"""
TYPESCRIPT = """\
export class Cart {
  total = 0;
  add(item: string): this {
    this.total += 1;
    return this;
  }
  empty = () => { this.total = 0; };
}

export const price = (item: string): number => {
  function rounded(value: number) { return value; }
  return rounded(item.length);
};

async function load() { return 1; }
"""


def names(path: str, text: str) -> list[tuple[str, str, int, int]]:
    return [(one.name, one.kind, one.start, one.end) for one in functions_in(path, text)]


def test_functions_of_c_are_found_inside_their_declarators() -> None:
    assert names("a.c", C) == [("add", "function", 3, 6), ("main", "function", 8, 8)]


def test_functions_of_typescript_are_named_by_class_and_variable() -> None:
    assert names("a.ts", TYPESCRIPT) == [
        ("Cart", "class", 1, 8),
        ("Cart.add", "function", 3, 6),
        ("Cart.empty", "function", 7, 7),
        ("price", "function", 10, 13),
        ("price.rounded", "function", 11, 11),
        ("load", "function", 15, 15),
    ]


@pytest.mark.parametrize(
    ("path", "text", "name"),
    [
        ("a.c", C, "add"),
        ("a.ts", TYPESCRIPT, "price"),
        ("a.ts", TYPESCRIPT, "Cart.add"),
        ("a.tsx", TYPESCRIPT, "load"),
    ],
)
def test_a_body_is_removed_and_put_back(path: str, text: str, name: str) -> None:
    function = find(path, text, name)
    empty = without_body(path, text, function)
    assert source_of(empty, find(path, empty, name)).rstrip(";\n").endswith("{\n}")
    assert contents(path, empty)[name, 0] != contents(path, text)[name, 0]
    back = replaced(path, empty, find(path, empty, name), source_of(text, function))
    assert contents(path, back) == contents(path, text)


def test_comments_and_layout_are_no_change() -> None:
    same = C.replace("/* sum */", "").replace("    return a + b;", "return a+b;")
    assert contents("a.c", same) == contents("a.c", C)
    other = TYPESCRIPT.replace("item.length", "item.size")
    old, new = contents("a.ts", TYPESCRIPT), contents("a.ts", other)
    assert {key for key in old if old[key] != new[key]} == {("price", 0)}


@pytest.mark.parametrize(
    "source", ["async function save() { return 2; }", "let x = 1;", "async function load() {", ""]
)
def test_new_source_that_is_not_this_one_function_is_refused(source: str) -> None:
    with pytest.raises(InvalidReplacement):
        replaced("a.ts", TYPESCRIPT, find("a.ts", TYPESCRIPT, "load"), source)


def test_invalid_source_is_refused_with_its_line() -> None:
    with pytest.raises(UnreadableSource, match=r"a\.ts, line 2: is not valid typescript"):
        contents("a.ts", "let x = 1;\nlet = = 2;\n")
