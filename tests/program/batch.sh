# SPDX-License-Identifier: MIT
#
# The verb batch: patterns, lists, folders, collisions, failures among successes, resuming, signals, memory.
# shellcheck shell=sh disable=SC2154

P="$IN/photo.png"
S="$IN/seeds.png"

# photos_and_seeds N: makes photos p1.png and so on, and their seeds, in separate folders.
photos_and_seeds() {
    mkdir -p photos seeds
    i=1
    while [ "$i" -le "$1" ]; do
        cp "$P" "photos/p$i.png" && cp "$S" "seeds/p$i.png"
        i=$((i + 1))
    done
}

summary() { grep '^tilecut: [0-9]* done, [0-9]* skipped, [0-9]* failed' "$ERR" | sed 's/ in .*//'; }
says() { test "$(summary)" = "tilecut: $1"; }

"$TILECUT" "$P" -s "$S" -o "$WORK/single.png" --cutout "$WORK/single-cutout.png" \
    --confidence "$WORK/single-sure.pgm" 2>"$ERR"

begin 'batch: masks are those of single runs'
photos_and_seeds 5
ends 0 batch photos/p1.png photos/p2.png photos/p3.png photos/p4.png photos/p5.png -s 'seeds/{stem}.png' -O masks \
    --threads 3 --overlay '{stem}-over.{ext}' --cutout 'cut/{name}' --confidence 'sure/{stem}.pgm'
expect 'counts' says '5 done, 0 skipped, 0 failed'
expect 'nothing on standard output' test ! -s "$OUT"
for i in 1 2 3 4 5; do
    expect "mask $i" same "masks/p$i.png" "$WORK/single.png"
    expect "overlay $i" test -s "masks/p$i-over.png"
    expect "how sure $i" same "masks/sure/p$i.pgm" "$WORK/single-sure.pgm"
    expect "cutout $i" test -s "masks/cut/p$i.png"
done

begin 'batch: all masks in one COCO file'
photos_and_seeds 3
ends 0 batch photos/p1.png photos/p2.png photos/p3.png -s 'seeds/{stem}.png' -O masks --coco all.coco.json
run score all.coco.json masks
expect 'each mask again' test "$(grep -c ' 0.000 %   1.0000   1.0000 ' "$OUT")" = 4
run batch photos/p1.png photos/p2.png photos/p3.png -s 'seeds/{stem}.png' -O masks --coco all.rle.json --resume
expect 'what is there is not made again' says '0 done, 3 skipped, 0 failed'
run score all.rle.json all.coco.json
expect 'as run lengths' test "$(grep -c ' 0.000 %   1.0000   1.0000 ' "$OUT")" = 4
rm masks/p2.png
ends 1 batch photos/p1.png photos/p2.png photos/p3.png -s 'none/{stem}.png' -O masks --coco two.coco.json --resume
expect 'a mask is missing' grep -q '1 of 3 masks are not there, and two.coco.json is without them' "$ERR"
expect 'two pictures' test "$(grep -o '"file_name"' two.coco.json | wc -l)" = 2

begin 'batch: a list, in every way of writing it'
photos_and_seeds 4
mkdir masks
printf '\357\273\277photos/p1.png\tseeds/p1.png\tmasks/one.png\r\n\n# a comment\n' >jobs.tsv
printf 'photos/p2.png\tseeds/p2.png\n' >>jobs.tsv
printf 'photos/p3.png\nphotos/p4.png\t\tmasks/four.png' >>jobs.tsv
ends 0 batch --list jobs.tsv -s 'seeds/{stem}.png' -O masks -q
expect 'silence' test ! -s "$ERR"
for m in one p2 p3 four; do expect "$m" same "masks/$m.png" "$WORK/single.png"; done
"$TILECUT" batch --list - -s 'seeds/{stem}.png' -O masks <jobs.tsv >"$OUT" 2>"$ERR"
status=$? command='tilecut batch --list -'
expect 'from standard input' says '4 done, 0 skipped, 0 failed'

# list_refused NAME STATUS TEXT LIST: a list is refused before any work starts, and the message names the line.
list_refused() { # NAME STATUS TEXT LIST, as printf takes it
    begin "batch: $1"
    # shellcheck disable=SC2059 # the list is meant as a format
    printf "$4" >"$WORK/jobs.tsv"
    run batch --list "$WORK/jobs.tsv" -O masks
    refused "$2" "$3"
}
list_refused 'four fields' 3 'jobs.tsv: line 1: has more than 3 fields' 'a.png\tb.png\tc.png\td.png\n'
list_refused 'no photo' 3 'jobs.tsv: line 3: names no photo' 'a.png\tb.png\n\n\tb.png\n'
list_refused 'a zero byte' 3 'line 1: holds a zero byte' 'a.png\tb\000.png\n'
list_refused 'seeds from standard input' 3 'line 1: a batch reads and writes files' 'a.png\t-\n'
list_refused 'an empty list' 3 'holds no picture' '# nothing\n'
list_refused 'two results in one file' 2 'both a.png and b.png would be written' \
    'a.png\ts\tmasks/x.png\nb.png\ts\t./masks/x.png\n'
