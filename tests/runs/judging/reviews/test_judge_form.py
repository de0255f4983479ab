"""The form that starts a judging pass."""

from __future__ import annotations

import pytest

from runs.judging.reviews.judge_form import JudgeForm
from runs.models import Panel
from tests.runs.cast import Cast
from tests.runs.panels import add_panel

pytestmark = pytest.mark.django_db


def test_it_offers_the_panels_of_this_site() -> None:
    panel = add_panel(Cast().add_model("Bench")).panel
    Panel.objects.create(slug="other", title="Other", origin="elsewhere")

    form = JudgeForm({"title": "Night watch", "panel": panel.pk, "budget_usd": "2.5"})

    assert form.is_valid()
    assert (form.cleaned_data["panel"], form.cleaned_data["budget_usd"]) == (panel, 2.5)
    assert [label for _, label in form.fields["panel"].choices] == ["Harbour panel"]  # type: ignore[attr-defined]


def test_a_budget_is_a_positive_number_or_empty() -> None:
    panel = add_panel(Cast().add_model("Bench")).panel
    for budget in ("0", "-1", "nan", "inf", "much"):
        form = JudgeForm({"title": "x", "panel": panel.pk, "budget_usd": budget})
        assert list(form.errors) == ["budget_usd"], budget
    assert JudgeForm({"title": "x", "panel": panel.pk, "budget_usd": ""}).is_valid()


def test_a_title_and_a_panel_are_needed() -> None:
    form = JudgeForm({"panel": "7"})
    assert sorted(form.errors) == ["panel", "title"]
    assert form.errors["title"] == ["Give it a title."]
