"""Makes a repository of a dataset from the source archive of a Python package, without a network.

The archive is an sdist, or a Debian source package (.dsc): then these are upstream's files, without Debian's patches.

source/        the package and the files at the top; no test, no document, no history
tests/         its own tests and their configuration; hidden
environment/   metadata and entry points of the package, and a .pth file that puts the workspace on Python's path
Dockerfile     Debian's packages that the tests need; nothing of the package itself
run_tests.sh   runs all tests with pytest
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from email.parser import BytesParser
from pathlib import Path, PurePosixPath

from license_expression import ExpressionError, get_spdx_licensing

from harness.errors import ConfigurationError
from harness.patches import FileState
from tasks.generation.pulls.changes import Files
from tasks.generation.pulls.sources.archives import digest_of_file, read_archive
from tasks.generation.pulls.sources.debian_package import read_package
from tasks.generation.pulls.splitting import Part, part_of, suite_of
from tasks.generation.repositories.debian_metadata import debian_licence, debian_metadata

CANARY_FILE = "tests/BENCHBENCH_CANARY"
MAX_SUMMARY = 300
_NO_PACKAGES = frozenset(
    {"docs", "doc", "examples", "benchmarks", "benchmark", "scripts", "tools", "utils", "ci"}
)
_TOP = re.compile(
    r"(?:readme|licen[cs]e|copying|notice|authors)[^/]*|pyproject\.toml|setup\.(?:py|cfg)", re.IGNORECASE
)
_ENTRY_POINTS = re.compile(r"(?:src/)?[^/]+\.egg-info/entry_points\.txt")
_TEST_DIRECTORIES = frozenset({"test", "tests"})
_CONFIGURED = re.compile(rb"^\[(?:tool\.pytest|tool:pytest|pytest)", re.MULTILINE)
_BSD = "BSD License"  # a classifier that does not say which
_CLASSIFIERS = {"MIT License": "MIT", "Apache Software License": "Apache-2.0"}
_LICENCE_FILE = re.compile(r"(?:licen[cs]e|copying)[^/]*", re.IGNORECASE)
_DOCKERFILE = """\
ARG BASE_IMAGE=debian:bookworm
FROM ${{BASE_IMAGE}}

