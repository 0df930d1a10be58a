/* SPDX-License-Identifier: MIT
 *
 * device_nearness.cu - see device_nearness.cuh.
 */
#include "device_nearness.cuh"
#include "nearness_kernels.cuh"

/* Pixels from which a stream for it is worth its making (half a millisecond, and a lock that all threads share). */
enum { BESIDE_FROM = 1 << 22 };

size_t nearness_scratch_bytes(int width, int height)
{
    size_t total;
    (void)place_maps(width, height, NULL, (char *)256, &total); /* only to get the size */
    return total;
}

tilecut_status nearness_look_along(const maps *m, const uint8_t *seeds, cudaStream_t stream)
{
    const dim3 columns = {(unsigned)ceil_div((size_t)m->width, NEAR_BLOCK), (unsigned)m->chunks, 2};
    LAUNCH_NEED(along_kernel, ceil_div(2 * (size_t)m->height, NEAR_BLOCK / 32), NEAR_BLOCK, stream, *m, seeds);
    LAUNCH_RETURN(least_kernel, columns, NEAR_BLOCK, stream, *m);
}

/* Queues the whole computation on `stream`. */
static tilecut_status find(const device_energy *e, const model_census *census, void *scratch, cudaStream_t stream)
{
    size_t total;
    const maps m = place_maps(e->width, e->height, census, (char *)scratch, &total);
    NEED(nearness_look_along(&m, e->seeds, stream));
    LAUNCH_RETURN(level_kernel, near_tiles(e->width, e->height), near_tile(), stream, m, (uint8_t *)e->nearness);
}

tilecut_status nearness_begin(nearness_search *search, const device_energy *energy, const model_census *census,
                              void *scratch, cudaStream_t stream)
{
    const bool beside = (size_t)energy->width * (size_t)energy->height >= BESIDE_FROM;
    if (!beside) return find(energy, census, scratch, stream);
    CUDA_NEED(cudaStreamCreateWithFlags(&search->stream, cudaStreamNonBlocking));
    CUDA_NEED(cudaEventCreateWithFlags(&search->begun, cudaEventDisableTiming));
    CUDA_NEED(cudaEventCreateWithFlags(&search->ended, cudaEventDisableTiming));
    CUDA_NEED(cudaEventRecord(search->begun, stream));
    CUDA_NEED(cudaStreamWaitEvent(search->stream, search->begun, 0));
    NEED(find(energy, census, scratch, search->stream));
    return CUDA_STATUS(cudaEventRecord(search->ended, search->stream));
}

tilecut_status nearness_join(nearness_search *search, cudaStream_t stream)
{
    if (search->stream) CUDA_NEED(cudaStreamWaitEvent(stream, search->ended, 0));
    search->joined = true;
    return TILECUT_OK;
}

/* A stream or event may be destroyed while in use; CUDA releases it when its work is done. */
void nearness_end(nearness_search *search)
{
    if (search->stream && !search->joined) (void)cudaStreamSynchronize(search->stream);
    if (search->ended) (void)cudaEventDestroy(search->ended);
    if (search->begun) (void)cudaEventDestroy(search->begun);
    if (search->stream) (void)cudaStreamDestroy(search->stream);
    *search = {};
}
