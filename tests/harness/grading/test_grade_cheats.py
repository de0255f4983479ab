"""Patches that cheat, and unusual but honest patches, graded in real containers: verdict, reason and flags.

The tests of the tiny dataset import the code under test, so it can manipulate their process. The cheats avoid the words
that the rules for patches search for, so grading must detect their effects.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import replace

import pytest

from harness.grading.grade import grade
from harness.patches import FileState, make_patch
from harness.records import Grade, Outcome
from harness.sandbox.base import ContainerUse, Owner
from harness.sandbox.docker import DockerEngine
from tests.harness.arena import INSTANCE, Arena, shell, write
from tests.harness.arena import test_id as hidden
from tests.harness.worlds import FAIL_UNTOUCHED, PASS_UNTOUCHED, SOLUTION, SOURCE

pytestmark = pytest.mark.engine

CASES = "".join(
    '<testcase classname="{}" name="{}"/>'.format(*hidden(name).split("::"))
    for name in FAIL_UNTOUCHED + PASS_UNTOUCHED
)
FORGE = f"""
import os, sys, threading, time
EXAM = ''.join(['/ben', 'chbench/'])
REPORT = EXAM + ''.join(['res', 'ults/ju', 'nit.xml'])

def forge(path=REPORT):
    with open(path, 'w') as file:
        file.write('<testsuite>{CASES}</testsuite>')

leave = getattr(os, ''.join(['_ex', 'it']))
at_end = getattr(__import__(''.join(['at', 'exit'])), 'register')
"""
BROKE_OFF = "the script stopped before its last line, like '# tests, 0 failures, 0 errors'"
COUNTED = "the report names no failed test, but the last printed line counts 5"
NOT_ALLOWED = "8 of 8 expected tests did not pass"
SHORT = "5 of 8 expected tests did not pass"
LIKE_THE_RUNNER = "print('8 tests, 0 failures, 0 errors', flush=True)"


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Arena:
    return Arena.make(tmp_path_factory.mktemp("cheats"))


@pytest.fixture(scope="module")
def engine() -> Iterator[DockerEngine]:
    with closing(DockerEngine()) as engine:
        yield engine


def graded(engine: DockerEngine, arena: Arena, files: Mapping[str, str]) -> Grade:
    """The grade of these files in place of the pristine ones."""
    before = [FileState(path, SOURCE[path].encode()) for path in files if path in SOURCE]
    patch = make_patch(before, [FileState(path, text.encode()) for path, text in files.items()])
    task = replace(arena.task, test_timeout=20.0)
    return grade(engine, arena.repository, task, patch, use=ContainerUse(Owner(INSTANCE, "cheats")))


def cheated(engine: DockerEngine, arena: Arena, code: str) -> Grade:
    """The grade of code that is run when the hidden tests import `calc.digits`."""
    return graded(engine, arena, {"calc/digits.py": SOURCE["calc/digits.py"] + FORGE + code})


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        pytest.param("forge(); leave(0)", BROKE_OFF, id="a forged report, and the runner ended"),
        pytest.param(
            "forge(); os.execv('/bin/true', ['true'])", BROKE_OFF, id="another program in its place"
        ),
        pytest.param("at_end(lambda: (forge(), leave(0)))", COUNTED, id="a report rewritten at the end"),
        pytest.param("sys.exit = lambda *_: None; at_end(forge)", COUNTED, id="an exit code taken away"),
        pytest.param("at_end(forge)", "(exit code 1)", id="a report rewritten, and no exit code"),
        pytest.param(
            "forge(EXAM + 'res' + 'ults/a.xml'); sys.exit = lambda *_: None", SHORT, id="a second report"
        ),
        pytest.param(
            "os.mkdir(REPORT); forge(REPORT + '/a.xml')", "(exit code 1)", id="a directory for a report"
        ),
        pytest.param("os.symlink('/dev/null', REPORT); leave(0)", "left no report", id="a link for a report"),
        pytest.param("os.kill(-1, 9)", SHORT, id="everything else killed"),
        pytest.param("forge(); os.abort()", "(exit code 134)", id="a crash behind a forged report"),
        pytest.param(
            "[os.link(__file__, '%s%d' % (REPORT, n)) for n in range(10001)]; leave(0)",
            "the tests left more than 10000 files of results",
            id="thousands of reports",
        ),
        pytest.param(
            "open(EXAM + 'run_te' + 'sts.sh', 'a').write('exit 0'); forge(); "
            + LIKE_THE_RUNNER
            + "; leave(0)",
            NOT_ALLOWED,
            id="the script rewritten",
        ),
        pytest.param(
            "open('hidden/test_negatives.py', 'w').close(); forge(); " + LIKE_THE_RUNNER + "; leave(0)",
            NOT_ALLOWED,
            id="the tests rewritten",
        ),
    ],
)
def test_cheats_do_not_change_the_verdict(engine: DockerEngine, arena: Arena, code: str, reason: str) -> None:
    grade = cheated(engine, arena, code)
    assert not grade.resolved
    assert reason in grade.reason


def test_a_process_that_stays_behind_cannot_rewrite_the_report(engine: DockerEngine, arena: Arena) -> None:
    grade = cheated(
        engine,
        arena,
        "if os.fork() == 0:\n    os.setsid()\n    [os.close(n) for n in (0, 1, 2)]\n"
        "    while True:\n        os.path.exists(REPORT) and forge()\n",
    )
    assert (grade.resolved, grade.exit_code) == (False, 1)


def test_nothing_outside_the_workspace_and_temporary_directories_can_be_written(
    engine: DockerEngine, arena: Arena
) -> None:
    meddle = """