list_refused 'a result over the photo of another' 2 'would overwrite this input' \
    'a.png\ts.png\tmasks/b.png\nmasks/b.png\ts.png\tmasks/c.png\n'
list_refused 'a result outside of -O' 3 'line 1: ../x.png lies outside masks' 'a.png\ts.png\t../x.png\n'
list_refused 'a result around the corner of -O' 3 'lies outside masks' 'a.png\ts.png\tmasks/a/../../x.png\n'
list_refused 'a result beside -O' 3 'lies outside masks' 'a.png\ts.png\tmasks2/x.png\n'
refuses 'batch: nothing to do' 2 'nothing to do' batch -O masks
refuses 'batch: no folder for results' 2 'name a folder with -O' batch a.png
refuses 'batch: unknown placeholder' 2 'after { comes stem' batch a.png -s '{steam}.png' -O masks
refuses 'batch: standard input as a photo' 2 'reads and writes files' batch - -O masks
refuses 'batch: two photos, one name' 2 'both' batch a/x.png b/x.png -O masks
refuses 'batch: --background without cutouts' 2 '--cutout PATTERN is missing' \
    batch a.png -O masks --background '#ffffff'

begin 'batch: masks to begin from, as a pattern, as a folder, as one file for all'
photos_and_seeds 3
mkdir net
printf '{"shapes": [{"points": [[8, 8], [48, 20], [20, 40]]}]}' >shape.json
"$TILECUT" refine "$P" shape.json -o first.png
"$TILECUT" refine "$P" first.png -o single.png --json single.json
cp first.png net/p1.png && cp first.png net/p2.png && cp first.png net/p3.png
run batch photos/p1.png photos/p2.png photos/p3.png --mask 'net/{stem}.png' -O a --json a.jsonl
expect 'a pattern' says '3 done, 0 skipped, 0 failed'
for i in 1 2 3; do expect "as refine does: $i" same "a/p$i.png" single.png; done
expect 'the report has the mask' test "$(grep -c '"use": "mask"' a.jsonl)" = 3
awk 'BEGIN { s = 7; print "P2 150 130 255"
    for (; i < 19500; i++) { s = s * 16807 % 2147483647; print 100 + s % 50 } }' >noise.pgm
awk 'BEGIN { print "P2 150 130 255"
    for (; i < 19500; i++) print ((i % 150 - 70) ^ 2 + (int(i / 150) - 60) ^ 2 <= 625) * 255 }' >disc.pgm
for how in 'refine noise.pgm disc.pgm -o noisy.pgm' 'segment noise.pgm --mask disc.pgm -o noisy.pgm' \
    'batch noise.pgm --refine --mask disc.pgm -O noisy'; do
    # shellcheck disable=SC2086
    run $how --json noise.json
    expect "a mask on noise stays: $how" grep -q '"added": 0, "removed": 0,.*"doubted": 1961' noise.json
    expect "a note says so: $how" has 'is learnt from it would change 1961 pixels and is not believed' "$ERR"
done
mkdir loose
"$TILECUT" refine "$P" shape.json --band 1 -o loose/p1.png -q
"$TILECUT" refine "$P" loose/p1.png -o free.png -q
for how in '--band 2' '--mask-cell 8'; do
    # shellcheck disable=SC2086
    "$TILECUT" refine "$P" loose/p1.png $how -o bounded.png -q
    # shellcheck disable=SC2086
    run batch photos/p1.png --mask loose $how -O bound -q
    expect "as refine $how does" same bound/p1.png bounded.png
    expect "$how is no idle word" test "$(cmp -s bounded.png free.png && echo same)" != same
