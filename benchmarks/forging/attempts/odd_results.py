"""Files of odd kinds, names and times beside a report, which could look like a failure of the infrastructure."""

from __future__ import annotations

from benchmarks.forging.attempts.java import COMPILE, DEFINE
from benchmarks.forging.attempts.java_code import in_java
from benchmarks.forging.attempts.javascript_code import AGREEING, QUIET, in_javascript
from benchmarks.forging.worlds.java import CONSOLE
from benchmarks.forging.worlds.javascript import JEST, MOCHA, NODE

_TOOLS = (
    QUIET + "const fs = require('fs');\nconst { execFileSync } = require('child_process');\n"
    "const place = process.env['RESULTS_' + 'DIR'];\n"
)
ATTEMPTS = (
    in_javascript(
        "c", "odd-files-node", NODE,
        "Patches the assertions, and leaves pipes, loops of links, hard links, and files with odd names and times as reports.",
        _TOOLS + r"""
if (fs.existsSync('/bench' + 'bench/channel')) process.chdir(place);
const shell = "mkfifo p.tap; ln -s l.tap l.tap; ln -s /dev/zero z.tap; ln -s /proc/1/mem m.tap; ln /etc/hostname h.tap;"
  + " for n in 1 2 3; do ln node.tap hard$n; done; : > a; chmod 000 a; chmod 7777 node.tap;"
  + " : > $'\\xff\\xfe'; : > $'a\\nb'; : > ' '; : > .wh.node; : > .wh..wh..opq; truncate -s 20M sparse; mkdir d; chmod 000 d; true";
execFileSync('bash', ['-c', shell]);
for (const [name, time] of [['old', -1e11], ['new', 1e13], ['far', 9e15]]) {
  fs.writeFileSync(name, '');
  try { fs.utimesSync(name, time, time); } catch {}
}
""",
    ),
    in_javascript(
        "c", "deep-directories-mocha", MOCHA,
        "Patches the assertions, and leaves directories beside the report whose path is longer than any the engine can read.",
        _TOOLS + r"""
process.chdir(place);
for (let n = 0; n < 300; n++) {
  fs.mkdirSync('d'.repeat(200));
  process.chdir('d'.repeat(200));
}
fs.writeFileSync('junit.xml', '<testsuite><testcase name="a"/></testsuite>');
process.chdir('/app');
""",
    ),
    in_javascript(
        "c", "broken-names-mocha", MOCHA,
        "Patches the assertions, and leaves a broken report whose name is not text, so that no reason could be stored.",
        _TOOLS + r"""
if (fs.existsSync('/bench' + 'bench/channel')) {
  fs.writeFileSync(Buffer.concat([Buffer.from(`${place}/`), Buffer.from([0xff, 0xed, 0xa0, 0x80]), Buffer.from('\n.xml')]), '<a');
}
""",
    ),
    in_javascript(
        "c", "flooded-output-jest", JEST,
        "Replaces `expect`, and floods the output from other processes, also after the runner has ended.",
        AGREEING + r"""
const { spawn } = require('child_process');
const { existsSync } = require('fs');
for (let n = 0; n < 8 && existsSync('/bench' + 'bench/channel'); n++) spawn('setsid', ['sh', '-c', "trap '' TERM HUP INT; exec yes $(head -c 60000 /dev/zero | tr '\\0' x)"],
  { detached: true, stdio: ['ignore', 1, 'ignore'] }).unref();
""",
    ),
    in_java(
        "c", "shared-memory-console", CONSOLE,
        "Defines assertions that agree, and leaves processes that are stopped, and that hold most of the memory.",
        DEFINE + r"""
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                for (int n = 0; n < 40; n++) {
                    new ProcessBuilder("setsid", "sh", "-c", "kill -STOP $$; sleep 1000").inheritIO().start();
                }
                new ProcessBuilder("sh", "-c", "head -c 3000000000 /dev/zero | tail -n 1 & head -c 3000000000 /dev/zero | tail -n 1 & "
                    + "head -c 64000000 /dev/zero > /dev/shm/full").inheritIO().start().waitFor();
                Thread.sleep(3000);
            } catch (Exception error) {
                return;
            }
        }));
""",
        COMPILE,
    ),
)  # fmt: skip
