"""Imports run one way, and pure packages stay pure."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def imports_of(path: Path) -> Iterator[str]:
    """Every module that a file imports, wherever in the file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def offences(package: str, forbidden: set[str]) -> list[str]:
    """`file imports module` for each import of a forbidden top-level package or dotted module."""
    files = sorted((ROOT / package).rglob("*.py"))
    assert files, f"{package} holds no Python"
    return [
        f"{path.relative_to(ROOT)} imports {module}"
        for path in files
        for module in imports_of(path)
        if any(module == name or module.startswith(f"{name}.") for name in forbidden)
    ]


@pytest.mark.parametrize(
    ("package", "forbidden"),
    [
        ("harness", {"django", "django_rq", "rq", "redis", "benchbench", "runs", "tasks"}),
        ("harness/tools/inside", {"harness", "pydantic", "docker", "litellm"}),
        ("harness/toolbox", {"harness", "pydantic", "docker", "litellm"}),
        ("harness/sandbox", {"harness.agents", "harness.grading", "harness.execute", "litellm"}),
        ("harness/grading", {"harness.agents", "harness.execute", "litellm"}),
        ("harness/agents", {"harness.execute", "harness.admission.admit", "harness.cli", "litellm"}),
        ("tasks", {"runs", "benchbench", "litellm"}),
        ("runs/analysis", {"django", "runs.models", "tasks", "harness.sandbox"}),
        ("runs", {"litellm"}),
        ("benchbench", {"litellm", "docker"}),
    ],
)
def test_a_lower_floor_never_imports_a_higher_one(package: str, forbidden: set[str]) -> None:
    found = offences(package, forbidden)
    if package == "runs":
        # The worker command loads LiteLLM once, before it forks; the web process never runs it.
        found = [line for line in found if "/management/commands/work.py" not in line]
    assert found == []


def test_only_one_module_speaks_litellm() -> None:
    users = {line.split(" ")[0] for line in offences("harness", {"litellm"})}
    assert users <= {"harness/llm/provider.py"}
