# SPDX-License-Identifier: MIT
#
# Runs tools/robot on a folder with one synthetic photo. Needs numpy, scipy and PIL of /usr/bin/python3.
# shellcheck shell=sh disable=SC2154

robot=$here/../../tools/robot
if ! /usr/bin/python3 -c 'import numpy, scipy, PIL' 2>/dev/null; then
    echo 'skipped: the robot, /usr/bin/python3 has no numpy, scipy and PIL (python3-numpy, python3-scipy, python3-pil)'
    passed=$((passed + 1))
else

play() { "$robot" run set -o games.tsv --program "$TILECUT" --strokes 3 "$@" 2>"$ERR"; }
cell() { awk -F '\t' -v s="$1" -v k="$2" -v c="$3" '$2 == s && $3 == k { print $c }' games.tsv; }

begin 'robot: errors fall with strokes, and rows that are there stay'
mkdir set
cp "$IN/photo.png" set/scene_001.png
cp "$IN/truth.png" set/scene_001_gt.png
expect 'plays from a box and from a mask' play --start box,limb --mask-as band --jobs 2
expect 'a box alone is nearly right' awk "BEGIN { exit !($(cell box 0 8) < 5) }"
expect 'a limb is missed' awk "BEGIN { exit !($(cell limb 0 8) > 0.5) }"
expect 'and comes back with a stroke' awk "BEGIN { exit !($(cell limb 1 8) < $(cell limb 0 8)) }"
expect 'strokes that were painted count pixels' test "$(cell limb 1 7)" -gt 0
cp games.tsv before.tsv
expect 'plays again' play --start box,limb --mask-as band
expect 'what was played is not played again' same before.tsv games.tsv
head -n "$(awk -F '\t' '$2 == "limb" { print FNR; exit }' before.tsv)" before.tsv >games.tsv
expect 'goes on with what an interrupted run left' play --start box,limb --mask-as band
for column in 3 4 5 6 7 8 9; do
    cut -f "2,$column" before.tsv >a
    cut -f "2,$column" games.tsv >b
    expect "column $column is as before" same a b
done
expect 'summary' "$robot" summary games.tsv before.tsv >"$OUT"
expect 'summary has a line per start' test "$(grep -c '^| limb | 1/1 ' "$OUT")" = 2

begin 'robot: other settings want another file'
mkdir set
cp "$IN/photo.png" set/scene_001.png
cp "$IN/truth.png" set/scene_001_gt.png
printf '# engine opencv, stroke disc, strokes 3\n' >games.tsv
play --start box
expect 'refused' test $? != 0
expect 'says why' has 'name another file' "$ERR"
expect 'the file is as it was' test "$(wc -l <games.tsv)" = 1
"$robot" run nowhere -o other.tsv --program "$TILECUT" 2>"$ERR"
expect 'no such folder is refused' test $? != 0
expect 'in one line' test "$(wc -l <"$ERR")" = 1
expect 'nothing is written' test ! -e other.tsv

# robot_refuses WHAT COMMAND...: the robot must print one line with WHAT and fail.
robot_refuses() { # WHAT COMMAND...
    said=$1
    shift
    expect "refused: $said" test "$("$@" >"$OUT" 2>"$ERR"; echo $?)" != 0
    expect "says: $said" has "$said" "$ERR"
    expect "in one line: $said" test "$(wc -l <"$ERR")" = 1
}

begin 'robot: tables that are none, or put together from several, are refused'
mkdir set
cp "$IN/photo.png" set/scene_001.png
cp "$IN/truth.png" set/scene_001_gt.png
expect 'plays' play --start box
cat games.tsv games.tsv >twice.tsv
robot_refuses 'scene_001 from box is here twice' "$robot" summary twice.tsv
{ cat games.tsv && echo '# engine opencv, stroke disc, strokes 3'; } >mixed.tsv
robot_refuses "mixed.tsv: line $(wc -l <mixed.tsv): games of 'engine opencv" "$robot" summary mixed.tsv
sed 's/box\t0\t0/box\t0\tnone/' games.tsv >word.tsv
robot_refuses 'word.tsv: line 3' "$robot" summary word.tsv
cp "$IN/photo.png" photo.tsv
robot_refuses 'photo.tsv: is no table' "$robot" summary photo.tsv
robot_refuses 'photo.tsv: is no table' "$robot" run set -o photo.tsv --program "$TILECUT"
expect 'the picture is as it was' same photo.tsv "$IN/photo.png"

begin 'robot: photos that cannot be played are named'
mkdir set
cp "$IN/truth.png" set/scene_001_gt.png
robot_refuses 'scene_001, box: has no photo' play
cp "$IN/photo.png" set/scene_001.png
printf 'name\tx\ty\tw\th\nscene_001\t10\t10\t40\n' >set/boxes.tsv
robot_refuses 'set/boxes.tsv: line 2' play
rm set/boxes.tsv
cp "$IN/small_seeds.png" set/scene_001_gt.png
robot_refuses 'scene_001, click: its truth is 48x64 but the photo is 96x64' play --start click
cp "$IN/blank.png" set/scene_001_gt.png
robot_refuses 'its truth has no foreground' play
play --strokes -1
expect 'a number of strokes below 0' has 'not a whole number' "$ERR"

begin 'robot: the halves of the photos are what the names say'
mkdir set
for frame in bear_001 bear_041 swing_002; do
    cp "$IN/truth.png" set/${frame}_gt.png
done
"$robot" split set >"$OUT"
expect 'tune' has 'tune: swing' "$OUT"
expect 'test, a clip once' grep -qx 'test: bear' "$OUT"

fi
