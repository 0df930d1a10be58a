#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Fails if a folder includes headers that docs/design/rooms.md does not allow it to include. The preprocessor (-MM)
# lists the headers of a file, so includes through other headers count as well. Also checks that no folder of sources is
# too large for one reader, that no static name is in more than six files, and that no new function takes more than
# seven arguments. With BUILD set it also checks the built library: what it exports, that it neither prints, nor opens
# files, nor exits, and that no more than two files call each other in a circle; the last holds for the program, too.
# `layers.sh built` checks only the library, for a second build of the same sources.
set -u
cd "$(dirname "$0")/.." || exit 1

bad=0 looked=0
complain() {
    echo "layers: $1"
    bad=$((bad + 1))
}

# ---- Arrows --------------------------------------------------------------------------------------

# Each row is FOLDER: the folders whose headers it may include, along with what those may include. Every folder may also
# include its own headers and the public ones, src/tilecut.h and src/tilecut_*.h. A folder without a row may include
# nothing else. If a folder has two public headers, a row names the header.
arrows='
src/energy: src/base
src/grid: src/base
src/graph: src/energy src/grid
src/solvers: src/grid cuda/seam/cuda_solvers.h cuda/seam/cuda_solvers.def cuda/seam/cuda_device.h
src/solvers/push: src/solvers
src/solvers/cascade: src/solvers/push
src/solvers/hybrid: src/solvers
src/solvers/reference: src/solvers
src/matting: src/graph
src/guess: src/graph
src/refine: src/graph
src/volume: src/run src/session
src/film: src/volume src/run src/confidence
src/labels: src/volume src/run
src/networks: src/base cuda/networks/seam/cuda_network.h cuda/networks/seam/cuda_network.def
src/networks/flow: src/networks
src/networks/pairs: src/networks cuda/networks/seam/cuda_pairs.h
src/run: src/guess src/refine src/solvers/hybrid cuda/seam
src/session: src/run
src/confidence: src/session src/volume
src/parts: src/run src/volume src/labels
cuda/seam: src/graph src/solvers/hybrid
cuda/base: src/base cuda/seam/cuda_device.h
cuda/grid: cuda/base src/solvers
cuda/tiles: cuda/grid src/solvers/hybrid
cuda/model: cuda/tiles cuda/seam
cuda/parts: cuda/model
cuda/ladder: cuda/grid
cuda/networks/seam: src/networks src/networks/pairs cuda/seam/cuda_device.h cuda/seam/stub.h
cuda/networks/flow: cuda/base cuda/networks/seam src/networks/flow
cuda/networks/pairs: cuda/networks/flow
src/cli/options: src/cli/system
src/cli/pictures: src/cli/packing
src/cli/apart: src/cli/system
src/cli/heif: src/cli/pictures src/cli/apart
src/cli/dicom: src/cli/scans src/cli/apart
src/dicom: src/cli/dicom
src/cli/shapes: src/cli/system
src/cli/markup: src/cli/system
src/cli/annotations: src/cli/shapes src/cli/pictures src/cli/markup
src/cli/graphs: src/cli/system
src/cli/packing: src/cli/system
src/cli/networks/files: src/cli/graphs src/cli/packing
src/cli/networks/families: src/cli/networks/files src/cli/synthetic
src/cli/networks/runs: src/cli/networks/families src/cli/engine
src/cli/scans: src/cli/tiff
src/cli/volumes: src/cli/jobs src/cli/scans src/cli/score
src/cli/synthetic: src/cli/system
src/cli/masks: src/cli/pictures src/cli/options src/cli/annotations
src/cli/stb: src/cli/pictures
src/cli/tiff: src/cli/pictures
src/cli/seeds: src/cli/masks
src/cli/engine: src/cli/synthetic src/cli/options
src/cli/jobs: src/cli/engine src/cli/graphs src/cli/seeds
src/cli/score: src/cli/masks src/cli/seeds
src/cli/batch: src/cli/jobs src/cli/volumes
src/cli/bench: src/cli/networks/runs src/cli/volumes
src/cli/video: src/cli/labels
src/cli/parts: src/cli/jobs src/cli/volumes src/cli/apart
src/cli/edit: src/cli/masks
src/cli/labels: src/cli/volumes
src/cli/serve: src/cli/labels src/cli/edit
src/web: src/cli/edit src/run
src/web/scan: src/web src/cli/serve
src/cli/verbs: src/cli/networks/runs src/cli/volumes src/cli/batch src/cli/bench src/cli/score
src/cli/verbs: src/cli/serve src/cli/video src/cli/parts src/cli/labels
src/cli: src/cli/verbs
src/python/files: src/cli/seeds src/cli/score
'

# Prints the folders with headers below the given ones, as options for the preprocessor.
below() { find "$@" \( -name '*.h' -o -name '*.cuh' \) | sed 's|/[^/]*$||' | sort -u | sed 's/^/-I/'; }

