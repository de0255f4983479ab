"""The operator that takes another variable of the same kind."""

from __future__ import annotations

from tasks.generation.corrupting.operators import OPERATORS
from tests.tasks.generation.changed import lines

wrong_variable = OPERATORS["wrong_variable"]


def test_parameters_with_the_same_annotation_are_mixed_up() -> None:
    source = """
        def function(self, low: int, high: int, name: str):
            return low, name, self
    """
    assert lines(wrong_variable, source) == ["return high, name, self"]


def test_a_variable_without_a_value_yet_is_not_taken() -> None:
    source = """
        def function():
            first = 1
            print(first)
            second = first
            return second
    """
    assert lines(wrong_variable, source) == ["return first"]


def test_variables_of_loops_are_mixed_up_with_each_other_only() -> None:
    source = """
        def function(rows):
            for row in rows:
                for cell in row:
                    print(cell)
    """
    assert lines(wrong_variable, source) == ["print(row)"]


def test_called_assigned_and_named_things_stay() -> None:
    source = """
        def function(a, b):
            a.b(b=1)
            b()
            (a, b) = 1, 2
            del a
            for b in ():
                pass
            return lambda a: 1
    """
    assert lines(wrong_variable, source) == ["b.b(b=1)"]
