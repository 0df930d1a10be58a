#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Follows docs/design/adding-a-solver.md to the letter in a copy of the library: takes the solver from the page,
# the prototype and the row too, builds, and lets it cut next to `bk`.
set -eu
cd "$(dirname "$0")/.."

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
page=docs/design/adding-a-solver.md table=src/solvers/solver
die() { echo "walkthrough: $1"; exit 1; }

mkdir "$dir/src" "$dir/cuda"
find src -path src/cli -prune -o -name '*.[ch]' -print | xargs cp -t "$dir/src"
find cuda -name '*.[ch]' -print | xargs cp -t "$dir/cuda"

awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' $page >"$dir/src/solver_paths.c"
prototype=$(sed -n 's/^    \(tilecut_status tc_solver_paths(.*;\)$/\1/p' $page)
row=$(sed -n 's/^    \({"paths",.*},\)$/\1/p' $page)
[ "$prototype" ] && [ "$row" ] || die 'the page has lost its prototype or its row'
awk -v line="$prototype" '{ print } /^tilecut_status tc_solver_bk\(/ { print line }' "$table.h" >"$dir/src/solver.h"
awk -v line="$row" '/^ *\{NULL, NULL, 0, NULL\}/ { print line } { print }' "$table.c" >"$dir/src/solver.c"
grep -q tc_solver_paths "$dir/src/solver.h" || die 'solver.h is not as the page says'
grep -q tc_solver_paths "$dir/src/solver.c" || die 'solver.c is not as the page says'

cat >"$dir/use.c" <<'EOF'
#include <stdio.h>
#include <string.h>
#include <tilecut.h>

enum { W = 50, H = 37 };

int main(void)
{
    static unsigned char pixels[W * H], seeds[W * H], mask[2][W * H];
    const char *solvers[2] = {"bk", "paths"};
    unsigned state = 1;
    for (int round = 0; round < 20; round++) {
        tilecut_image image = {.width = W, .height = H, .channels = 1, .depth = 8, .pixels = pixels};
        tilecut_params params = tilecut_params_default();
        tilecut_report report[2] = {{0}};
        for (int p = 0; p < W * H; p++) {
            state = state * 1664525 + 1013904223;
            pixels[p] = (unsigned char)((p % W + p / W) * 2 + (int)(state >> 26));
            seeds[p] = state % 97 ? TILECUT_UNKNOWN : p % W > W / 2 ? TILECUT_FOREGROUND : TILECUT_BACKGROUND;
        }
        params.connectivity = round % 2 ? 8 : 4;
        for (int i = 0; i < 2; i++) {
            params.solver = solvers[i];
            if (tilecut_segment(&image, seeds, &params, mask[i], &report[i]) != TILECUT_OK) {
                printf("%s: %s\n", solvers[i], tilecut_error_detail());
                return 1;
            }
        }
        if (report[0].flow != report[1].flow || memcmp(mask[0], mask[1], sizeof mask[0]) != 0) {
            printf("round %d: the two differ\n", round);
            return 1;
        }
    }
    return 0;
}
EOF
# shellcheck disable=SC2046 # no file or one without blanks
${CC:-cc} -std=c11 -D_GNU_SOURCE -O2 -ffp-contract=off -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror \
    -pthread -I"$dir/src" -I"$dir/cuda" -o "$dir/use" "$dir/use.c" "$dir"/src/*.c $(find "$dir/cuda" -name stub.c) -lm
"$dir/use" || die 'the solver of the page is wrong'
echo 'walkthrough: the solver of docs/design/adding-a-solver.md builds, and agrees with bk on 20 graphs'
