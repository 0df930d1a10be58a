/* SPDX-License-Identifier: MIT
 *
 * host_calls.h - the CUDA functions that the host calls around kernels, for the simulated GPU of cuda_runtime.h. There
 * are SOFT_DEVICES devices, and their memory is host memory. Each call is finished when it returns, so streams and
 * events do nothing; only copies can be put off until the host waits, see soft_late. What the host asks for is counted.
 * Cooperative kernels must be registered with soft_cooperative().
 */
#pragma once

#include <atomic>
#include <cstdlib>
#include <map>
#include <tuple>
#include <utility>

enum { SOFT_DEVICES = 8, SOFT_PROCESSORS = 2 };

typedef int cudaError_t;
typedef void *cudaStream_t, *cudaEvent_t, *cudaMemPool_t;
enum {
    cudaSuccess, cudaErrorMemoryAllocation, cudaErrorNoDevice, cudaErrorInsufficientDriver,
    cudaErrorNoKernelImageForDevice, cudaErrorDevicesUnavailable, cudaErrorInvalidDevice, cudaErrorInvalidValue
};
enum {
    cudaDevAttrMultiProcessorCount, cudaDevAttrComputeCapabilityMajor, cudaDevAttrComputeCapabilityMinor,
    cudaDevAttrMemoryPoolsSupported, cudaMemPoolAttrReleaseThreshold
};
enum { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault };
enum { cudaStreamNonBlocking, cudaMemoryTypeUnregistered };
enum { cudaEventBlockingSync = 1, cudaEventDisableTiming = 2 };
#define cudaStreamPerThread ((cudaStream_t)NULL)

struct cudaDeviceProp { char name[64]; };
struct cudaPointerAttributes { int type, device; };

inline thread_local int soft_device = 0; /* the current device of this thread */

/* How often the host has launched a kernel, and has made something that takes a lock or the driver's memory: memory of
 * the device or pinned memory, streams and events. Copies are counted, too. */
struct soft_counts {
    std::atomic<int> launches, memory, pinned, streams, events;
    std::atomic<size_t> across; /* bytes copied between host and device */
};
inline soft_counts soft_asked;

/* If true, copies of this thread are made only when it next launches a kernel or waits, as late as a device may. */
inline thread_local bool soft_late = false;
inline thread_local std::vector<std::function<void()>> soft_queue;

static inline void soft_catch_up(void)
{
    for (const auto &copy : soft_queue) copy();
    soft_queue.clear();
}

static inline const char *cudaGetErrorString(cudaError_t) { return "a failure of the GPU in software"; }
static inline cudaError_t cudaGetLastError(void) { return cudaSuccess; }
static inline cudaError_t cudaGetDeviceCount(int *count) { return *count = SOFT_DEVICES, cudaSuccess; }
static inline cudaError_t cudaGetDevice(int *index) { return *index = soft_device, cudaSuccess; }

static inline cudaError_t cudaSetDevice(int index)
{
    if (index < 0 || index >= SOFT_DEVICES) return cudaErrorInvalidDevice;
    return soft_device = index, cudaSuccess;
}

static inline cudaError_t cudaDeviceGetAttribute(int *value, int what, int)
{
    return *value = what == cudaDevAttrMultiProcessorCount ? SOFT_PROCESSORS : 9, cudaSuccess;
}

static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *, int, size_t)
{
    return *blocks = 1, cudaSuccess;
}

static inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int) { return p->name[0] = 0, cudaSuccess; }
static inline cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *p, const void *)
{
    return *p = {cudaMemoryTypeUnregistered + 1, soft_device}, cudaSuccess;
}

static inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, cudaStream_t)
{
    if (kind != cudaMemcpyDeviceToDevice) soft_asked.across += bytes;
    soft_queue.push_back([=] { memcpy(to, from, bytes); });
    if (!soft_late) soft_catch_up();
    return cudaSuccess;
}

static inline cudaError_t cudaMemcpy2DAsync(void *to, size_t to_step, const void *from, size_t from_step, size_t bytes,
                                            size_t rows, int kind, cudaStream_t)
{
    if (kind != cudaMemcpyDeviceToDevice) soft_asked.across += bytes * rows;
    soft_catch_up();
    for (size_t y = 0; y < rows; y++) memcpy((char *)to + y * to_step, (const char *)from + y * from_step, bytes);
    return cudaSuccess;
}

template <class T> static inline cudaError_t cudaMalloc(T **memory, size_t bytes)
{
    soft_asked.memory++;
    *memory = (T *)aligned_alloc(256, (bytes + 255) / 256 * 256);
    return *memory ? cudaSuccess : cudaErrorMemoryAllocation;
}

static inline cudaError_t cudaMemGetInfo(size_t *there, size_t *all) { return *there = *all = 1 << 30, cudaSuccess; }
static inline cudaError_t cudaFree(void *memory) { return free(memory), cudaSuccess; }
static inline cudaError_t cudaDeviceCanAccessPeer(int *can, int, int) { return *can = 1, cudaSuccess; }
static inline cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return cudaSuccess; }
static inline cudaError_t cudaDeviceDisablePeerAccess(int) { return cudaSuccess; }

static inline cudaError_t cudaMemcpyPeerAsync(void *to, int, const void *from, int, size_t bytes, cudaStream_t)
{
    return memcpy(to, from, bytes), cudaSuccess;
}

