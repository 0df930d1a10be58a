/* SPDX-License-Identifier: MIT
 *
 * batch_shard.h - divides a batch among several machines. The shard of a job depends only on the path of its mask below
 * the folder of results, which is unique. The order of the list, its other jobs, and the folders of photos and results
 * do not matter.
 */
#pragma once

#include "batch_list.h"

/* One shard. Both 0: the batch is not divided. */
typedef struct batch_shard {
    int number; /* number of this shard, 1 .. of */
    int of;
} batch_shard;

/* Parses --shard I/N into a batch_shard. Also accepts the literal form I+1/N with I from 0, for schedulers that count
 * from 0 and have no shell to add 1. */
const char *batch_shard_parse(const char *text, void *field);

/* Removes the jobs of other shards from the list. Call it after all jobs have been checked together. `folder` is the
 * folder of the results, or NULL. */
void batch_shard_take(const batch_shard *shard, const char *folder, batch_list *list);
