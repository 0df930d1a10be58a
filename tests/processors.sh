#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Checks that all platforms compute the same bits. Builds the library for aarch64 (run by qemu-user), with musl, with
# clang and with -march=native, and lets each build compute the same (processors/bits.c). Missing tools are skipped,
# with a line that says so; TILECUT_REQUIRE_CROSS=1 makes that a failure. `processors.sh aarch64` checks only that
# platform, next to the library that `make` has built.
set -u
cd "$(dirname "$0")/.." || exit 1
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
passed=0 failed=0 skipped=0
jobs=$(nproc 2>/dev/null || echo 1)

sources() {
    find src -name '*.c' ! -path 'src/cli/*' ! -path 'src/web/*' ! -path 'src/python/*' ! -path 'src/mpi/*' \
        ! -path 'src/windows/*'
    printf '%s\n' cuda/seam/stub*.c cuda/networks/seam/stub*.c tests/unit/random_graph.c tests/processors/bits.c
}
folders=$(find src cuda -name '*.h' ! -path 'src/cli/*' ! -path 'src/web/*' ! -path 'src/python/*' \
    ! -path 'src/windows/*' -exec dirname {} + | sort -u)
plain="-std=c11 -D_GNU_SOURCE -ffp-contract=off -fno-trapping-math -pthread -Itests/unit"
for folder in $folders; do plain="$plain -I$folder"; done

# build NAME EMULATOR COMPILER FLAGS...: builds the library and puts its checksums into $dir/NAME.
build() {
    name=$1 emulator=$2 compiler=$3
    shift 3
    objects=$dir/$name.o
    export objects
    mkdir -p "$objects"
    # shellcheck disable=SC2016 # the inner shell's
    sources | xargs -P "$jobs" -n 6 sh -c 'compile=$0
        for file; do $compile -c "$file" -o "$objects/$(echo "$file" | tr / _).o" || exit 255; done' \
        "$compiler $plain $*" >"$dir/$name.log" 2>&1 &&
        "$compiler" -static -pthread "$dir/$name.o"/*.o -o "$dir/$name.bits" -lm >>"$dir/$name.log" 2>&1 &&
        $emulator "$dir/$name.bits" >"$dir/$name" 2>>"$dir/$name.log"
}

# same NAME EMULATOR COMPILER FLAGS...: builds and compares with the first build.
same() {
    case $2 in '') needs=$3 ;; *) needs="$3 ${2%% *}" ;; esac
    for tool in $needs; do
        command -v "$tool" >/dev/null || {
            echo "skipped: $1, there is no $tool; run 'sh tools/install-deps --with-cross'"
            skipped=$((skipped + 1))
            return
        }
    done
    if ! build "$@"; then
        echo "FAIL  $1: does not build or run"
        tail -n 20 "$dir/$1.log"
        failed=$((failed + 1))
    elif ! cmp -s "$dir/reference" "$dir/$1"; then
        echo "FAIL  $1: other bits"
        diff "$dir/reference" "$dir/$1"
        failed=$((failed + 1))
    else
        echo "ok    $1: the same bits"
        passed=$((passed + 1))
    fi
}

# Different levels of optimisation must give the same bits.
if [ $# = 0 ]; then
    build reference '' "${CC:-cc}" -O1
else
    # shellcheck disable=SC2086 # several words are meant
    "${CC:-cc}" $plain -O1 tests/processors/bits.c tests/unit/random_graph.c "${BUILD:-build/release}/libtilecut.a" \
        -o "$dir/reference.bits" -lm >"$dir/reference.log" 2>&1 && "$dir/reference.bits" >"$dir/reference"
fi || {
    tail -n 20 "$dir/reference.log"
    exit 1
}
cat "$dir/reference"
grep -q differs "$dir/reference" && failed=$((failed + 1))
same aarch64 qemu-aarch64 aarch64-linux-gnu-gcc -O3
# The aarch64 build uses 128-bit vectors, not only plain loops, in the solver's board, the certificate and the contrast.
if [ -d "$dir/aarch64.o" ] && command -v aarch64-linux-gnu-objdump >/dev/null; then
    for file in src_grid_tile_board.c src_graph_check_residuals.c src_energy_energy_learn.c; do
        vectors=$(aarch64-linux-gnu-objdump -d "$dir/aarch64.o/$file.o" | grep -c 'v[0-9]*\.\(4s\|16b\|8h\|2d\)')
        if [ "$vectors" -gt 20 ]; then
            passed=$((passed + 1))
            echo "ok    aarch64: $vectors instructions on vectors of 128 bits in $file"
        else
            failed=$((failed + 1))
            echo "FAIL  aarch64: $vectors instructions on vectors of 128 bits in $file"
        fi
    done
fi
if [ $# = 0 ]; then
    same musl '' musl-gcc -O1
    same clang '' clang -O2
    same native '' "${CC:-cc}" -march=native -O3
fi
echo "processors: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ] && [ $passed -gt 0 ] && { [ $skipped = 0 ] || [ "${TILECUT_REQUIRE_CROSS:-0}" != 1 ]; }
