/* SPDX-License-Identifier: MIT
 *
 * stroke_necks.c - see stroke_necks.h. Two floods, each from the widest way down to the narrowest, so that it reaches
 * every pixel by its widest way: the first from the stroke, to find what lies too deep for its way; the second from the
 * stroke and from that, so that the two meet in the neck.
 */
#include "stroke_necks.h"

#include <stdlib.h>

#include "chamfer.h"
#include "status.h"

enum { NOWHERE, STROKE, BEYOND };

typedef struct flood {
    const tc_block *window;
    int connectivity;
    uint16_t *depth;      /* [window] distance to what has not changed, 0 there                      */
    uint16_t *width;      /* [window] the least depth on the widest way; valid where it leads        */
    uint8_t *from;        /* [window] where that way begins; NOWHERE: there is none                  */
    size_t *first, *next; /* for each width, the pixels from which the flood goes on: 1 + pixel, or 0 */
} flood;

static void reach(flood *f, size_t p, uint16_t width, uint8_t from)
{
    f->width[p] = width;
    f->from[p] = from;
    f->next[p] = f->first[width];
    f->first[width] = p + 1;
}

static void run(flood *f)
{
    for (uint16_t width = TC_CHAMFER_NOWHERE; width > 0; width--)
        while (f->first[width]) {
            const size_t p = f->first[width] - 1;
            f->first[width] = f->next[p];
            for (int d = 0; d < f->connectivity; d++) {
                const size_t q = tc_block_neighbour(f->window, p, f->connectivity, d);
                if (q == TC_BLOCK_NONE || !f->depth[q] || f->from[q]) continue;
                reach(f, q, f->depth[q] < width ? f->depth[q] : width, f->from[p]);
            }
        }
}

static void enter_stroke(flood *f, const tilecut_stroke *s, int rows)
{
    for (int i = 0; i < s->height; i++)
        for (int x = 0; x < s->width; x++)
            if (s->painted[(size_t)i * (s->stride ? s->stride : (size_t)s->width) + (size_t)x])
                reach(f, tc_block_at(f->window, s->x + x, (s->y + i) % rows, (s->y + i) / rows), TC_CHAMFER_NOWHERE,
                      STROKE);
}

/* Enters what the first flood has reached by a way that is too narrow for it. False: there is nothing. */
static bool enter_beyond(flood *f)
{
    const size_t pixels = tc_block_pixels(f->window);
    bool any = false;
    for (size_t p = 0; p < pixels; p++) {
        const bool beyond = f->from[p] && 2 * f->depth[p] > 3 * f->width[p];
        f->from[p] = NOWHERE;
        if (beyond) reach(f, p, f->depth[p], BEYOND);
        any |= beyond;
    }
    return any;
}

static tilecut_status open_flood(flood *f, const tc_spread *spread)
{
    const tc_block *const w = &spread->window;
    const size_t pixels = tc_block_pixels(w);
    const double one[3] = {1, 1, 1};
    *f = (flood){.window = w, .connectivity = spread->connectivity};
    f->first = calloc(TC_CHAMFER_NOWHERE + 1, sizeof *f->first);
    f->next = malloc(pixels * (sizeof *f->next + 2 * sizeof *f->depth));
    f->from = calloc(pixels, 1);
    if (!f->first || !f->next || !f->from)
        return tc_fail(TILECUT_ENOMEM, "no memory for what a stroke reaches in %zu pixels", pixels);
    f->depth = (uint16_t *)(f->next + pixels);
    f->width = f->depth + pixels;
    for (size_t p = 0; p < pixels; p++) f->depth[p] = spread->changed[p] ? TC_CHAMFER_NOWHERE : 0;
    tc_chamfer_space(f->depth, w->width, w->height, w->depth, spread->spacing ? spread->spacing : one);
    return TILECUT_OK;
}

tilecut_status tc_stroke_necks(const tc_spread *spread, const tilecut_stroke *stroke, uint8_t **held)
{
    const size_t pixels = tc_block_pixels(&spread->window);
    tilecut_status status = TILECUT_OK;
    int64_t beyond = 0;
    flood f = {0};
    if (4 * spread->pixels <= spread->object) return TILECUT_OK; /* too little to be a leak */
    TRY(open_flood(&f, spread));
    enter_stroke(&f, stroke, spread->slice_rows);
    run(&f);
    if (!enter_beyond(&f)) goto done;
    enter_stroke(&f, stroke, spread->slice_rows);
    run(&f);
    for (size_t p = 0; p < pixels; p++) beyond += f.from[p] = f.from[p] == BEYOND;
    if (beyond <= 2 * (spread->pixels - beyond) || 4 * beyond <= spread->object) goto done;
    *held = f.from;
    f.from = NULL;
done:
    free(f.first);
    free(f.next);
    free(f.from);
    return status;
}
