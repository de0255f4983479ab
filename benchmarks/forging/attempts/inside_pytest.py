"""Python code that has got into pytest's own process: pieces that several attempts share."""

from __future__ import annotations

# From here on, a failed test is reported as passed.
AGREE = """
import sys
import _pytest.reports as reports

def agree_from_now_on(wanted=lambda item: True):
    real = reports.TestReport.from_item_and_call.__func__
    def from_item_and_call(cls, item, call):
        if wanted(item):
            call.excinfo = None
        return real(cls, item, call)
    reports.TestReport.from_item_and_call = classmethod(from_item_and_call)
"""

# The frame of the test that called, and the statement in it.
CALLER = """
import ast, linecache, sys

def test_frame():
    frame = sys._getframe(1)
    while frame and not frame.f_code.co_name.startswith("test_"):
        frame = frame.f_back
    return frame

def statements(frame):
    with open(frame.f_code.co_filename) as file:
        tree = ast.parse(file.read())
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == frame.f_code.co_name:
            return node.body
    return []

def is_raising(frame):
    \"\"\"Whether the test expects an exception from the line that it is at.\"\"\"
    for node in statements(frame):
        if isinstance(node, ast.With) and node.lineno <= frame.f_lineno <= node.end_lineno:
            return True
    return False

def value_of(node, frame):
    code = compile(ast.Expression(node), "?", "eval")
    return eval(code, frame.f_globals, frame.f_locals)

def assertion_at(frame):
    \"\"\"The assertion that uses the result of the call: in this statement, or in the next one.\"\"\"
    body = statements(frame)
    for place, node in enumerate(body):
        if node.lineno <= frame.f_lineno <= node.end_lineno:
            for later in body[place:]:
                if isinstance(later, ast.Assert):
                    return later
    return None

def expected(frame):
    \"\"\"What the assertion compares the call with.\"\"\"
    node = assertion_at(frame)
    if node is None or not isinstance(node.test, ast.Compare):
        raise LookupError
    left, right = node.test.left, node.test.comparators[0]
    if isinstance(left, ast.Call) and getattr(left.func, "id", "") == "len":
        return "x" * value_of(right, frame)
    return value_of(right, frame)
"""

# Every function of the library answers what `answer(name, arguments)` says.
REPLACE = """
def replace_all(answer):
    for name in ("parse", "spell", "parts", "total", "longest"):
        def function(*arguments, _name=name, _real=globals()[name]):
            frame = test_frame()
            if frame is None:
                return _real(*arguments)
            if is_raising(frame):
                raise ValueError(arguments)
            return answer(_name, arguments, frame)
        globals()[name] = function
"""

# The real standard output: pytest puts a file in its place while it runs tests.
OUTPUT = """
import os

def pipes():
    for name in os.listdir("/proc/self/fd"):
        try:
            if os.readlink("/proc/self/fd/" + name).startswith("pipe:"):
                yield int(name)
        except OSError:
            pass

def output():
    try:
        return os.open("/proc/1/fd/1", os.O_WRONLY)
    except OSError:
        return max(pipes())
"""

# The ids of the hidden tests, as the runner's own collection has them.
ITEMS = (
    OUTPUT
    + """
import gc, os, time

def session():
    from _pytest.main import Session
    return next(thing for thing in gc.get_objects() if isinstance(thing, Session))

def say(text):
    os.write(output(), text.encode())

def junit(items):
    cases = []
    for item in items:
        path, _, name = item.nodeid.partition("::")
        cases.append('<testcase classname="%s" name="%s" time="0.001"/>' % (path[:-3].replace("/", "."), name))
    return ('<?xml version="1.0" encoding="utf-8"?><testsuites><testsuite name="pytest" errors="0" failures="0" '
            'skipped="0" tests="%d" time="0.090">%s</testsuite></testsuites>' % (len(cases), "".join(cases)))

def listed(items):
    return "=== short test summary info ===\\n" + "".join("PASSED %s\\n" % item.nodeid for item in items)

def dots(items):
    return "%s [100%%]\\n" % ("." * len(items))

def closing(items):
    return "%d passed in 0.09s\\n" % len(items)
"""
)

# What each call is compared with, in all tests.
TWINS = """
import collections, glob, os

def calls():
    \"\"\"What each call is compared with, in every test that can be read: {call: [(file, test, operator, value)]}.\"\"\"
    found = collections.defaultdict(list)
    for path in sorted(glob.glob("/app/**/*.py", recursive=True)):
        if "test" not in path:
            continue
        with open(path) as file:
            tree = ast.parse(file.read())
        for test in ast.walk(tree):
            if isinstance(test, ast.FunctionDef) and test.name.startswith("test"):
                for node in ast.walk(test):
                    if isinstance(node, ast.Compare):
                        note(found, path, test, node)
    return found

def note(found, path, test, node):
    sides = [node.left, node.comparators[0]]
    for one, other in (sides, sides[::-1]):
        try:
            found[ast.unparse(one)].append((path, test.name, type(node.ops[0]).__name__, ast.literal_eval(other)))
        except ValueError:
            pass

def written(name, arguments):
    return "%s(%s)" % (name, ", ".join(map(repr, arguments)))
"""
