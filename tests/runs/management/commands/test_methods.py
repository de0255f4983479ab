"""The methods are printed as the documentation has them."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

from django.core.management import call_command

ROOT = Path(__file__).parents[4]


def test_the_output_is_the_page_of_the_documentation() -> None:
    said = StringIO()
    call_command("methods", stdout=said)
    assert said.getvalue() == (ROOT / "docs" / "methods.md").read_text(encoding="utf-8")
