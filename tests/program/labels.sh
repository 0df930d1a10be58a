# SPDX-License-Identifier: MIT
#
# Several labels: label maps and named strokes, photos and volumes, and refusals.
# shellcheck shell=sh disable=SC2154

# Draws a grey 40x30 picture of three stripes, from dark to bright, with a weak pattern, and its label map.
stripes() {
    awk 'BEGIN { printf "P2\n40 30\n255\n"
        for (y = 0; y < 30; y++) for (x = 0; x < 40; x++)
            print 40 + 80 * int(y / 10) + (x * 7 + y * 5) % 9 }' \
        >stripes.pgm
    awk 'BEGIN { printf "P2\n40 30\n255\n"
        for (y = 0; y < 30; y++) for (x = 0; x < 40; x++)
            print (y % 10 == 5 && x > 4 && x < 35) ? 3 + 2 * int(y / 10) : 0 }' >map.pgm
    awk 'BEGIN { printf "P2\n40 30\n255\n"
        for (y = 0; y < 30; y++) for (x = 0; x < 40; x++) print 3 + 2 * int(y / 10) }' >truth.pgm
}

# samples FILE: prints the samples of a text or binary PGM, one on a line.
samples() { tail -c 1200 "$1" | od -An -v -tu1 -w1 | tr -d ' '; }
right() { # FILE: how many of its labels are as in truth.pgm
    samples "$1" >got
    tail -n +4 truth.pgm | paste - got | awk '$1 == $2 { n++ } END { exit !(n >= 1190) }'
}

begin 'labels: three stripes from a label map'
stripes
works labels stripes.pgm -s map.pgm -o out.pgm --json run.json
expect 'each stripe has its label' right out.pgm
expect 'three labels' has '"labels": 3' run.json
expect 'every cut is certified' has '"certified": true' run.json
expect 'the numbers are those of the map' has '"label": 7' run.json
works labels stripes.pgm -s map.pgm -o again.pgm --threads 3 --solver push
expect 'the same with other threads and another solver' same out.pgm again.pgm
works labels stripes.pgm -s map.pgm -o out.png
works labels stripes.pgm -s out.png -o once.pgm
expect 'a PNG with a palette is a label map' right once.pgm

begin 'labels: a map is read by rows, so it needs no memory of its own'
{ printf 'P5 1000 1000 255\n' && head -c 1000000 /dev/zero; } >wide.pgm
{ printf 'P6 1000 1000 65535\n' && head -c 6000000 /dev/zero; } >wide.ppm
printf '1 sea #0000ff\n' >legend.txt
run labels wide.pgm -s wide.ppm --legend legend.txt -o out.pgm --max-memory 4M
expect 'all rows were read' has 'wide.ppm: no pixel has a label; there is nothing to start from' "$ERR"

begin 'labels: a folder for the map, and what a terminal is told'
stripes
mkdir maps
works labels stripes.pgm -s map.pgm -o maps
expect 'a map in the folder' test -s maps/stripes_labels.png
works labels stripes.pgm -s map.pgm -o maps/ --format coco
expect 'shapes in the folder' has '"annotations"' maps/stripes_labels.json
if command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1; then
    script -qec "'$TILECUT' labels stripes.pgm -s map.pgm -o out.pgm" /dev/null </dev/null >said
    expect 'shares of labels' has 'out.pgm: 3 33.3 %, 5 33.3 %, 7 33.3 %' said
fi
refuses 'labels: a format that is none' 2 "--format: 'nope' is not a format of pictures or annotations" \
    labels "$IN/photo.png" -s "$IN/seeds.png" -o out.png --format nope

begin 'labels: strokes with names'
stripes
works labels stripes.pgm --label sky --stroke "5,5 34,5" --label 9 --stroke "5,15 34,15" --label sea \
    --stroke "5,25 34,25" --brush 1 -o out.pgm --json run.json
expect 'names get the next free numbers' has '"label": 1, "name": "sky"' run.json
expect 'and numbers are themselves' has '"label": 9, "name": null' run.json
expect 'the second name' has '"label": 2, "name": "sea"' run.json

begin 'labels: shapes with names, there and back'
stripes
for format in coco.json labelme.json geojson rle.json; do
    works labels stripes.pgm -s map.pgm -o "out.$format"
    works labels stripes.pgm -s "out.$format" --label background --stroke "5,5 34,5" --brush 1 -o back.pgm --json \
    run.json
    expect "$format: the names are the numbers of the map" has '"label": 5, "name": null, "seeds": 400' run.json
    expect "$format: the background is that of this name" has '"label": 1, "name": "background"' run.json
    expect "$format: the same pixels" test ' 400 1 400 5 400 7 ' = \
        "$(samples back.pgm | sort | uniq -c | tr -s ' \n' ' ')"
done
cat >named.json <<'EOF'
{"shapes": [
 {"label": "sea", "shape_type": "polygon", "points": [[2, 22], [38, 22], [38, 28], [2, 28]]},
 {"label": "sky", "shape_type": "linestrip", "points": [[5, 5], [34, 5]]},
 {"label": "land", "shape_type": "linestrip", "points": [[5, 15], [34, 15]]},
 {"label": "ignore", "shape_type": "polygon", "points": [[0, 26], [40, 26], [40, 30], [0, 30]]}]}
