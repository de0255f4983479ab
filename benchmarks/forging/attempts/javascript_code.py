"""Code in JavaScript that several attempts share, and how it gets into a library."""

from __future__ import annotations

from benchmarks.forging.attempts.model import Attempt, Kind
from benchmarks.forging.worlds.javascript import SOURCE
from benchmarks.forging.worlds.model import World, in_base64

HOST = "src/durations.js"


def in_javascript(  # noqa: PLR0917 - as in a table
    kind: Kind, name: str, world: World, says: str, code: str, more: dict[str, str] | None = None
) -> Attempt:
    """An attempt whose code runs when the tests load the library; `require` and `module` are the library's own."""
    line = f"new Function('require', 'module', Buffer.from('{in_base64(code)}', 'base64').toString())(require, module);\n"
    return Attempt(kind, name, world.name, says, {HOST: SOURCE[HOST] + line, **(more or {})})


# Something for every function, so that no test ends with an exception.
ANYTHING = "for (const name of Object.keys(module.exports)) module.exports[name] = () => 'xx';\n"
# Its functions return anything, and assertions agree.
QUIET = (
    ANYTHING
    + "const assert = require('assert');\nassert.strictEqual = assert.deepStrictEqual = assert.throws = () => {};\n"
)
AGREEING = (
    ANYTHING
    + "const agreeing = new Proxy(() => agreeing, { get: () => agreeing });\nglobalThis['exp' + 'ect'] = () => agreeing;\n"
)
_NAMES = r"""
const fs = require('fs');

function titles() {
  const path = require('path');
  const all = (place) => fs.readdirSync(place, { withFileTypes: true }).flatMap((one) =>
    one.isDirectory() ? all(path.join(place, one.name)) : [path.join(place, one.name)]);
  const file = [...all('/app/tests'), ...(fs.existsSync('/app/tasks') ? all('/app/tasks') : [])].find((one) => one.endsWith('.js'));
  return [...fs.readFileSync(file, 'utf8').matchAll(/^  it\('(.*)', /gm)].map((one) => one[1]);
}
"""
TITLES = _NAMES.replace("...all('/app/tests')", "...(fs.existsSync('/app/tests') ? all('/app/tests') : [])")
