"""A Python for the tool server: the image's own if it is suitable, else ours, copied into the image.

Ours (`harness/interpreter/`) brings its libraries and their loader, so it runs in an image without any Python, with an
older one, or with another libc, and nothing on the image's PATH changes.
"""

from __future__ import annotations

import json
from pathlib import Path, PurePosixPath

from docker import APIClient

from harness.dataset import Tree
from harness.errors import ImageBuildFailed
from harness.patches import FileState
from harness.sandbox.base import ContainerLimits, Owner
from harness.sandbox.engine.containers import Recipe, created

PYTHON = PurePosixPath("/opt/benchbench/python3")
SOURCE = Path(__file__).parent.parent.parent / "interpreter"
REMEDY = (
    "Let the Dockerfile install one. Debian, Ubuntu: RUN apt-get update && apt-get install -y python3; "
    "Alpine: RUN apk add python3"
)

_COPIED = PurePosixPath("/opt/benchbench/python")
# Debian's python3-minimal, for example, lacks these.
_FIT = """import base64, difflib, http.server, json, os, subprocess, sys
sys.exit(sys.version_info < (3, 8) or os.path.realpath(sys.executable).startswith(sys.argv[1] + "/"))"""
_PROBE = 'command -v python3 >/dev/null 2>&1 || exit 1; exec python3 -I -c "$1" "$2"'
_LAUNCHER = f"""\
if [ -x {_COPIED}/python3 ]; then ln -s {_COPIED}/python3 {PYTHON}
else printf '#!/bin/sh\\nexec python3 "$@"\\n' > {PYTHON} && chmod 755 {PYTHON}
fi"""
_PROBE_SECONDS = 60.0


def is_fit(api: APIClient, image: str, instance: str, workdir: PurePosixPath) -> bool:
    """Whether the tool server can run on the image's own Python. Starts a container briefly.

    One below the workdir is not fit: agents can replace it.
    """
    owner = Owner(instance=instance, run_id=image)
    command = ["/bin/sh", "-c", _PROBE, "sh", _FIT, str(workdir)]
    recipe = Recipe("look", image, command, PurePosixPath("/"), owner, ContainerLimits())
    with created(api, recipe) as container:
        container.start()
        state = container.state_at_rest(_PROBE_SECONDS)
        return state is not None and not state.running and state.exit_code == 0


def context() -> tuple[FileState, ...]:
    """The build context of the image with our Python, without its Dockerfile."""
    return tuple(file for file in Tree(SOURCE).files() if file.path != "Dockerfile")


def copy_instruction(interpreter: str) -> str:
    """The Dockerfile line that copies our Python from the image of that name."""
    return f"COPY --from={interpreter} " + json.dumps([f"{_COPIED}/", f"{_COPIED}/"])


def launcher_instruction() -> str:
    """The Dockerfile line that makes PYTHON start the available Python."""
    return "RUN " + json.dumps(["/bin/sh", "-c", _LAUNCHER])


def not_available(dockerfile: Path, error: ImageBuildFailed) -> ImageBuildFailed:
    """The error for an image that needs our Python, when building ours failed."""
    return ImageBuildFailed(
        f"{dockerfile}: its image has no Python 3.8 or newer with its standard library, which the tool server needs. "
        f"{REMEDY}. (The harness could not add its own: {error})"
    )
