"""How the tests of a repository are run that its agent can see. Hidden tests are never among them."""

from __future__ import annotations

import json
import re
import shlex
from fnmatch import fnmatchcase

from harness.dataset import Tree

_TARGET = re.compile(r"^(check|test)\s*:(?!=)", re.MULTILINE)
_PYTHON_TESTS = ("test_*.py", "*_test.py")
_MAX_BYTES = 1 << 20
# pytest where it is installed, else unittest, which does not find tests of pytest's own kind.
_PYTHON = """\
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=.:src${{PYTHONPATH:+:$PYTHONPATH}}
if python3 -c 'import pytest' 2>/dev/null; then
    exec python3 -m pytest -q --color=no -p no:cacheprovider {pytest}
fi
exec python3 -m unittest {unittest}"""


def command_for(source: Tree, path: str | None = None) -> str | None:
    """A shell command that runs the visible tests of a repository, or those at a path; None if there are none.

    The first of: the target `check` or `test` of a Makefile, files with names of Python tests, the script `test` of a
    package.json.
    """
    if path is not None:
        place = shlex.quote(path)
        unittest = place if path.endswith(".py") else f"discover -s {place}"
        return _PYTHON.format(pytest=f"-- {place}", unittest=unittest)
    if targets := _TARGET.findall(_text(source, "Makefile") or _text(source, "makefile")):
        return f"make -s {'check' if 'check' in targets else 'test'}"
    names = [
        name
        for name in source.names()
        if any(fnmatchcase(name.rpartition("/")[2], pattern) for pattern in _PYTHON_TESTS)
    ]
    if names:
        folder = "tests" if any(name.startswith("tests/") for name in names) else "."
        top = " -t ." if f"{folder}/__init__.py" in source.names() else ""
        return _PYTHON.format(pytest="", unittest=f"discover -s {folder}{top}").replace(
            "provider \n", "provider\n"
        )
    return "npm test --silent" if _has_npm_test(_text(source, "package.json")) else None


def _has_npm_test(package: str) -> bool:
    try:
        scripts = json.loads(package).get("scripts")
    except (ValueError, AttributeError, RecursionError):
        return False
    return isinstance(scripts, dict) and isinstance(scripts.get("test"), str)


def _text(source: Tree, name: str) -> str:
    state = source.read(name)
    content = state.content if state is not None and not state.link else None
    return "" if content is None else content[:_MAX_BYTES].decode("utf-8", "replace")
