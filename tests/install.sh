#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Installs into a scratch folder, builds a program against what was installed (shared, then static) through
# pkg-config, runs it and the installed command, uninstalls, and sees that nothing stays behind.
set -eu
cd "$(dirname "$0")/.."

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
stage=$dir/stage prefix=$dir/prefix
die() { echo "install: $1"; exit 1; }

# DESTDIR first: everything must lie below it, and the files must name the prefix without it.
make -s CUDA=0 DESTDIR="$stage" PREFIX=/opt/tilecut install
[ -x "$stage/opt/tilecut/bin/tilecut" ] || die 'DESTDIR is not honoured'
grep -qx 'prefix=/opt/tilecut' "$stage/opt/tilecut/lib/pkgconfig/tilecut.pc" || die 'tilecut.pc names the wrong prefix'
make -s CUDA=0 DESTDIR="$stage" PREFIX=/opt/tilecut uninstall
left=$(find "$stage" ! -type d)
[ -z "$left" ] || die "uninstall leaves $left"

make -s CUDA=0 PREFIX="$prefix" install
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
cat >"$dir/use.c" <<'EOF'
#include <stdio.h>
#include <tilecut.h>

int main(void)
{
    const unsigned char pixels[4] = {10, 12, 200, 210};
    const tilecut_image image = {.width = 4, .height = 1, .channels = 1, .depth = 8, .pixels = pixels};
    const unsigned char seeds[4] = {TILECUT_BACKGROUND, TILECUT_UNKNOWN, TILECUT_UNKNOWN, TILECUT_FOREGROUND};
    unsigned char mask[4];
    if (tilecut_segment(&image, seeds, NULL, mask, NULL) != TILECUT_OK) {
        printf("%s\n", tilecut_error_detail());
        return 1;
    }
    printf("%s: %d %d %d %d\n", tilecut_version(), mask[0], mask[1], mask[2], mask[3]);
    return 0;
}
EOF
version=$(pkg-config --modversion tilecut)
want="$version: 0 0 255 255"
# shellcheck disable=SC2046 # pkg-config prints options
{
    ${CC:-cc} -std=c11 -Wall -Wextra -o "$dir/shared" "$dir/use.c" $(pkg-config --cflags --libs tilecut)
    ${CC:-cc} -std=c11 -o "$dir/static" "$dir/use.c" $(pkg-config --cflags tilecut) "$prefix/lib/libtilecut.a" \
        -lm -pthread
}
got=$(LD_LIBRARY_PATH="$prefix/lib" "$dir/shared")
[ "$got" = "$want" ] || die "the shared library says '$got', not '$want'"
got=$("$dir/static")
[ "$got" = "$want" ] || die "the static library says '$got', not '$want'"
"$prefix/bin/tilecut" --version | grep -qF "$version" || die "tilecut --version does not say $version"

make -s CUDA=0 PREFIX="$prefix" uninstall
left=$(find "$prefix" ! -type d)
[ -z "$left" ] || die "uninstall leaves $left"
echo 'install: shared and static use, DESTDIR, uninstall: all as they should be'
