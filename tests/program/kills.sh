# SPDX-License-Identifier: MIT
#
# Kills segment, batch, refine and video (-9) at random moments, KILLS times each (default 4). No result is incomplete,
# the next run leaves no temporary file, and no photo is skipped because of another photo's mask. KILL_SEED repeats a
# run.
# shellcheck shell=sh disable=SC2154

kills=${KILLS:-4} kill_seed=${KILL_SEED:-$$}
P="$IN/photo.png"
S="$IN/seeds.png"
for weight in 20 50; do "$TILECUT" "$P" -s "$S" --lambda $weight -o "$WORK/of-$weight.png" 2>"$ERR"; done
pause() { awk "BEGIN { srand($kill_seed * 1000 + $1); printf \"%.3f\", rand() * ${2} }"; }
# kill_in ROUND SECONDS COMMAND...: runs the command and kills it after a random pause of at most SECONDS.
kill_in() {
    moment=$(pause "$1" "$2")
    shift 2
    "$@" >/dev/null 2>&1 </dev/null &
    child=$!
    sleep "$moment"
    kill -KILL $child 2>/dev/null && killed=$((killed + 1))
    wait $child 2>/dev/null
}

begin "kills: segment, $kills times at random (KILL_SEED=$kill_seed)"
killed=0 round=0
while [ $round -lt "$kills" ]; do
    rm -f m.png
    kill_in $round 0.05 "$TILECUT" "$P" -s "$S" --lambda 50 -o m.png
    [ ! -e m.png ] || same m.png "$WORK/of-50.png" || complain "round $round: the mask is torn"
    run "$P" -s "$S" --lambda 50 -o m.png
    same m.png "$WORK/of-50.png" || complain "round $round: the next run"
    [ "$(ls -A)" = m.png ] || complain "round $round: left over: $(ls -A | tr '\n' ' ')"
    round=$((round + 1))
done
echo "      $killed of $kills were killed in time"

begin "kills: batch, $kills times at random (KILL_SEED=$kill_seed)"
mkdir photos
for i in 1 2 3 4 5 6 7 8 9; do ln -s "$P" photos/$i.png; done
killed=0 round=0
while [ $round -lt "$kills" ]; do
    # Every other round asks for masks that differ from the existing ones.
    weight=$((round % 2 ? 20 : 50))
    kill_in $round 0.3 "$TILECUT" batch photos/?.png -s "$S" -O masks --lambda $weight --resume --threads 2
    for mask in masks/?.png; do
        [ ! -e "$mask" ] || same "$mask" "$WORK/of-20.png" || same "$mask" "$WORK/of-50.png" ||
            complain "round $round: $mask is torn"
    done
    run batch photos/?.png -s "$S" -O masks --lambda $weight --resume --threads 2
    for i in 1 2 3 4 5 6 7 8 9; do
        same masks/$i.png "$WORK/of-$weight.png" || complain "round $round: $i was skipped and is another's"
    done
    [ "$(ls -A masks | wc -l)" = 10 ] || complain "round $round: left over: $(ls -A masks | tr '\n' ' ')"
    round=$((round + 1))
done
echo "      $killed of $kills were killed in time"

begin "kills: refine, and a film, $kills times at random (KILL_SEED=$kill_seed)"
killed=0 round=0
"$TILECUT" refine "$P" "$IN/truth.png" -o "$WORK/of-refine.png" 2>"$ERR"
"$TILECUT" video "$P" "$P" "$P" -s "$S" -o "$WORK/of-film.gray" 2>"$ERR"
while [ $round -lt "$kills" ]; do
    rm -f r.png f.gray
    kill_in $round 0.1 "$TILECUT" refine "$P" "$IN/truth.png" -o r.png
    kill_in $((round + 500)) 0.1 "$TILECUT" video "$P" "$P" "$P" -s "$S" -o f.gray
    [ ! -e r.png ] || same r.png "$WORK/of-refine.png" || complain "round $round: the refined mask is torn"
    [ ! -e f.gray ] || same f.gray "$WORK/of-film.gray" || complain "round $round: the film's masks are torn"
    run refine "$P" "$IN/truth.png" -o r.png
    same r.png "$WORK/of-refine.png" || complain "round $round: the next refine"
    run video "$P" "$P" "$P" -s "$S" -o f.gray
    same f.gray "$WORK/of-film.gray" || complain "round $round: the next film"
    [ "$(ls -A | tr '\n' ' ')" = 'f.gray r.png ' ] || complain "round $round: left over: $(ls -A | tr '\n' ' ')"
    round=$((round + 1))
done
echo "      $killed of $((2 * kills)) were killed in time"
