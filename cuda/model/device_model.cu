/* SPDX-License-Identifier: MIT
 *
 * device_model.cu - see device_model.cuh. The host waits for none of the kernels, but for the counts of a
 * part of a volume.
 */
#include <stddef.h>
#include <stdlib.h>

#include "volume_model_kernels.cuh"

model_request model_request_of(const tilecut_image *image, const tc_setup *params)
{
    model_request r = {};
    const bool grey = image->channels == 1;
    r.colors = tc_colors_find(params->colors);
    if (r.colors->on_device == TC_DEVICE_MIXTURES) r.bits = grey ? TC_GMM_GREY_BITS : TC_GMM_COLOUR_BITS;
    if (r.colors->on_device == TC_DEVICE_HISTOGRAMS) r.bits = grey ? TC_HIST_GREY_BITS : TC_HIST_COLOUR_BITS;
    r.bins = r.bits ? (size_t)1 << (image->channels * r.bits) : 0;
    r.lambda = params->lambda;
    r.sigma = params->sigma;
    r.data_weight = params->data_weight;
    r.spatial = r.bits ? params->spatial : 0;
    r.totals = r.bits && params->iterations >= 0;
    r.connectivity = params->connectivity == 8 ? 8 : 4;
    return r;
}

int32_t model_keys(const tilecut_image *image)
{
    const uint64_t levels = image->depth == 8 ? 255 : 65535, most = levels * levels * (uint64_t)image->channels;
    return 1 + (image->depth == 8 ? (int32_t)most : tc_contrast_key(most));
}

size_t model_scratch_bytes(const tilecut_image *image, const model_request *request)
{
    size_t total;
    (void)place_model(image->width, image->height, request->bins, (char *)256, &total); /* only to get the size */
    return total;
}

/* One block per 32 columns and MODEL_ROWS rows. */
static dim3 columns_of(const device_energy *energy)
{
    return dim3{(unsigned)ceil_div((size_t)energy->width, 32), (unsigned)ceil_div((size_t)energy->height, MODEL_ROWS)};
}

static const dim3 column = {32, MODEL_BLOCK / 32};

tilecut_status model_take_census(const device_energy *energy, learnt *facts, cudaStream_t stream)
{
    CUDA_NEED(cudaMemsetAsync(facts, 0, sizeof *facts, stream));
    LAUNCH_RETURN(census_kernel, columns_of(energy), column, stream, *energy, &facts->census);
}

static tilecut_status learn_colors(model &m, bool settles, cudaStream_t stream)
{
    void *arguments[] = {&m};
    const unsigned blocks = (unsigned)ceil_div(m.bins, MODEL_BLOCK);
    if (m.gmm) {
        const dim3 both = {blocks, 2}, teams = {MIXTURE_TEAM, 2}, team = {MIXTURE_THREADS};
        LAUNCH_NEED(count_used_kernel, blocks, MODEL_BLOCK, stream, m);
        LAUNCH_NEED(take_samples_kernel, both, MODEL_BLOCK, stream, m);
        CUDA_NEED(cudaLaunchCooperativeKernel((const void *)fit_kernel, teams, team, arguments, 0, stream));
    }
    LAUNCH_RETURN(cost_kernel, blocks, MODEL_BLOCK, stream, m, settles);
}

tilecut_status model_learn(const device_energy *energy, const model_request *request, const model_lesson *training,
                           const model_tables *tables, learnt *before, void *scratch, cudaStream_t stream)
{
    enum { CLEARING = 128 }; /* blocks */
    size_t total, entries = (size_t)energy->last + 1;
    model m = {*energy, *training, {}, *tables, request->lambda, request->sigma, request->data_weight, request->spatial,
               request->bins, request->bits, request->colors->on_device == TC_DEVICE_MIXTURES, request->totals};

    m.scratch = place_model(energy->width, energy->height, m.bins, (char *)scratch, &total);
    if (entries < m.bins) entries = m.bins;
    LAUNCH_NEED(begin_kernel, CLEARING, MODEL_BLOCK, stream, m, before);
    LAUNCH_NEED(inspect_kernel, columns_of(energy), column, stream, m);
    if (m.bits) NEED(learn_colors(m, true, stream));
    else LAUNCH_NEED(settle_kernel, 1, 1, stream, m);
    LAUNCH_RETURN(table_kernel, ceil_div(entries, MODEL_BLOCK), MODEL_BLOCK, stream, m);
}

/* ---- Volumes ---------------------------------------------------------------------------------- */

/* Colours are those of all parts, so there may be more of them than a part has voxels. */
static int whole_rows(const volume_shape *shape)
{
    return shape->height * shape->all;
}

