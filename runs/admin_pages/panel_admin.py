"""The admin's pages of panels and judging passes."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from harness.errors import ConfigurationError
from harness.judges.dimensions import dimensions
from runs.admin_pages.visible_rows import AnyInline, ReadOnlyRows, VisibleChoices, VisibleRows
from runs.judging.reviews.panel_specs import panel_spec, read_parameters
from runs.models import JudgeReview, JudgeSummary, JudgingPass, Panel, PanelJudge, RunComparison


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
    """Refuses parameters that no judge has."""

    class Meta:
        model = PanelJudge
        fields = ("name", "model", "family", "parameters")
        widgets: ClassVar = {
            "family": forms.TextInput(attrs={"size": 12}),
            "parameters": forms.Textarea(attrs={"rows": 3, "cols": 24}),
        }

    def clean_parameters(self) -> dict[str, Any]:
        """The parameters, checked."""
        stored: dict[str, Any] = self.cleaned_data["parameters"] or {}
        try:
            read_parameters(stored)
        except ConfigurationError as error:
            raise ValidationError(str(error)) from error
        return stored


class PanelJudgeInline(VisibleChoices, AnyInline):
    """The judges of a panel."""

    model = PanelJudge
    form = PanelJudgeForm
    extra = 1
    min_num = 1

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
