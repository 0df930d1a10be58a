# SPDX-License-Identifier: MIT
#
# The soft edge by matting: what it changes and what it must not change.
# shellcheck shell=sh disable=SC2154

P="$IN/photo.png"
S="$IN/seeds.png"

begin 'matte: the cutout is soft, the mask is not'
works "$P" -s "$S" -o mask.png --cutout hard.png --edge hard --json hard.json
works "$P" -s "$S" -o mask2.png --cutout soft.png --alpha alpha.png --matte auto --json soft.json
works "$P" -s "$S" -o mask3.png --cutout kept.png --matte auto --keep-colors
expect 'the mask stays' same mask.png mask2.png
expect 'and its hash' test "$(value mask_sha256 hard.json)" = "$(value mask_sha256 soft.json)"
expect 'the cutout does not' differ hard.png soft.png
expect 'alpha is not the mask' differ mask.png alpha.png
expect 'kept colours differ from clean ones' differ soft.png kept.png
expect 'without it there is none in the JSON' has '"matte": null' hard.json
expect 'with it there is' has '"band": "auto"' soft.json

begin 'matte: any thread count, all that is not seeded, alpha alone, a batch'
for threads in 1 2 7; do
    works "$P" -s "$S" -o m.png --cutout "c$threads.png" --alpha "a$threads.pgm" --matte auto --threads $threads
done
expect '1 and 2 threads' same c1.png c2.png
expect '1 and 7 threads' same c1.png c7.png
expect 'and their alpha' same a1.pgm a7.pgm
works "$P" -s "$S" -o m.png --alpha seeds.pgm --matte seeds --json seeds.json
expect 'another band' differ a1.pgm seeds.pgm
expect 'which is what has no seed' test "$(value pixels seeds.json)" = "$(value unknown seeds.json)"
works "$P" -s "$S" -o m.png --alpha feathered.pgm --feather 4
works "$P" -s "$S" -o crop.png --cutout cropped.png --alpha cropped.pgm --matte auto --crop
expect 'all are cropped alike' test "$(head -c 20 cropped.pgm | sed -n 2p)" != '96 64'
expect 'the alpha of the quick way' differ a1.pgm feathered.pgm
ends 0 batch "$P" -s "$S" -O out --cutout cut.png --matte auto -q
expect 'as segment does' same c1.png out/cut.png
run "$P" -s "$S" -o m.png --cutout v.png --matte auto -v
expect 'a line of -v' has 'matte ' "$ERR"

refuses 'matte: without a cutout' 2 '--cutout FILE is missing' "$P" -s "$S" -o m.png --matte auto
refuses 'matte: without a cutout in a batch' 2 '--cutout PATTERN is missing' batch "$P" -s "$S" -O . --matte auto
refuses 'matte: of an unknown band' 2 'auto or seeds' "$P" -s "$S" -o m.png --cutout c.png --matte wide
refuses 'matte: two soft edges' 2 'give one of them' "$P" -s "$S" -o m.png --cutout c.png --matte auto --feather 3
refuses 'matte: alpha needs a lossless format' 2 'lossless' "$P" -s "$S" -o m.png --alpha a.jpg --matte auto
refuses 'matte: alpha and mask in one file' 2 'name two files' "$P" -s "$S" -o m.png --alpha m.png --matte auto
refuses 'matte: memory counts' 5 'memory' "$P" -s "$S" -o m.png --cutout c.png --matte seeds --max-memory 1M
