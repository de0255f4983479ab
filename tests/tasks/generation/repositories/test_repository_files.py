"""Repositories that are made from source archives of packages."""

from __future__ import annotations

import io
import tarfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from harness.errors import ConfigurationError
from harness.patches import FileState
from tasks.generation.repositories.repository_files import RepositorySettings, repository_files
from tests.tasks.generation.pulls.sources.test_debian_package import write_package

BSD = "Redistributions in binary form must reproduce\nthis.\n"
PACKAGE = {
    "PKG-INFO": "Metadata-Version: 2.1\nName: Shop\nVersion: 1.2\nSummary: Sells  things.\nLicense: MIT\n\nLong.\n",
    "LICENSE": "MIT\n",
    "README.md": "# Shop\n",
    "pyproject.toml": "[project]\nname = 'shop'\n",
    "setup.py": "import setuptools\n",
    "shop/__init__.py": "",
    "shop/cart.py": "def add():\n    return 1\n",
    "shop/data/prices.json": "{}",
    "shop/tests/test_inner.py": "def test_inner():\n    pass\n",
    "shop.egg-info/PKG-INFO": "Name: Shop\n",
    "docs/index.rst": "Shop\n",
    "docs/__init__.py": "",
    "tests/conftest.py": "import pytest\n",
    "tests/test_cart.py": "def test_add():\n    pass\n",
    "tests/data/cart.txt": "1",
}


def info(licence: str) -> str:
    """The metadata with another line for the licence."""
    return PACKAGE["PKG-INFO"].replace("License: MIT", licence)


def archive(directory: Path, files: Mapping[str, str], name: str = "shop-1.2.tar.gz") -> Path:
    """A source archive with these files in one directory."""
    path = directory / name
    with tarfile.open(path, "w:gz") as packed:
        for file, text in files.items():
            member = tarfile.TarInfo(f"shop-1.2/{file}")
            member.size = len(text.encode())
            packed.addfile(member, io.BytesIO(text.encode()))
    return path


def made(directory: Path, files: Mapping[str, str], **settings: Any) -> Mapping[str, FileState]:
    options = {"slug": "shop", "domain": "shops", "canary": "CANARY", **settings}
    return {
        file.path: file for file in repository_files(archive(directory, files), RepositorySettings(**options))
    }


def text(files: Mapping[str, FileState], name: str) -> str:
    return (files[name].content or b"").decode()


def test_package_tests_and_environment_are_separated(tmp_path: Path) -> None:
    assert sorted(made(tmp_path, PACKAGE)) == [
        "Dockerfile",
        "environment/benchbench.pth",
        "environment/shop-1.2.dist-info/METADATA",
        "repository.toml",
        "run_tests.sh",
        "source/.gitignore",
        "source/LICENSE",
        "source/README.md",
        "source/pyproject.toml",
        "source/setup.py",
        "source/shop/__init__.py",
        "source/shop/cart.py",
        "source/shop/data/prices.json",
        "tests/BENCHBENCH_CANARY",
        "tests/pyproject.toml",
        "tests/shop/tests/test_inner.py",
        "tests/tests/conftest.py",
        "tests/tests/data/cart.txt",
        "tests/tests/test_cart.py",
    ]


def test_the_settings_name_licence_and_origin(tmp_path: Path) -> None:
    files = made(tmp_path, PACKAGE, leave_out=["tests.test_cart::test_skipped"])
    found = tomllib.loads(text(files, "repository.toml"))
    assert len(found.pop("origin_sha256")) == 64
    assert found == {
        "title": "shop 1.2",
        "description": "Sells things.",
        "stack": "Python",
        "languages": ["Python"],
        "domain": "shops",
        "licence": "MIT",
        "origin": "pkg:pypi/shop@1.2",
        "leave_out": ["tests.test_cart::test_skipped"],
    }


def test_a_debian_package_is_its_upstream_source(tmp_path: Path) -> None:
    patches = {
        "patches/series": "fix.patch\n",
        "patches/fix.patch": "",
        "copyright": "Files: *\nLicense: Expat\n",
        "control": "Package: python3-calc\nDescription: adds\n",
    }
    settings = RepositorySettings("calc", "sums", "CANARY")
    files = {file.path: file for file in repository_files(write_package(tmp_path, patches), settings)}
    assert [name for name in files if name.startswith(("source/", "tests/", "environment/calc"))] == [
        *("tests/BENCHBENCH_CANARY", "source/.gitignore", "environment/calc-1.0.dist-info/METADATA"),
        *("source/calc.py", "tests/tests/test_calc.py"),
    ]
    found = tomllib.loads(text(files, "repository.toml"))
    assert (found["title"], found["description"], found["licence"]) == ("calc 1.0", "adds", "MIT")
    assert found["origin"] == "pkg:deb/debian/calc@1.0-1?arch=source"


