/* SPDX-License-Identifier: MIT */
#include "part_enter.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "sized.h"
#include "status.h"

/* ---- Comparing parts -------------------------------------------------------------------------- */

/* Continues `hash` with `size` more bytes (the hash of Fowler, Noll & Vo). */
static uint64_t hash_on(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) hash = (hash ^ ((const uint8_t *)bytes)[i]) * UINT64_C(0x100000001b3);
    return hash;
}

int64_t tc_part_hash(const void *bytes, size_t size)
{
    return (int64_t)(hash_on(UINT64_C(0xcbf29ce484222325), bytes, size) >> 16);
}

int64_t tc_part_hash_setup(const tc_setup *s)
{
    const double numbers[] = {s->lambda, s->sigma, s->data_weight, s->spatial};
    const int words[] = {s->connectivity, s->iterations, s->effort, s->soft_seeds, s->islands};
    const char *const names[] = {s->solver ? s->solver : "auto", s->colors ? s->colors : "default"};
    uint64_t hash = (uint64_t)tc_part_hash(numbers, sizeof numbers);
    hash = hash_on(hash, words, sizeof words);
    for (int i = 0; i < 2; i++) hash = hash_on(hash, names[i], strlen(names[i]));
    return (int64_t)(hash >> 16);
}

enum { FIRST, ROWS, HEIGHT, WIDTH, KIND, PARAMS };

/* Compares all parts with part 0. all: [parts][TC_PART_WORDS] */
static tilecut_status compare_parts(const tc_comm *comm, const int64_t *all, bool volume)
{
    const char *const image = volume ? "a volume" : "an image", *const rows = volume ? "slices" : "rows";
    int64_t row = 0;
    for (int i = 0; i < comm->with->parts; i++) {
        const int64_t *const part = all + i * TC_PART_WORDS;
        if (part[HEIGHT] != all[HEIGHT] || part[WIDTH] != all[WIDTH] || part[KIND] != all[KIND])
            return tc_fail(TILECUT_EINVAL, "part %d is of %s of another size or kind than part 0", i, image);
        if (part[FIRST] != row || part[ROWS] < 1)
            return tc_fail(TILECUT_EINVAL, "part %d has %lld %s from %lld on; number %lld is the next", i,
                           (long long)part[ROWS], rows, (long long)part[FIRST], (long long)row);
        if (part[PARAMS] != all[PARAMS])
            return tc_fail(TILECUT_EINVAL, "the parameters of part %d differ from those of part 0", i);
        row += part[ROWS];
    }
    if (row == comm->height) return TILECUT_OK;
    return tc_fail(TILECUT_EINVAL, "the parts have %lld of %d %s", (long long)row, comm->height, rows);
}

tilecut_status tc_part_agree(tc_comm *comm, const int64_t own[TC_PART_WORDS], bool volume)
{
    const size_t parts = (size_t)comm->with->parts;
    int64_t *const all = calloc(parts * TC_PART_WORDS, sizeof *all);
    tilecut_status status = TILECUT_OK;
    if (!all) return tc_fail(TILECUT_ENOMEM, "no memory to compare %zu parts", parts);
    TRY(tc_comm_allgather(comm, own, TC_PART_WORDS, all));
    status = compare_parts(comm, all, volume);
done:
    free(all);
    return status;
}

tilecut_status tc_part_check_halos(tc_comm *comm, int64_t hash[2][2], bool volume)
{
    int64_t from[2] = {0, 0};
    bool differ;
    NEED(tc_comm_exchange_halo(comm, &hash[0][0], &hash[0][1], &from[0], &from[1], sizeof *from));
    differ = (tc_has_above(comm) && from[0] != hash[1][0]) || (tc_has_below(comm) && from[1] != hash[1][1]);
    NEED(tc_comm_any(comm, &differ));
    if (differ)
        return tc_fail(TILECUT_EINVAL, "parts of different %s at a border is not what the part beside has",
                       volume ? "volumes: a slice" : "images: a row");
    return TILECUT_OK;
}

/* ---- A visit ---------------------------------------------------------------------------------- */

tilecut_status tc_part_enter(tc_part *part, const tilecut_part *from)
{
    tc_comm *const comm = &part->comm;
    tilecut_part p;

    if (!from) return tc_fail(TILECUT_EINVAL, "part is NULL");
    NEED(tc_sized_read(&p, sizeof p, sizeof p, from, "tilecut_part"));
    if (!p.exchange) return tc_fail(TILECUT_EINVAL, "the part has no exchange");
    NEED(tc_sized_read(&part->exchange, sizeof part->exchange, offsetof(tilecut_exchange, one_way), p.exchange,
                       "tilecut_exchange"));
    comm->with = &part->exchange;
    comm->root = comm;
    if (comm->with->parts < 1 || comm->with->part < 0 || comm->with->part >= comm->with->parts ||
        !comm->with->sum || !comm->with->swap || !comm->with->leave)
        return tc_fail(TILECUT_EINVAL, "the exchange is of part %d of %d, or lacks a function", comm->with->part,
                       comm->with->parts);
    if (p.store < 0) return tc_fail(TILECUT_EINVAL, "store is %d, which is no descriptor of a file", p.store);
    if (p.first < 0 || p.rows < 1 || p.height < 1)
        return tc_fail(TILECUT_EINVAL, "a part with %d rows from %d on, of %d", p.rows, p.first, p.height);
    comm->first = tc_has_above(comm);
    comm->rows = p.rows;
    comm->above = p.first - comm->first;
    comm->height = p.height;
    comm->store = p.store;
    return TILECUT_OK;
}

tilecut_status tc_part_leave(tc_part *part, tilecut_part_report *more, tilecut_status status)
{
    tc_part_close(part);
    if (status != TILECUT_OK && part->exchange.leave) part->exchange.leave(part->exchange.context);
    if (status == TILECUT_OK) tc_sized_write(more, sizeof *more, &part->comm.report, sizeof *more);
    return status;
}
