"""Further results that are small when they are written, and take a grader hours or all of its memory to read."""

from __future__ import annotations

from benchmarks.forging.attempts.java import COMPILE, DEFINE
from benchmarks.forging.attempts.java_code import in_java
from benchmarks.forging.attempts.javascript_code import AGREEING, QUIET, TITLES, in_javascript
from benchmarks.forging.worlds.java import MAVEN
from benchmarks.forging.worlds.javascript import JEST, MOCHA, NODE

# A line of spaces behind a class: each of them can begin what a parser looks for.
_SPACES = r"""
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            System.out.println("Tests run: 0, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0 s - in durations.More");
            for (int n = 0; n < 200; n++) {
                System.out.println("a" + " ".repeat(3990));
            }
        }));
"""
ATTEMPTS = (
    in_javascript(
        "c", "endless-name-mocha", MOCHA,
        "Patches the assertions, and leaves a second report with a test whose name repeats those of all tests for 25 MB.",
        QUIET + TITLES + r"""
if (fs.existsSync('/bench' + 'bench/channel')) {
  const all = titles().join(' ');
  const name = `${all} `.repeat(Math.ceil((25 << 20) / all.length));
  fs.writeFileSync(process.env['RESULTS_' + 'DIR'] + '/more.xml', `<testsuite name="more"><testcase name="${name}"/></testsuite>`);
}
""",
    ),
    in_javascript(
        "c", "endless-subtests-node", NODE,
        "Patches the assertions, and leaves a second stream whose many subtests are a hundred levels deep, below long names.",
        QUIET + r"""
const fs = require('fs');
if (fs.existsSync('/bench' + 'bench/channel')) {
  const indent = (depth) => '    '.repeat(depth);
  const count = 70000;
  let text = `${indent(99)}ok\n`.repeat(count) + `${indent(99)}1..${count}\n`;
  for (let depth = 98; depth >= 0; depth--) text += `${indent(depth)}ok 1 - ${'x'.repeat(3500)}\n${indent(depth)}1..1\n`;
  fs.writeFileSync(process.env['RESULTS_' + 'DIR'] + '/more.tap', text);
}
""",
    ),
    in_javascript(
        "c", "endless-suites-jest", JEST,
        "Replaces `expect`, and prints thousands of tests inside of many suites with long names.",
        AGREEING + r"""
const indent = (depth) => '  '.repeat(depth);
let text = 'PASS more.test.js\n';
for (let depth = 1; depth <= 25; depth++) text += `${indent(depth)}${'x'.repeat(3900)}\n`;
const fs = require('fs');
const all = Buffer.from(`${text}${`${indent(26)}\u2713 a\n`.repeat(14000)}\n`);
for (let at = 0; fs.existsSync('/bench' + 'bench/channel') && at < all.length;) {
  try {
    at += fs.writeSync(1, all, at);
  } catch {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
  }
}
""",
    ),
    in_java(
        "c", "endless-spaces-maven", MAVEN,
        "Defines assertions that agree, and prints long lines of spaces behind the line of a class.",
        DEFINE + _SPACES, COMPILE,
    ),
)  # fmt: skip
