# SPDX-License-Identifier: MIT
#
# A photo cut in parts: by threads, and by the processes of mpirun if it is installed (with more processes than
# processors). Masks, flow and hash equal those of one part, and an error in one part ends all of them with one line and
# no mask.
# shellcheck shell=sh disable=SC2154

mkdir -p "$WORK/parts"
coffee=$here/../../images/coffee
for kind in ppm png tif; do
    "$TILECUT" make photo --image "$coffee.png" -s "${coffee}_seeds.png" --size 160 -o "$WORK/parts/p.$kind" \
        --seeds-output "$WORK/parts/s.pgm" 2>/dev/null
done
photo=$WORK/parts/p.ppm seeds=$WORK/parts/s.pgm:trimap
figures() {
    grep -oE '"(flow|cut|energy|mask_sha256|foreground_fraction|beta|iterations|conflicts|dropped)": [^,]*' "$1"
    grep -oE '"(regions_dropped|pixels_dropped|holes_filled|pixels_filled|minimum_cut)": [^,}]*' "$1"
}

begin "parts: 1, 2, 5, at night also 3 and 8, give the mask, flow and hash of one"
works segment "$photo" -s "$seeds" -o one.pgm --json one.json -q
figures one.json >one
for n in 1 2 ${NIGHTLY:+3 8} 5; do
    works segment "$photo" -s "$seeds" -o parts.pgm --json parts.json --parts $n -q
    figures parts.json >many
    expect "$n parts: the same mask" cmp -s one.pgm parts.pgm
    expect "$n parts: the same figures" cmp -s one many
done
for kind in png tif; do
    [ -f "$WORK/parts/p.$kind" ] || continue
    works segment "$WORK/parts/p.$kind" -s "$seeds" -o "parts.$kind" --json parts.json --parts 3 -q
    figures parts.json >many
    expect "$kind: the same figures" cmp -s one many
    run score --json - "parts.$kind" one.pgm
    expect "$kind: the same mask" grep -q '"error_rate": 0,' "$OUT"
    who=true
    [ $kind = png ] && who=false
    expect "$kind: who wrote it" grep -q "\"parts\": {\"count\": 3,.*\"written_by_all\": $who, " parts.json
done
run segment "$photo" -s "$seeds" -o one.pgm --invert -q
run segment "$photo" -s "$seeds" -o parts.pgm --invert --parts 3 -q
expect 'inverted: the same mask' cmp -s one.pgm parts.pgm
run segment "$photo" --fg 75,75 --bg 5,5 --bg 140,100 -o ones.pgm -q
works segment "$photo" --fg 75,75 --bg 5,5 --bg 140,100 -o parts.pgm --parts 4 -q
expect 'strokes: the same mask' cmp -s ones.pgm parts.pgm

begin "parts: boxes, clicks, clean-up and conflicts are as in one part"
as_one() { # N parts, then options
    n=$1
    shift
    works segment "$photo" "$@" -o ones.pgm --json one.json -q
    figures one.json >one
    works segment "$photo" "$@" -o parts.pgm --json parts.json --parts "$n" -q
    figures parts.json >many
    expect "$n parts, $*: the same mask" cmp -s ones.pgm parts.pgm
    expect "$n parts, $*: the same figures" cmp -s one many
}
as_one 3 --box 40,40,80,70
as_one 8 --box 20,50,130,40 --connectivity 8
as_one 5 --box 30,30,90,60 --fg 75,75 --bg 40,85
as_one 2 --fg 75,75 --brush 0
as_one 8 -s "$seeds" --lambda 0.5 --keep-largest --fill-holes 999
as_one 3 -s "$seeds" --lambda 0.5 --min-area 40 --fill-holes 40 --connected
for conflict in fg bg drop last; do as_one 4 -s "$seeds" --fg 9,82 --bg 72,76 --seed-conflict $conflict; done

begin "parts: check reads as segment does, and says the memory of parts"
works check "$photo" -s "$seeds"
grep -v '^memory' "$OUT" >one
for n in 1 3; do
    works check "$photo" -s "$seeds" --parts $n -o new.pgm --lambda 3
    grep -v '^memory' "$OUT" >many
    expect "$n parts: the same findings" cmp -s one many
    expect "$n parts: the memory" grep -q "MB for all $n at once, .* MB in turn; $n of $n fit at once, " "$OUT"
