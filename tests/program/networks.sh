# SPDX-License-Identifier: MIT
#
# Graphs of any shape: maxflow, matchings and assignments on them, and their file formats.
# shellcheck shell=sh disable=SC2154

# check_any_flow FLOW ARCS FROM TO: checks that the lines of FLOW are a flow over ARCS (lines 'a FROM TO CAPACITY')
# between the two nodes, and prints its value.
check_any_flow() {
    awk -v s="$3" -v t="$4" 'NR == FNR { if ($1 == "a") room[$2, $3] += $4; next }
         $1 == "f" { used[$2, $3] += $4; net[$2] -= $4; net[$3] += $4 }
         END { for (a in used) if (used[a] > room[a] || used[a] < 0) bad++
               for (v in net) if (v != s && v != t && net[v]) bad++
               print bad + 0, net[t] + 0 }' "$2" "$1"
}

# check_any_cut CUT ARCS SINK: prints the sum of the arcs that cross the cut.
check_any_cut() {
    awk -v t="$3" 'NR == FNR { if ($1 == "t") side[$2] = 1; next }
         FNR == 1 { side[t] = 1 }
         $1 == "a" && !side[$2] && side[$3] { cost += $4 }
         END { print cost + 0 }' "$1" "$2"
}

# draw_any NODES ARCS SEED: prints a random graph that is not a grid.
draw_any() {
    awk -v n="$1" -v m="$2" -v seed="$3" 'BEGIN {
        srand(seed); print "c random\np max " n, m "\nn 1 s\nn " n " t"
        for (i = 0; i < m; i++) print "a", 1 + int(rand() * n), 1 + int(rand() * n), int(rand() * 20) }'
}

has_gpu() { "$TILECUT" maxflow "$1" --network-solver network-cuda >/dev/null 2>&1; }
has_gpu_for() { "$TILECUT" "$@" >/dev/null 2>&1; }

begin 'maxflow: a solver of grids is not passed over in silence'
printf 'p max 4 3\nn 1 s\nn 2 t\na 1 3 4\na 3 4 4\na 4 2 5\n' >any.max
run maxflow any.max --any-shape --solver bk
expect 'the flow' test "$(cat "$OUT")" = 's 4'
expect 'a note' has 'note: --solver: any.max is solved as no grid; --network-solver chooses how' "$ERR"

begin 'maxflow takes any graph, and every solver gives one answer'
for seed in 1 2 3 4 5; do
    draw_any 60 400 $seed >any.max
    for solver in auto $("$TILECUT" help maxflow | sed -n '/--network-solver/,/--any-shape/p' |
        sed -n 's/^        \([a-z][a-z-]*\) .*/\1/p'); do
        case $solver in network-*) has_gpu any.max || continue ;; esac
        works maxflow any.max --network-solver "$solver" --flow --cut
        flow=$(sed -n 's/^s //p' "$OUT")
        expect "seed $seed: $solver: a flow" test "$(check_any_flow "$OUT" any.max 1 60)" = "0 $flow"
        expect "seed $seed: $solver: a cut of that cost" test "$(check_any_cut "$OUT" any.max 60)" = "$flow"
        grep '^[st]' "$OUT" >"cut.$solver"
        expect "seed $seed: $solver: the same" same cut.auto "cut.$solver"
    done
    expect "more than auto was tried" test "$(find . -name 'cut.*' | wc -l)" -gt 3
done

begin 'a solver for a device that is not there is refused by name'
draw_any 60 400 1 >any.max
has_gpu any.max
there=$?
rm any.max
if [ $there != 0 ]; then # before the file is looked for
    fails 5 'network-solver: network-cuda needs a CUDA device' maxflow any.max --network-solver network-cuda
fi

begin 'ways for a device that is not there are refused by name'
printf '1 1 5\n' >one.txt
has_gpu_for match one.txt --matcher graft-cuda
there=$?
rm one.txt
if [ $there != 0 ]; then # before the file is looked for
    for matcher in graft-cuda unit-flow-cuda; do
        fails 5 "matcher: $matcher needs a CUDA device" match one.txt --matcher $matcher
    done
    fails 5 'assigner: cost-scaling-cuda needs a CUDA device' assign one.txt --assigner cost-scaling-cuda
    for way in all-cuda list-cuda; do
        fails 5 "way: $way needs a CUDA device" bfs one.txt --way $way
    done
fi

begin 'a grid is the same solved as any graph'
for family in random maze checker; do
    for extension in max bbk tcg; do
        run make "$family" --size 64 -o "g.$extension"
        run maxflow "g.$extension" --cut
        cp "$OUT" grid
        [ $extension = tcg ] && continue
        run maxflow "g.$extension" --cut --any-shape --json j.json
        expect "$family.$extension: flow and cut" same grid "$OUT"
        expect "$family.$extension: it was one" has '"nodes": 4098' j.json
    done
done

begin 'capacities that no grid holds are for any graph'
printf 'p max 5 4\nn 1 s\nn 2 t\na 1 3 9\na 3 4 16777216\na 4 5 16777216\na 5 2 9\n' >wide.max
works maxflow wide.max
expect 'flow' test "$(cat "$OUT")" = 's 9'
printf 'p max 2 1\nn 1 s\nn 2 t\na 1 2 4000000000000000000\n' >two.max
works maxflow two.max --flow
expect 'two nodes, 64 bits' test "$(tail -n 1 "$OUT")" = 'f 1 2 4000000000000000000'