def test_the_tests_run_with_their_own_configuration_or_with_none(tmp_path: Path) -> None:
    plain = text(made(tmp_path, PACKAGE), "run_tests.sh")
    assert '-c /dev/null --rootdir="$PWD"' in plain
    assert plain.endswith('--junitxml="$RESULTS_DIR/junit.xml" shop/tests tests\n')
    configured = {**PACKAGE, "pyproject.toml": "[tool.pytest.ini_options]\n"}
    options = made(tmp_path, configured, pytest_options=["--deselect=tests/test_cart.py::test_add"])
    assert "-c /dev/null" not in text(options, "run_tests.sh")
    assert "-p no:cacheprovider --deselect=tests/test_cart.py::test_add" in text(options, "run_tests.sh")
    assert options["run_tests.sh"].mode == 0o755


def test_the_image_has_packages_for_the_tests_and_nothing_of_the_source(tmp_path: Path) -> None:
    dockerfile = text(made(tmp_path, PACKAGE, packages=["python3-yaml"]), "Dockerfile")
    assert "python3 python3-pytest git ripgrep python3-yaml" in dockerfile
    assert [line for line in dockerfile.splitlines() if line.startswith(("COPY", "ADD"))] == [
        "COPY environment/ /usr/lib/python3/dist-packages/"
    ]


def test_packages_below_src_are_found(tmp_path: Path) -> None:
    moved = {name.replace("shop/", "src/shop/", 1) if name.startswith("shop/") else name: content
             for name, content in PACKAGE.items()}  # fmt: skip
    files = made(tmp_path, moved)
    assert "source/src/shop/cart.py" in files
    assert text(files, "environment/benchbench.pth") == "/app/src\n"
    assert text(made(tmp_path, PACKAGE), "environment/benchbench.pth") == "/app\n"


@pytest.mark.parametrize("root", ["", "src/"])
def test_plugins_are_found_by_their_entry_points(root: str, tmp_path: Path) -> None:
    files = made(tmp_path, {**PACKAGE, f"{root}shop.egg-info/entry_points.txt": "[shop]\n"})
    assert text(files, "environment/shop-1.2.dist-info/entry_points.txt") == "[shop]\n"


@pytest.mark.parametrize(
    ("changes", "licence"),
    [
        ({"PKG-INFO": info("License-Expression: Apache-2.0 OR MIT")},
         "Apache-2.0 OR MIT"),
        ({"PKG-INFO": info("Classifier: License :: OSI Approved :: MIT License")},
         "MIT"),
        ({"PKG-INFO": info("License: BSD"), "LICENSE": BSD}, "BSD-2-Clause"),
        ({"PKG-INFO": info("License: BSD"),
          "LICENSE": f"{BSD}No names may be used to endorse it.\n"}, "BSD-3-Clause"),
    ],
)  # fmt: skip
def test_the_licence_is_that_of_metadata_or_text(
    tmp_path: Path, changes: dict[str, str], licence: str
) -> None:
    found = tomllib.loads(text(made(tmp_path, {**PACKAGE, **changes}), "repository.toml"))
    assert found["licence"] == licence


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"PKG-INFO": None}, r"shop-1\.2\.tar\.gz has no PKG-INFO"),
        ({"PKG-INFO": "Name: ../x\nVersion: 1\nLicense: MIT\n"}, "names no package and version"),
        ({"PKG-INFO": "Name: x\nVersion: $(rm)\nLicense: MIT\n"}, "names no package and version"),
        (
            {"PKG-INFO": "Name: x\nVersion: 1\nLicense: free for all\n"},
            "states no licence that SPDX knows: name it",
        ),
        (
            {name: None for name in PACKAGE if "test" in name},
            "has no tests: take an archive with them",
        ),
        (
            {name: None for name in PACKAGE if name.startswith("shop/") or name == "setup.py"},
            "holds no Python package",
        ),
    ],
)
def test_an_archive_that_makes_no_repository_is_refused_with_the_reason(
    tmp_path: Path, changes: Mapping[str, str | None], reason: str
) -> None:
    files = {name: content for name, content in {**PACKAGE, **changes}.items() if content is not None}
    with pytest.raises(ConfigurationError, match=reason):
        made(tmp_path, files)
