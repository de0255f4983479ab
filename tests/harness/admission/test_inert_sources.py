from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from harness.admission.inert_sources import hollow, inert
from harness.patches import FileState

MODULE = '''\
#!/usr/bin/env python3
"""Adds: `add`."""
from __future__ import annotations

import os

LIMIT = 10


class Sum(dict):
    """A sum."""

    size: int = 3

    def total(self):
        """All of it."""
        return 1

    @property
    def half(self): return 0.5


def add(a, b):
    def inner():
        return a
    return inner() + b


async def later(): "doc"; return 1


@property
def decorated(
    self,
):
    # first a remark
    @property
    def x(self):
        pass
    return x


def empty():
    """Only text: {}"""


names = lambda: [add]
if __name__ == "__main__":
    print(add(1, 2))
'''


def run(root: Path, state: FileState | None, *code: str) -> str:
    """The last line that Python prints, with the file as the module `m`."""
    assert state is not None
    (root / "m.py").write_bytes(state.content or b"")
    done = subprocess.run(
        [sys.executable, *(code or ("m.py",))], cwd=root, capture_output=True, text=True, check=False
    )
    return (done.stdout + done.stderr).strip().splitlines()[-1]


def module(text: str = MODULE) -> FileState:
    return FileState("m.py", text.encode())


def test_an_inert_module_has_every_line_and_can_be_imported(tmp_path: Path) -> None:
    found = inert(module())
    assert found is not None
    assert found.content is not None
    remaining = iter(found.content.decode().splitlines())
    expected = [line for line in MODULE.splitlines() if not line.lstrip().startswith(("async", "def half"))]
    assert all(line in remaining for line in expected)
    assert run(
        tmp_path, found, "-c", "import m; from m import add, Sum, LIMIT; print('imported', m.__doc__)"
    ) == ("imported Adds: `add`.")


@pytest.mark.parametrize(
    "use",
    [
        "m.add(1, 2)",
        "m.LIMIT == 10",
        "m.LIMIT + 1",
        "str(m.LIMIT)",
        "m.Sum()",
        "m.Sum.size",
        "for x in m.Sum: pass",
        "m.names()",
        "class A(m.Sum): pass",
    ],
)
@pytest.mark.parametrize("form", [inert, hollow])
def test_nothing_of_an_inert_or_hollow_module_can_be_used(tmp_path: Path, form: object, use: str) -> None:
    assert callable(form)
    guarded = (
        f"import m\ntry:\n    {use}\nexcept Exception:\n    print('an exception')\nelse:\n    print('used')\n"
    )
    assert run(tmp_path, form(module()), "-c", guarded).endswith(
        "CodeTakenOut: benchbench took this code out"
    )


def test_functions_that_were_registered_elsewhere_raise_too(tmp_path: Path) -> None:
    text = "import atexit\n\n\n@atexit.register\ndef bye():\n    print('bye')\n"
    said = run(tmp_path, inert(module(text)), "-c", "import m")
    assert said == "m.CodeTakenOut: benchbench took this code out"


@pytest.mark.parametrize("how", [("m.py",), ("-m", "m")])
def test_an_inert_script_does_nothing(tmp_path: Path, how: tuple[str, ...]) -> None:
    assert run(tmp_path, inert(module()), *how).endswith("CodeTakenOut: benchbench took this code out")


def test_imports_of_an_inert_module_stay_usable(tmp_path: Path) -> None:
    assert run(tmp_path, inert(module()), "-c", "import m; print(m.os.sep)") == "/"


def test_a_hollow_package_still_has_its_modules(tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    (tmp_path / "p/__init__.py").write_bytes(hollow(FileState("p/__init__.py", b"x = 1")).content or b"")
    (tmp_path / "p/part.py").write_text("value = 7\n")
    assert run(tmp_path, module(""), "-c", "from p import part; print(part.value)") == "7"


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("a.js", "f();\n", 'throw new Error("benchbench took this code out");\nf();\n'),
        ("a.sh", "#!/bin/sh\n# why\nls\n", "#!/bin/sh\n# why\nexit 97\nls\n"),
        ("a.php", "<?php\nf();\n", '<?php throw new Error("benchbench took this code out");\nf();\n'),
        ("a.md", "text\n", "text\n"),
        ("a.go", "package a\n", 'package a\n\nfunc init() { panic("benchbench took this code out") }\n'),
        ("A.java", "class A {}\n", None),
        ("a.py", "def (:\n", None),
    ],
)
def test_other_languages(path: str, before: str, after: str | None) -> None:
    found = inert(FileState(path, before.encode()))
    assert (found and found.content) == (after and after.encode())


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_an_inert_c_file_compiles_links_and_ends_its_program(tmp_path: Path) -> None:
    files = {
        "sum.h": "int sum(int a, int b);\n",
        "sum.c": '#include "sum.h"\n#include "sum.h"\nint sum(int a, int b) { return a + b; }',
        "main.c": '#include "sum.h"\nint main(void) { return sum(1, -1); }\n',
    }

    def exit_code(changed: str) -> int:
        for name, text in files.items():
            state = FileState(name, text.encode())
            found = inert(state) if name == changed else state
            assert found is not None
            (tmp_path / name).write_bytes(found.content or b"")
        flags = ("-std=c11", "-Wall", "-Wextra", "-Werror")
        subprocess.run(["cc", *flags, "-o", "program", "main.c", "sum.c"], cwd=tmp_path, check=True)
        return subprocess.run([tmp_path / "program"], check=False).returncode

    assert exit_code("") == 0
    assert exit_code("sum.c") < 0
    assert exit_code("sum.h") < 0


def test_binary_file_has_no_inert_form_and_an_empty_hollow_one() -> None:
    assert inert(FileState("a.py", b"\xff")) is None
    assert hollow(FileState("a.bin", b"\xff")).content == b""
