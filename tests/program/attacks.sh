# SPDX-License-Identifier: MIT
#
# Files and arguments that were found by attacking the program. Each must be answered with one line and the right
# status.
# shellcheck shell=sh disable=SC2154

P="$IN/photo.png"
S="$IN/seeds.png"

begin 'graphs: capacities up to 2^63 - 1, and beyond'
printf 'p max 3 2\nn 1 s\nn 2 t\na 1 3 9223372036854775807\na 3 2 5\n' >m.max
works maxflow m.max
expect 'the flow' test "$(cat "$OUT")" = 's 5'
printf 'p max 3 2\nn 1 s\nn 2 t\na 1 3 9223372036854775808\na 3 2 5\n' >m.max
run maxflow m.max
expect 'one more is refused' has 'line 4' "$ERR"

begin 'graphs: a flow beyond 64 bits is refused by maxflow and by bench alike'
printf 'p max 4 4\nn 1 s\nn 2 t\na 1 2 9223372036854775799\na 1 3 1000\na 3 4 1000\na 4 2 1000\n' >m.max
for verb in 'maxflow m.max' 'bench --graph m.max --runs 1 --peers none'; do
    ends 3 $verb
    expect "$verb: says why" has 'm.max: the flow does not fit 64 bits' "$ERR"
done

begin 'graphs: a byte order mark, and comments of others that begin like ours'
printf '\357\273\277c tilecut grid of my garden\np max 3 2\nn 1 s\nn 2 t\na 1 3 7\na 3 2 5\n' >m.max
works maxflow m.max
expect 'the flow' test "$(cat "$OUT")" = 's 5'

begin 'a PNG of 163 bytes does not make anybody ask for memory'
{
    printf '\211PNG\r\n\032\n\000\000\000\015IHDR\000\000\000\010\000\000\000\010\010\000\000\000\000\351\323\074\207'
    printf 'P\167\060\132eXIf' # a chunk of 1.35 GB, it says
    head -c 118 /dev/zero
} >small.png
(ulimit -v 1000000 && "$TILECUT" small.png --box 1,1,4,4 -o m.png) >"$OUT" 2>"$ERR" </dev/null
status=$? command='tilecut small.png'
rm small.png
if sanitized; then echo 'skipped: a PNG that asks for memory, with a sanitizer'
else refused 3 'is cut short, the file ends within the picture'; fi

begin 'a PNG in the form of Apple is called that'
{
    printf '\211PNG\r\n\032\n\000\000\000\004CgBI\120\000\040\006\053\325\263\177'
    tail -c +9 "$P"
} >phone.png
run phone.png -s "$S" -o m.png
rm phone.png
refused 3 "in Apple's own form (CgBI)"

begin 'names that would turn or break lines reach no terminal'
name=$(printf 'a\342\200\256gnp.exe\342\200\250b.png')
cp "$P" "$name" && cp "$S" s.png
ends 0 "$name" -s s.png -o m.png -v
LC_ALL=C grep -q "$(printf '\342\200[\256\250]')" "$ERR" && complain 'in the lines of -v'
run batch "$name" -s s.png -O . -v
LC_ALL=C grep -q "$(printf '\342\200[\256\250]')" "$ERR" && complain 'in the lines of a batch'
run "$name" -s nothere.png -o m.png
LC_ALL=C grep -q "$(printf '\342\200[\256\250]')" "$ERR" && complain 'in a message'
run "$name" -s s.png -o m.png --json -
LC_ALL=C grep -q "$(printf '\342\200[\256\250]')" "$OUT" && complain 'in the JSON'
expect 'escaped in the JSON' has 'a\u202egnp.exe\u2028b.png' "$OUT"

refuses 'an empty word for a verb' 2 "'': an empty word is neither a verb nor a file" ''
refuses 'a huge box is named as it was given' 4 '--box: 2147483648,1,2147483648,5 lies outside' "$P" \
    --box 2147483648,1,2147483648,5 -o m.png
refuses 'a brush that no photo is as wide as' 2 "is not a radius of 0 to 65536 pixels" "$P" --fg 3,3 --bg 9,9 \
    --brush 99999999999999999999 -o m.png
refuses 'score: the missing one is named' 3 'nothere: there is no such file' score nothere /tmp

