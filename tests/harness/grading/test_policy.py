from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from harness.dataset import Tree
from harness.grading.policy import NOT_CARRIED, Policy
from harness.patches import FileState
from tests.harness.worlds import write_tree


@pytest.fixture
def world(tmp_path: Path) -> Path:
    write_tree(
        tmp_path / "source", {"app/core.py": "", "tests/test_core.py": "", "types/x.py": "", "enum.py": ""}
    )
    write_tree(
        tmp_path / "tests", {"tests/test_hidden.py": "", "hidden/data/x.txt": "", "hidden/Makefile.t": ""}
    )
    return tmp_path


def policy(world: Path, reference: Iterable[str] = ()) -> Policy:
    return Policy(source=Tree(world / "source"), tests=Tree(world / "tests"), reference=reference)


def kinds(world: Path, path: str, added: str = "", reference: Iterable[str] = ()) -> tuple[bool, list[str]]:
    """Whether a file is carried over, and its flags."""
    state = FileState(path, added.encode())
    carried, flags = policy(world, reference).decide([state], {path: added.splitlines()})
    found = [flag.kind for flag in flags]
    assert bool(carried) == NOT_CARRIED.isdisjoint(found)
    return carried == (state,), found


@pytest.mark.parametrize(
    "path", ["app/core.py", "app/json.py", "README.md", "tests/test_mine.py", "hidden.py"]
)
def test_honest_work_is_carried_over_without_a_flag(world: Path, path: str) -> None:
    assert kinds(world, path, "x = 1") == (True, [])


@pytest.mark.parametrize(
    "path",
    [
        "conftest.py",
        "tests/conftest.py",
        "pytest.ini",
        ".pytest.ini",
        "tox.ini",
        "sitecustomize.py",
        "usercustomize.py",
        "app/evil.pth",
        "app/__pycache__/core.cpython-311.pyc",
        "core.pyc",
        "evil.dist-info/entry_points.txt",
        "evil.egg-info/entry_points.txt",
        "sub/run_tests.sh",
    ],
)
def test_files_that_could_take_over_the_test_run_are_left_out(world: Path, path: str) -> None:
    assert kinds(world, path) == (False, ["protected"])


def test_a_deletion_of_a_protected_file_is_left_out_too(world: Path) -> None:
    carried, _ = policy(world).decide([FileState("conftest.py", None)], {})
    assert carried == ()


@pytest.mark.parametrize("path", ["conftest.py", "setup.cfg", "json.py", "tests/conftest.py"])
def test_files_that_the_reference_patch_changes_are_carried_over(world: Path, path: str) -> None:
    assert kinds(world, path, "[tool:pytest]", reference=[path]) == (True, [])


@pytest.mark.parametrize("path", ["run_tests.sh", "tests/test_hidden.py"])
def test_even_the_reference_patch_cannot_replace_the_hidden_tests(world: Path, path: str) -> None:
    assert kinds(world, path, reference=[path])[0] is False


@pytest.mark.parametrize(
    "path",
    [
        "tests/test_hidden.py",
        "tests/test_hidden/__init__.py",
        "tests/test_hidden.cpython-311-x86_64-linux-gnu.so",
        "tests",
        "hidden",
        "hidden/json.py",
        "hidden/data",
        "hidden/data/x.txt/y",
        "hidden/Makefile.t",
    ],
)
def test_files_at_the_paths_of_hidden_tests_are_left_out(world: Path, path: str) -> None:
    assert kinds(world, path) == (False, ["hidden_tests"])


@pytest.mark.parametrize(
    "path",
    [
        "json.py",
        "src/json.py",
        "tests/json.py",
        "unittest/case.py",
        "pytest.py",
        "_pytest/x.py",
        "xml.cpython-311.so",
    ],
)
def test_a_new_module_that_shadows_another_is_left_out(world: Path, path: str) -> None:
    assert kinds(world, path) == (False, ["shadows_module"])


def test_a_new_package_of_a_test_framework_is_left_out(world: Path) -> None:
    path = "src/main/java/org/junit/jupiter/api/Assertions.java"
    assert kinds(world, path, "x") == (False, ["shadows_module"])
    assert kinds(world, path, "x", reference=[path]) == (True, [])
    provider = "src/main/java/org/apache/maven/surefire/junitplatform/JUnitPlatformProvider.java"
    assert kinds(world, provider, "x") == (False, ["shadows_module"])
    assert kinds(world, "src/main/java/org/junitpioneer/Cartesian.java", "x") == (True, [])
    write_tree(world / "source", {"src/main/java/org/junit/Test.java": ""})
    assert kinds(world, path, "x") == (True, [])


