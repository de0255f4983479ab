"""The program that reads source: what calls there are, in whose body, and from where files are imported."""

from __future__ import annotations

import ast

from harness.functions import functions_in
from tasks.generation.maps.static_program import call_sites, import_roots

SOURCE = """\
@plain
@made(1)
def outer(value=default()):
    @inside
    class Inner(base()):
        made_in_class()

        def method(self):
            return (lambda: in_lambda())(), [in_comprehension() for _ in ()]

    return table[0]()


in_module()
"""


def test_each_call_belongs_to_the_body_that_it_is_in() -> None:
    functions = {
        (one.start, one.end, one.name.rpartition(".")[2]): one for one in functions_in("a.py", SOURCE)
    }
    found = {
        ast.unparse(called): caller.name if caller else ""
        for caller, called in call_sites(ast.parse(SOURCE), functions)
    }
    assert found == {
        "plain": "",
        "made": "",
        "default": "",
        "inside": "outer",
        "base": "outer",
        "made_in_class": "outer.Inner",
        "lambda: in_lambda()": "outer.Inner.method",
        "in_lambda": "outer.Inner.method",
        "in_comprehension": "outer.Inner.method",
        "table[0]": "outer",
        "in_module": "",
    }


def test_modules_are_imported_from_above_their_outermost_package() -> None:
    files = dict.fromkeys(
        ["setup.py", "src/shop/__init__.py", "src/shop/web/__init__.py", "src/shop/web/page.py"]
    )
    assert import_roots(files) == [".", "src"]
    assert import_roots({"lib/one.py": None}) == [".", "lib"]