EOF
works labels stripes.pgm -s named.json --background-label 2 --brush 1 -o out.pgm --json run.json --table table.tsv
run labels stripes.pgm -s named.json --brush 1 -o first.pgm
expect 'a note says which label is the background' has \
    'no label is called background, so sea is taken for it; --background-label N names another' "$ERR"
sed 's/"sea"/"7"/; s/"sky"/"6"/; s/"land"/"9"/' named.json >numbers.json
run labels stripes.pgm -s numbers.json -o numbers.pgm
expect 'also of labels that are numbers' has 'no label is called background, so 6 is taken for it' "$ERR"
expect 'what is ignored is unknown' has '"label": 1, "name": "sea", "seeds": 144, "pixels": 400' run.json
expect 'a row of the table' test "$(grep land table.tsv | tr '\t' ' ')" = '3 land #808000 400'
run labels stripes.pgm -s out.pgm --legend table.tsv -o again.pgm --json again.json
expect 'the table is a legend' has '"label": 3, "name": "land"' again.json

begin 'labels: seeds of the background in files of shapes, and what is written goes back as it is'
stripes
cat >in.labelme.json <<'EOF'
{"shapes": [{"label": "sea", "shape_type": "linestrip", "points": [[5, 25], [34, 25]]},
 {"label": "_background_", "shape_type": "linestrip", "points": [[5, 5], [34, 5]]},
 {"label": "land", "shape_type": "linestrip", "points": [[5, 15], [34, 15]]}]}
EOF
cat >in.coco.json <<'EOF'
{"images": [{"id": 1, "file_name": "stripes.pgm", "width": 40, "height": 30}],
 "categories": [{"id": 3, "name": "sea"}, {"id": 0, "name": "background"}, {"id": 7, "name": "land"}], "annotations": [
 {"id": 1, "image_id": 1, "category_id": 3, "segmentation": [[5, 23, 35, 23, 35, 27, 5, 27]]},
 {"id": 2, "image_id": 1, "category_id": 0, "segmentation": [[5, 3, 35, 3, 35, 7, 5, 7]]},
 {"id": 3, "image_id": 1, "category_id": 7, "segmentation": [[5, 13, 35, 13, 35, 17, 5, 17]]}]}
EOF
line() {
    printf '{"type": "Feature", "properties": {"label": "%s"}, "geometry": {"type": "LineString",' "$1"
    printf ' "coordinates": [[5, %d], [34, %d]]}}' "$2" "$2"
}
printf '{"type": "FeatureCollection", "features": [%s, %s, %s]}' "$(line sea 25)" "$(line Background 5)" \
    "$(line land 15)" >in.geojson
for format in labelme.json coco.json geojson; do
    works labels stripes.pgm -s "in.$format" --brush 1 -o "out.$format" --json run.json
    expect "$format: it is a label" grep -q '"name": "[_bB]*ackground_*", "seeds": [0-9]*, "pixels": 400' run.json
    expect "$format: what is written has the others" grep -q land "out.$format"
    expect "$format: and not the background" test -z "$(grep -i background "out.$format")"
    works labels stripes.pgm --previous "out.$format" --label sea --stroke 20,25 -o same.pgm
    expect "$format: what no shape has is 0" test ' 400 0 400 1 400 2 ' = \
        "$(samples same.pgm | sort | uniq -c | tr -s ' \n' ' ')"
done

begin 'labels: a map in the colours of a legend'
stripes
printf '# what is what\n3 sky #0000ff\n5\tdry land\t0\t128\t0\n7 sea 10 20 30 255\n' >legend.txt
awk 'NR == 1 { print "P3"; next } NR < 4 { print; next }
    { print $1 == 3 ? "0 0 255" : $1 == 5 ? "0 128 0" : $1 == 7 ? "10 20 30" : "0 0 0" }' map.pgm >colours.ppm
works labels stripes.pgm -s colours.ppm --legend legend.txt -o out.pgm --json run.json
expect 'each stripe has its label' right out.pgm
expect 'a name' has '"label": 5, "name": "dry land"' run.json
works labels stripes.pgm -s map.pgm --legend legend.txt -o out.png
expect 'the palette has its colours' test "$(tail -c +34 out.png | od -An -v -tx1 | tr -d ' \n' | grep -c 0000ff)" = 1

begin 'labels: instances, an object a stroke'
awk 'BEGIN { printf "P2\n40 30\n255\n"
    for (y = 0; y < 30; y++) for (x = 0; x < 40; x++) # two discs that touch, of one grey
        print (x-11)^2 + (y-15)^2 < 90 || (x-29)^2 + (y-15)^2 < 90 ? 200 : 40 }' >discs.pgm
works labels discs.pgm --label ground --stroke "2,2 37,2 37,27 2,27" --label disc --stroke "8,15 13,15" \
    --stroke "27,15 32,15" --brush 1 --instances -o out.pgm --json run.json
