# SPDX-License-Identifier: MIT
#
# Masks written as shapes, and shapes read as seeds, boxes and masks. tests/python/test_annotations.py checks that other
# programs read these files in the same way.
# shellcheck shell=sh disable=SC2154

begin 'annotations: every format says the mask to the pixel'
works segment "$IN/photo.png" -s "$IN/seeds.png" -o mask.png
for format in labelme coco coco-rle geojson label-studio; do
    works segment "$IN/photo.png" -s "$IN/seeds.png" -o "$format.json" --format "$format" --label cat
    run score "$format.json" mask.png --json score.json
    expect "$format is the mask" has '"wrong": 0' score.json
    expect "$format names the label" has '"cat"' "$format.json"
    expect "$format names the photo" has '"photo.png"' "$format.json"
done
for file in a.svg a.geojson a.labelme.json a.coco.json a.rle.json a.studio.json a.yolo.txt; do
    works segment "$IN/photo.png" -s "$IN/seeds.png" -o "$file"
    expect "$file is there" test -s "$file"
done
expect 'a path' has '<path' a.svg
run segment "$IN/photo.png" -s "$IN/seeds.png" -o - --format geojson
expect 'standard output' same "$OUT" a.geojson

begin 'annotations: what JSON a name means has to be told'
run segment "$IN/photo.png" -s "$IN/seeds.png" -o mask.json
refused 2 'mask.json: which kind of JSON is not told by its name; add --format labelme'
fails 2 "cut.svg: 'svg' files cannot be written" segment "$IN/photo.png" -s "$IN/seeds.png" --cutout cut.svg

begin 'annotations: in SVG outlines around shapes do not count, faint shapes do, lines are strokes; and that is said'
echo '<svg width="96" height="64"><path d="M20 20H60V50H20Z" fill="red"/></svg>' >filled.svg
sed 's/fill=/stroke-width="6" stroke="black" &/' filled.svg >outlined.svg
works score filled.svg filled.svg
run score outlined.svg filled.svg
expect 'the same mask' test "$status" = 0 -a "$(tail -n 1 "$OUT" | cut -c1-17)" = '   0.000 %   1.00'
expect 'a note' has 'outlined.svg: the outlines drawn around 1 of its filled shapes do not count' "$ERR"
for looks in 'fill="url(#a)"' 'fill="red" opacity="40%"' 'fill="#ffffff33"' 'style="filter:url(#b)"'; do
    sed "s/fill=\"red\"/$looks/" filled.svg >faint.svg
    run score faint.svg filled.svg
    expect "$looks: the same mask" test "$status" = 0 -a "$(tail -n 1 "$OUT" | cut -c1-17)" = '   0.000 %   1.00'
    expect "$looks: a note" has 'faint.svg: 1 of its filled shapes are faint, or have a gradient' "$ERR"
done
for looks in '<?xml-stylesheet href="a.css"?>:rules of style in another file' \
    '<svg marker-end="url(#m)":markers on 1 of'; do
    sed "s/^<svg/${looks%:*}<svg/; s/<svg\(.*\)<svg/<svg\1/" filled.svg >noted.svg
    run score noted.svg filled.svg
    expect "${looks#*:}: a note" has "${looks#*:}" "$ERR"
done
echo '<svg width="96" height="64"><line x1="40" y1="30" x2="50" y2="40" stroke="red"/><path stroke-width="0" fill="none"
    stroke="red" d="M0 0H96"/></svg>' >line.svg
run check "$IN/photo.png" -s line.svg --bg 1,1
expect 'a line is a stroke, and one without width is not' has 'line.svg read as annotation: 122 foreground' "$OUT"

begin 'annotations: shapes as masks'
run segment "$IN/photo.png" -s "$IN/seeds.png" -o mask.png
run segment "$IN/photo.png" -s "$IN/seeds.png" -o mask.geojson
run refine "$IN/photo.png" mask.png -o a.png
works refine "$IN/photo.png" mask.geojson -o b.png --json run.json
expect 'refine: the same' same a.png b.png
expect 'how it was read' has '"format": "annotation"' run.json
run segment "$IN/photo.png" --previous mask.geojson --bg 28,30 -o c.png
run segment "$IN/photo.png" --previous mask.png --bg 28,30 -o d.png
expect '--previous: the same' same c.png d.png
run segment "$IN/photo.png" -s mask.geojson:mask --band 4 -o e.png
run segment "$IN/photo.png" -s mask.png:mask --band 4 -o f.png
expect 'as a mask with a band: the same' same e.png f.png