done
run batch photos/p1.png -s '{stem}.png' --mask-cell 4 -O bound
expect 'of no mask' test "$status" = 2
expect 'a sentence' has '--mask-cell: is of a mask to begin from' "$ERR"
run batch photos/p1.png -s 'seeds/{stem}.png' --band 4 -O bound
expect 'a band of no mask' test "$status" = 2
expect 'a sentence about it' has '--band: is about the edge of a mask, one to refine or one as seeds' "$ERR"
"$TILECUT" refine "$P" loose/p1.png --band 2 -o bounded.png -q
printf 'image\trefine\tseeds\tband\nphotos/p1.png\tloose/p1.png\t\t2\n' >own.tsv
printf 'photos/p2.png\t\tseeds/p2.png\t3\nphotos/p3.png\t\tseeds/p3.png\t\n' >>own.tsv
ends 1 batch --list own.tsv -O own
expect "a photo's own band" same own/p1.png bounded.png
expect 'one without a mask' has 'photos/p2.png: --band: is about the edge of a mask' "$ERR"
expect 'the others' says '2 done, 0 skipped, 1 failed'
printf 'image\trefine\tseeds\nphotos/p1.png\tloose/p1.png\t\nphotos/p2.png\t\tseeds/p2.png\n' >all.tsv
run batch --list all.tsv --band 2 -O all -q
expect 'a band for all photos is for those with masks' same all/p1.png bounded.png
sed 1d all.tsv | sed 1d | sed '1i image\trefine\tseeds' >none.tsv
run batch --list none.tsv --band 2 -O none
expect 'a band of no mask' test "$status" = 2
expect 'a sentence about it' has '--band: is about the edge of a mask, one to refine or one as seeds' "$ERR"
run batch --list none.tsv --mask-cell 4 -O none
expect 'a cell of no mask' test "$status" = 2
run batch -r photos --refine --mask net -O b
expect 'a folder' says '3 done, 0 skipped, 0 failed'
for i in 1 2 3; do expect "as refine does: $i" same "b/p$i.png" single.png; done
run batch -r photos --refine --mask net -O b --resume
expect 'resumed' says '0 done, 3 skipped, 0 failed'
printf '{"shapes": [{"points": [[8, 8], [56, 8], [56, 50], [8, 50]]}]}' >two.json
"$TILECUT" refine "$P" two.json -o two.png
"$TILECUT" "$P" --fg '40,30' --bg '2,2 60,2' -o net/p2.png
rm net/p3.png
run batch -r photos --refine --mask net -O b --resume
expect 'what has changed is made again' says '1 done, 1 skipped, 0 failed'
expect 'what has no mask is left out' has 'p3.png: has no mask to refine, there is no net/p3.png; left out' "$ERR"
run batch photos --refine --mask 'nett/{stem}.png' -O none
expect 'none has a mask' test "$status" = 3
expect 'which the message says' has 'there is no nett/p1.png; left out, and so are all others' "$ERR"
expect 'nothing is made' test ! -e none
cat >many.json <<'X'
{"images": [{"id": 1, "file_name": "p1.jpg"}, {"id": 2, "file_name": "x/p2.png"}],
 "annotations": [{"image_id": 1, "segmentation": [[8, 8, 48, 20, 20, 40]]},
                 {"image_id": 2, "segmentation": [[8, 8, 56, 8, 56, 50, 8, 50]]}]}
X
run batch -r photos --refine --mask many.json -O c
expect 'one file for all: those that it names' says '2 done, 0 skipped, 1 failed'
expect 'the first' same c/p1.png first.png
expect 'the second' same c/p2.png two.png
expect 'the third is told' has 'is about several pictures, and none of them has the name of photos/p3.png' "$ERR"
cat >objects.json <<'X'
{"images": [{"id": 1, "file_name": "p1.png"}, {"id": 2, "file_name": "p2.png"}],
 "annotations": [{"image_id": 1, "segmentation": [[8, 8, 48, 20, 20, 40]]}, {"image_id": 2, "bbox": [9, 9, 40, 40]},
                 {"image_id": 1, "segmentation": [[8, 8, 56, 8, 56, 50, 8, 50]]}]}
X
run batch photos/p1.png --refine --mask objects.json -O f --name '{stem}-{object}.png'
expect 'each object of a photo is a job' says '2 done, 0 skipped, 0 failed'
expect 'the first object' same f/p1-1.png first.png
expect 'the second object' same f/p1-2.png two.png
run batch photos/p1.png --refine --mask objects.json -O f --name '{stem}-{object}.png' --resume
expect 'and resumed' says '0 done, 2 skipped, 0 failed'
run batch -r photos --refine -O d
expect 'which masks' has '--refine: which masks is not told; name them with --mask' "$ERR"
printf 'image\trefine\nphotos/p1.png\tfirst.png\n' >list.tsv
run batch --list list.tsv -O e
expect 'a column' same e/p1.png single.png

begin 'batch: a folder without -r: the pictures in it, and none below'
photos_and_seeds 2
mkdir photos/below
cp "$IN/photo.png" photos/below/p3.png
run batch photos -s seeds/ -O masks --cutout cut/
expect 'two' says '2 done, 0 skipped, 0 failed'
expect 'and folders as patterns' test -s masks/p2.png -a -s masks/cut/p2.png

