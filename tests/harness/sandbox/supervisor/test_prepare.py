"""An image is prepared for grading: what the two users of test runs may read and write in it."""

from __future__ import annotations

import ast
import os
import stat
from dataclasses import replace
from pathlib import Path, PurePosixPath

import pytest

from harness.sandbox.engine.image_recipes import SUPERVISOR_SOURCE
from harness.sandbox.engine.interpreter import PYTHON
from harness.sandbox.grader import ENVIRONMENT
from harness.sandbox.supervisor import benchbench_code, benchbench_results, prepare, supervise
from harness.sandbox.supervisor.prepare import change, paths, unlink_names
from tests.harness.sandbox.clean import CODE, Clean
from tests.harness.sandbox.outside import repository_with
from tests.harness.worlds import BASE_IMAGE

WORKDIR = PurePosixPath("/home/dev/app")
# An image with much that is unusual: see the test.
ODD = f"""\
FROM {BASE_IMAGE}
RUN mkdir -p {WORKDIR}/node_modules/lib {WORKDIR}/data /benchbench/results /opt/open \\
    && chmod 777 /opt/open {WORKDIR}/data && ln /usr/bin/env {WORKDIR}/env \\
    && ln -s /etc/passwd {WORKDIR}/link && ln -s /opt {WORKDIR}/opt \\
    && touch {WORKDIR}/node_modules/lib/index.js && cp /usr/bin/id /opt/id && chmod 4755 /opt/id \\
    && mkdir -m 700 /opt/private && touch /opt/private/module && chmod 600 /opt/private/module && rm -rf /root \\
    && printf 'last:x:9:9::/:/bin/sh' >> /etc/passwd && chmod 700 /home/dev && chown 1000 /home/dev \\
    && printf '#!/nonexistent/python3\\n' > /usr/local/bin/pytest && chmod 755 /usr/local/bin/pytest
WORKDIR {WORKDIR}
"""
LIST = "stat -c '%U:%G %a %n'"


def test_it_is_python_3_8() -> None:
    ast.parse((SUPERVISOR_SOURCE / "prepare.py").read_text("utf-8"), feature_version=(3, 8))


def test_constants_of_several_programs_are_the_same() -> None:
    assert (prepare.TESTER, prepare.CODE) == (supervise.TESTER, supervise.CODE)
    assert benchbench_code.CHANNEL == benchbench_results.CHANNEL == supervise.CHANNEL
    assert str(PYTHON) == prepare.LAUNCHER
    assert (ENVIRONMENT["RESULTS_DIR"], ENVIRONMENT["HOME"]) == (prepare.RESULTS, prepare.HOME)


def test_permissions_change_only_if_they_differ(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    file.touch(0o600)
    link.symlink_to(file)
    before = file.stat().st_ctime_ns
    change(str(file), remove=0o022, add=0o400)
    change(str(link), remove=0o600, add=0o077)
    assert file.stat().st_ctime_ns == before
    change(str(file), remove=0o200, add=0o044)
    assert stat.S_IMODE(file.stat().st_mode) == 0o444


def test_a_file_with_further_names_becomes_a_copy_of_its_own(tmp_path: Path) -> None:
    program, link = tmp_path / "program", tmp_path / "link"
    program.write_bytes(b"of the system")
    program.chmod(0o751)
    os.utime(program, (5, 5))
    (tmp_path / "name").hardlink_to(program)
    link.symlink_to(program)
    for name in ("name", "link"):
        unlink_names(str(tmp_path / name))
    own = tmp_path / "name"
    assert (own.read_bytes(), stat.S_IMODE(own.stat().st_mode), own.stat().st_mtime) == (
        b"of the system",
        0o751,
        5,
    )
    assert (program.stat().st_nlink, link.is_symlink()) == (1, True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "name", "program"]


def test_paths_are_listed_and_links_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "root/deep").mkdir(parents=True)
    (tmp_path / "root/deep/file").touch()
    (tmp_path / "root/away").symlink_to("/etc")
    found = {os.path.relpath(path, tmp_path): directory for path, directory in paths(str(tmp_path / "root"))}
    assert found == {"root": True, "root/deep": True, "root/deep/file": False, "root/away": False}


@pytest.mark.engine
def test_an_odd_image_has_its_system_closed_and_its_workspace_open(clean: Clean, tmp_path: Path) -> None:
    clean.repository = replace(repository_with(tmp_path / "odd", ODD), workdir=WORKDIR)
    script = f"""
    {LIST} . calc data env node_modules node_modules/.cache node_modules/lib/index.js /usr/bin/env /etc/passwd
    {LIST} /opt /opt/open /opt/private/module /root /benchbench/results; tail -n 3 /etc/passwd; tail -n 2 /etc/group
    /opt/id -u; cat /opt/private/module; pwd; {CODE} pwd; echo x > node_modules/.cache/x; touch calc/new data/new
    """
    result, _ = clean.run(script)
    tests = "benchbench-tests:benchbench-tests"
    assert result.output.splitlines() == [
        "root:benchbench-tests 1775 .",  # its files cannot be replaced by the tests, unless they are theirs
        f"{tests} 755 calc",
        f"{tests} 775 data",
        f"{tests} 755 env",
        "root:root 755 node_modules",
        f"{tests} 755 node_modules/.cache",
        "root:root 644 node_modules/lib/index.js",
        "root:root 755 /usr/bin/env",
        "root:root 644 /etc/passwd",
        "root:root 755 /opt",
        "root:root 775 /opt/open",
        "root:root 604 /opt/private/module",
        "root:benchbench-tests 1775 /root",
        f"{tests} 700 /benchbench/results",
        "last:x:9:9::/:/bin/sh",
        "benchbench-tests:x:64101:64101:BenchBench:/root:/bin/sh",
        "benchbench-code:x:64102:64102:BenchBench:/tmp:/bin/sh",
        "benchbench-tests:x:64101:",
        "benchbench-code:x:64102:",
        "64101",  # a set-user-ID program gives no privileges
        str(WORKDIR),
        str(WORKDIR),
    ]
