"""Operators on conditions: each example is the line of a function, and what may become of it."""

from __future__ import annotations

import pytest

from tasks.generation.corrupting.operators import OPERATORS
from tests.tasks.generation.changed import lines


@pytest.mark.parametrize(
    ("operator", "before", "after"),
    [
        ("comparison_boundary", "return a < b", ["return a <= b"]),
        ("comparison_boundary", "return a<=b", ["return a<b"]),
        ("comparison_boundary", "return 1 < a >= b", ["return 1 <= a >= b", "return 1 < a > b"]),
        ("comparison_boundary", "return a == b", []),
        ("comparison_opposite", "return a == b", ["return a != b"]),
        ("comparison_opposite", "return a not  in b", ["return a in b"]),
        ("comparison_opposite", "return a is None", ["return a is not None"]),
        ("boolean_operator", "return a and (b or 1)", ["return a or (b or 1)", "return a and (b and 1)"]),
        ("dropped_condition", "return a and (b or 1)", ["return a", "return a and (b)"]),
        ("negated_condition", "return 1 if a.b(2) else 3", ["return 1 if not a.b(2) else 3"]),
        ("negated_condition", "return [x for x in a if x]", ["return [x for x in a if not x]"]),
        ("negated_condition", "return 1 if a < b else 3", []),
        ("dropped_not", "return not (a or b)", ["return (a or b)"]),
        ("boolean_constant", "return f(a, key=True)", ["return f(a, key=False)"]),
        ("boolean_constant", 'return f"{True}" "True"', []),
    ],
)
def test_a_condition_is_changed_and_the_rest_of_its_line_stays(
    operator: str, before: str, after: list[str]
) -> None:
    assert lines(OPERATORS[operator], f"def function(a, b=True < 2):\n    {before}\n") == after