begin 'batch: folders with -r'
photos_and_seeds 2
mkdir -p photos/deep/er photos/.hidden photos/masks
cp "$P" photos/deep/er/p1.png
cp "$P" photos/.hidden/p1.png
cp "$P" photos/masks/p1.png
mv seeds photos/
echo 'no picture' >photos/readme.txt
ln -s nowhere.png photos/dangling.png
ends 0 batch -r photos -s 'photos/seeds/{stem}.png' -O photos/masks --name '{sub}/{stem}.png'
expect 'seeds, hidden files and masks are no photos' says '3 done, 0 skipped, 0 failed'
expect 'a link to nothing is named' has 'note: photos/dangling.png: is a link to a file that is not there' "$ERR"
expect 'the tree is kept' same photos/masks/deep/er/p1.png "$WORK/single.png"

begin 'batch: names that tell no format are refused before a folder is made'
photos_and_seeds 1
for wrong in '--cutout cuts/cut' '--overlay {sub}/{stem}' '--confidence sure/{stem}.xyz' '--name {stem}' \
    '--cutout {stem}.jpg' '--json masks/lines.json --coco masks/deep/all.json'; do
    # shellcheck disable=SC2086 # several words are meant
    ends 2 batch photos/p1.png -s 'seeds/{stem}.png' -O masks $wrong
    expect "$wrong: nothing is made" test ! -e masks -a "$(wc -l <"$ERR")" = 1
done
works batch photos/p1.png -s 'seeds/{stem}.png' -O masks --cutout cuts/ --overlay 'o/{name}' --confidence s \
    --format png --json masks/deep/lines.json --coco masks/deep/all.coco.json -q
expect 'those that do' test -e masks/cuts/p1.png -a -e masks/o/p1.png -a -e masks/s -a -e masks/deep/all.coco.json

begin 'batch: one failure does not stop the others'
photos_and_seeds 4
echo rubbish >photos/p2.png
rm seeds/p3.png
ends 1 batch photos/p*.png -s 'seeds/{stem}.png' -O masks --json lines.json
expect 'counts' says '2 done, 0 skipped, 2 failed'
expect 'names the photo' has 'photos/p2.png' "$ERR"
expect 'names the seeds' has 'seeds/p3.png' "$ERR"
expect 'no mask of failed jobs' test "$(ls masks | tr '\n' ' ')" = 'p1.png p4.png '
expect 'a line a job' test "$(wc -l <lines.json)" = 4
expect 'two with errors' test "$(grep -c '"error": {"code": 3' lines.json)" = 2
if command -v jq >/dev/null; then
    expect 'JSON lines' test "$(jq -r '[.image, .output, .mask_sha256 != null, .error.code // 0] | @csv' lines.json |
        sort | tr -d '"' | tr '\n' ' ')" = 'photos/p1.png,masks/p1.png,true,0 photos/p2.png,masks/p2.png,false,3 '\
'photos/p3.png,masks/p3.png,false,3 photos/p4.png,masks/p4.png,true,0 '
fi

begin 'batch: --fail-fast begins nothing else'
photos_and_seeds 9
echo rubbish >photos/p1.png
ends 1 batch photos/p*.png -s 'seeds/{stem}.png' -O masks --fail-fast --threads 1
expect 'counts' says '0 done, 0 skipped, 1 failed, 8 not begun'

# resumed NAME COUNTS COMMAND [OPTIONS]: runs a batch of four photos, changes something by COMMAND, resumes the batch
# and checks its counts.
resumed() { # NAME COUNTS COMMAND [OPTIONS]
    begin "batch: --resume $1"
    photos_and_seeds 4
    run batch photos/p*.png -s 'seeds/{stem}.png' -O masks --cutout 'cut/{stem}.png'
    counts=$2
    eval "$3"
    shift 3
    ends 0 batch photos/p*.png -s 'seeds/{stem}.png' -O masks --cutout 'cut/{stem}.png' --resume "$@"
    expect "counts, not $(summary)" says "$counts"
    run batch photos/p*.png -s 'seeds/{stem}.png' -O masks --cutout 'cut/{stem}.png' --resume "$@"
    expect "counts again, not $(summary)" says '0 done, 4 skipped, 0 failed'
}
resumed 'skips what is there' '0 done, 4 skipped, 0 failed' ':'
resumed 'goes by content, not by dates' '0 done, 4 skipped, 0 failed' "touch photos/*; touch -d '1 hour ago' masks/*"
resumed 'makes what is missing' '2 done, 2 skipped, 0 failed' 'rm masks/p1.png masks/cut/p4.png'
resumed 'makes a mask of no bytes again' '1 done, 3 skipped, 0 failed' ': >masks/p2.png'
resumed 'makes a mask cut short again' '1 done, 3 skipped, 0 failed' 'truncate -s 100 masks/p2.png'
resumed 'makes a mask of another size again' '1 done, 3 skipped, 0 failed' 'cp "$IN/small_seeds.png" masks/p2.png'
resumed 'makes a mask of another run again' '1 done, 3 skipped, 0 failed' \
    '"$TILECUT" photos/p2.png --box 20,10,50,40 -o masks/p2.png'
