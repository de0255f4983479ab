"""Where the code of repositories comes from."""

from __future__ import annotations

from pathlib import Path

import pytest

from tasks.code_origins import CodeOrigin, code_origin
from tasks.models import Dataset, Repository


def origin_of(directory: Path, text: str) -> CodeOrigin:
    """The origin of a repository whose file has this text."""
    (directory / "humanize").mkdir(exist_ok=True)
    (directory / "humanize" / "repository.toml").write_text(text)
    return code_origin(Repository(slug="humanize", dataset=Dataset(directory=str(directory))))


def test_a_package_has_its_licence_and_the_page_of_its_version(tmp_path: Path) -> None:
    found = origin_of(tmp_path, 'licence = "MIT"\norigin = "pkg:pypi/humanize@4.17.0"')

    assert found == ("MIT", "pkg:pypi/humanize@4.17.0", "https://pypi.org/project/humanize/4.17.0/")
    assert found.name == "pypi/humanize@4.17.0"
    debian = origin_of(tmp_path, 'origin = "pkg:deb/debian/python-h11@0.14.0-1.1~deb12u1?arch=source"')
    assert debian.page == "https://snapshot.debian.org/package/python-h11/0.14.0-1.1~deb12u1/"
    assert debian.licence == ""


@pytest.mark.parametrize(
    "package", ["https://x.example/", "pkg:pypi/../../x@1", 'pkg:pypi/a@1"onclick=', "pkg:npm/left-pad@1"]
)
def test_other_origins_have_no_page(tmp_path: Path, package: str) -> None:
    assert origin_of(tmp_path, f"origin = '{package}'").page == ""


def test_what_no_file_says_is_unknown(tmp_path: Path) -> None:
    assert origin_of(tmp_path, "origin = [") == CodeOrigin()
    (tmp_path / "humanize" / "repository.toml").unlink()
    repository = Repository(slug="humanize", dataset=Dataset(directory=str(tmp_path)))
    assert code_origin(repository) == CodeOrigin()
    repository.dataset.directory = ""
    assert code_origin(repository) == CodeOrigin()
