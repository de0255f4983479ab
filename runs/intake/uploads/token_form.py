"""The operator's form that makes a token."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.validators import RegexValidator

from runs.models import UploadPurpose
from tasks.models import MAX_SLUG_LENGTH, Dataset

MAX_DAYS = 366
_PURPOSES = (
    (UploadPurpose.SUBMISSION, "runs of BenchBench"),
    (UploadPurpose.TRAJECTORIES, "trajectories"),
)


class TokenForm(forms.Form):
    """Who may send what, and for how long."""

    name = forms.CharField(
        label="For whom", max_length=100, help_text="Readers see it as the origin of what is sent."
    )
    purpose = forms.ChoiceField(
        label="What may be sent",
        choices=_PURPOSES,
        help_text="Runs at tasks of this site, or trajectories of other tools.",
    )
    dataset = forms.CharField(
        label="Dataset",
        max_length=MAX_SLUG_LENGTH,
        validators=[RegexValidator(r"^[a-z0-9]+(-[a-z0-9]+)*$", "Use small letters, digits and hyphens.")],
        widget=forms.TextInput(attrs={"list": "dataset-names"}),
        help_text="Its name in addresses. Trajectories may be the first of a new one.",
    )
    days = forms.IntegerField(label="Valid for days", min_value=1, max_value=MAX_DAYS, initial=30)

    def clean(self) -> dict[str, Any]:
        """Checks that the dataset fits what is sent. Raises ValidationError."""
        values = super().clean() or self.cleaned_data
        slug, purpose = values.get("dataset"), values.get("purpose")
        if slug and purpose:
            found = Dataset.objects.filter(slug=slug).first()
            if purpose == UploadPurpose.SUBMISSION and (found is None or found.reported_by):
                self.add_error("dataset", "Submissions are runs at tasks of a dataset that is loaded here.")
            elif purpose == UploadPurpose.TRAJECTORIES and found is not None and not found.reported_by:
                self.add_error(
                    "dataset", "This dataset is run here: choose the name of a reported or a new one."
                )
        return values
