# SPDX-License-Identifier: MIT
#
# The texts name no option that the program does not have.
# shellcheck shell=sh disable=SC2154

texts=$here/../..

begin 'options named in README and docs exist'
for verb in segment check batch maxflow bench make score info; do
    "$TILECUT" help $verb
done | grep -oE -- '--[a-z][a-z-]*' | sort -u >known
"$TILECUT" --help | grep -oE -- '--[a-z][a-z-]*' >>known
printf '%s\n' --help --version >>known
expect 'help names options' test "$(wc -l <known)" -gt 40
for text in "$texts"/README.md "$texts"/docs/*.md; do
    # Lines of pkg-config are about its options; the table of refusals has some that there are not.
    for option in $(grep -v -e pkg-config -e 'no such option' "$text" |
        grep -oE -- '(^|[^a-z-])--[a-z][a-z-]+' | grep -oE -- '--[a-z-]+' |
        sort -u); do
        expect "${text##*/}: $option is an option" grep -qxF -- "$option" known
    done
done
end
