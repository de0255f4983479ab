"""Renaming by spelling: what gets the new name, and what does not."""

from __future__ import annotations

import pytest

from harness.patches import FileState
from tasks.generation.renaming.renamer import renamed_files, renamed_path, renamed_text

NAMES = {"add": "zuba", "Shelf": "Romid", "box": "kefa", "shelf": "tolid"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def add(box, n=1): return box", "def zuba(kefa, n=1): return kefa"),
        ("s.add(box=1)", "s.zuba(kefa=1)"),
        ("from .shelf import Shelf as S, add", "from .tolid import Romid as S, zuba"),
        ("import stock.shelf", "import stock.tolid"),
        ("def f(s: 'list[Shelf]') -> \"Shelf\": ...", "def f(s: 'list[Romid]') -> \"Romid\": ..."),
        ("__all__ = ['add', \"Shelf\"]", "__all__ = ['zuba', \"Romid\"]"),
        ("__all__ += ('add',)", "__all__ += ('zuba',)"),
        ("f'{add(1)} add'", "f'{zuba(1)} add'"),
        ("x = 'add'  # add", "x = 'add'  # add"),
        ("getattr(s, 'stock.add')", "getattr(s, 'stock.add')"),
        ("adds = address = 1", "adds = address = 1"),
        (
            'def f():\n    """Does add things with `add`.\n\n    >>> add(1)  # one\n    add\n    """\n',
            'def f():\n    """Does add things with `zuba`.\n\n    >>> zuba(1)  # one\n    add\n    """\n',
        ),
        ("def add(:", "def add(:"),
    ],
)
def test_identifiers_get_the_new_name(before: str, after: str) -> None:
    assert renamed_text(before, NAMES) == after


def test_modules_and_packages_of_a_path_are_renamed() -> None:
    assert renamed_path("src/stock/shelf.py", {"shelf": "tolid"}) == "src/stock/tolid.py"
    assert renamed_path("stock/shelf/__init__.py", {"shelf": "tolid"}) == "stock/tolid/__init__.py"
    assert renamed_path("docs/shelf.md", {"shelf": "tolid"}) == "docs/shelf.md"


def test_only_python_files_are_changed() -> None:
    files = [
        FileState("shelf.py", b"add\r\n", 0o755),
        FileState("a.txt", b"add"),
        FileState("latin.py", b"add = '\xe9'"),
        FileState("link.py", b"add", link=True),
    ]
    renamed = renamed_files(files, {"add": "zuba"}, {"shelf": "tolid"})
    assert renamed == [FileState("tolid.py", b"zuba\r\n", 0o755), *files[1:]]
