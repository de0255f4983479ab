"""The names on changed lines."""

from __future__ import annotations

from harness.patches import Change
from runs.analysis.features.names import names_of


def test_python_names_come_from_the_grammar() -> None:
    source = "a = f(\n    x=1,\n)\n"
    # Only the middle line changes: a keyword is no variable, and f is called on the line above.
    within = names_of("a.py", [Change("a.py", 2, ("    x=1,",), ("    x=g(self.y),",))], source)
    assert (within.assigned, within.called) == (set(), {"g"})
    spread = names_of(
        "a.py",
        [Change("a.py", 1, (), ("import b",)), Change("a.py", 3, (")",), (")", "b.c = b.d(1)"))],
        source,
    )
    assert (spread.assigned, spread.called) == ({"c"}, {"d"})


def test_other_names_come_from_the_looks_of_a_line() -> None:
    lines = ("if (a == b(c)) { d.e = f; g += 1; h := i }", "while (x <= y) return (z)")
    found = names_of("a.js", [Change("a.js", 1, (), lines)], None)
    assert (found.assigned, found.called) == ({"e", "g", "h"}, {"b"})
    broken = names_of("a.py", [Change("a.py", 1, (), ("def (", "j = k(1)"))], "")
    assert (broken.assigned, broken.called) == ({"j"}, {"k"})
