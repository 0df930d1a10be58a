/* SPDX-License-Identifier: MIT
 *
 * hybrid_graph.cu - the GPU's side of `hybrid` for a graph of an image: pixels are copied to the device, and the grid
 * is built there.
 */
#include <new>

#include "device_graph.cuh"
#include "hybrid_device.cuh"

typedef struct imaged {
    hybrid_device work;
    const tilecut_graph *from;
    tc_cuda_graph *graph;
    double build_ms;
    int device;
    device_scope scope; /* makes `device` the present one as long as this object lives */

    imaged(const tilecut_graph *given, int index)
        : work(), from(given), graph(NULL), build_ms(0), device(index), scope(index)
    {
    }
} imaged;

static tilecut_status build_hybrid(void *self, const tc_grid *grid)
{
    imaged *const u = (imaged *)self;
    tc_cuda_origin origin;

    (void)grid;
    NEED(tc_cuda_graph_create(&u->graph, u->from, u->device, 1, &origin));
    u->build_ms = origin.build_ms;
    u->work.session = &u->graph->session;
    u->work.bytes = u->work.most = u->graph->bytes;
    return graph_open(u->graph);
}

static tilecut_status download(void *self, tc_grid *grid)
{
    return tc_cuda_graph_fetch(((const imaged *)self)->graph, grid);
}

extern "C" const tc_hybrid_device tc_cuda_hybrid_graph = {build_hybrid,         hybrid_work,    hybrid_inspect,
                                                          hybrid_gather, hybrid_scatter, download, true};

extern "C" tilecut_status tc_cuda_hybrid_graph_open(const tilecut_graph *from, int device, void **self)
{
    imaged *const u = new (std::nothrow) imaged(from, device);
    *self = u;
    if (!u) return tc_fail(TILECUT_ENOMEM, "no memory for a graph on the device");
    return TILECUT_OK;
}

extern "C" tc_cuda_hybrid_report tc_cuda_hybrid_graph_close(void *self, tc_cuda_graph **graph)
{
    imaged *const u = (imaged *)self;
    if (!u) return {};
    const tc_cuda_hybrid_report report = {u->build_ms, u->work.most};
    if (graph) *graph = u->graph;
    else tc_cuda_graph_destroy(u->graph);
    delete u;
    return report;
}