size_t volume_model_scratch_bytes(const volume_shape *shape, const model_request *request)
{
    tilecut_image image = volume_image(shape, 8);
    image.height = whole_rows(shape);
    return model_scratch_bytes(&image, request) + (size_t)shape->all * sizeof(unsigned long long);
}

/* What parts of a volume count besides squares: labels of each class, all labels and bad ones, which lie one after the
 * other, and colours. */
enum { COUNTS = 5, LABELS = 5 };

typedef struct counted {
    unsigned *device[COUNTS];
    size_t count[COUNTS];
    unsigned host[2 + LABELS + 3 * VOLUME_BINS]; /* one after the other */
} counted;

static counted counted_of(const volume_model &v)
{
    const model &m = v.m;
    learnt *const facts = m.tables.facts;
    return {{facts->labelled, facts->census.labels, m.scratch.labelled[0], m.scratch.labelled[1], m.scratch.seen},
            {2, LABELS, m.bins, m.bins, m.bins}, {}};
}

/* Copies counts and squares to the host, or back to the device, and waits. */
static tilecut_status copy_counts(const volume_model &v, counted *c, int64_t *squares, bool back, cudaStream_t stream)
{
    unsigned *host = c->host;
    const size_t bytes = (size_t)v.shape.all * sizeof *squares;
    for (int i = 0; i < COUNTS; host += c->count[i++]) {
        const size_t some = c->count[i] * sizeof *host;
        if (some) CUDA_NEED(cudaMemcpyAsync(back ? c->device[i] : host, back ? host : c->device[i], some,
                                            cudaMemcpyDefault, stream));
    }
    CUDA_NEED(cudaMemcpyAsync(back ? (void *)v.slice : squares, back ? squares : (void *)v.slice, bytes,
                              cudaMemcpyDefault, stream));
    return CUDA_STATUS(cudaStreamSynchronize(stream));
}

/* Makes the counts of this part those of all, by one sum. */
static tilecut_status count_together(const volume_model &v, tc_comm *comm, cudaStream_t stream)
{
    counted c = counted_of(v);
    const size_t words = 2 + LABELS + 3 * v.m.bins, slices = (size_t)v.shape.all;
    int64_t *const sums = (int64_t *)malloc((slices + words) * sizeof *sums), *const counts = sums + slices;
    tilecut_status status = TILECUT_OK;
    if (!sums) return tc_fail(TILECUT_ENOMEM, "no memory for the contrast of %d slices", v.shape.all);
    TRY(copy_counts(v, &c, sums, false, stream));
    for (size_t i = 0; i < words; i++) counts[i] = c.host[i];
    TRY(tc_comm_allreduce(comm, sums, slices + words)); /* only one part has a slice, so its sum is kept to the bit */
    for (size_t i = 0; i < words; i++) c.host[i] = (unsigned)counts[i];
    TRY(copy_counts(v, &c, sums, true, stream));
done:
    free(sums);
    return status;
}

tilecut_status model_learn_volume(const device_energy *energy, const model_request *request, const volume_shape *shape,
                                  const model_tables *tables, void *scratch, tc_comm *comm, cudaStream_t stream)
{
    const size_t slice = (size_t)shape->width * (size_t)shape->height;
    size_t total, entries = (size_t)energy->last + 1;
    volume_model v = {{*energy, {}, {}, *tables, request->lambda, request->sigma, request->data_weight, 0,
                       request->bins, request->bits, request->colors->on_device == TC_DEVICE_MIXTURES, false},
                      *shape, (int)ceil_div(slice, VOLUME_CHUNK), NULL};
    model &m = v.m;

    m.scratch = place_model(energy->width, whole_rows(shape), m.bins, (char *)scratch, &total);
    v.slice = (unsigned long long *)((char *)scratch + total);
    for (int k = 0; k < 2; k++) m.scratch.seeded[k] = m.scratch.labelled[k]; /* all labels are seeds */
    if (entries < m.bins) entries = m.bins;
    CUDA_NEED(cudaMemsetAsync(m.scratch.contrast, 0, m.scratch.counted, stream));
    CUDA_NEED(cudaMemsetAsync(v.slice, 0, (size_t)shape->all * sizeof *v.slice, stream));
    CUDA_NEED(cudaMemsetAsync(tables->facts, 0, sizeof *tables->facts, stream));
    LAUNCH_NEED(inspect_volume_kernel, (shape->end - shape->first) * v.chunks, MODEL_BLOCK, stream, v);
    if (comm) NEED(count_together(v, comm, stream));
    if (m.bits) NEED(learn_colors(m, false, stream));
    LAUNCH_NEED(settle_volume_kernel, 1, 1, stream, v);
    LAUNCH_RETURN(table_volume_kernel, ceil_div(entries, MODEL_BLOCK), MODEL_BLOCK, stream, v);
}
