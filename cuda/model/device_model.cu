/* SPDX-License-Identifier: MIT
 *
 * device_model.cu - see device_model.cuh. The host waits for none of the kernels.
 */
#include "model_kernels.cuh"

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
    r.slice_rows = params->slice_rows < image->height ? params->slice_rows : 0; /* one slice is an image */
    r.connectivity = r.slice_rows ? 6 : params->connectivity == 8 ? 8 : 4;
    r.guess = params->guess != NULL;
    r.evidence = r.guess && r.bits && params->guess_has_evidence;
    r.far = params->own_seeds != NULL;
    for (int k = 0; k < 3; k++) r.spacing[k] = params->spacing[k];
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
    (void)place_model(image->width, image->height, request->bins, (char *)256, &total, /* only finds the size */
                      request->slice_rows);
    return total;
}

/* The number of blocks: one per 32 columns and MODEL_ROWS rows. */
static int columns_of(const device_energy *energy)
{
    return ceil_div((size_t)energy->width, 32) * ceil_div((size_t)energy->height, MODEL_ROWS);
}

static const dim3 column = {32, MODEL_BLOCK / 32};

tilecut_status model_take_census(const device_energy *energy, int slice_rows, learnt *facts, cudaStream_t stream)
{
    CUDA_NEED(cudaMemsetAsync(facts, 0, sizeof *facts, stream));
    if (slice_rows)
        LAUNCH_RETURN(census_kernel<true>, columns_of(energy), column, stream, *energy, slice_rows, &facts->census);
    LAUNCH_RETURN(census_kernel<false>, columns_of(energy), column, stream, *energy, 0, &facts->census);
}

static tilecut_status learn_colors(model &m, cudaStream_t stream)
{
    void *arguments[] = {&m};
    const unsigned blocks = (unsigned)ceil_div(m.bins, MODEL_BLOCK);
    if (m.gmm) {
        const dim3 both = {blocks, 2}, teams = {TC_LANES / 32u << m.split, 2}, team = {MIXTURE_THREADS};
        LAUNCH_NEED(count_used_kernel, blocks, MODEL_BLOCK, stream, m);
        LAUNCH_NEED(take_samples_kernel, both, MODEL_BLOCK, stream, m);
        CUDA_NEED(cudaLaunchCooperativeKernel((const void *)fit_kernel, teams, team, arguments, 0, stream));
    }
    LAUNCH_RETURN(cost_kernel, blocks, MODEL_BLOCK, stream, m);
}

tilecut_status model_learn(const device_energy *energy, const model_request *request, const model_training *training,
                           const model_tables *tables, learnt *before, void *scratch, cudaStream_t stream)
{
    enum { CLEARING = 128 }; /* blocks */
    size_t total, entries = (size_t)energy->last + 1;
    int device = 0, processors = 0;
    model m = {*energy, *training, {}, *tables, request->lambda, request->sigma, request->data_weight, request->spatial,
               request->bins, request->bits, request->colors->on_device == TC_DEVICE_MIXTURES, request->totals,
               request->slice_rows, {request->spacing[0], request->spacing[1], request->spacing[2]}, request->far,
               request->evidence, 0};

    CUDA_NEED(cudaGetDevice(&device));
    CUDA_NEED(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    m.split = team_split(processors);
    m.scratch = place_model(energy->width, energy->height, m.bins, (char *)scratch, &total, m.slice_rows);
    if (entries < m.bins) entries = m.bins;
    LAUNCH_NEED(begin_kernel, CLEARING, MODEL_BLOCK, stream, m, before);
    LAUNCH_NEED(inspect_kernel, columns_of(energy), column, stream, m);
    if (m.bits) NEED(learn_colors(m, stream));
    else LAUNCH_NEED(settle_kernel, 1, 1, stream, m);
    LAUNCH_RETURN(table_kernel, ceil_div(entries, MODEL_BLOCK), MODEL_BLOCK, stream, m);
}
