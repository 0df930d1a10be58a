# SPDX-License-Identifier: MIT
#
# The table of refusals, refusals.txt: the fault, the command (in a folder with the files of make_files.c), the exit
# status, and the exact line on standard error. docs/guide/refusals.md has the same table.
# `TILECUT_REFUSALS=write sh tests/program/run.sh refusals` writes both anew, to be read before they are committed.
# shellcheck shell=sh disable=SC2154

table=$here/refusals.txt
page=$here/../../docs/guide/refusals.md
tilecut() { "$TILECUT" "$@"; }

# Runs the command in a copy of the inputs. Sets $status and $ERR, and $new to the names of new or changed files.
run_row() {
    command=$1
    rm -rf "$WORK/row"
    cp -r "$IN" "$WORK/row"
    mkdir -p "$WORK/tmp"
    (cd "$WORK/row" && eval "$command" >"$OUT" 2>"$ERR" </dev/null)
    status=$?
    # The commands' own files are named w.*, v.*, x and d.
    new=$(diff -rq -x 'w.*' -x 'v.*' -x x -x d "$IN" "$WORK/row")
}

begin 'refusals: the table'
rows=0
: >"$WORK/new.txt"
# A build that lacks a library refuses what needs it in other words.
lacking=$("$TILECUT" info | grep -c 'built without lib')
# shellcheck disable=SC2030,SC2031 # nothing of the loop is wanted but its files
while IFS='|' read -r what command wanted line; do
    rows=$((rows + 1))
    if [ "$lacking" -gt 0 ]; then
        case $command$line in *.tif* | *.webp* | *heic* | *'tilecut edit'*) continue ;; esac
    fi
    run_row "$command"
    said=$(cat "$ERR")
    printf '%s|%s|%s|%s\n' "$what" "$command" "$status" "$said" >>"$WORK/new.txt"
    [ "${TILECUT_REFUSALS:-}" = write ] && continue
    [ "$status" = "$wanted" ] && [ "$said" = "$line" ] || show "$what: should be $wanted and '$line'"
    [ -z "$new" ] || show "$what: left behind or changed: $new"
    grep -qF "| $what | \`$command\` | $wanted | $line |" "$page" || complain "docs/guide/refusals.md: lacks '$what'"
done <"$table"
if [ "${TILECUT_REFUSALS:-}" = write ]; then
    cp "$WORK/new.txt" "$table"
    awk -F'|' 'NR == FNR { row[n++] = "| " $1 " | `" $2 "` | " $3 " | " $4 " |"; next }
        /^\| what is wrong / { print; getline; print; for (i = 0; i < n; i++) print row[i]; skip = 1; next }
        skip && /^\|/ { next } { skip = 0; print }' "$table" "$page" >"$WORK/page" && cp "$WORK/page" "$page"
fi
expect 'at least 60 rows' test "$rows" -ge 60
listed=$(sed -n '/^| what is wrong /,/^$/p' "$page" | grep -c '^| ')
expect 'as many in docs/guide/refusals.md' test "$listed" = $((rows + 1))
