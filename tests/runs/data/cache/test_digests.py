"""The source digest changes with everything that results can depend on."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from runs.data.cache.digests import text_digest, tree_digest

FACTS = """
@dataclass(frozen=True, slots=True)
class Facts:
    tests: int
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A small project."""
    for name, text in {
        "requirements.txt": "Django==5.2\n",
        "runs/analysis/facts.py": FACTS,
        "runs/data/published/table.csv": "agent,rate\n",
        "harness/limits.py": "MAX_COUNT = 1\n",
        "tasks/models.py": "",
        "benchbench/settings.py": "",
        "templates/base.html": "<title></title>\n",
        "docs/index.md": "# Index\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


CHANGES: dict[str, Callable[[Path], object]] = {
    "a module that calls the cache is added": lambda root: (root / "runs/views.py").write_text("cached()\n"),
    "a field is added to a dataclass": lambda root: (root / "runs/analysis/facts.py").write_text(
        FACTS + "    passed: int = 0\n"
    ),
    "a module is renamed": lambda root: (root / "harness/limits.py").rename(root / "harness/limit.py"),
    "a module is deleted": lambda root: (root / "harness/limits.py").unlink(),
    "a published table changes": lambda root: (root / "runs/data/published/table.csv").write_text("agent\n"),
    "a template changes": lambda root: (root / "templates/base.html").write_text("<title>1</title>\n"),
    "a library is upgraded": lambda root: (root / "requirements.txt").write_text("Django==5.3\n"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_the_digest_changes_with_every_source(root: Path, change: str) -> None:
    before = tree_digest(root)
    assert re.fullmatch("[0-9a-f]{16}", before)
    CHANGES[change](root)
    assert tree_digest(root) != before


def test_the_digest_ignores_documents_hidden_files_and_compiled_modules(root: Path) -> None:
    before = tree_digest(root)
    (root / "docs/index.md").write_text("# Other\n")
    (root / "runs/.swap").write_text("half a line")
    (root / "runs/__pycache__").mkdir()
    (root / "runs/__pycache__/views.pyc").write_bytes(b"\0")
    assert tree_digest(root) == before


def test_a_digest_depends_on_where_each_text_ends() -> None:
    assert text_digest("a", "b") != text_digest("ab") != text_digest("b", "a")
    assert len(text_digest("\ud800")) == 32
