"""Renames by spelling: every identifier of a name, wherever it stands, gets the new name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import libcst as cst

from harness.patches import FileState

PYTHON = (".py", ".pyi", ".pyw")
_WORD = re.compile(r"\b[A-Za-z_][A-Za-z0-9_]*\b")
# In docstrings only code gets new names: lines of doctests, and what is in backquotes.
_CODE = re.compile(r"^[ \t]*(?:>>>|\.\.\.)[^\n]*|`[^`\n]{1,200}`", re.MULTILINE)
_EXPORTS = "__all__"


def renamed_text(text: str, names: Mapping[str, str]) -> str:
    """A Python file with new names; the text itself if it cannot be parsed."""
    try:
        return cst.parse_module(text).visit(_Renamer(names)).code
    except (cst.ParserSyntaxError, cst.CSTValidationError, RecursionError):
        return text


def renamed_path(path: str, names: Mapping[str, str]) -> str:
    """A path with new names for modules and packages."""
    *directories, file = path.split("/")
    stem, dot, suffix = file.rpartition(".")
    if f".{suffix}" in PYTHON:
        file = f"{names.get(stem, stem)}{dot}{suffix}"
    return "/".join([*(names.get(one, one) for one in directories), file])


def renamed_files(
    files: Iterable[FileState], names: Mapping[str, str], modules: Mapping[str, str]
) -> list[FileState]:
    """The files with new names. `modules`: those of modules, for paths; `names` has them, too."""
    return [
        FileState(
            renamed_path(file.path, modules),
            file.content if file.link else _content(file, {**names, **modules}),
            file.mode,
            file.link,
        )
        for file in files
    ]


def words(text: str) -> set[str]:
    """The identifiers in any text."""
    return set(_WORD.findall(text))


def _content(file: FileState, names: Mapping[str, str]) -> bytes | None:
    if file.content is None or not file.path.endswith(PYTHON):
        return file.content
    try:
        text = file.content.decode("utf-8")
    except UnicodeDecodeError:
        return file.content
    return renamed_text(text, names).encode() if words(text) & names.keys() else file.content


def is_exports(node: cst.CSTNode) -> bool:
    """Whether a statement says what a module exports."""
    match node:
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))]):
            return name == _EXPORTS
        case cst.AugAssign(target=cst.Name(value=name)) | cst.AnnAssign(target=cst.Name(value=name)):
            return name == _EXPORTS
    return False


class StringKinds(cst.CSTTransformer):
    """Knows for each text whether names in it are code: in annotations and in the list of exports.

    `in_names`: such a place; `in_text`: a docstring, or another text that is a statement.
    """

    def __init__(self) -> None:
        super().__init__()
        self.in_names = 0
        self.in_text = 0

    def on_visit(self, node: cst.CSTNode) -> bool:
        """Counts the places that hold the node's children."""
        self._count(node, 1)
        return super().on_visit(node)

    def on_leave(  # type: ignore[override]
        self, original_node: cst.CSTNode, updated_node: cst.CSTNode
    ) -> cst.CSTNode | cst.RemovalSentinel | cst.FlattenSentinel[cst.CSTNode]:
        """The other end."""
        self._count(original_node, -1)
        return super().on_leave(original_node, updated_node)

    def _count(self, node: cst.CSTNode, step: int) -> None:
        if isinstance(node, cst.Annotation) or is_exports(node):
            self.in_names += step
        if isinstance(node, cst.Expr) and isinstance(node.value, cst.SimpleString | cst.ConcatenatedString):
            self.in_text += step


class _Renamer(StringKinds):
    def __init__(self, names: Mapping[str, str]) -> None:
        super().__init__()
        self._names = names

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.Name:  # noqa: N802
        new = self._names.get(original_node.value)
        return updated_node if new is None else updated_node.with_changes(value=new)

    def leave_SimpleString(  # noqa: N802
        self, original_node: cst.SimpleString, updated_node: cst.SimpleString
    ) -> cst.SimpleString:
        value = original_node.value
        if self.in_names:
            value = self._renamed(value)
        elif self.in_text:
            value = _CODE.sub(lambda found: self._renamed(found.group()), value)
        return updated_node.with_changes(value=value)

    def _renamed(self, text: str) -> str:
        return _WORD.sub(lambda found: self._names.get(found.group(), found.group()), text)
