"""Which files are code of the program."""

from __future__ import annotations

import pytest

from tasks.generation.maps.program_files import is_program


@pytest.mark.parametrize(
    ("path", "is_code"),
    [
        ("src/shop/cart.py", True),
        ("testing.py", True),
        ("shop/test.c", True),
        ("web/page.tsx", True),
        ("tests/test_cart.py", False),
        ("shop/tests/helpers.py", False),
        ("shop/cart_test.py", False),
        ("conftest.py", False),
        ("docs/conf.py", False),
        ("examples/one.py", False),
        ("web/page.test.ts", False),
        ("web/types.d.ts", False),
        ("web/jquery.min.js", False),
        ("shop/cart.pyi", False),
        ("README.md", False),
    ],
)
def test_tests_documents_and_examples_are_no_program(path: str, is_code: bool) -> None:
    assert is_program(path) is is_code
