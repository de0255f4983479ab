"""The methods are printed as Markdown."""

from __future__ import annotations

from io import StringIO

from django.core.management import call_command

from runs.presentation.analysis_docs import markdown


def test_the_output_is_the_text_of_the_methods() -> None:
    said = StringIO()
    call_command("methods", stdout=said)
    assert said.getvalue() == markdown()
    assert said.getvalue().startswith("# How every number is computed\n")
