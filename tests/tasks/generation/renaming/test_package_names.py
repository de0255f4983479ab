"""Which names can be renamed by spelling."""

from __future__ import annotations

from collections.abc import Mapping

from harness.patches import FileState
from tasks.generation.renaming.package_names import package_names

SOURCE = {
    "src/stock/__init__.py": "from stock.shelf import Shelf\n__all__ = ['Shelf']\n",
    "src/stock/shelf.py": '''
import json
from html.parser import HTMLParser
from other import borrowed

class Shelf(HTMLParser):
    """A `shelf`."""
    def handle_starttag(self, element): ...
    def append(self, box): ...
    def put_box(self, box: "Shelf", indent=None): ...
    def looked_up(self): ...
    def borrowed(self): ...
    def __len__(self): ...

def entry_point(x): return getattr(x, "looked_up")
''',
    "src/stock/deep/__init__.py": "",
    "src/stock/deep/well.py": "def draw_water(): ...\n",
    "src/stock/broken.py": "def broken_one(:\n",
    "pyproject.toml": 'script = "stock:entry_point"\n',
    "setup.py": "def not_of_the_package(): ...\n",
}
TESTS = {"tests/test_shelf.py": "from stock.shelf import Shelf\ndef test_put(): Shelf().put_box(1)\n"}


def states(files: Mapping[str, str]) -> list[FileState]:
    return [FileState(path, text.encode()) for path, text in files.items()]


def test_names_that_others_may_mean_are_left_out() -> None:
    found = package_names(states(SOURCE), states(TESTS))
    assert found.names == {"Shelf", "element", "box", "put_box", "draw_water"}
    assert found.modules == {"shelf", "deep", "well"}
    assert {"Shelf", "test_put", "json", "entry_point"} <= found.identifiers


def test_names_in_texts_of_the_tests_are_left_out() -> None:
    tests = {"tests/test_mocks.py": "def test(mocker): mocker.patch('stock.deep.well.draw_water')\n"}
    found = package_names(states(SOURCE), states(tests))
    assert "draw_water" not in found.names
    assert found.modules == {"shelf"}
