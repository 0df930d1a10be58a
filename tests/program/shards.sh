# SPDX-License-Identifier: MIT
#
# A batch on several machines: shards selected by name, shards that are killed and started again, and the examples of
# docs/guide/pipelines.md. SHARD_PHOTOS is the number of photos (default 48).
# shellcheck shell=sh disable=SC2154

photos=${SHARD_PHOTOS:-48}
examples=$here/../../tools/examples

# Makes different photos in two folders, and their seeds, once for all tests.
mkdir -p "$WORK/many/photos/deep" "$WORK/many/seeds"
i=1
while [ "$i" -le "$photos" ]; do
    sub=
    [ $((i % 3)) = 0 ] && sub=deep/
    "$TILECUT" make spot --size $((64 + i % 7)) --seed "$i" -o "$WORK/many/photos/$sub$i.png" \
        --seeds-output "$WORK/many/seeds/$i.png" 2>"$ERR" || complain "make: $(cat "$ERR")"
    i=$((i + 1))
done
"$TILECUT" batch -r "$WORK/many/photos" -s "$WORK/many/seeds/{stem}.png" -O "$WORK/many/masks" -q 2>"$ERR"
files_of() { (cd "$1" && find . -name '*.png' | sort); }

# same_files FOLDER: the folder has the same masks as a single run, and nothing else but states and reports.
same_files() {
    expect "$1: as many masks" test "$(files_of "$1" | wc -l)" = "$photos"
    for one in $(files_of "$WORK/many/masks"); do
        same "$1/$one" "$WORK/many/masks/$one" || complain "$1/$one differs"
    done
    expect "$1: nothing left over" test -z "$(find "$1" -name '.tilecut-*' ! -name .tilecut-state)"
}
shard() { # I/N OUT OPTIONS
    which=$1 out=$2
    shift 2
    timeout 300 "$TILECUT" batch -r "$WORK/many/photos" -s "$WORK/many/seeds/{stem}.png" -O "$out" --shard "$which" -q \
        --json "report-${which%/*}.jsonl" "$@"
}

begin "shards: 8 give the files of one run of $photos, also when two are killed and started again"
expect 'the one run made all' test "$(files_of "$WORK/many/masks" | wc -l)" = "$photos"
killed=0
for i in 1 2 3 4 5 6 7 8; do
    case $i in
    3 | 6)
        for pause in 0.01 0.03 0.09; do # whatever they are doing then
            "$TILECUT" batch -r "$WORK/many/photos" -s "$WORK/many/seeds/{stem}.png" -O masks --shard $i/8 -q --resume \
                --threads 1 2>/dev/null &
            child=$!
            sleep $pause
            kill -KILL $child 2>/dev/null && killed=$((killed + 1))
            wait $child 2>/dev/null
        done ;;
    esac
    shard $i/8 masks --resume 2>"$ERR" & # beside the next one, in the same folder
    [ $((i % 2)) = 1 ] || wait
