#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Run by `make check-cuda` on a machine with a GPU: compares the ladder of GPU solvers with the CPU, then runs a small
# part of it under compute-sanitizer, if installed. Argument: the program `ladder`.
set -u
ladder=$1
bad=0

say() {
    echo "check-cuda: $1"
}

"$ladder" || bad=1
"$ladder" lost || bad=1
if command -v compute-sanitizer >/dev/null 2>&1; then
    for tool in memcheck racecheck synccheck; do
        graphs=48
        [ $tool = racecheck ] && graphs=6 # takes a minute, the others a second or two
        if out=$(compute-sanitizer --error-exitcode 9 --tool $tool "$ladder" small $graphs 2>&1); then
            say "$tool: clean"
        else
            echo "$out" | tail -n 20
            say "$tool: FAILED"
            bad=1
        fi
    done
else
    say 'skipped: no compute-sanitizer here'
fi
[ $bad = 0 ] && say 'all good'
exit $bad
