# SPDX-License-Identifier: MIT
#
# Checks that the man pages list exactly the options of --help, and are typeset without a warning.
# shellcheck shell=sh disable=SC2154

tools=$here/../../tools
verbs=$("$TILECUT" --help | awk '/^  tilecut / && $2 != "help" { print $2 }')
options() { grep -oE -- '(^|[^a-z-])--[a-z][a-z-]*' | grep -oE -- '--.*' | sort -u; }
# plain PAGE: prints the text of a man page without its macros and font marks.
plain() { sed 's/\\f.//g; s/\\-/-/g' "$1"; }
typesets() {
    if command -v mandoc >/dev/null 2>&1; then
        mandoc -Tlint -W warning "$1" && mandoc -Tutf8 "$1" >/dev/null
    elif command -v groff >/dev/null 2>&1; then
        [ -z "$(groff -man -ww -Tutf8 -z "$1" 2>&1)" ]
    else
        echo 'skipped: typesetting man pages, there is neither mandoc nor groff'
    fi
}

begin 'the man page of every verb has its options and no other'
expect 'verbs were found' test "$(echo "$verbs" | wc -w)" -ge 8
for verb in $verbs; do
    sh "$tools/manual" "$TILECUT" "$verb" >page 2>"$ERR" || complain "$verb: no page: $(cat "$ERR")"
    "$TILECUT" help "$verb" --all | grep -oE -- '^  (-., |    )--[a-z][a-z-]*' | options >help
    plain page | grep -A 1 '^\.TP' | grep -oE -- '^(-., )?--[a-z][a-z-]*' | options >listed
    "$TILECUT" help "$verb" --all | options >known
    plain page | options >named
    expect "$verb: help has options" test -s help
    expect "$verb: listed are the options of help" same help listed
    expect "$verb: named is none that help does not name: $(comm -13 known named | tr '\n' ' ')" same known named
    for section in NAME SYNOPSIS DESCRIPTION OPTIONS EXAMPLES 'EXIT STATUS' 'SEE ALSO'; do
        expect "$verb: section $section" grep -qx ".SH $section" page
    done
    expect "$verb: typesets" typesets page
done

begin 'the man page of the program names every verb and its page'
sh "$tools/manual" "$TILECUT" >page
for verb in $verbs; do
    expect "$verb is listed" grep -qx ".B $verb" page
    expect "tilecut-$verb(1) is named" grep -qxE "\.BR tilecut.-$verb \(1\),?" page
done
expect 'typesets' typesets page