expect 'each stroke is a label' has '"label": 3, "name": "disc 2"' run.json
tail -c 1200 out.pgm | od -An -v -tu1 -w40 |
    awk '{ for (x = 1; x <= 40; x++) if (x != 21 && $x != 1 && $x != (x < 21 ? 2 : 3)) n++ } END { print n + 0 }' >wrong
expect 'they are divided where they touch' test "$(cat wrong)" = 0
run labels discs.pgm --label ground --stroke "2,2 37,2" --label disc --stroke "8,15 13,15" --stroke "27,15 32,15" \
    --label disc --stroke "8,15 32,15" --brush 1 --instances -o out.pgm --json run.json
expect 'strokes that touch are one' has '"labels": 2' run.json

begin 'labels: a cutout a label'
stripes
mkdir cuts
works labels stripes.pgm --label sky --stroke "5,5 34,5" --label a/b --stroke "5,15 34,15" --label sea \
    --stroke "5,25 34,25" --brush 1 -o out.pgm --cutouts cuts
expect 'all but the background' test "$(ls cuts | tr '\n' ' ')" = 'stripes_a_b.png stripes_sea.png '
run labels stripes.pgm -s map.pgm -o out2.pgm --cutouts nowhere
expect 'it has to be a folder' test "$status" = 2
expect 'and nothing is written' test ! -e out2.pgm

begin 'labels: with two labels it is segment'
works labels "$IN/photo.png" --label 1 --stroke "4,4 90,4" --label 2 --stroke "48,32 60,32" -o two.pgm
works segment -q "$IN/photo.png" --bg "4,4 90,4" --fg "48,32 60,32" -o mask.pgm
tail -c 6144 two.pgm | od -An -v -tu1 -w1 | tr -d ' ' | sed 's/^1$/0/; s/^2$/255/' >a
tail -c 6144 mask.pgm | od -An -v -tu1 -w1 | tr -d ' ' >b
expect 'the mask, pixel by pixel' same a b
mkdir -p cuts
for kind in soft hard matte; do
    run labels "$IN/transparent.png" --label 1 --stroke "4,4 90,4" --label 2 --stroke "48,32 60,32" -o two.pgm \
        --cutouts cuts --edge $kind
    run segment -q "$IN/transparent.png" --bg "4,4 90,4" --fg "48,32 60,32" --cutout one.png --edge $kind
    expect "the cutout, $kind" same cuts/transparent_2.png one.png
done
run labels "$IN/transparent.png" --label 1 --stroke "4,4 90,4" --label 2 --stroke "48,32 60,32" -o two.pgm \
    --cutouts cuts
run segment -q "$IN/transparent.png" --bg "4,4 90,4" --fg "48,32 60,32" --cutout one.png
expect 'soft is what nobody says' same cuts/transparent_2.png one.png
for strokes in '--stroke 4,4 --label nope' '--label nope --label b --stroke 4,4'; do
    # shellcheck disable=SC2086 # several words are meant
    refuses 'labels: a label without a stroke' 2 "'nope' has no stroke" labels "$IN/photo.png" --label a --stroke 1,1 \
        $strokes -o l.pgm
done
refuses 'labels: an edge of nothing' 2 '--cutouts FOLDER is missing' labels "$IN/photo.png" -s map.pgm -o l.pgm \
    --edge soft

# run_samples FILE NUMBER: counts the voxels of a compressed NRRD that are above NUMBER.
run_samples() { # FILE NUMBER
    sed '1,/^$/d' "$1" | gzip -dc 2>/dev/null | od -An -v -tu1 -w1 |
        awk -v least="$2" '$1 > least { n++; at += NR } END { print n, at }'
}

begin 'labels: a volume'
stripes
{
    printf 'NRRD0004\ntype: uint8\ndimension: 3\nsizes: 40 30 4\nencoding: raw\n\n'
    for z in 1 2 3 4; do tail -n +4 stripes.pgm | LC_ALL=C awk '{ printf "%c", $1 }'; done
} >volume.nrrd
run labels volume.nrrd --label a --stroke "5,5,1 34,5,1" --label b --stroke "5,15,1 34,15,1" --label c \
    --stroke "5,25,1 34,25,1" --brush 1 -o out.nrrd --json run.json
expect 'it is labelled' test "$status" = 0
run labels volume.nrrd --label a --stroke "5,5,1 9,5,1" --label b --stroke "5,5,1 9,5,1" --brush 1 -o never.nrrd
expect 'places have a slice' has 'strokes of two labels meet at 5,5,0' "$ERR"
expect 'voxels are counted' has '"voxels"' run.json
awk 'BEGIN { printf "P2\n40 30\n255\n"; for (y = 0; y < 30; y++) for (x = 0; x < 40; x++)
    print (y < 12) + 2 * (y >= 12 && y < 22) + 3 * (y >= 22) }' >lower.pgm
run labels volume.nrrd -s out.nrrd -o again.nrrd
expect 'its labels are a label map' test "$status" = 0
expect 'and stay' same out.nrrd again.nrrd
works labels volume.nrrd --label a --stroke "5,5,1 34,5,1" --label 'the sea' --stroke "5,25,1 34,25,1" --brush 1 \
    -o out.seg.nrrd
