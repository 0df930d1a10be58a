/* SPDX-License-Identifier: MIT
 *
 * batch_shard.h - a batch for several machines: which of its jobs are this one's. That goes by the name of a job's mask
 * below the folder of results, which no other job has: neither the order of a list, nor what else is in it, nor where
 * photos and results lie matters.
 */
#ifndef CLI_BATCH_SHARD_H
#define CLI_BATCH_SHARD_H

#include "batch_list.h"

/* Both 0: all jobs. */
typedef struct batch_shard {
    int number; /* 1 .. of */
    int of;
} batch_shard;

/* The parser of --shard I/N, for a batch_shard. */
const char *batch_shard_parse(const char *text, void *field);

/* Leaves those of `shard` in the list, after all of them were checked together. `folder`: of the results, or NULL. */
void batch_shard_take(const batch_shard *shard, const char *folder, batch_list *list);

#endif
