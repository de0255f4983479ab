from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from harness.errors import ConfigurationError
from harness.patches import FileState, make_patch
from tasks.generation.pulls.changes import MergedChange, Reason, Refusal
from tasks.generation.pulls.sources.debian_package import changes_of_package, read_package
from tasks.generation.pulls.splitting import Part, split_patch
from tests.tasks.generation.pulls.sources.packing import pack, texts

UPSTREAM = {"calc.py": "def add(a, b):\n    return a - b\n", "tests/test_calc.py": "import calc\n"}


def patch(before: dict[str, str], after: dict[str, str]) -> str:
    """A patch from one tree to another."""
    sides = ([FileState(path, text.encode()) for path, text in side.items()] for side in (before, after))
    return make_patch(*sides).decode()


FIXED = {
    **UPSTREAM,
    "calc.py": "def add(a, b):\n    return a + b\n",
    "tests/test_calc.py": "import calc\n# 3\n",
}
DOCUMENTED = {**FIXED, "calc.py": '"""Sums."""\n' + FIXED["calc.py"]}
PATCHES = {
    "patches/series": "# first\nfix.patch\nother.patch\nnone.patch\nold.patch -p0\ndoc.patch -p1 # last\n",
    "patches/fix.patch": (
        "From: A <a@example.org>\nSubject: Fix sums\nBug: https://example.org/3\n\n" + patch(UPSTREAM, FIXED)
    ),
    "patches/other.patch": patch({"calc.py": "x\n"}, {"calc.py": "y\n"}),
    "patches/old.patch": "",
    "patches/doc.patch": "Description: Say what it is\n\n" + patch(FIXED, DOCUMENTED),
}


def write_package(directory: Path, patches: dict[str, str], form: str = "3.0 (quilt)") -> Path:
    """A source package `calc 1.0-1`. Returns its .dsc."""
    archives = (
        pack(directory / "calc_1.0.orig.tar.gz", UPSTREAM, top="Calc-1.0"),
        pack(
            directory / "calc_1.0-1.debian.tar.xz", {f"debian/{name}": text for name, text in patches.items()}
        ),
    )
    rows = "".join(
        f" {hashlib.sha256(path.read_bytes()).hexdigest()} {path.stat().st_size} {path.name}\n"
        for path in archives
    )
    dsc = directory / "calc_1.0-1.dsc"
    dsc.write_text(f"Format: {form}\nSource: calc\nVersion: 1.0-1\nChecksums-Sha256:\n{rows}")
    return dsc


def test_each_patch_is_a_change_on_top_of_those_before_it(tmp_path: Path) -> None:
    package = read_package(write_package(tmp_path, PATCHES))
    fix, other, none, old, doc = changes_of_package(package)
    assert isinstance(fix, MergedChange)
    assert (fix.identifier, fix.title, fix.author) == ("fix.patch", "Fix sums", "A <a@example.org>")
    assert (fix.base, fix.issue and fix.issue.url) == (
        "calc 1.0-1, before patch 1 of its series",
        "https://example.org/3",
    )
    assert texts(fix.files()) == UPSTREAM
    assert split_patch(fix.diff).paths[Part.TESTS] == ("tests/test_calc.py",)
    assert isinstance(doc, MergedChange)
    assert (doc.title, doc.issue, doc.base) == (
        "Say what it is",
        None,
        "calc 1.0-1, before patch 5 of its series",
    )
    assert texts(doc.files()) == FIXED
    assert other == Refusal(
        "other.patch",
        "other.patch",
        Reason.NOT_APPLYING,
        "calc.py, hunk 1, line 1: does not apply: the file has other lines there",
    )
    assert isinstance(none, Refusal)
    assert none.detail == "the series names it, but debian/patches lacks it"
    assert isinstance(old, Refusal)
    assert old.detail == "has the options -p0; only -p1 is read"


@pytest.mark.parametrize(
    ("header", "title", "text"),
    [
        ("Subject: Merge commit from fork\n\n", "Sums are wrong", "Sums are wrong. Add them\nup."),
        (
            "Subject: Merge commit from fork\n\nAdd.\n\n",
            "Sums are wrong",
            "Add.\n\nSums are wrong. Add them\nup.",
        ),
        ("Subject: Add sums\n\n", "Add sums", "Sums are wrong. Add them\nup."),
        ("Subject: Add sums\n\nIt did not.\n\n", "Add sums", "It did not."),
    ],
)
def test_what_the_changelog_says_completes_a_header_that_says_little(
    header: str, title: str, text: str, tmp_path: Path
) -> None:
    files = {
        "patches/series": "CVE-2024-1111.patch\n",
        "patches/CVE-2024-1111.patch": header + patch(UPSTREAM, FIXED),
        "changelog": "calc (1.0-1) sid\n\n  * CVE-2024-1111: sums are wrong. Add them\n    up. (Closes: #1)\n\n -- A\n",
    }
    (change,) = changes_of_package(read_package(write_package(tmp_path, files)))
    assert isinstance(change, MergedChange)
    assert (change.title, change.text) == (title, text)


def test_a_hunk_that_fits_only_with_fuzz_does_not_apply(tmp_path: Path) -> None:
    before = {"calc.py": "# a comment that is not there\n" + UPSTREAM["calc.py"]}
    after = {"calc.py": before["calc.py"].replace("-", "+")}
    package = read_package(
        write_package(tmp_path, {"patches/series": "a.patch\n", "patches/a.patch": patch(before, after)})
    )
    (refused,) = changes_of_package(package)
    assert isinstance(refused, Refusal)
    assert refused.reason is Reason.NOT_APPLYING


def test_a_package_without_patches_has_no_changes(tmp_path: Path) -> None:
    assert list(changes_of_package(read_package(write_package(tmp_path, {"control": ""})))) == []


def test_a_package_that_cannot_be_read_is_refused_with_a_remedy(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"the format is '1.0', and only '3.0 \(quilt\)' is read"):
        read_package(write_package(tmp_path, PATCHES, form="1.0"))
    dsc = write_package(tmp_path, PATCHES)
    orig = tmp_path / "calc_1.0.orig.tar.gz"
    orig.write_bytes(b"another")
    with pytest.raises(
        ConfigurationError, match=r"has another SHA-256 than calc_1.0-1.dsc says: fetch it again"
    ):
        read_package(dsc)
    orig.unlink()
    with pytest.raises(
        ConfigurationError, match=r"is missing: put the archives of the package beside calc_1.0-1.dsc"
    ):
        read_package(dsc)
    dsc.write_text(dsc.read_text().replace("calc_1.0.orig", "../calc_1.0.orig"))
    with pytest.raises(ConfigurationError, match="is no plain file name"):
        read_package(dsc)
    dsc.write_text("Format: 3.0 (quilt)\nSource: calc\n")
    with pytest.raises(ConfigurationError, match=r"must name one .orig.tar and one .debian.tar"):
        read_package(dsc)
