"""Tests use a data directory of their own, so that a site may run in the same checkout."""

from __future__ import annotations

import os
from pathlib import Path

from django.conf import settings

DEFAULT = Path(__file__).parents[1] / "var"


def test_no_setting_points_at_the_default_data_directory() -> None:
    found = {name: getattr(settings, name) for name in dir(settings) if name.isupper()}
    assert {name: value for name, value in found.items() if str(DEFAULT) in repr(value)} == {}


def test_processes_that_tests_start_inherit_the_data_directory() -> None:
    assert os.environ["DJANGO_SETTINGS_MODULE"] == "benchbench.settings"
    assert not Path(os.environ["BENCHBENCH_DATA"]).is_relative_to(DEFAULT)


def test_a_test_has_its_own_data_directory(data_directory: Path) -> None:
    assert data_directory == settings.DATA
    assert Path(os.environ["BENCHBENCH_DATA"]) != data_directory
