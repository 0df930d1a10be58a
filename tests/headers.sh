#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Every header of the library, of the program and of the seam compiles alone, twice in a row, so it needs no other
# header before it. At night the headers of the library also compile as C++, as tests and kernels include them. A header
# that is included in the middle of a file has a name ending in _kernels.h and is skipped. CC and CXX are as for make;
# without a C++ compiler the second half is skipped.
set -u
cd "$(dirname "$0")/.." || exit 1

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
CC=${CC:-cc} CXX=${CXX:-c++}
# Excludes the headers in src/web/shim and src/windows, which replace system headers of the same names.
folders=$(find src cuda -type d ! -path 'src/web/shim*' ! -path src/windows | sed 's/^/-I/')
have_cxx=$(command -v "$CXX" || :)
[ -n "$have_cxx" ] || echo "skipped: headers in C++, there is no C++ compiler"

bad=0 looked=0
complain() {
    echo "headers: $1 does not compile alone in $2:"
    head -n 4 "$dir/said"
    bad=$((bad + 1))
}

for header in $(find src cuda -name '*.h' ! -name '*_kernels.h' ! -path 'src/windows/*' | sort); do
    looked=$((looked + 1))
    printf '#include "%s"\n#include "%s"\n' "$PWD/$header" "$PWD/$header" >"$dir/alone.c"
    # shellcheck disable=SC2086 # several words are meant
    "$CC" -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wno-unused-function -Werror -fsyntax-only $folders "$dir/alone.c" \
        2>"$dir/said" || complain "$header" C
    case ${NIGHTLY:+${have_cxx:+$header}} in '' | src/cli/* | src/web/*) continue ;; esac
    cp "$dir/alone.c" "$dir/alone.cpp"
    # shellcheck disable=SC2086 # several words are meant
    "$CXX" -std=c++17 -Wall -Wextra -Wno-unused-function -Wno-missing-field-initializers -Werror -fsyntax-only \
        $folders "$dir/alone.cpp" 2>"$dir/said" || complain "$header" C++
done

# Each function of the library is in the tests of bad arguments; most are in the table of those that they refuse.
for name in $(cat src/tilecut*.h | tr '\n' ' ' | grep -o 'TILECUT_API [a-z0-9_ *]*tilecut_[a-z_]* *(' |
    sed 's/ *($//; s/.*[ *]//'); do
    grep -qw "$name" tests/unit/test_bad_arguments.c && continue
    echo "headers: $name() is not in tests/unit/test_bad_arguments.c"
    bad=$((bad + 1))
done

# Headers with kernels are compiled at night, if there is nvcc. Its front end also reads the host functions, and takes a
# second for each header. NVCC is as for make.
NVCC=${NVCC:-$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null || :)}
[ -n "$NVCC" ] || echo "skipped: headers of kernels, there is no nvcc"
for header in $([ -z "${NIGHTLY:+$NVCC}" ] || find cuda -name '*.cuh' | sort); do
    looked=$((looked + 1))
    printf '#include "%s"\n#include "%s"\n' "$PWD/$header" "$PWD/$header" >"$dir/alone.cu"
    # shellcheck disable=SC2086 # several words are meant
    "$NVCC" -std=c++17 -arch=sm_75 -ptx -o "$dir/alone.ptx" $folders "$dir/alone.cu" >"$dir/said" 2>&1 ||
        complain "$header" CUDA
done

# The public headers compile in the oldest standards that they support.
door() { # HEADER, what a program does with it in C, and in C++
    printf '#include "%s"\nint main(void) { %s }\n' "$1" "$2" >"$dir/door.c"
    printf '#include "%s"\nint main() { %s }\n' "$1" "$3" >"$dir/door.cpp"
    "$CC" -std=c11 -Wall -Wextra -Wpedantic -Wconversion -Werror -fsyntax-only -Isrc "$dir/door.c" 2>"$dir/said" ||
        complain "$1" 'plain C11'
    [ -z "$have_cxx" ] || "$CXX" -std=c++11 -Wall -Wextra -Wpedantic -Wconversion -Werror -fsyntax-only -Isrc \
        "$dir/door.cpp" 2>"$dir/said" || complain "$1" 'C++11'
}
params='tilecut_params p = tilecut_params_default(); return p.lambda < 1;'
name='return tilecut_network_solver_name(0) == 0;'
door tilecut_types.h "$params" "$params"
door tilecut.h "$params" "$params"
door tilecut_network.h "$name" "$name"
door tilecut_volume.h 'tilecut_volume v = {0}; return v.width;' 'tilecut_volume v = {}; return v.width;'
door tilecut_correct.h 'tilecut_corrected c = {0}; return c.added > 0;' 'tilecut_corrected c = {}; return c.added > 0;'
door tilecut_labels.h 'tilecut_labels_params l = {0}; return l.background;' \
    'tilecut_labels_params l = {}; return l.background;'
door tilecut_parts.h 'tilecut_part p = {0}; return p.rows;' 'tilecut_part p = {}; return p.rows;'

echo "headers: $looked looked at, $bad wrong"
[ "$bad" = 0 ]