begin 'lists of edges, matrices, and what gzip has packed'
printf '# a list\r\n1 2\r\n2,3\n1\t3\n3 4\n' >e.txt
works maxflow e.txt --source 1 --sink 4 --flow
expect 'flow' test "$(sed -n 's/^s //p' "$OUT")" = 1
run maxflow e.txt --source 4 --sink 1
expect 'one way' test "$(cat "$OUT")" = 's 0'
run maxflow e.txt --source 4 --sink 1 --undirected
expect 'both ways' test "$(cat "$OUT")" = 's 1'
run maxflow e.txt --source 1 --source 2 --sink 3
expect 'two sources' test "$(cat "$OUT")" = 's 2'
run maxflow e.txt
expect 'pairs are chosen, with a note' grep -q 'each sink reached from its source: 1 > 4, 2 > 3$' "$ERR"
printf '%%%%MatrixMarket matrix coordinate integer general\n%% x\n3 3 3\n1 2 5\n2 3 4\n1 3 1\n' >m.mtx
works maxflow m.mtx --source 1 --sink 3
expect 'matrix' test "$(cat "$OUT")" = 's 5'
printf '%%%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 3.0\n' >r.mtx
run maxflow r.mtx --source 1 --sink 2
expect 'symmetric, real' test "$(cat "$OUT")" = 's 3'
for before in '%%' '\357\273\277%%%%' '\r\n%%%%' '# x\n%% y\n%%%% '; do
    printf "${before}MatrixMarket matrix coordinate integer general\n3 3 3\n1 1 5\n2 2 6\n3 3 7\n" >b.mtx
    works assign b.mtx
    expect "a banner after '$before'" test "$(cat "$OUT")" = 's 18'
done
printf '%%%%MatrixMarket matrix coordinate integer general\n3 3 0\n' >none.mtx
works maxflow none.mtx --source 1 --sink 2 --cut
expect 'no entry, no flow' test "$(head -n 1 "$OUT")" = 's 0'
works match none.mtx
expect 'no entry, no pair' test "$(cat "$OUT")" = 's 0'
gzip -k m.mtx
run maxflow m.mtx.gz --source 1 --sink 3
expect 'gzip' test "$(cat "$OUT")" = 's 5'
cat m.mtx.gz e.txt >tail.gz
run maxflow tail.gz
expect 'gzip: what follows is no gzip' test "$status" = 3

begin 'gzip: a file padded with zeros, as tapes pad it'
{
    printf '1 2 4\n2 3 9\n' | gzip
    head -c 700 /dev/zero
    printf '1 3 1\n' | gzip
    head -c 600000 /dev/zero
} >pad.gz
works maxflow pad.gz --edges --source 1 --sink 3
expect 'both members' test "$(cat "$OUT")" = 's 5'
printf x >>pad.gz
run maxflow pad.gz --source 1 --sink 3
rm pad.gz
refused 3 'with other bytes behind that'

begin 'values: whole ones, however they are written, and none where none is wanted'
printf '%%%%MatrixMarket MATRIX Coordinate Real General\n3 3 3\n1 2 1.2000000000000000e+01\n2 3 1E2\n' >v.mtx
printf '1 3 +70e-1\n' >>v.mtx
works maxflow v.mtx --source 1 --sink 3 --flow
expect 'as scipy writes them' test "$(tr '\n' ' ' <"$OUT")" = 's 19 f 1 2 12 f 2 3 12 f 1 3 7 '
printf '%%%%MatrixMarket matrix array real general\n2 2\n-1.5e+02\n0.0000000000000000e+00\n2e1\n98765432101.\n' >v.mtx
run assign v.mtx
expect 'costs' test "$(cat "$OUT")" = 's 20'
for word in 1e19 9223372036854775808 . e5 1e 1.2.3 0x10 nan - '' -inf 1e-19; do
    printf '%%%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 %s\n' "$word" >v.mtx
    run maxflow v.mtx --source 1 --sink 2
    expect "'$word' is refused" grep -q 'v.mtx: line 3: a capacity ' "$ERR"
    expect "'$word': status" test "$status" = 3
done
for end in '\n' '\r\n' '\r'; do
    printf "# a list$end$end""1 2 7$end""2 3 5$end" >v.txt
    run maxflow v.txt --source 1 --sink 3 --flow
    expect "lines that end in $end" test "$(tr '\n' ' ' <"$OUT")" = 's 5 f 1 2 5 f 2 3 5 '
done
printf '1 2 4.5 1082040961\n2 1 -1 1082040962\n2 2 x y\n' >v.txt
works match v.txt --pairs
expect 'a matching reads none' test "$(tr '\n' ' ' <"$OUT")" = 's 2 m 1 2 m 2 1 '
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 .5\n2 1 -1e-3\n' >v.mtx
run match v.mtx
expect 'nor of a matrix' test "$(cat "$OUT")" = 's 1'
rm -f v.mtx v.txt

begin 'a table of numbers is a matrix for every verb, and never a list of edges without a word'
# The expected values are from scipy: linear_sum_assignment, maximum_flow and others.
printf '1 2 3 4\n2 4 6 8\n3 6 9 12\n4 8 12 16\n' >four.txt
printf '1,2,3\n2,4,6\n3,6,9\n' >three.csv
printf '# costs\n4\t1\t3\t7\t2\n2\t0\t5\t1\t8\n3\t2\t2\t6\t4\n' >wide.txt
printf '9 2\n6 4\n5 8\n' >narrow.txt
printf '5 9 1\n10 3 2\n8 7 4\n3 6 5\n' >tall.txt
printf '1;2;3\n2 ; 4; 6\n3;6;9\n' >semicolons.csv
while read -r file cost; do
    run assign "$file" -q
    expect "$file: $cost" test "$(cat "$OUT")" = "s $cost"
    run assign "$file" -q --matrix
    expect "$file by name: $cost" test "$(cat "$OUT")" = "s $cost"
done <<EOT
four.txt 20
three.csv 10
semicolons.csv 10
wide.txt 4
narrow.txt 7
tall.txt 7
EOT
for file in four.txt three.csv narrow.txt tall.txt; do
    run assign $file
    expect "$file: a note" grep -q 'read as a matrix of .*, say --edges$' "$ERR"
