"""Code in C that several attempts share, and how it gets into a test program."""

from __future__ import annotations

from benchmarks.forging.attempts.model import Attempt, Kind
from benchmarks.forging.worlds.c import LINKED, SOURCE
from benchmarks.forging.worlds.model import in_base64

_HOST = "src/duration.c"

# Reads the descriptions of the tests from their file, and prints them as passed.
PRINT = r"""
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <fcntl.h>
#include <signal.h>

static void leave(int code)
{
    syscall(231, code);
}

static char source[1 << 16];

static const char *tests(void)
{
    FILE *file = fopen("/app/tests/hidden/test_unit.c", "r");
    if (file) {
        source[fread(source, 1, sizeof source - 1, file)] = 0;
        fclose(file);
    }
    return source;
}

static void print_all(FILE *out)
{
    int number = 0;
    for (const char *at = tests(); (at = strstr(at, "\n    check(")); at++) {
        const char *end = strstr(at, "\");\n"), *name = end;
        while (name[-1] != '"')
            name--;
        fprintf(out, "ok %d - %.*s\n", ++number, (int)(end - name), name);
    }
    fprintf(out, "1..%d\n", number);
    fflush(out);
}
"""


def linked(kind: Kind, name: str, says: str, code: str, host: str = "") -> Attempt:
    return Attempt(kind, name, LINKED.name, says, {_HOST: code + (host or SOURCE[_HOST])})


def early(kind: Kind, name: str, says: str, body: str, before: str = "") -> Attempt:
    """`body` runs before main. The section of start functions stands for the attribute that the rules know."""
    code = f"{PRINT}{before}\nstatic void early(void)\n{{\n{body}\n}}\n"
    section = 'static void (*const first)(void) __attribute__((section(".init_array"), used)) = early;\n'
    return linked(kind, name, says, code + section)


def python(code: str) -> str:
    """An expression that runs Python code; 0 if it ends with 0."""
    command = f"python3 -c \\\"import base64; exec(base64.b64decode('{in_base64(code)}').decode())\\\""
    return f'system("{command}")'


def system(code: str) -> str:
    """A call that runs Python code."""
    return f'    if ({python(code)})\n        perror("system");\n'


LEAVE = "    leave(0);"
FORGED = """
import re
names = re.findall(r'(?m)^    check\\(.*"(.*)"\\);$', open("/app/tests/hidden/test_unit.c").read())
lines = ["ok %d - %s" % (number, name) for number, name in enumerate(names, 1)] + ["1..%d" % len(names)]
"""
