#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs test programs and scripts one after another, shows the output of those that fail, and ends with one
# line that counts. Arguments: programs; a name ending in .sh is run by sh. Used by `make check`.
set -u

# Check stops a test after 4 seconds unless told otherwise: far too few under a sanitizer.
export CK_DEFAULT_TIMEOUT="${CK_DEFAULT_TIMEOUT:-300}"
export CK_VERBOSITY="${CK_VERBOSITY:-normal}"

log=$(mktemp)
trap 'rm -f "$log"' EXIT
trap 'exit 130' INT TERM

passed=0 failed=0 failures=
for program; do
    name=$(basename "$program")
    [ "$(basename "$(dirname "$program")")" = cli ] && name=cli/$name
    start=$(date +%s%N)
    case $program in
    *.sh) sh "$program" >"$log" 2>&1 </dev/null ;;
    *) "$program" >"$log" 2>&1 </dev/null ;;
    esac
    status=$?
    ms=$((($(date +%s%N) - start) / 1000000))
    # A skipped test must not look like one that ran.
    grep -i '^skipped' "$log" | sort -u | sed "s|^|      $name: |"
    if [ $status = 0 ]; then
        passed=$((passed + 1))
        # The program's own count: its last line, or the one of Check.
        summary=$(grep -E '^[0-9]+%: Checks: ' "$log" | sed 's/^[0-9]*%: Checks: \([0-9]*\).*/\1 checks/' |
            paste -s -d , - | sed 's/,/, /g')
        [ "$summary" ] || summary=$(tail -n 1 "$log")
        printf 'ok    %-26s %6d ms   %s\n' "$name" "$ms" "$summary"
    else
        failed=$((failed + 1))
        failures="$failures $name"
        sed 's/^/      /' "$log"
        printf 'FAIL  %-26s %6d ms   exit %d\n' "$name" "$ms" "$status"
    fi
done
echo "check: $passed passed, $failed failed${failures:+:$failures}"
[ $failed = 0 ] && [ $passed -gt 0 ]
