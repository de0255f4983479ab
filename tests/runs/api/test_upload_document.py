"""The OpenAPI document describes uploads as they are."""

from __future__ import annotations

from typing import Any

import pytest

from runs.api.ninja_api import document
from runs.api.upload_document import UploadShape, upload_paths
from runs.models import Upload, UploadPurpose


@pytest.fixture
def sending() -> dict[str, Any]:
    found: dict[str, Any] = document()["paths"]["/api/v1/uploads"]["post"]
    return found


def test_a_token_is_needed_and_every_status_is_named(sending: dict[str, Any]) -> None:
    assert document()["components"]["securitySchemes"]["UploadToken"]["scheme"] == "bearer"
    assert sending["security"] == [{"UploadToken": []}]
    assert list(sending["responses"]) == ["202", "400", "401", "403", "413", "429", "507"]
    state = upload_paths()["/api/v1/uploads/{upload}"]["get"]
    assert state["security"] == sending["security"]
    assert list(state["responses"]) == ["200", "400", "401", "404", "429"]


def test_the_body_is_a_file_or_a_form_with_files(sending: dict[str, Any]) -> None:
    assert list(sending["requestBody"]["content"]) == ["application/octet-stream", "multipart/form-data"]
    form = sending["requestBody"]["content"]["multipart/form-data"]["schema"]
    assert form["properties"]["file"]["maxItems"] == 100


def test_the_states_and_purposes_are_those_of_uploads() -> None:
    fields = UploadShape.model_json_schema()["properties"]
    assert fields["state"]["enum"] == [state.label.lower() for state in Upload.State]
    assert fields["purpose"]["enum"] == UploadPurpose.values
