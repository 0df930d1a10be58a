#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Checks the mechanical part of the house style in every source file under version control (in a plain copy: in every
# source file): a licence line, no tabs, no trailing blanks, lines of at most 120 columns, no left-over marks. In pages
# it checks for conflict marks of a merge, tables whose rows were joined and, but for tables and pictures, the length
# of lines.
set -u
export LC_ALL=C.UTF-8 # so that a letter counts as one column
cd "$(dirname "$0")/.." || exit 1

columns=120
files=$(git ls-files --cached --others --exclude-standard -- \
    '*.c' '*.h' '*.def' '*.cu' '*.cuh' '*.cpp' '*.sh' \
    '*.js' '*.mjs' '*.css' tools ':!tools/debian' ':!tools/make' 2>/dev/null) ||
    files=$(find src cuda tests tools -name '*.[ch]' -o -name '*.cu*' -o -name '*.cpp' -o -name '*.sh')

bad=0 looked=0
for file in $files; do
    [ -f "$file" ] || continue
    looked=$((looked + 1))
    awk -v file="$file" -v columns=$columns '
        function complain(what) { printf "style: %s:%d: %s\n", file, FNR, what; bad = 1 }
        FNR <= 2 && /SPDX-License-Identifier: MIT/ { licence = 1 }
        /\t/ { complain("a tab") }
        /[ \r]$/ { complain("a blank at the end of the line") }
        length($0) > columns { complain(length($0) " columns; at most " columns) }
        # The words are split in two, so that this line does not match itself.
        $0 ~ "TO" "DO|FIX" "ME|(^|[^X])XX" "X([^X]|$)" { complain("a left-over mark") }
        END {
            if (!licence) { FNR = 1; complain("no SPDX line at the top") }
            exit bad
        }' "$file" || bad=$((bad + 1))
done

# Finds the conflict marks that a merge leaves in pages. The marks are split in two, so that this line does not match
# itself.
if grep -rnE '^(<<<<''<<<|>>>>''>>>) ' ./*.md docs --include='*.md'; then bad=$((bad + 1)); fi
pages() { git ls-files --cached --others --exclude-standard -- '*.md' 2>/dev/null || find ./*.md docs -name '*.md'; }
if pages | xargs grep -nsE "^.{$((columns + 1))}" | grep -vE '^[^:]*:[0-9]*: *[|!]'; then
    echo "style: lines of more than $columns columns in pages" && bad=$((bad + 1))
fi
if pages | xargs grep -nsE '\| *\|-'; then echo 'style: rows of a table in one line' && bad=$((bad + 1)); fi
# src/windows replaces these names of POSIX by macros. Without the POSIX header, such a struct would be a different
# type.
if grep -rnE '^ *struct (dirent|stat|sigaction|pollfd|rusage|sockaddr[a-z_]*);' src cuda --include='*.[ch]'; then
    echo 'style: include the header of POSIX that has it' && bad=$((bad + 1))
fi

echo "style: $looked files looked at, $bad wrong"
[ "$bad" = 0 ]