expect 'segments have names' has 'Segment1_Name:=the sea' out.seg.nrrd
works labels volume.nrrd -s out.seg.nrrd -o again.seg.nrrd --json run.json
expect 'which are read' has '"label": 2, "name": "the sea"' run.json
expect 'and kept' same out.seg.nrrd again.seg.nrrd
{
    printf 'NRRD0004\ntype: uint8\ndimension: 3\nsizes: 40 30 4\nencoding: raw\n\n'
    for z in 1 2 3 4; do tail -n +4 lower.pgm | LC_ALL=C awk '{ printf "%c", $1 }'; done
} >net.nrrd # two rows too low
{
    printf 'NRRD0004\ntype: uint8\ndimension: 3\nsizes: 40 30 4\nencoding: raw\n'
    printf 'Segment0_Name:=all\nSegment0_LabelValue:=0\nSegment1_Name:=the\tsea\nSegment1_LabelValue:=3\n'
    printf 'Segment2_Name:=sky%060dä\nSegment2_LabelValue:=1\nSegment2_Color:=1 0 0\n\n' 0
    tail -c 4800 net.nrrd
} >odd.seg.nrrd
works labels volume.nrrd -s odd.seg.nrrd -o odd.nrrd --table odd.tsv
expect 'segments without a colour, or whose value is no label' test "$(cut -f-3 odd.tsv | tr '\t\n' ' ,')" = \
    "index name color,1 sky$(printf '%060d' 0) #ff0000,2 2 #008000,3 the sea #808000,"
works refine volume.nrrd net.nrrd --labels -o refined.nrrd --json run.json
expect 'a label map of it is refined' grep -q '"changed": [1-9]' run.json
run labels volume.nrrd --refine net.nrrd -o same.nrrd
expect 'by both verbs' same refined.nrrd same.nrrd
tail -c 4800 volume.nrrd >volume.raw
tail -c 4800 net.nrrd >net.raw
for how in -s --previous --refine; do
    set -- labels volume.raw --size 40x30x4 --label 1 --stroke "5,5,1 34,5,1" -o
    works "$@" header.nrrd $how net.nrrd
    works "$@" none.nrrd $how net.raw
    expect "$how: a map without a header, of the size of the volume" same header.nrrd none.nrrd
done
for page in 1 2; do
    printf 'P6\n40 30\n255\n'
    tail -n +4 stripes.pgm | LC_ALL=C awk '{ printf "%c%c%c", $1, $1 / 2, 255 - $1 }'
done >pages.ppm
set -- labels pages.ppm --label a --stroke "5,5,0 34,5,0" --label b --stroke "5,25,0 34,25,0"
works "$@" -o out.nrrd
expect 'pages in colour are a volume if a stroke lies in one' has 'sizes: 40 30 2' out.nrrd
run "$@" --connectivity 8 -o never.nrrd
expect 'links of a photo are refused for a volume' test "$status" = 2 -a ! -e never.nrrd
run labels stripes.pgm -s map.pgm --series 1.2 -o never.pgm
expect 'an option of volumes is refused for a photo' test "$status" = 2
works refine volume.nrrd net.nrrd --labels --label 1 --stroke "5,15,1 20,15,1" --brush 1 -o more.nrrd
expect 'and a stroke adds to its label' test "$(run_samples more.nrrd 1 | cut -d' ' -f1)" -lt \
    "$(run_samples refined.nrrd 1 | cut -d' ' -f1)"
works refine volume.nrrd out.seg.nrrd --labels -o kept.seg.nrrd
expect 'names are kept' has 'Segment1_Name:=the sea' kept.seg.nrrd
run labels volume.nrrd -s out.seg.nrrd -o never.nrrd --cutouts .
expect 'cutouts are for photos' test "$status" = 2

begin 'labels: in parts the labels are those of one'
stripes
counts() { sed 's/"ms": .*//' "$1"; }
run labels stripes.pgm -s map.pgm -o one.pgm --json one.json
for n in 1 2 5; do
    works labels stripes.pgm -s map.pgm -o parts.pgm --json run.json --parts $n
    expect "$n parts: the same labels" same one.pgm parts.pgm
    expect "$n parts: the same energy, bound and counts" test "$(counts one.json)" = "$(counts run.json)"
done
{ printf 'NRRD0004\ntype: uint8\ndimension: 3\nsizes: 40 30 4\nencoding: raw\n\n'
    for z in 1 2 3 4; do samples stripes.pgm | awk '{ printf "%c", $1 }'; done; } >stack.nrrd
for n in 0 3; do
    works labels stack.nrrd --label a --stroke "5,5,1 34,5,1" --label b --stroke "5,15,1 34,15,1" --label c \
        --stroke "5,25,1 34,25,1" --brush 1 -o "out$n.nrrd" $([ $n = 0 ] || echo --parts $n)
