"""The kind and phase of tool calls. Tool names differ between agents, and a shell can read, edit and test."""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal

from harness.tools.schema import TOOLS
from runs.analysis.trajectories.shell import Doing, aim, applies_patch, shown_files

Kind = Literal["read", "search", "edit", "run", "other"]
Phase = Literal["exploration", "implementation", "verification", "other"]

SHELLS = frozenset({
    "bash", "shell", "exec", "execute", "execcommand", "executebash", "executecommand", "localshell", "powershell",
    "unifiedexec", "runcommand", "runinterminal", "runshellcommand", "runterminal", "runterminalcmd",
    "runterminalcommand", "terminal", "bashcommand", "shellcommand", "commandexecution",
})  # fmt: skip
"""Plain names of tools that execute a command line."""

# Tools by their plain names: those of other agents, and ours, with variants of some agents (ReadFile).
_BY_NAME: Mapping[str, Kind] = {
    **dict.fromkeys(("read", "readfiles", "readmanyfiles", "readmultiplefiles", "readtextfile", "view", "viewfile",
                     "viewcodeitem", "viewimage", "open", "openfile", "goto", "scrollup", "scrolldown", "cat", "ls",
                     "list", "listfiles", "listdirectory", "directorytree", "listcodedefinitionnames",
                     "getfilecontents", "notebookread", "listfilefunctions", "readfunction", "listfilestoplevel",
                     "listfilesrecursive"), "read"),
    **dict.fromkeys(("grep", "glob", "search", "searchcode", "searchfiles", "searchfilecontent", "searchtext",
                     "semanticsearch", "searchdir", "searchfile", "find", "findfile", "findbyname", "findsymbol",
                     "finder", "ripgrep", "websearch", "googlewebsearch", "webfetch", "fetchurl"), "search"),
    **dict.fromkeys(("edit", "multiedit", "editblock", "write", "writetofile", "create", "createfile", "replace",
                     "replaceinfile", "replacestringinfile", "multireplacestringinfile", "replacefilecontent",
                     "replacefunction", "strreplace", "strreplacefile", "searchandreplace", "insert", "insertcontent",
                     "inserteditintofile", "applypatch", "applydiff", "patch", "movefile", "removefile",
                     "notebookedit", "filechange", "newfilecreated", "editedexistingfile", "filedeleted"), "edit"),
    **dict.fromkeys(("executecode", "executeipythoncell", "runtests", "python", "bashoutput", "killbash",
                     "killshell", "writestdin", *SHELLS), "run"),
    **{tool.name.replace("_", ""): tool.kind for tool in TOOLS.values() if tool.kind != "other"},
}  # fmt: skip
# Tools whose argument "command" selects one of several actions. An unknown command counts as an edit without effect.
EDITORS = frozenset({"strreplacebasededittool", "strreplaceeditor", "editor", "texteditor", "fileeditor"})
_EDITOR_COMMANDS: Mapping[str, Kind] = {
    "view": "read",
    **dict.fromkeys(("create", "write", "str_replace", "insert", "undo_edit"), "edit"),
}
_APPLY_PATCH = "apply_patch"
_SCRIPTS = frozenset({"exec"})  # of Codex: their argument "input" is a program
_MAKING_DIRECTORIES = frozenset({"createdirectory", "makedirectory", "mkdir"})
_LISTING = frozenset({"listdir", "listdirectory", "listfiles", "list", "ls", "directorytree"})
_PATH_ARGUMENTS = ("path", "file_path", "filename", "file", "notebook_path", "target_file")
_COMMAND_ARGUMENTS = ("command", "cmd", "script", "keystrokes")
_SHELL = re.compile(r"(?:/[\w./-]{1,60}/)?(?:ba|z|da)?sh -l?c ['\"]")
_MAX_PARSED_LENGTH = 200_000
_PATCHED = re.compile(r"^\*\*\* (?:Add|Delete|Update) File: (.+)$|^\*\*\* Move to: (.+)$", re.MULTILINE)


@lru_cache(maxsize=256)
def kind_of(name: str) -> Kind:
    """The kind of a tool by its name: ours by their schema, those of other agents by a list; else "other".

    A tool with several commands has the command after its name, separated by a blank, as in `called`.
    """
    tool, _, command = name.rpartition(" ")
    if command in _EDITOR_COMMANDS and plain_name(tool) in EDITORS:
        return _EDITOR_COMMANDS[command]
    if command == _APPLY_PATCH and _BY_NAME.get(plain_name(tool)) == "run":
        return "edit"
    plain = plain_name(name)
    return "edit" if plain in EDITORS else _BY_NAME.get(plain, "other")


