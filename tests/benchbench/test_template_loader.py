"""Templates without the indentation of their lines."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.template import TemplateSyntaxError
from django.template.engine import Engine

OPTIONS: Mapping[str, Any] = settings.TEMPLATES[0]["OPTIONS"]  # type: ignore[assignment]


def engine(directory: Path, **templates: str) -> Engine:
    """An engine with the loaders of the site, for these templates."""
    for name, source in templates.items():
        (directory / f"{name}.html").write_text(source)
    return Engine(dirs=[str(directory)], loaders=OPTIONS["loaders"])


def test_lines_lose_their_indentation_and_nothing_else(tmp_path: Path) -> None:
    source = (
        "<ul>\n    <li>\n\t  one  two\n\n      {% if item %}\n    {{ item }}\n  {% endif %}</li>\n</ul>\n"
    )
    template = engine(tmp_path, list=source).get_template("list.html")
    assert template.source == "<ul>\n<li>\none  two\n\n{% if item %}\n{{ item }}\n{% endif %}</li>\n</ul>\n"


def test_spaces_in_pre_elements_are_unchanged(tmp_path: Path) -> None:
    source = '  <pre class="text">a\n    b</pre>\n    <p>\n  <pre>c\n  d</pre>'
    template = engine(tmp_path, code=source).get_template("code.html")
    assert template.source == '  <pre class="text">a\n    b</pre>\n<p>\n<pre>c\n  d</pre>'


def test_errors_name_the_line_of_the_file(tmp_path: Path) -> None:
    debugging = engine(tmp_path, wrong="<p>\n\n   </p>\n   {% if %}")
    debugging.debug = True
    with pytest.raises(TemplateSyntaxError) as caught:
        debugging.get_template("wrong.html")
    assert getattr(caught.value, "template_debug")["line"] == 4  # noqa: B009 - set by Django, unknown to types