done
run assign wide.txt
expect 'wide.txt: four and more columns' test "$(cat "$OUT")" = 's 4'
run assign three.csv --edges
expect 'a list, if it is called one' test "$(cat "$OUT")" = 's 18'
printf '0 3 2 0\n0 0 5 2\n0 0 0 3.5\n0 0 0 0\n' >flow.txt
run maxflow flow.txt --source 1 --sink 4 --flow
expect 'capacities from row to column, 0 is no arc' test "$(sort "$OUT" | tr '\n' ' ')" = \
    'f 1 2 3 f 1 3 2 f 2 3 1 f 2 4 2 f 3 4 3 s 5 '
run bfs flow.txt --source 1 --levels
expect 'levels' test "$(tr '\n' ' ' <"$OUT")" = 's 4 2 l 1 0 l 2 1 l 3 1 l 4 2 '
run match flow.txt
expect 'pairs' test "$(cat "$OUT")" = 's 3'
printf '0 1 0\n1 0 0\n0 1 0\n' >pairs.txt
run match pairs.txt --pairs
expect 'pairs of a table' test "$(tr '\n' ' ' <"$OUT")" = 's 2 m 1 2 m 2 1 '
for verb in maxflow match bfs; do
    case $verb in maxflow) right='s 21' ;; match) right='s 4' ;; bfs) right='s 4 1' ;; esac
    run $verb four.txt
    expect "$verb: as a matrix" test "$(cat "$OUT")" = "$right"
    expect "$verb: with a note" grep -q 'read as a matrix of 4 x 4; ' "$ERR"
done
# Files in METIS format list the neighbours of each node, with blank lines for nodes without any. They are neither a
# matrix nor a list of edges.
printf '4 4\n2 3\n1 3\n1 2 4\n3\n' >a.graph
printf '%%%% METIS\n4 2 0\n3\n\n1 4\n3\n' >b.graph
printf '5 5\n2 5\n1 3\n2 4\n3 5\n1 4\n' >c.graph
for file in a.graph b.graph c.graph; do
    for verb in maxflow match bfs assign; do
        run $verb $file
        expect "$verb $file" test "$status" = 3
        expect "$verb $file: called that" has "$file: lists the neighbours of each node (METIS, Chaco)" "$ERR"
    done
    run bfs $file --edges
