# SPDX-License-Identifier: MIT
#
# The table of formats, row by row: what one door reads or writes, every door does: a photo, a photo in parts, a scan.
# The program itself lists the rows, so a new one is tried here, too.
# shellcheck shell=sh disable=SC2154,SC2046,SC2086 # set in lib.sh and run.sh; several words are meant

F=$WORK/formats
mkdir -p "$F"
chelsea=$here/../../images/chelsea
"$TILECUT" make photo --image "$chelsea.png" -s "${chelsea}_seeds.png" --size 64 -o "$F/p.ppm" \
    --seeds-output "$F/s.pgm" 2>/dev/null
photo=$F/p.ppm seeds=$F/s.pgm:trimap
named() { # the extensions that a refusal proposes
    "$TILECUT" segment "$@" -o m.xyz 2>&1 | sed 's/.*use //' | grep -oE '\.[a-z.]+' | tr '\n' ' '
}
pictures=$(named "$photo" -s "$seeds") volumes=$(named x.nii --size 9x9x9 -s "$seeds")
all=$(printf '%s\n' $pictures $volumes | sort -u)
size=$(sed -n 2p "$photo")
shape="--size ${size% *}x${size#* }x1:u8"
shaped() { case $1 in *.raw) echo "$shape" ;; esac; }

begin 'formats: the program names what it writes'
expect "pictures: $pictures" test $(echo $pictures | wc -w) -ge 6
expect "volumes: $volumes" test $(echo $volumes | wc -w) -ge 4

begin 'formats: a mask is written as whole, in parts, and of a scan'
works segment "$photo" -s "$seeds" -o "$F/m.pgm" --confidence "$F/g.pgm" -q
cd "$F" || exit 1
for e in $all; do
    run segment p.ppm -s "$seeds" -o "m$e" -q
    done_well
    run segment p.ppm -s "$seeds" -o "parts$e" --parts 3 -q
    done_well
    if ! cmp -s "m$e" "parts$e"; then # the same mask, packed in other pieces
        run refine p.ppm "m$e" -o one.pgm -q
        run refine p.ppm "parts$e" -o many.pgm -q
        expect "$e: in parts another mask" cmp -s one.pgm many.pgm
    fi
    [ "$e" = .pbm ] && continue # two values
    run segment p.ppm -s "$seeds" --confidence "g$e" -q
    done_well
    run segment g.pgm --range 0,255 --fg 20,20 --bg 3,3 -o "scan$e" -q
    done_well
done
cd "$WORK/t" || exit 1

begin 'formats: a grey photo is read as a photo, in parts, and as a scan'
run segment "$F/g.pgm" --fg 20,20 --bg 3,3 -o photo.pgm -q
run segment "$F/g.pgm" --range 0,255 --fg 20,20 --bg 3,3 -o scan.pgm -q
for e in $all; do
    [ "$e" = .pbm ] && continue
    works segment "$F/g$e" $(shaped $e) --range 0,255 --fg 20,20 --bg 3,3 -o one.pgm -q
    expect "$e: as a scan another mask" cmp -s one.pgm scan.pgm
    case " $volumes" in
    *" $e "*) # what is a scan by itself is a photo if an option for photos says so
        [ "$e" = .raw ] && continue
        works segment "$F/g$e" --fg 20,20 --bg 3,3 -o one.pgm --cutout cut.png -q ;;
    *)
        works segment "$F/g$e" --fg 20,20 --bg 3,3 -o one.pgm -q
        works segment "$F/g$e" --fg 20,20 --bg 3,3 -o many.pgm --parts 2 -q
        expect "$e: in parts another mask" cmp -s many.pgm photo.pgm ;;
    esac
    expect "$e: as a photo another mask" cmp -s one.pgm photo.pgm
done