begin 'lines into a pipe whose reader has seen enough'
"$TILECUT" make random --size 512 -o g.max 2>/dev/null
for verb in 'maxflow g.max --cut --flow' 'help segment' 'info' 'check'; do
    [ "$verb" != check ] || verb="check $P -s $S"
    # shellcheck disable=SC2086 # several words
    { "$TILECUT" $verb 2>"$ERR"; echo $? >status; } | true
    expect "$verb: no word" test ! -s "$ERR"
    case $(cat status) in 0 | 141) ;; *) complain "$verb: status $(cat status)" ;; esac
done

# Without a check, each of these inputs would be read until memory is full.
begin 'what never ends is refused by its beginning, or because it is a device'
for word in "/dev/zero -s $S" "$P -s /dev/zero" "$P --mask /dev/full" 'maxflow /dev/zero' 'match /dev/zero' \
    'score /dev/zero /dev/full' 'batch --list /dev/zero'; do
    # shellcheck disable=SC2086 # several words
    TILECUT_LIMIT=20 run $word
    refused 3 /dev/
done
{ timeout 20 "$TILECUT" - -s "$S" -o m.png 2>"$ERR" >"$OUT"; echo $? >"$WORK/status"; } <<END
$(yes | head -c 100000)
END
status=$(cat "$WORK/status") command='tilecut - < text'
refused 3 'standard input: not a PNG'

begin 'batch: a folder of results where none may be made'
if [ "$(id -u)" = 0 ]; then
    closed=/sys # the system lets nobody make a folder there
    [ -d /sys/kernel ] || closed=/proc
    run batch "$P" -s "$S" -O $closed/none/masks
else
    closed=closed
    mkdir closed && chmod 555 closed
    run batch "$P" -s "$S" -O closed/masks
fi
expect 'status 1' test "$status" = 1
expect 'says why' has 'not written: its folder cannot be made: ' "$ERR"
[ $closed = /proc ] || expect 'and not what came of it' lacks 'No such file' "$ERR"

# Without a check, disks would be overwritten, and output to the name of a socket would be lost.
begin 'outputs: no folder, disk or socket is written to, by any verb'
mkdir "$WORK/places" "$WORK/places/folder"
mknod "$WORK/places/disk" b 7 250 2>/dev/null || rm -f "$WORK/places/disk" # that is no device of this machine
python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$WORK/places/socket" 2>/dev/null
printf 'p max 3 2\nn 1 s\nn 2 t\na 1 3 7\na 3 2 5\n' >"$WORK/places/m.max"
for kind in folder disk socket; do
    place=$WORK/places/$kind
    [ -e "$place" ] || continue
    says="is a $(echo $kind | sed s/folder/directory/)"
    while read -r words; do
        # A folder as the output for a mask or a cutout gets a file in it (outputs.sh).
        case $kind:$words in folder:*'--format png') continue ;; esac
        # shellcheck disable=SC2046,SC2086,SC2116 # several words are meant
        run $(eval "echo $words")
        case $status in [12]) ;; *) show 'should be refused' ;; esac
        grep -qF "$says" "$ERR" || show "should say '$says'"
        [ "$kind" = folder ] || [ ! -f "$place" ] || complain "$words: replaced it"
    done <<'END'
segment $P -s $S -q -o $place --format png
segment $P -s $S -q -o m.png --cutout $place --format png
segment $P -s $S -q -o m.png --json $place
segment $P -s $S -q -o m.png --save-graph $place
maxflow $WORK/places/m.max --json $place
bench --graph $WORK/places/m.max --runs 1 --peers none --csv $place
score $WORK/mask.png $WORK/mask.png --json $place
END
    rm -f m.png
done

# Threads and readers of pictures need larger stacks than these.
begin 'a small stack'
c=c.tif
! "$TILECUT" info | grep -q 'built without libtiff' || c=c.png
for size in 64 80 200; do
    for photo in photo.png photo.jpg; do
        (ulimit -s $size && exec timeout 60 "$TILECUT" "$IN/$photo" -s "$S" -o m.png --cutout $c --threads 3 \
            --matte auto --iterations 2) >"$OUT" 2>"$ERR" </dev/null
        status=$? command="ulimit -s $size; tilecut $photo"
        done_well
    done
done
(ulimit -s 64 && exec timeout 60 "$TILECUT" missing.png -s "$S" -o n.png) >"$OUT" 2>"$ERR" </dev/null
status=$?
expect 'status and line as ever' test "$status" = 3 -a "$(cat "$ERR")" = 'tilecut: missing.png: there is no such file'
rm -f m.png $c
