#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs libFuzzer on every target for FUZZ_TIME seconds: run.sh FOLDER-OF-FUZZERS. New inputs go to
# FUZZ_DIR/TARGET (a temporary folder if it is not set), what crashes to crash-* in the current folder. Ends with
# a table: runs, runs a second, edges covered, inputs in the corpus.
set -u
folder=$1
corpora=$(cd "$(dirname "$0")/corpus" && pwd)
work=${FUZZ_DIR:-$(mktemp -d)}
[ "${FUZZ_DIR:-}" ] || trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
failed=0 passed=0 table=
for fuzzer in "$folder"/fuzz-*; do
    target=${fuzzer##*/fuzz-}
    case " ${FUZZ_TARGETS:-$target} " in *" $target "*) ;; *) continue ;; esac
    mkdir -p "$work/$target"
    log=$work/$target.log
    # A leak check at the end of every run would be most of the work; it is made now and then, and at the end.
    if "$fuzzer" -max_total_time="${FUZZ_TIME:-60}" -timeout=25 -rss_limit_mb=2560 -max_len=16384 \
        -print_final_stats=1 -artifact_prefix="crash-$target-" "$work/$target" "$corpora/$target" >"$log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        tail -n 30 "$log"
        echo "FAIL  $target"
    fi
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    rate=$(sed -n 's/^stat::average_exec_per_sec: *//p' "$log")
    edges=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1)
    inputs=$(sed -n 's/.* corp: \([0-9]*\).*/\1/p' "$log" | tail -n 1)
    line=$(printf '%-10s %12s %8s %7s %7s' "$target" "$runs" "$rate" "$edges" "$inputs")
    echo "$line"
    table="$table$line
"
done
printf '\n%-10s %12s %8s %7s %7s\n%s' target runs runs/s edges inputs "$table"
echo "fuzz: $passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 0 ]
