#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Fails when an #include points up the diagram of docs/design.md: the program sees the library through
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

# What each file may include with quotes: shell patterns of base names, by folder and name. Headers of the
# same module (x.c and x_part.c with x.h) are always allowed.
allowed() {
    case $1 in
    src/cli/main.[ch] | src/cli/main_*) echo '*' ;;
    # Pictures and saved graphs know files, not options or seeds.
    src/cli/failure.* | src/cli/file.*) echo 'failure.h file.h' ;;
    src/cli/image* | src/cli/graph*) echo 'tilecut.h failure.h file.h image*.h graph*.h' ;;
    src/cli/seeds*) echo 'tilecut.h failure.h file.h image.h seeds*.h' ;;
    src/cli/*) echo '*' ;;
    src/tilecut.h) echo '' ;;
    src/status.*) echo 'tilecut.h status.h' ;;
    src/grid*) echo 'tilecut.h status.h grid*.h' ;;
    src/cut*) echo 'tilecut.h status.h grid*.h cut*.h' ;;
    src/solver.c) echo 'tilecut.h status.h grid*.h solver*.h tc_cuda.h' ;;
    src/solver*) echo 'tilecut.h status.h grid*.h solver*.h' ;;
    src/energy*) echo 'tilecut.h status.h grid*.h energy*.h' ;;
    src/colors*) echo 'tilecut.h status.h energy*.h colors*.h' ;;
    src/tilecut.c) echo 'tilecut.h status.h grid*.h cut*.h solver*.h energy*.h colors*.h tc_cuda.h' ;;
    src/*) echo 'tilecut.h status.h' ;;
    cuda/*) echo 'tilecut.h status.h grid*.h solver.h *.cuh tc_cuda.h' ;;
    tools/*) echo 'tilecut.h *_peer.h peer*.h' ;;
    *) echo '*' ;;
    esac
}

for file in src/*.[ch] src/cli/*.[ch] cuda/*.c cuda/*.h cuda/*.cu cuda/*.cuh tools/peers/*.c tools/peers/*.cpp \
    tools/*.c; do
    [ -f "$file" ] || continue
    looked=$((looked + 1))
    set -f
    patterns=$(allowed "$file")
    for header in $(sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*"\([^"]*\)".*/\1/p' "$file"); do
        case $header in
        */*)
            complain "$file includes \"$header\": headers are found by name, not by path"
            continue ;;
        esac
        fits=
        for pattern in $patterns; do
            # shellcheck disable=SC2254 # patterns are meant
            case $header in $pattern) fits=1 ;; esac
        done
        [ "$fits" ] || complain "$file may not include \"$header\" (it may: ${patterns:-nothing})"
        # Of the library the program sees the one door only.
        case $file in
        src/cli/*) [ "$header" = tilecut.h ] || [ ! -e "src/$header" ] ||
            complain "$file includes \"$header\" of the library; tilecut.h is the only door" ;;
        src/*) [ ! -e "src/cli/$header" ] ||
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
        for name in $(nm -D --defined-only "$so" | awk '{ print $3 }' | grep -v '^tilecut_' | grep -vx '_init\|_fini'); do
            complain "$so exports $name; only tilecut_* is public"
        done
    done
fi

echo "layers: $looked looked at, $bad wrong"
[ "$bad" = 0 ]
