"""The arguments of the tools that only some tool sets offer: those of Breakpoint and of the fourth paper.

Names and purposes are those of Breakpoint, appendix A, and of "A Comprehensive Framework for Evaluating Coding Agents",
Table 1. Where a tool does the same as one of `arguments`, both have one implementation in the container.
"""

from __future__ import annotations

from pydantic import Field

from harness.tools.arguments import Arguments

_PATH = "Path of the file, absolute or relative to the working directory."
_NAME = "Name with its classes and outer functions: `parse`, `Parser.feed`, `outer.inner`."
_OCCURRENCE = "Which one, counted from 0, where a file defines the name several times."
_CODE = "The whole definition: decorators, signature, docstring and body. One function or class, of the same name."


class ListDirectory(Arguments, kind="read", only_in_sets=True):
    """Lists the files and directories at a path: directories end in a slash, files carry their size in bytes. Leaves
    out directories such as .git, node_modules, venv, vendor, dist, build, target and caches; to list one of them, name
    it as path.
    """

    path: str = Field(default=".", description="Directory, absolute or relative to the working directory.")


class SearchCode(Arguments, kind="search", only_in_sets=True):
    """Finds the lines that contain a text, or match a regular expression, in one file or in every text file below a
    directory (directories such as .git, node_modules, venv, vendor, dist, build, target and caches are left out, unless
    path names one).
    """

    pattern: str = Field(description="Text to find, or a regular expression with regex.", min_length=1)
    regex: bool = Field(default=False, description="Read pattern as a regular expression of Python.")
    path: str = Field(default=".", description="File or directory to search.")


class StrReplace(Arguments, kind="edit", only_in_sets=True):
    """Replaces an exact text in a file. Refused when the text is not there, or is there more than once without
    replace_all.
    """

    path: str = Field(description=_PATH, min_length=1)
    old: str = Field(
        description="The exact text to replace, with its white space; may span lines.", min_length=1
    )
    new: str = Field(description="What takes its place.")
    replace_all: bool = Field(
        default=False, description="Replace every occurrence; otherwise there has to be exactly one."
    )


class ListFileFunctions(Arguments, kind="read", only_in_sets=True):
    """Lists the functions and classes that a file defines at its top level, and the methods of its classes, with their
    lines. Reads Python, C, JavaScript and TypeScript.
    """

    path: str = Field(description=_PATH, min_length=1)


class ReadFunction(Arguments, kind="read", only_in_sets=True):
    """Shows the source of one function or class of a file, with line numbers."""

    path: str = Field(description=_PATH, min_length=1)
    name: str = Field(description=_NAME, min_length=1)
    occurrence: int = Field(default=0, description=_OCCURRENCE, ge=0)


class SubmitAttempt(Arguments, kind="edit", only_in_sets=True):
    """Submits new source for the function that the task names. It replaces the function in the file as it was at the
    start, the hidden tests run, and you get their counts and the first failure. When all of them pass, the work is
    done. The number of submissions is limited.
    """

    code: str = Field(description=_CODE, min_length=1)
    name: str | None = Field(
        default=None, description="Which function, if the task names more than one.", min_length=1
    )


class ReplaceFunction(Arguments, kind="edit", only_in_sets=True):
    """Submits new source for a function or class of a file. The replacement stays in the file, the hidden tests run,
    and you get their counts and the first failure. When all of them pass, the work is done. The number of submissions
    is limited.
    """

    path: str = Field(description=_PATH, min_length=1)
    name: str = Field(description=_NAME, min_length=1)
    occurrence: int = Field(default=0, description=_OCCURRENCE, ge=0)
    code: str = Field(description=_CODE, min_length=1)


class RunTests(Arguments, kind="run", only_in_sets=True):
    """Runs the tests of the repository that you can see, and returns what they print. These are not the tests that
    decide.
    """

    path: str | None = Field(
        default=None,
        description="File or directory with Python tests; all tests of the repository if left out.",
        min_length=1,
    )


class SubmitPatch(Arguments, only_in_sets=True):
    """Submits all your changes to the files as they are now. This ends the work."""
