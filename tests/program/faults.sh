# SPDX-License-Identifier: MIT
#
# Every allocation fails once; by day only every third one. The run then ends with status 5, one line and no output, or
# it manages without the memory and succeeds. See fail_memory.c.
# shellcheck shell=sh disable=SC2154

P="$IN/photo.png"
S="$IN/seeds.png"
walked=0
every=${NIGHTLY:+1}
every=${every:-3}

# walk FILES COMMAND...: runs the command once for each place that allocates memory. FILES are the files that it makes.
walk() {
    files=$1
    shift
    command="$*"
    rm -rf reference
    mkdir reference
    "$@" >"$OUT" 2>"$ERR" <"$input" || { show 'should succeed'; return; }
    [ -z "$files" ] || mv $files reference/
    LD_PRELOAD="$WORK/fail_memory.so" FAIL_SITES="$WORK/sites" "$@" >/dev/null 2>&1 <"$input"
    rm -f $files
    places=$(awk -v before="$before" -v every="$every" '$1 > before && !seen[$2]++ && n++ % every == 0 { print $1 }' \
        "$WORK/sites")
    # At every fifth place, all later allocations also fail once, which covers most places.
    for at in $places $(echo "$places" | awk 'NR % 5 == 1 { print $1 "+" }'); do
        one "$@"
    done
}

# one COMMAND...: a run in which allocation `at` fails; with "+" all later ones fail as well.
one() {
    for file in $files; do echo before >"$file"; done
    on=
    case $at in *+) on=1 ;; esac
    rm -f "$WORK/mark"
    env LD_PRELOAD="$WORK/fail_memory.so" FAIL_AT="${at%+}" ${on:+FAIL_ON=1} FAIL_MARK="$WORK/mark" \
        "$@" >"$OUT" 2>"$ERR" <"$input"
    status=$?
    walked=$((walked + 1))
    [ -e "$WORK/mark" ] || [ "$status" = 0 ] || show "allocation $at: nothing was refused"
    case $status in
    0)
        for file in $files; do
            case $file in *.json | *.csv) continue ;; esac # have times in them
            same "$file" "reference/$file" || show "allocation $at: went well, but $file is another"
        done ;;
    5)
        if [ "$(wc -l <"$ERR")" != 1 ] || ! grep -q '^tilecut: .*memory' "$ERR"; then
            show "allocation $at: should be one line about memory"
        fi
        for file in $files; do
            # A file that was finished before the failure may exist if it is complete. Reports also describe failures.
            case $file in *.json | *.csv) continue ;; esac
            [ "$(cat "$file" 2>/dev/null)" = before ] || same "$file" "reference/$file" ||
                show "allocation $at: $file was touched"
        done ;;
    *) show "allocation $at: status" ;;
    esac
    rm -f $files
    [ "$(ls -A)" = "$here_before" ] || show "allocation $at: left behind: $(ls -A | tr '\n' ' ')"
}

# Runs walk() for two photos in a batch: a failed job is named and has no mask, and the counts are right.
walk_batch() {
    command="$TILECUT batch b1.png b2.png -s s.png -O masks --threads 1"
    $command 2>/dev/null || show 'should succeed'
    mv masks reference/
    LD_PRELOAD="$WORK/fail_memory.so" FAIL_SITES="$WORK/sites" $command >/dev/null 2>&1
    for at in $(awk -v before="$before" '$1 > before && !seen[$2]++ { print $1 }' "$WORK/sites"); do
        rm -rf masks
        env LD_PRELOAD="$WORK/fail_memory.so" FAIL_AT="$at" $command >"$OUT" 2>"$ERR"
        status=$? walked=$((walked + 1)) done=0
        for i in 1 2; do
            if [ -e masks/b$i.png ]; then
                done=$((done + 1))
                same masks/b$i.png reference/masks/b$i.png || show "allocation $at: b$i.png is another"
            fi
        done
        [ -z "$(find masks -type f ! -name 'b[12].png' ! -name .tilecut-state 2>/dev/null)" ] ||
            show "allocation $at: left behind"
        case $status in
        0) [ $done = 2 ] || show "allocation $at: masks are missing" ;;
        1) { grep -q "tilecut: $done done, 0 skipped, $((2 - done)) failed" "$ERR" &&
            grep -q "[bs][12]*.png: .*memory" "$ERR"; } ||
            show "allocation $at: counts or names" ;;
        5) [ $done = 0 ] && [ "$(wc -l <"$ERR")" = 1 ] && grep -q memory "$ERR" || show "allocation $at: one line" ;;
        *) show "allocation $at: status" ;;
        esac
    done
    rm -rf masks
}