begin 'annotations: shapes as seeds, lines and points as strokes'
cat >seeds.json <<'X'
{"imagePath": "photo.png", "shapes": [
  {"label": "cat", "shape_type": "linestrip", "points": [[20.5, 20.5], [30.5, 26.5]]},
  {"label": "cat", "shape_type": "point", "points": [[28.5, 30.5]]},
  {"label": "background", "shape_type": "line", "points": [[2.5, 2.5], [60.5, 2.5]]}]}
X
run segment "$IN/photo.png" -s seeds.json -o a.png --json run.json
expect 'read as' has '"format": "annotation"' run.json
run segment "$IN/photo.png" --fg '20,20 30,26' --fg 28,30 --bg '2,2 60,2' -o b.png
expect 'the same as the same strokes' same a.png b.png
run segment "$IN/photo.png" -s seeds.json --label dog -o c.png
expect 'of another label nothing is read' test "$status" = 4

begin 'annotations: boxes'
cat >boxes.json <<'X'
{"images": [{"id": 1, "file_name": "other.png", "width": 9, "height": 9}, {"id": 2, "file_name": "photo.png"}],
 "annotations": [{"image_id": 1, "bbox": [0, 0, 4, 4]}, {"image_id": 2, "bbox": [8, 8, 40, 32]}]}
X
run segment "$IN/photo.png" -s boxes.json -o a.png
run segment "$IN/photo.png" --box 8,8,40,32 -o b.png
expect 'a COCO box is a box' same a.png b.png
printf '{"type": "Polygon", "coordinates": [[[8, 8], [48, 20], [20, 40], [8, 8]]]}' >area.json
run segment "$IN/photo.png" -s area.json:box -o c.png
expect 'and so is the box around a polygon' same c.png b.png

begin 'annotations: tracks through a video, by the number of the frame'
cat >video.xml <<'X'
<?xml version="1.0"?>
<annotations><meta><task><stop_frame>30</stop_frame>
  <original_size><width>96</width><height>64</height></original_size></task></meta>
<track id="0" label="cat">
  <box frame="12" outside="0" keyframe="1" xtl="18" ytl="10" xbr="48" ybr="30"><attribute name="a">1</attribute></box>
  <box frame="2" outside="0" keyframe="1" xtl="8" ytl="10" xbr="38" ybr="30"/>
  <box frame="20" outside="1" keyframe="1" xtl="18" ytl="10" xbr="48" ybr="30"/></track>
<track id="1" label="area">
  <polygon frame="5" outside="0" points="8,8;40,8;40,40" />
  <polygon frame="9" outside="0" points="8,8;40,8;8,40" /></track>
</annotations>
X
printf '{"annotations": [{"segmentation": [[8, 8, 40, 8, 8, 40]]}]}' >area.json
for frame in 01 02 07 09 12 20 25 31; do cp "$IN/photo.png" "frame_0000$frame.png"; done
box_is() { # FRAME BOX
    run segment "frame_0000$1.png" -s video.xml --label cat -o a.png
    run segment "frame_0000$1.png" --box "$2" -o b.png
    expect "the box of frame $1" same a.png b.png
}
box_is 02 8,10,30,20
box_is 07 13,10,30,20
box_is 12 18,10,30,20
run refine frame_000009.png video.xml -o a.png --label area
expect 'the frame is named' has 'frame_000009.png is taken for frame 9 of its video' "$ERR"
run refine frame_000009.png area.json -o b.png
expect 'a polygon of the frame' same a.png b.png
run refine frame_000025.png video.xml -o a.png --label area
expect 'the last one stays' same a.png b.png
run refine frame_000007.png video.xml -o a.png
expect 'a polygon in between is left out' has 'line 9: a <polygon> of frame 5 and a <polygon> of frame 9' "$ERR"
told() { test "$status" = "$1" && has "$2" "$ERR"; }
run refine frame_000007.png video.xml -o a.png --strict
expect 'or refused' told 3 'only upright boxes move in between; export all frames'
run refine frame_000001.png video.xml -o a.png
expect 'before the tracks there is nothing' told 4 'has no shapes'
run refine frame_000020.png video.xml -o a.png --label cat
expect 'outside of the picture there is nothing' told 4 "has no shape of the label 'cat'"
run refine frame_000031.png video.xml -o a.png
expect 'a frame that the video lacks' told 4 'up to number 30, and frame_000031.png is none of them'
run refine "$IN/photo.png" video.xml -o a.png
expect 'a picture without a number' told 4 'has none at the end of its name, as frame_000012.png has'

