# SPDX-License-Identifier: MIT
#
# The soft edge of the cutout by --feather: what it changes and what it must not change.
# shellcheck shell=sh disable=SC2154

P="$IN/photo.png"
S="$IN/seeds.png"

begin 'feather: the cutout is soft, the mask is not'
works "$P" -s "$S" -o mask.png --cutout hard.png --edge hard --json hard.json
works "$P" -s "$S" -o mask2.png --cutout soft.png --feather 4 --json soft.json
works "$P" -s "$S" -o mask3.png --cutout zero.png --feather 0
works "$P" -s "$S" -o mask4.png --cutout kept.png --feather 4 --keep-colors
expect 'the mask stays' same mask.png mask2.png
expect 'and its hash' test "$(value mask_sha256 hard.json)" = "$(value mask_sha256 soft.json)"
expect 'the cutout does not' differ hard.png soft.png
expect '0 is off' same hard.png zero.png
expect 'kept colours differ from clean ones' differ soft.png kept.png

begin 'feather: any thread count and solver, a filled background, a batch'
for threads in 1 2 7; do
    works "$P" -s "$S" -o m.png --cutout "c$threads.png" --feather 5 --threads $threads
done
expect '1 and 2 threads' same c1.png c2.png
expect '1 and 7 threads' same c1.png c7.png
run "$P" -s "$S" -o m.png --cutout push.png --feather 5 --solver push
expect 'another solver' same c1.png push.png
works "$P" -s "$S" -o m.png --cutout filled.ppm --feather 5 --background '#ffffff'
expect 'first pixel is the fill' test "$(tail -c 18432 filled.ppm | head -c 3 | od -An -tx1 | tr -d ' ')" = ffffff
ends 0 batch "$P" -s "$S" -O out --cutout cut.png --feather 5 -q
expect 'as segment does' same c1.png out/cut.png
run "$P" -s "$S" -o m.png --cutout v.png --feather 5 -v
expect 'a line of -v' has 'feather ' "$ERR"

refuses 'feather: without a cutout' 2 '--cutout FILE is missing' "$P" -s "$S" -o m.png --feather 3
refuses 'feather: without a cutout in a batch' 2 '--cutout PATTERN is missing' batch "$P" -s "$S" -O . --feather 3
refuses 'feather: too wide' 2 '0 to 32' "$P" -s "$S" -o m.png --cutout c.png --feather 33
refuses 'feather: not whole' 2 '--feather' "$P" -s "$S" -o m.png --cutout c.png --feather 1.5
refuses 'feather: colours of a hard edge' 2 '--feather makes it hard' "$P" -s "$S" -o m.png --cutout c.png \
    --keep-colors --feather 0
refuses 'feather: memory counts' 5 'memory' "$P" -s "$S" -o m.png --cutout c.png --feather 32 --max-memory 1M
