# SPDX-License-Identifier: MIT
#
# The plain soft edge of the cutout, and the confidence of the mask.
# shellcheck shell=sh disable=SC2154

P="$IN/photo.png"
S="$IN/seeds.png"

begin 'edge: a cutout is soft, the mask is not'
works "$P" -s "$S" -o mask.png --cutout hard.png --edge hard --json hard.json
works "$P" -s "$S" -o mask2.png --cutout soft.png --alpha alpha.pgm --json soft.json
works "$P" -s "$S" -o mask3.pgm --cutout said.png --edge soft
works "$P" -s "$S" -o mask4.png --cutout kept.png --keep-colors
works "$P" -s "$S" -o mask5.pgm --alpha cropped.pgm --crop
expect 'the mask stays' same mask.png mask2.png
values=$(tail -c 6144 mask3.pgm | od -An -v -tu1 | tr -s ' ' '\n' | grep . | sort -un | xargs)
expect 'and has 0 and 255 alone' test "$values" = '0 255'
expect 'the cutout does not' differ hard.png soft.png
expect 'soft is what nobody says' same soft.png said.png
expect 'kept colours differ from clean ones' differ soft.png kept.png
expect 'the JSON names it' has '"band": "soft"' soft.json
expect 'a hard one has no band' has '"matte": null' hard.json
expect 'and the same mask' test "$(value mask_sha256 hard.json)" = "$(value mask_sha256 soft.json)"
expect 'a crop is the same of both' test "$(sed -n 2p mask5.pgm | head -c 9)" = "$(sed -n 2p cropped.pgm | head -c 9)"
for threads in 2 7; do
    run "$P" -s "$S" -o m.png --cutout "c$threads.png" --threads $threads
    expect "the same with $threads threads" same soft.png "c$threads.png"
done
run "$P" -s "$S" -o m.png --cutout push.png --solver push
expect 'another solver' same soft.png push.png
run batch "$P" -s "$S" -O out --cutout cut.png -q
expect 'as in a batch' same soft.png out/cut.png
run batch "$P" -s "$S" -O out --cutout cuthard.png --edge hard -q
expect 'hard in a batch, too' same hard.png out/cuthard.png
printf 'image\tseeds\tmask\tcutout\tedge\n%s\t%s\tl.png\tlc.png\tsoft\n' "$P" "$S" >list.txt
run batch --list list.txt --edge hard -q
expect 'a line has its own edge' same soft.png lc.png
run batch "$P" -s "$S" -O out --alpha 'a/{stem}.pgm' --edge soft -q
expect 'alpha in a batch, too' same alpha.pgm out/a/photo.pgm
rm out/a/photo.pgm
run batch "$P" -s "$S" -O out --alpha 'a/{stem}.pgm' --edge soft -q --resume
expect 'which is made again where it is missing' same alpha.pgm out/a/photo.pgm
printf 'image\tseeds\tmask\talpha\n%s\t%s\tm.png\tla.pgm\n' "$P" "$S" >list.txt
run batch --list list.txt -q
expect 'and as a column' same alpha.pgm la.pgm
run "$P" -s "$S" -o m.png --cutout matte.png --edge matte
run "$P" -s "$S" -o m.png --cutout auto.png --matte auto
expect 'matte is --matte auto' same matte.png auto.png
run "$P" -s "$S" --alpha alone.pgm
expect 'alpha alone' same alpha.pgm alone.pgm
run "$IN/transparent.png" --fg '20,0 40,0' --fg '60,0 80,0' --bg '10,60 80,60' -o m.pgm --alpha shown.pgm
expect 'the mask has what is transparent in the photo' test "$(tail -c 6124 m.pgm | head -c 1 | od -An -tu1)" -eq 255
expect 'its alpha has not' test "$(tail -c 6124 shown.pgm | head -c 1 | od -An -tu1)" -eq 0
expect 'but all that is opaque' test "$(tail -c 6074 shown.pgm | head -c 1 | od -An -tu1)" -eq 255

begin 'outline: smooth or exact, the same mask read back'
run "$P" -s "$S" -o mask.png
for file in m.svg m.labelme.json m.coco.json m.geojson; do
    for kind in exact smooth; do
        works "$P" -s "$S" -o $kind-$file --outline $kind
        run score $kind-$file mask.png
        expect "$kind $file is the mask" has '0.000 %' "$OUT"
    done
    expect "$file: the two differ" differ exact-$file smooth-$file
    run "$P" -s "$S" -o $file
    usual=exact
    [ $file = m.svg ] && usual=smooth
    expect "$file is $usual by itself" same $file $usual-$file
done
works "$P" -s "$S" -o in.svg --invert --crop 3
run "$P" -s "$S" -o m.png --overlay exact.png
run "$P" -s "$S" -o m.png --overlay smooth.png --outline smooth
expect 'an overlay, too' differ exact.png smooth.png