done
expect 'a list, if it is called one' test "$status" = 0
rm ?.graph
# Lists of edges: files from SNAP and KONECT identify themselves. Others are recognised by their nodes, with a note if
# they could be a matrix.
printf '%% bip weighted\n1 1 4 1082040961\n2 2 4 1082040962\n7 1 4 1082040963\n9 2 4 1082040964\n' >konect.txt
works match konect.txt
expect 'KONECT' test "$(cat "$OUT")" = 's 2'
printf '# FromNodeId\tToNodeId\n3\t9\n9\t4\n4\t7\n' >snap.txt
works maxflow snap.txt --source 3 --sink 7
expect 'SNAP' test "$(cat "$OUT")" = 's 1'
printf '1 2 4\n2 3 9\n1 3 1\n' >edges.txt
run maxflow edges.txt --source 1 --sink 3
expect 'three edges' test "$(cat "$OUT")" = 's 5'
expect 'three edges: a note' grep -q 'read as a list of edges FROM TO CAPACITY; if it is a matrix, say --matrix$' "$ERR"
printf '1 2 4\n2 3 9\n1 3 1\n3 4 6\n' >edges.txt
works maxflow edges.txt --source 1 --sink 4
expect 'four edges, which are no square' test "$(cat "$OUT")" = 's 5'
rm -f ./*.txt three.csv

begin 'tables: comments behind numbers, rows of other lengths, entries that come twice'
printf '4 1 3 # x\n2 0 5\n3 2 2 %% y\n' >t.txt
run assign t.txt --pairs
expect 'comments' test "$(tr '\n' ' ' <"$OUT")" = 's 5 m 1 2 m 2 1 m 3 3 '
printf '4 1 3\n2 0\n3 2 2\n' >t.txt
run assign t.txt
expect 'a hole is refused' test "$status" = 3
expect 'with its line' has 't.txt: line 2: 2 words, but the first line has 3' "$ERR"
printf '%%%%MatrixMarket matrix coordinate integer general\n2 2 4\n1 1 5\n1 1 1\n1 2 9\n2 2 2\n' >t.mtx
run assign t.mtx
expect 'costs of one pair are added up, as scipy does' test "$(cat "$OUT")" = 's 8'
rm -f t.txt t.mtx

begin 'fractions are scaled without rounding, in every format'
printf '%%%%MatrixMarket matrix array real general\n3 3\n-625.125\n-2500\n-1015.625\n2187.5\n1e6\n-1015.5\n' >r.mtx
printf '.25\n-2500\n1e6\n' >>r.mtx
works assign r.mtx --pairs --prices --json j.json
expect 'an assignment' test "$(head -n 4 "$OUT" | tr '\n' ' ')" = 's -4140.625 m 1 1 m 2 3 m 3 2 '
expect 'its prices' test "$(awk '$1 == "u" || $1 == "v" { all += $3 } END { print all }' "$OUT")" = -4140.62
expect 'in JSON' test "$(value cost j.json)" = -4140.625
# 0.1 + 0.2 equals 0.3, and equal costs stay equal.
printf 'p asn 4 4\nn 1\nn 2\na 1 3 0.1\na 1 4 .3\na 2 3 0\na 2 4 2e-1\n' >r.asn
works assign r.asn
expect 'a tie' test "$(cat "$OUT")" = 's 0.3'
printf 'p max 4 5\nn 1 s\nn 2 t\na 1 3 2.5\na 1 4 inf\na 3 4 0.125\na 3 2 2.0\na 4 2 4e-1\n' >r.max
works maxflow r.max --flow --json j.json
expect 'DIMACS' test "$(cat "$OUT" | sort | tr '\n' ' ')" = 'f 1 3 2 f 1 4 0.4 f 3 2 2 f 4 2 0.4 s 2.4 '
expect 'DIMACS: in JSON' test "$(value flow j.json) $(value cut j.json)" = '2.4 2.4'
printf '1 2 0.5\n2 3 0.25\n1 3\n' >r.txt
run maxflow r.txt --source 1 --sink 3
expect 'a list, where no value is 1' test "$(cat "$OUT")" = 's 1.25'
printf '%%%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 1.5\n3 2 inf\n' >r.mtx
works maxflow r.mtx --source 1 --sink 3
expect 'a matrix, no limit' test "$(cat "$OUT")" = 's 1.5'
# 0.4 and 0.1 as scipy and numpy.savetxt print them. Numbers written by hand are read exactly.
printf '4.0000000000000002e-01 1000000\n1000000 1.000000000000000056e-01\n' >r.txt
run assign r.txt
expect 'doubles that were printed' test "$(cat "$OUT")" = 's 0.5'
printf '0.123456789012345678 1\n1 0.1\n' >r.txt
run assign r.txt
expect 'eighteen digits are too many here' test "$status" = 3
expect 'eighteen digits: how large costs may be' grep -q 'some cost has, at most 0.072057594037927936 is exact' "$ERR"
# Some doubles, as numpy.savetxt and scipy print them, become integers if multiplied by a power of two, but not by any
# power of ten.
printf '9.313225746154785e-10 1\n3 2.86102294921875e-06\n' >r.txt
run assign r.txt
expect 'powers of two' test "$(cat "$OUT")" = 's 0.000002861954271793365478515625'
expect 'powers of two: said' has 'so they are read as doubles, of which 2^30 does' "$ERR"
printf '%%%%MatrixMarket matrix array real general\n2 2\n0.6369616873214543\n0.2697867137638703\n' >r.mtx
printf '0.04097352393619469\n0.016527635528529094\n' >>r.mtx
run assign r.mtx
expect 'random doubles' test "$(cat "$OUT")" = 's 0.31076023770006500068774357714573852717876434326171875'
printf 'p max 3 2\nn 1 s\nn 3 t\na 1 2 9.313225746154785e-10\na 2 3 3\n' >r.max
run maxflow r.max
expect 'powers of two in DIMACS' test "$(cat "$OUT")" = 's 0.000000000931322574615478515625'
# A file for two pixels: 1.5 from the source, 0.9 between the pixels, 0.7 to the sink, as 32-bit numbers, which cannot
# hold the last two exactly.
{
    printf 'BBQ\010\010\002\000\000\000\000\000\000\000\002\000\000\000\000\000\000\000\001\000\000\000\000\000\000\000'
    printf '\000\000\000\000\000\000\000\000\000\000\300\077\000\000\000'
    printf '\000\001\000\000\000\000\000\000\000\000\000\000\000333\077'
    printf '\000\000\000\000\000\000\000\000\001\000\000\000\000\000\000\000\146\146\146\077\000\000\000\000'
} >r.bbk
works maxflow r.bbk --flow
expect '.bbk' test "$(tr '\n' ' ' <"$OUT")" = 's 0.7 f s 0 0.7 f 1 t 0.7 f 0 1 0.7 '
rm -f r.mtx r.asn r.max r.txt r.bbk j.json

begin 'forbidden pairs, and more rows than columns'
printf '4 inf 3\ninf 2 Infinity\n1 7 +inf\n' >f.txt
works assign f.txt --pairs
expect 'forbidden' test "$(tr '\n' ' ' <"$OUT")" = 's 6 m 1 3 m 2 2 m 3 1 '
printf '4 inf 3\ninf inf inf\n1 7 2\n' >f.txt
run assign f.txt
rm f.txt
refused 3 'f.txt: there is no assignment: some rows, row 2 one of them'
printf '%%%%MatrixMarket matrix array integer general\n3 2\n1\n2\n3\n4\n5\n6\n' >tall.mtx
for assigner in shortest-paths cost-scaling; do
    works assign tall.mtx --pairs --prices --assigner $assigner
    expect "$assigner: every column gets a row" test "$(head -n 3 "$OUT" | tr '\n' ' ')" = 's 6 m 1 1 m 2 2 '
    expect "$assigner: its prices" test "$(awk '$1 ~ /[uv]/ { all += $3; n++ } END { print n, all }' "$OUT")" = '5 6'
done
printf '3 1 4\n1 1 9\n2 1 5\n3 2 7\n2 2 1\n' >tall.txt
works assign tall.txt --edges --pairs
expect 'of a list' test "$(tr '\n' ' ' <"$OUT")" = 's 5 m 2 2 m 3 1 '
rm tall.mtx tall.txt

begin 'DIMACS in capital letters, nodes named after the arcs, 2.0'
printf 'C by hand\nP MAX 4 3\nA 1 3 2.0\na 3 4 2e0\na 4 2 3\nN 2 T\nn 1 s\n' >d.max
works maxflow d.max --flow
expect 'a flow' test "$(sort "$OUT" | tr '\n' ' ')" = 'f 1 3 2 f 3 4 2 f 4 2 2 s 2 '
printf 'P ASN 4 3\nA 1 3 2.0\na 1 4 5\na 2 3 1\nn 1\nN 2\n' >d.asn
works assign d.asn --pairs
expect 'an assignment' test "$(tr '\n' ' ' <"$OUT")" = 's 6 m 1 4 m 2 3 '
printf 'p min 4 3\nn 1 1.0\nn 2 1\nn 3 -1\nn 4 -1e0\na 1 3 0 1.0 2\na 1 4 0.0 1 5\na 2 3 0 1 1\n' >d.min
run assign d.min -q
expect 'a flow of least cost, its numbers written as fractions' test "$(cat "$OUT")" = 's 6'
printf 'p max 4.0 3e0\nn 1.0 s\nn 2 t\na 1 3.0 2\na 3 4 2\na 4.0 2.0 3\n' >d.max
works maxflow d.max --flow
expect 'numbers of nodes and arcs' test "$(sort "$OUT" | tr '\n' ' ')" = 'f 1 3 2 f 3 4 2 f 4 2 2 s 2 '
printf 'p asn 4. 3.00\na 1.0 3.0 2\na 1 4 5\na 2 3 1\nn 1.0\nn 2\n' >d.asn
works assign d.asn --pairs
expect 'of an assignment' test "$(tr '\n' ' ' <"$OUT")" = 's 6 m 1 4 m 2 3 '
printf '%%%%%%%%MatrixMarket matrix coordinate real general\n2.0 2.0 2.0\n1.0 2.0 4\n2 1 3\n' >d.mtx
run match d.mtx -q
expect 'of a matrix' test "$(cat "$OUT")" = 's 2'
rm d.max d.asn d.min d.mtx
for wrong in 'p max 2.5 1' 'p max -4 3' 'p max 4 3.5' 'p max 1e30 3'; do
    printf '%s\nn 1 s\nn 2 t\na 1 3 2\n' "$wrong" >"$WORK/d.max"
    fails 3 "d.max: line 1: a problem line is 'p max NODES ARCS' with whole numbers" maxflow "$WORK/d.max"
done

begin 'maxflow: pairs that are chosen reach each other, and are named'
# A list of who voted on whom: some nodes vote, others are only voted on, and few do both.
awk 'BEGIN { srand(5); print "# FromNodeId\tToNodeId"
             for (i = 0; i < 4000; i++) print 1 + int(rand() * 900), 800 + int(rand() * 1200) }' >votes.txt
run maxflow votes.txt
flow=$(sed -n 's/^s //p' "$OUT")
cp "$ERR" first
expect 'some flow' test "$flow" -ge 20
pairs=$(sed -n 's/.*each sink reached from its source: //p' "$ERR" | tr -d ,)
expect 'twenty pairs' test "$(echo "$pairs" | wc -w)" = 60
set -- $pairs
options=
while [ $# -ge 3 ]; do
    options="$options --source $1 --sink $3"
    run maxflow votes.txt --source "$1" --sink "$3"
    expect "from $1 to $3" test "$(sed -n 's/^s //p' "$OUT")" -ge 1
    shift 3
done
# shellcheck disable=SC2086 # options
works maxflow votes.txt $options
expect 'the same by their names' test "$(cat "$OUT")" = "s $flow"
run maxflow votes.txt --network-solver bk
expect 'the same pairs again' same first "$ERR"
printf '5 1\n5 2\n5 3\n' >star.txt
run maxflow star.txt
expect 'one node alone reaches others' grep -q 'source: 5 > 3$' "$ERR"
rm -f votes.txt star.txt first
printf '1 1\n2 2\n' >"$WORK/loops.txt"
fails 3 'loops.txt: no arc from one node to another has a capacity, so there is no flow' maxflow "$WORK/loops.txt"

begin 'memory: a named solver that takes more is counted so, and the sentence says how many arcs'
run make bipartite --size 3000 --depth 3000 --degree 12 -o b.txt
works match b.txt --max-memory 3500K
works match b.txt --max-memory 3500K --matcher auto
run match b.txt --max-memory 3500K --matcher unit-flow
expect 'unit-flow' test "$status $(grep -c 'b.txt: solving .* arcs and more takes over 3.6 MB' "$ERR")" = '5 1'
run make degrees --size 3000 -o d.max
works maxflow d.max --max-memory 3500K
run maxflow d.max --max-memory 3500K --network-solver rounds-rcsr
expect 'rounds-rcsr' test "$status $(grep -c 'd.max: solving 36040 arcs and more takes over 3.6 MB' "$ERR")" = '5 1'
rm b.txt d.max

begin 'memory: what an assignment is said to take is what it takes and 4 to 28 % more'
shapes="'60000 8' '20000 40' '150000 3'"
sanitized && shapes= && echo 'skipped: what an assignment takes, with a sanitizer'
eval "set -- $shapes"
for shape; do
    awk "BEGIN { n = ${shape% *}; each = ${shape#* }
        print \"p asn\", 2 * n, n * each
        for (i = 1; i <= n; i++) print \"n\", i
        for (i = 0; i < n; i++) for (k = 0; k < each; k++)
            print \"a\", i + 1, n + 1 + (7 * i + 11 * k + 1) % n, 1 + (i * 31 + k * 17) % 999 }" >a.asn
    works assign a.asn --json a.json --threads 2 -q
    took=$(value peak_bytes a.json)
    run assign a.asn -q --max-memory $((took / 100 * 104))
    expect "$shape: 4 % more than what is taken are too little" test "$status" = 5
    run assign a.asn -q --max-memory $((took / 100 * 128))
    expect "$shape: 28 % more suffice" test "$status" = 0
done
rm -f a.asn a.json

begin 'symmetric matrices as pairs and as costs'
printf '%%%%MatrixMarket matrix array integer general\n3 3\n8\n3\n6\n3\n0\n7\n6\n7\n4\n' >whole.mtx
printf '%%%%MatrixMarket matrix array integer symmetric\n3 3\n8\n3\n6\n0\n7\n4\n' >half.mtx
printf '%%%%MatrixMarket matrix coordinate integer symmetric\n3 3 6\n1 1 8\n2 1 3\n3 1 6\n' >listed.mtx
printf '2 2 0\n3 2 7\n3 3 4\n' >>listed.mtx
run assign whole.mtx --pairs
cp "$OUT" first
for file in half listed; do
    works assign $file.mtx --pairs
    expect "$file: the same" same first "$OUT"
    run match $file.mtx 2>/dev/null
done
expect 'a matching' test "$(cat "$OUT")" = 's 3'
printf '%%%%MatrixMarket matrix array integer general\n3 3\n0\n3\n-6\n-3\n0\n7\n6\n-7\n0\n' >whole.mtx
printf '%%%%MatrixMarket matrix array integer skew-symmetric\n3 3\n3\n-6\n7\n' >half.mtx
run assign whole.mtx --pairs
cp "$OUT" first
works assign half.mtx --pairs
expect 'skew-symmetric: the same' same first "$OUT"
printf '%%%%MatrixMarket matrix coordinate pattern skew-symmetric\n3 3 2\n2 1\n3 2\n' >listed.mtx
run match listed.mtx
expect 'skew-symmetric: a matching' test "$(cat "$OUT")" = 's 2'
rm -f whole.mtx half.mtx listed.mtx first

begin 'maxflow --flow: a grid whose flow its solvers cannot tell is no grid'
printf 'p max 4 5\nn 1 s\nn 4 t\na 1 2 33554432\na 2 4 50000000\na 1 4 3\na 2 3 5\na 3 4 2\n' >f.max
run maxflow f.max
cp "$OUT" first
works maxflow f.max --flow
expect 'a flow' test "$(check_any_flow "$OUT" f.max 1 4)" = "0 $(sed -n 's/^s //p' first)"
run make random3 --size 64 -o f.max
run maxflow f.max
cp "$OUT" first
works maxflow f.max --flow
expect 'of a volume' test "$(check_any_flow "$OUT" f.max 1 2)" = "0 $(sed -n 's/^s //p' first)"
rm f.max first

begin 'DIMACS files in the ways in which other programs write them'
printf 'c created by igraph\np max 4 4\nn 1 s\nn 4 t\na 1 2 3\na 1 3 2\na 2 4 1\na 3 4 5\n' >igraph.max
printf 'c ==\nc max-flow file\np max 4 8\nn 1 s\nn 4 t\na 1 2 3\na 1 3 2\na 2 1 0\na 2 4 1\na 3 1 0\na 3 4 5\na 4 2 0
a 4 3 0\n' >boost.max # each arc with its reverse, of capacity 0
printf 'p  max\t4   4 \r\nc\r\n\r\nn  4 t\r\nn  1 s\r\na  3 4 5\r\na  2 4 1\r\na  1 3 2\r\na  1 2 3' >blanks.max
for file in igraph boost blanks; do
    works maxflow $file.max --cut
    expect "$file" test "$(tr '\n' ' ' <"$OUT")" = 's 3 t 3 '
done

begin 'a matrix with a name, as MATLAB writes it, is no DIMACS file'
printf 'C = [\n4 1 3\n2 0 5\n3 2 2\n];\n' >"$WORK/named.m"
for verb in assign match maxflow bfs; do
    fails 3 "named.m: line 1: a table or a list of edges holds numbers alone, without names of its columns: 'C' in" \
        $verb "$WORK/named.m"
done

begin 'auto takes the way to match that is faster: trees for many edges, unless few nodes have most'
for wanted in 'bipartite 150000 pothen-fan' 'bipartite 200000 graft' 'skewed 200000 pothen-fan'; do
    # shellcheck disable=SC2086 # family, size and name
    set -- $wanted
    run make "$1" --size "$2" --depth "$2" --degree 3 -o b.txt
    run match b.txt --json j.json
    expect "$1 of $2" test "$(value solver j.json)" = "$3"
done
rm -f b.txt

# check_pairs RESULT EDGES COLUMN: checks that the lines 'm ROW COLUMN' of RESULT are edges of EDGES (lines 'ROW
# COLUMN', with columns numbered from COLUMN) and share no node, and that its lines r and c cover every edge. Prints the
# number of errors, of pairs, and of nodes in the cover.
check_pairs() {
    awk 'NR == FNR { if ($1 ~ /^[0-9]+$/) { edge[$1, $2] = 1; row[FNR] = $1; column[FNR] = $2; last = FNR } next }
         $1 == "m" { if (!(($2, $3) in edge) || used["r" $2]++ || used["c" $3]++) bad++; pairs++ }
         $1 == "r" || $1 == "c" { cover[$1 $2] = 1; size++ }
         END { for (k = 1; k <= last; k++) if ((k in row) && !cover["r" row[k]] && !cover["c" column[k]]) bad++
               print bad + 0, pairs + 0, size + 0 }' "$2" "$1"
}

begin 'match finds pairs and a cover of as many'
for family in bipartite skewed; do
    works make "$family" --size 300 --depth 250 --degree 3 -o b.txt
    works match b.txt --pairs --cover --json j.json
    pairs=$(sed -n 's/^s //p' "$OUT")
    expect "$family: they prove each other" test "$(check_pairs "$OUT" b.txt)" = "0 $pairs $pairs"
    expect "$family: in JSON" test "$(value pairs j.json) $(value device j.json)" = "$pairs cpu"
    grep -v '^m' "$OUT" >cover
    for matcher in karp-sipser graft unit-flow graft-cuda unit-flow-cuda; do
        case $matcher in *-cuda) has_gpu_for match b.txt --matcher graft-cuda || continue ;; esac
        run match b.txt --cover --matcher $matcher
        expect "$family: the same cover by $matcher" same cover "$OUT"
    done
    run match b.txt --cover --threads 3
    expect "$family: and by threads" same cover "$OUT"
    # Checks the same with a flow of unit capacities.
    awk '!/^%/ { print "a", $1, 1000 + $2, 1; r[$1] = c[$2] = 1 }
         END { for (v in r) print "a 2001", v, 1; for (v in c) print "a", 1000 + v, 2002, 1 }' b.txt >arcs
    { echo "p max 2002 $(wc -l <arcs)"; echo 'n 2001 s'; echo 'n 2002 t'; cat arcs; } >unit.max
    run maxflow unit.max
    expect "$family: a flow as large" test "$(cat "$OUT")" = "s $pairs"
done

begin 'match: a pair of the value inf is none, in every form, as assign has it'
printf '1 inf\ninf inf\n' >table.txt
printf '1 1 3\n1 2 inf\n2 1 inf\n' >edges.txt
printf 'p asn 4 3\nn 1\nn 2\na 1 3 3\na 1 4 inf\na 2 3 inf\n' >pairs.asn
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 5\n1 2 inf\n2 1 inf\n' >pairs.mtx
for graph in 'table.txt --matrix' 'edges.txt --edges' pairs.asn pairs.mtx; do
    works match $graph
    expect "$graph" test "$(cat "$OUT")" = 's 1'
done

begin 'bfs: levels are distances, whichever way'
draw_any 80 150 9 >far.max
awk '$1 == "a" && $4 && $3 != 1 && $2 != 80 { from[++m] = $2; to[m] = $3 }
    END { level[1] = 0
          for (again = 1; again;) { again = 0
              for (k = 1; k <= m; k++) {
                  if (!(from[k] in level) || (to[k] in level && level[to[k]] <= level[from[k]] + 1)) continue
                  level[to[k]] = level[from[k]] + 1; again = 1 } }
          for (v = 1; v <= 80; v++) if (v in level) { n++; if (level[v] > most) most = level[v]
              lines = lines "l " v " " level[v] "\n" }
          print "s", n, most; printf "%s", lines }' far.max | sort >truth
for way in both down up all-cuda list-cuda; do
    case $way in *-cuda) has_gpu_for bfs far.max --way list-cuda || continue ;; esac
    works bfs far.max --way $way --levels --threads 2 --json j.json
    sort "$OUT" >found
    expect "$way" same truth found
    expect "$way: in JSON" test "$(value reached j.json)" = "$(sed -n 's/^s \([0-9]*\) .*/\1/p' truth)"