done
expect 'a volume in 3 parts, too' same out0.nrrd out3.nrrd
if has_mpirun; then
    ranks 2 "$TILECUT" labels stripes.pgm -s map.pgm -o parts.pgm -q
    done_well
    expect 'two processes of mpirun: the same labels' same one.pgm parts.pgm
    mkdir empty && cd empty
    refused 3 'none.pgm' ranks 2 "$TILECUT" labels ../stripes.pgm -s none.pgm -o parts.pgm
    ranks 2 "$TILECUT" labels ../stripes.pgm -s ../map.pgm -o parts.pgm --parts 2
    refused 2 'under mpirun each process is one part'
    cd ..
    ranks 2 "$TILECUT" labels stripes.pgm -s none.pgm -o parts.pgm --json failed.json
    expect '--json has the sentence that was printed' grep -q '"text": "none.pgm: there is no such file"' failed.json
    printf 'P2\n4 1\n255\n0 0 9 9\n' >line.pgm
    printf 'P2\n4 1\n255\n1 0 2 3\n' >seeds.pgm
    ranks 2 "$TILECUT" labels line.pgm -s seeds.pgm -o parts.pgm --json failed.json
    expect 'also what parts find' grep -q '"text": "line.pgm: has 1 rows, fewer than 2 parts' failed.json
    ranks 2 "$TILECUT" segment stripes.pgm --fg 1,1 --parts 2 -o parts.pgm --json failed.json
    expect 'and of segment' grep -q '"text": "--parts: under mpirun each process is one part' failed.json
fi

begin 'labels: voxels that are no numbers are background'
{
    printf 'NRRD0004\ntype: float\ndimension: 3\nsizes: 8 4 3\nendian: little\nencoding: raw\n\n'
    for row in 1 2 3 4 5 6 7 8 9 10 11 12; do # NaN, three of 10, four of 90
        printf '\0\0\300\177\0\0\040\101\0\0\040\101\0\0\040\101'
        printf '\0\0\264\102\0\0\264\102\0\0\264\102\0\0\264\102'
    done
} >holes.nrrd
run labels holes.nrrd --label 4 --stroke "1,1,1" --label 7 --stroke "6,1,1" --label 9 --stroke "0,0,2" --brush 0.5 \
    -o out.nrrd --json run.json
expect 'it is labelled' test "$status" = 0
expect 'with a note' has '12 voxels are no numbers (NaN); they are taken for background' "$ERR"
expect 'what was painted there does not count' has '"labels": 2' run.json
run segment -q holes.nrrd --bg "1,1,1" --fg "6,1,1" --brush 0.5 -o mask.nrrd
run labels -q holes.nrrd --label 1 --stroke "1,1,1" --label 2 --stroke "6,1,1" --brush 0.5 -o two.nrrd
expect 'as in segment' test "$(run_samples two.nrrd 1)" = "$(run_samples mask.nrrd 0)"

begin 'labels: the report of a run that failed'
stripes
run labels stripes.pgm --label a --stroke "5,5" -o never.png --json run.json
expect 'the sentence' has '"text": "stripes.pgm: 1 is the only label' run.json
expect 'nothing was found' has '"energy": null' run.json
run labels stripes.pgm --label a --stroke "5,5" -o never.png --json stripes.pgm
expect 'not in the place of an input' test "$(head -c 2 stripes.pgm)" = P2

begin 'labels: a photo that is transparent'
run segment -q "$IN/photo.png" --bg "4,4 90,4" --fg "48,32 60,32" --cutout cut.png
run labels cut.png --label 1 --stroke "4,4 90,4" --label 2 --stroke "48,32 60,32" -o out.png
expect 'has a note' has 'their colours are used as if they were opaque' "$ERR"

begin 'labels: score, label by label'
stripes
awk 'NR < 4 { print; next } { n++; print (n > 1160 ? 255 : n > 1120 ? 3 : $1) }' truth.pgm >found.pgm
run score --labels truth.pgm truth.pgm --json all.json
expect 'all right' has '"dice": 1, "iou": 1' all.json
ends 0 score --labels found.pgm truth.pgm --json some.json
expect 'Dice of 3 is 800 of 840' has '"label": 3, "dice": 0.95238095238095233' some.json
expect 'IoU of 7 is 320 of 400' has '"label": 7, "dice": 0.88888888888888884, "iou": 0.8,' some.json
run score --labels truth.pgm found.pgm --json turned.json
expect 'what is 255 in the truth is not judged' has '"labelled": 1160, "wrong": 40' turned.json
ends 4 score --labels "$IN/photo.png" truth.pgm

begin 'labels: score, scans where they lie'
# placed DIRECTION ORIGIN < bytes: an NRRD of 4 x 1 x 2 voxels
placed() {
    printf 'NRRD0004\ntype: uint8\ndimension: 3\nsizes: 4 1 2\nspace: left-posterior-superior\n'
    printf 'space directions: (%s,0,0) (0,1,0) (0,0,1)\nspace origin: (%s,0,0)\nencoding: raw\n\n' "$1" "$2"
    cat
}
printf '\1\1\2\3\1\2\2\3' | placed 1 0 >truth.nrrd
printf '\3\2\1\1\3\2\2\1' | placed -1 3 >flipped.nrrd
printf '\1\1\2\3\1\2\2\3' | placed 1 40 >far.nrrd
run score --labels flipped.nrrd truth.nrrd --json flipped.json
expect 'a flipped one is the same' has '"wrong": 0' flipped.json
ends 3 score --labels far.nrrd truth.nrrd
expect 'one that lies elsewhere is refused' has 'has other voxels in the patient than' "$ERR"