begin 'confidence: a picture beside the mask, which stays'
run "$P" -s "$S" -o mask.png
ends 0 "$P" -s "$S" -o mask2.png --confidence sure.pgm -v
expect 'the mask stays' same mask.png mask2.png
expect 'a line of -v' has 'confidence ' "$ERR"
expect 'of the size of the photo' test "$(head -c 20 sure.pgm | sed -n 2p)" = '96 64'
works "$P" -s "$S" --confidence sure7.pgm --threads 7
expect 'any number of threads, and nobody reads where a stroke helps' same sure.pgm sure7.pgm
# The strokes of such a small object raise the weight of nearness, which must also happen in a graph.
run "$here/../../images/tulips.png" -s "$here/../../images/tulips_seeds.png" -o mask.png
run "$here/../../images/tulips.png" -s "$here/../../images/tulips_seeds.png" -o mask2.png --confidence sure.pgm -v
expect 'the mask stays where nearness weighs more' same mask.png mask2.png
place=$(sed -n 's/.*helps most at \([0-9,]*\), .*/\1/p' "$ERR")
run check "$here/../../images/tulips.png" -s "$here/../../images/tulips_seeds.png" --suggest
expect 'and check names the same place for a stroke' has "a stroke at $place:" "$OUT"

begin 'confidence: of a correction, learnt from the corrected mask'
run "$P" --fg 30,30 -o first.png -q
for how in '' --learn; do
    # shellcheck disable=SC2086 # no word or one
    run "$P" -s "$S" --previous first.png $how -o second.png -q
    # shellcheck disable=SC2086
    ends 0 "$P" -s "$S" --previous first.png $how -o third.png --confidence sure.pgm -v --threads 1
    expect "the mask stays${how:+, learnt}" same second.png third.png
    expect 'a line of -v' has 'confidence ' "$ERR"
    # shellcheck disable=SC2086
    works "$P" -s "$S" --previous first.png $how --confidence sure3.pgm --threads 3 -q
    expect 'any number of threads' same sure.pgm sure3.pgm
    works "$P" -s "$S" --previous second.png --confidence again.pgm -q
    expect 'no more than the mask and the strokes counts' same sure.pgm again.pgm
done

begin 'suggest: check says where a stroke helps most'
ends 0 check "$P" -s "$S" --suggest
expect 'with a line' has 'suggest  ' "$OUT"
ends 0 check "$P" -s "$S" --suggest --json -
expect 'or in the report' has '"confidence": {"unsure": ' "$OUT"
run check "$P" -s "$S"
expect 'which is not there unasked' lacks 'suggest  ' "$OUT"

refuses 'cutout: a format that is only read' 2 "'heic' files cannot be written; use .png" "$P" -s "$S" --cutout c.heic
expect 'no format without transparency is named' sh -c "! grep -qE '[.](pgm|bmp|jpg)' '$ERR'"
refuses 'overlay: the same' 2 "use .png" "$P" -s "$S" -o m.png --overlay c.heic
expect 'no format without colours is named' sh -c "! grep -qE '[.](pgm|pbm)' '$ERR'"
refuses 'edge: without a cutout' 2 '--cutout FILE is missing' "$P" -s "$S" -o m.png --edge soft
refuses 'edge: an unknown kind' 2 'hard, soft or matte' "$P" -s "$S" -o m.png --cutout c.png --edge round
refuses 'edge: two of them' 2 'give one of them' "$P" -s "$S" -o m.png --cutout c.png --edge soft --feather 3
refuses 'edge: two that agree' 2 'give one of them' "$P" -s "$S" -o m.png --cutout c.png --edge matte --matte auto
refuses 'edge: the alpha of a hard one' 2 '--edge makes it hard' "$P" -s "$S" -o m.png --alpha a.png --edge hard
refuses 'edge: the alpha of a hard one in a batch' 2 '--edge makes it hard' batch "$P" -O o --alpha a.png --edge hard
refuses 'alpha: no format that shapes have' 2 'a.svg' batch "$P" -O o --alpha a.svg
refuses 'edge: in parts, alone' 2 '--edge' "$P" -s "$S" -o m.png --edge soft --parts 2
refuses 'edge: in parts' 2 '--cutout' "$P" -s "$S" -o m.png --cutout c.png --edge soft --parts 2
refuses 'confidence: needs a lossless format' 2 'lossless' "$P" -s "$S" -o m.png --confidence s.jpg
for way in --confidence --alpha; do
    refuses "$way: no format of two values" 2 'PBM holds black and white only' "$P" -s "$S" -o m.png $way s.pbm
    refuses "$way: nor in a batch" 2 'PBM holds black and white only' batch "$P" -s "$S" -O o $way s.pbm
done
refuses 'confidence: in parts' 2 '--confidence' "$P" -s "$S" -o m.png --confidence s.png --parts 2
refuses 'outline: of pixels' 2 'no result has any' "$P" -s "$S" -o m.png --outline smooth
refuses 'outline: of pixels, in parts' 2 'no result has any' "$P" -s "$S" -o m.png --outline smooth --parts 2
refuses 'outline: of run lengths' 2 'no result has any' "$P" -s "$S" -o m.rle.json --outline smooth
refuses 'outline: of a batch in one file' 2 'the file of --coco' \
    batch "$P" -s "$S" -O o --coco a.coco.json --outline smooth
refuses 'outline: no kind' 2 'exact or smooth' "$P" -s "$S" -o m.svg --outline round