# Prints "FILE HEADER" for every header of the project that FILE includes. -MG accepts that CUDA's own headers are
# missing. The compiler runs once for all files: each rule begins with an object's name, followed by the source file.
headers_of() { # LANGUAGE FILES; $include: where headers are
    language=$1
    shift
    # shellcheck disable=SC2086 # several options are meant
    "${CC:-cc}" -x "$language" -D_GNU_SOURCE -MM -MG $include "$@" 2>/dev/null | tr ' ' '\n' |
        awk '/:$/ { file = ""; next } /^(src|cuda)\// { if (file == "") file = $0; else print file, $0 }' |
        grep -E ' (src|cuda)/.*\.c?u?h$'
}

arrows_point_down() {
    seen=$(mktemp) && trap 'rm -f "$seen"' EXIT || exit 1
    library=$(find src cuda \( -path src/cli -o -path src/web -o -path src/windows -o -path src/python \) -prune \
        -o -name '*.c' -print)
    include="$(below src cuda | grep -v -e '^-Isrc/cli' -e '^-Isrc/web' -e '^-Isrc/windows' -e '^-Isrc/python')"
    # shellcheck disable=SC2086 # file names without blanks
    headers_of c $library >>"$seen"
    # shellcheck disable=SC2046
    headers_of c++ $(find cuda -name '*.cu') >>"$seen"
    include="-Isrc $(below src/cli src/python)"
    # shellcheck disable=SC2046
    headers_of c $(find src/cli src/python -name '*.c') >>"$seen"
    # shellcheck disable=SC2046
    headers_of c++ $(find src/cli src/dicom -name '*.cpp') >>"$seen"
    include="$(below src | grep -v -e '^-Isrc/web/shim' -e '^-Isrc/windows')"
    # shellcheck disable=SC2046
    headers_of c $(find src/web -name '*.c') >>"$seen"
    looked=$((looked + $(cut -d' ' -f1 "$seen" | sort -u | wc -l)))

    wrong=$(awk -v arrows="$arrows" '
        function folder(path) { sub("/[^/]*$", "", path); return path }
        function wing(room) { return room ~ /^(src|cuda|src\/cli)\/networks(\/|$)/ }
        function reach(from, to, k) { # what `to` may read, `from` may, too
            if ((from, to) in may) return
            may[from, to] = 1
            for (k = 1; k <= many[to]; k++) reach(from, arrow[to, k])
        }
        BEGIN {
            shared = "^(src/tilecut[a-z_]*[.]h|src/base/|cuda/base/|cuda/seam/(cuda_device|stub)[.]h|" \
                "src/cli/(system|options|packing|graphs|engine|synthetic)/)"
            rows = split(arrows, row, "\n")
            for (i = 1; i <= rows; i++) {
                words = split(row[i], word, /:? +/)
                for (k = 2; k <= words; k++) arrow[word[1], ++many[word[1]]] = word[k]
            }
            for (name in many) for (k = 1; k <= many[name]; k++) reach(name, arrow[name, k])
        }
        {
            from = folder($1); to = folder($2)
            # The network folders: only the verbs and bench may include their headers, and they may include only shared
            # headers.
            if (wing(to) && !wing(from) && from !~ /^src\/cli\/(verbs|bench)$/) print $1 " reads " $2 " of another wing"
            if (wing(from) && !wing(to) && $2 !~ shared) print $1 " reads " $2 " outside of its wing"
            door = $2 ~ /^src\/tilecut(_[a-z]+)?[.]h$/
            if (from != to && !door && !((from, to) in may) && !((from, $2) in may)) print $1 " reads " $2
        }' "$seen" | sort -u)
    [ -z "$wrong" ] || {
        echo "$wrong" | sed 's/^/layers: /'
        bad=$((bad + $(echo "$wrong" | wc -l)))
    }

    by_path=$(grep -rnE --include='*.[ch]' --include='*.cu' --include='*.cuh' --include='*.cpp' \
        '^[[:space:]]*#[[:space:]]*include[[:space:]]*"[^"]*/' src cuda tools)
    [ -z "$by_path" ] || complain "headers are found by name, not by path: $by_path"

    ! command -v python3 >/dev/null 2>&1 || python3 tools/rooms --check || complain 'docs/design/rooms.md is wrong'

    for name in $(find src cuda -name '*.h' -o -name '*.cuh' -o -name '*.def' | sed 's|.*/||' | sort | uniq -d); do
        complain "two headers are called $name, and headers are found by name"
    done
}

# ---- Rooms ---------------------------------------------------------------------------------------

rooms_are_small() {
    most_files=25 most_lines=4500
    # shellcheck disable=SC2044
    for folder in $(find src cuda -type d); do
        # shellcheck disable=SC2046
        set -- $(find "$folder" -maxdepth 1 -type f \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' \
            -o -name '*.js' -o -name '*.py' \))
        [ $# = 0 ] && continue
        looked=$((looked + 1))
        [ $# -le $most_files ] || complain "$folder has $# files; at most $most_files"
        lines=$(cat "$@" | wc -l)
        [ "$lines" -le $most_lines ] || complain "$folder has $lines lines; at most $most_lines"
    done
}

# ---- Functions -----------------------------------------------------------------------------------

# The only function with more than seven arguments: libmicrohttpd prescribes them.
long_lists='on_request'

# A static name that occurs in many files is useless in a debugger, and more than seven arguments should be a struct.
# Kernels may have more.
functions_are_named_and_small() {
    most_files=6 most_arguments=7
    # shellcheck disable=SC2046 # file names without blanks
    found=$(awk -v most_files=$most_files -v most_arguments=$most_arguments \
        -v long_lists=" $(echo "$long_lists" | tr -s ' \n' '  ') " '
        function weigh(text, name, k, depth, commas, c) {
            gsub(/\/\*[^*]*\*+([^\/*][^*]*\*+)*\//, "", text)
            sub(/^(TC_VECTOR_LOOP|extern "C") /, "", text)
            sub(/[{].*/, "{", text) # the body may be in the same line
            if (text ~ /;/ || text !~ /[{]/ || text !~ /^[a-z][^=;{]*[(]/) return
            gsub(/__launch_bounds__[(][^)]*[)]/, "", text)
            name = text
            sub(/[(].*/, "", name)
            sub(/.*[ *]/, "", name)
            for (k = index(text, "("); k <= length(text); k++) {
                c = substr(text, k, 1)
                if (c == "(") depth++
                if (c == ")" && !--depth) break
                if (c == "," && depth == 1) commas++
            }
            if (commas >= most_arguments && text !~ /__(global|device)__/ && !index(long_lists, " " name " "))
                print FILENAME ": " name "() has " commas + 1 " arguments; at most " most_arguments
            if (text ~ /^static / && !((name, FILENAME) in seen)) { seen[name, FILENAME] = 1; files[name]++ }
        }
        FNR == 1 { head = "" }
        /^[a-zA-Z][a-zA-Z_0-9]* .*[(]/ { head = "" }
        /^[a-zA-Z][a-zA-Z_0-9]* / || head != "" { head = head $0 "\n" }
        /^[{]/ || /[{;}]$/ { if (head != "") weigh(head); head = "" }
        END {
            for (name in files)
                if (files[name] > most_files)
                    print files[name] " files have a static function " name "(); at most " most_files
        }' $(find src cuda -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh'))
    [ -z "$found" ] || {
        echo "$found" | sed 's/^/layers: /'
        bad=$((bad + $(echo "$found" | wc -l)))
    }
}

[ "${1:-}" = built ] || { arrows_point_down; rooms_are_small; functions_are_named_and_small; }

# ---- What was built ------------------------------------------------------------------------------

# Reads the output of nm -A and prints circles of more than two files. Files are connected by calls and by tables of
# functions.
circles_of() {
    awk '
    { split($1, part, ":"); file = part[1] ~ /[.]a$/ ? part[2] : part[1] }
    $2 ~ /^[TDBRVWG]$/ { home[$3] = file; files[file] = 1 }
    $2 == "U" { wanted[file] = wanted[file] " " $3 }
    END {
        for (file in files) {
            n = split(wanted[file], name, " ")
            for (k = 1; k <= n; k++) if (name[k] in home) calls[file] = calls[file] " " home[name[k]]
        }
        for (file in files) { # all that it reaches, breadth first
            ends = 1; queue[1] = file
            for (i = 1; i <= ends; i++) {
                n = split(calls[queue[i]], to, " ")
                for (k = 1; k <= n; k++)
                    if (!((file, to[k]) in reach)) { reach[file, to[k]] = 1; queue[++ends] = to[k] }
            }
        }
        for (file in files) {
            if (file in told) continue
            circle = file; size = 1
            for (other in files)
                if (other != file && (file, other) in reach && (other, file) in reach) {
                    circle = circle " " other; size++; told[other] = 1
                }
            if (size > 2) print circle
        }
    }'
}

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
        for name in $(sed -n 's/^TILECUT_API .*[ *]\(tilecut_[a-z_]*\)(.*/\1/p' src/tilecut*.h); do
            nm -D --defined-only "$so" | grep -q " $name\$" || complain "$so does not export $name"
        done
        objdump -p "$so" | grep -Eq 'SONAME +libtilecut\.so\.[0-9]+$' || complain "$so has no soname with a version"
    done
    for name in $(nm -A "$library" 2>/dev/null | awk '$2 == "U" && $3 ~ /^tilecut_/ { print $1 $3 }'); do
        complain "$name: inner code does not go through the public door"
    done
    circles=$(nm -A "$library" 2>/dev/null | circles_of
        find "${BUILD:-build/none}/src/cli" -name '*.o' -exec nm -A {} + 2>/dev/null | circles_of)
    [ -z "$circles" ] || complain "more than two files call each other in a circle: $circles"
    # The library has no state except one message for each thread: .data and .bss are empty, and .data.rel.ro has only
    # constants. Sanitizers and coverage keep counters there, and nvcc its tables of kernels.
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
