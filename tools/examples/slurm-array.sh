#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Many photos on the nodes of a Slurm cluster: a task of an array is a shard. Submit it with as many tasks as you like,
# counted from 1; submitted again, it makes what is missing.
#
#     sbatch --array=1-8 tools/examples/slurm-array.sh photos seeds masks
#
#SBATCH --job-name=tilecut
#SBATCH --cpus-per-task=4
#SBATCH --requeue
set -eu
photos=$1 seeds=$2 masks=$3

exec "${TILECUT:-tilecut}" batch -r "$photos" -s "$seeds/{stem}.png" -O "$masks" --resume \
    --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" --json "$masks/report-$SLURM_ARRAY_TASK_ID.jsonl" \
    --threads "${SLURM_CPUS_PER_TASK:-1}" --quiet
