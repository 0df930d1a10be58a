# SPDX-License-Identifier: MIT
#
# The verb bench: rows, agreement of solvers, interruption. Times are not checked, because they depend on the machine.
# shellcheck shell=sh disable=SC2154

header=family,instance,width,height,lambda,solver,device,threads,build_ms,copy_ms,solve_ms,
header=${header}solve_ms_min,bytes_per_pixel,flow,mask_sha256,certified,ratio_bk,all_ms,problem,nodes,arcs,slices
header=$header,connectivity,labels,bound

# fake_peer LINE [NAME]: puts a peer that prints LINE into the tests' folder of peers, with the name bk by default.
fake_peer() {
    mkdir -p "$WORK/peers"
    printf '#!/bin/sh\n%s\n' "$1" >"$WORK/peers/${2:-bk}"
    chmod +x "$WORK/peers/${2:-bk}"
    TILECUT_PEERS=$WORK/peers
    export TILECUT_PEERS
}

begin 'bench: a row for every instance and solver'
run bench --family hussein,random,maze --sizes 64,80 --solvers auto,bk --peers none --runs 2 --csv r.csv --json r.json
[ "$status" = 0 ] || show 'should succeed'
expect 'header' test "$(head -n 1 r.csv)" = "$header"
expect '16 rows' test "$(wc -l <r.csv)" = 17
expect 'all certified' test "$(awk -F, 'NR > 1 && $16 != 1' r.csv | wc -l)" = 0
expect 'no ratio without libmaxflow' test "$(awk -F, 'NR > 1 && $17 != ""' r.csv | wc -l)" = 0
expect 'one flow for both solvers' test "$(awk -F, 'NR > 1 { print $1, $2, $3, $14, $15 }' r.csv | sort -u | wc -l)" = 8
expect 'JSON has the runs' has '"runs": [[' r.json
works bench --family random --sizes 64 --solvers bk --peers none --runs 1 --csv - -q
expect 'CSV alone on standard output' test "$(head -n 1 "$OUT")" = "$header"

begin 'bench: saved graphs and photos of the user'
run make checker --size 64 -o c.max
works bench --graph c.max --solvers bk --peers none --runs 1 --csv c.csv -q
expect 'named after the file' has 'graph,c,64,64,,bk,cpu,1,' c.csv
works bench --image "$IN/photo.png" -s "$IN/seeds.png" --sizes 64 --lambdas 10,50 --solvers bk --peers none \
    --runs 1 --csv p.csv -q
expect 'lambda 10' has 'photo,photo,78,52,10,bk' p.csv
expect 'lambda 50' has 'photo,photo,78,52,50,bk' p.csv

begin 'bench: networks by families and from files'
works bench --family genrmf:4x5,skewed:200x100,complete:30,dense:40 --peers none --runs 1 --csv n.csv -q
column() { awk -F, -v family="$1" -v n="$2" '$1 == family { print $n }' n.csv | sort -u | tr '\n' ' '; }
expect 'every solver on a flow' test "$(column genrmf 6)" = 'auto bk highest levels mpm regions rounds rounds-rcsr '
expect 'its size' test "$(column genrmf 3)$(column genrmf 4)$(column genrmf 20)" = '4 5 80 '
expect 'one answer' test "$(column genrmf 14 | wc -w) $(column genrmf 15 | wc -w) $(column genrmf 16)" = '1 1 1 '
expect 'problems' test "$(column skewed 19)$(column complete 19)$(column dense 19)" = 'match assign flow '
expect 'certified' test "$(awk -F, 'NR > 1 && $16 != 1' n.csv | wc -l)" = 0
"$TILECUT" make genrmf --size 4 --depth 5 -o g.max
"$TILECUT" make skewed --size 200 --depth 100 -o s.txt
"$TILECUT" make complete --size 30 -o c.asn
cp n.csv families.csv
works bench --graph g.max --match s.txt --assign c.asn --solvers auto --peers none --runs 1 --csv n.csv -q
expect 'the same answers from files' test "$(awk -F, 'NR > 1 { print $14 }' n.csv | sort)" = \
    "$(awk -F, 'NR > 1 && $1 != "dense" { print $14 }' families.csv | sort -u)"
