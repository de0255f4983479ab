"""What a tool call is for. Agents bring tools of their own names; a shell reads, edits and tests through one tool."""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from harness.tools.schema import tool_kind

Kind = Literal["read", "search", "edit", "run", "other"]
Phase = Literal["exploration", "implementation", "verification", "other"]

# Tools of other agents, by their names in lower case without underscores.
_FOREIGN: Mapping[str, Kind] = {
    **dict.fromkeys(("read", "view", "open", "readfiles", "viewfile", "openfile", "ls", "listfiles", "notebookread",
                     "listdirectory", "listfilefunctions", "readfunction", "viewimage"), "read"),
    **dict.fromkeys(("grep", "glob", "search", "searchcode", "find", "findfile", "websearch", "webfetch",
                     "searchdir", "searchfile", "ripgrep"), "search"),
    **dict.fromkeys(("edit", "multiedit", "write", "create", "strreplace", "insert", "applypatch", "notebookedit",
                     "replacefunction"), "edit"),
    **dict.fromkeys(("bash", "shell", "exec", "execcommand", "execute", "localshell", "runtests", "runcommand",
                     "runshellcommand", "terminal", "python", "bashoutput", "writestdin"), "run"),
}  # fmt: skip
# Tools whose argument "command" says which of several things they do. A command that they do not have edits nothing,
# but was meant to.
EDITORS = frozenset({"strreplacebasededittool", "strreplaceeditor", "editor"})
_EDITOR_COMMANDS: Mapping[str, Kind] = {
    "view": "read",
    **dict.fromkeys(("create", "str_replace", "insert", "undo_edit"), "edit"),
}
_PATH_ARGUMENTS = ("path", "file_path", "filename", "file", "notebook_path", "target_file")
_COMMAND_ARGUMENTS = ("command", "cmd", "script")
_SHOWING = {"cat", "head", "tail", "less", "more", "nl", "sed", "awk", "bat", "xxd", "od"}
_LOOKING = _SHOWING | {"ls", "find", "grep", "egrep", "fgrep", "rg", "ag", "tree", "wc", "file", "stat", "which", "pwd",
                       "du", "type", "whereis", "sort", "uniq", "cut", "tr", "diff", "readlink", "realpath", "basename",
                       "dirname", "env", "printenv", "date", "whoami", "id", "uname", "xargs"}  # fmt: skip
_GIT_LOOKING = {
    "log",
    "show",
    "diff",
    "status",
    "grep",
    "blame",
    "ls-files",
    "branch",
    "rev-parse",
    "describe",
}
_NEUTRAL = {
    "cd",
    "echo",
    "true",
    ":",
    "set",
    "export",
    "printf",
    "pushd",
    "popd",
    "timeout",
    "time",
    "sudo",
    "command",
}
_SEPARATORS = ";|&\n()"
_SED_IN_PLACE = re.compile(r"^-[a-zA-Z]*i|^--in-place")


class _Simple(NamedTuple):
    """One program with its words; `writes`: its output goes into a file."""

    words: tuple[str, ...]
    writes: bool

    @property
    def program(self) -> str:
        return posixpath.basename(self.words[0]) if self.words else ""


def kind_of(name: str) -> Kind:
    """What a tool does by its name: ours by their schema, tools of other agents by a list; "other" for a stranger.

    An editor that also shows files does what stands behind its name, after a blank, as `called` writes it.
    """
    ours = tool_kind(name)
    if ours != "other":
        return ours  # type: ignore[return-value] # the schema's kinds are these
    tool, _, command = name.rpartition(" ")
    if command in _EDITOR_COMMANDS and plain_name(tool) in EDITORS:
        return _EDITOR_COMMANDS[command]
    plain = plain_name(name)
    return "edit" if plain in EDITORS else _FOREIGN.get(plain, "other")


def called(tool: str, arguments: Mapping[str, Any]) -> str:
    """The name that says what a call does: its tool's, and the command of an editor that knows several of them."""
    command = arguments.get("command")
    if isinstance(command, str) and command in _EDITOR_COMMANDS and plain_name(tool) in EDITORS:
        return f"{tool} {command}"
    return tool


def plain_name(tool: str) -> str:
    """A tool's name without its server, in lower case, letters and digits alone: `mcp__fs__list_dir` is `listdir`."""
    return tool.rpartition("__")[2].replace("_", "").replace("-", "").lower()


