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
#include "large.h"
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
    bool boxless = false;

    TRY(tc_enter_image(&v, image, params, mask, true, report));
    const int width = v.image.width, height = v.image.height;
    TRY(tc_bytes_open(&v.seeds, "seeds", seeds, v.setup.seeds_stride, width, height));
    TRY(tc_prior_open(&v.prior, &v.setup, width, height));
    TRY(tc_energy_check_params(&v.setup));
    TRY(tc_run_solver(&v.setup, v.setup.connectivity, width, height, &solver)); /* before seeds are read */
    TRY(tc_seeds_settle(&v.seeds, &v.setup, &boxless));
    const tc_source source = {.image = &v.image, .seeds = v.seeds.from, .given = given, .boxless = boxless};
    TRY(tc_segment(&source, &v.setup, v.mask.to, &v.result));
done:
    return tc_leave(&v, status);
}

/* Opens seeds or a mask in device memory, and finds the device. Messages begin with `are`, such as "the mask is". */
static tilecut_status open_on_device(tc_bytes *bytes, const char *are, int *device, void *stream)
{
    const size_t width = (size_t)bytes->width;
    NEED(tc_cuda_device_of(bytes->from ? bytes->from : bytes->to, are, device));
    if (!bytes->stride || bytes->stride == width) return TILECUT_OK;
    NEED(tc_cuda_take((void **)&bytes->own, width * (size_t)bytes->height, *device));
    if (bytes->from)
        NEED(tc_cuda_copy_rows(bytes->own, width, bytes->from, bytes->stride, width, bytes->height, stream));
    bytes->from = bytes->to = bytes->own;
    return TILECUT_OK;
}

/* Does the same as tc_seeds_settle() for seeds in device memory. *here becomes a copy of them in host memory, which the
 * caller frees after a failure, too. */
static tilecut_status settle_on_device(tc_bytes *seeds, tc_setup *setup, void *stream, uint8_t **here)
{
    const size_t pixels = (size_t)seeds->width * (size_t)seeds->height;
    tc_bytes rows = {.width = seeds->width, .height = seeds->height};
    tilecut_status status = TILECUT_OK;
    *here = tc_large_alloc(pixels);
    if (!*here) return tc_fail(TILECUT_ENOMEM, "no memory for %zu seeds", pixels);
    rows.from = *here;
    TRY(tc_cuda_copy(*here, seeds->from, pixels, stream));
    TRY(tc_seeds_settle(&rows, setup, NULL));
    if (!rows.own) goto done;
    if (!seeds->own) TRY(tc_cuda_take((void **)&seeds->own, pixels, setup->device));
    TRY(tc_cuda_copy(seeds->own, rows.own, pixels, stream));
    seeds->from = seeds->own;
    memcpy(*here, rows.own, pixels);
done:
    tc_bytes_close(&rows, false);
    return status;
}

/* tilecut_segment() for pixels, seeds and mask in the memory of one device, which does the work. */
static tilecut_status segment_on_device(const tilecut_image *image, const uint8_t *seeds, const tilecut_params *params,
                                    void *stream, uint8_t *mask, tilecut_report *report)
{
    tilecut_status status = TILECUT_OK;
    tc_visit v = {0};
    int *const device = &v.setup.device;
    uint8_t *here = NULL;

    TRY(tc_sized_check(report, "tilecut_report"));
    TRY(tc_setup_resolve(&v.setup, params));
    TRY(tc_setup_check_prior(&v.setup, false));
    TRY(tc_image_read(&v.image, image));
    const int width = v.image.width, height = v.image.height;
    if (!v.setup.solver) v.setup.solver = "cuda";
    v.seeds = (tc_bytes){.from = seeds, .stride = v.setup.seeds_stride, .width = width, .height = height};
    v.mask = (tc_bytes){.to = mask, .stride = v.setup.mask_stride, .width = width, .height = height};
    TRY(tc_rows_check(seeds, v.seeds.stride, (size_t)width, height, "seeds"));
    TRY(tc_rows_check(mask, v.mask.stride, (size_t)width, height, "mask"));
    TRY(tc_prior_open(&v.prior, &v.setup, width, height));
    TRY(open_on_device(&v.seeds, "the seeds are", device, stream));
    TRY(open_on_device(&v.mask, "the mask is", device, stream));
    TRY(tc_cuda_device_of(v.image.pixels, "the image is", device));
    TRY(settle_on_device(&v.seeds, &v.setup, stream, &here));
    TRY(tc_segment(&(tc_source){.image = &v.image, .seeds = v.seeds.from, .stream = &stream, .seeds_here = here},
                   &v.setup, v.mask.to, &v.result));
    if (v.mask.own)
        TRY(tc_cuda_copy_rows(mask, v.mask.stride, v.mask.own, (size_t)width, (size_t)width, height, stream));
    TC_WRITE(report, &v.result, report);
done:
    free(here);
    tc_cuda_give(v.seeds.own, *device);
    tc_cuda_give(v.mask.own, *device);
    tc_bytes_close(&v.prior, false);
    return status;
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
    TRY(tc_graph_refine(graph, &v.setup, v.mask.to, &v.result));
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
    TRY(tc_solve(graph, &v.setup, NULL, v.mask.to, NULL, &v.result));
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
    TRY(tc_solve(graph, &v.setup, NULL, v.mask.to, &arrays, &v.result));
done:
    return tc_leave(&v, status);
}
