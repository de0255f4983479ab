"""What an operator makes of a function, for the tests of operators."""

from __future__ import annotations

import textwrap

from harness.functions import functions_in
from tasks.generation.corrupting.operators import FunctionBody, Operator

PATH = "package/module.py"


def changes(operator: Operator, source: str) -> list[str]:
    """The first function of a module after each change that the operator lists, without indentation of the test."""
    text = textwrap.dedent(source).lstrip("\n")
    body = FunctionBody(text, functions_in(PATH, text)[0])
    return [site.applied(text) for site in operator(body)]


def lines(operator: Operator, source: str) -> list[str]:
    """The lines that each change adds to the function, in one text."""
    old = textwrap.dedent(source).lstrip("\n").split("\n")
    return [
        "\n".join(line.strip() for line in changed.split("\n") if line not in old)
        for changed in changes(operator, source)
    ]
