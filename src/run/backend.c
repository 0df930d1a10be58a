/* SPDX-License-Identifier: MIT
 *
 * backend.c - functions that all backends use. See backend.h; the table is in solve.c.
 */
#include "backend.h"

#include "cuda_backend.h"
#include "large.h"
#include "status.h"

void tc_kept_flow_free(tc_kept_flow *kept)
{
    tc_grid_free(&kept->grid);
    tc_color_terminals_free(&kept->terminals);
    tc_cuda_graph_destroy(kept->on_device);
    *kept = (tc_kept_flow){0};
}

void tc_run_close(tc_run *run)
{
    tc_energy_free(&run->before);
    tc_graph_free(run->own);
    run->own = NULL;
    tc_kept_flow_free(&run->own_kept);
    tc_coarse_free(&run->coarse);
}

void tc_run_describe_solve(const tc_run *run, const tc_solver *solver, const tc_solve_stats *stats,
                           tilecut_report *report)
{
    report->solve_ms = stats->device_ms > 0 ? stats->device_ms : report->solve_ms - stats->copy_ms;
    report->copy_ms += stats->copy_ms;
    tc_decisions_keep(stats);
    report->bytes_per_pixel = (double)(tc_grid_bytes(&run->kept->grid) + stats->bytes) / run->graph->width /
                              run->graph->height / run->graph->depth;
    report->solver = solver->name;
    report->device = solver->can & TC_ON_CUDA ? "cuda" : "cpu";
    report->device_index = solver->can & TC_ON_CUDA ? run->solve_params.device : 0;
}

/* Copies pixels that only a device has: a window of an image in device memory. */
static tilecut_status fetch_pixels(const tc_there *there, int device, tc_fetched *out)
{
    tilecut_image *const image = &out->image;
    const size_t row = tc_image_row_bytes(image);
    out->memory = tc_large_alloc(row * (size_t)image->height);
    if (!out->memory)
        return tc_fail(TILECUT_ENOMEM, "no memory for %d rows of an image from the device", image->height);
    image->pixels = out->memory;
    image->stride = row;
    return tc_cuda_fetch_rows(out->memory, there->pixels, there->stride, row, image->height, device);
}

tilecut_status tc_source_fetch(const tc_source *source, const tc_setup *setup, tc_fetched *out)
{
    const tilecut_image *const image = source->image;
    const size_t pixels = (size_t)image->width * (size_t)image->height;
    const size_t bytes = tc_image_stride(image) * (size_t)(image->height - 1) + tc_image_row_bytes(image);

    *out = (tc_fetched){.image = *image, .seeds = source->seeds};
    if (!image->pixels) return fetch_pixels(setup->there, setup->device, out);
    if (!source->stream) return TILECUT_OK;
    uint8_t *const memory = out->memory = tc_large_alloc(bytes + 2 * pixels);
    if (!memory) return tc_fail(TILECUT_ENOMEM, "no memory for an image of %zu pixels from the device", pixels);
    out->image.pixels = memory;
    out->seeds = memory + bytes;
    out->mask = memory + bytes + pixels;
    NEED(tc_cuda_copy(memory, image->pixels, bytes, *source->stream));
    return tc_cuda_copy(memory + bytes, source->seeds, pixels, *source->stream);
}