begin 'annotations: folders tell pictures of the same name apart'
mkdir a b c
for folder in a b c; do cp "$IN/photo.png" "$folder/photo.png"; done
cat >two.json <<'X'
{"images": [{"id": 2, "file_name": "a/photo.png"}, {"id": 1, "file_name": "b/photo.png"}],
 "annotations": [{"image_id": 1, "bbox": [15, 10, 30, 20]}, {"image_id": 2, "bbox": [1, 1, 4, 4]}]}
X
printf '{"annotations": [{"bbox": [15, 10, 30, 20]}]}' >right.json
run refine b/photo.png right.json -o right.png
ends 0 refine b/photo.png two.json -o b.png
expect 'from outside' same b.png right.png
(cd b && "$TILECUT" refine photo.png ../two.json -o ../c.png)
expect 'from within' same c.png right.png
ends 4 refine c/photo.png two.json -o d.png
expect 'both are named' has 'is about a/photo.png and b/photo.png' "$ERR"

begin 'annotations: of several shapes the last one holds'
cat >hole.json <<'X'
{"shapes": [{"label": "cat", "points": [[8, 8], [40, 8], [40, 40], [8, 40]]},
            {"label": "_background_", "points": [[20, 20], [30, 20], [30, 30], [20, 30]]},
            {"label": "__ignore__", "points": [[8, 8], [12, 8], [12, 12], [8, 12]]}]}
X
works check "$IN/photo.png" -s hole.json --seed-conflict last
expect 'a hole, and what is ignored' has '908 foreground, 100 background' "$OUT"
run check "$IN/photo.png" -s hole.json
expect 'by default it is a contradiction' test "$status" = 4
expect 'with advice' has '100 pixels are claimed by both classes (first at 20,20' "$ERR"

begin 'annotations: outside of a box is background, but for the other shapes of its file'
cat >mixed.json <<'X'
{"shapes": [{"label": "cat", "points": [[8, 8], [16, 16]], "shape_type": "rectangle"},
            {"label": "cat", "points": [[20, 20], [30, 20], [30, 30], [20, 30]]},
            {"label": "__ignore__", "points": [[32, 20], [36, 20], [36, 30], [32, 30]]}]}
X
works check "$IN/photo.png" -s mixed.json
expect 'the polygon is no contradiction' has '100 foreground, ' "$OUT"
expect 'what is ignored is unknown' has ' 104 unknown pixels' "$OUT"

begin 'annotations: one shape that cannot be read'
printf '{"shapes": [{"points": [[1, 1]]}, {"points": [[8, 8], [40, 8], [40, 40]]}]}' >some.json
run refine "$IN/photo.png" some.json -o a.png
expect 'is left out' test "$status" = 0
expect 'with a note' has 'some.json: line 1: a polygon of 1 point; this shape was left out' "$ERR"
ends 3 refine "$IN/photo.png" some.json -o b.png --strict
printf 'P1\n2 1\n0 1\n' >white.pgm
for with in 'score some.json white.pgm' "labels $IN/photo.png -s some.json --label other --stroke 2,2 -o c.png"; do
    # shellcheck disable=SC2086
    ends 3 $with --strict
    expect "$with" has 'some.json: line 1: a polygon of 1 point' "$ERR"
done
ends 3 score some.json some.json --strict
rm -f white.pgm

begin 'annotations: one file beside a folder'
mkdir truth
cat >many.json <<'X'
{"images": [{"id": 1, "file_name": "x/one.jpg"}, {"id": 2, "file_name": "two.png"},
            {"id": 3, "file_name": "three.png"}],
 "annotations": [{"image_id": 1, "bbox": [15, 10, 30, 20]}, {"image_id": 2, "bbox": [1, 1, 4, 4]}]}
X
printf '{"annotations": [{"bbox": [15, 10, 30, 20]}]}' >one.json
run segment "$IN/photo.png" -s "$IN/seeds.png" -o m.png
for file in one two_gt three four; do cp m.png "truth/$file.png"; done
run score many.json truth
expect 'what is not named is left out' has 'truth: 1 pictures without a shape were left out (first: four.png)' "$ERR"
expect 'three pairs' has 'mean of 3' "$OUT"
of_one=$(grep ' one.png' "$OUT" | cut -c1-40)
run score one.json m.png
expect 'a file without a name is about any' lacks 'of another name' "$ERR"
sed 's/"annotations"/"images": [{"id": 1, "file_name": "one.jpg"}], "annotations"/' one.json >named.json
sed -i 's/"bbox"/"image_id": 1, "bbox"/' named.json
for other in m.png one_gt.png one.png; do
    cp m.png copy && mv copy "$other"
    run score named.json "$other"
    expect "$other: status" test "$status" = 0
    cp "$ERR" "said_$other"