done
printf '5 6\n6 7\n9 7\n' >line.txt
run bfs line.txt --source 6
expect 'from a node' test "$(cat "$OUT")" = 's 2 1'
run bfs line.txt --source 6 --undirected
expect 'both ways' test "$(cat "$OUT")" = 's 4 2'
run bfs line.txt
expect 'where it begins is said' grep -q 'begins at node 5' "$ERR"
printf '0 -1.5 inf\ninf 0 1e30\n1 inf 0\n' >table.txt
printf '1 2 -1.5\n1 3 inf\n2 1 inf\n2 3 1e30\n3 1 1\n3 2 inf\n' >edges.txt
printf '%%%%MatrixMarket matrix coordinate real general\n3 3 4\n1 2 -1.5\n1 3 inf\n2 3 1e30\n3 1 1\n' >far.mtx
for graph in table.txt 'edges.txt --edges' far.mtx; do
    works bfs $graph --source 1
    expect "inf is no arc: $graph" test "$(head -1 "$OUT")" = 's 3 2'
done
run bfs line.txt --source 80
rm -f line.txt table.txt edges.txt far.mtx far.max found truth j.json
refused 2 'line.txt has no node 80'

refuses 'bfs: no number' 2 'the number of a node' bfs line.txt --source x
refuses 'bfs: no such way' 2 'a way to search' bfs line.txt --way sideways

