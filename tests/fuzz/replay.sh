#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The short run of the fuzz targets in `make check`: each runs on its corpus and on earlier findings, then for SECONDS
# (default 1) on random changes. BUILD names the folder of objects, as for tests/run.sh.
set -u
cd "$(dirname "$0")/../.." || exit 1
failed=0 passed=0
for source in tests/fuzz/*.c; do
    target=$(basename "$source" .c)
    [ "$target" = replay ] && continue
    if said=$("$BUILD/fuzz/replay-$target" "${SECONDS_EACH:-1}" "tests/fuzz/corpus/$target"/* 2>&1); then
        passed=$((passed + 1))
        echo "$target: $said" | tr '\n' ' '
        echo
    else
        failed=$((failed + 1))
        printf 'FAIL  %s\n%s\n' "$target" "$said"
    fi
done
echo "fuzz targets: $passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 0 ]
