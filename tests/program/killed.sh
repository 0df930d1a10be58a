# SPDX-License-Identifier: MIT
#
# Runs that are killed by every signal at many moments, and machines that lose power. A file with a result's name is
# always complete, and the next run removes temporary files. See lost_power.c.
# shellcheck shell=sh disable=SC2154

P="$IN/photo.png"
S="$IN/seeds.png"
"$TILECUT" "$P" -s "$S" -o "$WORK/single.png" --cutout "$WORK/single-cutout.png" 2>"$ERR"

# on_that_disk NAME=VALUE ... -- ARGUMENTS: runs the program on the forgetful disk of lost_power.c.
on_that_disk() {
    settings=
    while [ "$1" != -- ]; do settings="$settings $1" && shift; done
    shift
    command="env$settings tilecut $*"
    # shellcheck disable=SC2086 # several words are meant
    env $settings LD_PRELOAD="$WORK/lost_power.so" timeout 60 "$TILECUT" "$@" >"$OUT" 2>"$ERR" </dev/null
    status=$?
}

# stop_in_the_middle NAME=VALUE ...: starts a run that waits while it writes a file, and sets $child to its process
# number.
stop_in_the_middle() { # NAME=VALUE ...
    rm -f "$WORK/waits"
    ulimit -c 0
    env "$@" LOST_PAUSE="$WORK/waits" LD_PRELOAD="$WORK/lost_power.so" "$TILECUT" "$P" -s "$S" -o m.png \
        >"$OUT" 2>"$ERR" </dev/null &
    child=$! command='tilecut, stopped while it writes'
    tries=0
    while [ ! -e "$WORK/waits" ] && [ $tries -lt 500 ]; do
        sleep 0.02
        tries=$((tries + 1))
    done
}

if ! "${CC:-cc}" -D_GNU_SOURCE -shared -fPIC -O1 -o "$WORK/lost_power.so" "$here/lost_power.c" -ldl 2>/dev/null ||
    ! LD_PRELOAD="$WORK/lost_power.so" "$TILECUT" --version >/dev/null 2>&1 ||
    sanitized; then
    echo 'skipped: killed runs: no library can be loaded before the program'
else

begin 'killed: by any signal, nothing is left and the shell is told which it was'
for signal in HUP INT QUIT ABRT ALRM USR1 USR2 XCPU VTALRM PROF SYS TRAP IO PWR SEGV BUS FPE ILL TERM; do
    # The unfinished file has a name in one case, and none in the other.
    for how in LOST_NAMED=1 LOST_NONE=1; do
        stop_in_the_middle $how
        # Background jobs of a shell ignore INT and QUIT, and the program keeps the signals ignored that its parent
        # ignores. If the tests themselves run under nohup, HUP is ignored as well: the last bit of SigIgn.
        case $signal in
        INT | QUIT) kill -TERM $child ;;
        HUP)
            hup=HUP
            grep -q '^SigIgn:.*[13579bdf]$' /proc/$child/status && hup=TERM
            kill -s $hup $child ;;
        *) kill -s $signal $child ;;
        esac
        wait $child 2>/dev/null
        status=$?
        [ "$status" -gt 128 ] || show "$signal: status"
        [ -z "$(ls -A)" ] || show "$signal, $how: left behind: $(ls -A)"
    done
done

begin 'killed: a file that another thread is just making is removed, too'
mkdir photos masks
for i in 1 2 3 4; do ln -s "$P" photos/$i.png; done
for signal in USR1 TERM; do
    rm -f "$WORK/waits"
    ulimit -c 0
    env LOST_NAMED=1 LOST_SLOW="$WORK/waits" LD_PRELOAD="$WORK/lost_power.so" "$TILECUT" batch photos/?.png -s "$S" \
        -O masks --threads 2 >"$OUT" 2>"$ERR" </dev/null &
    child=$! command='batch, killed while it makes a file'
    tries=0
    while [ ! -e "$WORK/waits" ] && [ $tries -lt 500 ]; do
        sleep 0.02
        tries=$((tries + 1))
    done
    kill -s $signal $child
    [ $signal = USR1 ] || kill -s $signal $child # the first lets jobs in flight finish
    wait $child 2>/dev/null
    status=$?
    [ "$status" -gt 128 ] || show "$signal: status"
    left=$(find masks -name '.tilecut-*' ! -name .tilecut-state)
    [ -z "$left" ] || show "$signal: left behind: $left"
