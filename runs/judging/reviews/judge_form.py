"""The operator's form that starts a judging pass."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.validators import MinValueValidator, RegexValidator
from django.db.models import QuerySet

from runs.models import Panel
from runs.models.open_rows import without_hidden
from runs.operations.evaluations.lifecycle import MAX_TITLE_LENGTH

MIN_BUDGET = 0.01


class JudgeForm(forms.Form):
    """A panel and a budget, for the runs of one evaluation or for pairs of runs of two agents."""

    mark = forms.CharField(
        widget=forms.HiddenInput, required=False, validators=[RegexValidator(r"\A[0-9a-f]{8}\Z")]
    )
    title = forms.CharField(max_length=MAX_TITLE_LENGTH, error_messages={"required": "Give it a title."})
    panel = forms.ModelChoiceField(
        Panel.objects.none(), error_messages={"required": "Choose a panel."}, empty_label=None
    )
    budget_usd = forms.FloatField(
        label="Budget, US dollars",
        required=False,
        validators=[MinValueValidator(MIN_BUDGET)],
        help_text="For all reviews together. What it does not pay for has no score. Empty: no limit.",
        widget=forms.NumberInput(attrs={"step": "any", "min": MIN_BUDGET}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["panel"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = self.panels()

    def panels(self) -> QuerySet[Panel]:
        """The panels of this site, the newest first."""
        return without_hidden(Panel.objects.filter(origin=""))
