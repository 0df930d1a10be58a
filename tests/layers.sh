#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Fails when an #include points up the diagram of docs/design/design.md: the program sees the library through
# tilecut.h alone, the library knows nothing of the program, colour models and solvers meet only in the
# grid. With BUILD set it looks at the built library too: what it exports, and that it neither prints, nor
# opens files, nor exits.
set -u
cd "$(dirname "$0")/.." || exit 1

bad=0 looked=0
complain() {
    echo "layers: $1"
    bad=$((bad + 1))
}

# What a file may not include: shell patterns of headers, by folder and name. Helpers that are not named
# here lie at the bottom, and may be included by everyone.
forbidden() {
    case $1 in
    src/run/tilecut.c) echo '' ;;
    src/solve.* | src/run/session.c | src/run/iterate.c) echo 'colors*' ;;
    src/tilecut.h) echo '*' ;;
    src/run/resident.c) echo 'colors*' ;;
    src/solvers/solver.c) echo 'colors* energy* graph.h cut.h' ;;
    # Solvers see a grid, and not where it comes from or what becomes of it.
    src/solver* | src/waves* | src/push*) echo 'colors* energy* graph.h cut.h tc_cuda.h' ;;
    src/flow*) echo 'colors* energy* graph.h cut.h tc_cuda.h' ;;
    src/cut* | src/certify*) echo 'colors* energy* solver* tc_cuda.h' ;;
    src/preflow* | src/renew*) echo 'colors* solver* cut.h tc_cuda.h' ;;
    src/graph*) echo 'colors* solver* cut.h tc_cuda.h' ;;
    src/energy*) echo 'graph.h grid* solver* cut.h tc_cuda.h' ;;
    # Colour models see pixels and labels, and so do those who serve them.
    src/colors* | src/palette* | src/coarse*) echo 'energy* graph.h grid* solver* cut.h tc_cuda.h' ;;
    src/grid/grid.h) echo 'colors* energy* graph.h solver* cut.h tc_cuda.h' ;;
    src/grid*) echo 'colors* energy* solver* cut.h tc_cuda.h' ;;
    src/cli/failure.* | src/cli/file.*) echo 'options* verbs* seeds* image* graph_* tilecut.h' ;;
    # Pictures and saved graphs know files, not options or seeds; seeds know pictures, not options.
    src/cli/image* | src/cli/graph*) echo 'options* verbs* seeds*' ;;
    src/cli/seeds*) echo 'options* verbs*' ;;
    src/cli/*) echo '' ;;
    src/*) echo 'colors* energy* graph.h solver* cut.h tc_cuda.h' ;;
    # Only what learns an energy on the device knows the models' formulas.
    cuda/model/device_model.cu) echo 'graph.h cut.h solver*' ;;
    cuda/solver*) echo 'colors* energy* graph.h cut.h' ;;
    cuda/*) echo 'colors* graph.h cut.h' ;;
    *) echo '' ;;
    esac
}

for file in src/*.[ch] src/cli/*.[ch] cuda/*.c cuda/*.h cuda/*.cu cuda/*.cuh tools/peers/*.c tools/peers/*.cpp \
    tools/*.c; do
    [ -f "$file" ] || continue
    looked=$((looked + 1))
    set -f
    patterns=$(forbidden "$file")
    for header in $(sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*"\([^"]*\)".*/\1/p' "$file"); do
        case $header in
        */*)
            complain "$file includes \"$header\": headers are found by name, not by path"
            continue ;;
        esac
        for pattern in $patterns; do
            # shellcheck disable=SC2254 # patterns are meant
            case $header in
            $pattern)
                complain "$file may not include \"$header\""
                break ;;
            esac
        done
        # Of the library the program sees the one door only.
        case $file in
        src/cli/* | tools/*) [ "$header" = tilecut.h ] || [ -e "${file%/*}/$header" ] || [ ! -e "src/$header" ] ||
            complain "$file includes \"$header\" of the library; tilecut.h is the only door" ;;
        src/*) [ -e "src/$header" ] || [ ! -e "src/cli/$header" ] ||
            complain "$file includes \"$header\" of the program" ;;
        esac
    done
    set +f
done

library=${BUILD:-build/none}/libtilecut.a
if [ -f "$library" ] && command -v nm >/dev/null 2>&1; then
    looked=$((looked + 1))
    for name in $(nm -u "$library" 2>/dev/null | awk '$1 == "U" { print $2 }' | sort -u |
        grep -xE '(f|v|vf|d)?printf|puts|fputs|putchar|fwrite|perror|fopen|open|exit|_exit|abort|getenv'); do
        complain "libtilecut calls $name(); the library prints nothing, opens no files and never exits"
    done
    for so in "${BUILD:-build/none}"/libtilecut.so.*; do
        [ -f "$so" ] || continue
        for name in $(nm -D --defined-only "$so" | awk '$3 !~ /^(tilecut_|_init$|_fini$)/ { print $3 }'); do
            complain "$so exports $name; only tilecut_* is public"
        done
        for name in $(sed -n 's/^TILECUT_API .*[ *]\(tilecut_[a-z_]*\)(.*/\1/p' src/tilecut.h); do
            nm -D --defined-only "$so" | grep -q " $name\$" || complain "$so does not export $name"
        done
        objdump -p "$so" | grep -Eq 'SONAME +libtilecut\.so\.[0-9]+$' || complain "$so has no soname with a version"
    done
    # No state but one sentence a thread: nothing lies in .data or .bss, and constants in .data.rel.ro only.
    # Sanitizers and coverage keep counts of their own there, and nvcc what it needs to hand kernels over.
    made='__device_stub__|^__cuda|^__fatbin|^__nv_|^_ZL[0-9]+__(cuda|fatbin|nv)|^DW[.]ref[.]'
    if ! nm "$library" 2>/dev/null | grep -qE '__(asan|tsan|ubsan|gcov|sanitizer)'; then
        for name in $(objdump -t "$library" 2>/dev/null |
            awk '$3 ~ /^[.](data|bss)([.]|$)/ && $3 !~ /rel[.]ro/ || $4 ~ /^[.](data|bss)([.]|$)/ && $4 !~ /rel[.]ro/ {
                if ($NF !~ /^[.](data|bss)/ && $NF !~ made) print $NF }' made="$made"); do
            complain "libtilecut keeps global state in $name"
        done
    fi
fi

echo "layers: $looked looked at, $bad wrong"
[ "$bad" = 0 ]
