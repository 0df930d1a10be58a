#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Tests the Python binding. Argument: the folder that `make python` made, by default the one in BUILD. PYTHON_TESTS is a
# pattern of the files that are run. The compiler gives the sizes of the structs, to compare with those that the binding
# derives from the header.
set -u
cd "$(dirname "$0")/../.." || exit 1
folder=${1:-$BUILD/python}
[ -d "$folder" ] || {
    echo 'skipped: the binding, there is no Python'
    exit 0
}
folder=$(cd "$folder" && pwd) # some tests run in a folder of their own
python=${PYTHON:-python3}
"$python" -c 'import numpy' 2>/dev/null || python=/usr/bin/python3
"$python" -c 'import numpy' 2>/dev/null || {
    echo 'skipped: the binding, there is no NumPy for Python'
    exit 0
}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
{
    printf '#include <%s>\n' stdio.h tilecut.h tilecut_correct.h tilecut_labels.h tilecut_network.h tilecut_parts.h \
        tilecut_volume.h
    printf 'int main(void)\n{\n'
    sed -n 's/^class \(tilecut_[a-z_]*\).*/    printf("\1=%zu ", sizeof(\1));/p' "$folder/tilecut/_header.py"
    printf '    return 0;\n}\n'
} >"$dir/sizes.c"
"${CC:-cc}" -std=c11 -Isrc -o "$dir/sizes" "$dir/sizes.c" || exit 1
TILECUT_SIZES=$("$dir/sizes")
export TILECUT_SIZES
# A library with the address sanitizer needs the sanitizer's runtime to be loaded first.
preload=
if nm -D "$folder"/tilecut/libtilecut.so.* 2>/dev/null | grep -q __asan_; then
    preload=$("${CC:-cc}" -print-file-name=libasan.so)
    export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" TEST_CALLS=0
fi
export PYTHONPATH="$folder" PYTHONDONTWRITEBYTECODE=1
# The type hints are correct within the package, and reveal a caller's mistake.
if command -v mypy >/dev/null 2>&1; then
    mypy --ignore-missing-imports --cache-dir "$dir/mypy" "$folder/tilecut" >"$dir/log" 2>&1 || {
        cat "$dir/log"
        exit 1
    }
    printf '%s\n' 'import tilecut' 'result: tilecut.Result = tilecut.segment(b"", box=(1, 2, 3, 4))' \
        'x: str = result.flow' >"$dir/caller.py"
    MYPYPATH=$folder mypy --ignore-missing-imports --cache-dir "$dir/mypy" "$dir/caller.py" 2>&1 |
        grep -q 'caller.py:3: error: Incompatible' || {
        echo 'binding: mypy does not see that flow is a number'
        exit 1
    }
else
    echo 'skipped: type hints, there is no mypy'
fi
files=${PYTHON_TESTS:-test_*.py}
LD_PRELOAD=$preload "$python" -W error -m unittest discover -s tests/python -p "$files" >"$dir/log" 2>&1
status=$?
[ $status = 0 ] || cat "$dir/log"
grep -i 'skipped' "$dir/log" | sed 's/^/skipped: /'
ran=$(sed -n 's/^Ran \([0-9]*\) tests.*/\1/p' "$dir/log")
echo "binding: $ran tests, exit $status"
exit $status
