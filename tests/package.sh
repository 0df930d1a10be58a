#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Makes the tarball in two clones that differ in everything that must not matter, and compares the results. Checks the
# recipes made from it for other package managers, if the programs that read them are installed. Then builds Debian
# packages from it outside the clone (which runs the unit tests there), runs lintian, and runs the packaged program.
# `package.sh --tarball` makes no packages.
set -eu
cd "$(dirname "$0")/.."

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
die() { echo "package: $1"; exit 1; }
quietly() { "$@" >"$dir/log" 2>&1 || { tail -n 100 "$dir/log"; die "'$*' failed"; }; }

git ls-files --error-unmatch Makefile >/dev/null 2>&1 || {
    echo 'skipped: this is no clone, so make dist packs nothing'
    exit
}

# Clones the last commit with all changes since, into folders with different names, dates and permissions.
clone() { # FOLDER UMASK
    (
        umask "$2"
        git clone -q . "$dir/$1"
        git ls-files -z | xargs -0 cp --parents -t "$dir/$1"
        git -C "$dir/$1" add -A
    )
}
clone one 022
clone two 077
find "$dir/two" -name .git -prune -o -exec touch -d 2001-01-01 {} +
for each in one two; do quietly make -C "$dir/$each" CUDA=0 dist; done
tarball=$(basename "$dir"/one/build/*.tar.gz)
cmp "$dir/one/build/$tarball" "$dir/two/build/$tarball" || die 'two clones make different tarballs'
tar -tzf "$dir/one/build/$tarball" | sed 's|^[^/]*/||' | sort >"$dir/packed"
git ls-files | sort | diff - "$dir/packed" || die 'the tarball is not what git tracks'

# An unpacked tarball without git makes a tarball of the same files, all dated as in the changelog.
mkdir "$dir/bare"
tar -xzf "$dir/one/build/$tarball" -C "$dir/bare"
bare=$dir/bare/${tarball%.tar.gz}
quietly make -C "$bare" CUDA=0 dist
tar -tzf "$bare/build/$tarball" | sed 's|^[^/]*/||' | sort | diff "$dir/packed" - ||
    die 'the tarball of a tarball has other files'
said=$(sed -n '/^ --/{s/^ -- .*>  //p;q;}' tools/debian/changelog)
dated=$(TZ=UTC0 tar --full-time -tvzf "$bare/build/$tarball" | awk '{ print $4, $5 }' | sort -u)
[ "$dated" = "$(date -u -d "$said" '+%Y-%m-%d %H:%M:%S')" ] || die "files of $dated, and the changelog is of $said"

# The recipes are filled in for this tarball, and tools that know their languages can read them.
quietly make -C "$dir/one" CUDA=0 URL="file://$dir/one/build/$tarball" recipes
recipes=$dir/one/build/recipes
grep -n '@[A-Z]' "$recipes"/* && die 'recipes are not filled in'
sum=$(sha256sum "$dir/one/build/$tarball" | cut -d ' ' -f 1)
for recipe in tilecut.rb meta.yaml; do grep -q "$sum" "$recipes/$recipe" || die "$recipe is of another tarball"; done
reads() { # RECIPE COMMAND
    recipe=$1
    shift
    command -v "$1" >/dev/null 2>&1 || { echo "skipped: $recipe, there is no $1"; return; }
    "$@" <"$recipes/$recipe" >/dev/null || die "$1 does not take $recipe"
}
reads tilecut.rb ruby -c
reads vcpkg.json jq -e '.name == "tilecut" and (."version-semver" | test("^[0-9.]+(-[a-z0-9.]+)?$"))'
if python3 -c 'import yaml' 2>/dev/null; then
    reads meta.yaml python3 -c 'import sys, yaml; assert len(yaml.safe_load(sys.stdin)["source"]) == 2'
else
    echo 'skipped: meta.yaml, there is no PyYAML'
fi
# Runs the vcpkg port with stand-ins for vcpkg's functions. make only prints its plan, which must contain a header.
cat >"$dir/port.cmake" <<'END'
function(vcpkg_download_distfile to)
  cmake_parse_arguments(arg "" "URLS;FILENAME;SHA512" "" ${ARGN})
  file(DOWNLOAD "${arg_URLS}" "${HERE}/${arg_FILENAME}" EXPECTED_HASH SHA512=${arg_SHA512})
  set(${to} "${HERE}/${arg_FILENAME}" PARENT_SCOPE)
endfunction()
function(vcpkg_extract_source_archive to)
  cmake_parse_arguments(arg "" "ARCHIVE" "" ${ARGN})
  execute_process(COMMAND tar -xzf "${arg_ARCHIVE}" -C "${HERE}" --strip-components 1)
  set(${to} "${HERE}" PARENT_SCOPE)
endfunction()
function(vcpkg_execute_required_process)
  cmake_parse_arguments(arg "" "WORKING_DIRECTORY;LOGNAME" "COMMAND" ${ARGN})
  execute_process(COMMAND ${arg_COMMAND} -n WORKING_DIRECTORY "${arg_WORKING_DIRECTORY}" RESULT_VARIABLE result
    OUTPUT_FILE "${HERE}/said")
  if(result)
    message(FATAL_ERROR "make: ${result}")
  endif()
endfunction()
function(vcpkg_fixup_pkgconfig)
endfunction()
function(vcpkg_install_copyright)
  file(READ "${ARGV1}" text)
endfunction()
include("${RECIPE}")
END
if command -v cmake >/dev/null 2>&1; then
    mkdir "$dir/port"
    env -u MAKEFLAGS cmake -DHERE="$dir/port" -DRECIPE="$recipes/portfile.cmake" \
        -DCURRENT_PACKAGES_DIR=/packages/tilecut -P "$dir/port.cmake" || die 'the port for vcpkg fails'
    grep -q 'install .*tilecut.h .*/packages/tilecut/include' "$dir/port/said" ||
        die 'the port for vcpkg installs no header'
else
    echo 'skipped: the port for vcpkg, there is no cmake'
fi

[ "${1:-}" != --tarball ] || { echo "package: $tarball twice the same"; exit; }
command -v apt-get >/dev/null 2>&1 || { echo 'skipped: Debian packages, this is no Debian'; exit; }
# Building a package runs unit tests. Here it runs only two, because all have been run with the same compiler elsewhere.
SKIP=$(find tests/unit -name 'test_*.c*' ! -name test_cut.c ! -name test_image_png.c -printf '%f ' |
    sed 's/\.[a-z]* / /g')
# Optimises little, to save time.
DEB_CFLAGS_MAINT_APPEND=-O1
export SKIP DEB_CFLAGS_MAINT_APPEND
quietly make -C "$dir/one" CUDA=0 DEBDIR="$dir/deb" deb
for package in tilecut libtilecut1 libtilecut-dev python3-tilecut; do
    dpkg-deb -x "$dir"/deb/${package}_*.deb "$dir/root" || die "there is no package $package"
done
# Debian sorts 1.0.0~rc1 before 1.0.0.
version=$(dpkg-deb -f "$dir"/deb/tilecut_*.deb Version | tr '~' -)
[ "$("$dir/root/usr/bin/tilecut" --version)" = "tilecut $version" ] || die "the program is not of version $version"
"$dir/root/usr/bin/tilecut" segment images/camera.png -s images/camera_seeds.png -o "$dir/mask.png"
[ -s "$dir/mask.png" ] || die 'the packed program cuts nothing'
library=$(echo "$dir"/root/usr/lib/*/libtilecut.so)
[ -e "$library" ] || die 'the links to the shared library lead nowhere'
# The system's Python reads the module in the place where apt would put it.
module=$dir/root/usr/lib/python3/dist-packages
[ -f "$module/tilecut/__init__.py" ] || die 'there is no module for Python'
if [ -x /usr/bin/python3 ]; then
    PYTHONPATH=$module PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 -c "
import re, os, tilecut
assert tilecut.__version__ == '$version'
with open('README.md') as file: lines = re.search(r'^\`\`\`python\n(.*?)^\`\`\`', file.read(), re.S | re.M).group(1)
exec(lines.replace('mask.png', '$dir/python.png'))
" || die 'the packed module cuts nothing'
else
    echo 'skipped: the packed module, there is no Python'
fi
echo "package: $tarball twice the same, Debian packages of $version without an error of lintian"
