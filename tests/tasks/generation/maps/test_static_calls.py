"""Calls that are found without executing anything."""

from __future__ import annotations

import sysconfig

import pytest

from tasks.generation.maps.static_calls import MAX_FILE_BYTES, AnalysisFailed, analyse

SHOP = {
    "src/shop/__init__.py": "from shop.prices import total\n",
    "src/shop/prices.py": """\
import json
from functools import cache

from .cart import Cart as Basket
from . import cart


def checked(function):
    return function


@checked
def rate(base):
    return json.dumps(base)


def total(items, seen=rate(1)):
    basket = Basket(items)
    add = lambda item: rate(item)
    return [add(item) + rate(item) for item in basket.all()] + cart.total_of(items)


class Sale:
    base = rate(2)

    @checked
    def price(self):
        return self.base + self.discount()

    def discount(self):
        return self.discount() if self else unknown()


café = rate("é"); rate(3)
""",
    "src/shop/cart.py": """\
class Cart:
    def __init__(self, items):
        self.items = list(items)

    def all(self):
        return iter(self.items)


def total_of(items):
    from shop.prices import total
    return total(items)
""",
}


def calls_of(files: dict[str, str]) -> set[tuple[str, str]]:
    found = analyse({path: text.encode() for path, text in files.items()})
    return {(caller[1], callee[1]) for caller, callee in found.calls}


def test_calls_are_found_across_the_modules_of_a_package() -> None:
    assert calls_of(SHOP) == {
        ("total", "Cart"),  # by another name
        ("total", "Cart.__init__"),  # which a call of the class executes
        ("total", "Cart.all"),
        ("total", "rate"),  # in a lambda and in a comprehension, which belong to their function
        ("total", "total_of"),
        ("total_of", "total"),  # imported in the function
        ("Sale", "rate"),  # in the body of the class
        ("Sale", "checked"),  # as a decorator of a method
        ("Sale.price", "Sale.discount"),
        ("Sale.discount", "Sale.discount"),
    }


def test_calls_into_libraries_and_of_modules_are_no_edges_but_they_are_counted() -> None:
    found = analyse({path: text.encode() for path, text in SHOP.items()})
    named = [node.name for node in found.nodes if node.path.endswith("prices.py")]
    assert named == ["checked", "rate", "total", "Sale", "Sale.price", "Sale.discount"]
    assert (found.sites, found.resolved) == (19, 14)
    assert found.notes == ()


def test_other_languages_have_functions_and_code_lines_but_no_calls() -> None:
    files = {
        "a.c": b"/* adds */\nint add(int a, int b) {\n  // both\n  return a + b;\n}\n"
        b"int twice(int a) { return add(a, a); }\n",
        "b.ts": b"export function f(a: number) {\n  /* all\n  of it */\n  return g(a);\n}\n"
        b"function g(a: number) { return a; }\n",
    }
    found = analyse(files)
    assert [(node.name, dict(node.measures)) for node in found.nodes] == [
        ("add", {"code_lines": 3}),
        ("twice", {"code_lines": 1}),
        ("f", {"code_lines": 3}),
        ("g", {"code_lines": 1}),
    ]
    assert found.calls == frozenset()


def test_a_file_that_cannot_be_read_is_left_out_with_a_note() -> None:
    found = analyse(
        {
            "bad.py": b"def f(:\n",
            "deep.py": b"x = " + b"(" * 5000 + b")" * 5000,
            "good.py": b"def f(): pass\n",
            "huge.py": b"#" * (MAX_FILE_BYTES + 1),
            "latin.py": b"# \xe9\n",
        }
    )
    assert [node.key for node in found.nodes] == [("good.py", "f", 0)]
    assert [note.split(" ")[0].rstrip(",") for note in found.notes] == [
        "huge.py",
        "latin.py",
        "bad.py",
        "deep.py",
    ]


def test_source_is_never_executed_and_other_files_are_ignored() -> None:
    library = f"fast{sysconfig.get_config_var('EXT_SUFFIX')}"
    program = b"import fast\ndef f():\n    return fast.call()\nraise SystemExit('executed')\n"
    found = analyse({"program.py": program, library: b"\x7fELF", "notes.md": b"# Notes"})
    assert (found.sites, found.resolved, found.notes) == (2, 0, ())


def test_an_analysis_that_takes_too_long_is_ended() -> None:
    with pytest.raises(
        AnalysisFailed, match=r"a\.py: the analysis of this file failed: it took more than 0 s"
    ):
        analyse({"a.py": b"def f(): pass\n"}, seconds=0.01)