resumed 'makes a mask of another photo again' '1 done, 3 skipped, 0 failed' \
    'cp -p "$IN/grey.png" photos/p2.png; touch -d "1 day ago" photos/p2.png'
resumed 'makes a mask of other seeds again' '1 done, 3 skipped, 0 failed' \
    'cp "$IN/trimap.png" seeds/p3.png; touch -d "1 day ago" seeds/p3.png'
resumed 'makes all again with other options' '4 done, 0 skipped, 0 failed' ':' --lambda 70
resumed 'does not mind other threads' '0 done, 4 skipped, 0 failed' ':' --threads 1 --solver bk
resumed 'believes no damaged state' '4 done, 0 skipped, 0 failed' 'printf "a\\000b" >masks/.tilecut-state'
resumed 'knows no state of before' '4 done, 0 skipped, 0 failed' 'rm masks/.tilecut-state'

begin 'batch: --resume with another picture behind the cutouts'
photos_and_seeds 2
cp "$IN/photo.png" behind.png
again() {
    run batch photos/p*.png -s 'seeds/{stem}.png' -O masks --cutout 'cut/{stem}.png' --background behind.png --resume
}
again
again
expect 'the same: skipped' says '0 done, 2 skipped, 0 failed'
cp "$IN/truth.png" behind.png
again
expect 'another: made again' says '2 done, 0 skipped, 0 failed'
printf 'image\tbackground\tresize\n%s\tnavy\t50%%\n' photos/p1.png >list.tsv
run batch --list list.tsv -s 'seeds/{stem}.png' -O own --cutout '{stem}.ppm'
expect 'each photo its own' says '1 done, 0 skipped, 0 failed'
expect 'navy, at half size' test "$(od -An -tu1 -j 13 -N 3 own/p1.ppm 2>&1 | tr -s ' ')" = ' 0 0 128'

# A newer program with different masks must not skip photos that an older one has done.
begin 'batch: --resume goes by the version of the program and the number of its results'
mkdir masks
run batch "$IN/photo.png" -s "$IN/seeds.png" -O masks
number=$(sed -n 's/^#define TILECUT_RESULTS *//p' "$here/../../src/tilecut.h")
sum() { sha256sum | cut -c1-64; }
key=$(printf '%s\0' "$("$TILECUT" --version | sed 's/.* //')" "$number" "$(sum <"$IN/photo.png")" seeds \
    "$(sum <"$IN/seeds.png")" seeds '' | sum)
expect "a key with the number $number" grep -q "^$key --output " masks/.tilecut-state

begin 'batch: --resume waits for no pipe in the place of its state'
mkdir masks && mkfifo masks/.tilecut-state
TILECUT_LIMIT=20 run batch "$IN/photo.png" -s "$IN/seeds.png" -O masks --resume
expect 'status 0' test "$status" = 0
expect 'made' has '1 done, 0 skipped, 0 failed' "$ERR"

begin 'batch: --resume with another kind of result'
photos_and_seeds 4
run batch photos/p*.png -s 'seeds/{stem}.png' -O masks
run batch photos/p*.png -s 'seeds/{stem}.png' -O masks --resume --overlay '{stem}-o.png'
expect 'it is missing' says '4 done, 0 skipped, 0 failed'

begin 'batch: a pattern that is an absolute path is not looked for in the folder of -O'
photos_and_seeds 2
run batch photos/p*.png -s 'seeds/{stem}.png' -O masks --cutout "$PWD/cut/{stem}.png"
expect 'both cutouts are there' test -s cut/p1.png -a -s cut/p2.png
expect 'nothing else is in the folder' test "$(ls masks | tr '\n' ' ')" = 'p1.png p2.png '
run batch photos/p*.png -s 'seeds/{stem}.png' -O masks --cutout "$PWD/cut/{stem}.png" --resume
expect 'they are skipped' says '0 done, 2 skipped, 0 failed'

begin 'batch: a column says for each photo what the lines of its YOLO file are'
photos_and_seeds 3
echo '0 .5 .5 .6 .4 .4 .5 .6 .4 .5 .6' >lines.txt
printf 'image\tseeds\tbg\tyolo\n' >list.tsv
printf 'photos/p%d.png\tlines.txt\t1,1\t%s\n' 1 boxes 2 '' 3 polygons >>list.tsv
for what in boxes polygons; do
    "$TILECUT" photos/p1.png -s lines.txt --bg 1,1 --yolo $what -o $what.png
