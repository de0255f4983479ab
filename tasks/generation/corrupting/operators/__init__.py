"""Operators: each lists its possible changes of one Python function, in the order of the source.

An operator makes one change that is hard to spot. A change lies in the body of the function: signature, decorators,
docstring, comments and texts stay, and so does every byte outside of the changed expression or statement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from tasks.generation.corrupting.operators import conditions, statements, values, variables
from tasks.generation.corrupting.operators.reading import Edit, FunctionBody, Site

__all__ = ["OPERATORS", "Edit", "FunctionBody", "Operator", "Site"]

Operator = Callable[[FunctionBody], Iterator[Site]]

# When an operator lists other sites, increase the second number of `candidates.GENERATOR_VERSION`.
OPERATORS: Mapping[str, Operator] = MappingProxyType({
    operator.__name__: operator
    for operator in (
        conditions.comparison_boundary,
        conditions.comparison_opposite,
        conditions.boolean_operator,
        conditions.dropped_condition,
        conditions.negated_condition,
        conditions.dropped_not,
        conditions.boolean_constant,
        values.number_off_by_one,
        values.swapped_arguments,
        values.swapped_operands,
        values.changed_sign,
        values.dropped_increment,
        values.slice_bound,
        values.changed_default,
        values.related_name,
        variables.wrong_variable,
        statements.removed_branch,
        statements.removed_else,
        statements.removed_effect,
        statements.removed_exit,
        statements.changed_exit,
        statements.branch_order,
        statements.narrowed_exception,
    )
})  # fmt: skip
