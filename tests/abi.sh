#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Compares the shared library with the stored ABI. Compiled programs rely on its functions and on the numbers and sizes
# behind them, so these may be added to but not changed. `abi.sh --store` stores the current ABI, which a release does;
# if that removes anything, TILECUT_SOVERSION must grow, too.
set -eu
cd "$(dirname "$0")/.."
library=${BUILD:-build/release}/libtilecut.so.$(sed -n 's/^.define TILECUT_SOVERSION *//p' src/tilecut.h)
stored=tests/abi/libtilecut.abi
command -v abidw >/dev/null 2>&1 || {
    echo "skipped: the ABI, there is no abidw; run 'sh tools/install-deps --with-tests'"
    exit
}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/headers"
cp src/tilecut*.h "$dir/headers"
dump() { # LIBRARY OUT
    abidw --headers-dir "$dir/headers" --drop-private-types --no-show-locs --no-corpus-path --no-comp-dir-path \
        --exported-interfaces-only --out-file "$2" "$1"
}
[ "${1:-}" != --store ] || { dump "$library" $stored; exit; }

dump "$library" "$dir/now"
diff=0
abidiff --no-added-syms $stored "$dir/now" >"$dir/report" || diff=$?
[ $diff = 0 ] || {
    cat "$dir/report"
    echo "abi: $library breaks programs compiled against what $stored describes"
    exit 1
}
# The comparison itself must work: moving a field must be noticed.
sed "0,/<data-member access='public' layout-offset-in-bits='64'>/s//<data-member access='public' \
layout-offset-in-bits='128'>/" "$dir/now" >"$dir/other"
! cmp -s "$dir/now" "$dir/other" && ! abidiff $stored "$dir/other" >/dev/null || {
    echo 'abi: a field that has moved is not seen'
    exit 1
}
echo "abi: $(grep -c "<elf-symbol .*type='func-type'" "$dir/now") functions as stored"
