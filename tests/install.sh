#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Installs into a scratch folder, builds the programs of docs/guide/api.md outside the tree with the flags of pkg-config
# (shared, static, C++) and of CMake, runs them, uninstalls, and checks that the folder is as it was before.
set -eu
cd "$(dirname "$0")/.."

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
stage=$dir/stage
die() { echo "install: $1"; exit 1; }

# Files of other packages in the same folders must still be there in the end.
for folder in bin lib/pkgconfig include share/man/man1 share/doc/other; do
    mkdir -p "$stage/opt/it/$folder" "$stage/usr/$folder"
    touch "$stage/opt/it/$folder/other" "$stage/usr/$folder/other"
done
# Without Open MPI and gdcm, no loadable objects are built, so nothing goes into their folder.
make -n CUDA=0 HAVE_MPI= HAVE_GDCM= DESTDIR="$stage" install >"$dir/plan"
grep -q 'tilecut.h' "$dir/plan" || die 'make -n install plans nothing'
if grep 'lib/tilecut' "$dir/plan"; then die 'without MPI and gdcm there are no objects to install'; fi

listing() { (cd "$stage" && find . ! -type d | sort); }
listing >"$dir/before"

as_before() { # what `make uninstall` with these arguments leaves is what there was
    make -s CUDA=0 DESTDIR="$stage" "$@" uninstall
    listing | diff "$dir/before" - || die "uninstall $* leaves these, or takes what is not its own"
    left=$(find "$stage" -type d -name '*tilecut*')
    [ -z "$left" ] || die "uninstall $* leaves the folder $left"
}

