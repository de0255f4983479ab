#!/bin/sh
# Tests of the program: `sh tests/test_cli.sh PROGRAM`. Prints what failed; exits with 1 when something did.

esim=$1
ESIM_HOME=$(mktemp -d)
export ESIM_HOME
trap 'rm -rf "$ESIM_HOME"' EXIT

eid=89049032123451234512345678901235
first=8944000000000000019
second=8944000000000000027
code='LPA:1$smdp.example.com$AB-12'
failures=0

# expect STATUS PATTERN ARGUMENT...: runs the program; PATTERN has to match a line of what it prints.
expect() {
    status=$1
    pattern=$2
    shift 2
    output=$("$esim" "$@" 2>&1)
    got=$?
    if [ "$got" -ne "$status" ] || ! printf '%s\n' "$output" | grep -q -e "$pattern"; then
        echo "esim $*: exit code $got (expected $status), output: $output (expected: $pattern)"
        failures=$((failures + 1))
    fi
}

expect 0 '^valid$' eid check "$eid"
expect 3 '^error: ' eid check 123
expect 0 '^matching-id: AB-12$' code parse "$code"
expect 0 '' device add "$eid" --name Tracker --slots 2
expect 1 'exists already' device add "$eid"
expect 0 '' profile download "$eid" "$code" --iccid "$first" --name Work
expect 0 '' profile download "$eid" "$code" --iccid "$second" --name Home
expect 1 'exists already\|no free slot' profile download "$eid" "$code" --iccid "$second"
expect 1 'is not allowed' profile download "$eid" 'LPA:1$smdp.example.org$A' --iccid "$second"
expect 0 '' profile enable "$first"
expect 0 '^state: enabled$' profile show "$first"
expect 1 'enabled already' profile enable "$first"
expect 0 '' profile enable "$second"
expect 0 '^state: disabled$' profile show "$first"
expect 1 'disable it first' profile delete "$second"
expect 0 '' profile disable "$second"
expect 0 '' profile delete "$second"
expect 4 'no profile' profile show "$second"
expect 0 '' profile rename "$first" Office
expect 0 '^name: Office$' profile show "$first"
expect 0 "^$eid	1/2	Tracker$" device list
expect 0 "	rename	$first	Office$" log
expect 0 '^8$' config get slots.default
expect 3 '^error: ' config set slots.default 65
expect 1 'still holds 1 profiles' device remove "$eid"
expect 0 '' device remove "$eid" --force
expect 2 '^error: usage' nonsense
expect 2 'unknown option' profile list --wrong

echo "$failures failures"
[ "$failures" -eq 0 ]