static inline cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t)
{
    return soft_catch_up(), memset(to, value, bytes), cudaSuccess;
}

/* A pool keeps all that is given back. New memory is filled with noise, because no code may rely on its contents. */
struct soft_pool {
    std::mutex lock;
    std::multimap<size_t, void *> free;
    std::map<void *, size_t> size;
    uint64_t kept;
    ~soft_pool() { for (const auto &one : free) ::free(one.second); }
};
inline soft_pool soft_pools[SOFT_DEVICES];

static inline cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    return *pool = &soft_pools[device], cudaSuccess;
}

static inline cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, int, void *value)
{
    return *(uint64_t *)value = ((soft_pool *)pool)->kept, cudaSuccess;
}

static inline cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, int, void *value)
{
    return ((soft_pool *)pool)->kept = *(uint64_t *)value, cudaSuccess;
}

static inline cudaError_t cudaMallocFromPoolAsync(void **memory, size_t bytes, cudaMemPool_t from, cudaStream_t)
{
    soft_pool &pool = *(soft_pool *)from;
    const std::lock_guard<std::mutex> locked(pool.lock);
    const auto found = pool.free.lower_bound(bytes);
    if (found != pool.free.end()) {
        *memory = found->second;
        pool.free.erase(found);
    } else {
        const cudaError_t error = cudaMalloc(memory, bytes);
        if (error != cudaSuccess) return error;
        pool.size[*memory] = bytes;
    }
    memset(*memory, 0xa5, bytes);
    return cudaSuccess;
}

static inline cudaError_t cudaFreeAsync(void *memory, cudaStream_t)
{
    for (soft_pool &pool : soft_pools) {
        const std::lock_guard<std::mutex> locked(pool.lock);
        const auto known = pool.size.find(memory);
        if (known != pool.size.end()) pool.free.insert({known->second, memory});
    }
    return cudaSuccess;
}

template <class T> static inline cudaError_t cudaMallocHost(T **memory, size_t bytes)
{
    soft_asked.pinned++;
    return (*memory = (T *)malloc(bytes)) ? cudaSuccess : cudaErrorMemoryAllocation;
}

static inline cudaError_t cudaFreeHost(void *memory) { return free(memory), cudaSuccess; }
static inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return soft_catch_up(), cudaSuccess; }
static inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, int)
{
    return soft_asked.streams++, *s = NULL, cudaSuccess;
}

static inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t *s, int, int)
{
    return cudaStreamCreateWithFlags(s, 0);
}

static inline cudaError_t cudaDeviceGetStreamPriorityRange(int *last, int *first)
{
    return *last = *first = 0, cudaSuccess;
}
static inline cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
static inline cudaError_t cudaEventCreate(cudaEvent_t *e) { return soft_asked.events++, *e = NULL, cudaSuccess; }
static inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t *e, int) { return cudaEventCreate(e); }
static inline cudaError_t cudaEventQuery(cudaEvent_t) { return cudaSuccess; }
static inline cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, int = 0) { return cudaSuccess; }
static inline cudaError_t cudaEventDestroy(cudaEvent_t) { return cudaSuccess; }
static inline cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return cudaSuccess; }
static inline cudaError_t cudaEventSynchronize(cudaEvent_t) { return soft_catch_up(), cudaSuccess; }
static inline cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t, cudaEvent_t) { return *ms = 1, cudaSuccess; }

/* Launches a kernel; its blocks run one after the other. */
#define LAUNCH(kernel, blocks, threads, stream, ...) \
    ((void)(stream), soft_asked.launches++, soft_catch_up(), \
     soft_launch(launch_shape(blocks), launch_shape(threads), false, [=] { kernel(__VA_ARGS__); }))

/* Maps the address of a kernel to a function that calls it with arguments given by address. */
inline std::map<const void *, std::function<void(void **)>> &soft_kernels(void)
{
    static std::map<const void *, std::function<void(void **)>> known;
    return known;
}

template <class... P, size_t... I>
static inline void soft_call(void (*kernel)(P...), void **arguments, std::index_sequence<I...>)
{
    kernel(*(P *)arguments[I]...);
}

/* If true, kernels that are registered as slow do nothing. */
inline bool soft_skips = false;

/* Registers a kernel. A static variable calls this before main(). */
template <class... P> static inline bool soft_cooperative(void (*kernel)(P...), bool slow = false)
{
    soft_kernels()[(const void *)kernel] = [kernel, slow](void **arguments) {
        if (!slow || !soft_skips) soft_call(kernel, arguments, std::index_sequence_for<P...>());
    };
    return true;
}

static inline cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                                      size_t, cudaStream_t)
{
    const auto known = soft_kernels().find(kernel);
    if (known == soft_kernels().end()) return cudaErrorInvalidValue;
    soft_asked.launches++;
    soft_catch_up();
    soft_launch(grid, block, true, [&] { known->second(arguments); });
    return cudaSuccess;
}

static inline cudaError_t cudaLaunchCooperativeKernel(const void *kernel, int grid, int block, void **arguments,
                                                      size_t bytes, cudaStream_t stream)
{
    return cudaLaunchCooperativeKernel(kernel, dim3{(unsigned)grid}, dim3{(unsigned)block}, arguments, bytes, stream);
}