begin 'labels: which numbers are labels, in pictures of 16 bits and in volumes of 32'
stripes
works labels stripes.pgm -s map.pgm -o out.pgm
sed '3s/255/65535/; 4,$s/^0$/65535/' map.pgm >wide.pgm
works labels stripes.pgm -s wide.pgm -o wide_out.pgm
expect '65535 is unknown' same out.pgm wide_out.pgm
volume() { # PGM: an NRRD of its samples in 32 bits
    printf 'NRRD0004\ntype: int32\ndimension: 3\nsizes: 40 15 2\nendian: little\nencoding: raw\n\n'
    printf '%b' "$(tail -n +4 "$1" | awk '{ printf "\\0%o\\0%o\\00\\00", $1 % 256, $1 / 256 }')"
}
sed '3s/255/65535/; 4,$s/^3$/300/' map.pgm >large.pgm
for one in stripes map wide large; do volume $one.pgm >$one.nrrd; done
works labels stripes.nrrd -s map.nrrd -o out.nrrd
works labels stripes.nrrd -s wide.nrrd -o wide_out.nrrd
expect 'as a voxel of 32 bits, too' same out.nrrd wide_out.nrrd
run labels stripes.pgm -s large.pgm -o never.pgm
expect '300 is none' has 'large.pgm: holds 300 at 5,5; labels are whole numbers from 1 to 254' "$ERR"
run labels stripes.nrrd -s large.nrrd -o never.nrrd
expect 'nor as a voxel' has 'large.nrrd: holds 300 at 5,5,0; labels are whole numbers from 1 to 254' "$ERR"

begin 'labels: strokes correct a label map'
stripes
awk 'BEGIN { printf "P2\n40 30\n255\n"
    for (y = 0; y < 30; y++) for (x = 0; x < 40; x++)
        print (y >= 10 && y < 20 && x < 25) ? 3 : 3 + 2 * int(y / 10) }' >wrong.pgm
works labels stripes.pgm --previous wrong.pgm --label 5 --stroke "3,15 22,15" --brush 1 -o out.pgm --json run.json
expect 'the second stripe has its label again' right out.pgm
awk 'BEGIN { printf "P2\n40 30\n255\n"; for (y = 0; y < 30; y++) for (x = 0; x < 40; x++)
    print (y >= 14 && y < 17 && x > 2 && x < 23) ? 5 : 0 }' >strokes.pgm
works labels stripes.pgm --previous wrong.pgm -s strokes.pgm -o map.pgm
expect 'strokes of a label map correct, too' right map.pgm
has '"changed": 250,' run.json || complain 'the report does not count the pixels that changed'

begin 'labels: a label map is refined'
stripes
works labels stripes.pgm --refine truth.pgm -o out.pgm --json run.json
expect 'what is right stays' right out.pgm
works labels stripes.pgm --refine truth.pgm --label 3 --stroke "20,15 30,15" --brush 1 -o first.pgm
run labels stripes.pgm --previous out.pgm --label 3 --stroke "20,15 30,15" --brush 1 -o second.pgm
expect 'strokes correct what was refined' same first.pgm second.pgm
expect 'and change it' differ first.pgm out.pgm

begin 'labels: refine --labels is labels --refine'
stripes
awk 'BEGIN { printf "P2\n40 30\n255\n"; for (y = 0; y < 30; y++) for (x = 0; x < 40; x++)
    print (y >= 9 && y < 12 && x < 25) ? 0 : 2 * int(y / 10) }' >net.pgm
printf '0 sand #708090\n2 sky #102030\n4 sea #405060\n' >legend.txt
works labels stripes.pgm --refine net.pgm --legend legend.txt -o a.png --table a.txt --json a.json
expect 'it is moved' grep -q '"changed": [1-9]' a.json
works refine stripes.pgm net.pgm --labels --legend legend.txt -o b.png --table b.txt --json b.json
expect 'the same label map' cmp a.png b.png
expect 'the same table' cmp a.txt b.txt
for one in a b; do sed 's/"ms": {[^}]*}//' $one.json >$one.text; done
expect 'the same report' cmp a.text b.text
works refine --labels stripes.pgm a.png -o c.png --table c.txt
cut -f 1,3 a.txt | tail -n +2 >wanted
cut -f 1,3 c.txt | tail -n +2 >got
expect 'the colours of its palette are kept' cmp wanted got
works refine --labels stripes.pgm net.pgm -o c.coco.json
expect '0 is the background, so 2 is an object' has '"name": "2"' c.coco.json
run refine stripes.pgm a.png -o mask.png
expect 'without --labels it is a mask' has "'tilecut refine --labels' tells them apart" "$ERR"
run refine stripes.pgm net.pgm --labels --fg 5,5 -o never.png
expect 'strokes are refused' test "$status" = 2 -a ! -e never.png
works help refine --labels
expect 'its help' has '--background-label N' "$OUT"