# Extracts the page's programs and the output below each: 1.c and 1.out, 2.c and 2.out.
awk -v dir="$dir/" '/^```c$/ { n++; file = dir n ".c"; next } /^```text$/ { file = dir n ".out"; next }
    /^```$/ { file = "" } file { print > file }' docs/guide/api.md
[ -s "$dir/1.c" ] && [ -s "$dir/1.out" ] && [ -s "$dir/2.c" ] || die 'docs/guide/api.md has lost its programs'
prints() { # PROGRAM NUMBER
    "$dir/$1" >"$dir/said" || die "program $2 of docs/guide/api.md fails, $1"
    diff "$dir/$2.out" "$dir/said" || die "program $2 of docs/guide/api.md says something else, $1"
}

# The page's lines for CMake find the installed files in their current folder, even if that is not PREFIX.
command -v cmake >/dev/null 2>&1 || echo 'skipped: find_package(tilecut), there is no cmake'
awk '/^```cmake$/ { inside = 1; next } /^```$/ { inside = 0 } inside' docs/guide/api.md >"$dir/CMakeLists.txt"
by_cmake() { # FOLDER of tilecut-config.cmake: the page's program by both targets
    command -v cmake >/dev/null 2>&1 || return 0
    [ -s "$dir/CMakeLists.txt" ] || die 'docs/guide/api.md has lost its lines for CMake'
    rm -rf "$dir/of-cmake"
    mkdir "$dir/of-cmake"
    cp "$dir/1.c" "$dir/of-cmake/cut.c"
    {
        cat "$dir/CMakeLists.txt"
        echo 'add_executable(still cut.c)'
        echo 'target_link_libraries(still PRIVATE tilecut::tilecut-static)'
    } >"$dir/of-cmake/CMakeLists.txt"
    (cd "$dir/of-cmake" && cmake -Dtilecut_DIR="$1" . && cmake --build .) >"$dir/log" 2>&1 ||
        { cat "$dir/log"; die "find_package(tilecut) does not serve, $1"; }
    prints of-cmake/cut 1
    prints of-cmake/still 1
    numbers=$(sed -n 's/.*PACKAGE_VERSION "\(.*\)".*/\1/p' "$1/tilecut-config-version.cmake")
    for asked in "$numbers EXACT" "${numbers%.*}" "${numbers%.*}...99" '!99' '!99...100' '!0.0.1 EXACT'; do
        printf '%s\n' 'cmake_minimum_required(VERSION 3.19)' 'project(asks NONE)' \
            "find_package(tilecut ${asked#!} QUIET)" 'message("found: ${tilecut_FOUND}")' \
            >"$dir/of-cmake/CMakeLists.txt"
        case $asked in !*) expected=0 ;; *) expected=1 ;; esac
        (cd "$dir/of-cmake" && rm -f CMakeCache.txt && cmake -Dtilecut_DIR="$1" .) 2>&1 |
            grep -qx "found: $expected" || die "find_package(tilecut ${asked#!}) of $numbers: not $expected"
    done
}

# Installs the library alone, static and in a separate folder, as package managers do.
set -- PREFIX=/usr CMAKEDIR=/usr/share/tilecut
make -nB CUDA=0 "$@" install-library | grep -e src/cli -e ' -lpng' &&
    die 'the library alone builds the program, too'
make -s CUDA=0 DESTDIR="$stage" "$@" install-library
by_cmake "$stage/usr/share/tilecut"
rm "$stage"/usr/lib/libtilecut.so*
by_cmake "$stage/usr/share/tilecut"
as_before "$@"

# Installs as distributions do.
set -- PREFIX=/usr LIBDIR=/usr/lib/some-machine
make -s CUDA=0 DESTDIR="$stage" "$@" install
[ -e "$stage/usr/lib/some-machine/libtilecut.so" ] || die 'LIBDIR is not honoured'
by_cmake "$stage/usr/lib/some-machine/cmake/tilecut"
as_before "$@"

# Installs as users do. The files must contain the prefix without DESTDIR.
set -- PREFIX=/opt/it
make -s CUDA=0 DESTDIR="$stage" "$@" install
[ -x "$stage/opt/it/bin/tilecut" ] || die 'DESTDIR is not honoured'
out=$(listing | grep -v -e '^./opt/it/' -e '/other$' || :)
[ -z "$out" ] || die "installed outside PREFIX: $out"
grep -qx 'prefix=/opt/it' "$stage/opt/it/lib/pkgconfig/tilecut.pc" || die 'tilecut.pc names the wrong prefix'
for verb in segment batch info; do
    [ -s "$stage/opt/it/share/man/man1/tilecut-$verb.1" ] || die "no man page of $verb"
done
soname=$(objdump -p "$stage/opt/it/lib/libtilecut.so" | sed -n 's/^ *SONAME *//p')
[ -L "$stage/opt/it/lib/$soname" ] || die "there is no link by the name that programs ask for, $soname"

# Every library that the program is linked with is in the SBOM.
make -s CUDA=0 sbom >/dev/null
readelf -dW "$stage/opt/it/bin/tilecut" | sed -n 's/.*NEEDED.*\[lib\([a-z]*\).*/\1/p' >"$dir/needed"
for library in $(sed 's/^webp.*/webp/; s/^znz/nifti/' "$dir/needed" |
    grep -vx -e c -e m -e gcc -e stdc -e dl -e rt -e pthread); do
    grep -q "^PackageName: .*$library" build/release/tilecut.spdx || die "make sbom does not name lib$library"
done

# The pictures on installed pages are installed, too. Pictures named in commands are in the cloned folder.
pages=$stage/opt/it/share/doc/tilecut
find "$pages" -name '*.md' | while read -r page; do
    grep -o '[("]\(\.\./\|docs/\)img/[A-Za-z0-9_./-]*' "$page" | tr -d '("' | while read -r picture; do
        [ -s "$(dirname "$page")/$picture" ] || echo "$page: $picture"
    done
done >"$dir/missing"
[ ! -s "$dir/missing" ] || die "pictures are not installed: $(cat "$dir/missing")"
[ -s "$pages/docs/img/ladder.png" ] || die 'docs/img is not installed'

unset PKG_CONFIG_PATH
export PKG_CONFIG_LIBDIR="$stage/opt/it/lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$stage"
export LD_LIBRARY_PATH="$stage/opt/it/lib"
version=$(pkg-config --modversion tilecut)
"$stage/opt/it/bin/tilecut" --version | grep -qF "$version" || die "tilecut --version does not say $version"

flags='-Wall -Wextra -Wpedantic -Wconversion -Werror'
by_cmake "$stage/opt/it/lib/cmake/tilecut"
cd "$dir"
for program in *.c; do
    number=${program%.c}
    # shellcheck disable=SC2046,SC2086 # pkg-config prints options
    {
        ${CC:-cc} -std=c11 $flags -o shared "$program" $(pkg-config --cflags --libs tilecut)
        ${CC:-cc} -std=c11 $flags -static -o static "$program" $(pkg-config --static --cflags --libs tilecut)
    }
    prints shared "$number"
    prints static "$number"
done
readelf -d shared | grep -q "NEEDED.*$soname" || die 'the shared program does not use the shared library'
readelf -d static | grep -q NEEDED && die 'the static program uses a shared library'

if command -v "${CXX:-c++}" >/dev/null 2>&1; then
    printf '%s\n' '#include <tilecut_network.h>' '#include <cstdio>' \
        'int main() { std::puts(tilecut_version()); return tilecut_params_default().connectivity > 8; }' >use.cpp
    # shellcheck disable=SC2046,SC2086 # pkg-config prints options
    ${CXX:-c++} -std=c++11 $flags -o use use.cpp $(pkg-config --cflags --libs tilecut)
    [ "$(./use)" = "$version" ] || die 'the program in C++ does not say the version'
else
    echo 'skipped: the header in C++, there is no C++ compiler'
fi
cd "$OLDPWD"

as_before "$@"
echo 'install: the programs of api.md shared and static, C++, CMake, DESTDIR, PREFIX, uninstall: all as they should be'
