/* SPDX-License-Identifier: MIT
 *
 * correct.c - fuzz target: corrections of a mask. Foreground seeds only add, background seeds only remove, and the
 * report counts exactly what has changed.
 */
#include "scene.h"
#include "tilecut_correct.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static scene s;
    scene_draw(&s, data, size);
    const size_t area = (size_t)s.width * (size_t)s.height;
    const int how = (int)take_below(&s.from, 3);
    tilecut_corrected done = {0};
    tilecut_report report = {0};
    int64_t added = 0, removed = 0, adds = 0, takes = 0;
    for (size_t p = 0; p < area; p++) {
        s.other[p] = s.mask[p] = s.prior[p] > 128 ? 255 : 0;
        adds += s.seeds[p] == TILECUT_FOREGROUND && !s.mask[p];
        takes += s.seeds[p] == TILECUT_BACKGROUND && s.mask[p];
    }
    if (!take_below(&s.from, 3)) s.params.prior = s.prior, s.params.prior_weight = s.prior_weight;
    if (!scene_fine(tilecut_correct(&s.image, s.seeds, &s.params, how, s.mask, &done, &report))) {
        MUST(!memcmp(s.mask, s.other, area));
        return 0;
    }
    for (size_t p = 0; p < area; p++) {
        MUST(s.mask[p] == 0 || s.mask[p] == 255);
        added += s.mask[p] && !s.other[p];
        removed += !s.mask[p] && s.other[p];
    }
    /* a pixel that one class has changed and the other has changed back counts in both numbers */
    MUST(added - removed == done.added - done.removed);
    MUST((adds || !added) && (takes || !removed));
    return 0;
}
