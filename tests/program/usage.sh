# SPDX-License-Identifier: MIT
#
# Options, verbs and help: which command lines are refused as wrong usage, and which are accepted.
# shellcheck shell=sh disable=SC2154

P="$IN/photo.png"
S="$IN/seeds.png"

begin 'help goes to standard output'
works --help
expect 'lists the verbs' has 'tilecut segment' "$OUT"
expect 'in 80 columns' sh -c "! grep -qE '.{81}' '$OUT'"
for verb in segment refine batch; do
    works help $verb
    expect "$verb: one screen" test "$(wc -l <"$OUT")" -ge 24 -a "$(wc -l <"$OUT")" -le 40
    expect "$verb: three examples" test "$(grep -c '^  tilecut ' "$OUT")" -ge 3
    expect "$verb: lists options" has '--lambda F' "$OUT"
    expect "$verb: says how to see the rest" has "tilecut help $verb --all" "$OUT"
    cp "$OUT" "$WORK/help"
    works $verb -h
    expect "$verb: the same by -h" same "$OUT" "$WORK/help"
    works help $verb --all
    expect "$verb: lists the solvers of the library" has ' bk ' "$OUT"
    cp "$OUT" "$WORK/help"
    run $verb --help --all
    expect "$verb: the same by --help --all" same "$OUT" "$WORK/help"
done
for verb in check score info; do
    works "$verb" --help
    expect "usage of $verb" has "usage: tilecut $verb" "$OUT"
done

begin 'the version'
works --version
expect 'one line' grep -qE '^tilecut [0-9]+\.[0-9]+\.[0-9]+(-rc[0-9]+)?$' "$OUT"

refuses 'nothing to do' 2 'nothing to do'
refuses 'unknown verb: the nearest is suggested' 2 "did you mean 'tilecut segment'" segmnt "$P"
begin 'no help has what only a format should have'
for verb in segment labels refine check batch score make maxflow match assign bfs bench video edit info; do
    run help "$verb" --all
    expect "$verb: a doubled percent sign" lacks '%%' "$OUT"
    expect "$verb: 80 columns" sh -c "! grep -qE '.{81}' '$OUT'"
    expect "$verb: something without a description" sh -c "! grep -qE '^ {8}[^ ]+ *$' '$OUT'"
done

begin 'help segment names the formats of scans'
run help segment
for name in NIfTI NRRD MetaImage DICOM raw TIFF; do expect "$name" has "$name" "$OUT"; done

refuses 'unknown verb: help is named' 2 'tilecut --help' frobnicate
refuses 'help on an unknown verb' 2 "did you mean 'tilecut check'" help chekc
refuses 'unknown option: the nearest is suggested' 2 '--lamda: no such option' segment "$P" -s "$S" --lamda 5 -o m.png
refuses 'unknown option: the suggestion' 2 'did you mean --lambda' "$P" -s "$S" --lamda=5 -o m.png
refuses 'unknown option: nothing near' 2 "tilecut help segment" "$P" -s "$S" --frobnicate -o m.png
refuses 'unknown letter' 2 '-z: no such option' "$P" -s "$S" -z -o m.png
refuses 'a slip in --version' 2 'did you mean --version' --versoin
refuses 'standard input for two' 2 'standard input: is named 2 times' - -s - -o m.png
refuses 'missing argument at the end' 2 '--output: needs an argument' "$P" -s "$S" -o
refuses 'missing argument before an option' 2 '--output: needs an argument' "$P" -s "$S" -o --invert
refuses 'argument for a flag' 2 '--invert: takes no argument' "$P" -s "$S" --invert=yes -o m.png
refuses 'empty argument' 2 '--output' "$P" -s "$S" --output=
refuses 'an option twice' 2 '--lambda: given more than once' "$P" -s "$S" --lambda 1 --lambda 2 -o m.png
refuses 'two photos' 2 'one word too many' "$P" "$P" -s "$S" -o m.png
refuses 'no photo' 2 'needs one IMAGE' segment -s "$S" -o m.png
refuses 'no seeds at all' 2 'seeds' "$P" -o m.png
for lambda in nan NaN inf -1 -0.5 5x '' 0x10 1e999 1e13; do
    refuses "lambda '$lambda'" 2 '--lambda' "$P" -s "$S" --lambda="$lambda" -o m.png
done
refuses 'lambda -5 as its own word' 2 "--lambda: '-5'" "$P" -s "$S" --lambda -5 -o m.png
refuses 'sigma 0' 2 '--sigma' "$P" -s "$S" --sigma 0 -o m.png
refuses 'connectivity 5' 2 '--connectivity' "$P" -s "$S" --connectivity 5 -o m.png
refuses 'connectivity 6 of a photo' 2 'connectivity is 6; 4 or 8 are possible' "$P" -s "$S" --connectivity 6 -o m.png
refuses 'threads 0' 2 '--threads' "$P" -s "$S" --threads 0 -o m.png
refuses 'unknown solver' 2 '--solver' "$P" -s "$S" --solver bkk -o m.png
refuses 'unknown solver: the nearest is suggested' 2 'did you mean bk' "$P" -s "$S" --solver bkk -o m.png
refuses 'unknown colour model' 2 '--colors' "$P" -s "$S" --colors histt -o m.png
refuses 'unknown device' 2 '--device' "$P" -s "$S" --device gpu -o m.png
refuses 'unknown seed format' 2 'did you mean trimap' "$P" -s "$S" --seeds-format trimp -o m.png
refuses 'bad box' 2 '--box' "$P" --box 1,2,3 -o m.png
refuses 'box without area' 2 '--box' "$P" --box 1,2,0,5 -o m.png
refuses 'bad points' 2 '--fg' "$P" --fg '1,2 3' -o m.png
refuses 'bad colour' 2 'such as #00ff00 or lime' "$P" -s "$S" --fg-color lemon -o m.png
refuses 'bad size' 2 '--max-memory' "$P" -s "$S" --max-memory lots -o m.png
refuses 'a fill without a cutout' 2 '--cutout' "$P" -s "$S" --background '#ffffff' -o m.png

begin 'options in every spelling mean the same'
works "$P" -s "$S" -o a.png
works segment --seeds="$S" "$P" --output=b.png --lambda=50
works segment -s"$S" -ob.tga -q -- "$P"
works segment --connectivity 4 -o=c.png -s "$S" "$P" --threads 1 --solver auto --device cpu --colors hist --sigma auto
expect 'long with =' same a.png b.png
expect 'letter with =' same a.png c.png
expect 'a file for a letter' test -s b.tga

begin 'a photo whose name begins with a dash'
cp "$P" ./-photo.png
works -s "$S" -o m.png -- -photo.png
expect 'mask' test -s m.png
