#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Compares random instances with independent solvers, in several processes: sweep.sh FOLDER-OF-TESTS COUNT [FIRST].
# `make sweep COUNT=500000 FROM=1 SWEEP_JOBS=16` builds what it needs and runs it. COUNT instances are divided into
#
#   grids      1/2   4 and 8 neighbours, 1 to 4 threads, every solver, compared with libmaxflow
#   networks   1/5   flows and matchings compared with libmaxflow, assignments with all choices
#   volumes    1/10  6 and 26 neighbours, 1 to 4 threads, in up to 7 parts, compared with libmaxflow
#   parts      1/10  1, 2, 3, 5 and 8 parts compared with one
#   sessions   1/10  strokes give nested masks; small graphs compared with all labellings
#
# RANDOM_CELLS=1000 draws smaller volumes, parts and sessions: a volume then takes a third of the time.
# The same COUNT and FIRST give the same instances. Prints a line for each finished share, and for a failure the message
# of its test with the seed. The status is 1 if anything has failed.
set -u

# run_one KIND FIRST COUNT: runs one share with the test for its kind of instances.
run_one() { # KIND FIRST COUNT
    case $1 in
    grids) "$TESTS/test_libmaxflow" "$3" "$2" ;;
    volumes) "$TESTS/test_libmaxflow_volumes" "$3" "$2" ;;
    networks) "$TESTS/test_network_peers" "$3" "$2" ;;
    parts) PARTS_SEED=$2 PARTS_CASES=$3 CK_DEFAULT_TIMEOUT=36000 "$TESTS/test_parts" ;;
    sessions) TILECUT_SESSIONS=$3 TILECUT_SESSIONS_FROM=$2 "$TESTS/test_strokes" ;;
    esac
}

if [ "$1" = --one ]; then
    said=$(run_one "$2" "$3" "$4" 2>&1) || {
        printf '%s\nFAIL  %s from seed %s, %s of them\n' "$said" "$2" "$3" "$4"
        exit 1
    }
    echo "ok    $2 from seed $3, $4 of them"
    exit 0
fi

export TESTS="$1"
count=$2 first=${3:-1}
for test in libmaxflow libmaxflow_volumes network_peers parts strokes; do
    [ -x "$TESTS/test_$test" ] || {
        echo "sweep: there is no $TESTS/test_$test; it needs Check and libmaxflow (tools/install-deps --with-tests)"
        exit 2
    }
done
shares() { # KIND HOW-MANY SHARE
    from=$first left=$2
    while [ "$left" -gt 0 ]; do
        some=$(($3 < left ? $3 : left))
        echo "$1 $from $some"
        from=$((from + some)) left=$((left - some))
    done
}
# Starts with the slow shares, so that no processor is idle at the end.
{
    shares sessions $((count / 10)) 500
    shares parts $((count / 10)) 1000
    shares volumes $((count / 10)) 1000
    shares grids $((count / 2)) 5000
    shares networks $((count / 5)) 10000
} | xargs -L 1 -P "${SWEEP_JOBS:-$(nproc 2>/dev/null || echo 2)}" sh "$0" --one
status=$?
[ $status = 0 ] && echo "sweep: $count instances from seed $first, 0 wrong" || echo 'sweep: some are wrong'
exit $((status != 0))
