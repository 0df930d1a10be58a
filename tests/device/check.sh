#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Run by `make check-cuda` on a machine with a GPU: compares all parts of the ladder of GPU solvers with the CPU, then
# runs small instances of them under compute-sanitizer, if installed. Several processes run at the same time, because
# most of the time the CPU computes the answers to compare with. Argument: the program `ladder`.
#
# RACECHECK=all gives racecheck as many instances as memcheck. That takes more than ten minutes.
set -u
say() {
    echo "check-cuda: $1"
}

# Runs one job: TOOL PART [COUNT]; the tool `plain` is none. Prints the last line of what it says, or more if it failed.
one() {
    tool=$1 part=$2
    shift
    begun=$(date +%s)
    if [ "$tool" = plain ]; then out=$("$ladder" "$@" 2>&1)
    else out=$(compute-sanitizer --error-exitcode 9 --tool "$tool" "$ladder" "$@" 2>&1); fi
    status=$?
    took="$(($(date +%s) - begun)) s"
    if [ $status != 0 ]; then
        echo "$out" | tail -n 20
        say "$tool $*: FAILED after $took"
        return 1
    fi
    [ "$tool" = plain ] && echo "$out" | grep -v ' ms \|^ladder: '
    say "$tool $*: good, $took"
}

if [ "$1" = --one ]; then
    ladder=$2
    shift 2
    one "$@"
    exit $?
fi

ladder=$1
jobs=$(($(nproc) / 2))
[ $jobs -gt 1 ] || jobs=2

# Reads jobs, a line each, and runs `jobs` of them at a time, the first ones first.
run() {
    xargs -L 1 -P "$jobs" sh "$0" --one "$ladder"
}

bad=0
printf 'plain %s\n' labels networks parts families tofro pairs images volumes boxes solvers repeat indexes lost | run ||
    bad=1
if command -v compute-sanitizer >/dev/null 2>&1; then
    small='labels 2 parts 2 solvers 48 images 8 volumes 16 networks 16 pairs 16 tofro 8'
    # a kernel takes a thousand times as long under racecheck
    race='labels 1 parts 1 solvers 2 images 1 volumes 1 networks 2 pairs 2 tofro 1'
    [ "${RACECHECK:-}" = all ] && race=$small
    {
        printf 'racecheck %s %s\n' $race
        printf 'memcheck %s %s\n' $small
        printf 'synccheck %s %s\n' $small
    } | run || bad=1
else
    say 'skipped: no compute-sanitizer here'
fi
[ $bad = 0 ] && say 'all good'
exit $bad
