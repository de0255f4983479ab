"""Archives that were made to do harm: each is refused in one line, and nothing of it stays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from runs.models import Agent, Evaluation, LanguageModel, Run
from tests.runs.tiny import Tiny
from tests.runs.transfer.hostile_archives import FORMS
from tests.runs.transfer.made_records import Elsewhere

pytestmark = pytest.mark.django_db


def refusal(archive: Path) -> str:
    """The error of an import."""
    try:
        call_command("import_runs", str(archive))
    except CommandError as error:
        return str(error)
    return "accepted"


def test_every_hostile_form_is_refused_in_one_line_and_nothing_of_it_stays(
    tmp_path: Path, settings: Any
) -> None:
    site = Elsewhere.knowing(Tiny(tmp_path).task)
    small = [form for form in FORMS if not form.large]
    said = {}
    for form in small:
        archive = tmp_path / "archive"
        form.write(site, archive)
        said[form.name] = refusal(archive).removeprefix(f"nothing of {archive} was imported: {archive}: ")
    assert len(said) == len(small) >= 60
    assert {form.name: said[form.name] for form in small if form.error not in said[form.name]} == {}
    assert [line for line in said.values() if not line.isprintable() or "Traceback" in line] == []
    for model in (Run, Evaluation, LanguageModel):
        assert not model._default_manager.exists()
    assert Agent.objects.count() == 2
    assert list(settings.RUNS_ROOT.iterdir()) == []
    assert not list(Path(settings.DATA).glob("benchbench-scratch-*"))
