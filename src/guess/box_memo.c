/* SPDX-License-Identifier: MIT
 *
 * box_memo.c - see box_memo.h; and the two public functions that create and destroy a memo. A mask is stored as one
 * bit for each pixel of its box.
 */
#include "box_memo.h"

#include <stdlib.h>
#include <string.h>

#include "colors.h"
#include "status.h"

/* A stored mask; all zero if there is none. */
typedef struct boxed {
    tc_window box;
    uint8_t *bits; /* [box] rows one after the other; owned */
} boxed;

struct tilecut_memo {
    int busy; /* 1 while a call uses the memo */
    tc_memo_key key;
    boxed alone;
    tilecut_report report;
    tc_fit fit;
    boxed mended; /* the mask after tc_fit_box(), for TC_FIT_BEYOND */
};

/* ---- Pixels ------------------------------------------------------------------------------------ */

enum { LANES = 4 };

/* Adds a word to a hash. For a given sum, different words always give different results. */
static uint64_t mix(uint64_t sum, uint64_t word)
{
    sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return sum ^ sum >> 29;
}

static void add_row(const uint8_t *row, size_t bytes, uint64_t sum[LANES])
{
    uint64_t word[LANES];
    size_t at = 0;
    for (; at + sizeof word <= bytes; at += sizeof word) {
        memcpy(word, row + at, sizeof word);
        for (int lane = 0; lane < LANES; lane++) sum[lane] = mix(sum[lane], word[lane]);
    }
    memset(word, 0, sizeof word);
    memcpy(word, row + at, bytes - at);
    for (int lane = 0; lane < LANES; lane++) sum[lane] = mix(sum[lane], word[lane]);
}

tc_memo_key tc_memo_key_of(const tilecut_image *image, const tc_setup *setup, const tc_window *box)
{
    tc_memo_key key = {.width = image->width, .height = image->height, .channels = image->channels,
                       .depth = image->depth, .box = *box, .colors = tc_colors_find(setup->colors),
                       .lambda = setup->lambda, .sigma = setup->sigma, .data_weight = setup->data_weight,
                       .spatial = setup->spatial, .connectivity = setup->connectivity,
                       .iterations = setup->iterations, .effort = setup->effort, .islands = setup->islands};
    for (int y = 0; y < image->height; y++) add_row(tc_image_row(image, y), tc_image_row_bytes(image), key.pixels);
    return key;
}

static bool same_key(const tc_memo_key *a, const tc_memo_key *b)
{
    return memcmp(a->pixels, b->pixels, sizeof a->pixels) == 0 && a->width == b->width && a->height == b->height &&
           a->channels == b->channels && a->depth == b->depth && tc_same_window(&a->box, &b->box) &&
           a->colors == b->colors && a->lambda == b->lambda && a->sigma == b->sigma &&
           a->data_weight == b->data_weight && a->spatial == b->spatial && a->connectivity == b->connectivity &&
           a->iterations == b->iterations && a->effort == b->effort && a->islands == b->islands;
}

/* ---- Masks as bits ----------------------------------------------------------------------------- */

static bool pack(boxed *b, const tc_window *box, const uint8_t *mask, int width)
{
    const size_t across = (size_t)box->width, pixels = across * (size_t)box->height;
    b->box = *box;
    b->bits = calloc((pixels + 7) / 8, 1);
    if (!b->bits) return false;
    for (size_t i = 0; i < pixels; i++) {
        const size_t y = (size_t)box->y + i / across, x = (size_t)box->x + i % across;
        b->bits[i / 8] |= (uint8_t)((mask[y * (size_t)width + x] & 1) << i % 8);
    }
    return true;
}

static void unpack(const boxed *b, uint8_t *mask, int width, int height)
{
    const size_t across = (size_t)b->box.width, pixels = across * (size_t)b->box.height;
    memset(mask, 0, (size_t)width * (size_t)height);
    for (size_t i = 0; i < pixels; i++) {
        const size_t y = (size_t)b->box.y + i / across, x = (size_t)b->box.x + i % across;
        mask[y * (size_t)width + x] = b->bits[i / 8] >> i % 8 & 1 ? 255 : 0;
    }
}

/* ---- Keeping and recalling --------------------------------------------------------------------- */

/* Locks the memo until leave(). Returns false at once if it is NULL or locked by another thread. */
static bool enter(tilecut_memo *memo)
{
    return memo && !__atomic_exchange_n(&memo->busy, 1, __ATOMIC_ACQUIRE);
}

static void leave(tilecut_memo *memo)
{
    __atomic_store_n(&memo->busy, 0, __ATOMIC_RELEASE);
}

static bool has_answer_of(const tilecut_memo *memo, const tc_memo_key *key)
{
    return memo->alone.bits && same_key(&memo->key, key);
}

static void forget_fit(tilecut_memo *memo)
{
    free(memo->mended.bits);
    memo->mended = (boxed){.bits = NULL};
    memo->fit = TC_FIT_UNKNOWN;
}

static void forget(tilecut_memo *memo)
{
    forget_fit(memo);
    free(memo->alone.bits);
    memo->alone = (boxed){.bits = NULL};
}

bool tc_memo_recall(tilecut_memo *memo, const tc_memo_key *key, uint8_t *mask, tilecut_report *report)
{
    if (!enter(memo)) return false;
    const bool known = has_answer_of(memo, key);
    if (known) {
        unpack(&memo->alone, mask, key->width, key->height);
        *report = memo->report;
    }
    leave(memo);
    return known;
}

void tc_memo_keep(tilecut_memo *memo, const tc_memo_key *key, const uint8_t *mask, const tilecut_report *report)
{
    if (!enter(memo)) return;
    forget(memo);
    memo->key = *key;
    memo->report = *report;
    memo->report.model_ms = memo->report.graph_ms = memo->report.copy_ms = 0;
    memo->report.solve_ms = memo->report.certify_ms = 0;
    if (!pack(&memo->alone, &key->box, mask, key->width)) forget(memo);
    leave(memo);
}

tc_fit tc_memo_recall_fit(tilecut_memo *memo, const tc_memo_key *key, uint8_t *mask)
{
    if (!enter(memo)) return TC_FIT_UNKNOWN;
    const tc_fit fit = has_answer_of(memo, key) ? memo->fit : TC_FIT_UNKNOWN;
    if (fit == TC_FIT_BEYOND) unpack(&memo->mended, mask, key->width, key->height);
    leave(memo);
    return fit;
}

void tc_memo_keep_fit(tilecut_memo *memo, const tc_memo_key *key, tc_fit fit, const uint8_t *mask)
{
    if (!enter(memo)) return;
    if (has_answer_of(memo, key)) {
        forget_fit(memo);
        if (fit == TC_FIT_AS_IT_IS || pack(&memo->mended, &key->box, mask, key->width)) memo->fit = fit;
        else forget_fit(memo);
    }
    leave(memo);
}

/* ---- The door ---------------------------------------------------------------------------------- */

tilecut_status tilecut_memo_create(tilecut_memo **memo)
{
    if (!memo) return tc_fail(TILECUT_EINVAL, "memo is NULL");
    *memo = calloc(1, sizeof **memo);
    return *memo ? TILECUT_OK : tc_fail(TILECUT_ENOMEM, "no memory for a memo");
}

void tilecut_memo_destroy(tilecut_memo *memo)
{
    if (!memo) return;
    forget(memo);
    free(memo);
}
