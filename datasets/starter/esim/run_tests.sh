#!/bin/bash
# run_tests.sh <task>: runs the hidden tests of one task in the current directory, JUnit XML into $RESULTS_DIR.
#
# The process that runs the tests imports nothing from the workspace but the files that were laid over it. The tests
# build the program from a fresh copy of the tree: a binary that lies there counts for nothing.
set -eu
task=$1
: "${RESULTS_DIR:?must name the directory for the results}"
export PYTHONSAFEPATH=1
unset PYTHONPATH PYTEST_ADDOPTS PYTEST_PLUGINS MAKEFLAGS
exec /usr/bin/python3 -I -m pytest -q -p no:cacheprovider -c /dev/null --rootdir="$PWD" --noconftest \
    --import-mode=importlib --junitxml="$RESULTS_DIR/junit.xml" \
    "tests/hidden/test_${task//-/_}.py" tests/hidden/test_visible.py