begin 'formats: seeds and masks of a photo, whole and in parts, and of a scan'
run refine "$photo" "$F/m.pgm" -o photo.pgm -q
run refine "$F/g.nrrd" "$F/m.pgm" -o scan.pgm -q
for e in $all; do
    if [ "$e" = .raw ]; then # has no header, so no size
        ends 3 refine "$photo" "$F/m.raw" -o never.pgm -q
        expect 'raw: another sentence' grep -q 'm.raw: not a ' "$ERR"
        continue
    fi
    works refine "$photo" "$F/m$e" -o one.pgm -q
    expect "$e: another mask" cmp -s one.pgm photo.pgm
    works refine "$F/g.nrrd" "$F/m$e" -o one.pgm -q
    expect "$e: of a scan another mask" cmp -s one.pgm scan.pgm
    works score "$F/m$e" "$F/m.nrrd" --json score.json
    expect "$e: another score" grep -q '"error_rate": 0,' score.json
    works segment "$photo" -s "$F/m$e:trimap" -o one.pgm -q
    expect "$e: other seeds" cmp -s one.pgm "$F/m.pgm"
    works segment "$photo" -s "$F/m$e:trimap" -o one.pgm -q --parts 2
    expect "$e: in parts other seeds" cmp -s one.pgm "$F/m.pgm"
done

