#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Checks the hardening of the built files: overruns end the program (stack protector, checked functions, stacks touched
# page by page, marked jump targets), tables are read-only after the start (RELRO, BIND_NOW), and no path of the build
# machine is in the files. Also checks that installing a C++ compiler does not change the flags, which would cause a
# full rebuild. BUILD names the build folder.
#
#   hardening.sh                  checks the files in BUILD
#   hardening.sh WORD...          also builds an object of each folder of sources in a copy of the tree by
#                                 `make WORD...`, which must give the same bits; with HARDENING_ALL=1 all
#                                 objects, and the linked files
set -u
cd "$(dirname "$0")/.." || exit 1
BUILD=${BUILD:-build/release}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
bad=0 looked=0
expect() { # WHAT COMMAND
    what=$1
    shift
    looked=$((looked + 1))
    "$@" || { echo "hardening: $what"; bad=$((bad + 1)); }
}
lacks() { ! grep -qF -- "$1" "$2"; }

for file in "$BUILD/tilecut" "$BUILD"/libtilecut.so.*; do
    [ -e "$file" ] || continue
    case $BUILD in *release*) ;; *) continue ;; esac # sanitizers have their own
    readelf -dW "$file" >"$dir/dynamic" && readelf -lW "$file" >"$dir/segments" && nm -D "$file" >"$dir/names" ||
        exit 1
    expect "$file: binds late" grep -qE 'BIND_NOW|FLAGS.* NOW' "$dir/dynamic"
    expect "$file: no RELRO" grep -q GNU_RELRO "$dir/segments"
    expect "$file: an executable stack" sh -c "! grep GNU_STACK '$dir/segments' | grep -q RWE"
    expect "$file: no stack protector" grep -q __stack_chk_fail "$dir/names"
    if ldd "$file" | grep -q 'libc\.so\.6'; then
        expect "$file: no checked functions" grep -q '__[a-z]*_chk@' "$dir/names"
    fi
    # With -fcf-protection an indirect jump may only end at endbr64, so functions whose address is taken begin with it.
    case $(cat "$BUILD/flags") in
    *-fcf-protection*) expect "$file: no targets of jumps" sh -c "objdump -d '$file' | grep -qm 100 endbr64" ;;
    esac
    expect "$file: holds the folder it was built in" lacks "$PWD/" "$file"
done

# A flag that the compiler knows must be used.
for flag in -fstack-clash-protection -fcf-protection; do
    "${CC:-cc}" -Werror $flag -x c -c /dev/null -o /dev/null 2>/dev/null || continue
    case $BUILD in *release*) expect "not compiled with $flag" grep -q -e "$flag" "$BUILD/flags" ;; esac
done

# The flags must be the same with and without a C++ compiler.
mkdir "$dir/bin"
for tool in /usr/bin/* /bin/*; do ln -sf "$tool" "$dir/bin/"; done 2>/dev/null
rm -f "$dir"/bin/c++* "$dir"/bin/g++* "$dir"/bin/clang++*
# shellcheck disable=SC2016 # make's variable
show='show: ; @echo "$(FLAGS_NOW)"'
unset MAKEFLAGS MFLAGS MAKELEVEL
with=$(make -s CUDA=0 --eval "$show" show 2>/dev/null)
without=$(PATH=$dir/bin make -s CUDA=0 --eval "$show" show 2>/dev/null)
expect 'flags are empty' test -n "$with"
expect 'flags change when the C++ compiler is installed' test "$with" = "$without"

if [ $# -gt 0 ]; then
    copy="$dir/another folder of another length" # make cannot have blanks there
    copy=$(echo "$copy" | tr ' ' '-')
    mkdir "$copy"
    cp -R Makefile src cuda tools tests docs LICENSE ./*.md images "$copy" || exit 1
    jobs=$(nproc 2>/dev/null || echo 2)
    built=$(cd "$BUILD" && find src -name '*.c.o' | sort | awk '{ folder = $0; sub("/[^/]*$", "", folder) }
        !seen[folder]++')
    wanted=$(for file in $built; do echo "$BUILD/$file"; done)
    if [ "${HARDENING_ALL:-}" ]; then
        wanted=all
        built="tilecut libtilecut.a $(cd "$BUILD" && echo libtilecut.so.*)"
    fi
    # shellcheck disable=SC2086 # several words are meant
    make -s -j"$jobs" -C "$copy" "$@" BUILD="$BUILD" $wanted >"$dir/log" 2>&1 || { tail -n 20 "$dir/log"; exit 1; }
    for file in $built; do
        expect "$file: not the same bits in another folder" cmp "$BUILD/$file" "$copy/$BUILD/$file"
    done
fi

echo "hardening: $looked looked at, $bad wrong"
[ $bad = 0 ]
