"""A task for agents in a terminal, its image, and the responses of a scripted model that works on it."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

BASE = "benchbench/python:bookworm"
"""What `script/base-image --python` makes."""
IMAGE = "benchbench/tool-files:terminal"
DOCKERFILE = f"""
FROM {BASE}
RUN apt-get update && apt-get install -y --no-install-recommends tmux asciinema && pip install -q pytest
WORKDIR /app
RUN printf 'def add(a, b):\\n    return a - b\\n' > calc.py
"""
SOLUTION = "#!/bin/bash\nsed -i s/-/+/ /app/calc.py\n"
TESTS = "import sys\nsys.path.insert(0, '/app')\nfrom calc import add\n\n\ndef test_sum():\n    assert add(1, 2) == 3\n"
WIDE = "seq -s ' ' 1 1300\n"
"""A command whose output fills the screen."""


def missing() -> str:
    """What is missing to build the image; '' for nothing."""
    if shutil.which("docker") is None:
        return "docker"
    found = subprocess.run(["docker", "image", "inspect", BASE], capture_output=True, check=False)
    return "" if found.returncode == 0 else f"the image {BASE} (script/base-image --python)"


@contextmanager
def image() -> Iterator[None]:
    """Builds the image, and removes it at the end. Raises CalledProcessError."""
    build = ["docker", "build", "-q", "-t", IMAGE, "-"]
    subprocess.run(build, input=DOCKERFILE, text=True, check=True, capture_output=True)
    try:
        yield
    finally:
        subprocess.run(["docker", "rmi", "-f", IMAGE], check=False, capture_output=True)


def put(directory: Path, name: str, text: str) -> None:
    """Writes a file of a task, which may be executed."""
    path = directory / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


def response(number: int, *commands: str, done: bool = False) -> str:
    """A response in the form of Terminus 2."""
    keys = [{"keystrokes": command, "duration": 0.3} for command in commands]
    about = {"analysis": f"Analysis {number}.", "plan": f"Plan {number}."}
    return json.dumps({**about, "commands": keys, "task_complete": done})


def replies(*texts: str) -> list[dict[str, Any]]:
    """Replies with these texts and different tokens, for `harness.llm.scripted_server`."""
    return [
        {"text": text, "usage": {"prompt": 1000 + number, "cached": 500 + number, "completion": 20 + number}}
        for number, text in enumerate(texts)
    ]


WORK: Sequence[str] = (
    response(1, "cat calc.py\n", "ls\n"),
    response(2, "sed -i s/-/+/ calc.py\n"),
    "not JSON",
    response(3, "python3 -c 'import nothing'\n"),
    response(4, done=True),
    response(5, done=True),
)
CALLS = 6  # of these responses
