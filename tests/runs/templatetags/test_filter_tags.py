"""The controls of filter forms."""

from __future__ import annotations

from django.template import Context, Template
from django.test import RequestFactory


def options(tag: str, **names: object) -> list[str]:
    """The lines of a rendered list, without spaces around them."""
    found = Template("{% load filter_tags %}" + tag).render(Context(names))
    return [line.strip() for line in found.splitlines() if line.strip()]


def test_a_list_of_values_marks_the_chosen_one() -> None:
    assert options('{% select "State" "state" states "failed" %}', states=["queued", "failed"]) == [
        "<label>",
        "State",
        '<select name="state">',
        '<option value="">all</option>',
        '<option value="queued">queued</option>',
        '<option value="failed" selected>failed</option>',
        "</select>",
        "</label>",
    ]


def test_kinds_of_agents_are_in_plain_words_and_unknown_ones_as_they_are() -> None:
    chosen = '{% select "Kind" "kind" kinds|kind_options "null" %}'
    assert options(chosen, kinds=["null", "reported", "odd"])[4:-2] == [
        '<option value="null" selected>changes nothing (null)</option>',
        '<option value="reported">reported by others</option>',
        '<option value="odd">odd</option>',
    ]


def test_a_mapping_gives_texts_and_a_default_replaces_the_first_option() -> None:
    shown = options(
        '{% select "in the" "by" rates "best" default="best" %}',
        rates={"best": "best attempt", "mean": "mean"},
    )
    assert shown[2:-2] == [
        '<select name="by" data-default="best">',
        '<option value="best" selected>best attempt</option>',
        '<option value="mean">mean</option>',
    ]


def test_names_are_escaped_and_cleaned() -> None:
    shown = options(
        '{% select "Agent" "agent" agents "" every="any" %}', agents=[("a", "<b>\N{RIGHT-TO-LEFT OVERRIDE}")]
    )
    assert shown[3:-2] == [
        '<option value="">any</option>',
        '<option value="a">&lt;b&gt;⟨U+202E⟩</option>',
    ]


def test_a_form_keeps_parameters_as_the_address_has_them() -> None:
    request = RequestFactory().get("/runs/", {"dataset": '"ports"'})

    assert options('{% hidden_fields "dataset" "sort" %}', request=request) == [
        '<input type="hidden" name="dataset" value="&quot;ports&quot;"><input type="hidden" name="sort" value="">'
    ]