flow=$(column graph 14)
fake_peer "echo bk build_ms=1.0 solve_ms=1.0 bytes=1000 flow=$flow" network-bk
works bench --graph g.max --solvers auto --peers bk --runs 1 --csv n.csv -q
expect 'a peer on any graph' test "$(awk -F, '$6 == "peer:bk" { print $17 }' n.csv)" = 1.000
fake_peer 'echo no: only small ones' network-bk
works bench --graph g.max --solvers auto --peers bk --runs 1 --csv n.csv -q
expect 'a peer that cannot is left out' test "$(wc -l <n.csv)" = 2
fake_peer 'echo bk build_ms=1.0 solve_ms=1.0 bytes=1000 flow=1' network-bk
run bench --graph g.max --solvers auto --peers bk --runs 1 --csv n.csv -q
[ "$status" = 6 ] || show 'exit status should be 6'
rm "$WORK/peers/network-bk"
unset TILECUT_PEERS

begin 'bench: spots and a frame in a photo'
works bench --image "$IN/photo.png" --family spot,frame,random --sizes 64 --lambdas 20 --solvers auto,bk --peers none \
    --runs 1 --csv p.csv -q
expect 'spots' has 'spot,photo,78,52,20,auto' p.csv
expect 'a frame' has 'frame,photo,78,52,20,bk' p.csv
expect 'a graph of its own' has 'random,seed1,64,64,' p.csv

begin 'bench: a photo for graphs'
run bench --image "$IN/photo.png" --family random --peers none
refused 2 '--image: none of these families is made of a photo'

begin 'bench: photos solved again after seeds have moved'
works bench --image "$IN/photo.png" -s "$IN/seeds.png" --family photo,random --sizes 128 --solvers auto,bk --peers \
    none \
    --runs 2 --move 5 --csv w.csv -q
rows() { awk -F, -v family="$1" '$1 == family { print $6 }' w.csv | tr '\n' ' '; }
expect 'warm rows of the photo' test "$(rows photo)" = 'auto auto+warm bk bk+warm '
expect 'the same answer' test "$(awk -F, '$1 == "photo" { print $14, $15, $16 }' w.csv | sort -u | wc -l)" = 1
expect 'no seeds, no warm rows' test "$(rows random)" = 'auto bk '

begin 'bench: photos from pixels to mask'
works bench --image "$IN/photo.png" -s "$IN/seeds.png" --family photo,random --sizes 128 --solvers auto,bk --peers \
    none \
    --runs 2 --whole --csv w.csv -q
expect 'whole rows of the photo' test "$(rows photo)" = 'auto auto+whole bk bk+whole '
expect 'the same answer' test "$(awk -F, '$1 == "photo" { print $14, $15, $16 }' w.csv | sort -u | wc -l)" = 1
expect 'all of it takes longer than a part' test "$(awk -F, 'NR > 1 && $18 < $11' w.csv | wc -l)" = 0
expect 'no photo, no whole rows' test "$(rows random)" = 'auto bk '

# Photos for which further learning and dropping islands would change the mask.
begin 'bench: from pixels to mask, the graph of the other rows'
works bench --family photo --sizes 128 --solvers auto,cascade --peers none --runs 1 --whole --csv w.csv -q
expect 'a flow and a mask for each photo' \
    test "$(awk -F, 'NR > 1 { print $2, $14, $15, $16 }' w.csv | sort -u | wc -l)" = 5

begin 'bench: a percentage that is none'
run bench --family random --move 0
refused 2 "--move: '0' is not a percentage above 0"

begin 'bench: a peer that agrees gives a ratio'
run make random --size 64 -o g.tcg
flow=$("$TILECUT" maxflow g.tcg | cut -c 3-)
fake_peer "echo bk build_ms=50000.0 solve_ms=0.0 bytes=1000 flow=$flow"
works bench --family random --sizes 64 --solvers bk --runs 1 --csv r.csv -q
expect 'ratio of the peer' test "$(awk -F, '$6 == "peer:bk" { print $17 }' r.csv)" = 1.000
expect 'ratio of the solver' test "$(awk -F, '$6 == "bk" { print ($17 > 100) }' r.csv)" = 1