done
wait
expect 'some were killed' test $killed -gt 0
same_files masks
expect 'a line for each photo' test "$(cat report-?.jsonl | wc -l)" = "$photos"
expect 'for each one' test "$(cat report-?.jsonl | grep -o '"output": "[^"]*"' | sort -u | wc -l)" = "$photos"
run batch -r "$WORK/many/photos" -s "$WORK/many/seeds/{stem}.png" -O masks --resume
expect 'one run finds all of it done' has "tilecut: 0 done, $photos skipped, 0 failed" "$ERR"

begin 'shards: by name, whatever the order, the others, and the folders'
shard 2/3 a
(cd "$WORK/many/photos" && find "$PWD" -name '*.png' | sort -r) >reversed
"$TILECUT" batch --list reversed --name '{stem}.png' -s "$WORK/many/seeds/{stem}.png" -O b --shard 2/3 -q
(cd "$WORK/many/photos" && find . -name '*.png' | grep 1) >some
(cd "$WORK/many/photos" && "$TILECUT" batch --list - -s ../seeds/'{stem}.png' -O "$WORK/t/c/" --shard 2/3 -q) <some
expect 'the order does not matter' test "$(files_of a)" = "$(files_of b)"
files_of a | grep 1 >wanted
expect 'what else there is does not matter' test "$(files_of c)" = "$(cat wanted)"
expect 'some' test "$(files_of a | wc -l)" -gt $((photos / 6)) -a "$(files_of a | wc -l)" -lt $((photos / 2))
shard 1/1 d
same_files d
run batch "$IN/photo.png" -s "$IN/seeds.png" -O e --shard 7/100000
expect 'a shard may have nothing to do' has 'tilecut: 0 done, 0 skipped, 0 failed' "$ERR"
expect 'and is done well' test "$status" = 0

rank() { # the number of three that Open MPI has started, options
    number=$1
    shift
    OMPI_COMM_WORLD_SIZE=3 OMPI_COMM_WORLD_RANK=$number timeout 300 "$TILECUT" batch -r "$WORK/many/photos" \
        -s "$WORK/many/seeds/{stem}.png" -O masks "$@"
}

begin 'shards: each process of mpirun does its share'
for i in 0 1 2; do
    rank $i -q --json - >report-$i.jsonl 2>"$ERR" &
done
wait
same_files masks
expect 'a line for each photo' test "$(cat report-?.jsonl | wc -l)" = "$photos"
rank 1 --shard 1/2 --json report.jsonl >"$OUT" 2>"$ERR"
expect 'a shard that is named is done' test $? = 0

begin 'shards: processes of mpirun do not write one report'
rank 1 --json report.jsonl >"$OUT" 2>"$ERR"
status=$? command='batch under mpirun with --json FILE'
refused 2 '--json: 3 processes of mpirun would each write report.jsonl; --json - gives the lines of all'

listed() { # how many processes Open MPI has started, the number of this one, options
    size=$1 number=$2
    shift 2
    echo "$IN/photo.png" | OMPI_COMM_WORLD_SIZE=$size OMPI_COMM_WORLD_RANK=$number timeout 300 "$TILECUT" batch \
        --list - -s "$IN/seeds.png" -O masks -q "$@" >"$OUT" 2>"$ERR"
    status=$? command="batch --list - as process $number of $size"
}

begin 'shards: a list from standard input reaches one process of mpirun only, and is refused'
for wrong in 0 1 "1 --shard 1/2"; do
    # shellcheck disable=SC2086 # several words are meant
    listed 2 $wrong
    refused 2 '--list: standard input reaches one of 2 processes of mpirun only; name a file'
done
listed 1 0
done_well
expect 'one process alone reads it' test -s masks/photo.png

for wrong in 0/8 9/8 1/0 3 1/ /8 1/8/2 1.5/8 -1/8 8+1/8 -1+1/8 +1/8 1+2/8 1+1+1/8; do
    refuses "shards: --shard $wrong" 2 "--shard: '$wrong' is not a shard I/N" batch a.png -O m --shard=$wrong
done

# ---- The examples ------------------------------------------------------------------------------

begin 'examples: a Slurm array'
for i in 1 2 3 4; do
    SLURM_ARRAY_TASK_ID=$i SLURM_ARRAY_TASK_COUNT=4 SLURM_CPUS_PER_TASK=2 sh "$examples/slurm-array.sh" \
        "$WORK/many/photos" "$WORK/many/seeds" masks 2>"$ERR" || complain "task $i: $(cat "$ERR")"
done
same_files masks
expect 'a line for each photo' test "$(cat masks/report-*.jsonl | wc -l)" = "$photos"

begin 'examples: an indexed job of Kubernetes'
cp -r "$WORK/many/photos" "$WORK/many/seeds" .
# Extracts the arguments of the program in the container, one on a line.
awk '/args:/ { inside = 1; next } inside && /^            - / { print substr($0, 15); next } inside { exit }' \
    "$examples/kubernetes-job.yaml" >words
expect 'the program is called' test "$(head -n 1 words)" = batch
for index in 0 1 2 3 4 5 6 7; do
    sed "s/[$](JOB_COMPLETION_INDEX)/$index/" words | tr '\n' '\0' | xargs -0 "$TILECUT" 2>"$ERR" ||
        complain "pod $index: $(cat "$ERR")"
done
same_files masks
expect 'a line for each photo' test "$(cat masks/report-?.jsonl | wc -l)" = "$photos"

begin 'examples: GNU parallel'
if parallel --version 2>/dev/null | grep -q 'GNU parallel'; then
    PARALLEL_HOME=$PWD/.parallel TILECUT=$TILECUT sh "$examples/gnu-parallel.sh" 5 "$WORK/many/photos" \
        "$WORK/many/seeds" "the masks" 2>"$ERR" || complain "$(cat "$ERR")"
    same_files "the masks"
else
    echo 'skipped: examples: GNU parallel is not here; Debian package parallel'
fi

begin 'examples: a Dask bag over the binding'
binding=$(cd "$here/../.." && pwd)/build/release/python
python=/usr/bin/python3
[ -x $python ] || python=python3
if ! PYTHONPATH=$binding $python -c 'import distributed, dask.bag, numpy, PIL, tilecut' 2>/dev/null; then
    echo "skipped: examples: Dask: needs 'make python' and Debian's python3-distributed, python3-numpy, python3-pil"
else
    mkdir photos
    for i in 1 2 4 5 7 8 10 11; do cp "$WORK/many/photos/$i.png" photos; done
    PYTHONPATH=$binding timeout 120 $python "$examples/dask_bag.py" photos "$WORK/many/seeds" masks \
        >reports 2>"$ERR" || complain "$(tail -n 3 "$ERR")"
    expect 'a line for each photo' test "$(grep -c '"certified": true' reports)" = 8
    # The pixels equal those of the program, though another library writes the files.
    for i in 1 2 4 5 7 8 10 11; do
        expect "mask $i" has '"error_rate": 0,' "$("$TILECUT" score masks/$i.png "$WORK/many/masks/$i.png" \
            --json score.json >/dev/null 2>&1; echo score.json)"
    done
    PYTHONPATH=$binding timeout 120 $python "$examples/dask_bag.py" photos "$WORK/many/seeds" masks \
        >reports 2>"$ERR" || complain "$(tail -n 3 "$ERR")"
    expect 'again: nothing to do' test ! -s reports
fi
