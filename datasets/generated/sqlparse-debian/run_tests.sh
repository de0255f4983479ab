#!/bin/bash
# run_tests.sh <task>: runs all tests of the package in the current directory, JUnit XML into $RESULTS_DIR.
set -eu
: "${RESULTS_DIR:?must name the directory for the results}"
export PYTHONDONTWRITEBYTECODE=1 PYTHONHASHSEED=0
unset PYTHONPATH
exec /usr/bin/python3 -m pytest -q -p no:cacheprovider  \
    --junitxml="$RESULTS_DIR/junit.xml" tests
