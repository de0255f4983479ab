#!/bin/bash
# run_tests.sh <task>: runs the hidden tests of one task in the current directory, JUnit XML into $RESULTS_DIR.
#
# The process that runs the tests imports nothing from the workspace but the two files named here, which have been
# laid over it; caches of compiled code never cross from an agent's workspace to this one.
set -eu
task=$1
: "${RESULTS_DIR:?must name the directory for the results}"
export PYTHONSAFEPATH=1
unset PYTHONPATH
exec /usr/bin/pytest -q -p no:cacheprovider -c /dev/null --rootdir="$PWD" --noconftest --import-mode=importlib \
    --junitxml="$RESULTS_DIR/junit.xml" \
    "tests/hidden/test_${task//-/_}.py" tests/hidden/test_visible.py