begin 'formats: pictures one after another in a PNM file are slices, whole and in parts'
pixels=$((${size% *} * ${size#* })) voxels="--range 0,255 --fg 20,20,1 --bg 3,3,1"
{ printf 'P5\n%s\n255\n' "$size" && head -c $pixels /dev/zero; } >"$F/dark.pgm"
cat "$F/dark.pgm" "$F/g.pgm" "$F/g.pgm" >"$F/stack.pgm"
for one in dark g g; do tail -c $pixels "$F/$one.pgm"; done >"$F/stack.raw"
works segment "$F/stack.raw" --size ${size% *}x${size#* }x3 $voxels -o stack.nrrd -q
works segment "$F/stack.pgm" $voxels -o one.nrrd -q
works segment "$F/stack.pgm" $voxels -o many.nrrd -q --parts 3
"$TILECUT" segment - $voxels -o piped.nrrd -q <"$F/stack.pgm" 2>"$ERR" || complain "from a pipe: $(cat "$ERR")"
for out in one many piped; do expect "$out: other labels" cmp -s $out.nrrd stack.nrrd; done
cat "$F/g.pgm" "$photo" >"$F/unlike.pgm"
rm -f ./*.nrrd
fails 3 'picture 2 differs from the first one' segment "$F/unlike.pgm" $voxels -o never.nrrd

begin 'formats: a volume of one slice in colour is a photo in colour'
{ printf 'NRRD0004\ntype: uint8\ndimension: 3\nsizes: 3 %s\nencoding: raw\n' "$size"
  printf 'kinds: RGB-color domain domain\n\n' && tail -c $((3 * pixels)) "$photo"; } >"$F/colour.nrrd"
{ printf 'ObjectType = Image\nNDims = 2\nDimSize = %s\nElementNumberOfChannels = 3\n' "$size"
  printf 'ElementType = MET_UCHAR\nElementDataFile = LOCAL\n' && tail -c $((3 * pixels)) "$photo"; } >"$F/colour.mha"
works segment "$photo" -s "$seeds" -o photo.pgm --cutout photo.png -q
for e in nrrd mha; do
    works segment "$F/colour.$e" -s "$seeds" -o one.pgm --cutout one.png -q
    expect "$e: another mask" cmp -s one.pgm photo.pgm
    expect "$e: another cutout" cmp -s one.png photo.png
    works segment "$F/colour.$e" -s "$seeds" -o one.pgm -q
    expect "$e: without an option for photos another mask" cmp -s one.pgm photo.pgm
    works segment "$F/colour.$e" -s "$seeds" -o many.pgm -q --parts 2
    expect "$e: in parts another mask" cmp -s many.pgm photo.pgm
    works segment "$F/colour.$e" --channel 2 -s "$seeds" -o one.pgm -q
    works check "$F/colour.$e" -s "$seeds"
    expect "$e: check takes it for a scan" grep -q '^photo ' "$OUT"
done
rm -f ./*.p?m ./*.png
sed 's/sizes: 3 /sizes: 2 /' "$F/colour.nrrd" >"$F/two.nrrd"
fails 3 'holds 2 channels, and one picture is wanted here' segment "$photo" -s "$seeds" --cutout never.png \
    --background "$F/two.nrrd"

begin 'formats: of several pictures in a GIF, WebP or HEIC a photo is the first, with a note, and a scan has all'
repeat() { printf "$1%.0s" $(seq "$2"); }
number() { # BYTES VALUE, the lowest byte first
    left=$2
    for _ in $(seq "$1"); do printf "\\$(printf %03o $((left & 255)))" && left=$((left >> 8)); done
}
four() { case $1 in 0) printf %s '\004\101\020' ;; *) printf %s '\014\303\060' ;; esac; }
frame() { # LEFT TOP SIDE COLOUR COLOUR: half of the pixels has each; every code stands behind one that clears the table
    printf , && number 2 "$1" && number 2 "$2" && number 2 "$3" && number 2 "$3" && printf '\0\002' # four take 3 bytes
    number 1 $(($3 * $3 * 3 / 4)) && repeat "$(four "$4")" $(($3 * $3 / 8))
    repeat "$(four "$5")" $(($3 * $3 / 8)) && printf '\001\005\0'
}
control() { printf '!\371\004' && number 1 "$1" && printf '\0\0' && number 1 "$2" && printf '\0'; } # FLAGS TRANSPARENT
black() { head -c "$1" /dev/zero; }
white() { black "$1" | tr '\0' '\377'; }
start='GIF89a\020\0\020\0\200\0\0\0\0\0\377\377\377' # 16 x 16 pixels, black and white
{ printf "$start" && frame 0 0 16 0 1 && frame 0 0 16 1 0 && printf ';'; } >"$F/two.gif"
several=$F/two.gif
{ printf 'P5\n16 16\n255\n' && black 128 && white 128; } >"$F/still.pgm"
if run segment "$F/still.pgm" --fg '1,14 14,14' --bg '1,1 14,1' -o "$F/still.webp" -q && [ -s "$F/still.webp" ]; then
    picture=$(($(wc -c <"$F/still.webp") - 12))
    { printf 'RIFF' && number 4 $((4 + 18 + 14 + 2 * (24 + picture))) && printf 'WEBPVP8X\012\0\0\0\002\0\0\0'
      number 3 15 && number 3 15 && printf 'ANIM\006\0\0\0\0\0\0\0\0\0'
      for _ in 1 2; do
          printf 'ANMF' && number 4 $((16 + picture)) && number 6 0 && number 3 15 && number 3 15 && number 4 100
          tail -c $picture "$F/still.webp"
      done; } >"$F/two.webp"
    several="$several $F/two.webp"
fi
if command -v heif-enc >/dev/null && "$TILECUT" info | grep -q '^ *HEIC *read '; then
    heif-enc "$chelsea.png" "$chelsea.png" -o "$F/two.heic" >"$OUT" 2>&1 && several="$several $F/two.heic"
    heif-enc "$chelsea.png" "${chelsea}_seeds.png" -o "$F/like.heic" >"$OUT" 2>&1
fi
for file in $several; do
    for how in '' '--parts 2'; do
        run segment "$file" $how --fg '1,14 14,14' --bg '1,1 14,1' -o m.pgm
        expect "$file $how: $(cat "$ERR")" grep -qE 'more than one frame|an animation|holds 2 pictures' "$ERR"
        case $file in *.heic) ;; *) expect "$file $how: another mask" cmp -s m.pgm "$F/still.pgm" ;; esac
    done
    ends 0 check "$file" --channel 2 --fg 1,14,0 --bg 1,1,0
    expect "$file: no two slices: $(cat "$OUT")" grep -qE '^volume .*(16x16x2|451x300x2), uint8' "$OUT"
    works segment "$file" --channel 2 --fg 1,14,0 --bg 1,1,0 -o whole.nrrd -q
    works segment "$file" --channel 2 --fg 1,14,0 --bg 1,1,0 -o parts.nrrd -q --parts 2
    expect "$file: in parts other labels" cmp -s parts.nrrd whole.nrrd
done
rm -f m.pgm ./*.nrrd
if [ -f "$F/two.heic" ]; then
    works check "$F/two.heic" --fg 1,14,0 --bg 1,1,0
    expect 'in colour' has '451x300x2, uint8 in colour' "$OUT"
fi

begin 'formats: frames of a GIF are slices as they are shown: drawn over others, which stay, go or come back'
{ printf "$start" && frame 0 0 16 0 1
  control 8 0 && frame 4 4 8 1 1 # white, cleared afterwards
  control 12 0 && frame 0 8 8 0 0 # black, undone afterwards
  control 1 1 && frame 8 0 8 1 1 && printf '!\376\001x\0;'; } >"$F/shown.gif" # white, which is transparent
{ black 128 && white 128
  black 64 && for _ in 4 5 6 7; do black 4 && white 8 && black 4; done && white 128
  black 128 && for _ in 8 9 10 11; do black 12 && white 4; done && for _ in 12 13 14 15; do black 8 && white 8; done
  black 128 && for _ in 8 9 10 11; do white 4 && black 8 && white 4; done && white 64; } >"$F/shown.raw"
shown='--range 0,255 --lambda 1 --spatial 0 --brush 0 --fg 1,14,0 --bg 1,1,0'
works segment "$F/shown.raw" --size 16x16x4 $shown -o m.raw -q
expect 'the mask of black and white is another picture' cmp -s m.raw "$F/shown.raw"
run segment "$F/shown.gif" $shown -o m.raw
expect "other frames" cmp -s m.raw "$F/shown.raw"
expect "no note: $(cat "$ERR")" grep -q 'is transparent in 112 pixels' "$ERR"
works segment "$F/shown.gif" $shown --parts 4 -o m.raw -q
expect "in parts other frames" cmp -s m.raw "$F/shown.raw"
works segment "$F/shown.raw" --size 16x16x4 --range 0,255 -s "$F/shown.gif:trimap" -o m.raw -q
expect "as seeds other frames" cmp -s m.raw "$F/shown.raw"
works segment "$F/shown.raw" --size 16x16x4 --range 0,255 -s "$F/shown.gif:trimap" -o m.raw -q --parts 2
expect "as seeds in parts other frames" cmp -s m.raw "$F/shown.raw"
works refine "$F/shown.raw" --size 16x16x4 --range 0,255 "$F/shown.raw" -o m.raw -q
works refine "$F/shown.raw" --size 16x16x4 --range 0,255 "$F/shown.gif" -o one.raw -q
expect "as a mask other frames" cmp -s one.raw m.raw
rm -f m.raw one.raw

begin 'formats: frames of a WebP are turned upright by its EXIF, as a photo and as slices'
{ printf 'P5\n16 8\n255\n' && black 64 && white 64; } >"$F/wide.pgm"
if "$TILECUT" info | grep -q '^ *WebP  *read, write'; then
    works segment "$F/wide.pgm" --fg '1,6 14,6' --bg '1,1 14,1' --brush 1 -o "$F/wide.webp" -q
    picture=$(($(wc -c <"$F/wide.webp") - 12))
    { printf 'RIFF' && number 4 $((4 + 18 + 14 + 2 * (24 + picture) + 34)) && printf 'WEBPVP8X\012\0\0\0\012\0\0\0'
      number 3 15 && number 3 7 && printf 'ANIM\006\0\0\0\0\0\0\0\0\0'
      for _ in 1 2; do
          printf 'ANMF' && number 4 $((16 + picture)) && number 6 0 && number 3 15 && number 3 7 && number 4 100
          tail -c $picture "$F/wide.webp"
      done
      printf 'EXIF\032\0\0\0MM\0*\0\0\0\010\0\001\001\022\0\003\0\0\0\001\0\006\0\0\0\0\0\0'
    } >"$F/turned.webp"
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do white 4 && black 4; done >"$F/slice.raw"
    cat "$F/slice.raw" "$F/slice.raw" >"$F/slices.raw"
    works segment "$F/turned.webp" --channel 1 --range 0,255 --fg 1,2,0 --bg 6,2,0 -o m.raw -q --brush 0
    expect 'other slices' cmp -s m.raw "$F/slices.raw"
    run segment "$F/turned.webp" --fg '1,2 1,12' --bg '6,2 6,12' -o m.pgm --brush 1
    expect 'another photo' [ "$(tail -c 128 m.pgm | cksum)" = "$(cksum <"$F/slice.raw")" ]
    works segment "$F/turned.webp" --channel 1 --range 0,255 --fg 1,6,0 --bg 1,1,0 -o m.raw -q --brush 0 --exif ignore
    expect 'as stored, other slices' [ "$(head -c 128 m.raw | cksum)" = "$(tail -c 128 "$F/wide.pgm" | cksum)" ]
fi
rm -f m.raw m.pgm

begin 'formats: frames are checked before they are decoded'
head -c $(($(wc -c <"$F/shown.gif") - 9)) "$F/shown.gif" >"$F/short.gif"
fails 3 'short.gif: is cut short' segment "$F/short.gif" $shown -o m.raw
{ printf "$start" && frame 0 0 16 0 1; } >"$F/one.gif"
head -c $(($(wc -c <"$F/two.gif") - 1)) "$F/two.gif" >"$F/both.gif"
for file in one both; do # of one frame or several, a scan needs the end of the file, and a photo its first frame
    fails 3 "$file.gif: is cut short" segment "$F/$file.gif" $shown -o m.raw
    run segment "$F/$file.gif" --fg '1,14 14,14' --bg '1,1 14,1' -o m.pgm
    expect "as a photo another mask" cmp -s m.pgm "$F/still.pgm"
    rm -f m.pgm
done
{ cat "$F/both.gif" && printf 'xyz'; } >"$F/behind.gif"
fails 3 'its frame 2 is followed by bytes that are no block' segment "$F/behind.gif" $shown -o m.raw
{ printf 'GIF89a\240\017\240\017\200\0\0\0\0\0\377\377\377' && for _ in $(seq 50); do frame 0 0 16 0 1; done
  printf ';'; } >"$F/large.gif" # 4000 x 4000 pixels
fails 5 'large.gif: is 4000x4000x50 and needs' segment "$F/large.gif" $shown -o m.raw --max-memory 1G
fails 3 'large.gif: is 4000x4000x50, which is 800000000 voxels' segment "$F/large.gif" $shown -o m.raw \
    --max-pixels 20000000
fails 5 'large.gif: is 4000x4000 and needs 208' segment "$F/large.gif" $shown -o m.raw --max-memory 100M
[ ! -f "$F/like.heic" ] || works check "$F/like.heic" --channel 1 --fg 1,14,0 --bg 1,1,0

begin 'formats: a mask in parts has the density of the photo, as the mask of the whole photo'
head -c 38 "$F/g.bmp" >"$F/dense.bmp"
{ number 4 2835 && number 4 11811 && tail -c +47 "$F/g.bmp"; } >>"$F/dense.bmp" # pixels per metre
for e in png tif webp bmp; do
    works segment "$F/dense.bmp" --fg 20,20 --bg 3,3 -o "whole.$e" -q
    works segment "$F/dense.bmp" --fg 20,20 --bg 3,3 -o "parts.$e" -q --parts 3
    for how in whole parts; do works segment $how.$e --fg 20,20 --bg 3,3 --edge hard --cutout $how.$e.png -q; done
    expect "$e: another mask or density" cmp -s parts.$e.png whole.$e.png
    [ $e = webp ] || expect "$e: no density" grep -aq pHYs parts.$e.png
done
works segment "$F/dense.bmp" --fg 20,20 --bg 3,3 -o bare.tif -q --parts 2 --no-metadata
works segment bare.tif --fg 20,20 --bg 3,3 --edge hard --cutout bare.png -q
expect 'density in spite of --no-metadata' sh -c '! grep -aq pHYs bare.png'
rm -f ./*.png ./*.tif ./*.webp ./*.bmp

begin 'formats: strips of a TIFF that are not as long as it says are noted'
tiff() { # BYTES OF THE SECOND STRIP: three strips of 8 x 2 pixels
    printf 'II*\0' && number 4 8 && number 2 9
    tag() { number 2 "$1" && number 2 "$2" && number 4 "$3" && number 4 "$4"; }
    tag 256 4 1 8 && tag 257 4 1 6 && tag 258 3 1 8 && tag 259 3 1 1 && tag 262 3 1 1 && tag 273 4 3 122
    tag 277 3 1 1 && tag 278 4 1 2 && tag 279 4 3 134 && number 4 0
    for at in 146 162 178 16 "$1" 16; do number 4 "$at"; done
    black 24 && white 24
}
tiff 16 >"$F/right.tif" && tiff 7 >"$F/wrong.tif"
for how in '' '--parts 2' '--range 0,255'; do
    works segment "$F/right.tif" $how --fg 6,5 --bg 1,1 --brush 0 -o right.png -q
    run segment "$F/wrong.tif" $how --fg 6,5 --bg 1,1 --brush 0 -o wrong.png
    expect "$how: no note: $(cat "$ERR")" grep -q 'wrong.tif: its strips have not the sizes that it says' "$ERR"
    expect "$how: another mask" cmp -s wrong.png right.png
done
rm -f ./*.png

begin 'formats: which refusal of a TIFF in colour comes first does not depend on how its parts work'
page() { # where the next page begins: pages of 2 x 2 pixels of three 32-bit samples, which share these
    number 2 10 && tag 256 4 1 2 && tag 257 4 1 2 && tag 258 3 3 134 && tag 259 3 1 1 && tag 262 3 1 2
    tag 273 4 1 140 && tag 277 3 1 3 && tag 278 4 1 2 && tag 279 4 1 48 && tag 284 3 1 1 && number 4 "$1"
}
{ printf 'II*\0' && number 4 8 && page 188 && for _ in 1 2 3; do number 2 32; done
  for value in 9 5 1 9 5 1 2 7 8 2 7 8; do number 4 $value; done
  page 0; } >"$F/deep.tif"
first() { # TEXT OPTIONS
    text=$1 && shift
    set -- "$@" --fg 0,0,0 --bg 1,1,1 -o never.nrrd
    fails "$refusal" "$text" segment "$F/deep.tif" --parts 3 "$@"
    fails "$refusal" "$text" segment "$F/deep.tif" --parts 3 --max-memory 40M "$@"
    "$TILECUT" segment - --parts 3 "$@" <"$F/deep.tif" >"$OUT" 2>"$ERR"
    expect "standard input: $(cat "$ERR")" has "$text" "$ERR"
    if has_mpirun; then
        ranks 3 "$TILECUT" segment "$F/deep.tif" "$@"
        expect "mpirun: $(cat "$ERR")" has "$text" "$ERR"
    fi
}
refusal=3 && first ' holds 3 channels; say which one is meant'
refusal=2 && first ' holds 3 channels, counted from 1' --channel 9
refusal=2 && first ' has 2 slices, fewer than 3 parts' --channel 2

begin 'formats: shapes on earth find their place in a GeoTIFF, in parts and without metadata, too'
{ # 16 x 16 pixels of half a metre, whose corner is 400 km east and 5800 km north in EPSG:32633
    printf 'II*\0' && number 4 8 && number 2 12
    tag 256 4 1 16 && tag 257 4 1 16 && tag 258 3 1 8 && tag 259 3 1 1 && tag 262 3 1 1 && tag 273 4 1 262
    tag 277 3 1 1 && tag 278 4 1 16 && tag 279 4 1 256 && tag 33550 12 3 158 && tag 33922 12 6 182
    tag 34735 3 16 230 && number 4 0
    printf '\0\0\0\0\0\0\340\077\0\0\0\0\0\0\340\077' && black 8
    black 29 && printf 'j\030A\0\0\0\0\020 VA' && black 8
    for key in 1 1 0 3 1024 0 1 1 1025 0 1 1 3072 0 1 32633; do number 2 "$key"; done
    black 128 && white 128
} >"$F/earth.tif"
cat >"$F/earth.geojson" <<'END'
{"type": "FeatureCollection", "crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::32633"}},
 "features": [{"type": "Feature", "properties": {"label": "roof"},
               "geometry": {"type": "Point", "coordinates": [400006.25, 5799993.75]}},
              {"type": "Feature", "properties": {"label": "background"},
               "geometry": {"type": "Point", "coordinates": [400001.25, 5799998.75]}}]}
END
{ printf 'P5\n16 16\n255\n' && black 128 && white 128; } >right.pgm
for how in '' '--no-metadata' '--parts 3' '--parts 3 --no-metadata'; do
    works segment "$F/earth.tif" -s "$F/earth.geojson" --brush 2 -o earth.pgm -q $how
    expect "$how: another mask" cmp -s earth.pgm right.pgm
done
rm -f ./*.pgm

begin 'formats: a photo that is cut as a scan has the mask of the photo, in colour'
works segment "$photo" -s "$seeds" -o photo.png -q
works segment "$photo" -s "$seeds" -o slice.png -q --range 0,255
expect 'another mask' cmp -s slice.png photo.png
works segment "$photo" -s "$seeds" -o slice.png -q --channel color
expect 'another mask with --channel color' cmp -s slice.png photo.png
works segment "$photo" -s "$seeds" -o slice.png -q --channel 1
expect 'one channel has another' differ slice.png photo.png
rm -f ./*.png

begin 'formats: what cannot be is refused in one line'
gzip -c "$F/right.tif" >"$F/packed.tif.gz" && gzip -c "$F/g.png" >"$F/packed.png"
fails 3 'packed.tif.gz: is a TIFF file packed by gzip; unpack it first' segment "$F/packed.tif.gz" --range 0,255 \
    --fg 6,5 --bg 1,1 -o m.png
fails 3 'packed.png: is a PNG file packed by gzip; unpack it first' segment "$F/packed.png" --range 0,255 \
    --fg 6,5 --bg 1,1 -o m.png
half=${size% *}x$((${size#* } / 2))x2
fails 2 'm.png: a PNG file holds one slice, and the volume has 2' segment "$F/g.raw" --size $half \
    --fg 20,10,1 --bg 3,3,1 -o m.png
fails 2 'm.nii.gz: a cutout needs transparency' segment "$photo" -s "$seeds" --cutout m.nii.gz
fails 2 'PBM holds black and white only' segment "$F/g.nrrd" --fg 20,20 --bg 3,3 -o m.pbm
fails 2 'has 1 slice, fewer than 2 parts' segment "$F/g.nrrd" --fg 20,20 --bg 3,3 -o m.png --parts 2
echo text >"$F/text.dat"
fails 3 'text.dat: not a PNG, JPEG, PNM, NIfTI, NRRD, MetaImage, TIFF, DICOM, WebP, HEIC, AVIF, GIF, BMP or TGA file' \
    segment "$F/g.nrrd" -s "$F/text.dat" -o m.png
printf 'NRRD0004\ntype: float\nendian: little\ndimension: 2\nsizes: 1 1\nencoding: raw\n\n' >"$F/nan.nrrd"
printf '\0\0\300\177' >>"$F/nan.nrrd"
fails 3 'is a volume of numbers that are not all finite' segment "$photo" -s "$F/nan.nrrd" -o m.png

begin 'formats: the size of a picture without rows is checked before it is read as a scan'
{ printf '\211PNG\r\n\032\n\000\000\000\rIHDR\000\000\003\350\000\000\003\355\010\002\000\000\001\345\013\342\226'
  printf '\000\000\040\000IDAT' && head -c 9000 /dev/zero; } >"$F/large.png" # interlaced
fails 3 'is 1000x1005, which is 1005000 pixels; at most 999 are' segment "$F/large.png" --channel 1 --fg 2,2 \
    --bg 3,3 -o m.png --max-pixels 999
fails 5 'is 1000x1005 and needs 4.1 MB of memory' segment "$F/large.png" --channel 1 --fg 2,2 --bg 3,3 -o m.png \
    --max-memory 2M
