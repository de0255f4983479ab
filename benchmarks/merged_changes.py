"""Tasks from the patches of two Debian packages: jinja2 3.1.2 and sqlparse 0.4.2 of bookworm.

    python -m benchmarks.merged_changes [--packages DIR] [--only jinja2|sqlparse]

Prints what became of each patch. Promised: five become tasks, with exactly the numbers of tests below; two are refused
because no test fails without them; three hold no test or no source. Exits with 1 otherwise.

The packages are fetched with apt-get, from a sources list of its own, into DIR (default: a temporary directory); files
that are there are not fetched again. So it needs Debian, a network and a container engine, and takes a quarter of an
hour. It takes no part of the change from elsewhere: every archive has the SHA-256 that its .dsc names.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

from benchmarks.command_line import benchmark_parser, conclude, mark
from harness.errors import ConfigurationError, HarnessError
from harness.sandbox import open_engine
from harness.sandbox.base import Engine
from tasks.generation.pulls.collecting import Collection, Outcome
from tasks.generation.pulls.filters import ChangeFilter
from tasks.generation.pulls.measuring import ContainerMeasurement
from tasks.generation.pulls.sources.opening import open_source
from tasks.generation.pulls.writing import TaskSettings

CANARY = "BENCHBENCH-CANARY merged-changes-benchmark"
NO_TESTS, NO_SOURCE = "no test changed", "no source changed"
EMPTY = "no test fails before and passes after"
# Of each patch: how many tests fail before and pass after and how many always pass, or why it is no task.
EXPECTED: Mapping[str, Mapping[str, tuple[int, int] | str]] = {
    "jinja2=3.1.2-1+deb12u3": {
        "py3.9-fix-collections-import.patch": EMPTY,
        "0002-docs-disable-sphinxcontrib.log_cabinet.patch": NO_TESTS,
        "0003-fix-nose-leftovers.patch": NO_SOURCE,
        "0001-xmlattr-filter-disallows-keys-with-spaces.patch": (1, 842),
        "0002-disallow-invalid-characters-in-keys-to-xmlattr-filte.patch": (7, 842),
        "0006-Fix-CVE-2024-56201.patch": (1, 849),
        "0007-Fix-CVE-2024-56326.patch": (1, 850),
        "0008-CVE-2025-27516.patch": NO_TESTS,
    },
    "sqlparse=0.4.2-1+deb12u1": {"CVE-2023-30608.patch": EMPTY, "CVE-2024-4340.patch": (1, 416)},
}
_SUITES = ("http://deb.debian.org/debian", "http://deb.debian.org/debian-security")
_DOCKERFILE = """ARG BASE_IMAGE=ubuntu:24.04
FROM ${BASE_IMAGE}
RUN apt-get update \\
    && apt-get install -y --no-install-recommends python3 python3-pytest python3-markupsafe git ripgrep \\
    && rm -rf /var/lib/apt/lists/*
WORKDIR /app
"""
# A test of jinja2 sets the time of a template, which only the owner of the file may do.
_RUN_TESTS = """#!/bin/bash
set -eu
: "${RESULTS_DIR:?must name the directory for the results}"
export PYTHONPATH="$PWD/src:$PWD" PYTHONDONTWRITEBYTECODE=1
own=$(mktemp -d)
cp -r tests "$own"
if [ -f setup.cfg ]; then cp setup.cfg "$own"; fi
cd "$own"
exec /usr/bin/pytest -q -p no:cacheprovider --junitxml="$RESULTS_DIR/junit.xml" tests
"""


def main() -> int:
    """Prints the outcomes; 1 when a promise is broken, 2 when the packages cannot be fetched."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("--packages", type=Path, help="where the packages are, or are fetched to")
    parser.add_argument("--only", choices=[name.partition("=")[0] for name in EXPECTED])
    options = parser.parse_args()
    chosen = [name for name in EXPECTED if options.only in (None, name.partition("=")[0])]
    with tempfile.TemporaryDirectory() as temporary, closing(open_engine()) as engine:
        packages = options.packages or Path(temporary, "packages")
        try:
            held = [_holds(name, packages, Path(temporary, "dataset"), engine) for name in chosen]
            return conclude(all(held))
        except HarnessError as error:
            print(error)
            return 2


def _holds(package: str, packages: Path, dataset: Path, engine: Engine) -> bool:
    """Whether each patch of a package has the expected outcome."""
    name = package.partition("=")[0]
    opened = open_source([fetched(package, packages)])
    write_repository(dataset, name)
    collection = Collection(
        dataset,
        name,
        ChangeFilter(issue=False, least_lines=1),
        TaskSettings(CANARY),
        ContainerMeasurement(engine, instance="benchmark"),
    )
    outcomes = []
    print(package)
    for outcome in collection.collect(opened.changes, opened.files):
        outcomes.append(outcome)
        met = EXPECTED[package].get(outcome.identifier) == found(outcome)
        print(f"  {outcome.identifier}: {found(outcome)}{mark(met)}", flush=True)
    return {outcome.identifier: found(outcome) for outcome in outcomes} == EXPECTED[package]


def found(outcome: Outcome) -> tuple[int, int] | str:
    """An outcome in the form of EXPECTED."""
    return str(outcome.reason) if outcome.reason else (outcome.fail_to_pass, outcome.pass_to_pass)


def write_repository(dataset: Path, name: str) -> None:
    """A repository without source and tasks, with an environment for the tests of both packages."""
    place = dataset / name
    (place / "environment").mkdir(parents=True)
    (place / "environment" / "README").write_text("The packages come from Debian.\n")
    (dataset / "dataset.toml").write_text(
        f'title = "Merged changes"\ndescription = "x"\nversion = "1"\nlicence = "BSD-3-Clause"\ncanary = "{CANARY}"\n'
    )
    (place / "repository.toml").write_text(
        f'title = "{name}"\ndescription = "x"\nstack = "Python"\nlanguages = ["Python"]\ndomain = "text"\n'
        'licence = "BSD-3-Clause"\n'
    )
    (place / "Dockerfile").write_text(_DOCKERFILE)
    (place / "run_tests.sh").write_text(_RUN_TESTS)
    (place / "run_tests.sh").chmod(0o755)


def fetched(package: str, directory: Path) -> Path:
    """The .dsc of `name=version` below a directory; fetched there if it or an archive is missing.

    Neither the sources nor the lists of this machine change. Raises ConfigurationError with apt's message.
    """
    name, _, version = package.partition("=")
    dsc = directory / f"{name}_{version}.dsc"
    if not (dsc.is_file() and list(directory.glob(f"{name}_*.orig.tar.*"))):
        (directory / "lists" / "partial").mkdir(parents=True, exist_ok=True)
        (directory / "empty").mkdir(exist_ok=True)
        lines = (f"deb-src [signed-by={_KEYRING}] {address} {suite} main\n" for address, suite in _sources())
        (directory / "sources.list").write_text("".join(lines))
        settings = {
            "Dir::Etc::sourcelist": directory / "sources.list",
            "Dir::Etc::sourceparts": directory / "empty",
            "Dir::State::lists": directory / "lists",
            "Dir::Cache": directory,
        }
        apt = [
            "apt-get",
            "-q",
            *(word for key, value in settings.items() for word in ("-o", f"{key}={value.resolve()}")),
        ]
        _run([*apt, "update"], directory)
        _run([*apt, "source", "--download-only", package], directory)
    return dsc


_KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"


def _sources() -> list[tuple[str, str]]:
    return list(zip(_SUITES, ("bookworm", "bookworm-security"), strict=True))


def _run(command: Sequence[str], directory: Path) -> None:
    try:
        done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise ConfigurationError(
            f"{command[0]} is missing: this needs Debian, or --packages with the packages"
        ) from None
    if done.returncode:
        advice = f"put what is missing into {directory}, and pass it as --packages"
        raise ConfigurationError(f"{' '.join(command[-3:])} failed; {advice}:\n{done.stderr.strip()[-500:]}")


if __name__ == "__main__":
    sys.exit(main())
