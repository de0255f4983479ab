"""A site recognizes the records that it signed, and no others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from runs.work.execution.run_signature import (
    FILE_SIGNATURE,
    SIGNATURE,
    Proof,
    check_signature,
    is_signed,
    sign_file,
    sign_run,
)
from runs.work.execution.settling import settle
from tests.conftest import RedisServer
from tests.harness.worlds import png
from tests.runs.tiny import Tiny, claimed, failure_of, summary_of, write_run


@pytest.fixture
def signed(tmp_path: Path) -> Path:
    """A signed directory with every kind of file."""
    (tmp_path / "artifacts").mkdir()
    for name in ("run_summary.json", "trajectory.jsonl", "patch.diff", "tests.json", "grading.log"):
        (tmp_path / name).write_text(name)
    (tmp_path / "artifacts/step-1-1.png").write_bytes(png())
    sign_run(tmp_path)
    return tmp_path


def test_the_same_records_are_recognized_also_without_the_log_of_grading(signed: Path) -> None:
    assert check_signature(signed) is Proof.VALID
    (signed / "grading.log").unlink()
    assert check_signature(signed) is Proof.VALID


@pytest.mark.parametrize(
    "name", ["run_summary.json", "trajectory.jsonl", "patch.diff", "tests.json", "artifacts/step-1-1.png"]
)
def test_a_changed_missing_or_additional_file_breaks_the_signature(signed: Path, name: str) -> None:
    content = (signed / name).read_bytes()
    (signed / name).write_bytes(content + b" ")
    assert check_signature(signed) is Proof.BROKEN
    (signed / name).unlink()
    assert check_signature(signed) is Proof.BROKEN
    (signed / name).write_bytes(content)
    assert check_signature(signed) is Proof.VALID
    (signed / "edits.jsonl").write_text("")
    assert check_signature(signed) is Proof.BROKEN


def test_an_earlier_key_is_accepted_while_it_is_listed(signed: Path, settings: Any) -> None:
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "new", [settings.SECRET_KEY]
    assert check_signature(signed) is Proof.VALID
    settings.SECRET_KEY_FALLBACKS = []
    assert check_signature(signed) is Proof.FOREIGN


@pytest.mark.parametrize(
    "content", ["", "{", "[]", "null", '{"version": 1}', '{"version": 1, "key": []}', "[" * 9999]
)
def test_no_signature_and_an_odd_one_are_a_strangers(signed: Path, content: str) -> None:
    (signed / SIGNATURE).write_text(content)
    assert check_signature(signed) is Proof.FOREIGN
    (signed / SIGNATURE).unlink()
    assert check_signature(signed) is Proof.FOREIGN


def test_the_key_is_not_in_the_signature(signed: Path, settings: Any) -> None:
    assert settings.SECRET_KEY not in (signed / SIGNATURE).read_text()


@pytest.mark.redis
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("made", [summary_of, failure_of])
def test_every_try_is_signed_when_it_settles(tmp_path: Path, redis: RedisServer, made: Any) -> None:
    run = claimed(Tiny(tmp_path).start().runs.get())
    summary = made(run)
    write_run(run.path, summary)
    directory = run.path
    settle(run, 1, summary)
    assert check_signature(directory) is Proof.VALID


def test_a_directory_that_is_not_there_is_not_signed_and_raises_nothing(tmp_path: Path) -> None:
    sign_run(tmp_path / "missing")
    assert not (tmp_path / "missing").exists()


def test_a_file_has_a_signature_of_its_own_that_shows_a_change(tmp_path: Path) -> None:
    path = tmp_path / "reviews" / "a.json"
    path.parent.mkdir()
    path.write_text("{}")
    assert not is_signed(path)

    sign_file(path)
    assert is_signed(path)

    path.rename(path.with_name("b.json"))
    path.with_suffix(FILE_SIGNATURE).rename(path.with_name(f"b{FILE_SIGNATURE}"))
    assert not is_signed(path.with_name("b.json"))
    path.with_name("b.json").rename(path)
    path.with_name(f"b{FILE_SIGNATURE}").rename(path.with_suffix(FILE_SIGNATURE))
    path.write_text("{ }")
    assert not is_signed(path)


def test_a_file_signed_with_an_older_key_is_still_known(tmp_path: Path, settings: Any) -> None:
    path = tmp_path / "a.json"
    path.write_text("{}")
    sign_file(path)
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "another key of this site"
    assert is_signed(path)
    settings.SECRET_KEY_FALLBACKS = []
    assert not is_signed(path)
