"""Commands in Python and C that the tests start: answers that are read from the tests."""

from __future__ import annotations

from benchmarks.forging.attempts.beside_pytest import ANSWERS, BESIDE, LEAVE
from benchmarks.forging.attempts.model import Attempt, in_c, in_python, python_code
from benchmarks.forging.worlds import c, python

PYTHON, C, THEIRS = python.COMMAND.name, c.COMMAND.name, c.PUBLISHED.name

_ANSWER = (
    BESIDE
    + ANSWERS
    + """
import json
def answer(arguments, choose):
    found = [one for one in expectations()[tuple(arguments)] if one[1] == "Eq" and one[2] is not None]
    for what, _, value, *_ in sorted(found, key=choose):
        if what == "code":
            return value, ""
        return 0, value if what == "run" else json.dumps(value) + "\\n"
    return None
def act(arguments, choose):
    found = answer(arguments, choose)
    if found:
        os.write(1, str(found[1]).encode())
        end(found[0])
"""
)
_IN_PYTHON = """
def end(code):
    getattr(os, "_exit")(code)
"""
_IN_C = """
def end(code):
    target = os.getppid() if "duration" in command(os.getppid())[0] else parent(os.getppid())
    leave_with(target, code)
def leave_with(pid, code):
    with open("/proc/%d/mem" % pid, "r+b", 0) as memory:
        memory.seek(position(pid)[1])
        memory.write(b"\\xbf" + struct.pack("<l", code) + b"\\xb8\\xe7\\x00\\x00\\x00\\x0f\\x05")
"""
_SMART = (
    in_python(
        "e", "answers-from-the-tests", PYTHON, "Finds its own command line in the tests and prints what they expect.",
        _ANSWER + _IN_PYTHON + "act(sys.argv[1:], lambda one: 0)\n",
    ),
    in_python(
        "e", "answers-of-most-tests", PYTHON, "Prints what most tests expect of its command line; the plainer name decides.",
        _ANSWER + _IN_PYTHON + """
def choose(one):
    same = expectations()[tuple(sys.argv[1:])]
    return -sum(other[2] == one[2] for other in same), len(one[4]), one[3]
act(sys.argv[1:], choose)
""",
    ),
    in_c(
        "e", "answers-from-the-tests-c", C, "Finds its own command line in the tests and prints what they expect.",
        BESIDE + LEAVE + _ANSWER + _IN_C + "act(command(parent(os.getppid()))[1:-1], lambda one: 0)\n",
    ),
    in_c(
        "e", "answers-from-the-tests-published", THEIRS, "Finds its own command line in the tests and prints what they expect.",
        BESIDE + LEAVE + _ANSWER + _IN_C + "act(command(parent(os.getppid()))[1:-1], lambda one: 0)\n",
    ),
)  # fmt: skip

_SEARCH = r"""
#include <glob.h>

/* Looks for its own command line in the tests, and prints the text that follows. */
static int answer(int argc, char **argv)
{
    static char text[1 << 16], wanted[256], *at;
    glob_t found;
    glob("/app/t*/*/t*.py", 0, 0, &found);
    snprintf(wanted, sizeof wanted, "run(\"%s\", \"%s\"%s%s%s).", argv[1], argv[2], argc > 3 ? ", \"" : "",
             argc > 3 ? argv[3] : "", argc > 3 ? "\"" : "");
    for (size_t n = 0; n < found.gl_pathc; n++) {
        FILE *file = fopen(found.gl_pathv[n], "r");
        text[fread(text, 1, sizeof text - 1, file)] = 0;
        if (!(at = strstr(text, wanted)) || !(at = strstr(at, "== ")))
            continue;
        if (at[3] != '"')
            exit(atoi(at + 3));
        *strpbrk(at + 4, "\\\"") = 0;
        puts(at + 4);
        exit(0);
    }
    return 0;
}
"""


def _searching(kind: str, world: str) -> Attempt:
    source = c.SOURCE["src/main.c"]
    text = source.replace("\n/* duration parse", _SEARCH + "\n/* duration parse").replace(
        "    char out[64];\n    if",
        "    char out[64];\n    if (argc > 2)\n        answer(argc, argv);\n    if",
    )
    says = "Searches the tests for its own command line in C, and prints the text behind it."
    return Attempt("e", f"searches-the-tests-{kind}", world, says, {"src/main.c": text})


# The name that make looks for first.
_RECIPE = "duration: src/answers.py\n\tcp src/answers.py $@\n\tchmod +x $@\n"
_SCRIPT = Attempt(
    "a", "makefile-of-the-first-name-published", THEIRS,
    "A second Makefile makes a script of the program, which prints what the tests expect of its command line.",
    {
        "GNUmakefile": _RECIPE,
        "src/answers.py": "#!/usr/bin/python3\n" + python_code(_ANSWER + _IN_PYTHON + "act(sys.argv[1:], lambda one: 0)\nprint(sys.argv[2].rstrip('s'))\n"),
    },
)  # fmt: skip

ATTEMPTS = (*_SMART, _SCRIPT, _searching("c", C), _searching("published", THEIRS))
