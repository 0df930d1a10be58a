# SPDX-License-Identifier: MIT
#
# The plain soft edge of the cutout, and how sure the mask is.
# shellcheck shell=sh disable=SC2154

P="$IN/photo.png"
S="$IN/seeds.png"

begin 'edge: the cutout is soft, the mask is not'
run "$P" -s "$S" -o mask.png --cutout hard.png
done_well
run "$P" -s "$S" -o mask2.png --cutout soft.png --alpha alpha.pgm --edge soft --json soft.json
done_well
run "$P" -s "$S" -o mask3.png --cutout off.png --edge hard
done_well
run "$P" -s "$S" -o mask4.png --cutout kept.png --edge soft --keep-colors
done_well
expect 'the mask stays' same mask.png mask2.png
expect 'the cutout does not' differ hard.png soft.png
expect 'hard is off' same hard.png off.png
expect 'kept colours differ from clean ones' differ soft.png kept.png
expect 'the JSON names it' has '"band": "soft"' soft.json
for threads in 2 7; do
    run "$P" -s "$S" -o m.png --cutout "c$threads.png" --edge soft --threads $threads
    expect "the same with $threads threads" same soft.png "c$threads.png"
done
run batch "$P" -s "$S" -O out --cutout cut.png --edge soft -q
expect 'as in a batch' same soft.png out/cut.png
run "$P" -s "$S" -o m.png --cutout matte.png --edge matte
run "$P" -s "$S" -o m.png --cutout auto.png --matte auto
expect 'matte is --matte auto' same matte.png auto.png
end

begin 'confidence: a picture beside the mask, which stays'
run "$P" -s "$S" -o mask.png
run "$P" -s "$S" -o mask2.png --confidence sure.pgm -v
expect 'it succeeds' test "$status" = 0
expect 'the mask stays' same mask.png mask2.png
expect 'a line of -v' has 'confidence ' "$ERR"
expect 'of the size of the photo' test "$(head -c 20 sure.pgm | sed -n 2p)" = '96 64'
run "$P" -s "$S" --confidence sure7.pgm --threads 7
done_well
expect 'any number of threads' same sure.pgm sure7.pgm
end

begin 'suggest: check says where a stroke helps most'
run check "$P" -s "$S" --suggest
expect 'it succeeds' test "$status" = 0
expect 'with a line' has 'suggest  ' "$OUT"
run check "$P" -s "$S"
expect 'which is not there unasked' lacks 'suggest  ' "$OUT"
end

refuses 'edge: without a cutout' 2 '--cutout FILE is missing' "$P" -s "$S" -o m.png --edge soft
refuses 'edge: an unknown kind' 2 'hard, soft or matte' "$P" -s "$S" -o m.png --cutout c.png --edge round
refuses 'edge: two soft edges' 2 'give one of them' "$P" -s "$S" -o m.png --cutout c.png --edge soft --feather 3
refuses 'edge: in parts' 2 '--cutout' "$P" -s "$S" -o m.png --cutout c.png --edge soft --parts 2
refuses 'confidence: of a correction' 2 'confidence' "$P" -s "$S" -o m.png --previous "$S" --confidence s.png
refuses 'confidence: needs a lossless format' 2 'lossless' "$P" -s "$S" -o m.png --confidence s.jpg
refuses 'confidence: in parts' 2 '--confidence' "$P" -s "$S" -o m.png --confidence s.png --parts 2
