/* SPDX-License-Identifier: MIT
 *
 * volume_session.c - fuzz target: a session on a volume with changing seeds. Each mask must equal that of a new cut,
 * and undoing a correction must restore the mask bit for bit.
 */
#include "scene.h"
#include "tilecut_volume.h"

enum { ACROSS = 4 };

static void correct_and_undo(tilecut_volume_session *session, scene *s, size_t voxels)
{
    int undone = 0;
    memcpy(s->other, s->mask, voxels);
    if (!scene_fine(tilecut_volume_session_correct(session, s->seeds, &s->params, 0, s->mask, NULL, NULL))) return;
    MUST(scene_fine(tilecut_volume_session_undo(session, s->mask, &undone)));
    MUST(undone && !memcmp(s->mask, s->other, voxels));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static scene s;
    tilecut_volume_session *session;
    scene_draw(&s, data, size);
    if (s.width < ACROSS) return 0;
    const size_t voxels = (size_t)(s.width / ACROSS) * ACROSS * (size_t)s.height;
    const tilecut_volume volume = {.width = ACROSS, .height = s.width / ACROSS, .depth = s.height, .voxels = s.pixels,
                                   .spacing = {1, 1, scene_number(&s.from)}};
    if (!scene_fine(tilecut_volume_session_create(&session, &volume))) return 0;
    for (int turn = 0; turn < 3; turn++) {
        tilecut_report report = {0};
        const tilecut_status status = tilecut_volume_session_solve(session, s.seeds, &s.params, s.mask, &report);
        if (scene_fine(status) && s.params.connectivity != 26) {
            MUST(report.certified && report.flow == report.cut);
            MUST(scene_fine(tilecut_volume_segment(&volume, s.seeds, &s.params, s.other, NULL)));
            MUST(!memcmp(s.mask, s.other, voxels));
        }
        for (int i = 0; i < 5; i++) s.seeds[(take(&s.from) * 7u) % voxels] = (uint8_t)take_below(&s.from, 3);
        if (scene_fine(status)) correct_and_undo(session, &s, voxels);
    }
    tilecut_volume_session_destroy(session);
    return 0;
}