begin 'assign finds a cost that its prices prove'
works make complete --size 60 -o c.asn
works assign c.asn --pairs --prices
expect 'pairs cost what prices are' test "$(awk 'NR == FNR { if ($1 == "a") cost[$2, $3] = $4; next }
    $1 == "s" { wanted = $2 }
    $1 == "m" { sum += cost[$2, $3]; if (seen[$3]++) bad++; pairs++ }
    $1 == "u" || $1 == "v" { price[$2] = $3; all += $3 }
    END { for (e in cost) { split(e, n, SUBSEP); if (price[n[1]] + price[n[2]] > cost[e]) bad++ }
          print bad + 0, pairs, sum == wanted, all == wanted }' c.asn "$OUT")" = '0 60 1 1'
printf '%%%%MatrixMarket matrix array integer general\n3 3\n4\n2\n3\n1\n0\n2\n3\n5\n2\n' >full.mtx
works assign full.mtx --pairs
expect 'a full matrix goes by columns' test "$(cat "$OUT")" = 's 5
m 1 2
m 2 1
m 3 3'
printf '1 1 5\n1 2 -3\n2 1 7\n' | gzip >list.gz
run assign list.gz
expect 'a list of edges, packed' test "$(cat "$OUT")" = 's 4'

begin 'assign reads flows of least cost that are assignments'
run make complete --size 40 -o c.asn
run assign c.asn --pairs --prices
cp "$OUT" first
awk '$1 == "p" { print "p min", $3, $4; next }
    $1 == "n" { print "n", $2, 1; next }
    $1 == "a" && !told++ { for (v = 41; v <= 80; v++) print "n", v, -1 }
    $1 == "a" { print "a", $2, $3, 0, 1 + $4 % 3, $4; next }
    { print }' c.asn >c.min
