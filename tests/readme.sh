#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs the commands of README.md that build, install and compile, as written, in a fresh copy of the tree.
# program/docs.sh runs the commands of the program. The commands are on separate lines, or are `make` targets named in
# the text. This script adds what the reader must supply (a program around the lines of C). Commands not run as written:
#   make check        is not run, because CI runs it together with this script
#   make deb, dist    are not run, because tests/package.sh makes both
#   make release      is not run, because .ci/nightly makes its files, with all libraries from their sources
#   make peers        builds only those whose libraries are installed, because it would install some hundred megabytes
#   tilecut bench     runs at a sixteenth of the size, because CI has a quarter of an hour
#   make install      uses DESTDIR to stay inside the scratch folder, where pkg-config then looks
set -u
cd "$(dirname "$0")/.." || exit 1

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM

mkdir "$dir/tilecut" "$dir/root"
if git ls-files --error-unmatch Makefile >/dev/null 2>&1; then
    git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$dir/tilecut" || exit 1
else
    cp -R . "$dir/tilecut" && make -s -C "$dir/tilecut" clean || exit 1
fi
cd "$dir/tilecut" || exit 1
unset MAKEFLAGS MFLAGS MAKELEVEL MODE BUILD PREFIX LIBDIR
# GPU kernels for all architectures take minutes and are compiled elsewhere. Python is the system's, to which
# install-deps has added NumPy.
mkdir "$dir/first" && ln -s /usr/bin/python3 "$dir/first/python3"
export PATH="$dir/first:$PATH:$PWD" CUDA=0 DESTDIR="$dir/root"

ran=0 bad=0 prefix=
complain() {
    echo "readme: $1"
    bad=$((bad + 1))
}
expect() { # WHAT COMMAND
    what=$1
    shift
    "$@" || complain "$what"
}

# ---- Taking the commands from the page -----------------------------------------------------------

# Prints the indented lines, joining those that end in a backslash with the next one. Formulas are no commands. The
# program's own lines are run elsewhere (`edit`, which waits for a browser, by tests/browser).
awk '/^```/ { fenced = !fenced }
    fenced || !/^    / { next }
    { sub(/^ */, line == "" ? "" : " "); line = line $0 }
    sub(/ *\\$/, "", line) { next }
    line !~ /^E\(L\) =|^\.\/tilecut |^cat / { print line }
    { line = "" }' README.md >"$dir/commands"
# shellcheck disable=SC2016 # the backticks are Markdown's
tr '\n' ' ' <README.md | grep -oE '`(make [a-z]+( PREFIX=[^`]*)?|tilecut help [a-z]+)`' | tr -d '`' |
    grep -v '^make make$' >"$dir/named"
awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' README.md >"$dir/fragment"
expect 'the page has lost its commands' test "$(wc -l <"$dir/commands")" -ge 4
expect 'the page has lost what it names in the text' test "$(wc -l <"$dir/named")" -gt 3
expect 'the page has lost its lines of C' test -s "$dir/fragment"

# ---- Running them --------------------------------------------------------------------------------

as_written() { # COMMAND; its output is left in said
    sh -c "$1" >"$dir/said" 2>"$dir/err" </dev/null || {
        complain "'$1' fails with $?: $(tail -n 5 "$dir/err" "$dir/said")"
        return
    }
    ran=$((ran + 1))
}

# Checks what a command makes or prints, which the page only describes in words.
made() {
    case $1 in
    *'make demo') for part in '' _cutout _overlay; do
        for seeds in images/*_seeds.png; do
            name=$(basename "$seeds" _seeds.png)
            [ -s "demo/$name$part.png" ] || complain "make demo did not make demo/$name$part.png"
        done
    done ;;
    'make install'*)
        prefix=$(find "$dir/root" -path '*/lib/pkgconfig/tilecut.pc')
        prefix=${prefix%/lib/*}
        for file in bin/tilecut lib/libtilecut.a include/tilecut.h share/man/man1/tilecut.1 \
            share/bash-completion/completions/tilecut; do
            [ -s "$prefix/$file" ] || complain "'$1' did not install $file"
        done ;;
    'make uninstall') expect "'$1' leaves files" test -z "$(find "$dir/root" -type f -o -type l)" ;;
    *'tilecut bench'*) expect 'bench has no row of the peer' grep -q ' peer:bk ' "$dir/said" ;;
    'make config' | 'make help' | 'tilecut help'*) expect "'$1' says little" test "$(wc -l <"$dir/said")" -gt 10 ;;
    esac
}

# Completes the page's lines of C to a program: adds a picture that is dark on the left and bright on the right, a
# stroke in either half, and a check of the mask.
program() {
    echo '#include <stdio.h>'
    grep '^#' "$dir/fragment"
    cat <<'END'
enum { w = 60, h = 40 };
static unsigned char rgb[w * h * 3], seeds[w * h], mask[w * h];
int main(void)
{
    for (int p = 0; p < w * h; p++) {
        for (int c = 0; c < 3; c++) rgb[3 * p + c] = p % w < 25 ? 30 : 220;
        seeds[p] = p % w == 5 ? TILECUT_BACKGROUND : p % w == 50 ? TILECUT_FOREGROUND : TILECUT_UNKNOWN;
    }
END
    grep -v '^#' "$dir/fragment"
    cat <<'END'
    for (int p = 0; p < w * h; p++)
        if ((mask[p] != 0) != (p % w >= 25)) return 1;
    return 0;
}
END
}

compiled() { # COMMAND: cc, after make install
    program >cut.c
    as_written "PKG_CONFIG_LIBDIR='$prefix/lib/pkgconfig'; PKG_CONFIG_SYSROOT_DIR='$dir/root'
        export PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR; $1"
    LD_LIBRARY_PATH="$prefix/lib" ./a.out || complain "the lines of C do not cut a picture in two"
}

take() { # COMMAND
    case $1 in
    'make check' | 'make deb' | 'make dist' | 'make release') return ;;
    'cc cut.c'*) compiled "$1" ;;
    # The page says: "with the same PREFIX".
    'make uninstall') as_written "$1 PREFIX='${prefix#"$dir/root"}'" ;;
    *) as_written "$(echo "$1" | sed 's/^make peers /make peers-here /; s/--sizes 1024/--sizes 256/')" ;;
    esac
    made "$1"
}

# Runs the commands in the order of the page, but uses the installed files after they are installed and before they are
# removed.
{
    grep '^make install' "$dir/named"
    cat "$dir/commands"
    grep -v 'install' "$dir/named" | sort -u
    grep 'uninstall' "$dir/named"
} >"$dir/order"
while read -r command <&3; do take "$command"; done 3<"$dir/order"

echo "readme: $ran commands of README.md ran as written, $bad wrong"
[ "$bad" = 0 ]