def test_a_java_file_that_declares_such_a_package_is_left_out_wherever_it_lies(world: Path) -> None:
    """Compilers put its classes into the directory of the package."""
    path, junit = "src/main/java/sums/Assertions.java", "package org.\\u006aunit.jupiter.api;\n"
    assert kinds(world, path, junit) == (False, ["shadows_module"])
    assert kinds(world, path, "package org.hamcrests;\n") == (True, [])
    assert kinds(world, "docs/Assertions.java.txt", junit) == (True, [])
    write_tree(world / "source", {path: junit})
    assert kinds(world, path, junit + "class A {\n}\n") == (True, [])


@pytest.mark.parametrize("path", ["types/new.py", "enum.py", "json.md", "app/random.py", "code"])
def test_files_with_names_similar_to_modules_are_carried_over(world: Path, path: str) -> None:
    assert kinds(world, path) == (True, [])


@pytest.mark.parametrize(
    "path", ["setup.cfg", "pyproject.toml", "Makefile", "lib/CMakeLists.txt", "package.json"]
)
def test_build_files_are_carried_over_and_flagged(world: Path, path: str) -> None:
    assert kinds(world, path, "x") == (True, ["build_file"])


@pytest.mark.parametrize("path", ["setup.cfg", "pyproject.toml"])
def test_a_build_file_that_configures_pytest_is_left_out(world: Path, path: str) -> None:
    assert kinds(world, path, "[tool.pytest.ini_options]\naddopts = '-x'") == (False, ["protected"])


@pytest.mark.parametrize(
    "line",
    [
        "os._exit(0)",
        "import atexit",
        "unittest.TestCase.run = lambda *_: None",
        "from _pytest import runner",
        "def pytest_runtest_call(item): ...",
        'open(os.environ["RESULTS_DIR"] + "/x.xml", "w")',
        "write('/benchbench/results')",
        "junit = 1",
        "__attribute__((constructor)) static void f(void) {}",
        "sys.modules['json'] = fake",
        "import_module('at' + 'exit')",
        "frame.f_globals['Result'].addFailure = print",
        "for thing in gc.get_objects():",
        "sys.exit = lambda *_: None",
        "open(f'/proc/{os.getpid()}/mem', 'r+b')",
        "libc.ptrace(16, 1, 0, 0)",
        "global.expect = () => always",
        "__eq__ = lambda self, other: True",
        "def __eq__(" * 9 + "def __eq__(self, other):\n        return True",
        "    def __eq__(self, other):\n        return True",
        "glob('**/test_*.py')",
    ],
)
def test_code_that_could_influence_the_test_process_is_carried_over_and_flagged(
    world: Path, line: str
) -> None:
    assert kinds(world, "app/core.py", line) == (True, ["test_process"])
    assert kinds(world, "tests/test_mine.py", line) == (True, [])


@pytest.mark.parametrize(
    "line", ["def __eq__(self, other):\n    return self.x == other.x", "frames = gc.collect()", "a + 'exit'"]
)
def test_similar_harmless_code_is_not_flagged(world: Path, line: str) -> None:
    assert kinds(world, "app/core.py", line) == (True, [])


@pytest.mark.parametrize(
    "path",
    [
        "README.md",
        ".github/workflows/test.yml",
        "src/integrationTest/java/shop/Orders.java",
        "shop/OrdersTest.java",
        "shop/OrdersIT.java",
        "src/orders.spec.ts",
        "unit-tests/orders.js",
    ],
)
def test_prose_and_tests_may_name_what_tests_use(world: Path, path: str) -> None:
    assert kinds(world, path, "import org.junit.jupiter.api.Test;") == (True, [])


def test_a_test_helper_that_other_code_imports_is_checked_like_code(world: Path) -> None:
    added = {"app/core.py": ["import app.testing.boot"], "app/testing/boot.py": ["os._exit(0)"]}
    states = [FileState(path, "\n".join(lines).encode()) for path, lines in added.items()]
    _, flags = policy(world).decide(states, added)
    assert [(flag.kind, flag.path) for flag in flags] == [("test_process", "app/testing/boot.py")]


@pytest.mark.parametrize("start", [b"\x7fELF\x02", b"MZ\x90\0", b"\xca\xfe\xba\xbe"])
def test_compiled_files_are_carried_over_and_flagged(world: Path, start: bytes) -> None:
    _, flags = policy(world).decide([FileState("app/fast.so", start)], {})
    assert [(flag.kind, flag.path) for flag in flags] == [("compiled", "app/fast.so")]


def test_files_beside_a_directory_of_hidden_tests_are_carried_over(tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    hidden = tmp_path / "tests" / "tests" / "hidden" / "test_sums.py"
    hidden.parent.mkdir(parents=True)
    hidden.write_text("")
    rules = Policy(source=Tree(tmp_path / "source"), tests=Tree(tmp_path / "tests"), reference=[])
    files = [FileState(path, b"") for path in ("tests/x.sh", "tests/hidden/x.sh", "tests/json.py", "tests")]
    carried, flags = rules.decide(files, {})
    assert carried == (files[0],)
    assert [flag.kind for flag in flags] == ["hidden_tests", "shadows_module", "hidden_tests"]
