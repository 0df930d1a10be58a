/* SPDX-License-Identifier: MIT
 *
 * film.c - fuzz target: a film of changing frames, with any windows, seeds and initial masks. Every frame must give a
 * mask.
 */
#include "scene.h"
#include "tilecut_volume.h"

enum { FRAMES = 6 };

static int take_masks(tilecut_film *film, scene *s, int ready)
{
    const size_t area = (size_t)s->width * (size_t)s->height;
    for (int i = 0; i < ready; i++) {
        tilecut_report report = {0};
        MUST(tilecut_film_take(film, s->mask, &report) == TILECUT_OK);
        for (size_t p = 0; p < area; p++) MUST(s->mask[p] == 0 || s->mask[p] == 255);
    }
    MUST(tilecut_film_take(film, s->mask, NULL) == TILECUT_EINVAL);
    return ready;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static scene s;
    tilecut_film *film;
    int ready = 0, added = 0, taken = 0;
    scene_draw(&s, data, size);
    const size_t bytes = (size_t)s.width * (size_t)s.height * (size_t)s.image.channels;
    tilecut_film_shape shape = {.width = s.width, .height = s.height, .channels = s.image.channels,
                                .window = (int)take_below(&s.from, 4), .overlap = (int)take_below(&s.from, 4) - 1};
    shape.time = scene_number(&s.from), shape.carry = scene_number(&s.from);
    shape.ahead = (int)take_below(&s.from, 4);
    if (!scene_fine(tilecut_film_create(&film, &shape, &s.params))) return 0;
    for (int i = 0; i < FRAMES; i++) {
        for (size_t k = 0; k < bytes; k += 3) s.pixels[k] ^= (uint8_t)take(&s.from);
        const uint8_t *const seeds = i == 0 || !take_below(&s.from, 3) ? s.seeds : NULL;
        const uint8_t *const prior = take_below(&s.from, 4) ? NULL : s.prior;
        if (!scene_fine(tilecut_film_add(film, &s.image, seeds, prior, &ready))) continue;
        added++;
        taken += take_masks(film, &s, ready);
    }
    if (scene_fine(tilecut_film_end(film, &ready))) {
        taken += take_masks(film, &s, ready);
        MUST(taken == added);
    }
    tilecut_film_destroy(film);
    return 0;
}
