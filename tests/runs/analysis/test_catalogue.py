"""The catalogue has what the modules state."""

from __future__ import annotations

import ast
from pathlib import Path

from runs import analysis
from runs.analysis.catalogue import CATALOGUE
from runs.analysis.method import Section, method


def test_each_method_of_each_module_is_found() -> None:
    stated = [
        decorator.args[0].value
        for path in Path(str(analysis.__file__)).parent.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        for decorator in node.decorator_list
        if isinstance(decorator, ast.Call) and getattr(decorator.func, "id", "") == method.__name__
        if isinstance(decorator.args[0], ast.Constant)
    ]
    assert len(stated) > 150
    assert {entry.anchor for group in CATALOGUE for entry in group.methods} == set(stated)


def test_the_groups_have_the_order_of_the_sections_and_none_is_empty() -> None:
    assert [group.title for group in CATALOGUE] == list(Section)
    assert all(group.methods for group in CATALOGUE)


def test_the_numbers_of_a_group_have_the_order_of_their_places() -> None:
    intervals = next(group for group in CATALOGUE if group.title == Section.INTERVALS)
    assert [entry.anchor for entry in intervals.methods][:3] == [
        "clustered-interval",
        "interval",
        "difference-interval",
    ]
