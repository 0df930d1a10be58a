/* SPDX-License-Identifier: MIT
 *
 * parts.c - fuzz target: an image or a volume in one part and in up to four, each in a thread. The masks must be equal.
 */
#include <pthread.h>

#include "scene.h"
#include "tilecut_parts.h"

enum { MOST_PARTS = 4, ACROSS = 4 };

typedef struct job {
    const scene *s;
    const tilecut_exchange *exchange;
    bool volume;
    int number, parts;
    uint8_t *mask; /* mask of the whole image or volume */
    tilecut_status status;
} job;

/* Copies the part's own rows and its halo into memory of exactly their size. */
static void *copy(const uint8_t *from, size_t row, int first, int rows)
{
    uint8_t *const own = malloc(row * (size_t)rows);
    MUST(own);
    memcpy(own, from + row * (size_t)first, row * (size_t)rows);
    return own;
}

static void *cut_part(void *context)
{
    job *const j = context;
    const scene *const s = j->s;
    tilecut_part part = {.height = s->height, .exchange = j->exchange};
    tilecut_part_rows(s->height, j->parts, j->number, &part.first, &part.rows);
    const int above = part.first > 0, below = part.first + part.rows < s->height;
    const int first = part.first - above, rows = part.rows + above + below;
    const size_t row = (size_t)s->width;
    uint8_t *const pixels = copy(s->pixels, row * (size_t)s->image.channels, first, rows);
    uint8_t *const seeds = copy(s->seeds, row, first, rows), *const mask = copy(s->mask, row, first, rows);
    tilecut_image image = s->image;
    image.height = rows, image.pixels = pixels;
    const tilecut_volume volume = {.width = ACROSS, .height = s->width / ACROSS, .depth = rows, .voxels = pixels};
    j->status = j->volume ? tilecut_part_volume_segment(&part, &volume, seeds, &s->params, mask, NULL, NULL)
                          : tilecut_part_segment(&part, &image, seeds, &s->params, mask, NULL, NULL);
    if (j->status == TILECUT_OK)
        memcpy(j->mask + row * (size_t)part.first, mask + row * (size_t)above, row * (size_t)part.rows);
    free(pixels);
    free(seeds);
    free(mask);
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static scene s;
    pthread_t thread[MOST_PARTS];
    job jobs[MOST_PARTS];
    tilecut_exchange *exchange;
    scene_draw(&s, data, size);
    const bool volume = take_below(&s.from, 2) && s.width >= ACROSS;
    if (volume) s.width -= s.width % ACROSS, s.image.width = s.width, s.image.channels = 1;
    const tilecut_volume whole = {.width = ACROSS, .height = s.width / ACROSS, .depth = s.height, .voxels = s.pixels};
    const bool one = scene_fine(volume ? tilecut_volume_segment(&whole, s.seeds, &s.params, s.other, NULL)
                                       : tilecut_segment(&s.image, s.seeds, &s.params, s.other, NULL));
    int parts = 1 + (int)take_below(&s.from, MOST_PARTS);
    if (parts > s.height) parts = s.height;
    MUST(tilecut_exchange_threads(&exchange, parts) == TILECUT_OK);
    for (int i = 0; i < parts; i++) {
        jobs[i] = (job){&s, &exchange[i], volume, i, parts, s.mask, TILECUT_OK};
        MUST(!pthread_create(&thread[i], NULL, cut_part, &jobs[i]));
    }
    bool all = true;
    for (int i = 0; i < parts; i++) {
        pthread_join(thread[i], NULL);
        all = all && jobs[i].status == TILECUT_OK;
        MUST(jobs[i].status == TILECUT_ECANCELLED || scene_fine(jobs[i].status) || jobs[i].status != TILECUT_OK);
    }
    tilecut_exchange_free(exchange);
    MUST(!all || !one || !memcmp(s.mask, s.other, (size_t)s.width * (size_t)s.height));
    return 0;
}
