"""Metadata of a Python package from Debian's files."""

from __future__ import annotations

import pytest

from harness.patches import FileState
from tasks.generation.pulls.sources.debian_package import DebianPackage
from tasks.generation.repositories.debian_metadata import debian_licence, debian_metadata

CONTROL = (
    "Source: python-shop\nBuild-Depends: dh-python\n\n"
    "Package: python3-shop\nDescription: sells things (Python 3 module)\n And more.\n\n"
    "Package: python-shop-doc\nDescription: documents\n"
)
COPYRIGHT = "Upstream-Name: Shop\n\nFiles: debian/*\nLicense: GPL-2+\n\nFiles: *\nLicense: Expat\n Text\n"


def package(version: str = "1:1.2-3~deb12u1", **debian: str) -> DebianPackage:
    """A source package with these files in its directory `debian`."""
    files = {name: FileState(name, text.encode()) for name, text in debian.items()}
    return DebianPackage("python-shop", version, {}, files, "0" * 64)


def test_name_version_summary_and_licence_are_named() -> None:
    assert debian_metadata(package(control=CONTROL, copyright=COPYRIGHT)).decode().splitlines() == [
        "Metadata-Version: 2.1",
        "Name: Shop",
        "Version: 1.2",
        "Summary: sells things",
        "License-Expression: MIT",
    ]


def test_what_is_not_said_is_left_out() -> None:
    assert debian_metadata(package("0.1")) == b"Metadata-Version: 2.1\nName: shop\nVersion: 0.1\n"
    assert b"Name: shop\n" in debian_metadata(package(copyright="Upstream-Name: The Shop\n"))


@pytest.mark.parametrize(
    ("stated", "licence"),
    [("Expat", "MIT"), ("BSD-3-clause", "BSD-3-clause"), ("Apache-2", "Apache-2.0"), ("", "")],
)
def test_licences_have_the_names_of_spdx(stated: str, licence: str) -> None:
    assert debian_licence(package(copyright=f"Files: *\nLicense: {stated}\n")) == licence