begin 'bench: no ratio when flows differ'
fake_peer 'echo bk build_ms=1.0 solve_ms=1.0 bytes=1000 flow=12345'
run bench --family random --sizes 64 --solvers bk --runs 1 --csv r.csv -q
[ "$status" = 6 ] || show 'exit status should be 6'
expect 'said' has 'another flow' "$ERR"
expect 'no ratio' test "$(awk -F, 'NR > 1 && $17 != ""' r.csv | wc -l)" = 0
expect 'not counted as certified' test "$(awk -F, '$6 == "peer:bk" { print $16 }' r.csv)" != 1

begin 'bench: a peer that fails or hangs is left out'
fake_peer 'exit 1'
works bench --family random --sizes 64 --solvers bk --runs 1 --csv r.csv -q
expect 'one row' test "$(wc -l <r.csv)" = 2
fake_peer 'sleep 50'
run bench --family random --sizes 64 --solvers bk --runs 1 --limit 0.3 --csv r.csv
expect 'said' has 'left out: took more than 0.3 s' "$OUT"
expect 'one row' test "$(wc -l <r.csv)" = 2

if command -v "${CC:-cc}" >/dev/null 2>&1; then
    begin 'bench: under processor-time a limit is processor time'
    limited() {
        "$here/../../tools/processor-time" "$TILECUT" bench --family random --sizes 64 --solvers bk --runs 1 \
            --limit 0.5 --csv r.csv >"$OUT" 2>"$ERR"
    }
    run make random --size 64 -o g.tcg
    flow=$("$TILECUT" maxflow g.tcg | cut -c 3-)
    fake_peer "sleep 1; echo bk build_ms=1.0 solve_ms=1.0 bytes=1000 flow=$flow"
    limited
    expect 'a peer that waits is kept' grep -q '^random,.*,peer:bk,' r.csv
    fake_peer 'while :; do :; done'
    limited
    expect 'one that works is left out' has 'left out: took more than 0.5 s' "$OUT"
    fake_peer 'sleep 50'
    limited
    expect 'one that never ends, too' has 'left out: took more than 5 s by the clock' "$OUT"
fi

begin 'bench: a peer that is too slow for one shape is tried on another'
fake_peer 'sleep 50' network-bk
run bench --family frames:4x9,frames:6x4,frames:6x9 --solvers auto --peers bk --runs 1 --limit 0.2
expect 'tried on both' test "$(grep -c 'took more than 0.2 s' "$OUT")" = 2
expect 'and not on a larger one' test "$(grep -c 'too slow for' "$OUT")" = 1
rm "$WORK/peers/network-bk"

begin 'bench: Ctrl-C keeps the finished rows'
# shellcheck disable=SC2016 # the peer expands it
fake_peer '[ -e '"$WORK"'/first ] && : >'"$WORK"'/second && sleep 50
: >'"$WORK"'/first
echo bk build_ms=1.0 solve_ms=1.0 bytes=1000 flow=1'
rm -f "$WORK/first" "$WORK/second"
mkdir "$WORK/tmp"
TMPDIR=$WORK/tmp "$TILECUT" bench --family random,checker \
    --sizes 64 --solvers bk --runs 1 --csv r.csv -q >"$OUT" 2>"$ERR" &
pid=$!
waited=0
while [ ! -e "$WORK/second" ] && [ $waited -lt 300 ]; do sleep 0.1; waited=$((waited + 1)); done
kill -TERM $pid
wait $pid
status=$?
# shellcheck disable=SC2034 # show() prints it
command='tilecut bench, terminated'
# The first instance disagrees by design, and that status outranks the signal.
[ "$status" = 6 ] || [ "$status" = 143 ] || show 'exit status should be 6 or 143'
expect 'rows of the first instance' test "$(grep -c '^random' r.csv)" = 2
expect 'none of the second' test "$(grep -c '^checker' r.csv)" = 0
expect 'no temporary files' test -z "$(ls -A "$WORK/tmp")"
rmdir "$WORK/tmp"
unset TILECUT_PEERS