begin 'memory refused at every place'
if sanitized || nm "$TILECUT" 2>/dev/null | grep -q __gcov ||
    ! "${CC:-cc}" -shared -fPIC -O1 -o "$WORK/fail_memory.so" "$here/fail_memory.c" 2>/dev/null ||
    ! LD_PRELOAD="$WORK/fail_memory.so" "$TILECUT" --version >/dev/null 2>&1; then
    echo 'skipped: memory refused at every place: not under this sanitizer, coverage or C library'
else
    # CUDA's runtime allocates memory before main() begins, and crashes if it gets none.
    before=0
    if nm "$TILECUT" 2>/dev/null | grep -q __cudaRegisterFatBinary; then
        LD_PRELOAD="$WORK/fail_memory.so" FAIL_SITES="$WORK/sites" "$TILECUT" --version >/dev/null
        before=$(wc -l <"$WORK/sites")
    fi
    input=/dev/null
    # First makes the inputs of the measured commands.
    "$TILECUT" make random --size 64 -o g.tcg && "$TILECUT" make random --size 64 -o g.max &&
        "$TILECUT" make random --size 64 -o g.bbk
    cp "$P" p.png && cp "$S" s.png && cp "$IN/photo.jpg" p.jpg 2>/dev/null
    mkdir reference
    here_before=$(ls -A)
    t="$TILECUT"
    walk 'm.png c.png o.png r.json' "$t" segment p.png -s s.png -o m.png --cutout c.png --overlay o.png \
        --feather 2 --json r.json --threads 1
    walk 'm.pgm g2.max' "$t" segment p.jpg --box 10,10,60,40 --fg '30,20 50,40' --colors hist -o m.pgm \
        --save-graph g2.max --keep-largest --min-area 3 --fill-holes 4 --connected --snap --threads 1
    walk 'm.png' "$t" segment p.png --box 10,10,60,40 --connectivity 8 -o m.png --threads 1
    walk 'm.tga' "$t" segment p.png -s "$IN/trimap.png" --seeds-format trimap --colors none -o m.tga --threads 1
    input=$IN/photo.ppm
    walk 'm.bmp' "$t" segment - -s s.png -o m.bmp --threads 1
    input=/dev/null
    for graph in tcg max bbk; do walk '' "$t" maxflow g.$graph --threads 1; done
    walk '' "$t" check p.png -s s.png --json -
    walk '' "$t" score "$IN/truth.png" "$IN/truth.png"
    walk 'h.png h_s.png' "$t" make hussein --size 64 -o h.png --seeds-output h_s.png
    walk 'h.bbk' "$t" make maze --size 64 -o h.bbk
    walk 'b.csv' "$t" bench --family random --sizes 64 --solvers bk --peers none --runs 1 --csv b.csv -q
    cp p.png b1.png && cp p.png b2.png
    walk_batch
    expect "$walked runs, each refused memory once" test "$walked" -ge $((500 / every))
    echo "runs that were refused memory: $walked"
fi

begin 'short reads and writes, and interrupted ones'
if ! "${CC:-cc}" -shared -fPIC -O1 -o "$WORK/short_io.so" "$here/short_io.c" 2>/dev/null ||
    ! LD_PRELOAD="$WORK/short_io.so" "$TILECUT" --version >/dev/null 2>&1; then
    echo 'skipped: short reads and writes: not with this C library'
else
    cut_both_ways() { # FILES, then a command: the same files and the same output by short steps
        files=$1
        shift
        command="$*"
        "$@" <"$P" >"$WORK/whole" 2>"$ERR" || show 'should succeed'
        for file in $files; do mv "$file" "$WORK/whole.$file"; done
        LD_PRELOAD="$WORK/short_io.so" "$@" <"$P" >"$OUT" 2>"$ERR"
        status=$?
        [ $status = 0 ] || show 'by short steps: should succeed'
        same "$OUT" "$WORK/whole" || show 'by short steps: another output'
        for file in $files; do same "$file" "$WORK/whole.$file" || show "by short steps: another $file"; done
        rm -f $files
    }
    cut_both_ways 'm.png c.png g.max' "$TILECUT" segment "$P" -s "$S" -o m.png --cutout c.png --save-graph g.max
    cut_both_ways '' "$TILECUT" segment - -s "$S" -o -
    cut_both_ways 'o.jpg' "$TILECUT" segment "$IN/photo.jpg" -s "$S" -o - --overlay o.jpg
    "$TILECUT" make random --size 64 -o g.tcg
    cut_both_ways '' "$TILECUT" maxflow g.tcg
    cut_both_ways 'p.ppm s.png' "$TILECUT" make hussein --size 64 -o p.ppm --seeds-output s.png
    rm g.tcg
fi
