"""The hidden tests that a model gets with a function."""

from __future__ import annotations

from pathlib import Path

from tasks.generation.adversarial.relevant_tests import relevant_tests
from tests.tasks.generation.small import source_in

FILES = {
    "tests/test_a.py": """
        import pytest

        def helper():
            return fill()

        @pytest.mark.slow
        def test_fill():
            assert fill(1)

        class TestShelf:
            def test_made(self):
                assert Shelf(1)

            def test_long(self):
                assert fill(1)
                assert Shelf
    """,
    "tests/broken.py": "def test_fill(:\n",
    "tests/data.txt": "def test_fill(): fill()\n",
}


def test_tests_that_name_the_function_are_chosen_shorter_ones_first(tmp_path: Path) -> None:
    hidden = source_in(tmp_path, FILES)
    assert relevant_tests(hidden, "fill") == (
        "@pytest.mark.slow\ndef test_fill():\n    assert fill(1)\n\n"
        "    def test_long(self):\n        assert fill(1)\n        assert Shelf"
    )
    assert relevant_tests(hidden, "Shelf.__init__").startswith("    def test_made(self)")
    assert relevant_tests(hidden, "unknown") == ""


def test_tests_that_a_map_names_are_chosen(tmp_path: Path) -> None:
    hidden = source_in(tmp_path, FILES)
    found = relevant_tests(hidden, "fill", ["tests.test_a.TestShelf::test_made[1]"])
    assert found == "    def test_made(self):\n        assert Shelf(1)"


def test_long_tests_are_left_out(tmp_path: Path) -> None:
    long = "def test_long():\n" + "    fill()\n" * 1000
    many = "".join(f"def test_{number}():\n    fill({number})\n\n" for number in range(9))
    found = relevant_tests(source_in(tmp_path, {"test_b.py": long + many}), "fill")
    assert found.count("def ") == 5
    assert "test_long" not in found
