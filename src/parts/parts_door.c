/* SPDX-License-Identifier: MIT
 *
 * parts_door.c - the calls of tilecut_parts.h. A part that fails before all are done tells the others, who then fail,
 * too.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_parts.h"
#include "door.h"
#include "part.h"
#include "segment.h"
#include "solve.h"
#include "status.h"

void tilecut_part_rows(int height, int parts, int part, int *first, int *rows)
{
    *first = (int)((int64_t)height * part / parts);
    *rows = (int)((int64_t)height * (part + 1) / parts) - *first;
}

int tilecut_cuda_reaches(int from, int to)
{
    return tc_cuda_reaches(from, to);
}

size_t tilecut_cuda_memory(int index)
{
    return (size_t)tc_cuda_memory(index);
}

/* ---- What a part says of itself --------------------------------------------------------------- */

/* Fowler, Noll & Vo's hash of `size` bytes, after `hash`. */
static uint64_t hash_on(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) hash = (hash ^ ((const uint8_t *)bytes)[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static int64_t short_hash(const void *bytes, size_t size)
{
    return (int64_t)(hash_on(UINT64_C(0xcbf29ce484222325), bytes, size) >> 16);
}

/* All of the parameters that must not differ. */
static int64_t hash_setup(const tc_setup *s)
{
    const double numbers[] = {s->lambda, s->sigma, s->data_weight, s->spatial};
    const int words[] = {s->connectivity, s->iterations, s->effort, s->soft_seeds, s->islands};
    const char *const names[] = {s->solver ? s->solver : "auto", s->colors ? s->colors : "default"};
    uint64_t hash = (uint64_t)short_hash(numbers, sizeof numbers);
    hash = hash_on(hash, words, sizeof words);
    for (int i = 0; i < 2; i++) hash = hash_on(hash, names[i], strlen(names[i]));
    return (int64_t)(hash >> 16);
}

/* What the parts compare before they begin. */
enum { FIRST, ROWS, HEIGHT, WIDTH, KIND, PARAMS, WORDS };

/* all: [parts][WORDS] */
static tilecut_status compare(const tc_whole *whole, const int64_t *all)
{
    int64_t row = 0;
    for (int i = 0; i < whole->with->parts; i++) {
        const int64_t *const part = all + i * WORDS;
        if (part[HEIGHT] != all[HEIGHT] || part[WIDTH] != all[WIDTH] || part[KIND] != all[KIND])
            return tc_fail(TILECUT_EINVAL, "part %d is of an image of another size or kind than part 0", i);
        if (part[FIRST] != row || part[ROWS] < 1)
            return tc_fail(TILECUT_EINVAL, "part %d has %lld rows from %lld on; row %lld is the next", i,
                           (long long)part[ROWS], (long long)part[FIRST], (long long)row);
        if (part[PARAMS] != all[PARAMS])
            return tc_fail(TILECUT_EINVAL, "the parameters of part %d differ from those of part 0", i);
        row += part[ROWS];
    }
    if (row == whole->height) return TILECUT_OK;
    return tc_fail(TILECUT_EINVAL, "the parts have %lld of %d rows", (long long)row, whole->height);
}

static tilecut_status agree(tc_whole *whole, const int64_t own[WORDS])
{
    const size_t parts = (size_t)whole->with->parts;
    int64_t *const all = calloc(parts * WORDS, sizeof *all);
    tilecut_status status = TILECUT_OK;
    if (!all) return tc_fail(TILECUT_ENOMEM, "no memory to compare %zu parts", parts);
    TRY(tc_whole_gather(whole, own, WORDS, all));
    status = compare(whole, all);
done:
    free(all);
    return status;
}

/* Compares rows: [0] the first and the last own one, [1] the rim above and below, by their hashes. */
static tilecut_status check_rims(tc_whole *whole, int64_t hash[2][2])
{
    int64_t from[2] = {0, 0};
    bool differ;
    NEED(tc_whole_swap(whole, &hash[0][0], &hash[0][1], &from[0], &from[1], sizeof *from));
    differ = (tc_has_above(whole) && from[0] != hash[1][0]) || (tc_has_below(whole) && from[1] != hash[1][1]);
    NEED(tc_whole_any(whole, &differ));
    if (differ) return tc_fail(TILECUT_EINVAL, "parts of different images: a row at a border is not what the part "
                                                 "beside has");
    return TILECUT_OK;
}

/* ---- A visit ---------------------------------------------------------------------------------- */

/* Fills in part->whole from what the caller says. */
static tilecut_status enter(tc_part *part, const tilecut_part *given)
{
    tc_whole *const whole = &part->whole;
    tilecut_part p;

    if (!given) return tc_fail(TILECUT_EINVAL, "part is NULL");
    NEED(tc_sized_read(&p, sizeof p, sizeof p, given, "tilecut_part"));
    if (!p.exchange) return tc_fail(TILECUT_EINVAL, "the part has no exchange");
    NEED(tc_sized_read(&part->exchange, sizeof part->exchange, offsetof(tilecut_exchange, one_way), p.exchange,
                       "tilecut_exchange"));
    whole->with = &part->exchange;
    whole->root = whole;
    if (whole->with->parts < 1 || whole->with->part < 0 || whole->with->part >= whole->with->parts ||
        !whole->with->sum || !whole->with->swap || !whole->with->leave)
        return tc_fail(TILECUT_EINVAL, "the exchange is of part %d of %d, or lacks a function", whole->with->part,
                       whole->with->parts);
    if (p.store < 0) return tc_fail(TILECUT_EINVAL, "store is %d, which is no descriptor of a file", p.store);
    if (p.first < 0 || p.rows < 1 || p.height < 1)
        return tc_fail(TILECUT_EINVAL, "a part with %d rows from %d on, of %d", p.rows, p.first, p.height);
    whole->first = tc_has_above(whole);
    whole->rows = p.rows;
    whole->above = p.first - whole->first;
    whole->height = p.height;
    whole->store = p.store;
    return TILECUT_OK;
}

/* Whether arrays of so many rows are those of the part. */
static tilecut_status check_rows(const tc_whole *whole, int height)
{
    if (height == whole->rows + tc_has_above(whole) + tc_has_below(whole)) return TILECUT_OK;
    return tc_fail(TILECUT_EINVAL, "arrays of %d rows for a part of %d and its rim", height, whole->rows);
}

/* Tells the others if this part has failed by itself; they find out about all that they have in common. */
static tilecut_status leave(tc_part *part, tilecut_part_report *more, tilecut_status status)
{
    tc_part_close(part);
    if (status != TILECUT_OK && part->exchange.leave) part->exchange.leave(part->exchange.context);
    if (status == TILECUT_OK) tc_sized_write(more, sizeof *more, &part->whole.told, sizeof *more);
    return status;
}

/* ---- Calls ------------------------------------------------------------------------------------ */

static tilecut_status meet(tc_part *part, const tilecut_image *image, const tc_setup *setup)
{
    tc_whole *const whole = &part->whole;
    const size_t bytes = tc_image_row_bytes(image);
    const int first = whole->first, last = first + whole->rows - 1;
    const int64_t own[WORDS] = {whole->above + first, whole->rows, whole->height, image->width,
                                image->channels << 8 | image->depth, hash_setup(setup)};
    int64_t hash[2][2] = {{short_hash(tc_image_row(image, first), bytes), 0}};

    hash[0][1] = short_hash(tc_image_row(image, last), bytes);
    if (tc_has_above(whole)) hash[1][0] = short_hash(tc_image_row(image, first - 1), bytes);
    if (tc_has_below(whole)) hash[1][1] = short_hash(tc_image_row(image, last + 1), bytes);
    NEED(agree(whole, own));
    return check_rims(whole, hash);
}

/* Where a device cuts, it looks at the strokes, too. All parts name the same solver. */
static void learn_there(tc_whole *whole, const tc_setup *setup)
{
    const tc_solver *const solver = setup->solver ? tc_solver_find(setup->solver) : NULL;
    if (!solver || solver->solve != tc_cuda_tiles) return;
    whole->nearness = tc_cuda_part_nearness;
    whole->device = setup->device;
}

tilecut_status tilecut_part_segment(const tilecut_part *given, const tilecut_image *image, const uint8_t *seeds,
                                    const tilecut_params *params, uint8_t *mask, tilecut_report *report,
                                    tilecut_part_report *more)
{
    tilecut_status status = TILECUT_OK;
    tilecut_image photo;
    tc_part part = {0};
    tc_seeds rows = {0};
    tc_visit v = {0};

    TRY(enter(&part, given));
    TRY(tc_image_read(&photo, image));
    TRY(check_rows(&part.whole, photo.height));
    TRY(tc_sized_check(more, "tilecut_part_report"));
    TRY(tc_enter(&v, params, photo.width, photo.height, mask, true, report));
    TRY(tc_seeds_open(&rows, seeds, v.setup.seeds_stride, photo.width, photo.height));
    if (v.setup.wish) TRY(tc_fail(TILECUT_EINVAL, "a wish is not for an image in parts"));
    TRY(meet(&part, &photo, &v.setup));
    v.setup.whole = &part.whole;
    v.setup.memo = NULL;
    learn_there(&part.whole, &v.setup);
    TRY(tc_segment(&(tc_source){.image = &photo, .seeds = rows.label}, &v.setup, v.mask.pixel, &v.told));
done:
    tc_seeds_close(&rows);
    return leave(&part, more, tc_leave(&v, status));
}

/* The hash of a row of capacities, as far as both parts beside it have them. */
static int64_t hash_row(const tilecut_arrays *a, int y)
{
    const size_t at = (size_t)y * (size_t)a->width, bytes = (size_t)a->width * sizeof(int32_t);
    return short_hash(a->source + at, bytes) ^ short_hash(a->sink + at, bytes);
}

static tilecut_status meet_arrays(tc_part *part, const tilecut_arrays *a, const tc_setup *setup)
{
    tc_whole *const whole = &part->whole;
    const int first = whole->first, last = first + whole->rows - 1;
    const int64_t own[WORDS] = {whole->above + first, whole->rows, whole->height, a->width, a->to[2] ? 8 : 4,
                                setup->solver ? short_hash(setup->solver, strlen(setup->solver)) : 0};
    int64_t hash[2][2] = {{hash_row(a, first), hash_row(a, last)}};

    if (tc_has_above(whole)) hash[1][0] = hash_row(a, first - 1);
    if (tc_has_below(whole)) hash[1][1] = hash_row(a, last + 1);
    NEED(agree(whole, own));
    return check_rims(whole, hash);
}

tilecut_status tilecut_part_solve(const tilecut_part *given, const tilecut_arrays *arrays, const tilecut_params *params,
                                  uint8_t *mask, tilecut_report *report, tilecut_part_report *more)
{
    tilecut_status status = TILECUT_OK;
    tilecut_graph graph = {0};
    tc_part part = {0};
    tc_visit v = {0};

    TRY(enter(&part, given));
    if (!arrays) TRY(tc_fail(TILECUT_EINVAL, "arrays is NULL"));
    TRY(TC_READ(&graph.arrays, arrays, arrays));
    TRY(tc_arrays_check(&graph.arrays));
    TRY(check_rows(&part.whole, graph.arrays.height));
    TRY(tc_sized_check(more, "tilecut_part_report"));
    graph.width = graph.arrays.width;
    graph.height = graph.arrays.height;
    graph.connectivity = graph.arrays.to[2] ? 8 : 4;
    TRY(tc_enter(&v, params, graph.width, graph.height, mask, true, report));
    TRY(meet_arrays(&part, &graph.arrays, &v.setup));
    v.setup.whole = &part.whole;
    TRY(tc_solve(&graph, &v.setup, NULL, v.mask.pixel, NULL, &v.told));
done:
    return leave(&part, more, tc_leave(&v, status));
}