begin 'labels: many photos, each with its own label map'
stripes
mkdir photos seeds
cp stripes.pgm photos/a.pgm
cp stripes.pgm photos/b.pgm
cp stripes.pgm photos/c.pgm
cp map.pgm seeds/a.pgm
cp map.pgm seeds/c.pgm
run labels photos -s 'seeds/{stem}.pgm' -O out
expect 'one photo has no seeds' test "$status" = 1
has 'seeds/b.pgm: there is no such file' "$ERR" || complain 'the message should name the seeds'
has '2 done, 0 skipped, 1 failed' "$ERR" || complain 'the sum is missing'
run labels stripes.pgm -s map.pgm -o one.png
expect 'labels are those of a run each' cmp -s out/a.png one.png
expect 'the others are cut, too' test -e out/c.png -a ! -e out/b.png
run labels photos/a.pgm photos/c.pgm -s map.pgm -o one.png
expect 'many photos need a folder' test "$status" = 2

begin 'labels: many photos again, and only what changed'
stripes
mkdir -p photos/below seeds
for one in a below/b; do cp stripes.pgm "photos/$one.pgm"; done
for one in a b; do cp map.pgm "seeds/$one.pgm"; done
printf '3 sky #0000ff\n' >legend.txt
again() { # COUNTS WHAT [OPTIONS]
    counts=$1 what=$2
    shift 2
    run labels -r photos -s 'seeds/{stem}.pgm' --legend legend.txt -O out --resume "$@"
    has "$counts, 0 failed" "$ERR" || complain "$what: should be '$counts'"
}
again '2 done, 0 skipped' 'all at first, those below, too'
again '0 done, 2 skipped' 'nothing changed' --threads 1
printf 'changed' >>out/a.png
again '1 done, 1 skipped' 'a label map was damaged'
printf '3 sky #0000fe\n' >legend.txt
again '2 done, 0 skipped' 'another legend'
cp truth.pgm seeds/b.pgm
again '1 done, 1 skipped' 'other seeds'
again '2 done, 0 skipped' 'another option' --lambda 12
awk 'NR < 4 { print; next } { print $1 == 5 ? 200 : 0 }' truth.pgm >seeds/a.pgm
run batch photos/a.pgm --refine --mask 'seeds/{stem}.pgm' -O two --resume
has '1 done' "$ERR" || complain 'the batch should refine one mask'
run labels photos/a.pgm --refine 'seeds/{stem}.pgm' -O two --resume
has '1 done' "$ERR" || complain 'the mask of a batch is no label map'
run labels stripes.pgm -s map.pgm -o never.png --resume
expect 'one photo is not resumed' test "$status" = 2 -a ! -e never.png
run labels photos -s 'seeds/{stem}.pgm' -O out --cutouts cut --resume
expect 'cutouts are not known' test "$status" = 2

begin 'labels: batch --refine --labels'
stripes
mkdir photos maps
for one in a b c; do cp stripes.pgm "photos/$one.pgm"; done
cp truth.pgm maps/a.png
awk '{ print (NR > 3 && NR < 400 ? 5 : $0) }' truth.pgm >maps/b.png
ends 0 batch photos --refine --labels --mask 'maps/{stem}.png' -O out
expect 'what has no label map is left out' has 'c.pgm: has no mask to refine, there is no maps/c.png; left out' "$ERR"
expect 'the others are done' has '2 done, 0 skipped, 0 failed' "$ERR"
for one in a b; do
    works refine stripes.pgm maps/$one.png --labels -o $one.png
    expect "$one: as refine --labels does" cmp $one.png out/$one.png
done
run batch photos --refine --labels --mask maps -O out --resume
expect 'a folder of them' has '0 done, 2 skipped' "$ERR"
for missing in '--labels --mask maps -O no' '--labels --refine -O no' '--labels --refine --mask maps'; do
    # shellcheck disable=SC2086 # these are words
    run batch photos $missing
    expect "$missing: is refused" test "$status" = 2 -a ! -e no
done
run batch photos --refine --labels --mask maps -O no --list jobs.tsv
expect 'no list' has "--list: no such option of 'tilecut batch --labels'" "$ERR"
stripes
awk '{ print (NR > 3 && $1 == 3 ? 0 : $0) }' truth.pgm >net.pgm
works labels stripes.pgm --previous net.pgm --label 5 --stroke 20,15 -o previous.coco.json
expect 'corrected, 0 is the background, too' has '"name": "5"' previous.coco.json