done

begin 'killed: what kill -9 leaves, the next run to that folder removes'
stop_in_the_middle LOST_NAMED=1
kill -KILL $child
wait $child 2>/dev/null
expect 'something was left' test "$(ls -A | wc -l)" = 1
# A file that another run is writing at the same time is left alone.
stop_in_the_middle LOST_NAMED=1
other=$child
works "$P" -s "$S" -o n.png
expect "one in the making, one result: $(ls -A | tr '\n' ' ')" test "$(ls -A | wc -l)" = 2
kill -TERM $other
wait $other 2>/dev/null
expect 'only the result' test "$(ls -A)" = n.png
: >.tilecut-notes.txt
run "$P" -s "$S" -o n.png
expect 'files of other names stay' test -e .tilecut-notes.txt

begin 'killed: segment at each of its moments, results are whole or absent, nothing stays'
for named in 1 2 3 4 5 6; do
    for moment in $named $named.5; do
        for how in LOST_NAMED=1 LOST_NONE=1; do
            rm -rf m.png c.png
            [ $named -lt 4 ] || cp "$IN/truth.png" m.png # an older result
            on_that_disk LOST_KILL=$moment $how -- "$P" -s "$S" -o m.png --cutout c.png
            [ ! -e c.png ] || same c.png "$WORK/single-cutout.png" || show "$moment, $how: the cutout is torn"
            [ ! -e m.png ] || same m.png "$WORK/single.png" || same m.png "$IN/truth.png" ||
                show "$moment, $how: the mask is torn"
            on_that_disk $how -- "$P" -s "$S" -o m.png --cutout c.png
            same m.png "$WORK/single.png" || show "$moment, $how: the next run"
            [ "$(ls -A | tr '\n' ' ')" = 'c.png m.png ' ] || show "$moment, $how: $(ls -A | tr '\n' ' ')"
        done
    done
done

begin 'killed: batch at each of its moments, masks are whole or absent, and --resume makes the rest'
mkdir photos
for i in 1 2 3; do ln -s "$P" photos/$i.png; done
for moment in 1 1.5 2 2.5 3 3.5 4 4.5 5 5.5 6 6.5 7; do
    for how in LOST_NAMED=1 LOST_NONE=1; do
        rm -rf masks
        on_that_disk LOST_KILL=$moment $how -- batch photos/?.png -s "$S" -O masks --threads 1
        for mask in masks/?.png; do
            [ ! -e "$mask" ] || same "$mask" "$WORK/single.png" || show "$moment, $how: $mask is torn"
        done
        on_that_disk $how -- batch photos/?.png -s "$S" -O masks --threads 1 --resume
        [ "$status" = 0 ] || show "$moment, $how: --resume"
        for i in 1 2 3; do
            same masks/$i.png "$WORK/single.png" || show "$moment, $how: $i is not made again"
        done
        [ "$(ls -A masks | grep -cv '^[123]\.png$')" -le 1 ] || show "$moment, $how: $(ls -A masks | tr '\n' ' ')"
    done
done

