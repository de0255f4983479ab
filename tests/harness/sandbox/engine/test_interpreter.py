"""An image without a suitable Python gets ours; others use their own."""

from __future__ import annotations

import json
from pathlib import Path, PurePosixPath
from uuid import uuid4

import pytest
from docker import APIClient

from harness.errors import ImageBuildFailed
from harness.sandbox.engine import interpreter
from harness.sandbox.engine.interpreter import SOURCE
from tests.harness.sandbox.outside import docker
from tests.harness.worlds import BASE_IMAGE


def test_our_python_is_copied_under_its_own_path() -> None:
    assert interpreter.copy_instruction("benchbench/interpreter:1") == (
        'COPY --from=benchbench/interpreter:1 ["/opt/benchbench/python/", "/opt/benchbench/python/"]'
    )


def test_its_context_is_everything_beside_its_dockerfile() -> None:
    names = {path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*") if path.is_file()}
    assert "Dockerfile" in names
    assert {file.path for file in interpreter.context()} == names - {"Dockerfile"}


def test_the_launcher_prefers_our_python_and_never_touches_the_path_of_the_image() -> None:
    command, _, words = interpreter.launcher_instruction().partition(" ")
    shell, flag, script = json.loads(words)
    assert (command, shell, flag) == ("RUN", "/bin/sh", "-c")
    first, second, end = script.splitlines()
    assert first == (
        "if [ -x /opt/benchbench/python/python3 ]; "
        "then ln -s /opt/benchbench/python/python3 /opt/benchbench/python3"
    )
    assert second.startswith("else printf '#!/bin/sh\\nexec python3 \"$@\"\\n' > /opt/benchbench/python3 ")
    assert end == "fi"


def test_the_error_advises_to_install_one_and_names_the_reason() -> None:
    error = interpreter.not_available(Path("calc/Dockerfile"), ImageBuildFailed("no registry"))
    assert str(error) == (
        "calc/Dockerfile: its image has no Python 3.8 or newer with its standard library, which the tool server "
        "needs. Let the Dockerfile install one. Debian, Ubuntu: RUN apt-get update && apt-get install -y python3; "
        "Alpine: RUN apk add python3. (The harness could not add its own: no registry)"
    )


@pytest.mark.engine
def test_an_image_is_fit_only_if_its_python_has_its_library_and_is_out_of_agents_reach(
    api: APIClient, tmp_path: Path
) -> None:
    tag = f"benchbench-test-{uuid4().hex[:8]}/bare:latest"
    (tmp_path / "Dockerfile").write_text(
        f"FROM {BASE_IMAGE}\nRUN rm -r $(python3 -I -c 'import difflib; print(difflib.__file__)')\n"
    )
    instance = f"interpreter-{uuid4().hex[:8]}"
    docker("build", "-q", "-t", tag, str(tmp_path))
    try:
        assert interpreter.is_fit(api, BASE_IMAGE, instance, PurePosixPath("/app"))
        assert not interpreter.is_fit(api, BASE_IMAGE, instance, PurePosixPath("/usr"))
        assert not interpreter.is_fit(api, tag, instance, PurePosixPath("/app"))
    finally:
        docker("rmi", tag)
    assert docker("ps", "-aq", "--filter", f"label=benchbench.instance={instance}") == ""