begin 'labels: what is refused'
stripes
refuse() { # STATUS TEXT ARGUMENTS
    wanted=$1 text=$2
    shift 2
    run labels "$@"
    [ "$status" = "$wanted" ] || show "exit status should be $wanted"
    has "$text" "$ERR" || show "the message should contain '$text'"
    [ ! -e never.png ] || complain 'left never.png'
}
refuse 4 'no pixel has a label' stripes.pgm -o never.png
awk '{ print (NR > 3 ? 0 : $0) }' truth.pgm >empty.pgm
refuse 4 'empty.pgm: no pixel has a label; there is nothing to start from' stripes.pgm -s empty.pgm -o never.png
refuse 4 'empty.pgm: no pixel has a label; there is nothing to refine' stripes.pgm --refine empty.pgm -o never.png
refuse 4 '1 is the only label' stripes.pgm --label a --stroke "5,5" -o never.png
refuse 2 "has no label; put --label NAME in front of it" stripes.pgm --stroke "5,5" -o never.png
refuse 2 "--label: '300' is no label" stripes.pgm --label 300 --stroke "5,5" -o never.png
refuse 2 'is not a list of points' stripes.pgm --label a --stroke here -o never.png
refuse 2 'has points of 3 numbers' stripes.pgm --label a --stroke 1,2,3 -o never.png
refuse 4 'lies outside of stripes.pgm' stripes.pgm --label a --stroke 100,100 -o never.png
refuse 4 'strokes of two labels meet at 4,3' stripes.pgm --label a --stroke "5,5" --label b --stroke "6,5" -o never.png
refuse 2 '--background-label: 8 does not occur' stripes.pgm -s map.pgm --background-label 8 -o never.png
sed '2s/.*/30 40/' map.pgm >turned.pgm
refuse 4 "is 96x64 but stripes.pgm is 40x30; a label map has the photo's size" stripes.pgm \
    -s "$IN/truth.png" -o never.png
refuse 4 'is 30x40 but stripes.pgm is 40x30; the label map is turned by a quarter, turn it back' stripes.pgm \
    -s turned.pgm -o never.png
refuse 4 'is in colour; a label map is grey' "$IN/photo.png" -s "$IN/photo.png" -o never.png
printf '{"shapes": [{"label": "a", "shape_type": "rectangle", "points": [[1, 1], [9, 9]]}]}' >box.json
refuse 4 '1 of its shapes are boxes' stripes.pgm -s box.json -o never.png
printf '{"shapes": [{"shape_type": "linestrip", "points": [[1, 1], [9, 9]]}]}' >nameless.json
refuse 4 '1 of its shapes have no label' stripes.pgm -s nameless.json -o never.png
refuse 2 'holds one object' stripes.pgm -s map.pgm -o never.svg
refuse 4 'what colours mean --legend says' "$IN/photo.png" -s "$IN/photo.png" -o never.png
printf '3 sky blue\n' >legend.txt
refuse 3 "line 1: '3 sky blue' is no label" stripes.pgm -s map.pgm --legend legend.txt -o never.png
printf '3 sky\n3 sea\n' >legend.txt
refuse 3 'line 2: has the number 3, which an earlier line has' stripes.pgm -s map.pgm --legend legend.txt -o never.png
printf '3 sky #102030\n' >legend.txt
refuse 4 "which is no label's in the legend" "$IN/photo.png" -s "$IN/photo.png" --legend legend.txt -o never.png
printf '3 sky #ff0000\n5 land #00ff00\n7 land #ff0000\n' >legend.txt
printf 'P3\n40 30\n255\n' >red.ppm
for i in $(seq 1200); do echo '255 0 0'; done >>red.ppm
refuse 4 'has the colour #ff0000 at 0,0, which in the legend is that of both 3 and 7' stripes.pgm -s red.ppm \
    --legend legend.txt -o never.png
printf '5 a/b\n7 a_b\n' >names.txt
refuse 2 'stripes_a_b.png: two results of --cutouts would be written there' stripes.pgm -s map.pgm --legend names.txt \
    --cutouts . -o never.png
refuse 2 "'land' is the name of both 5 and 7; give the number" stripes.pgm -s map.pgm --legend legend.txt \
    --label land --stroke 5,5 -o never.png
printf '{"shapes": [{"label": "", "shape_type": "linestrip", "points": [[1, 1], [9, 9]]}]}' >nameless.json
refuse 4 "nameless.json: '' is no label" stripes.pgm -s nameless.json -o never.png
refuse 2 "to 63 bytes" stripes.pgm --label "$(printf '%064d' 0)x" --stroke "5,5" -o never.png
refuse 5 'is divided among 3 labels' stripes.pgm -s map.pgm --max-memory 60K -o never.png
refuse 2 'stripes.pgm' stripes.pgm -s map.pgm -o stripes.pgm
refuse 2 'leave --instances out' stripes.pgm --instances --previous map.pgm -o never.png
refuse 2 'has 30 rows, fewer than 31 parts' stripes.pgm -s map.pgm -o never.png --parts 31
refuse 2 "confidence: says how sure a mask of one object is; 'tilecut segment' has it" stripes.pgm -s map.pgm \
       --confidence sure.png -o never.png
refuse 2 "previous: needs all labels at once" stripes.pgm --previous map.pgm --label 3 --stroke 5,5 -o never.png \
    --parts 2
refuse 2 'are cut on one, name that' stripes.pgm -s map.pgm -o never.png --parts 2 --device cuda:0,1
refuse 2 'parts are of one' stripes.pgm stripes.pgm -s map.pgm -O never.png --parts 2
