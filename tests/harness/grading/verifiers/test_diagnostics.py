"""What compilers and linters report. GCC 12, mypy 1.0, TypeScript 4.8, javac 17, clang-tidy 14 and Ruff printed the
outputs; the SARIF logs follow the standard."""

from __future__ import annotations

import json
from pathlib import PurePosixPath

import pytest

from harness.grading.results import ReportError
from harness.grading.verifiers.diagnostics import (
    MAX_DIAGNOSTICS,
    Diagnostic,
    read_lines,
    read_ruff,
    read_sarif,
    relative,
)

GCC = """\
src/a.c: In function 'f':
src/a.c:7:5: error: expected expression before 'return'
src/a.c:4:9: warning: unused variable 'unused' [-Wunused-variable]
src/a.c:9:10: fatal error: missing.h: No such file or directory
compilation terminated.
cc1: fatal error: missing.c: No such file or directory
"""
MYPY = """\
a.py:2:12: error: Incompatible return value type (got "int", expected "str")  [return-value]
a.py:2:12: note: a note
b.py:1: error: invalid syntax  [syntax]
mypy: error: unrecognized arguments: --nonsense
"""
TSC = """\
a.ts(1,7): error TS2322: Type 'string' is not assignable to type 'number'.
  Types of property 'x' are incompatible.
error TS5058: The specified path does not exist: 'nothing.json'.
"""
JAVAC = """\
org/A.java:5: error: ';' expected
  int f() { return "a: error: b" }
                                ^
org/B.java:4: warning: [rawtypes] found raw type: List
  List l = new ArrayList();
  ^
  missing type arguments for generic class List<E>
1 error
1 warning
error: file not found: Missing.java
warning: [options] bootstrap class path not set in conjunction with -source 8
"""
CLANG_TIDY = """\
2 warnings and 1 error generated.
Error while processing /app/src/a.c.
/app/src/a.c:5:12: error: expected expression [clang-diagnostic-error]
    printf("x: error: %d
           ^
/app/src/a.c:8:2: note: to match this '{'
/app/src/n.c:1:32: warning: Dereference of null pointer [clang-analyzer-core.NullDereference]
"""


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        (
            GCC,
            [
                Diagnostic("src/a.c", 7, True, "expected expression before 'return'"),
                Diagnostic("src/a.c", 4, False, "unused variable 'unused' [-Wunused-variable]"),
                Diagnostic("src/a.c", 9, True, "missing.h: No such file or directory"),
                Diagnostic("", 0, True, "cc1: missing.c: No such file or directory"),
            ],
        ),
        (
            MYPY,
            [
                Diagnostic(
                    "a.py",
                    2,
                    True,
                    'Incompatible return value type (got "int", expected "str")  [return-value]',
                ),
                Diagnostic("b.py", 1, True, "invalid syntax  [syntax]"),
                Diagnostic("", 0, True, "mypy: unrecognized arguments: --nonsense"),
            ],
        ),
        (
            TSC,
            [
                Diagnostic("a.ts", 1, True, "Type 'string' is not assignable to type 'number'."),
                Diagnostic("", 0, True, "The specified path does not exist: 'nothing.json'."),
            ],
        ),
        (
            JAVAC,
            [
                Diagnostic("org/A.java", 5, True, "';' expected"),
                Diagnostic("org/B.java", 4, False, "[rawtypes] found raw type: List"),
                Diagnostic("", 0, True, "file not found: Missing.java"),
                Diagnostic(
                    "", 0, False, "[options] bootstrap class path not set in conjunction with -source 8"
                ),
            ],
        ),
        (
            CLANG_TIDY,
            [
                Diagnostic("/app/src/a.c", 5, True, "expected expression [clang-diagnostic-error]"),
                Diagnostic(
                    "/app/src/n.c",
                    1,
                    False,
                    "Dereference of null pointer [clang-analyzer-core.NullDereference]",
                ),
            ],
        ),
        ("All checks passed!\n", []),
    ],
)
def test_lines_of_each_tool(output: str, expected: list[Diagnostic]) -> None:
    assert read_lines(output) == expected


def test_a_diagnostic_is_one_line() -> None:
    assert str(Diagnostic("a.c", 3, True, "bad")) == "a.c:3: bad"
    assert str(Diagnostic("", 0, True, "bad")) == "bad"


