# SPDX-License-Identifier: MIT
#
# Checks that the completions for bash, zsh and fish offer the options that --help lists.
# shellcheck shell=sh disable=SC2154

tools=$here/../../tools
verbs=$("$TILECUT" --help | awk '/^  tilecut / && $2 != "help" { print $2 }')
options_of() { "$TILECUT" help "$1" --all | sed -nE 's/^  (-., |    )(--[a-z][a-z-]*).*/\2/p' | sort -u; }

# Prints what bash offers for these words, where the last word is being typed.
bash_offers() {
    # shellcheck disable=SC2016 # these are for bash
    bash --noprofile --norc -c '. ./bash; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _tilecut
        printf "%s\n" "${COMPREPLY[@]}"' bash "$@" | sort -u
}
fish_offers() { HOME=$PWD fish --no-config -c "source fish; complete -C '$*'" | cut -f 1 | sort -u; }
same_list() { # OFFERS WORD... : the offer is these words
    "$1" tilecut $2 | tr '\n' ' ' >offer
    echo "$3" | tr ' ' '\n' | sort | tr '\n' ' ' >wanted
    same offer wanted || complain "$1, tilecut $2: offers $(cat offer)"
}
shells=
for shell in bash zsh fish; do
    if command -v $shell >/dev/null 2>&1; then shells="$shells $shell"; else echo "skipped: completions of $shell"; fi
done

begin 'completions are programs of their shells and name every option'
for shell in bash zsh fish; do
    sh "$tools/completions" $shell "$TILECUT" >$shell 2>"$ERR" || complain "$shell: not made: $(cat "$ERR")"
    case $shells in *$shell*) expect "$shell: syntax" $shell -n $shell ;; esac
    for option in $(for verb in $verbs; do options_of "$verb"; done | sort -u); do
        expect "$shell: $option" grep -qE -e "(-l |--)${option#--}([^a-z-]|\$)" $shell
    done
done

for shell in $shells; do
    [ $shell != zsh ] || continue # its functions only run in an interactive shell
    begin "$shell completes verbs, their options and the words these take"
    sh "$tools/completions" $shell "$TILECUT" >$shell
    for verb in $verbs; do
        options_of "$verb" >wanted
        if [ $shell = bash ]; then bash_offers tilecut "$verb" -- >offer
        else fish_offers "tilecut $verb --" >offer; fi
        expect "$verb: all its options and no other" same wanted offer
    done
    same_list ${shell}_offers 'ma' 'make match maxflow'
    same_list ${shell}_offers 'help sc' 'score'
    same_list ${shell}_offers 'segment --seeds-format gr' 'grabcut'
    same_list ${shell}_offers 'photo.png --seed-conflict d' 'drop'
    same_list ${shell}_offers 'make ch' 'checker'
    same_list ${shell}_offers 'bench --family ch' 'checker'
done