done
expect 'another picture is noted' has 'named.json: is about one picture, of another name than m.png' said_m.png
expect 'its truth is not' lacks 'of another name' said_one_gt.png
expect 'nor its name' lacks 'of another name' said_one.png
run score one.json m.png
expect 'each with its own shapes' test "$of_one" = "$(grep ' one.json' "$OUT" | cut -c1-40)"
run score truth many.json
expect 'the other way round' test "$status" = 0
mkdir -p deep/x deep/y
cp m.png deep/x/one.png
cp m.png deep/y/two.png
run score many.json deep
refused_here() { test "$status" = 3 && has "$1" "$ERR"; }
expect 'of folders below nothing is said' refused_here 'deep: holds no picture; -r takes those of the'
run score -r many.json deep
expect 'with -r they are found' test "$status" = 0
expect 'and named by their folders' test "$(awk '{ print $NF }' "$OUT" | tr '\n' ' ')" = 'mask x/one.png y/two.png 2 '
expect 'the same' test "$(grep ' x/one.png' "$OUT" | cut -c1-40)" = "$of_one"
run score -r deep deep/
expect 'two folders: no picture is its own truth' refused_here 'no picture has a truth in deep/'
cp -r deep other
run score -r deep other
expect 'two folders' has 'mean of 2' "$OUT"
run score -r deep other --json other/y/two.png
expect 'a report over a truth below' test "$status" = 2
run score one.json truth
expect 'a file without names is refused' refused_here 'names no picture of truth'

begin 'annotations: two files of many pictures'
cat >truth.json <<'X'
{"images": [{"id": 1, "file_name": "a/cat.png", "width": 20, "height": 10},
            {"id": 2, "file_name": "b/cat.png", "width": 20, "height": 10},
            {"id": 3, "file_name": "dog_7.png", "width": 8, "height": 8},
            {"id": 9, "file_name": "none.png", "width": 8, "height": 8}],
 "annotations": [{"image_id": 1, "bbox": [0, 0, 10, 10]}, {"image_id": 3, "bbox": [0, 0, 4, 4]},
                 {"image_id": 2, "segmentation": [[0, 0, 10, 0, 10, 10, 0, 10]]}]}
X
cat >mask.json <<'X'
{"images": [{"id": 2, "file_name": "a/cat.png"}, {"id": 1, "file_name": "b/cat.png"}, {"id": 4, "file_name": "x.png"},
            {"id": 3, "file_name": "none.png"}],
 "annotations": [{"image_id": 2, "bbox": [0, 0, 20, 10]}, {"image_id": 1, "bbox": [0, 0, 10, 10]}]}
X
cat >results.json <<'X'
[{"image_id": 1, "segmentation": {"size": [10, 20], "counts": [0, 100, 100]}}, {"image_id": 3, "bbox": [0, 0, 4, 4]},
 {"image_id": 2, "bbox": [0, 0, 5, 10]}]
