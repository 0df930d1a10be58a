# SPDX-License-Identifier: MIT
#
# Which files are written, and which files are never overwritten.
# shellcheck shell=sh disable=SC2154

P="$IN/photo.png"
S="$IN/seeds.png"

begin 'every format of a mask'
for extension in png pgm pbm bmp tga PNG; do
    works "$P" -s "$S" -o "mask.$extension"
    expect "$extension" test -s "mask.$extension"
done
expect 'grey PNG of the size of the photo' cmp -s "$WORK/mask.png" mask.png

begin 'cutout and overlay'
works "$P" -s "$S" -o mask.png --cutout cutout.png --overlay overlay.jpg --json report.json
expect 'cutout' test -s cutout.png
expect 'overlay' test -s overlay.jpg
run "$P" -s "$S" -o /dev/null --cutout filled.ppm --background '#ffffff'
expect '/dev/null has no extension' test "$status" = 2
works "$P" -s "$S" -o mask2.png --cutout filled.ppm --background '#ffffff'
expect 'first pixel is the fill' test "$(tail -c 18432 filled.ppm | head -c 3 | od -An -tx1 | tr -d ' ')" = ffffff
for color in LightBlue=add8e6 REBECCAPURPLE=663399 tomato=ff6347; do
    works "$P" -s "$S" --cutout filled.ppm --background "${color%=*}"
    expect "$color is a name of CSS" \
        test "$(tail -c 18432 filled.ppm | head -c 3 | od -An -tx1 | tr -d ' ')" = "${color#*=}"
done

begin 'a picture behind the cutout covers all of it'
works "$P" -s "$S" -o mask.png --cutout red.ppm --background red
printf 'P6 1 1 255\n\377\0\0' >red_picture.ppm
works "$P" -s "$S" -o mask.png --cutout same.ppm --background red_picture.ppm
expect 'a picture of one colour is that colour' same red.ppm same.ppm
{ printf 'P6 40 3 255\n' && head -c 360 /dev/zero | tr '\0' '\144'; } >wide.ppm
works "$P" -s "$S" -o mask.png --cutout wide_behind.ppm --background wide.ppm --crop
run "$P" -s "$S" -o mask.png --cutout grey_behind.ppm --background '#646464' --crop
expect 'whatever its size' same wide_behind.ppm grey_behind.ppm

begin 'the cutout in another size'
works "$P" -s "$S" -o mask.png --cutout half.ppm --background white --resize 50%
expect 'half as wide and high' test "$(head -n 2 half.ppm | tail -n 1)" = '48 32'
works "$P" -s "$S" -o mask.png --cutout small.png --alpha alpha.pgm --feather 2 --resize 24
expect 'its alpha, too' test "$(head -n 2 alpha.pgm | tail -n 1)" = '24 16'
expect 'the mask keeps its size' cmp -s "$WORK/mask.png" mask.png
refuses 'resizing nothing' 2 '--cutout FILE is missing' "$P" -s "$S" -o m.png --resize 50%
refuses 'no size' 2 'such as 800, 800x600 or 50%' "$P" -s "$S" -o m.png --cutout c.png --resize big
refuses 'a background that is nothing' 2 'nor the name of a picture' \
    "$P" -s "$S" -o m.png --cutout c.png --background sky
refuses 'a background that is not there' 3 'no such file' "$P" -s "$S" -o m.png --cutout c.png --background sky.jpg
echo words >"$WORK/words"
refuses 'a background that is no picture' 3 'not a PNG' "$P" -s "$S" -o m.png --cutout c.png --background "$WORK/words"

begin 'a background that is transparent, or would be overwritten'
run "$P" -s "$S" -o mask.png --cutout cut.png
ends 3 "$P" -s "$S" -o m.png --cutout c.png --background cut.png
expect 'says so' has 'a background has to be opaque' "$ERR"
ends 2 "$P" -s "$S" -o m.png --cutout mask.png --background mask.png
expect 'nothing written' test ! -e m.png -a ! -e c.png

begin 'the graph is saved'
for extension in max bbk tcg; do
    works "$P" -s "$S" -o mask.png --save-graph "graph.$extension"
    expect "$extension" test -s "graph.$extension"
done
expect 'DIMACS' grep -qE '^p max [0-9]+ [0-9]+$' graph.max

begin 'the mask is not forced onto standard output'
works "$P" -s "$S" --json -
expect 'only JSON' test "$(wc -l <"$OUT")" = 1
works "$P" -s "$S" --cutout - -o mask.png
expect 'a PNG on standard output' test "$(head -c 4 "$OUT" | tail -c 3)" = PNG

