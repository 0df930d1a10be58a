/* SPDX-License-Identifier: MIT
 *
 * tilecut.c - the public functions that segment or solve. See door.h.
 */
#include "tilecut.h"

#include <stdlib.h>

#include "coarse.h"
#include "cuda_backend.h"
#include "cuda_device.h"
#include "door.h"
#include "segment.h"
#include "solve.h"
#include "status.h"
#include "version.h"

const char *tilecut_version(void)
{
    return TC_VERSION;
}

int tilecut_cuda_built(void)
{
    return tc_cuda_built;
}

int tilecut_cuda_devices(void)
{
    return tc_cuda_devices();
}

tilecut_status tilecut_cuda_device(int index, char *name, size_t size)
{
    if (index < 0) return tc_fail(TILECUT_EINVAL, "device is %d; CUDA devices are counted from 0", index);
    return tc_cuda_device(index, name, size);
}

/* Segments with pixels, seeds and mask on the host. `given` is as in tc_source. */
static tilecut_status segment_on_host(const tilecut_image *image, const uint8_t *seeds, bool given,
                                   const tilecut_params *params, uint8_t *mask, tilecut_report *report)
{
    tilecut_status status = TILECUT_OK;
    const tc_solver *solver;
    tc_visit v = {0};

    TRY(tc_enter_image(&v, image, params, mask, true, report));
    const int width = v.image.width, height = v.image.height;
    TRY(tc_seeds_open(&v.seeds, seeds, v.setup.seeds_stride, width, height));
    TRY(tc_prior_check(&v.setup, &v.image));
    TRY(tc_energy_check_params(&v.setup));
    TRY(tc_run_solver(&v.setup, v.setup.connectivity, width, height, &solver)); /* before seeds are read */
    TRY(tc_seeds_settle(&v.seeds, width, height, &v.setup));
    const tc_source source = {.image = &v.image, .seeds = v.seeds.label, .given = given};
    TRY(tc_segment(&source, &v.setup, v.mask.pixel, &v.result));
done:
    return tc_leave(&v, status);
}

/* Does the same as tc_seeds_settle() for packed seeds in device memory. *own is device memory for a copy of them; it is
 * allocated if it is NULL. */
static tilecut_status settle_on_device(tc_source *source, tc_setup *setup, uint8_t **own)
{
    const int width = source->image->width, height = source->image->height;
    const size_t pixels = (size_t)width * (size_t)height;
    tilecut_status status = TILECUT_OK;
    uint8_t *const host_seeds = malloc(pixels);
    tc_seeds rows = {.label = host_seeds};
    if (!host_seeds) return tc_fail(TILECUT_ENOMEM, "no memory for %zu seeds", pixels);
    TRY(tc_cuda_copy(host_seeds, source->seeds, pixels, *source->stream));
    TRY(tc_seeds_settle(&rows, width, height, setup));
    if (!rows.own) goto done;
    if (!*own) TRY(tc_cuda_take((void **)own, pixels, setup->device));
    TRY(tc_cuda_copy(*own, rows.own, pixels, *source->stream));
    source->seeds = *own;
done:
    tc_seeds_close(&rows);
    free(host_seeds);
    return status;
}

/* Does the same as tc_segment() for a source and a mask in device memory. Rows of both have the strides in `setup`.
 * Uses the device that holds the image. */
static tilecut_status segment_packed(const tc_source *source, const tc_setup *setup, uint8_t *mask,
                                    tilecut_report *report)
{
    const size_t width = (size_t)source->image->width, pixels = width * (size_t)source->image->height;
    const size_t seeds_stride = setup->seeds_stride ? setup->seeds_stride : width;
    const size_t mask_stride = setup->mask_stride ? setup->mask_stride : width;
    const int height = source->image->height;
    uint8_t *own_seeds = NULL, *own_mask = NULL;
    tc_source packed = *source;
    tc_setup device_setup = *setup;
    tilecut_status status = TILECUT_OK;

    if (!device_setup.solver) device_setup.solver = "cuda";
    TRY(tc_cuda_device_of(source->seeds, "the seeds are", &device_setup.device));
    TRY(tc_cuda_device_of(mask, "the mask is", &device_setup.device));
    TRY(tc_cuda_device_of(source->image->pixels, "the image is", &device_setup.device));
    if (seeds_stride != width) {
        TRY(tc_cuda_take((void **)&own_seeds, pixels, device_setup.device));
        TRY(tc_cuda_copy_rows(own_seeds, width, source->seeds, seeds_stride, width, height, *source->stream));
        packed.seeds = own_seeds;
    }
    TRY(settle_on_device(&packed, &device_setup, &own_seeds));
    if (mask_stride != width) TRY(tc_cuda_take((void **)&own_mask, pixels, device_setup.device));
    TRY(tc_segment(&packed, &device_setup, own_mask ? own_mask : mask, report));
    if (own_mask) TRY(tc_cuda_copy_rows(mask, mask_stride, own_mask, width, width, height, *source->stream));
done:
    tc_cuda_give(own_seeds, device_setup.device);
    tc_cuda_give(own_mask, device_setup.device);
    return status;
}