X
printf '{"images": [{"file_name": "y.png"}, {"file_name": "z.png"}], "annotations": []}' >none.json
refused_here() { # STATUS TEXT FILE FILE
    run score "$3" "$4"
    expect "$4: $2" test "$status" = "$1"
    expect "$4: $2" has "$2" "$ERR"
}
rows() { sed 's/  */ /g' "$OUT" | grep -c "$1"; }
run score mask.json truth.json
expect 'twice as large' test "$(rows ' 50.000 % 0.5000 [0-9.]* 200 a/cat.png')" = 1
expect 'the same' test "$(rows ' 0.000 % 1.0000 1.0000 200 b/cat.png')" = 1
expect 'nothing in both' test "$(rows ' 0.000 % 1.0000 1.0000 64 none.png')" = 1
expect 'the mean' test "$(rows ' 16.667 % 0.8333 [0-9.]* 464 mean of 3')" = 1
expect 'what is missing' has 'truth.json: 1 pictures are not in mask.json and were left out' "$ERR"
expect 'here and there' has 'mask.json: 1 pictures are not in truth.json and were left out' "$ERR"
run score results.json truth.json --json score.json
expect 'results by number' has '"mask": "b/cat.png", "error_rate": 0.25' score.json
expect 'not by the number in a name' has '"mask": "dog_7.png", "error_rate": 0,' score.json
expect 'what has no result has nothing on it' test "$(rows ' 0.000 % 1.0000 1.0000 64 none.png')" = 1
sed 's/"image_id": 3, /"image_id": 4, /' results.json >missing.json
run score missing.json truth.json
expect 'a miss' test "$(rows ' 25.000 % 0.0000 0.0000 64 dog_7.png')" = 1
expect 'which is said' has 'missing.json: has no result for 2 pictures of truth.json, which counts as' "$ERR"
expect 'and one too many' has 'missing.json: 1 pictures are not in truth.json and were left out' "$ERR"
printf '[]' >empty.json
run score empty.json truth.json
expect 'of no results all is missed' test "$(rows ' 25.000 % 0.0000 0.0000 64 dog_7.png')" = 1
mkdir masks_7
run segment "$IN/photo.png" -s "$IN/seeds.png" -o masks_7/dog_3.png
run segment "$IN/photo.png" -s "$IN/seeds.png" -o masks_7/dog_9.png
printf '[{"image_id": 3, "bbox": [0, 0, 4, 4]}]' >by_folder.json
run score by_folder.json masks_7
expect 'beside a folder, too' test "$(rows ' 0.0000 0.0000 6144 dog_9.png')" = 1
run score truth.json results.json
expect 'the other way round' test "$(rows ' 25.000 % 0.5000 [0-9.]* 200 b/cat.png')" = 1
printf '{"imageWidth": 9, "imageHeight": 8, "shapes": [{"points": [[0, 0], [4, 0], [4, 4], [0, 4]]}]}' >one.json
printf '{"shapes": [{"points": [[0, 0], [4, 0], [4, 4]]}]}' >other.json
run score other.json one.json
expect 'two of one picture' test "$(rows ' 8.333 % 0.6250 [0-9.]* 72 other.json')" = 1
refused_here 3 'other.json: how large the picture is stands neither there' other.json other.json
refused_here 3 'one.json: does not name its picture' one.json truth.json
refused_here 3 'one.json: does not name its picture' truth.json one.json
refused_here 3 'names no picture of ' mask.json none.json

begin 'annotations: a line of YOLO that can be read in two ways is refused until --yolo says which it is'
{ printf 'P5\n100 100\n255\n' && printf '%10000s' '' | tr ' ' '\377'; } >y.pgm
# is LINES OPTION WANTED: the pixels of the lines, of 100 x 100, or a part of the refusal.
is() {
    printf '%b\n' "$1" >y.txt
    # shellcheck disable=SC2086 # the option may be missing or be two words
    run score y.txt y.pgm --strict $2
    got=$(awk 'NR == 2 { printf "%.0f", 10000 - $1 * 100 }' "$OUT")
    case $3 in
    *[a-z]*) expect "$1 $2: refused with '$3'" test "$status" != 0 -a "$(grep -cF -- "$3" "$ERR")" = 1 ;;
    *) expect "$1 $2: has $got pixels" test "$got" = "$3" ;;
    esac
}
box='0 .5 .5 .6 .4' seen='.4 .5 .9 .6 .4 .3 .5 .6 .8'
points='.4 .5 .6 .4 .5 .6' tail='.3 .5 .4 .4 .6 .5 .7 .5'
two='say with --yolo polygons or boxes which it is'
is "$box $points" '' "y.txt: line 1: can be a polygon, or a box with key points or a track; $two"
is "$box $points" '--yolo boxes' 2400
is "$box $seen" '' "$two"
is "$box $seen" '--yolo boxes' 2400
is "$box $seen .9" '' "$two"
is "$box $points\n$box $tail .9" '--yolo boxes' 2400
is '0 .5 .5 .6 .4 .4 .5 2 .6 .4 1' '' 2400
is '0 .5 .5 .6 .4 .4 .5 2 .6 .4 1\n0 .5 .5 .2 .2 .4 .5 1 .5 .5 .4' '' 2400
is '0 .2 .2 .6 .2 .6 .8 .2 .8' '' 2400
is '0 .2 .2 .6 .2 .6 .8 .2 .8 .7 1' '' 'say with --yolo tracks or polygons which it is'
is '0 .2 .2 .6 .2 .6 .8 .2 .8 .7 1' '--yolo tracks' 2400
is '0 .2 .2 .6 .2 .6 .8 .2 .8 .7 1\n0 .2 .2 .6 .2 .6 .8 .2 .8 .7 2' '' 2400
is '0 .2 .2 .6 .2 .6 1 .2 1 .2 1' '' 3200
is '0 .5 .5 .6 .4 .9 1' '' 'say with --yolo tracks or polygons which it is'
is '0 .5 .5 .6 .4 .9 1\n0 .5 .5 .2 .2 .9 2' '' 2400
is '0 .5 .5 .6 .4 .9 2' '' 2400
is "$box" '--yolo dots' "is not boxes, polygons or tracks"
rm -f y.txt y.pgm