done
ends 1 batch --list list.tsv -O masks --threads 1
expect 'the second is refused' has 'say with --yolo polygons or boxes which it is' "$ERR"
expect 'it has no mask' test ! -e masks/p2.png
expect 'the first has boxes' same masks/p1.png boxes.png
expect 'the third has polygons' same masks/p3.png polygons.png

begin 'batch: columns of a list give each photo its own box, strokes and options'
photos_and_seeds 4
printf 'image\tseeds\tmask\tbox\tfg\tbg\tbg\tlambda\tinvert\tcutout\n' >jobs.tsv
printf 'photos/p1.png\tseeds/p1.png\tmasks/1.png\n' >>jobs.tsv
printf 'photos/p2.png\t\tmasks/2.png\t20,10,50,40\n' >>jobs.tsv
printf 'photos/p3.png\t\tmasks/3.png\t\t48,32 50,34\t3,3\t90,60 90,50\t70\tyes\t\n' >>jobs.tsv
printf 'photos/p4.png\tseeds/p4.png\tmasks/4.png\t\t\t\t\t\tno\tmasks/c.png\n' >>jobs.tsv
{
    printf '{"image": "photos/p1.png", "seeds": ["seeds/p1.png"], "mask": "json/1.png"}\n'
    printf '{"mask": "json\\/2.png", "image": "photos/p\\u0032.png", "box": [20, 10, 50, 40], "cutout": null}\n'
    printf '{"image":"photos/p3.png","mask":"json/3.png","fg":"48,32 50,34","bg":["3,3","90,60 90,50"],"lambda":70,'
    printf '"invert":true}\n\n'
    printf '{"image":"photos/p4.png","seeds":"seeds/p4.png","mask":"json/4.png","invert":false,"cutout":"json/c.png"}'
} >jobs.json
mkdir masks json
for list in tsv json; do
    ends 0 batch --list jobs.$list
    expect "$list: counts" says '4 done, 0 skipped, 0 failed'
done
"$TILECUT" "$P" --box 20,10,50,40 -o 2.png 2>/dev/null
"$TILECUT" "$P" --fg '48,32 50,34' --bg 3,3 --bg '90,60 90,50' --lambda 70 --invert -o 3.png 2>/dev/null
for folder in masks json; do
    expect "$folder: seeds" same $folder/1.png "$WORK/single.png"
    expect "$folder: a box" same $folder/2.png 2.png
    expect "$folder: strokes, lambda, invert" same $folder/3.png 3.png
    expect "$folder: a cutout" same $folder/c.png "$WORK/single-cutout.png"
    expect "$folder: no other" test ! -e $folder/3-cutout.png
done
sed 's/70/71/' jobs.tsv >other.tsv
run batch --list other.tsv --resume
expect 'resumed, one with another option' says '1 done, 3 skipped, 0 failed'
list_refused 'a column that is none' 3 "jobs.tsv: line 1: column 'lamda' is neither a file" 'image\tlamda\na.png\t7\n'
list_refused 'a column twice' 3 "jobs.tsv: line 1: column 'box' is there twice" 'image\tbox\tbox\n'
list_refused 'more fields than columns' 3 'jobs.tsv: line 2: has more than the 2 fields' 'image\tbox\na\t1,1,2,2\t9\n'
list_refused 'a value that is none' 3 "line 2: --box: '1,1' is not a box" 'image\tmask\tbox\na.png\tb.png\t1,1\n'
list_refused 'a limit for one photo' 3 "column 'max-memory' is neither" 'image\tmax-memory\na\t1\n'
list_refused 'JSON that is none' 3 'line 1: a : is missing after a key' '{"image": "a.png", "mask"}\n'
list_refused 'JSON with more behind it' 3 'line 1: something that is no JSON follows the end' '{"image": "a.png"} x\n'
list_refused 'a key that is none' 3 "line 1: 'imgae' is neither" '{"imgae": "a.png"}\n'
list_refused 'a flag that is none' 3 "line 1: --invert: 'maybe' is not yes or no" \
    '{"image": "a.png", "invert": "maybe"}\n'
list_refused 'an object without a photo' 3 'line 1: names no photo' '{"mask": "a.png"}\n'