refuses 'two outputs on standard output' 2 'would both be written' "$P" -s "$S" -o - --cutout -
refuses 'two outputs in one file' 2 'would both be written' "$P" -s "$S" -o a.png --cutout a.png
refuses 'two outputs in one file, differently written' 2 'would both be written' "$P" -s "$S" -o a.png --overlay ./a.png
refuses 'a mask as JPEG' 2 'lossless' "$P" -s "$S" -o m.jpg
refuses 'an unknown extension' 2 'm.xyz' "$P" -s "$S" -o m.xyz
refuses 'no extension' 2 'extension' "$P" -s "$S" -o mask
refuses 'a cutout without transparency' 2 'transparency' "$P" -s "$S" -o m.png --cutout c.ppm
refuses 'an overlay without colours' 2 'colour' "$P" -s "$S" -o m.png --overlay o.pgm
refuses 'an unknown format of graphs' 2 '.max' "$P" -s "$S" -o m.png --save-graph graph.txt
refuses 'no folder' 1 'no folder nowhere' "$P" -s "$S" -o nowhere/m.png
refuses 'a folder in place of a file' 1 'directory' "$P" -s "$S" -o m.png --json "$IN"

begin 'folders as outputs: files in them are named after the photo'
mkdir d
works "$P" -s "$S" -o d --cutout d/ --overlay ./d --alpha d --confidence d --feather 2
expect 'mask' same d/photo_mask.png "$WORK/mask.png"
expect 'the others' test -s d/photo_cutout.png -a -s d/photo_overlay.png -a -s d/photo_alpha.png -a \
    -s d/photo_confidence.png
works "$P" -s "$S" -o d --format svg
expect 'another format' has '<svg' d/photo_mask.svg
works "$P" --fg "48,32 50,32" --bg "3,3 9,3" --parts 2 -o d/ --format pgm -q
expect 'in parts' test -s d/photo_mask.pgm
run "$P" -s "$S" -o nowhere/
expect 'no such folder' test "$status" = 1

# `script` gives the program a terminal for all of its streams, and the output there ends with CR LF.
if command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1; then
    begin 'a person at a terminal is told what was made, in one line'
    script -qec "'$TILECUT' '$P' -s '$S' -o mask.png --invert" /dev/null >"$OUT" </dev/null
    expect 'one line' test "$(wc -l <"$OUT")" = 1
    count=$("$TILECUT" "$P" -s "$S" --format pgm -o - | tail -c 6144 | tr -d '\0' | wc -c)
    expect 'names the file, and counts' has "mask.png: the object has $count pixels" "$OUT"
    script -qec "'$TILECUT' '$P' -s '$S' -o mask.png -q" /dev/null >"$OUT" </dev/null
    expect 'nothing with -q' test ! -s "$OUT"
    script -qec "'$TILECUT' '$P' -s '$S' -o mask.png 2>err" /dev/null >"$OUT" </dev/null
    expect 'nothing to a pipe or a file' test ! -s "$OUT" -a ! -s err
else
    echo 'skipped: what a terminal shows, there is no script(1)'
fi
refuses 'no folder for the report' 1 'no folder nowhere' "$P" -s "$S" -o m.png --json nowhere/r.json

# Tries every way to name the photo or the seeds as an output. Both must stay unchanged.
begin 'an output that is an input'
cp "$P" photo.png
cp "$S" seeds.png
ln -s photo.png link.png
ln photo.png hard.png
for target in photo.png ./photo.png "$PWD/photo.png" link.png hard.png seeds.png; do
    for option in --output --cutout --overlay --json; do
        run photo.png -s seeds.png --output=m.png --"${option#--}=$target"
        [ $option = --output ] && run photo.png -s seeds.png "--output=$target"
        expect "$option $target: status 2" test "$status" = 2
        expect "$option $target: says why" has 'would overwrite this input' "$ERR"
    done
done
expect 'photo untouched' same photo.png "$P"
expect 'seeds untouched' same seeds.png "$S"
expect 'nothing else written' test ! -e m.png
"$TILECUT" - -s seeds.png -o photo.png <photo.png >"$OUT" 2>"$ERR"
expect 'standard input too' test $? = 2
expect 'photo still untouched' same photo.png "$P"

begin 'an output through a link to nowhere'
ln -s target.png link.png
ends 2 "$P" -s "$S" -o link.png --cutout target.png
works "$P" -s "$S" -o link.png
expect 'written through the link' test -f target.png -a -L link.png

begin 'an existing output is replaced, keeping its mode'
echo old >mask.png
chmod 640 mask.png
works "$P" -s "$S" -o mask.png
expect 'replaced' same mask.png "$WORK/mask.png"
expect 'mode' test "$(stat -c %a mask.png)" = 640

begin 'a failed run leaves an existing output alone'
echo old >mask.png
run "$P" -s "$IN/only_fg.png" -o mask.png
expect 'fails' test "$status" = 4
expect 'untouched' test "$(cat mask.png)" = old

begin 'if one output fails, new ones go'
mkdir locked.json
run "$P" -s "$S" -o mask.png --cutout c.png --json locked.json
expect 'fails' test "$status" = 1
expect 'no mask' test ! -e mask.png -a ! -e c.png
