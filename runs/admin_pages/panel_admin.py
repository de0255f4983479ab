"""The admin's pages of panels and judging passes."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest

from harness.judges.dimensions import dimensions
from harness.judges.panel import MIN_TEXT, JudgeParameters
from runs.admin_pages.visible_rows import AnyInline, ReadOnlyRows, VisibleChoices, VisibleRows
from runs.judging.reviews.panel_specs import panel_spec
from runs.models import JudgeReview, JudgeSummary, JudgingPass, Panel, PanelJudge, RunComparison

DEFAULTS = JudgeParameters()


class PanelForm(forms.ModelForm):  # type: ignore[type-arg]  # has no parameters at run time
    """Dimensions are chosen from those that exist."""

    dimensions = forms.MultipleChoiceField(
        widget=forms.CheckboxSelectMultiple,
        help_text="What each judge reviews, one request each.",
    )

    class Meta:
        model = Panel
        fields = ("title", "slug", "dimensions", "samples")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "dimensions" in self.fields:  # it is read-only in a panel that is in use
            field = self.fields["dimensions"]
            assert isinstance(field, forms.MultipleChoiceField)
            field.choices = [(name, f"{each.title}: {each.summary}") for name, each in dimensions().items()]
            if not self.instance.pk:
                field.initial = [name for name, each in dimensions().items() if "general" in each.sets]


class PanelJudgeForm(forms.ModelForm):  # type: ignore[type-arg]
    """A judge with a field for each of its parameters. Stores those that differ from the defaults."""

    temperature = forms.FloatField(
        min_value=0, required=False, initial=DEFAULTS.temperature, help_text="Empty: it is not sent."
    )
    max_output_tokens = forms.IntegerField(
        min_value=1, initial=DEFAULTS.max_output_tokens, help_text="Of one answer, reasoning included."
    )
    reasoning_effort = forms.CharField(
        max_length=20, required=False, help_text="Such as low, medium or high. Empty: it is not sent."
    )
    seed = forms.IntegerField(
        min_value=0,
        required=False,
        help_text="Of the first sample; each further one adds 1. Empty: it is not sent.",
    )
    most_characters = forms.IntegerField(
        label="Characters of a run",
        min_value=MIN_TEXT,
        initial=DEFAULTS.most_characters,
        help_text="At most; a longer run is shortened. A model with a small window reads less.",
    )
    force_call = forms.BooleanField(
        label="Force the tool call",
        required=False,
        initial=DEFAULTS.force_call,
        help_text="Untick it for a model that refuses this together with reasoning.",
    )

    class Meta:
        model = PanelJudge
        fields = ("name", "model", "family")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial |= self.instance.parameters

    def clean(self) -> dict[str, Any]:
        """Makes the parameters of their fields."""
        values: dict[str, Any] = super().clean() or self.cleaned_data
        entered = {name: values.get(name, default) for name, default in DEFAULTS.to_json().items()}
        entered["reasoning_effort"] = entered["reasoning_effort"] or None
        self.instance.parameters = {
            name: value for name, value in entered.items() if value != getattr(DEFAULTS, name)
        }
        return values


class PanelJudgeInline(VisibleChoices, AnyInline):
    """The judges of a panel."""

    model = PanelJudge
    form = PanelJudgeForm
    template = "admin/edit_inline/stacked.html"  # a judge has more fields than a line has room
    extra = 1
    min_num = 1

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """A collapsed field for each parameter; the stored JSON where the panel cannot be changed."""
        who = ("name", "model", "family")
        if not (self.has_change_permission(request, obj) or self.has_add_permission(request, obj)):
            return [(None, {"fields": (*who, "parameters")})]
        parameters = {"fields": tuple(DEFAULTS.to_json()), "classes": ("collapse",)}
        return [(None, {"fields": who}), ("Parameters of its calls", parameters)]

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Not of a panel that is in use."""
        return _is_free(obj) and super().has_change_permission(request, obj)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Not to a panel that is in use."""
        return _is_free(obj) and super().has_add_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Not from a panel that is in use."""
        return _is_free(obj) and super().has_delete_permission(request, obj)


@admin.register(Panel)
class PanelAdmin(VisibleRows):
    """Panels of judges. A panel that has a pass is frozen: another choice is another panel."""

    form = PanelForm
    inlines = (PanelJudgeInline,)
    list_display = ("title", "samples", "created_at", "origin")
    search_fields = ("title", "slug")

    def get_prepopulated_fields(self, request: HttpRequest, obj: Any = None) -> dict[str, Any]:  # noqa: ARG002
        """The slug follows the title, until the panel is stored."""
        return {"slug": ("title",)} if obj is None else {}

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:  # noqa: ARG002
        """All of a panel that is in use."""
        return () if _is_free(obj) else ("title", "slug", "dimensions", "samples")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Not of a panel that is in use, and never a whole list."""
        return obj is not None and _is_free(obj) and super().has_delete_permission(request, obj)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Stores the digest of the prompts when panel and judges are stored."""
        super().save_related(request, form, formsets, change)
        panel: Panel = form.instance
        if _is_free(panel):
            panel.digest = panel_spec(panel).prompt_digest
            panel.save(update_fields=["digest"])


@admin.register(JudgingPass)
class JudgingPassAdmin(ReadOnlyRows):
    """Judging passes. They are started on the page of an evaluation."""

    list_display = ("title", "panel", "evaluation", "state", "budget_usd", "created_at")
    list_filter = ("state",)
    list_select_related = ("panel", "evaluation")


@admin.register(JudgeReview)
class JudgeReviewAdmin(ReadOnlyRows):
    """Reviews, those without a score included."""

    list_display = ("run", "judge", "dimension", "sample", "state", "score", "tries", "spent_usd", "reason")
    list_filter = ("state", "dimension")
    list_select_related = ("run", "judge")


@admin.register(RunComparison)
class RunComparisonAdmin(ReadOnlyRows):
    """Comparisons, those without a score included."""

    list_display = (
        "run_one",
        "run_two",
        "judge",
        "dimension",
        "sample",
        "state",
        "score",
        "flipped",
        "reason",
    )
    list_filter = ("state", "dimension", "flipped")
    list_select_related = ("run_one", "run_two", "judge")


def _is_free(panel: Panel | None) -> bool:
    """Whether no pass has used the panel, and no evaluation waits for it."""
    if panel is None:
        return True
    waiting = panel.evaluations_when_finished.filter(judging_refused="")
    return not (panel.passes.exists() or waiting.exists())


@admin.register(JudgeSummary)
class JudgeSummaryAdmin(ReadOnlyRows):
    """Summaries, those that are missing included."""

    list_display = ("agent", "other_agent", "dataset", "judge", "dimension", "state", "alert", "reason")
    list_filter = ("state", "dimension")
    list_select_related = ("agent", "other_agent", "dataset", "judge")
