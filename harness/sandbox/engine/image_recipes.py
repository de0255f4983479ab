"""The Dockerfiles of the images that this project adds to an environment: workspaces, graders, and agents' programs."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from harness.dataset import Repository, Tree
from harness.sandbox.engine import interpreter
from harness.sandbox.engine.archive import FIXED_TIME
from harness.sandbox.engine.build_context import BuildContext, below, removed_names

INSIDE = PurePosixPath("/opt/benchbench/inside")
AGENT = PurePosixPath("/opt/benchbench/agent")
SUPERVISOR = PurePosixPath("/opt/benchbench/supervisor")
INSIDE_SOURCE = Path(__file__).parent.parent.parent / "tools" / "inside"
SUPERVISOR_SOURCE = Path(__file__).parent.parent / "supervisor"
# Package sources of the host: passed on to the build, but not stored in the image.
PACKAGE_SOURCES = ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_TRUSTED_HOST", "NPM_CONFIG_REGISTRY")
PROXIES = ("http_proxy", "https_proxy", "no_proxy")

# Without capabilities, root has no access to files of other users, and git does not trust them.
_OWN = 'find "$1" ! \\( -user 0 -group 0 \\) -exec chown -h 0:0 {} +\n'
# Files of the Dockerfile in the workdir stay (such as installed modules), but not its git history.
COMMIT = f"""\
set -e
cd "$1"
rm -rf .git
command -v git >/dev/null || exit 0
export HOME=/nonexistent GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_DATE='{FIXED_TIME} +0000' GIT_COMMITTER_DATE='{FIXED_TIME} +0000'
git -c init.defaultBranch=main init -q --template=
git config user.name BenchBench
git config user.email benchbench@localhost
git config gc.auto 0
git add -A
git commit -q --allow-empty -m 'Start here'
"""


def workspace_context(repository: Repository) -> BuildContext:
    """The source and the tool server."""
    source = below("source", repository.source.files())
    inside = below("inside", Tree(INSIDE_SOURCE).files())
    return BuildContext((*source, *inside), ("source",))


def workspace_recipe(environment: str, repository: Repository, *extra: str) -> str:
    """The Dockerfile of a workspace on this environment. `extra`: lines before the tool server is copied."""
    workdir = repository.workdir
    lines = [
        f"FROM {environment}",
        "USER root",
        # What does not depend on the source comes first: the engine builds it once for all tasks of a repository.
        *extra,
        "COPY " + json.dumps(["inside/", f"{INSIDE}/"]),
        interpreter.launcher_instruction(),
        "RUN " + json.dumps(["/bin/sh", "-c", f"{interpreter.PYTHON} -I -m compileall -q {INSIDE} || true"]),
        f"WORKDIR {workdir}",
        *_removal(repository),
        "COPY " + json.dumps(["source/", f"{workdir}/"]),
        "RUN " + json.dumps(["/bin/sh", "-c", f"{_OWN}{COMMIT}", "sh", str(workdir)]),
    ]
    return "\n".join(lines) + "\n"


def grader_context() -> BuildContext:
    """The programs that supervise a test run."""
    return BuildContext(tuple(below("supervisor", Tree(SUPERVISOR_SOURCE).files())))


def grader_recipe(workspace: str, workdir: PurePosixPath) -> str:
    """The Dockerfile of the image in which hidden tests run: see `prepare.py` of the supervisor."""
    prepare = [str(interpreter.PYTHON), "-I", "-B", f"{SUPERVISOR}/prepare.py", str(workdir)]
    lines = [
        f"FROM {workspace}",
        "USER root",
        "COPY " + json.dumps(["supervisor/", f"{SUPERVISOR}/"]),
        "RUN " + json.dumps(prepare),
    ]
    return "\n".join(lines) + "\n"


def _removal(repository: Repository) -> Iterator[str]:
    """Removes files that only the build needs from the workdir."""
    if names := removed_names(repository):
        yield "RUN " + json.dumps(["rm", "-rf", "--", *(str(repository.workdir / name) for name in names)])


def build_arguments() -> dict[str, str]:
    """The host's package sources and proxies."""
    names = (*PACKAGE_SOURCES, *PROXIES, *map(str.upper, PROXIES))
    return {name: os.environ[name] for name in names if os.environ.get(name)}


def layer_recipe(workspace: str, workdir: PurePosixPath) -> str:
    """The Dockerfile that installs an agent's programs on a workspace image."""
    install = "if [ -e recipe/install.sh ]; then sh -eu recipe/install.sh; fi"
    lines = [
        f"FROM {workspace}",
        *(f"ARG {name}" for name in PACKAGE_SOURCES),
        "COPY " + json.dumps(["recipe/", f"{AGENT}/recipe/"]),
        f"WORKDIR {AGENT}",
        "RUN " + json.dumps(["/bin/sh", "-c", install]),
        f"WORKDIR {workdir}",
    ]
    return "\n".join(lines) + "\n"
