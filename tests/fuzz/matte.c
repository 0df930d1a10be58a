/* SPDX-License-Identifier: MIT
 *
 * matte.c - fuzz target: the plain edge; a band around a mask, the alpha in it, and the object's colours. Alpha must
 * keep the known pixels of the trimap.
 */
#include "scene.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static scene s;
    static uint16_t alpha[SCENE_AREA];
    static uint8_t colors[3 * SCENE_AREA];
    scene_draw(&s, data, size);
    const size_t area = (size_t)s.width * (size_t)s.height;
    if (!scene_fine(tilecut_edge(&s.image, s.prior, s.params.threads, alpha, colors))) return 0;
    const uint8_t *const seeds = take_below(&s.from, 2) ? s.seeds : NULL;
    uint8_t *const trimap = s.other;
    if (take_below(&s.from, 4) == 0)
        MUST(scene_fine(tilecut_edge_matte(&s.image, s.prior, seeds, s.params.threads, alpha, colors)));
    if (take_below(&s.from, 3) == 0)
        for (size_t p = 0; p < area; p++) trimap[p] = (uint8_t)(s.seeds[p] == 0 ? 128 : s.seeds[p] == 2 ? 255 : 0);
    else if (!scene_fine(tilecut_matte_band(&s.image, s.prior, seeds, s.params.threads, trimap))) return 0;
    if (!scene_fine(tilecut_matte(&s.image, trimap, s.params.threads, alpha))) return 0;
    for (size_t p = 0; p < area; p++) MUST(trimap[p] == 128 || alpha[p] == trimap[p] * 257);
    MUST(scene_fine(tilecut_matte_colors(&s.image, alpha, s.params.threads, colors)));
    for (size_t p = 0; p < area; p++)
        for (size_t c = 0; c < (size_t)s.image.channels; c++) {
            const size_t i = p * (size_t)s.image.channels + c;
            MUST((alpha[p] != 0 && alpha[p] != 65535) || colors[i] == s.pixels[i]);
        }
    return 0;
}