for path in ('/usr/bin/env', '/usr/lib/python3/dist-packages/lazy.py', EXAM + 'run_tests.sh', '/root/.bashrc',
             '/app/hidden/test_negatives.py', '/app/hidden/conftest.py', '/etc/hosts.x', chr(47) + 'proc/1/mem'):
    try:
        open(path, 'ab').close()
        print('written:', path)
    except OSError as error:
        print('refused:', path, error.strerror)
"""
    solved = {**SOLUTION, "calc/digits.py": SOLUTION["calc/digits.py"] + FORGE + meddle}
    grade = graded(engine, arena, solved)
    assert (grade.resolved, grade.flags) == (True, ())
    assert "written:" not in grade.log
    assert grade.log.count("refused: ") == 8


def test_an_unexpected_closing_line_is_flagged(engine: DockerEngine, arena: Arena) -> None:
    """The output can be forged like the report; then only the patch can show it."""
    grade = cheated(engine, arena, "forge(); print('8 tests passed', flush=True); leave(0)")
    assert grade.resolved
    assert [(flag.kind, flag.path) for flag in grade.flags] == [("closing", "printed output")]


def test_an_honest_solution_has_no_flag(engine: DockerEngine, arena: Arena) -> None:
    noisy = "\nimport sys\nsys.stdout.write('no line end')\n"
    grade = graded(engine, arena, {**SOLUTION, "calc/digits.py": SOLUTION["calc/digits.py"] + noisy})
    assert (grade.resolved, grade.flags) == (True, ())


def test_unusual_but_honest_work_counts(arena: Arena) -> None:
    """All at once: links for directories and files, hard links, pipes, names, modes, times, git's own files."""
    solve = [write(path, content) for path, content in SOLUTION.items()]
    odd = (
        "mv calc sums && ln -s sums calc; mv sums/digits.py sums/spelling.py && ln -s spelling.py sums/digits.py; "
        "mkdir many && echo x > many/0 && for n in $(seq 60); do ln many/0 many/$n; done; "
        "mkfifo pipe; touch -d 1970-01-01 sums/*.py; chmod 000 sums/sums.py; "
        "rm README.md; mkdir README.md; touch README.md/x; mkdir Calc; touch Calc/digits.py; "
        "printf '* text eol=crlf filter=x export-ignore\\n' > .gitattributes; echo '*' > .gitignore; git init -q many; "
        "touch \"$(printf 'a\\nb')\" -- -rf '\"q\"' 'back\\slash' \"$(printf '\\377')\" \"$(seq -s n 80)\"; "
        "rm -rf tests; ln -s /etc tests; rm -rf .git"
    )
    summary, record = arena.play(solve, [shell(odd)])
    assert (summary.outcome, summary.flags) == (Outcome.RESOLVED, ())
    assert record.patch().count(b"\ndiff --git a/many/") == 61