begin 'a peer that is named and lacks its program is refused, in auto it is left out'
fake_peer 'echo "wbpr build_ms=1 solve_ms=1 bytes=1 flow=1"' network-wbpr
unset TILECUT_WBPR
run bench --family genrmf:4x4 --solvers auto --peers wbpr --runs 1
expect 'named' test "$status $(grep -c 'wbpr needs the variable TILECUT_WBPR, which names its program' "$ERR")" = '5 1'
works bench --family genrmf:4x4 --solvers auto --runs 1 -q
expect 'in auto' test "$(grep -c wbpr "$OUT")" = 0
unset TILECUT_PEERS
rm -rf "$WORK/peers"

# The script that gnuplot is given, read by one that draws nothing.
begin 'bench: bars are visible at any ratio'
mkdir fake
cat >fake/gnuplot <<'END'
#!/bin/sh
cat >plot.txt
printf '\211PNG' >"$(sed -n "s/^set output '\(.*\)'$/\1/p" plot.txt)"
END
chmod +x fake/gnuplot
run make random --size 64 -o g.tcg
flow=$("$TILECUT" maxflow g.tcg | cut -c 3-)
for took in 0.5 50000; do
    fake_peer "echo bk build_ms=$took solve_ms=0 bytes=1000 flow=$flow"
    PATH=$PWD/fake:$PATH "$TILECUT" bench --family random --sizes 64 --solvers bk --runs 1 --plot p.png --csv r.csv -q
    range=$(sed -n 's/^set yrange \[\(.*\):\(.*\)\]$/\1,\2/p' plot.txt)
    expect "a peer of $took ms" test "$(awk -F, -v range="$range" 'BEGIN { split(range, end, ",") }
        NR > 1 && $17 > end[1] * 1.5 && $17 < end[2]' r.csv | wc -l)" = 2
done
unset TILECUT_PEERS
rm -rf "$WORK/peers" fake plot.txt p.png

if command -v gnuplot >/dev/null 2>&1; then
    begin 'bench: a plot'
    works bench --family random --sizes 64,80 --solvers bk --peers none --runs 1 --plot p.png -q
    expect 'a PNG' test "$(head -c 4 p.png | tail -c 3)" = PNG
else
    echo 'skipped bench: a plot (no gnuplot)'
fi

refuses 'bench: unknown family' 2 "did you mean 'maze'" bench --family maza
refuses 'bench: size of a network' 2 'no size of genrmf' bench --family genrmf:4y5 --peers none
refuses 'bench: a network too small' 2 'sizes are of 2' bench --family genrmf:1 --peers none
for shape in genrmf:0 genrmf:0x4 genrmf:4x0 washington:4x4x0 rmat:0x0x3 rmat:64x0x0; do
    refuses "bench: a size of nothing: $shape" 2 "no size of ${shape%:*}" bench --family $shape --peers none
done
refuses 'bench: more arcs of a node than there are nodes' 2 'at most 8' bench --family bipartite:9x8x9 --peers none
refuses 'bench: a solver of grids for a network' 2 'auto solves all' bench --family genrmf:4 --solvers push --peers none
refuses 'bench: unknown solver' 2 "did you mean 'bk'" bench --solvers bkk
refuses 'bench: unknown peer' 2 'no peer' bench --peers gridcut
refuses 'bench: sizes' 2 '64 to 8192' bench --sizes 32
refuses 'bench: runs' 2 '1 to 99' bench --runs 0
begin 'bench: a graph from a file is a family of its own'
"$TILECUT" make ak --size 12000 -o slow.max # for bk, which looks for shortest paths; others solve it at once
"$TILECUT" make dense --size 400 -o fast.max
run bench --graph slow.max --graph fast.max --solvers auto,bk --peers none --runs 1 --limit 0.3 --csv n.csv
expect 'too slow for one' grep -q 'took more than 0.3 s' "$OUT"
expect 'and not left out of the other, which is larger' test "$(awk -F, '$6 == "bk" { print $2 }' n.csv)" = fast
expect 'auto beside bk' grep -qE '^auto (took at most|was faster than every solver beside it)' "$OUT"
mkdir one other
mv slow.max one/same.max
mv fast.max other/same.max
run bench --graph one/same.max --graph other/same.max --solvers bk --peers none --runs 1 --limit 0.3 --csv n.csv
expect 'nor if files in two folders have one name' test "$(grep -c same n.csv)" = 1
rm -rf one other n.csv

