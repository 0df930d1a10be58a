#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Cuts many photos on several machines with GNU parallel: each job is a shard. HOSTS names the machines, in the form of
# parallel's --sshlogin (they share the folders); without it, all shards run here. A shard whose machine fails is tried
# again.
#
#     HOSTS=node1,node2 sh tools/examples/gnu-parallel.sh 8 photos seeds masks
set -eu
shards=$1 photos=$2 seeds=$3 masks=$4

mkdir -p "$masks"
seq "$shards" | parallel ${HOSTS:+--sshlogin "$HOSTS" --workdir .} --jobs "${JOBS:-2}" --retries 3 \
    "${TILECUT:-tilecut} batch -r '$photos' -s '$seeds/{stem}.png' -O '$masks' --resume --shard {}/$shards \
    --json '$masks'/report-{}.jsonl --quiet"