works assign c.min --pairs --prices
expect 'the same assignment' same first "$OUT"
run match c.min
expect 'all pairs' test "$(cat "$OUT")" = 's 40'
rm -f c.min first

begin 'assign: every way finds the same cost, and the one that ran is told'
run make complete --size 50 -o c.asn
run assign c.asn
cp "$OUT" first
for assigner in auto shortest-paths cost-scaling-cuda cost-scaling; do
    case $assigner in *-cuda) has_gpu_for assign c.asn --assigner $assigner || continue ;; esac
    works assign c.asn --assigner $assigner --threads 3 --json j.json
    expect "$assigner" same first "$OUT"
done
expect 'the last one' test "$(value solver j.json)" = cost-scaling
printf '1 1 5\n1 2 3\n2 1 7\n2 3 1\n' >wide.txt # more columns than rows
run assign wide.txt --assigner cost-scaling --json j.json
expect 'another shape' test "$(cat "$OUT") $(value solver j.json)" = 's 4 shortest-paths'

refuses 'assign: no such way' 2 'a way to assign' assign c.asn --assigner sideways

begin 'assign: what is wrong has the numbers of the file'
printf '%%%%MatrixMarket matrix coordinate integer general\n3 3 2\n1 1 4\n2 2 5\n' >w.mtx
run assign w.mtx
rm w.mtx
refused 3 'w.mtx: there is no assignment: some rows, row 3 one of them'
printf '0 0 5\n0 1 5\n1 0 -9000000000000000000\n' >w.txt
run assign w.txt
rm w.txt
refused 3 'w.txt: row 1, column 0: costs -9000000000000000000; '
expect 'and how it was read' grep -q '(read as a list of edges FROM TO COST; if it is a matrix, say --matrix)$' "$ERR"

