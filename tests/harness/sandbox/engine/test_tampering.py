"""Changes to tests, and to the programs that run them, are named; changes to data are not."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from harness.patches import FileState
from harness.sandbox.engine import tampering
from harness.sandbox.engine.archive import pack
from harness.sandbox.engine.containers import Container
from harness.sandbox.engine.tampering import changed_programs, changed_tests

SCRIPT = PurePosixPath("/benchbench/run_tests.sh")


class TestPrograms:
    @pytest.mark.parametrize(
        "path",
        [
            "/bin/sh",
            "/usr/bin/python3",
            "/usr/local/sbin/x",
            "/usr/lib/python3/json/__init__.py",
            "/lib64/ld-linux.so",
            "/etc/ld.so.cache",
            "/etc/profile",
            "/etc/bash.bashrc",
        ],
    )
    def test_a_changed_or_removed_program_or_library_is_named(self, path: str) -> None:
        assert list(changed_programs({path: False}, PurePosixPath("/app"))) == [path]

    @pytest.mark.parametrize(
        "path",
        [
            "/usr/local/bin/pytest",
            "/bin/bash",
            "/usr/bin/python3.12",
            "/usr/sbin/env",
            "/etc/ld.so.preload",
            "/usr/local/lib/python3.11/site-packages/sitecustomize.py",
            "/root/usercustomize.py",
        ],
    )
    def test_a_new_file_is_named_if_it_is_loaded_first(self, path: str) -> None:
        assert list(changed_programs({path: True}, PurePosixPath("/app"))) == [path]

    @pytest.mark.parametrize(
        ("path", "added"),
        [
            ("/usr/bin/new-tool", True),
            ("/usr/lib/python3/installed.py", True),
            ("/usr/local/bin/pytest-3", True),
            ("/opt/bin/pytest", True),
            ("/etc/hosts", False),
            ("/usr/share/words", False),
            ("/root/.bashrc", False),
            ("/app/bin/sh", False),
            ("/app/sitecustomize.py", True),
        ],
    )
    def test_packages_data_and_the_workspace_may_change(self, path: str, added: bool) -> None:
        assert list(changed_programs({path: added}, PurePosixPath("/app"))) == []

    def test_a_workspace_among_the_libraries_may_change(self) -> None:
        changes = {"/usr/lib/app/a.py": False, "/usr/lib/application": False}
        assert list(changed_programs(changes, PurePosixPath("/usr/lib/app"))) == ["/usr/lib/application"]

    def test_directories_above_a_change_are_not_named(self) -> None:
        changes = {
            "/usr": False,
            "/usr/lib": False,
            "/usr/lib/python3": False,
            "/usr/lib/python3/new.py": True,
        }
        assert list(changed_programs(changes, PurePosixPath("/app"))) == []


@pytest.mark.engine
class TestTests:
    COPIED = (
        *(FileState(f"app/tests/test_{name}.py", name.encode()) for name in "abc"),
        FileState("app/tests/data.json", b"{}"),
        FileState("app/alone/check.go", b"1"),
        FileState("benchbench/run_tests.sh", b"true\n", 0o755),
    )

    def test_untouched_ones_are_not_named(self, container: Container) -> None:
        container.put(pack(self.COPIED))
        assert list(changed_tests(container, self.COPIED, SCRIPT)) == []

    @pytest.mark.parametrize("limit", [1, tampering.MAX_TREE_BYTES])
    def test_code_that_differs_is_named_and_data_is_not(
        self, container: Container, monkeypatch: pytest.MonkeyPatch, limit: int
    ) -> None:
        monkeypatch.setattr(tampering, "MAX_TREE_BYTES", limit)
        container.put(pack(file for file in self.COPIED if file.path != "app/alone/check.go"))
        changed = [
            FileState("app/tests/test_a.py", b"changed"),
            FileState("app/tests/test_b.py", b"b", link=True),
            FileState("app/tests/test_c.py", b"c", 0o755),  # the same content
            FileState("app/tests/data.json", b"[]"),
            FileState("benchbench/run_tests.sh", b"exit 0\n", 0o755),
        ]
        container.put(pack(changed))
        assert list(changed_tests(container, self.COPIED, SCRIPT)) == [
            "/app/alone/check.go",
            "/app/tests/test_a.py",
            "/app/tests/test_b.py",
            "/benchbench/run_tests.sh",
        ]

    @pytest.mark.parametrize("link", [False, True])
    def test_tests_whose_directory_was_replaced_are_named(self, container: Container, link: bool) -> None:
        container.put(pack(self.COPIED))
        container.put(
            pack([FileState("app/alone", b"alone", link=link), FileState("app/tests", b"tests", link=link)])
        )
        assert list(changed_tests(container, self.COPIED, SCRIPT)) == [
            "/app/alone/check.go",
            *(f"/app/tests/test_{name}.py" for name in "abc"),
        ]

    def test_a_script_without_an_ending_is_watched_too(self, container: Container) -> None:
        copied = [FileState("run", b"1"), FileState("readme", b"1")]
        container.put(pack([FileState("run", b"2"), FileState("readme", b"2")]))
        assert list(changed_tests(container, copied, PurePosixPath("/run"))) == ["/run"]
