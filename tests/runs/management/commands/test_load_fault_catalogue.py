from __future__ import annotations

import io

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from harness.judges.faults.catalogue import cases

pytestmark = pytest.mark.django_db


def test_it_says_what_it_loaded() -> None:
    call_command("load_dataset", str(settings.BASE_DIR / "datasets" / "starter"), verbosity=0)
    for new, known in ((2 * len(cases()), 0), (0, 2 * len(cases()))):
        said = io.StringIO()
        call_command("load_fault_catalogue", stdout=said)
        assert said.getvalue() == f"{new} runs are new, {known} were there, 0 are gone from the catalogue\n"


def test_it_says_which_dataset_is_missing() -> None:
    with pytest.raises(CommandError, match="load_dataset datasets/starter"):
        call_command("load_fault_catalogue")