# Starts a batch of five photos with one thread. It stops at the second photo, which is a pipe: the first is done, and
# no other has begun. `go_on` lets the program read that photo.
start_five() { # OPTIONS
    photos_and_seeds 5
    rm photos/p2.png && mkfifo photos/p2.png
    # Background jobs of a shell ignore SIGINT, and the program keeps the signals ignored that its parent ignores. So
    # env has to restore the default.
    default=
    env --default-signal=INT true 2>/dev/null && default='env --default-signal=INT'
    $default "$TILECUT" batch photos/p1.png photos/p2.png photos/p3.png photos/p4.png photos/p5.png \
        -s 'seeds/{stem}.png' -O masks --threads 1 "$@" 2>"$ERR" >"$OUT" &
    child=$! command="tilecut batch, five photos, $*"
    exec 9>photos/p2.png
}
go_on() {
    cat "$P" >&9
    exec 9>&-
    wait $child
    status=$?
}
masks_are() {
    expect "masks: $1" test "$(ls -A masks | grep -v '^\.tilecut-state$' | tr '\n' ' ')" = "$1"
    for m in masks/*; do expect "$m" same "$m" "$WORK/single.png"; done
}

begin 'batch: the first signal lets the job in flight finish'
start_five
kill -TERM $child
asleep $child
go_on
expect 'status 143' test "$status" = 143
expect 'counts' says '2 done, 0 skipped, 0 failed, 3 not begun'
masks_are 'p1.png p2.png '

begin 'batch: one signal ends a wait for a pipe that nobody writes to'
photos_and_seeds 3
rm photos/p2.png && mkfifo photos/p2.png
command='tilecut batch, a pipe among the photos'
"$TILECUT" batch photos/p1.png photos/p2.png photos/p3.png -s 'seeds/{stem}.png' -O masks --threads 1 2>"$ERR" >"$OUT" &
child=$!
until [ -e masks/p1.png ] || ! kill -0 $child 2>/dev/null; do sleep 0.02; done
asleep $child
kill -TERM $child
wait $child
status=$?
expect 'status 143' test "$status" = 143
expect 'says which' has 'photos/p2.png: is a pipe that nobody wrote to' "$ERR"
expect 'counts' says '1 done, 0 skipped, 1 failed, 1 not begun'
masks_are 'p1.png '

if ldd "$TILECUT" | grep -q libtsan; then # which puts signals off until a read() returns
    echo 'skipped: batch: the second signal, with the thread sanitizer'
else
begin 'batch: the second signal ends at once'
start_five
signal=TERM
[ -z "$default" ] || signal=INT
kill -s $signal $child
asleep $child
kill -s $signal $child
wait $child
status=$?
exec 9>&-
expect 'status 130 or 143' test "$signal$status" = INT130 -o "$signal$status" = TERM143
masks_are 'p1.png '
fi

begin 'batch: files that vanish on the way'
start_five
rm photos/p4.png seeds/p5.png
go_on
expect 'status 1' test "$status" = 1
expect 'counts' says '3 done, 0 skipped, 2 failed'
expect 'names the photo' has 'photos/p4.png: there is no such file' "$ERR"
expect 'names the seeds' has 'seeds/p5.png: there is no such file' "$ERR"
masks_are 'p1.png p2.png p3.png '

begin 'batch: nobody reads the JSON any more'
mkfifo json
head -n 1 json >first &
reader=$!
start_five --json json
wait $reader
go_on
expect 'status 1' test "$status" = 1
expect 'one line, which says why' test "$(cat "$ERR")" = \
    'tilecut: json: not written: nobody reads the other end of the pipe'
expect 'the first line came whole' test "$(grep -c '^{.*"output": "masks/p1.png".*}$' first)" = 1
masks_are 'p1.png p2.png '

begin 'batch: kill -9 and --resume'
start_five
kill -KILL $child
wait $child 2>/dev/null
exec 9>&-
masks_are 'p1.png '
rm photos/p2.png
cp "$P" photos/p2.png
touch -d '1 hour ago' photos/p2.png
ends 0 batch photos/p*.png -s 'seeds/{stem}.png' -O masks --resume
expect 'counts' says '4 done, 1 skipped, 0 failed'
masks_are 'p1.png p2.png p3.png p4.png p5.png '

begin 'batch: killed in any moment, no mask is half there'
photos_and_seeds 100
touch -d '1 hour ago' photos/* seeds/*
for pause in 0.01 0.02 0.03 0.05 0.08; do
    "$TILECUT" batch -r photos -s 'seeds/{stem}.png' -O masks --resume -q --threads 4 &
    child=$!
    sleep $pause
    kill -KILL $child 2>/dev/null
    wait $child 2>/dev/null
    for m in masks/*.png; do [ ! -e "$m" ] || expect "$m" same "$m" "$WORK/single.png"; done
done
before=$(ls masks | wc -l)
run batch -r photos -s 'seeds/{stem}.png' -O masks --resume
expect "counts, $before were there" says "$((100 - before)) done, $before skipped, 0 failed"
for m in masks/*.png; do expect "$m" same "$m" "$WORK/single.png"; done

begin 'batch: a disk that fills up'
photos_and_seeds 8
mkdir masks
if mount -t tmpfs -o size=16k none masks 2>/dev/null; then
    run batch photos/p*.png -s 'seeds/{stem}.png' -O masks --threads 3
    finished=$(ls -A masks | grep -vc '^\.tilecut-state$')
    expect 'status 1' test "$status" = 1
    expect 'some are there' test "$finished" -gt 0
    expect 'counts' says "$finished done, 0 skipped, $((8 - finished)) failed"
    expect 'says why' has 'no space left' "$ERR"
    mount -o remount,size=1m masks
    run batch photos/p*.png -s 'seeds/{stem}.png' -O masks --threads 3 --resume
    expect 'counts, with room' says "$((8 - finished)) done, $finished skipped, 0 failed"
    masks_are 'p1.png p2.png p3.png p4.png p5.png p6.png p7.png p8.png '
    umount masks
else
    echo 'skipped: batch: no right to mount a small tmpfs'
fi

begin 'batch: jobs wait for memory, and what never fits fails alone'
photos_and_seeds 6
"$TILECUT" make photo --image "$P" -s "$S" --size 1024 -o photos/large.png \
    --seeds-output seeds/large.png 2>/dev/null
ends 1 batch photos/*.png -s 'seeds/{stem}.png' -O masks --threads 4 --max-memory 8M -v
expect 'counts' says '6 done, 0 skipped, 1 failed'
expect 'names it' has 'photos/large.png' "$ERR"
rm -rf photos seeds
mkdir photos seeds
"$TILECUT" make photo --image "$P" -s "$S" --size 512 -o photos/1.png --seeds-output seeds/1.png 2>/dev/null
for i in 2 3 4 5 6 7 8; do ln photos/1.png photos/$i.png && ln seeds/1.png seeds/$i.png; done
for how in '1 1G' '8 16M'; do # a job needs 15 MB; eight at a time would take six times as much as one
    run batch -r photos -s 'seeds/{stem}.png' -O masks --threads "${how% *}" --max-memory "${how#* }" --json lines.json
    expect "$how: counts" says '8 done, 0 skipped, 0 failed'
    peaks=${peaks:-}" $(sed -n 's/.*"peak_bytes": \([0-9]*\).*/\1/p' lines.json | sort -n | tail -n 1)"
done
sanitized || # which keep what was freed
    expect "peaks with one thread and with a limit:$peaks" test "${peaks##* }" -lt $((${peaks% *} * 2))

begin 'batch: a device that is not there is told once, before any job'
photos_and_seeds 9
run batch -r photos -s 'seeds/{stem}.png' -O masks --threads 4 --solver cuda
if [ "$status" = 0 ]; then
    echo 'skipped: batch: there is a device'
else
    expect 'status 5' test "$status" = 5
    expect 'one line' test "$(wc -l <"$ERR")" = 1
    expect 'no masks' test ! -e masks
fi

# With valid files, rubbish, truncated files and missing seeds, the counts are right, and memory does not grow with the
# number of files.
mixed_batch() { # N: makes its photos and seeds; every tenth of each kind is bad
    rm -rf photos seeds masks
    mkdir photos seeds
    i=0
    while [ "$i" -lt "$1" ]; do
        case $((i % 10)) in
        1) echo rubbish >"photos/$i.png" ;;
        2) ln "$WORK/cut-off.png" "photos/$i.png" ;;
        3) : >"photos/$i.png" ;;
        *) ln "$WORK/tiny.png" "photos/$i.png" ;;
        esac
        [ $((i % 10)) = 4 ] || ln "$WORK/tiny-seeds.png" "seeds/$i.png"
        i=$((i + 1))
    done
    ends 1 batch -r photos -s 'seeds/{stem}.png' -O masks --json lines.json --threads 4 --max-memory 200M
    expect "$1: counts" says "$(($1 * 6 / 10)) done, 0 skipped, $(($1 * 4 / 10)) failed"
    expect "$1: a line each" test "$(wc -l <lines.json)" = "$1"
    expect "$1: masks" test "$(ls masks | wc -l)" = $(($1 * 6 / 10))
    peak=$(sed -n 's/.*"peak_bytes": \([0-9]*\).*/\1/p' lines.json | sort -n | tail -n 1)
}

begin 'batch: 2000 mixed files take the memory of 200'
"$TILECUT" make photo --image "$P" -s "$S" --size 64 -o "$WORK/tiny.png" \
    --seeds-output "$WORK/tiny-seeds.png" 2>/dev/null
head -c 2000 "$WORK/tiny.png" >"$WORK/cut-off.png"
mixed_batch 200
few=$peak
# The list itself takes some hundred bytes a job, and another worker may be at its peak of 8 MB at the same time. A
# sanitizer's own records also grow, and it takes a tenth of a second for each file.
if ! sanitized; then
    mixed_batch 2000
    expect "peak of 200: $few bytes, of 2000: $peak" test "$peak" -lt $((few + 10000000))
fi