begin 'make: networks are repeatable and can be solved'
for family in dense ak genrmf frames washington rmat degrees rag; do
    size=64
    case $family in genrmf | frames) size=6 ;; esac
    depth=
    case $family in genrmf | frames | washington) depth='--depth 7' ;; esac
    # shellcheck disable=SC2086 # two words or none
    works make $family --size $size $depth -o a.max
    # shellcheck disable=SC2086
    run make $family --size $size $depth -o - --seed 1
    expect "$family: the same twice" same a.max "$OUT"
    run maxflow a.max --network-solver bk
    cp "$OUT" first
    works maxflow a.max --any-shape
    expect "$family: a flow, the same by two solvers" same first "$OUT"
    expect "$family: some flow" grep -qx 's [1-9][0-9]*' "$OUT"
done

# check_regions FILE WIDTH HEIGHT: checks that the arcs of FILE join the cells of a grid in both directions, each with
# another cell, and that every cell has an arc.
check_regions() {
    awk -v n="$(($2 * $3))" '$1 == "a" && $2 <= n && $3 <= n { if ($2 == $3 || ($2, $3) in cap || $4 < 1) bad++
             cap[$2, $3] = $4; seen[$2] = 1 }
         $1 == "a" && $2 == n + 1 { fed++ }
         $1 == "a" && $3 == n + 2 { drained++ }
         END { for (e in cap) { split(e, ends, SUBSEP); if (cap[ends[2], ends[1]] != cap[e]) bad++ }
               for (c in seen) cells++
               print bad + 0, cells, fed, drained }' "$1"
}

begin 'make rag: the regions of a photo'
works make rag --image "$IN/photo.png" --degree 10 -o rag.max --json j.json
width=$(value size j.json)
nodes=$(sed -n 's/^p max \([0-9]*\) .*/\1/p' rag.max)
across=$(((width + 9) / 10))
down=$(((nodes - 2) / across))
set -- $(check_regions rag.max "$across" "$down")
expect 'all cells are regions' test "$((across * down + 2))" = "$nodes"
expect 'joined both ways, each with others' test "$1 $2" = "0 $((nodes - 2))"
expect 'the frame drains' test "$4" = "$((2 * across + 2 * down - 4))"
expect 'the middle is fed' test "$3" -gt 0
cp rag.max first.max
run make rag --image "$IN/photo.png" --degree 10 -o rag.max
expect 'the same twice' same first.max rag.max
# Two halves of one colour each. Arcs between regions of the same half have larger capacities than arcs across.
awk 'BEGIN { print "P2\n40 20\n255"
             for (y = 0; y < 20; y++) for (x = 0; x < 40; x++) print x < 20 ? 20 : 220 }' >halves.pgm
works make rag --image halves.pgm --degree 10 -o halves.max
expect 'borders between colours are weak' test "$(awk '$1 == "a" && $2 == 1 && $3 == 2 { in_ = $4 }
    $1 == "a" && $2 == 2 && $3 == 3 { out = $4 } END { print (in_ > 100 * out), (out > 0) }' halves.max)" = '1 1'

begin 'make: a limit of memory is kept, and checked before memory is taken'
run make dense --size 400 -o a.max
works make dense --size 400 -o b.max --max-memory 2M
expect 'the same' cmp -s a.max b.max
for family in 'dense --size 400 -o c.max' 'rmat --size 9000 -o c.max' 'complete --size 300 -o c.asn' \
    'bipartite -o c.txt'; do
    # shellcheck disable=SC2086 # a family, its size, a file
    run make $family --max-memory 1M
    expect "$family" test "$status $(grep -c 'an instance of this size takes more than 1.0 MB' "$ERR")" = '5 1'
done
rm -f a.max b.max

refuses 'make rag: a size besides the photo' 2 'the photo has one' make rag --size 90 --image "$IN/photo.png" -o a.max
refuses 'make: a network as a picture' 2 'written as .max' make genrmf -o a.png
refuses 'make: depth of another' 2 'dense has none' make dense --depth 4 -o a.max
for family in bipartite skewed; do
    refuses "make: more edges of a node than columns of $family" 2 "--degree: $family of --depth 20 has at most 20" \
        make $family --size 30 --depth 20 --degree 21 -o a.txt
done
for family in rmat degrees rag 'washington --depth 9'; do
    # shellcheck disable=SC2086 # a family and perhaps its depth
    refuses "make: more arcs of a node than nodes of ${family%% *}" 2 \
        "--degree: ${family%% *} of --size 30 has at most 30" make $family --size 30 --degree 2000000000 -o a.max
done
begin 'make: as many edges of a node as there are columns'
works make bipartite --size 3 --depth 20 --degree 20 -o a.txt
works make bipartite --size 3 --depth 2 -o a.txt # what is not given is not refused

refuses 'make: depth of a picture' 2 'only networks' make maze --depth 4 -o a.tcg
refuses 'make: a photo for a network' 2 'is a network' make dense --image "$IN/photo.png" -o a.max