/* tilecut_segment() for pixels, seeds and mask in device memory. */
static tilecut_status segment_on_device(const tilecut_image *image, const uint8_t *seeds, const tilecut_params *params,
                                    void *stream, uint8_t *mask, tilecut_report *report)
{
    tilecut_report result = {0};
    tilecut_image whole;
    tc_setup setup;

    NEED(tc_sized_check(report, "tilecut_report"));
    NEED(tc_setup_resolve(&setup, params));
    NEED(tc_setup_check_reach(&setup));
    NEED(tc_image_read(&whole, image));
    NEED(tc_rows_check(seeds, setup.seeds_stride, (size_t)whole.width, whole.height, "seeds"));
    NEED(tc_rows_check(mask, setup.mask_stride, (size_t)whole.width, whole.height, "mask"));
    NEED(tc_prior_check(&setup, &whole));
    NEED(segment_packed(&(tc_source){.image = &whole, .seeds = seeds, .stream = &stream}, &setup, mask, &result));
    TC_WRITE(report, &result, report);
    return TILECUT_OK;
}

tilecut_status tilecut_segment(const tilecut_image *image, const uint8_t *seeds, const tilecut_params *params,
                               uint8_t *mask, tilecut_report *report)
{
    tilecut_params p = {0};
    if (params) NEED(TC_READ(&p, params, params));
    const int where = p.where;
    p.where = TILECUT_HOST; /* no other parameter depends on where the memory is */
    if (where == TILECUT_DEVICE) return segment_on_device(image, seeds, &p, p.stream, mask, report);
    if (where == TILECUT_HOST || where == TILECUT_HOST_SPARE)
        return segment_on_host(image, seeds, where == TILECUT_HOST_SPARE, &p, mask, report);
    return tc_fail(TILECUT_EINVAL, "where is %d; 0 to %d are possible", where, TILECUT_DEVICE);
}

tilecut_status tilecut_graph_segment(tilecut_graph *graph, const tilecut_params *params, uint8_t *mask,
                                     tilecut_report *report)
{
    tilecut_status status = TILECUT_OK;
    tc_visit v = {0};

    if (!graph || !graph->from_image) return tc_fail(TILECUT_EINVAL, "graph is NULL or not from an image");
    TRY(tc_enter(&v, params, graph->width, graph->height, mask, true, report));
    TRY(tc_graph_refine(graph, &v.setup, v.mask.pixel, &v.result));
done:
    return tc_leave(&v, status);
}

tilecut_status tilecut_graph_solve(const tilecut_graph *graph, const tilecut_params *params, uint8_t *mask,
                                   tilecut_report *report)
{
    tilecut_status status = TILECUT_OK;
    tc_visit v = {0};

    if (!graph) return tc_fail(TILECUT_EINVAL, "graph is NULL");
    TRY(tc_enter(&v, params, graph->width, graph->height, mask, true, report));
    TRY(tc_solve(graph, &v.setup, NULL, v.mask.pixel, NULL, &v.result));
done:
    return tc_leave(&v, status);
}

tilecut_status tilecut_graph_flow(const tilecut_graph *graph, const tilecut_params *params, uint8_t *mask,
                                  const tilecut_flow *flow, tilecut_report *report)
{
    tilecut_status status = TILECUT_OK;
    tilecut_flow arrays;
    tc_visit v = {0};

    if (!graph || !flow) return tc_fail(TILECUT_EINVAL, "%s is NULL", graph ? "flow" : "graph");
    TRY(TC_READ(&arrays, flow, flow));
    if (!arrays.source || !arrays.sink || !arrays.to[TILECUT_RIGHT] || !arrays.to[TILECUT_DOWN])
        return tc_fail(TILECUT_EINVAL, "an array of flow is NULL");
    if (graph->connectivity == 8 && (!arrays.to[TILECUT_DOWN_RIGHT] || !arrays.to[TILECUT_DOWN_LEFT]))
        return tc_fail(TILECUT_EINVAL, "the flow of a graph with 8 neighbours needs arrays for diagonals");
    TRY(tc_enter(&v, params, graph->width, graph->height, mask, true, report));
    TRY(tc_solve(graph, &v.setup, NULL, v.mask.pixel, &arrays, &v.result));
done:
    return tc_leave(&v, status);
}