# whole_or_absent WHAT FILES ARGUMENTS: stops a command at each of its moments. Each file (or each file of a folder)
# that it writes is complete or absent, and the next run makes all of them.
whole_or_absent() { # WHAT "FILES, or a folder of them" ARGUMENTS
    what=$1 names=$2 most=0
    shift 2
    rm -rf wanted && mkdir wanted
    run "$@"
    [ "$status" = 0 ] || show "$what"
    # shellcheck disable=SC2086 # names of files
    mv $names wanted
    for moment in 1 1.5 2 2.5 3 3.5 4 4.5 5 5.5 6 6.5; do
        for how in LOST_NAMED=1 LOST_NONE=1; do
            on_that_disk LOST_KILL=$moment $how -- "$@"
            [ "$status" = 0 ] || most=$moment
            for file in $(cd wanted && find . -type f); do
                [ ! -e "$file" ] || same "$file" "wanted/$file" || show "$what, $moment, $how: $file is torn"
            done
            on_that_disk $how -- "$@"
            [ "$status" = 0 ] || show "$what, $moment, $how: the next run"
            for file in $(cd wanted && find . -type f); do
                same "$file" "wanted/$file" || show "$what, $moment, $how: $file of the next run"
            done
            left=$(find . -path ./wanted -prune -o -name '.tilecut-*' -print)
            [ -z "$left" ] || show "$what, $moment, $how: left behind: $left"
            # shellcheck disable=SC2086
            rm -rf $names
        done
        [ "$most" = "$moment" ] || break
    done
    expect "$what was killed after it had named a file" awk "BEGIN { exit !($most >= 1.5) }"
}

begin 'killed: refine, films, shapes, graphs and parts at each of their moments, files are whole or absent'
whole_or_absent refine 'r.png c.png' refine "$P" "$IN/truth.png" -o r.png --cutout c.png
whole_or_absent 'a film' f.gray video "$P" "$P" "$P" -s "$S" -o f.gray
whole_or_absent 'a film in windows' f.y4m video "$P" "$P" "$P" -s "$S" --window 2 -o f.y4m
for i in 1 2 3; do ln -s "$P" $i.png; done
whole_or_absent 'the pictures of a film' frames video 1.png 2.png 3.png -s "$S" -o frames/
for file in a.svg a.coco.json a.rle.json a.tif; do
    whole_or_absent "$file" "$file m.tcg" segment "$P" -s "$S" -o $file --save-graph m.tcg
done
whole_or_absent 'a graph' g.max make maze --size 64 -o g.max
whole_or_absent 'a photo with seeds' 'p.png q.png' make spot --size 64 -o p.png --seeds-output q.png
for file in m.pgm m.tif m.png; do
    whole_or_absent "$file in parts" $file segment "$P" --fg 28,30 --bg 3,3 -o $file --parts 3
done

begin 'killed: volumes at each of their moments, files are whole or absent'
mkdir "$WORK/killed-volume"
"${CC:-cc}" -std=c11 -O1 -o "$WORK/make_volume" "$here/make_volume.c" -lm
"$WORK/make_volume" "$WORK/killed-volume" || complain 'there is no volume'
V=$WORK/killed-volume
if "$TILECUT" info | grep -q '^  NIfTI  *read'; then
    for file in v.nii v.nii.gz v.nrrd; do
        whole_or_absent "$file" "$file p.png" segment "$V/scan.nii" -s "$V/labels.nii" -o $file --preview p.png
    done
fi

begin 'killed: a disk that is not waited for is seen'
on_that_disk LOST_NEVER=1 -- "$P" -s "$S" -o m.png
expect 'an empty mask' test "$status" = 0 -a -e m.png -a ! -s m.png
for command in "video $P -s $S -o f.gray" "segment $P --fg 28,30 --bg 3,3 --parts 3 -o m.tif"; do
    # shellcheck disable=SC2086 # several words are meant
    on_that_disk LOST_NEVER=1 -- $command
    file=${command##* }
    expect "an empty $file" test "$status" = 0 -a -e "$file" -a ! -s "$file"
done

begin 'outputs: a link that another user has put into a folder for all is not followed'
mkdir shared && chmod 1777 shared
echo precious >victim
ln -s "$PWD/victim" shared/m.png
if chown -h 65534 shared/m.png 2>/dev/null; then
    ends 1 "$P" -s "$S" -o shared/m.png
    expect 'says why' has 'is a link that another user has put' "$ERR"
    expect 'what it leads to is as before' test "$(cat victim)" = precious
    chown -h "$(id -u)" shared/m.png
    run "$P" -s "$S" -o shared/m.png
    expect 'an own link is followed' same victim "$WORK/single.png"
else
    echo 'skipped: links of other users: needs root'
fi

fi