def command_of(arguments: Mapping[str, Any]) -> str:
    """The shell command that a call asks for; '' when it asks for none."""
    for name in _COMMAND_ARGUMENTS:
        value = arguments.get(name)
        if isinstance(value, str):
            return value
        if isinstance(value, list):
            words = [str(word) for word in value]
            # ["bash", "-lc", "make test"]: the command is what the shell is given.
            return words[2] if len(words) == 3 and words[1].startswith("-") else " ".join(words)
    return ""


def only_looks(command: str) -> bool:
    """Whether a shell command reads and searches, and does nothing else as far as its words tell."""
    commands = _simple_commands(command)
    return all(map(_looks, commands)) and any(each.program not in _NEUTRAL for each in commands)


def phase_of(kind: Kind, command: str, edited: bool) -> Phase:
    """What a call contributes to. `edited`: the step changed text files and no tool of kind "edit" was in it.

    Reading and searching explore, also by shell; editing implements, also by shell; any other command verifies.
    """
    if kind == "edit":
        return "implementation"
    if kind in {"read", "search"}:
        return "exploration"
    if kind == "other":
        return "other"
    if command and only_looks(command):
        return "exploration"
    return "implementation" if edited else "verification"


def paths_of(kind: Kind, arguments: Mapping[str, Any], workdir: str = "/app") -> tuple[str, ...]:
    """The files that a call names, relative to the workspace, each once: of a shell command, those it shows."""
    named: list[str] = [
        value for name in _PATH_ARGUMENTS if isinstance(value := arguments.get(name), str) and value
    ]
    if kind == "run":
        named = [path for each in _simple_commands(command_of(arguments)) for path in _shown(each)]
    return tuple(dict.fromkeys(relative(path, workdir) for path in named))


def relative(path: str, workdir: str = "/app") -> str:
    """A path as patches name it: without the workspace before it, without `.` and doubled slashes."""
    plain = posixpath.normpath(path.strip())
    home = posixpath.normpath(workdir)
    return "." if plain == home else plain.removeprefix(home + "/")


def _simple_commands(command: str) -> list[_Simple]:
    """The commands that a shell line is made of, as far as its words tell."""
    found: list[_Simple] = []
    words: list[str] = []
    writes = False
    tokens = iter(_tokens(command))
    for token in tokens:
        if token.startswith((">", "&>")):
            if words and words[-1].isdigit():
                words.pop()  # the number of the stream
            target = next(tokens, "")
            writes |= token.removeprefix("&") != ">&" and target != "/dev/null"
        elif token[0] in _SEPARATORS:
            found.append(_Simple(tuple(words), writes))
            words, writes = [], False
        elif words or not _is_before_program(token):
            words.append(token)
    found.append(_Simple(tuple(words), writes))
    return [each for each in found if each.words or each.writes]


def _tokens(command: str) -> list[str]:
    lexer = shlex.shlex(command, posix=True, punctuation_chars=";|&<>()\n")
    lexer.whitespace = " \t\r"
    try:
        return list(lexer)
    except ValueError:  # a quote without its partner
        return re.findall(r"[;|&<>()\n]+|[^\s;|&<>()]+", command)


def _is_before_program(word: str) -> bool:
    """VARIABLE=value, and programs that only start another one."""
    return "=" in word.partition("/")[0] or word in {"sudo", "time", "command"}


def _looks(simple: _Simple) -> bool:
    if simple.writes or not simple.words:
        return False
    if simple.program == "git":
        return len(simple.words) > 1 and simple.words[1] in _GIT_LOOKING
    if simple.program == "sed":
        return not any(_SED_IN_PLACE.match(word) for word in simple.words)
    if simple.program == "find":
        return not {"-delete", "-exec", "-execdir"} & set(simple.words)
    return simple.program in _LOOKING or simple.program in _NEUTRAL


def _shown(simple: _Simple) -> list[str]:
    """The files that one simple command prints."""
    if simple.program not in _SHOWING or not _looks(simple):
        return []
    rest = [word for word in simple.words[1:] if not word.startswith("-") and not word.isdigit()]
    # The first word of sed and awk is a program, not a file.
    return rest[1:] if simple.program in {"sed", "awk"} else rest
