#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs libFuzzer on every target, first on its corpus, then for FUZZ_TIME seconds on changes of it: run.sh
# FOLDER-OF-FUZZERS. FUZZ_JOBS is the number of targets at a time, by default one for each processor. New inputs go to
# FUZZ_DIR/TARGET (a temporary folder if it is not set), crashing inputs to crash-* in the current folder. Ends with a
# table: runs, runs a second, edges covered, inputs in the corpus. With FUZZ_SEED the changes are the same in every run,
# so that a check fails because of a change in the sources and not by chance.
set -u
corpora=$(cd "$(dirname "$0")/corpus" && pwd)

# Runs one target; its row of the table goes to $work/TARGET.row.
run_one() { # FUZZER
    target=${1##*/fuzz-}
    log=$work/$target.log
    mkdir -p "$work/$target"
    # A leak check after every run would take most of the time, so it is done only now and then, and at the end.
    if "$1" -runs=0 -timeout=25 "$corpora/$target" >"$log" 2>&1 &&
        "$1" -seed="${FUZZ_SEED:-0}" -max_total_time="${FUZZ_TIME:-60}" -timeout=25 -rss_limit_mb=2560 \
            -max_len=16384 -print_final_stats=1 -artifact_prefix="crash-$target-" \
            "$work/$target" "$corpora/$target" >"$log" 2>&1; then
        : >"$work/$target.passed"
    else
        tail -n 30 "$log"
        echo "FAIL  $target"
    fi
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    rate=$(sed -n 's/^stat::average_exec_per_sec: *//p' "$log")
    edges=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1)
    inputs=$(sed -n 's/.* corp: \([0-9]*\).*/\1/p' "$log" | tail -n 1)
    printf '%-12s %12s %8s %7s %7s\n' "$target" "$runs" "$rate" "$edges" "$inputs" | tee "$work/$target.row"
}

if [ "$1" = --one ]; then
    run_one "$2"
    exit 0
fi

work=${FUZZ_DIR:-$(mktemp -d)}
export work
[ "${FUZZ_DIR:-}" ] || trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
wanted=
for fuzzer in "$1"/fuzz-*; do
    target=${fuzzer##*/fuzz-}
    case " ${FUZZ_TARGETS:-$target} " in *" $target "*) wanted="$wanted$fuzzer " ;; esac
    rm -f "$work/$target.passed" "$work/$target.row"
done
printf '%s' "$wanted" | tr ' ' '\n' | xargs -n 1 -P "${FUZZ_JOBS:-$(nproc 2>/dev/null || echo 2)}" sh "$0" --one

passed=0 asked=0
printf '\n%-12s %12s %8s %7s %7s\n' target runs runs/s edges inputs
for fuzzer in $wanted; do
    target=${fuzzer##*/fuzz-}
    asked=$((asked + 1))
    [ ! -e "$work/$target.passed" ] || passed=$((passed + 1))
    cat "$work/$target.row"
done
echo "fuzz: $passed passed, $((asked - passed)) failed"
[ "$passed" = "$asked" ] && [ "$passed" -gt 0 ]
