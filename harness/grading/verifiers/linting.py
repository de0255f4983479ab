"""The verifier that requires that a tool finds no errors in files: command lines, and what their results mean."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from harness.dataset.globs import matches
from harness.dataset.verifier_kinds import NoFileErrors, Tool
from harness.grading.hidden_tests import ScriptRun
from harness.grading.results import ReportError
from harness.grading.verifiers.builds import last_words
from harness.grading.verifiers.commands import Bench
from harness.grading.verifiers.diagnostics import (
    RUFF_ERRORS,
    Diagnostic,
    read_lines,
    read_ruff,
    read_sarif,
    relative,
)
from harness.grading.verifiers.final_state import FinalState
from harness.grading.verifiers.findings import Finding, counted, named

MAX_FILES = 1_000
NOT_INSTALLED = 127
_RUFF_REPORT = "ruff.json"
_RUFF_RULES = ("E4", "E7", "E9", "F")  # of Ruff and pyflakes; the defaults differ between versions
_PROJECT = ("-p", "--project", "-b", "--build")

Read = Callable[[ScriptRun], list[Diagnostic]]


@dataclass(frozen=True, slots=True)
class _Program:
    """How a tool is called. `command`: the program with its fixed arguments; those of the task and the files follow.

    Settings in the workspace are not read where the tool can do without: an agent can change them. `codes`: the exit
    codes of a run that came to its end, with or without errors. `errors` and `warnings`: the options without and with
    warnings.
    """

    command: str
    codes: frozenset[int]
    errors: str = ""
    warnings: str = ""


_PROGRAMS: Mapping[Tool, _Program] = {
    Tool.RUFF: _Program(
        "ruff check --isolated --no-cache --ignore-noqa --output-format=json "
        f'--output-file="$RESULTS_DIR/{_RUFF_REPORT}"',
        frozenset((0, 1)),
        f"--select={','.join(RUFF_ERRORS)}",
        f"--select={','.join(_RUFF_RULES)}",
    ),
    # Without a file for settings; 2 is a syntax error.
    Tool.MYPY: _Program(
        "mypy --config-file= --cache-dir=/dev/null --no-error-summary --no-color-output --no-pretty "
        "--hide-error-context --show-column-numbers --follow-imports=silent --ignore-missing-imports",
        frozenset((0, 1, 2)),
    ),
    Tool.TSC: _Program("tsc --noEmit --pretty false", frozenset((0, 1, 2))),
    Tool.JAVAC: _Program(
        'javac -J-Duser.language=en -encoding UTF-8 -proc:none -Xmaxerrs 1000 -Xmaxwarns 1000 -d "$(mktemp -d)"',
        frozenset((0, 1)),
        warnings="-Xlint:all",
    ),
    Tool.GCC: _Program(
        "gcc -fsyntax-only -fdiagnostics-color=never -fno-diagnostics-show-caret",
        frozenset((0, 1)),
        warnings="-Wall",
    ),
    Tool.CLANG_TIDY: _Program("clang-tidy --quiet --config={}", frozenset((0, 1))),
}


def check_no_file_errors(verifier: NoFileErrors, bench: Bench, state: FinalState) -> Finding:
    """The tool ran to its end and found no error, and no warning where warnings count."""
    files = [file.path for file in state.files(verifier.paths)]
    if not files:
        return Finding(False, f"no file matches {named(verifier.paths)}")
    if len(files) > MAX_FILES:
        return Finding(
            False, f"{len(files)} files match {named(verifier.paths)}; at most {MAX_FILES} are checked"
        )
    ran = bench.run(_command_line(verifier, files))
    passed, message, broken = _judged(verifier, bench, ran)
    return Finding(passed, message, broken, ran.command.seconds, ran.command.output)


def _command_line(verifier: NoFileErrors, files: Sequence[str]) -> str:
    """The lines for bash. A tool that is not installed ends them with NOT_INSTALLED."""
    words = list(verifier.arguments)
    # With a project, the compiler takes the files from there, and refuses others.
    listed = [] if _has_project(verifier) else [_argument(path) for path in files]
    if verifier.tool is Tool.SARIF:
        return f"set -- {shlex.join([*words, *listed])}\n{verifier.command}"
    program = _PROGRAMS[verifier.tool]
    options = program.warnings if verifier.include_warnings else program.errors
    before, after = ([*words], listed)
    if (
        verifier.tool is Tool.CLANG_TIDY and "--" in words
    ):  # what follows is for the compiler, after the files
        at = words.index("--")
        before, after = words[:at], [*listed, *words[at:]]
    name = program.command.split(" ", 1)[0]
    found = 'PATH="$PATH:$PWD/node_modules/.bin"\n' if verifier.tool is Tool.TSC else ""
    return (
        f"export LC_ALL=C\n{found}command -v {name} > /dev/null || exit {NOT_INSTALLED}\n"
        f"{program.command} {options} {shlex.join([*before, *after])}"
    )


def _has_project(verifier: NoFileErrors) -> bool:
    return verifier.tool is Tool.TSC and not set(_PROJECT).isdisjoint(verifier.arguments)


def _argument(path: str) -> str:
    """A path that no tool takes for an option or for a file with arguments."""
    return path if path[0].isalnum() or path[0] in "_." else f"./{path}"


def _judged(verifier: NoFileErrors, bench: Bench, ran: ScriptRun) -> tuple[bool, str, bool]:
    """Whether it passed, the message, and whether the task is broken."""
    tool, code, output = verifier.tool, ran.command.exit_code, ran.command.output
    if ran.trouble:
        return False, ran.trouble, False
    if code == NOT_INSTALLED and tool is not Tool.SARIF:
        where = f"the image of {bench.repository.slug}"
        return False, f"{tool} is not installed in {where}: install it in the repository's Dockerfile", True
    try:
        found = [
            replace(one, path=relative(one.path, bench.repository.workdir)) for one in _diagnostics(tool, ran)
        ]
    except ReportError as error:
        return False, f"{tool} gave no usable report: {error} (exit code {code})", False
    if code not in (_PROGRAMS[tool].codes if tool in _PROGRAMS else (0, 1)) or (code and not found):
        return False, f"{tool} failed with exit code {code}: {last_words(output)}", False
    counts = [one for one in found if one.error or verifier.include_warnings]
    if _has_project(verifier) or tool is Tool.SARIF:
        counts = [one for one in counts if not one.path or matches(one.path, verifier.paths)]
    if counts:
        what = counted(sum(one.error for one in counts), "error")
        if verifier.include_warnings:
            what += f" and {counted(sum(not one.error for one in counts), 'warning')}"
        return False, f"{tool} found {what}: {named(list(map(str, counts)))}", False
    return True, f"{tool} found no error{' and no warning' if verifier.include_warnings else ''}", False


def _diagnostics(tool: Tool, ran: ScriptRun) -> list[Diagnostic]:
    if tool is Tool.RUFF:
        if _RUFF_REPORT not in ran.files:
            raise ReportError(f"there is no {_RUFF_REPORT}: {last_words(ran.command.output)}")
        return read_ruff(ran.files[_RUFF_REPORT])
    if tool is not Tool.SARIF:
        return read_lines(ran.command.output)
    logs = {name: content for name, content in sorted(ran.files.items()) if name.endswith(".sarif")}
    if not logs:
        raise ReportError(f"the command left no *.sarif in $RESULTS_DIR: {last_words(ran.command.output)}")
    return [found for name, content in logs.items() for found in read_sarif(content, name)]
