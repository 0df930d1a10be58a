#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs test programs and scripts, as many at a time as there are processors (or TEST_JOBS), shows the output of failed
# ones, and ends with one line of counts. Reports give processor time, so other processes do not matter. Arguments:
# programs, the slowest first; a name ending in .sh is run by sh, and FILE.sh:A,B by sh with the arguments A and B. Used
# by `make check`.
set -u

# Check stops a test after 4 seconds by default, which is far too short under a sanitizer.
export CK_DEFAULT_TIMEOUT="${CK_DEFAULT_TIMEOUT:-300}"
# The time limits of tests are meant for an idle machine.
export CK_TIMEOUT_MULTIPLIER="${CK_TIMEOUT_MULTIPLIER:-6}"
export CK_VERBOSITY="${CK_VERBOSITY:-normal}"

# A unit test cuts many small images one after the other. The allocator keeps freed memory for the next one, as the
# program sets it, instead of getting it from the system page by page. That halves the time of test_correct and
# test_strokes.
alone() { # PROGRAM
    MALLOC_TRIM_THRESHOLD_=268435456 MALLOC_MMAP_THRESHOLD_=33554432 "$1"
}

# run_one PROGRAM: runs it and prints its report at once. The folder RESULTS has a list of those that passed and one of
# those that failed.
run_one() { # PROGRAM
    name=$(basename "$1")
    case $1 in */program/run.sh*) name=program/${1##*:} ;; esac
    log=$(mktemp "$RESULTS/log-XXXXXX") report=$(mktemp "$RESULTS/report-XXXXXX") || exit 255
    (
        # shellcheck disable=SC2046 # several words are meant
        case $1 in
        *.sh) sh "$1" >"$log" 2>&1 </dev/null ;;
        *.sh:*) sh "${1%%:*}" $(echo "${1#*:}" | tr , ' ') >"$log" 2>&1 </dev/null ;;
        *) alone "$1" >"$log" 2>&1 </dev/null ;;
        esac
        status=$?
        times >"$log.times"
        exit $status
    )
    status=$?
    # The last line of `times`: user and system time of the child processes, in minutes and seconds.
    ms=$(tail -n 1 "$log.times" | awk -F '[ms ]+' '{ printf "%d", 1000 * (60 * ($1 + $3) + $2 + $4) }')
    # Skipped tests are shown, so that they do not look as if they had run.
    grep -i '^skipped' "$log" | sort -u | sed "s|^|      $name: |" >"$report"
    if [ $status = 0 ]; then
        echo "$name" >>"$RESULTS/passed"
        # The number of checks that the program has counted: from its last line, or from Check's line.
        summary=$(grep -E '^[0-9]+%: Checks: ' "$log" | sed 's/^[0-9]*%: Checks: \([0-9]*\).*/\1 checks/' |
            paste -s -d , - | sed 's/,/, /g')
        [ "$summary" ] || summary=$(tail -n 1 "$log")
        printf 'ok    %-26s %6d ms   %s\n' "$name" "$ms" "$summary" >>"$report"
    else
        echo "$name" >>"$RESULTS/failed"
        sed 's/^/      /' "$log" >>"$report"
        printf 'FAIL  %-26s %6d ms   exit %d\n' "$name" "$ms" "$status" >>"$report"
    fi
    cat "$report"
}

if [ "${1:-}" = --one ]; then
    run_one "$2"
    exit 0
fi

RESULTS=$(mktemp -d) || exit 1
export RESULTS
trap 'rm -rf "$RESULTS"' EXIT
trap 'exit 130' INT TERM
: >"$RESULTS/passed"
: >"$RESULTS/failed"
jobs=${TEST_JOBS:-$(nproc 2>/dev/null || echo 2)}

[ $# = 0 ] || printf '%s\0' "$@" | xargs -0 -n 1 -P "$jobs" sh "$0" --one
passed=$(wc -l <"$RESULTS/passed") failed=$(wc -l <"$RESULTS/failed")
lost=$(($# - passed - failed)) # stopped before they could say anything
failures=$(sort "$RESULTS/failed" | sed 's/^/ /' | tr -d '\n')
[ $lost = 0 ] || failures="$failures and $lost that did not end"
echo "check: $((passed)) passed, $((failed + lost)) failed${failures:+:$failures}"
[ $((failed + lost)) = 0 ] && [ $((passed)) -gt 0 ]
