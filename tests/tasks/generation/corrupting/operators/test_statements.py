"""Operators on statements: whole functions before and after."""

from __future__ import annotations

import textwrap

import pytest

from tasks.generation.corrupting.operators import OPERATORS
from tests.tasks.generation.changed import changes

EXAMPLES = {
    "a guard is removed": (
        "removed_branch",
        """
        def function(a):
            if a:
                return 1
            return 2
        """,
        ["def function(a):\n    return 2\n"],
    ),
    "the last elif is removed": (
        "removed_branch",
        """
        def function(a):
            if a:
                return 1
            elif a > 1:
                return 2
        """,
        ["def function(a):\n    if a:\n        return 1\n"],
    ),
    "a branch with a comment stays": (
        "removed_branch",
        """
        def function(a):
            # Why.
            if a:
                return 1
            if a:
                return 1  # Why.
            return 2
        """,
        [],
    ),
    "an else is removed": (
        "removed_else",
        """
        def function(a):
            if a: b = 1
            else: b = 2
            return b
        """,
        ["def function(a):\n    if a: b = 1\n    return b\n"],
    ),
    "effects are removed": (
        "removed_effect",
        '''
        def function(self, a):
            """Says."""
            a.append(1)
            self.b = a
            c = a
            a += c
        ''',
        [
            'def function(self, a):\n    """Says."""\n    self.b = a\n    c = a\n    a += c\n',
            'def function(self, a):\n    """Says."""\n    a.append(1)\n    c = a\n    a += c\n',
            'def function(self, a):\n    """Says."""\n    a.append(1)\n    self.b = a\n    c = a\n',
        ],
    ),
    "the only statement of a block stays": (
        "removed_effect",
        '''
        def function(a):
            """Says."""
            a.append(1)
        ''',
        [],
    ),
    "two statements on one line stay": (
        "removed_effect",
        """
        def function(a):
            a.append(1); a.append(2)
            return a  # all
        """,
        [],
    ),
    "an exit that ends a block is removed": (
        "removed_exit",
        """
        def function(a):
            for b in a:
                a = b
                break
            return a
        """,
        ["def function(a):\n    for b in a:\n        a = b\n    return a\n"],
    ),
    "an exit becomes the other one": (
        "changed_exit",
        """
        def function(a):
            for b in a:
                break
        """,
        ["def function(a):\n    for b in a:\n        continue\n"],
    ),
    "two branches change places": (
        "branch_order",
        """
        def function(a):
            if a > 1:
                return 1
            elif a > 2:
                a = 3
                return 2
            else:
                return 0
        """,
        [
            "def function(a):\n    if a > 2:\n        a = 3\n        return 2\n    elif a > 1:\n        return 1\n"
            "    else:\n        return 0\n"
        ],
    ),
    "an exception of two is caught no more": (
        "narrowed_exception",
        """
        def function(a):
            try:
                a()
            except (KeyError, ValueError):
                pass
        """,
        [
            "def function(a):\n    try:\n        a()\n    except (KeyError,):\n        pass\n",
            "def function(a):\n    try:\n        a()\n    except (ValueError,):\n        pass\n",
        ],
    ),
    "a subclass is caught instead": (
        "narrowed_exception",
        """
        def function(a):
            try:
                a()
            except LookupError:
                pass
        """,
        [
            "def function(a):\n    try:\n        a()\n    except KeyError:\n        pass\n",
            "def function(a):\n    try:\n        a()\n    except IndexError:\n        pass\n",
        ],
    ),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_statement_is_changed(name: str) -> None:
    operator, source, after = EXAMPLES[name]
    assert changes(OPERATORS[operator], textwrap.dedent(source)) == after