if command -v python3 >/dev/null 2>&1; then
    begin 'bench-record: rows are kept, and compared with those of the last commit'
    record() {
        status=0
        python3 "$here/../../tools/bench-record" --program "$1" --csv record.csv --rounds 1 --only complete \
            >said 2>&1 || status=$?
    }
    record true
    expect 'two lines and a picture' test "$status $(wc -l <record.csv) $(grep -c '<polyline' record.svg)" = '0 2 1'
    cp record.csv once.csv
    sed 's/^\([^,]*\),[^,]*\(,.*,bench [^,]*\),.*/\1,before\2,0.01,0.01,0.01,1,1/' once.csv >record.csv
    record true
    expect 'slower' test "$status $(grep -c SLOWER said)" = '1 1'
    sed 's/^\([^,]*\),[^,]*\(,.*,bench [^,]*\),.*/\1,before\2,9e9,9e9,9e9,1,1/' once.csv >record.csv
    record true
    expect 'faster' test "$status $(grep -c faster said)" = '0 1'
    record false
    expect 'a command that fails' test "$status $(grep -c 'failed: false bench' said)" = '2 1'
    echo 'a,b' >record.csv
    echo '1,2' >>record.csv
    record true
    expect 'another file' grep -q 'not a record of this tool' said
    rm -rf record.* once.csv said
fi

refuses 'bench: missing graph' 3 'missing.tcg' bench --graph missing.tcg
refuses 'bench: output over input' 2 'overwrite' bench --graph "$IN/photo.png" --csv "$IN/photo.png"

begin 'bench: a table without a row is no answer'
CUDA_VISIBLE_DEVICES=
export CUDA_VISIBLE_DEVICES
run bench --family maze --sizes 64 --solvers cuda --runs 1 --peers none -q
unset CUDA_VISIBLE_DEVICES
refused 5 'nothing was measured; cuda: '

begin 'bench: energies of many labels'
works bench --family labels --labels 4 --sizes 64 --solvers auto,bk --peers expansion,swap,icm,trws --runs 1 \
    --csv l.csv --json l.json
column() { awk -F, -v n="$1" 'NR > 1 { print $n }' l.csv | sort -u | tr '\n' ' '; }
expect 'families' test "$(column 1)$(column 19)$(column 24)" = 'noise stereo superpixels labels 4 '
expect 'rows' test "$(column 6)" = 'auto bk peer:expansion peer:icm peer:swap peer:trws '
expect 'our labels are one' test "$(awk -F, '$6 == "auto" || $6 == "bk" { print $1, $14, $15, $16, $25 }' l.csv |
    sort -u | wc -l)" = 3
expect 'ICM and TRW-S prove nothing' test "$(awk -F, '$16 != 1 { print $6 }' l.csv | sort -u | tr '\n' ' ')" = \
    'peer:icm peer:trws solver '
expect 'no energy below a bound' test "$(awk -F, 'NR > 1 && $25 != "" && (!($1 in b) || $25 > b[$1]) { b[$1] = $25 }
    NR > 1 { e[$1] = e[$1] && e[$1] < $14 ? e[$1] : $14 } END { for (f in b) if (b[f] > e[f]) print f }' l.csv)" = ''
expect 'the table has energy and bound' grep -q 'energy [0-9]*, at least [0-9]' "$OUT"
expect 'JSON' has '"problem": "labels", "nodes": 4096, "arcs": 0, "slices": 0, "connectivity": 4, "labels": 4' l.json
energy=$(awk -F, '$1 == "noise" && $6 == "auto" { print $14 }' l.csv)
fake_peer "head -c 4096 /dev/zero >\"\$2\"; echo bk build_ms=1.0 solve_ms=1.0 bytes=1000 flow=$energy" labels-bk
run bench --family noise --labels 4 --sizes 64 --solvers auto --peers bk --runs 1
[ "$status" = 6 ] || show 'a peer whose labels cost something else should be found out'
rm "$WORK/peers/labels-bk"
unset TILECUT_PEERS

refuses 'bench: labels with diagonals' 2 '4 neighbours' bench --family noise --connectivity 8
refuses 'bench: labels by a solver of networks' 2 'kind labels' bench --family noise --solvers highest
