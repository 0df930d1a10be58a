/* SPDX-License-Identifier: MIT */
#include "batch_shard.h"

#include <stdio.h>
#include <string.h>

#include "numbers.h"
#include "sha256.h"

const char *batch_shard_parse(const char *text, void *field)
{
    static const char wanted[] = "a shard I/N, of N the I-th, from 1/N to N/N, or I+1/N if I counts from 0";
    enum { MOST = 1000000 };
    batch_shard *const shard = field;
    const char *const slash = strchr(text, '/');
    char first[16];
    int64_t number, of;
    if (!slash || slash - text >= (ptrdiff_t)sizeof first) return wanted;
    snprintf(first, sizeof first, "%.*s", (int)(slash - text), text);
    char *const plus = strstr(first, "+1");
    const int more = plus && !plus[2];
    if (more) *plus = '\0';
    if (!parse_integer(slash + 1, 1, MOST, &of) || !parse_integer(first, 1 - more, of - more, &number)) return wanted;
    *shard = (batch_shard){(int)number + more, (int)of};
    return NULL;
}

/* Returns the path of a result relative to the folder of all results. */
static const char *name_of(const char *path, const char *folder)
{
    const size_t length = folder ? strlen(folder) : 0;
    if (length && !strncmp(path, folder, length)) path += length;
    for (;;) {
        if (*path == '/') path++;
        else if (path[0] == '.' && path[1] == '/') path += 2;
        else return path;
    }
}

/* Hashes the name by FNV-1a, folded to 32 bits. The value must be the same on all machines and in all versions. */
static uint32_t number_of(const char *name)
{
    const uint64_t hash = fnv_on(FNV_START, name, strlen(name));
    return (uint32_t)(hash ^ hash >> 32);
}

void batch_shard_take(const batch_shard *shard, const char *folder, batch_list *list)
{
    int kept = 0;
    for (int i = 0; i < list->count && shard->of; i++) {
        batch_item *const item = &list->item[i];
        const uint64_t number = number_of(name_of(item->result[BATCH_MASK], folder));
        const uint64_t place = number * (uint64_t)shard->of >> 32;
        if ((int)place + 1 == shard->number) list->item[kept++] = *item;
        else batch_item_free(item);
    }
    if (shard->of) list->count = kept;
}
