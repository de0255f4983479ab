"""Markup with many values: each value is escaped."""

from __future__ import annotations

import pytest
from django.utils.html import format_html
from django.utils.safestring import SafeString

from runs.presentation.formatting.html import filled
from tests.site.hostile import STRINGS


@pytest.mark.parametrize("value", ["", "plain", "<b>&amp;", "\"'`", "{} {0} %s", "ä\n\u202e"])
def test_values_are_escaped_as_django_does(value: str) -> None:
    pattern = '<a title="{}">{}</a>'
    assert filled(pattern, (value, "and this")) == format_html(pattern, value, "and this")


def test_no_value_ends_another() -> None:
    assert filled("{}|{}", ("one\0two", "three")) == "one\ufffdtwo|three"


def test_hostile_values_are_text() -> None:
    found = filled("<p>{}</p>" * len(STRINGS), STRINGS)
    assert isinstance(found, SafeString)
    assert found.count("<") == found.count(">") == 2 * len(STRINGS)


def test_a_pattern_without_values_is_itself() -> None:
    assert filled("<hr>", ()) == "<hr>"


def test_too_few_values_are_an_error() -> None:
    with pytest.raises(IndexError):
        filled("{}{}", ("one",))
