"""Functions of Python files: where they are, without a body, replaced, and compared."""

from __future__ import annotations

from textwrap import dedent

import pytest

from harness.functions import (
    MAX_SOURCE_CHARACTERS,
    FunctionNotFound,
    InvalidReplacement,
    UnreadableSource,
    contents,
    find,
    functions_in,
    is_source,
    replaced,
    source_of,
    without_body,
)

PATH = "shop.py"
TEXT = dedent(
    '''\
    """A shop."""
    import functools

    @functools.cache
    @other(
        1)
    def price(item: str, *, tax: dict[str, int] = {}, key=lambda x: x) -> int:
        """The price."""
        # Taxes come last.
        def rounded(value):
            return value // 1
        return rounded(len(item))

    class Cart:
        """What is bought."""
        limit = 3

        def add(self, item): self.items.append(item); return self

        async def empty(self):
            """Removes all."""

    if functools:
        def price(item):
            return 0
    '''
)


def test_functions_are_named_and_located_with_decorators_and_docstrings() -> None:
    found = [
        (one.name, one.occurrence, one.kind, one.start, one.header_end, one.body_start, one.end)
        for one in functions_in(PATH, TEXT)
    ]
    assert found == [
        ("price", 0, "function", 4, 7, 10, 12),
        ("price.rounded", 0, "function", 10, 10, 11, 11),
        ("Cart", 0, "class", 14, 14, 16, 21),
        ("Cart.add", 0, "function", 18, 18, 18, 18),
        ("Cart.empty", 0, "function", 20, 20, 22, 21),
        ("price", 1, "function", 24, 24, 25, 25),
    ]
    assert source_of(TEXT, find(PATH, TEXT, "Cart.add")).strip().startswith("def add(self")


def test_a_missing_function_is_refused_with_similar_names() -> None:
    with pytest.raises(FunctionNotFound, match=r"no function or class 'add'; did you mean Cart\.add\?"):
        find(PATH, TEXT, "add")
    with pytest.raises(FunctionNotFound, match="'price' number 3"):
        find(PATH, TEXT, "price", 2)


@pytest.mark.parametrize(
    ("name", "occurrence", "left"),
    [
        ("price", 0, '    """The price."""\n'),
        ("price.rounded", 0, "    def rounded(value):\n        pass\n"),
        ("Cart.add", 0, "    def add(self, item):\n        pass\n"),
        ("Cart.empty", 0, '        """Removes all."""\n'),
        ("Cart", 0, '    """What is bought."""\n'),
    ],
)
def test_without_its_body_a_function_keeps_signature_and_docstring_alone(
    name: str, occurrence: int, left: str
) -> None:
    function = find(PATH, TEXT, name, occurrence)
    found = without_body(PATH, TEXT, function)
    rest = find(PATH, found, name, occurrence)
    assert source_of(found, rest).endswith(left)
    lines, kept = TEXT.splitlines(), found.splitlines()
    assert kept[: function.header_end - 1] == lines[: function.header_end - 1]
    assert kept[rest.end :] == lines[function.end :]


def test_line_ends_of_the_file_stay() -> None:
    text = "def one():\r\n    return 1\r\nx = 2\r\n"
    assert without_body("a.py", text, find("a.py", text, "one")) == "def one():\n    pass\r\nx = 2\r\n"


def test_new_source_gets_the_indentation_and_the_decorators_of_the_old_one() -> None:
    function = find(PATH, TEXT, "price.rounded")
    changed = replaced(PATH, TEXT, function, 'def rounded(value):\n    text = """a\n b"""\n    return 2\n')
    assert '    def rounded(value):\n        text = """a\n b"""\n        return 2\n    return' in changed
    price = find(PATH, TEXT, "price")
    changed = replaced(PATH, TEXT, price, "def price(item):\n    return 1")
    assert "@functools.cache\n@other(\n    1)\ndef price(item):\n    return 1\n\nclass Cart" in changed


@pytest.mark.parametrize("name", ["price", "price.rounded", "Cart", "Cart.add", "Cart.empty"])
def test_a_function_that_is_removed_and_put_back_is_the_same(name: str) -> None:
    function = find(PATH, TEXT, name)
    empty = without_body(PATH, TEXT, function)
    assert contents(PATH, empty) != contents(PATH, TEXT) or name == "Cart.empty"
    back = replaced(PATH, empty, find(PATH, empty, name), source_of(TEXT, function))
    assert contents(PATH, back) == contents(PATH, TEXT)


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("def other(item):\n    return 1", "must define the function price, not other"),
        ("class price:\n    pass", "must define the function price"),
        ("def price(item):\n    return 1\nx = 1", "one whole definition .* it has 2 statements"),
        ("    def price(item):\n        return 1\nimport os", "it has 2 statements"),
        ("", "it has 0 statements"),
        ("def price(item)\n    return 1", "line 1: is not valid Python"),
        ("def price(item):\n    " + "x" * MAX_SOURCE_CHARACTERS, "more than 2,000,000 characters"),
    ],
)
def test_new_source_that_is_not_this_one_function_is_refused(source: str, reason: str) -> None:
    with pytest.raises(InvalidReplacement, match=reason):
        replaced(PATH, TEXT, find(PATH, TEXT, "price"), source)


def _changed(before: str, after: str) -> set[tuple[str, int]]:
    old, new = contents(PATH, before), contents(PATH, after)
    return {key for key in {*old, *new} if old.get(key) != new.get(key)}


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("limit = 3", "limit  =  (3)  # three", set()),
        ('"""A shop."""', '"""No shop."""', set()),
        ('"""The price."""', '"""Costs."""', set()),
        ("# Taxes come last.", "", set()),
        ("limit = 3", "limit = 4", {("Cart", 0)}),
        ("value // 1", "value // 2", {("price.rounded", 0)}),
        ("return rounded(len(item))", "return 1", {("price", 0)}),
        ("return 0", "return 1", {("price", 1)}),
        ("import functools", "import functools, os", {("", 0)}),
        ("@functools.cache\n", "", {("price", 0)}),
        ("async def empty", "def empty", {("Cart.empty", 0)}),
    ],
)
def test_only_the_function_whose_code_changes_has_another_content(
    old: str, new: str, changed: set[tuple[str, int]]
) -> None:
    assert TEXT.count(old) == 1
    assert _changed(TEXT, TEXT.replace(old, new)) == changed


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("def f(:\n", r"shop\.py, line 1: is not valid Python"),
        ("(" * 5000, "is not valid Python"),
        ("-" * 100_000 + "1", "is not valid Python"),
        ("x = '\0'", "is not valid Python"),
        ("x" * (MAX_SOURCE_CHARACTERS + 1), "more than 2,000,000 characters"),
    ],
)
def test_hostile_source_is_refused_with_its_place(text: str, reason: str) -> None:
    with pytest.raises(UnreadableSource, match=reason):
        contents(PATH, text)


def test_files_of_other_languages_are_not_read() -> None:
    assert is_source("a/b.py")
    assert not is_source("README.md")
    with pytest.raises(UnreadableSource, match=r"functions of \.md are not known"):
        functions_in("README.md", "")
