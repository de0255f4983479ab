"""The operator's form that sends trajectories: files, and what they do not say of their source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.core.validators import RegexValidator

# Fields of the form that are values of the source.
GIVEN = ("board", "agent", "slug", "title", "reported_by", "version", "url", "licence")


class SeveralFilesInput(forms.ClearableFileInput):
    """An input for several files."""

    allow_multiple_selected = True


class SeveralFilesField(forms.FileField):
    """One or more files."""

    widget = SeveralFilesInput

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile[Any]]:
        """Each file as Django cleans one. Raises ValidationError."""
        several = data if isinstance(data, list | tuple) else [data]
        return [super(SeveralFilesField, self).clean(one, initial) for one in several or [None]]


class UploadForm(forms.Form):
    """What an operator sends."""

    file = SeveralFilesField(
        label="Files",
        help_text="Trajectories: up to 100 files, or one zip or tar file of a directory.",
    )
    board = forms.CharField(
        label="Board",
        required=False,
        max_length=50,
        validators=[RegexValidator(r"^[a-z0-9]+([-.][a-z0-9]+)*$", "Use small letters, digits and hyphens.")],
        help_text="A dataset of reported results, to whose attempts they are attached. Empty: none.",
    )
    slug = forms.CharField(
        label="Dataset",
        required=False,
        max_length=50,
        validators=[RegexValidator(r"^[a-z0-9]+([-.][a-z0-9]+)*$", "Use small letters, digits and hyphens.")],
        help_text="Its name in addresses. Empty: the name of the tool.",
    )
    title = forms.CharField(label="Title", required=False, max_length=150, help_text="Of the dataset.")
    reported_by = forms.CharField(
        label="Reported by",
        required=False,
        max_length=100,
        help_text="Who says so. Empty: an operator of this site.",
    )
    version = forms.CharField(
        label="Version",
        required=False,
        max_length=150,
        help_text="A commit, a release or a day. Empty: today.",
    )
    agent = forms.CharField(
        label="Agent",
        required=False,
        max_length=150,
        help_text="Its name on the board, or where the files do not say it.",
    )
    url = forms.CharField(
        label="Address of the source", required=False, max_length=500, help_text="It begins with https://."
    )
    licence = forms.CharField(label="Licence", required=False, max_length=40)

    def given(self) -> Mapping[str, str]:
        """What was entered about the source."""
        return {name: value for name in GIVEN if (value := " ".join(self.cleaned_data[name].split()))}

    @property
    def source_fields(self) -> list[forms.BoundField]:
        """The fields without files."""
        return [self[name] for name in GIVEN]


def named_values(given: Mapping[str, str]) -> list[tuple[str, str]]:
    """What a sender said of the source, named as in the form. What programs alone may say has their name of it."""
    labels = {name: str(field.label) for name, field in UploadForm.base_fields.items()}
    return [(labels.get(name, name.capitalize()), value) for name, value in given.items()]