done
expect 'writes nothing' test ! -e new.pgm
run segment "$photo" -s "$seeds" --parts 3 --max-memory 1M
need=$(sed -n 's/.* needs \([0-9]*\)[.0-9]* MB of memory.*/\1/p' "$ERR")
rm -f one many new.pgm
cp "$ERR" "$WORK/parts/refused"
fails 5 "" check "$photo" -s "$seeds" --parts 3 --max-memory 1M
expect 'the same refusal' cmp -s "$WORK/parts/refused" "$ERR"
works check "$photo" -s "$seeds" --parts 3
said=$(sed -n 's/.* at once, \([0-9]*\) MB in turn.*/\1/p' "$OUT")
expect "in turn: $said MB, refused for $need" \
    test $((${said:-0} - ${need:-99})) -ge 0 -a $((${said:-99} - ${need:-0})) -le 1
works check "$photo" -s "$seeds" --parts 3 --max-memory ${said}M
expect 'not all fit' grep -q 'MB in turn; [12] of 3 fit at once' "$OUT"
fails 2 'needs the whole photo' check "$photo" -s "$seeds" --parts 2 --cutout c.png
fails 2 'would overwrite this input' check "$photo" -s "$seeds" -o "$photo"
fails 2 '--suggest: cuts the whole' check "$photo" -s "$seeds" --parts 2 --suggest
head -c 1000 /dev/zero >"$WORK/parts/scan"
for n in 0 1 3; do
    set -- check "$WORK/parts/scan" --size 10x10x10 --fg 5,5,5 --bg 1,1,1 -q
    [ $n = 0 ] || set -- "$@" --parts $n
    works "$@" -o new.nrrd
    grep -v '^memory' "$OUT" >many
    [ $n != 0 ] || cp many one
    expect "a scan in $n parts: the same findings" cmp -s one many
    expect "a scan in $n parts: the memory" grep -q '^memory   about ' "$OUT"
done
works check "$WORK/parts/scan" --size 10x10x10 --fg 5,5,5 --bg 1,1,1 --parts 3 --max-memory 14M -q
grep -v '^memory' "$OUT" >many
expect 'a scan in turn: the same findings' cmp -s one many

