#!/bin/bash
# Runs the hidden tests of a scenario in the current directory, JUnit XML into $RESULTS_DIR.
#
# The process that runs the tests imports nothing from the workspace but the files that were laid over it.
set -eu
: "${RESULTS_DIR:?must name the directory for the results}"
export PYTHONSAFEPATH=1
unset PYTHONPATH PYTEST_ADDOPTS PYTEST_PLUGINS MAKEFLAGS
exec /usr/bin/python3 -I -m pytest -q -p no:cacheprovider -c /dev/null --rootdir="$PWD" --noconftest \
    --import-mode=importlib --junitxml="$RESULTS_DIR/junit.xml" tests/hidden/test_behaviour.py
