#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Tests the program from outside: runs the binary TILECUT (default ./tilecut) on files made by make_files.c. Prints one
# line for each test, then a line with the counts. `run.sh bad seeds` runs only bad.sh and seeds.sh. TILECUT_LIMIT
# (seconds, default 60) stops a run that hangs. Without arguments, TEST_GROUPS names the groups, by default all. `run.sh
# --shares` prints these groups in shares, one word each, which tests/run.sh runs beside other tests.
set -u
here=$(cd "$(dirname "$0")" && pwd)
# Groups of one share are joined by commas. The slowest shares come first.
shares='parts slabs volumes video kills killed batch,shards docs faults networks,graphs,bench suites,wild
    edit,edge,matte,feather usage,segment,seeds,outputs,delivery,cleanup,labels,annotations,json,jsonpage,masks,verbs
    bad,formats,memory,attacks,refusals,system,heif,dicom,robot,valgrind,completions,pages'
if [ "${1:-}" = --shares ]; then
    if [ "${TEST_GROUPS:-}" ]; then
        # shellcheck disable=SC2086 # several words are meant
        set -- $TEST_GROUPS
        while [ $# -gt 0 ]; do
            echo "$0:$1${2:+,$2}"
            shift $(($# > 1 ? 2 : 1))
        done
    else
        for share in $shares; do echo "$0:$share"; done
    fi
    exit
fi
TILECUT=${TILECUT:-$here/../../tilecut}
case $TILECUT in /*) ;; *) TILECUT=$PWD/$TILECUT ;; esac
export TILECUT
unset OMP_NUM_THREADS

[ -x "$TILECUT" ] || {
    echo "run.sh: there is no program at $TILECUT; run 'make' first, or set TILECUT" >&2
    exit 1
}
WORK=$(mktemp -d) || exit 1
trap 'cd /; rm -rf "$WORK"' EXIT
trap 'exit 130' INT TERM

# The helper programs are compiled without the flags of the build, because they are not under test.
mkdir "$WORK/in" "$WORK/t"
# shellcheck disable=SC2046 # several words are meant
"${CC:-cc}" -std=c11 -D_GNU_SOURCE -O1 -o "$WORK/make_files" "$here/make_files.c" \
    $(pkg-config --cflags --libs libpng libjpeg) || exit 1
"$WORK/make_files" "$WORK/in" || exit 1
IN=$WORK/in
# Several groups compare their masks with this one. The group `segment` checks that it is right.
"$TILECUT" -q "$IN/photo.png" -s "$IN/seeds.png" -o "$WORK/mask.png" || exit 1

. "$here/lib.sh"
passed=0 failed=0
# shellcheck disable=SC2086 # several words are meant
[ $# != 0 ] || set -- ${TEST_GROUPS:-}
if [ $# = 0 ]; then
    # shellcheck disable=SC2046 # several words are meant
    set -- $(echo $shares | tr , ' ')
fi
for file in "$here"/*.sh; do # none may be forgotten
    group=$(basename "$file" .sh)
    case " lib run $(echo $shares | tr , ' ') " in *" $group "*) continue ;; esac
    echo "FAIL  no share has the group $group"
    failed=1
done
for group; do
    . "$here/$group.sh"
    end
done
echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 0 ]
