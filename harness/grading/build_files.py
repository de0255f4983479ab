"""Which files of a patch steer a build or a test runner, by their names. They are normal work, so they only get a flag.

One rule for all languages: what a tool reads from the workspace before the tests run, or loads into their process
although no code names it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from fnmatch import translate
from pathlib import PurePosixPath

_FILES = (
    # Python and C
    "setup.cfg", "setup.py", "pyproject.toml", "makefile", "gnumakefile", "*.mk", "cmakelists.txt", "*.cmake",
    "cmakepresets.json", "meson.build",
    # JavaScript and TypeScript
    "package.json", "jest.config.*", "jest.setup.*", "vite.config.*", "vitest.config.*", "vitest.workspace.*",
    "vitest.projects.*", "postcss.config.*", ".postcssrc*", ".mocharc*", "mocha.opts", "ava.config.*", "karma.conf.*",
    ".taprc", "babel.config.*", ".babelrc*", ".swcrc", "tsconfig*.json", "jsconfig.json", ".npmrc", ".yarnrc*",
    ".pnp.*", ".pnpmfile.*", "bunfig.toml",
    # Java and its neighbours
    "pom.xml", "build.xml", "*.gradle", "*.gradle.kts", "gradle.properties", "junit-platform.properties",
    "testng*.xml",
    # Rust, Ruby, PHP, .NET, Perl
    "build.rs", ".rspec", ".rspec-local", "phpunit.xml", "phpunit.*.xml", "phpunit.xml.dist", "directory.build.*",
    "*.runsettings", ".proverc",
)  # fmt: skip
_DIRECTORIES = frozenset((".mvn", ".gradle", "buildsrc", "node_modules", ".cargo"))
# Services of test frameworks and build tools, which load them although no code names them.
_SERVICE = re.compile(
    r"(?:^|/)META-INF/services/(?:org\.(?:junit|testng|apache\.maven)|javax\.annotation\.processing)\."
)
# Keys of package.json that do nothing while tests run: nothing is installed then.
_IDLE_KEYS = frozenset(
    (
        "author", "bugs", "contributors", "dependencies", "description", "devDependencies", "files", "funding",
        "homepage", "keywords", "license", "optionalDependencies", "peerDependencies", "repository", "version",
    )
)  # fmt: skip


def any_of(patterns: Iterable[str]) -> re.Pattern[str]:
    """A pattern of names that match one of these patterns of a shell."""
    return re.compile("|".join(map(translate, patterns)))


_FILE = any_of(_FILES)


def steers(path: PurePosixPath, before: Callable[[], bytes], after: bytes) -> bool:
    """Whether changing this file from what `before` reads to `after` could change how tests are built, found or run."""
    if path.name == "package.json" and _DIRECTORIES.isdisjoint(path.parts):
        return _working_keys(before()) != _working_keys(after)
    directories = {part.lower() for part in path.parts[:-1]}
    return bool(
        _FILE.match(path.name.lower())
        or not _DIRECTORIES.isdisjoint(directories)
        or _SERVICE.search(str(path))
    )


def _working_keys(content: bytes) -> object:
    """What a package.json says beyond the idle keys; the content itself if it is none."""
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return content
    if not isinstance(found, dict):
        return content
    return {key: value for key, value in found.items() if key not in _IDLE_KEYS}