def test_too_many_diagnostics_are_refused() -> None:
    with pytest.raises(ReportError, match="there are more than 50,000 errors and warnings"):
        read_lines("a.c:1:1: warning: x\n" * (MAX_DIAGNOSTICS + 1))


RUFF = [
    {
        "code": "F821",
        "filename": "/app/a.py",
        "location": {"column": 12, "row": 5},
        "message": "Undefined name `x`",
    },
    {"code": "F401", "filename": "/app/a.py", "location": {"column": 8, "row": 1}, "message": "`os` unused"},
    {"code": "invalid-syntax", "filename": "/app/b.py", "location": {"row": 1}, "message": "Expected"},
    {"code": None, "filename": "/app/c.py", "location": {"row": 2}, "message": "SyntaxError: bad"},
]


def test_ruff() -> None:
    assert read_ruff(json.dumps(RUFF).encode()) == [
        Diagnostic("/app/a.py", 5, True, "F821 Undefined name `x`"),
        Diagnostic("/app/a.py", 1, False, "F401 `os` unused"),
        Diagnostic("/app/b.py", 1, True, "invalid-syntax Expected"),
        Diagnostic("/app/c.py", 2, True, "invalid-syntax SyntaxError: bad"),
    ]


@pytest.mark.parametrize("content", [b"", b"{}", b"[1]", b'[{"code": "F1"}]', b"[" * 100_000, b"\xff"])
def test_what_is_not_ruffs_json_is_refused(content: bytes) -> None:
    with pytest.raises(ReportError, match=r"^ruff\.json "):
        read_ruff(content)


def sarif(*results: object, **run: object) -> bytes:
    """A log with one run. The rule R1 is an error by default, R2 says nothing about its level."""
    rules = [{"id": "R1", "defaultConfiguration": {"level": "error"}}, {"id": "R2"}]
    entry = {"tool": {"driver": {"name": "lint", "rules": rules}}, "results": list(results), **run}
    return json.dumps({"version": "2.1.0", "runs": [entry]}).encode()


def result(**fields: object) -> dict[str, object]:
    """A result of rule R1 in line 4 of `src/a b.c`."""
    place = {"artifactLocation": {"uri": "file:///app/src/a%20b.c"}, "region": {"startLine": 4}}
    return {"ruleId": "R1", "message": {"text": "bad"}, "locations": [{"physicalLocation": place}], **fields}


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (result(), [Diagnostic("/app/src/a b.c", 4, True, "R1 bad")]),
        (result(level="warning"), [Diagnostic("/app/src/a b.c", 4, False, "R1 bad")]),
        (result(ruleId="R2"), [Diagnostic("/app/src/a b.c", 4, False, "R2 bad")]),
        ({"message": {"text": "bad"}, "level": "error"}, [Diagnostic("", 0, True, "bad")]),
        (result(level="note"), []),
        (result(kind="pass"), []),
        (result(suppressions=[{"kind": "inSource"}]), []),
    ],
)
def test_sarif(found: dict[str, object], expected: list[Diagnostic]) -> None:
    assert read_sarif(sarif(found), "a.sarif") == expected


def test_a_sarif_log_of_a_failed_tool_is_refused() -> None:
    notes = [{"message": {"text": "out of memory"}}]
    failed = [{"executionSuccessful": False, "toolExecutionNotifications": notes}]
    with pytest.raises(ReportError, match=r"^a\.sarif says that its tool failed: out of memory$"):
        read_sarif(sarif(invocations=failed), "a.sarif")


@pytest.mark.parametrize(
    "content",
    [b"[]", b"{}", b'{"runs": [1]}', b'{"runs": [{}]}', sarif(1), sarif({"locations": [1]}), b"nonsense"],
)
def test_what_is_no_sarif_log_is_refused(content: bytes) -> None:
    with pytest.raises(ReportError, match=r"^a\.sarif is no "):
        read_sarif(content, "a.sarif")


def test_paths_are_shown_relative_to_the_workspace() -> None:
    workdir = PurePosixPath("/app")
    assert [relative(path, workdir) for path in ("/app/src/a.c", "./a.c", "/usr/x.h", "")] == [
        "src/a.c",
        "a.c",
        "/usr/x.h",
        "",
    ]
