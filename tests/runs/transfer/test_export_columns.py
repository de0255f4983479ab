"""Every field of a run's result is public, or it is said why it is not."""

from __future__ import annotations

from dataclasses import fields

from harness.records import RunSummary
from runs.api.schemas.run_schemas import RunShape
from runs.models import Run
from runs.transfer.export_columns import COLUMNS
from runs.transfer.record_shapes import model_of

NOT_PUBLIC_BY_NAME = {
    "identity": "names of the dataset, task and agent are columns of their own; settings are in archives",
    "harness_version": "in archives only",
    "environment": "in archives only: it names the host",
    "similarity": "one column for each figure: similarity_lines and others",
    "user": "columns of their own: user_turns and others",
    "repair": "columns of their own: targets_found and solved_elsewhere",
}


def test_every_field_of_the_result_is_checked_and_public_or_named_here() -> None:
    written = {each.name for each in fields(RunSummary)}
    exported = {column.name for column in COLUMNS}
    assert written <= set(model_of(RunSummary).model_fields)
    assert written - exported == NOT_PUBLIC_BY_NAME.keys()
    assert exported <= set(RunShape.model_fields)


def test_an_exported_field_of_the_result_is_a_column_of_the_database() -> None:
    written = {each.name for each in fields(RunSummary)}
    stored = {column.name for column in Run._meta.concrete_fields}
    assert {column.name for column in COLUMNS} & written <= stored
