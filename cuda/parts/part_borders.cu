/* SPDX-License-Identifier: MIT
 *
 * part_borders.cu - the work of a part on a device along its borders, and its search. See cuda_parts.h.
 */
#include "device_part.cuh"
#include "part_flood.cuh"

/* ---- Borders ------------------------------------------------------------------------------------- */

static size_t links_bytes(const tc_cuda_part *part, int s)
{
    return (size_t)part->border[s].kinds * (size_t)border_width(part->view) * sizeof(int32_t);
}

extern "C" void tc_cuda_part_rows(const tc_cuda_part *part, int s, int32_t **out, int32_t **in)
{
    *out = part->rows.out[s];
    *in = part->rows.in[s];
}

/* Queues a copy of rows on the device, to the caller's memory or from it, unless they are the part's own. */
static tilecut_status queue_copy(const tc_cuda_part *part, int s, void *to, const void *from)
{
    if (to == from) return TILECUT_OK;
    return CUDA_STATUS(cudaMemcpyAsync(to, from, links_bytes(part, s), cudaMemcpyDefault, part->stream));
}

extern "C" tilecut_status tc_cuda_part_unseal(tc_cuda_part *part, int s, const int32_t *level, int32_t wanted)
{
    const device_scope scope(part->device);
    const size_t bytes = (size_t)border_width(part->view) * sizeof *level;
    NEED(send(part, part->rows.level, level, bytes));
    LAUNCH_NEED(unseal_kernel, border_blocks(part), BORDER_BLOCK, part->stream, part->view, part->border[s],
                part->rows.level, wanted);
    return finish(part);
}

extern "C" tilecut_status tc_cuda_part_take_flows(tc_cuda_part *part, int s, int32_t *out)
{
    const device_scope scope(part->device);
    CUDA_NEED(cudaMemsetAsync(part->rows.out[s], 0, links_bytes(part, s), part->stream));
    LAUNCH_NEED(take_kernel, border_blocks(part), BORDER_BLOCK, part->stream, part->view, part->border[s],
                part->rows.out[s]);
    NEED(queue_copy(part, s, out, part->rows.out[s]));
    return finish(part);
}

extern "C" tilecut_status tc_cuda_part_put_flows(tc_cuda_part *part, int s, const int32_t *in, bool *any)
{
    const device_scope scope(part->device);
    unsigned some = 0;
    NEED(queue_copy(part, s, part->rows.in[s], in));
    CUDA_NEED(cudaMemsetAsync(part->rows.arrived, 0, sizeof some, part->stream));
    LAUNCH_NEED(put_kernel, border_blocks(part), BORDER_BLOCK, part->stream, part->view, part->border[s],
                part->rows.in[s], part->rows.arrived);
    NEED(fetch(part, &some, part->rows.arrived, sizeof some));
    *any = some != 0;
    return TILECUT_OK;
}

extern "C" tilecut_status tc_cuda_part_show_residuals(tc_cuda_part *part, int s, int32_t *out)
{
    const device_scope scope(part->device);
    LAUNCH_NEED(show_kernel, border_blocks(part), BORDER_BLOCK, part->stream, part->view, part->border[s],
                part->rows.out[s]);
    NEED(queue_copy(part, s, out, part->rows.out[s]));
    return finish(part);
}

extern "C" tilecut_status tc_cuda_part_set_residuals(tc_cuda_part *part, int s, const int32_t *in)
{
    const device_scope scope(part->device);
    NEED(queue_copy(part, s, part->rows.in[s], in));
    LAUNCH_NEED(set_kernel, border_blocks(part), BORDER_BLOCK, part->stream, part->view, part->border[s],
                part->rows.in[s]);
    return finish(part);
}

/* ---- The search ---------------------------------------------------------------------------------- */

static const part_flood *flood_of(const tc_cuda_part *part)
{
    const int neighbours = view_neighbours(part->view);
    return neighbours == 6 ? &part_flood_6 : neighbours == 8 ? &part_flood_8 : &part_flood_4;
}

extern "C" tilecut_status tc_cuda_part_search(tc_cuda_part *part)
{
    const device_scope scope(part->device);
    const tiles_view *const view = &part->graph->session.view;
    const part_flood *const search = flood_of(part);
    CUDA_NEED(cudaMemsetAsync(view->todo, 0, 3 * (size_t)view->words * sizeof *view->todo, part->stream));
    NEED(search->scan(view, part->graph->session.blocks, part->stream));
    NEED(search->flood(view, part->rows.arrived, part->stream));
    return finish(part);
}

extern "C" tilecut_status tc_cuda_part_count(tc_cuda_part *part, int64_t *all, int64_t *reached)
{
    const device_scope scope(part->device);
    unsigned long long counts[2] = {0, 0};
    const tiles_session *const session = &part->graph->session;
    NEED(flood_of(part)->count(&session->view, session->blocks, part->rows.counts, part->stream));
    NEED(fetch(part, counts, part->rows.counts, sizeof counts));
    *all = (int64_t)counts[0];
    *reached = (int64_t)counts[1];
    return TILECUT_OK;
}

extern "C" tilecut_status tc_cuda_part_get_reached(tc_cuda_part *part, int s, uint8_t *reached)
{
    const device_scope scope(part->device);
    NEED(flood_of(part)->get_reached(&part->graph->session.view, part->border[s].own, part->rows.bytes, part->stream));
    return fetch(part, reached, part->rows.bytes, (size_t)border_width(part->view));
}

extern "C" tilecut_status tc_cuda_part_add_reached(tc_cuda_part *part, int s, const uint8_t *news)
{
    const device_scope scope(part->device);
    NEED(send(part, part->rows.bytes, news, (size_t)border_width(part->view)));
    NEED(flood_of(part)->reach(&part->graph->session.view, part->border[s].halo, part->rows.bytes, part->stream));
    return finish(part);
}

extern "C" tilecut_status tc_cuda_part_flood(tc_cuda_part *part)
{
    const device_scope scope(part->device);
    NEED(flood_of(part)->flood(&part->graph->session.view, part->rows.arrived, part->stream));
    return finish(part);
}