def called(tool: str, arguments: Mapping[str, Any]) -> str:
    """The name of a call's tool, with the command of an editor that has several.

    A shell call of `apply_patch` is an edit: some agents have no other way to edit. A script that calls other tools is
    of no kind, because those calls are in the record as well.
    """
    if plain_name(tool) in _SCRIPTS and isinstance(arguments.get("input"), str):
        return f"{tool} script"
    command = arguments.get("command")
    if isinstance(command, str) and command in _EDITOR_COMMANDS and plain_name(tool) in EDITORS:
        return f"{tool} {command}"
    if kind_of(tool) == "run" and applies_patch(command_of(arguments)):
        return f"{tool} {_APPLY_PATCH}"
    return tool


def effect_of(kind: Kind, command: str) -> Kind:
    """The kind of a call whose tool is of this kind: of a shell, what its command does. Some agents have no other tool.

    `command`: what a shell executes; '' without one.
    """
    return aim(command) if kind == "run" and command else kind


def makes_directory(tool: str) -> bool:
    """Whether a tool creates directories and changes no file."""
    return plain_name(tool) in _MAKING_DIRECTORIES


def lists(tool: str) -> bool:
    """Whether a tool lists file names, not contents."""
    return plain_name(tool) in _LISTING


@lru_cache(maxsize=256)
def plain_name(tool: str) -> str:
    """A tool's name without its server, in lower case, letters and digits only: `mcp__fs__list_dir` is `listdir`."""
    own = tool.rpartition("__")[2].rpartition(".")[2]
    return own.replace("_", "").replace("-", "").lower()


def command_of(arguments: Mapping[str, Any]) -> str:
    """The shell command in the arguments of a call; '' if there is none."""
    for name in _COMMAND_ARGUMENTS:
        value = arguments.get(name)
        if isinstance(value, str):
            return _without_shell(value)
        if isinstance(value, list):
            words = [str(word) for word in value]
            # ["bash", "-lc", "make test"]: the command is what the shell is given.
            return words[2] if len(words) == 3 and words[1].startswith("-") else " ".join(words)
    return ""


# Cached: each command is asked for several times.
@lru_cache(maxsize=64)
def _without_shell(command: str) -> str:
    """What a shell is given, of a line such as `/bin/bash -lc 'make test'`."""
    if _SHELL.match(command) and len(command) < _MAX_PARSED_LENGTH:
        try:
            words = shlex.split(command)
        except ValueError:  # an unclosed quote
            return command
        return words[2] if len(words) == 3 else command
    return command


def phase_of(kind: Kind, doing: Doing, edited: bool) -> Phase:
    """The phase of a call; `doing` is the effect of its shell command. `edited`: it may have changed text files.

    Reading and searching explore, editing implements, also in a shell; any other command verifies.
    """
    if kind == "edit":
        return "implementation"
    if kind in {"read", "search"}:
        return "exploration"
    if kind == "other":
        return "other"
    if doing == "looks":
        return "exploration"
    return "implementation" if edited else "verification"


def paths_of(kind: Kind, arguments: Mapping[str, Any], workdir: str = "/app") -> tuple[str, ...]:
    """The files that a call names, relative to the workspace, each once; for a shell command, those it shows."""
    named: list[str] = [
        value for name in _PATH_ARGUMENTS if isinstance(value := arguments.get(name), str) and value
    ]
    if kind == "run":
        own = arguments.get("workdir")
        directory = posixpath.join(workdir, own) if isinstance(own, str) else workdir
        named = list(shown_files(command_of(arguments), directory))
    elif kind == "edit" and not named:
        texts = [value for value in (*arguments.values(), command_of(arguments)) if isinstance(value, str)]
        named = [path.strip() for text in texts for pair in _PATCHED.findall(text) for path in pair if path]
        changes = arguments.get("changes")
        listed = changes if isinstance(changes, list) else []
        files = [change.get("path") for change in listed if isinstance(change, dict)]
        named += [path for path in files if isinstance(path, str)]
    return tuple(dict.fromkeys(relative(path, workdir) for path in named))


def relative(path: str, workdir: str = "/app") -> str:
    """A path as patches name it: without the workspace before it, without `.` and doubled slashes."""
    plain = posixpath.normpath(path.strip())
    home = posixpath.normpath(workdir)
    return "." if plain == home else plain.removeprefix(home + "/")
