/* SPDX-License-Identifier: MIT
 *
 * confidence_door.c - the public functions, for a graph, a session and a volume.
 */
#include <stdlib.h>
#include <string.h>

#include "confidence.h"
#include "door.h"
#include "session.h"
#include "status.h"
#include "view.h"
#include "volume.h"

/* Does the work of one call, for a graph that exists. The rows of the mask are `stride` bytes apart. Strokes are tried
 * in `session` or, if that is NULL, in a session that starts with the mask. */
static tilecut_status look(tc_visit *v, const tilecut_graph *graph, const uint8_t *mask, size_t stride, uint8_t *sure,
                           tilecut_doubt *doubt, tilecut_session *session)
{
    tilecut_status status = TILECUT_OK;
    tilecut_doubt found = {0};
    tc_places places = {0};
    double unsure = 0;
    TRY(tc_sized_check(doubt, "tilecut_doubt"));
    TRY(tc_bytes_open(&v->seeds, "mask", mask, stride, graph->width, graph->height * graph->depth));
    TRY(tc_confidence(graph, v->seeds.from, &v->setup, sure, &unsure, doubt ? &places : NULL));
    if (sure && graph->depth > 1) TRY(tc_confidence_in_space(graph, v->seeds.from, sure));
    if (doubt)
        TRY(session ? tc_places_try(session, &v->setup, &places)
                    : tc_places_try_anew(graph, v->seeds.from, &v->setup, &places));
    found = tc_doubt_of(unsure, &places);
    TC_WRITE(doubt, &found, doubt);
done:
    return status;
}

tilecut_status tilecut_confidence(const tilecut_graph *graph, const uint8_t *mask, const tilecut_params *params,
                                  uint8_t *sure, tilecut_doubt *doubt)
{
    tilecut_status status = TILECUT_OK;
    tc_visit v = {0};
    if (!graph) return tc_fail(TILECUT_EINVAL, "graph is NULL");
    TRY(tc_enter(&v, params, graph->width, graph->height, NULL, false, NULL));
    TRY(look(&v, graph, mask, v.setup.mask_stride, sure, doubt, NULL));
done:
    return tc_leave(&v, status);
}

tilecut_status tilecut_session_confidence(tilecut_session *session, const tilecut_params *params, uint8_t *sure,
                                          tilecut_doubt *doubt)
{
    tilecut_status status = TILECUT_OK;
    tc_visit v = {0};
    if (!session) return tc_fail(TILECUT_EINVAL, "session is NULL");
    const tilecut_graph *const graph = session->graph;
    TRY(tc_enter(&v, params, graph->width, graph->height, NULL, false, NULL));
    if (!session->has_mask) TRY(tc_fail(TILECUT_EINVAL, "there is no mask yet; solve, or begin with one"));
    TRY(look(&v, graph, session->mask, 0, sure, doubt, session));
done:
    return tc_leave(&v, status);
}

/* Does the same as look() for a window of a volume. Everything around the window is certainly background. */
static tilecut_status look_at_window(tc_visit *v, const tc_volume *made, const uint8_t *mask, uint8_t *sure,
                                     tilecut_doubt *doubt)
{
    const tc_block *const w = &made->window;
    const size_t voxels = tc_block_pixels(w);
    tilecut_status status = TILECUT_OK;
    uint8_t *const part = malloc(2 * voxels);
    if (!part) return tc_fail(TILECUT_ENOMEM, "no memory for the labels of %zu voxels", voxels);
    if (mask) tc_block_read(mask, made->whole.width, made->whole.height, w, part);
    TRY(look(v, made->graph, mask ? part : NULL, 0, sure ? part + voxels : NULL, doubt, NULL));
    if (sure) memset(sure, 255, tc_block_pixels(&made->whole));
    if (sure) tc_block_write(sure, made->whole.width, made->whole.height, w, part + voxels);
    if (doubt && doubt->x >= 0) doubt->x += w->x, doubt->y += w->y, doubt->z += w->z;
done:
    free(part);
    return status;
}

tilecut_status tilecut_volume_confidence(const tilecut_volume *volume, const uint8_t *seeds, const uint8_t *mask,
                                         const tilecut_params *params, uint8_t *sure, tilecut_doubt *doubt)
{
    tilecut_status status = TILECUT_OK;
    tc_visit v = {0};
    tc_volume made = {0};
    TRY(tc_enter_volume(&v, volume, params, NULL, false, NULL));
    TRY(tc_prior_open(&v.prior, &v.setup, v.image.width, v.image.height));
    TRY(v.setup.prior ? tc_volume_open_corrected(&made, &v.voxels, seeds, &v.setup)
                      : tc_volume_learn(&made, &v.voxels, seeds, &v.setup));
    TRY(made.less ? look_at_window(&v, &made, mask, sure, doubt) : look(&v, made.graph, mask, 0, sure, doubt, NULL));
done:
    tc_volume_close(&made);
    return tc_leave(&v, status);
}