begin 'annotations: a key that comes twice in one object is refused'
for twice in '"points": [[1, 1], [9, 1], [9, 9]],\n"points": [[1, 1], [5, 1], [5, 5]]' \
    '"flags": {"a": 1,\n"a": 2}, "points": [[1, 1], [9, 1], [9, 9]]'; do
    printf '{"shapes": [{"label": "a", %b}], "imageWidth": 96, "imageHeight": 64}' "$twice" >"$WORK/bad.json"
    run score "$WORK/bad.json" "$WORK/bad.json"
    refused 3 'bad.json: line 2: the key "'
    expect "$twice" has '" comes twice in one object' "$ERR"
done
printf '{"image": "%s", "fg": "1,1", "fg": "2,2", "mask": "m.png"}\n' "$IN/photo.png" >"$WORK/jobs.jsonl"
run batch --list "$WORK/jobs.jsonl"
expect 'in a list' has 'the key "fg" comes twice in one object' "$ERR"
printf '{"shapes": [{"points": [[1, 1], [9, 1], [9, 9]]}, {"points": [[1, 1], [9, 1], [9, 9]]}], "imageWidth": 96,
    "imageHeight": 64}' >"$WORK/bad.json"
run score "$WORK/bad.json" "$WORK/bad.json"
expect 'in two objects it may' test "$status" = 0

begin 'annotations: refused with a line'
printf '{"shapes": [\n{"points": [[1, 1], [2\n}]}' >"$WORK/bad.json"
run segment "$IN/photo.png" -s "$WORK/bad.json" -o mask.png
refused 3 'bad.json: line 3: a , or ] is missing; something that is no JSON stands there'
printf '{"shapes": [{"points": [[1, 1], [2, 2], [1, 2]]}], "imageWidth": 5, "imageHeight": 7}' >"$WORK/bad.json"
fails 4 'bad.json: is about a picture of 5x7 but ' segment "$IN/photo.png" -s "$WORK/bad.json" -o mask.png
printf '{"shapes": [{"points": [[1, 1], [9, 2], [1, 9]]}]}' >"$WORK/bad.json"
run segment "$IN/photo.png" -s "$WORK/bad.json" -o mask.png
refused 4 'bad.json: has no background seed; --seeds-format box takes the boxes'
fails 4 'bad.json: is an annotation file, no picture' segment "$IN/photo.png" -s "$WORK/bad.json:trimap" -o mask.png
fails 4 'seeds.png: is a picture; box reads annotation files' segment "$IN/photo.png" -s "$IN/seeds.png:box" -o mask.png
fails 3 'bad.json: is JSON, not a picture' segment "$WORK/bad.json" -s "$WORK/bad.json" -o mask.png
printf 'filename,region_shape_attributes\n' >"$WORK/bad.csv"
fails 3 'is no picture, and shapes are not read from CSV' segment "$IN/photo.png" -s "$WORK/bad.csv" -o m.png
printf '{"type": "Point", "coordinates": [700, 5]}' >"$WORK/bad.geojson"
fails 4 'no shape covers a pixel' segment "$IN/photo.png" -s "$WORK/bad.geojson" --bg 1,1 -o m.png
printf '[BOOL]\nx=1\n' >"$WORK/bad.ini"
fails 3 'bad.ini: is text, not a picture' segment "$WORK/bad.ini" -s "$WORK/bad.json" -o mask.png
fails 3 'bad.json: how large the picture is stands neither there nor in ' score "$WORK/bad.json" "$WORK/bad.json"
printf '{"images": [{"id": 1}, {"id": 2}], "annotations": []}' >"$WORK/bad.json"
run segment "$IN/photo.png" --mask "$WORK/bad.json" -o mask.png
refused 4 'knows its pictures by numbers (image_id), and the name of '