begin "parts: what is said, and what --json tells of seeds, is as in one part"
said() { # the file of --json
    grep -oE '"(warnings|seeds)": .*' "$1" | sed 's/, "start".*//'
}
says_as_one() { # N parts, text to be said, a photo, then options
    n=$1 text=$2
    shift 2
    run segment "$@" -o ones.pgm --json one.json
    cp "$ERR" one.err
    [ -z "$text" ] || expect "$*: says '$text'" grep -qF -- "$text" one.err
    run segment "$@" -o parts.pgm --json parts.json --parts "$n"
    expect "$n parts, $*: the same status" test -f parts.pgm -o ! -f ones.pgm
    cp "$ERR" parts.err
    said one.json >one
    said parts.json >many
    expect "$n parts, $*: the same notes" cmp -s one.err parts.err
    expect "$n parts, $*: the same seeds and warnings" cmp -s one many
}
sized=$(sed -n 2p "$photo")
wide=${sized% *} high=${sized#* }
{ printf 'P6\n%s\n255\n' "$sized" && head -c $((wide * high * 3)) /dev/zero | tr '\0' 'x'; } >"$WORK/parts/plain.ppm"
{ printf 'P5\n%s\n255\n' "$sized" && head -c $((wide * 20)) /dev/zero &&
    head -c $((wide * (high - 20))) /dev/zero | tr '\0' '\377'; } >"$WORK/parts/all.pgm"
{ printf 'P5\n%s\n255\n' "$sized" && head -c $((wide * 20)) /dev/zero &&
    head -c $((wide * (high - 60))) /dev/zero | tr '\0' 'F' && head -c $((wide * 40)) /dev/zero | tr '\0' '\377'
} >"$WORK/parts/soft.pgm"
{ cat "$WORK/parts/s.pgm" && echo more; } >"$WORK/parts/more.pgm"
cat "$photo" "$photo" >"$WORK/parts/twice.ppm"
{ printf 'P4\n%s\n' "$sized" && head -c $(((wide + 7) / 8 * 30)) /dev/zero &&
    head -c $(((wide + 7) / 8 * (high - 30))) /dev/zero | tr '\0' '\377'; } >"$WORK/parts/bits.pbm"
plain=$WORK/parts/plain.ppm
for n in 5 ${NIGHTLY:+2}; do
    says_as_one $n 'lie on the same colours (100 % in common)' "$plain" --fg "60,60 70,60" --bg "5,5 90,5"
    says_as_one $n 'lie on the same colours (100 % in common)' "$plain" --box 10,10,80,70 --fg "60,60 70,60"
    says_as_one $n 'every pixel is labelled' "$photo" -s "$WORK/parts/all.pgm:trimap"
    says_as_one $n "lie between the trimap's values" "$photo" -s "$WORK/parts/soft.pgm:trimap"
    says_as_one $n 'the object is guessed from the box' "$photo" --bg 6,6 --box 30,30,90,60
    says_as_one $n '--bg: 1 points lie outside' "$photo" --fg 75,75 --bg "5,5 5,-9"
    says_as_one $n '--fg: 2 points lie outside' "$photo" --fg "75,75 75,999 75,80 999,80" --bg 5,5
    says_as_one $n 'lies outside' "$photo" --fg "75,999 75,1999" --bg 5,5
    says_as_one $n 'clipped to' "$photo" --box 30,30,900,60
    says_as_one $n '5 bytes after the picture are ignored' "$photo" -s "$WORK/parts/more.pgm:trimap"
    says_as_one $n 'holds several pictures' "$WORK/parts/twice.ppm" -s "$seeds"
    says_as_one $n 'every pixel is labelled' "$photo" -s "$WORK/parts/bits.pbm:trimap"
    says_as_one $n '' "$IN/photo.png" -s "$IN/palette_grey.png:trimap"
    says_as_one $n '' "$IN/photo.png" -s "$IN/palette_grey.png:labels"
    says_as_one $n '' "$IN/photo.png" -s "$IN/palette_color.png:labels"
    says_as_one $n 'name color or labels' "$IN/photo.png" -s "$IN/palette_color.png:trimap"
    says_as_one $n '' "$IN/palette_color.png" --fg 30,30 --bg "3,3 60,3"
    says_as_one $n 'so the border of the photo counts' "$photo" --fg 75,75
    says_as_one $n '--fg: 1 points' "$photo" -s "$seeds" --fg "75,75 -9,75" --bg 5,5 --bg 9,9 --seed-conflict last
done

begin "parts: shapes in a file are seeds, as in one part"
size=$(sed -n 2p "$photo")
width=${size% *} height=${size#* }
shapes=$WORK/parts/shapes.json runs=$WORK/parts/runs.json
cat >"$shapes" <<END
{"imageWidth": $width, "imageHeight": $height, "shapes": [
{"label": "cup", "shape_type": "polygon", "points": [[60.5, 50], [100, 55.25], [95, 90], [64, 88]]},
{"label": "background", "shape_type": "linestrip", "points": [[3, 2], [3.5, 95], [150, 98]]},
{"label": "background", "shape_type": "circle", "points": [[150, 12], [155, 12]]},
{"label": "cup", "shape_type": "point", "points": [[80.2, 48]]}]}
END
cat >"$runs" <<END
{"images": [{"id": 1, "width": $width, "height": $height, "file_name": "p.ppm"}],
"categories": [{"id": 1, "name": "cup"}], "annotations": [{"image_id": 1, "category_id": 1, "iscrowd": 1,
"segmentation": {"size": [$height, $width], "counts": [$((70 * height + 60)), 15, $((3 * height - 15)), 15,
$((width * height - 73 * height - 75))]}}]}
END
for n in 5 ${NIGHTLY:+2 8}; do
    as_one $n -s "$shapes"
    as_one $n -s "$shapes:box"
    as_one $n -s "$runs" --bg 9,9 --bg "9,9 140,9"
    as_one $n -s "$shapes" -s "$seeds" --seed-conflict last
done

begin "parts: pictures in every format of seeds are read, or refused, as in one part"
formats=$("$TILECUT" help segment --all | sed -n '/--seeds-format F/,/--fg-color/s/^        \([a-z]*\)  .*/\1/p')
expect 'there are formats' test "$(echo "$formats" | wc -l)" -ge 8
run segment "$photo" -s "$seeds" -o "$WORK/parts/mask.pgm" -q
for format in $formats; do
    band=$([ "$format" != mask ] || echo --band 3)
    for file in "${seeds%:*}" "$WORK/parts/mask.pgm" "$shapes"; do
        # shellcheck disable=SC2086 # nothing or two words
        says_as_one 3 '' "$photo" -s "$file:$format" $band
    done
    says_as_one 2 '' "$IN/photo.png" -s "$IN/seeds.png:$format"
    says_as_one 5 '' "$IN/photo.png" -s "$IN/seeds.png" -s "$IN/palette_grey.png:$format" --seed-conflict last
done
as_one 3 -s "$WORK/parts/mask.pgm:mask" --band 3
run segment "$IN/photo.png" -s "$IN/seeds.png" -o ones.pgm -q
works segment "$IN/photo.png" -s "$IN/seeds.png" -o parts.pgm --parts 3 -q
expect 'strokes by colour: the same mask' cmp -s ones.pgm parts.pgm

begin "parts: with memory for one of them they come from disk in turn"
"$TILECUT" make photo --image "$coffee.png" -s "${coffee}_seeds.png" --size 2000 -o "$WORK/parts/large.ppm" \
    --seeds-output "$WORK/parts/large.pgm" 2>/dev/null
large="$WORK/parts/large.ppm -s $WORK/parts/large.pgm:trimap"
large=$WORK/parts/large.ppm seeds_of_large=$WORK/parts/large.pgm:trimap
works segment "$large" -s "$seeds_of_large" -o one.pgm --json one.json -q
ends 0 segment "$large" -s "$seeds_of_large" -o turn.pgm --json turn.json -v --parts 4 --max-memory 140M
expect 'it says so' grep -q '^part .*and all others, in turn, needs' "$ERR"
figures one.json >one
figures turn.json >turn
expect 'the same mask' cmp -s one.pgm turn.pgm
expect 'the same figures' cmp -s one turn
expect 'no more memory than allowed' test "$(value peak_bytes turn.json)" -le $((140 * 1024 * 1024))
works segment "$large" --box 700,400,900,800 -o one.pgm --json one.json -q --min-area 500
works segment "$large" --box 700,400,900,800 -o turn.pgm --json turn.json -q --min-area 500 --parts 6 --max-memory 180M
figures one.json >one
figures turn.json >turn
expect 'a box: the same mask' cmp -s one.pgm turn.pgm
expect 'a box: the same figures' cmp -s one turn
expect 'a box: in turn' grep -q '"in_turn": true' turn.json
expect 'a box: no more memory than allowed' test "$(value peak_bytes turn.json)" -le $((180 * 1024 * 1024))

begin "parts: who has too little memory is told how many would do"
run segment "$large" -s "$seeds_of_large" -o turn.pgm --max-memory 140M
advice=$(sed -n 's/.*allowed; \(--parts [0-9]* --max-memory [0-9]*M\) cuts it in parts, from disk$/\1/p' "$ERR")
expect 'advice' test -n "$advice"
refused 5 'cuts it in parts, from disk'
# shellcheck disable=SC2086 # two options and their arguments
works segment "$large" -s "$seeds_of_large" -o turn.pgm $advice -q
rm -f turn.pgm
fails 5 'needs 216.5 MB' segment "$large" -s "$seeds_of_large" -o turn.pgm --max-memory 185M --iterations 2
run segment "$large" -s "$seeds_of_large" -o turn2.pgm --max-memory 140M --cutout cut.png
expect 'no advice where it would not do' lacks '--parts' "$ERR"

begin "parts: more memory is never too little where less suffices"
{ printf 'P5\n8000 132\n255\n' && head -c 1056000 "$WORK/parts/large.ppm"; } >"$WORK/parts/flat.pgm"
for megabytes in 60 90 110 130 150 180; do # rows are solved in tiles of 32, so 4 parts of 33 take more than one of 132
    run segment "$WORK/parts/flat.pgm" --fg 4000,66 --bg 5,5 --colors none -o flat.pgm --parts 4 \
        --max-memory ${megabytes}M --json flat.json -q
    if [ $megabytes = 60 ]; then expect '60M are too little' test "$status" = 5; else done_well; fi
    [ "$status" = 5 ] || expect "$megabytes: no more than that" \
        test "$(value peak_bytes flat.json)" -le $((megabytes * 1024 * 1024))
done
works segment "$photo" -s "$seeds" -o one.pgm --json one.json --parts 1 --max-memory 20M -q
expect 'a small photo: no more than that' test "$(value peak_bytes one.json)" -le $((20 * 1024 * 1024))
run segment "$photo" -s "$seeds" -o one.pgm --parts 1 --max-memory 14M
expect 'a small photo: the program itself counts' test "$status" = 5

begin "parts: in turn, but with too little memory or disk"
run segment "$large" -s "$seeds_of_large" -o turn.pgm --parts 2 --max-memory 130M
refused 5 'at most 136.3 MB are allowed; --parts 3 --max-memory 120M cuts it in parts, from disk'
fails 5 'in 4 parts, in turn, and needs' segment "$large" -s "$seeds_of_large" -o turn.pgm --parts 4 --max-memory 60M
TMPDIR=$WORK/nowhere
export TMPDIR
run segment "$large" -s "$seeds_of_large" -o turn.pgm --parts 4 --max-memory 140M
unset TMPDIR
refused 5 'cannot be made for a part that waits'
# shellcheck disable=SC2016 # expanded by the inner shell
timeout "${TILECUT_LIMIT:-60}" sh -c 'ulimit -f 8192; exec "$@"' sh "$TILECUT" segment "$large" -s "$seeds_of_large" \
    -o turn.pgm --parts 4 --max-memory 140M >"$OUT" 2>"$ERR" </dev/null
status=$? command='in turn, with files of 4 MB at most'
refused 5 'room'

begin "parts: lists of GPUs, and ways between them"
for list in cuda:0,x cuda:0, cuda:,1 cuda:all,1 cuda:256 cuda:0,256 cuda:; do
    run segment "$photo" -s "$seeds" -o mask.pgm --device "$list"
    refused 2 'is not a device: auto, cpu, cuda, cuda:N, cuda:N,M or cuda:all'
done
fails 5 '99 is not available' segment "$photo" -s "$seeds" -o mask.pgm --device cuda:0,99
fails 2 'several GPUs cut one photo in parts, which only segment does' batch "$photo" --device cuda:0,1 -O masks
run segment "$photo" -s "$seeds" -o mask.pgm --parts 2 --exchange host
refused 2 '--exchange: is between GPUs; name them, as in --device cuda:0,1'
fails 2 '--exchange: is between the GPUs of parts' segment "$photo" -s "$seeds" -o mask.pgm --exchange host
fails 2 'did you mean host?' segment "$photo" -s "$seeds" -o mask.pgm --parts 2 --exchange hsot --device cpu
if "$TILECUT" info | grep -q 'cuda:0'; then
    fails 2 'bk runs on cpu' segment "$photo" -s "$seeds" -o mask.pgm --device cuda:0,0 --solver bk
    run segment "$photo" -s "$seeds" -o mask.pgm --device cuda:0,0 --solver cuda-basic
    refused 2 'does not cut an image in parts'
    run segment "$photo" -s "$seeds" -o mask.pgm --device cuda:0,0 --exchange nccl
    expect 'one GPU twice is not for NCCL' test "$status" = 2 -o "$status" = 5
    run segment "$photo" -s "$seeds" -o one.pgm --json one.json -q
    figures one.json >one
    for list in cuda:all cuda:0,0 cuda:0,0,0 'cuda --parts 5' 'cuda:0,0 --exchange host'; do
        # shellcheck disable=SC2086 # an option may follow
        works segment "$photo" -s "$seeds" -o parts.pgm --json parts.json -q --device $list
        figures parts.json >many
        expect "$list: the same mask" cmp -s one.pgm parts.pgm
        expect "$list: the same figures" cmp -s one many
    done
else
    fails 5 'cuda:all is not available' segment "$photo" -s "$seeds" -o mask.pgm --device cuda:all
fi
works segment "$photo" -s "$seeds" -o mask.pgm --json parts.json --parts 2 --device cpu -q
expect 'who cut' grep -q '"devices": \["cpu", "cpu"\]' parts.json

begin "parts: on standard output, and names without an extension, as in one part"
for format in png pgm; do
    run segment "$photo" -s "$seeds" --format $format
    cp "$OUT" one.$format
    works segment "$photo" -s "$seeds" --format $format --parts 3
    cp "$OUT" parts.$format
    run score --json - one.$format parts.$format
    expect "$format: the same mask" grep -q '"error_rate": 0,' "$OUT"
    works segment "$photo" -s "$seeds" --format $format --parts 3 -o plain
    expect "$format: the same file" cmp -s plain parts.$format
done
expect 'PGM, byte for byte' cmp -s one.pgm parts.pgm
run segment "$photo" -s "$seeds" --parts 3
expect 'PNG, if nothing is said' cmp -s "$OUT" parts.png
rm -f one.* parts.* plain
for format in tif webp; do # formats that need all of the mask at once, for a pipe
    "$TILECUT" info | grep -qi "^  $format.*read, write" || continue
    run segment "$photo" -s "$seeds" --format $format -o one -q
    run segment "$photo" -s "$seeds" --parts 3 --format $format -q
    expect "$format, to a pipe" cmp -s "$OUT" one
    rm -f one
done

begin "parts: what one part refuses is refused, and told in --json"
for wrong in --learn '--preview p.png' '--background #ffffff' --keep-hidden --keep-colors '--series 1.2'; do
    # shellcheck disable=SC2086 # an option and its argument
    fails 2 "${wrong%% *}: " segment "$photo" -s "$seeds" -o mask.pgm --parts 2 $wrong
done
fails 3 'at most 100 are accepted' segment "$photo" -s "$seeds" -o mask.pgm --parts 2 --max-pixels 100
head -c 9000 "$photo" >"$WORK/parts/short.ppm"
run segment "$WORK/parts/short.ppm" -s "$seeds" -o mask.pgm --parts 2
refused 3 'is cut short, the file ends within the picture'
run segment "$WORK/parts/short.ppm" -s "$seeds" -o mask.pgm --parts 2 --json failed.json
expect 'the report of a run that failed' has '"error": {"code": 3, "text": ' failed.json
cat "$photo" "$photo" >"$WORK/parts/two.ppm"
ends 0 segment "$WORK/parts/two.ppm" -s "$seeds" -o mask.pgm --parts 2
expect 'a second picture: it is told' has 'holds several pictures' "$ERR"

begin "parts: what needs the whole photo is refused"
fails 2 '--cutout: needs the whole photo' segment "$photo" -s "$seeds" -o mask.pgm --cutout cut.png --device cuda:0,1
fails 2 '--cutout: needs the whole photo' segment "$photo" -s "$seeds" -o mask.pgm --cutout cut.png --parts 2
fails 2 '--edge: needs the whole photo' segment "$photo" -s "$seeds" -o mask.pgm --edge soft --parts 2
fails 2 '--matte: needs the whole photo' segment "$photo" -s "$seeds" -o mask.pgm --matte auto --parts 2
fails 2 '--resize: needs the whole photo' segment "$photo" -s "$seeds" -o mask.pgm --resize 50% --parts 2
fails 2 '--previous: needs the whole photo' segment "$photo" -s "$seeds" --previous one.pgm -o mask.pgm --parts 2
fails 4 '--seed-conflict fg, bg, drop or last' segment "$photo" -s "$seeds" --bg 72,76 -o mask.pgm --parts 2
fails 4 'no foreground seed for --connected' segment "$photo" --box 40,40,80,70 --connected -o mask.pgm --parts 2
fails 2 'each part reads the photo by itself' segment - -s "$seeds" -o mask.pgm --parts 2 <"$photo"
fails 2 'each part reads the seeds by itself' segment "$photo" -s - -o mask.pgm --parts 2 <"${seeds%:*}"
fails 4 'has no foreground seed; add --fg' segment "$photo" --bg 70,70 -o mask.pgm --parts 2
fails 2 'mask.jpg: a mask needs a lossless format' segment "$photo" -s "$seeds" -o mask.jpg --parts 2
fails 5 'MB of memory; at most 0.0 MB are allowed' segment "$photo" -s "$seeds" -o mask.pgm --parts 2 --max-memory 1K
fails 3 'none.ppm: there is no such file' segment "$WORK/parts/none.ppm" --fg 70,70 --bg 5,5 -o mask.pgm --parts 2
fails 2 'fewer than 250 parts' segment "$photo" -s "$seeds" -o mask.pgm --parts 250

if has_mpirun; then
    # Through MPI with TCP as its transport, and through shared memory, since all processes are on this machine.
    for how in MPI memory; do
        OMPI_MCA_btl=self,tcp OMPI_MCA_btl_tcp_if_include=lo
        export OMPI_MCA_btl OMPI_MCA_btl_tcp_if_include
        [ $how = MPI ] || unset OMPI_MCA_btl OMPI_MCA_btl_tcp_if_include

        begin "parts by $how: 2 and 4 processes of mpirun give the mask, flow and hash of one"
        run segment "$photo" -s "$seeds" -o one.pgm --json one.json -q
        figures one.json >one
        for n in 2 4; do
            ranks $n "$TILECUT" segment "$photo" -s "$seeds" -o parts.pgm --json parts.json -q --threads 1
            done_well
            figures parts.json >many
            expect "$n processes: the same mask" cmp -s one.pgm parts.pgm
            expect "$n processes: the same figures" cmp -s one many
        done
        ranks 3 "$TILECUT" segment "$photo" -s "$seeds" --threads 1 --format pgm
        expect 'standard output: the same mask' cmp -s one.pgm "$OUT"
        ranks 3 "$TILECUT" segment "$WORK/parts/short.ppm" -s "$seeds" -o mask.pgm --threads 1 --json failed.json
        expect 'the report of a run that failed' has '"error": {"code": 3, "text": ' failed.json
        run segment "$photo" --box 40,40,80,70 --fill-holes 40 -o one.pgm --json one.json -q
        ranks 4 "$TILECUT" segment "$photo" --box 40,40,80,70 --fill-holes 40 -o parts.pgm --json parts.json -q \
            --threads 1
        done_well
        figures one.json >one
        figures parts.json >many
        expect 'a box by 4 processes: the same mask' cmp -s one.pgm parts.pgm
        expect 'a box by 4 processes: the same figures' cmp -s one many

        begin "parts by $how: what all processes are asked wrongly is said once"
        refused 2 'did you mean --lambda?' ranks 3 "$TILECUT" segment "$photo" -s "$seeds" -o mask.pgm --lamda 3
        refused 2 '--cutout: needs the whole photo' ranks 3 "$TILECUT" "$photo" -s "$seeds" -o mask.pgm --cutout cut.png
        ranks 3 "$TILECUT" segment "$photo" -s "$seeds" -o mask.pgm --parts 3
        refused 2 'under mpirun each process is one part'
        refused 2 'has no seeds' ranks 3 "$TILECUT" segment "$photo" -o mask.pgm
        refused 2 "did you mean 'tilecut segment'?" ranks 3 "$TILECUT" segmet "$photo" -s "$seeds" -o mask.pgm
        # Only one process is called wrongly, while the others wait for it.
        # shellcheck disable=SC2016 # the rank is of the shell that mpirun starts
        ranks 3 sh -c '[ "$OMPI_COMM_WORLD_RANK" = 2 ] && set -- "$@" --lamda 3; exec "$0" segment "$@"' "$TILECUT" \
            "$photo" -s "$seeds" -o mask.pgm --threads 1
        refused 2 'did you mean --lambda?'
        # Without the program's MPI object, the processes cannot agree on who reports an error, so the first one on each
        # machine reports it.
        mkdir -p "$WORK/alone" && cp "$TILECUT" "$WORK/alone/tilecut"
        ranks 3 "$WORK/alone/tilecut" segment "$photo" -s "$seeds" -o mask.pgm --lamda 3
        refused 2 'did you mean --lambda?'
        ranks 3 "$WORK/alone/tilecut" segment "$photo" -s "$seeds" -o mask.pgm --threads 1 -q
        if [ $how = MPI ]; then refused 5 'tilecut-mpi.so is neither beside the program'; else done_well; fi

        begin "parts by $how: what goes wrong in one process ends all, with one line and without a mask"
        "$TILECUT" make spot --size 150 --seed 4 -o "$WORK/parts/other.ppm" 2>/dev/null
        # shellcheck disable=SC2016 # the rank is of the shell that mpirun starts
        as_rank='f=$1; [ "$OMPI_COMM_WORLD_RANK" = 1 ] && f=$2; shift 2; exec "$0" segment "$f" "$@" --threads 1'
        ranks 3 sh -c "$as_rank" "$TILECUT" "$photo" "$WORK/parts/other.ppm" -s "$seeds" -o mask.pgm
        refused 3 'is not the same file for all parts'
        ranks 3 sh -c "$as_rank" "$TILECUT" "$photo" "$WORK/parts/none.ppm" -s "$seeds" -o mask.pgm
        refused 3 'none.ppm: there is no such file'
        # shellcheck disable=SC2016
        with_seeds='s=$2; [ "$OMPI_COMM_WORLD_RANK" = 1 ] && s=$3; exec "$0" segment "$1" -o mask.pgm --threads 1 $s'
        cp "$WORK/parts/s.pgm" "$WORK/parts/moved.pgm"
        printf '\377' | dd of="$WORK/parts/moved.pgm" bs=1 seek=2000 conv=notrunc 2>/dev/null
        for others in "-s $WORK/parts/moved.pgm:trimap" "-s $seeds -s $seeds" "-s $seeds --bg 5,5"; do
            ranks 3 sh -c "$with_seeds" "$TILECUT" "$photo" "-s $seeds" "$others"
            refused 3 'seeds are not the same for all parts'
        done
        ranks 3 sh -c "$with_seeds" "$TILECUT" "$photo" "-s $seeds" "-s $WORK/parts/none.pgm:trimap"
        refused 3 'none.pgm: there is no such file'
        for full in 0 1; do
            # shellcheck disable=SC2016
            ranks 2 sh -c "[ \"\$OMPI_COMM_WORLD_RANK\" = $full ] && ulimit -f 8; "'exec "$0" segment "$@"' "$TILECUT" \
                "$photo" -s "$seeds" -o mask.pgm --threads 1
            refused 1 'mask.pgm: not written'
        done
        ranks 2 "$TILECUT" segment "$photo" -s "$seeds" -o nowhere/mask.tif --threads 1
        refused 1 'there is no folder nowhere'
        # shellcheck disable=SC2016
        ranks 3 sh -c '[ "$OMPI_COMM_WORLD_RANK" = 1 ] && kill -KILL $$; exec "$0" segment "$@"' "$TILECUT" "$photo" \
            -s "$seeds" -o mask.pgm --threads 1
        expect 'a killed process: a failure' test "$status" != 0
        expect 'a killed process: nothing is left' test -z "$(ls -A)"
        # A process fails while the others wait for it: its seeds never arrive.
        mkfifo "$WORK/parts/never.$how"
        # shellcheck disable=SC2016
        as_rank='s=$1 never=$2; shift 2; [ "$OMPI_COMM_WORLD_RANK" = 1 ] || exec "$0" segment "$@" -s "$s"
            "$0" segment "$@" -s "$never:trimap" & sleep 1; kill -KILL $!; wait $!'
        ranks 3 sh -c "$as_rank" "$TILECUT" "$seeds" "$WORK/parts/never.$how" "$photo" -o mask.pgm --threads 1
        expect 'killed while others wait: a failure' test "$status" != 0
        expect 'killed while others wait: nothing is left' test -z "$(ls -A)"
        if [ $how = memory ]; then # the others find out even if mpirun lets them go on
            ranks 3 --mca orte_abort_on_non_zero_status 0 sh -c "$as_rank" "$TILECUT" "$seeds" \
                "$WORK/parts/never.$how" "$photo" -o mask.pgm --threads 1
            expect 'killed, and mpirun does not mind: one line' grep -q '^tilecut: another part has failed$' "$ERR"
            expect 'killed, and mpirun does not mind: nothing is left' test -z "$(ls -A)"
        fi
    done
else
    echo "skipped: parts over mpirun, which is not here or not in this build"
fi