RUN apt-get update \\
    && apt-get install -y --no-install-recommends {packages} \\
    && rm -rf /var/lib/apt/lists/*
COPY environment/ /usr/lib/python3/dist-packages/

WORKDIR /app
"""
_RUN_TESTS = """\
#!/bin/bash
# run_tests.sh <task>: runs all tests of the package in the current directory, JUnit XML into $RESULTS_DIR.
set -eu
: "${{RESULTS_DIR:?must name the directory for the results}}"
export PYTHONDONTWRITEBYTECODE=1 PYTHONHASHSEED=0
unset PYTHONPATH
exec /usr/bin/python3 -m pytest -q -p no:cacheprovider {options} \\
    --junitxml="$RESULTS_DIR/junit.xml" {paths}
"""


@dataclass(frozen=True, slots=True)
class RepositorySettings:
    """What an operator says of a repository. `packages`: Debian packages that the tests need, beside Python and pytest.

    `pytest_options`: such as `--deselect=tests/test_a.py::test_network`. `licence`: '' if the archive says it.
    `leave_out`: tests that are skipped or expected to fail. `overrides`: see `splitting.part_of`. `for_changes`: for
    tasks from merged changes only, which bring their own tests.
    """

    slug: str
    domain: str
    canary: str
    packages: Sequence[str] = ()
    pytest_options: Sequence[str] = ()
    licence: str = ""
    leave_out: Sequence[str] = ()
    overrides: Mapping[str, Part] | None = None
    for_changes: bool = False


@dataclass(frozen=True, slots=True)
class _Opened:
    """An archive in memory. `digest`: its SHA-256. `metadata`: PKG-INFO. `origin`: '' for a package of PyPI.

    `licence`: what Debian says, '' if it says nothing.
    """

    files: Files
    digest: str
    metadata: bytes
    origin: str = ""
    licence: str = ""


@dataclass(frozen=True, slots=True)
class _Package:
    """What the metadata of an archive says. `metadata`: the text itself."""

    name: str
    version: str
    summary: str
    licence: str
    metadata: bytes


def repository_files(archive: Path, settings: RepositorySettings) -> tuple[FileState, ...]:
    """The files of a repository from a source archive (sdist or .dsc), by path in the repository's directory.

    Raises ConfigurationError for an archive without metadata, package, tests or licence, and ArchiveRefused for a
    damaged one.
    """
    opened = _open(archive)
    files = opened.files
    package = _package(archive, opened, settings.licence)
    root, source = _source(archive, files, settings.overrides)
    suite = suite_of(files, settings.overrides)
    paths = _test_paths(suite)
    if not paths:
        raise ConfigurationError(
            f"{archive.name} has no tests: take an archive with them, or name them as overrides"
        )
    configured = any(_CONFIGURED.search(files[name].content or b"") for name in suite)
    options = [
        *([] if configured else ['-c /dev/null --rootdir="$PWD"']),
        shlex.join(settings.pytest_options),
    ]
    info = f"environment/{package.name.replace('-', '_')}-{package.version}.dist-info"
    entries = [name for name in files if _ENTRY_POINTS.fullmatch(name)]
    apt = " ".join(("python3", "python3-pytest", "git", "ripgrep", *settings.packages))
    texts = {
        "repository.toml": _settings(opened, package, settings),
        "Dockerfile": _DOCKERFILE.format(packages=apt),
        "run_tests.sh": _RUN_TESTS.format(options=" ".join(filter(None, options)), paths=shlex.join(paths)),
        "environment/benchbench.pth": f"{PurePosixPath('/app', root)}\n",
        CANARY_FILE: f"{settings.canary}\n",
        "source/.gitignore": "__pycache__/\n*.py[co]\n.pytest_cache/\n",
    }
    own = (
        FileState(name, text.encode(), 0o755 if name.endswith(".sh") else 0o644)
        for name, text in texts.items()
    )
    return (
        *own,
        FileState(f"{info}/METADATA", package.metadata),
        *(replace(files[name], path=f"{info}/entry_points.txt") for name in entries[:1]),
        *(replace(files[name], path=f"source/{name}") for name in source),
        *(replace(files[name], path=f"tests/{name}") for name in suite),
    )


def _open(archive: Path) -> _Opened:
    if archive.suffix == ".dsc":
        package = read_package(archive)
        origin = f"pkg:deb/debian/{package.name}@{package.version}?arch=source"
        metadata = _content(package.files, "PKG-INFO") or debian_metadata(package)
        return _Opened(package.files, package.digest, metadata, origin, debian_licence(package))
    files = read_archive(archive)
    return _Opened(files, digest_of_file(archive), _content(files, "PKG-INFO"))


def _content(files: Files, name: str) -> bytes:
    return (files[name].content if name in files else None) or b""


def _package(archive: Path, opened: _Opened, licence: str) -> _Package:
    files, metadata = opened.files, opened.metadata
    if not metadata:
        raise ConfigurationError(
            f"{archive.name} has no PKG-INFO at its top: take a source archive of a release"
        )
    headers = BytesParser().parsebytes(metadata, headersonly=True)
    name, version = str(headers.get("Name", "")).lower(), str(headers.get("Version", ""))
    if not re.fullmatch(r"[a-z0-9][a-z0-9._-]*", name) or not re.fullmatch(r"[0-9][\w.+!-]*", version):
        raise ConfigurationError(f"{archive.name}, PKG-INFO: names no package and version")
    stated = [licence, str(headers.get("License-Expression", "")), str(headers.get("License", ""))]
    classifiers = [str(one).rpartition(" :: ")[2] for one in headers.get_all("Classifier") or ()]
    stated += [_CLASSIFIERS.get(one, "") for one in classifiers]
    if _BSD in classifiers or "BSD" in stated:
        stated.append(_which_bsd(files))
    stated.append(opened.licence)
    summary = " ".join(str(headers.get("Summary", "")).split())[:MAX_SUMMARY]
    return _Package(name, version, summary or name, _spdx(archive, stated), metadata)


def _which_bsd(files: Files) -> str:
    """The BSD licence whose text is in the archive: that with three clauses forbids to use names for promotion."""
    texts = (file.content or b"" for name, file in files.items() if _LICENCE_FILE.fullmatch(name))
    text = b" ".join(b"".join(texts).lower().split())
    if b"redistributions in binary form" not in text:
        return ""
    return "BSD-3-Clause" if b"used to endorse" in text else "BSD-2-Clause"


def _spdx(archive: Path, stated: Iterable[str]) -> str:
    """The first of these that is a licence by SPDX."""
    licensing = get_spdx_licensing()
    for one in stated:
        try:
            expression = licensing.parse(one, validate=True) if one and "\n" not in one else None
        except ExpressionError:
            continue
        if expression is not None:
            return str(expression.render())
    raise ConfigurationError(f"{archive.name} states no licence that SPDX knows: name it (--licence MIT)")


def _source(archive: Path, files: Files, overrides: Mapping[str, Part] | None) -> tuple[str, list[str]]:
    """The directory for Python's path, and the names of the files that the agent gets."""
    root = "src" if any(re.fullmatch(r"src/[^/]+/__init__\.py", name) for name in files) else ""
    prefix = f"{root}/" if root else ""
    packages = {
        name.removeprefix(prefix).split("/")[0]
        for name in files
        if name.startswith(prefix)
        and name.removeprefix(prefix).count("/") == 1
        and name.endswith("/__init__.py")
    }
    packages = {name for name in packages if name not in _NO_PACKAGES | _TEST_DIRECTORIES}
    modules = {
        name
        for name in files
        if name.startswith(prefix) and re.fullmatch(r"\w+\.py", name.removeprefix(prefix))
    }
    beginnings = tuple(f"{prefix}{name}/" for name in sorted(packages))
    found = [
        name
        for name in files
        if part_of(name, overrides) is not Part.TESTS
        and (
            (beginnings and name.startswith(beginnings))
            or (name in modules and name != "setup.py" and PurePosixPath(name).stem != "conftest")
            or ("/" not in name and _TOP.fullmatch(name))
        )
    ]
    if not any((name.endswith(".py") and "/" in name) or name in modules for name in found):
        raise ConfigurationError(f"{archive.name} holds no Python package")
    return root, sorted(found)


def _test_paths(suite: Iterable[str]) -> list[str]:
    """The directories and files that pytest gets: the topmost directory of tests above each test."""
    found: dict[str, None] = {}
    for name in suite:
        parts = PurePosixPath(name).parts
        depth = next((at for at, part in enumerate(parts[:-1], 1) if part.lower() in _TEST_DIRECTORIES), 0)
        if depth:
            found["/".join(parts[:depth])] = None
        elif re.fullmatch(r"test_.*\.py|.*_test\.py", parts[-1]):
            found[name] = None
    return sorted(found)


def _settings(opened: _Opened, package: _Package, settings: RepositorySettings) -> str:
    values: dict[str, object] = {
        "title": f"{package.name} {package.version}",
        "description": package.summary,
        "stack": "Python",
        "languages": ["Python"],
        "domain": settings.domain,
        "licence": package.licence,
        "origin": opened.origin or f"pkg:pypi/{package.name}@{package.version}",
        "origin_sha256": opened.digest,
    }
    if settings.leave_out:
        values["leave_out"] = sorted(settings.leave_out)
    # TOML reads what JSON writes, but for one control character.
    return "".join(
        f"{name} = {json.dumps(value)}\n".replace("\x7f", "\\u007f") for name, value in values.items()
    )
