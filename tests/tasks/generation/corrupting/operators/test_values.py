"""Operators on values: each example is the line of a function, and what may become of it."""

from __future__ import annotations

import pytest

from tasks.generation.corrupting.operators import OPERATORS
from tests.tasks.generation.changed import lines


@pytest.mark.parametrize(
    ("operator", "before", "after"),
    [
        ("number_off_by_one", "return a[3]", ["return a[4]", "return a[2]"]),
        ("number_off_by_one", "return 0", ["return 1"]),
        ("number_off_by_one", "return a[-1]", ["return a[-2]"]),
        ("number_off_by_one", "return 0x10", []),
        ("swapped_arguments", "return f(a, b, key=1)", ["return f(b, a, key=1)"]),
        ("swapped_arguments", "return f(a, a)", []),
        ("swapped_arguments", "return f(a, *b)", []),
        ("swapped_operands", "return a - (b + 1)", ["return (b + 1) - a"]),
        ("swapped_operands", "return a + b", []),
        ("swapped_operands", "return '%d' % a", []),
        ("changed_sign", "return len(a) + b", ["return len(a) - b"]),
        ("changed_sign", "a -= 1", ["a += 1"]),
        ("changed_sign", "return a + b", []),
        ("dropped_increment", "return a[b + 1]", ["return a[b]"]),
        ("dropped_increment", "return a - 1", ["return a"]),
        ("slice_bound", "return a[b:4]", ["return a[b + 1:4]", "return a[b - 1:4]", "return a[b:5]", "return a[b:3]"]),
        ("slice_bound", "return a[:2]", ["return a[:3]", "return a[:1]", "return a[1:2]"]),
        ("slice_bound", "return a[:]", []),
        ("changed_default", "return a.get(b, None)", ["return a.get(b, 0)", "return a.get(b, False)"]),
        ("changed_default", "return a.get(b, [])", ["return a.get(b, None)"]),
        ("changed_default", "return getattr(a, 'x', 0)", ["return getattr(a, 'x', None)", "return getattr(a, 'x', 1)"]),
        ("changed_default", "return get(b, 1)", []),
        ("related_name", "return max(a).lstrip(b)", ["return max(a).rstrip(b)", "return min(a).lstrip(b)"]),
        ("related_name", "return max", []),
    ],
)  # fmt: skip
def test_a_value_is_changed_and_the_rest_of_its_line_stays(
    operator: str, before: str, after: list[str]
) -> None:
    assert lines(OPERATORS[operator], f"def function(a, b=2, *c):\n    {before}\n") == after
