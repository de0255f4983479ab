"""What an operator enters beside files."""

from __future__ import annotations

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.datastructures import MultiValueDict

from runs.intake.uploads.upload_form import UploadForm, named_values


def form(**values: str) -> UploadForm:
    files: MultiValueDict[str, Any] = MultiValueDict()
    files.setlist("file", [SimpleUploadedFile("a.json", b"1"), SimpleUploadedFile("b.json", b"2")])
    return UploadForm(values, files)


def test_several_files_and_only_what_was_entered() -> None:
    found = form(slug="lab-bench", title="  Lab   bench ", agent="")
    assert found.is_valid()
    assert [file.name for file in found.cleaned_data["file"]] == ["a.json", "b.json"]
    assert found.given() == {"slug": "lab-bench", "title": "Lab bench"}


def test_a_wrong_name_of_a_dataset_is_named() -> None:
    found = form(slug="Lab Bench")
    assert found.errors == {"slug": ["Use small letters, digits and hyphens."]}


def test_without_files_it_is_invalid() -> None:
    assert UploadForm({}).errors == {"file": ["This field is required."]}


def test_what_was_entered_is_named_as_in_the_form() -> None:
    given = {"slug": "lab-bench", "url": "https://lab.example", "broken": "skip"}
    assert named_values(given) == [
        ("Dataset", "lab-bench"),
        ("Address of the source", "https://lab.example"),
        ("Broken", "skip"),
    ]
