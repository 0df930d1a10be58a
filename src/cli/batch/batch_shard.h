/* SPDX-License-Identifier: MIT
 *
 * batch_shard.h - divides a batch among several machines. Which jobs belong to a shard depends only on the names of
 * their masks below the folder of results, which are unique. The order of a list, what else is in it, and where
 * photos and results lie do not matter.
 */
#pragma once

#include "batch_list.h"

/* One shard. Both 0: all jobs. */
typedef struct batch_shard {
    int number; /* 1 .. of */
    int of;
} batch_shard;

/* The parser of --shard I/N, for a batch_shard; or I+1/N, for schedulers that count from 0 and have no shell to add 1
 * in. */
const char *batch_shard_parse(const char *text, void *field);

/* Removes the jobs of other shards from the list, after all have been checked together. `folder`: that of the
 * results, or NULL. */
void batch_shard_take(const batch_shard *shard, const char *folder, batch_list *list);
