/* SPDX-License-Identifier: MIT
 *
 * host_calls.h - the CUDA functions that the host calls around kernels, for the simulated GPU of cuda_runtime.h. There
 * are SOFT_DEVICES devices, and their memory is host memory. Each call is finished when it returns, so streams and
 * events do nothing. Cooperative kernels must be registered with soft_cooperative().
 */
#pragma once

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
enum { cudaDevAttrMultiProcessorCount, cudaDevAttrComputeCapabilityMajor, cudaDevAttrComputeCapabilityMinor };
enum { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault };
enum { cudaStreamNonBlocking, cudaMemoryTypeUnregistered };
enum { cudaEventBlockingSync = 1, cudaEventDisableTiming = 2 };
#define cudaStreamPerThread ((cudaStream_t)NULL)

struct cudaDeviceProp { char name[64]; };
struct cudaPointerAttributes { int type, device; };

inline thread_local int soft_device = 0; /* the current device of this thread */

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

static inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, int, cudaStream_t)
{
    return memcpy(to, from, bytes), cudaSuccess;
}

static inline cudaError_t cudaMemcpy2DAsync(void *to, size_t to_step, const void *from, size_t from_step, size_t bytes,
                                            size_t rows, int, cudaStream_t)
{
    for (size_t y = 0; y < rows; y++) memcpy((char *)to + y * to_step, (const char *)from + y * from_step, bytes);
    return cudaSuccess;
}

template <class T> static inline cudaError_t cudaMalloc(T **memory, size_t bytes)
{
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
    return memset(to, value, bytes), cudaSuccess;
}

template <class T> static inline cudaError_t cudaMallocHost(T **memory, size_t bytes)
{
    return (*memory = (T *)malloc(bytes)) ? cudaSuccess : cudaErrorMemoryAllocation;
}

static inline cudaError_t cudaFreeHost(void *memory) { return free(memory), cudaSuccess; }
static inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
static inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, int) { return *s = NULL, cudaSuccess; }
static inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t *s, int, int) { return *s = NULL, cudaSuccess; }
static inline cudaError_t cudaDeviceGetStreamPriorityRange(int *last, int *first)
{
    return *last = *first = 0, cudaSuccess;
}
static inline cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
static inline cudaError_t cudaEventCreate(cudaEvent_t *e) { return *e = NULL, cudaSuccess; }
static inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t *e, int) { return *e = NULL, cudaSuccess; }
static inline cudaError_t cudaEventQuery(cudaEvent_t) { return cudaSuccess; }
static inline cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, int = 0) { return cudaSuccess; }
static inline cudaError_t cudaEventDestroy(cudaEvent_t) { return cudaSuccess; }
static inline cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return cudaSuccess; }
static inline cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
static inline cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t, cudaEvent_t) { return *ms = 1, cudaSuccess; }

/* Launches a kernel; its blocks run one after the other. */
#define LAUNCH(kernel, blocks, threads, stream, ...) \
    ((void)(stream), soft_launch(launch_shape(blocks), launch_shape(threads), false, [=] { kernel(__VA_ARGS__); }))

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

/* Registers a kernel. A static variable calls this before main(). */
template <class... P> static inline bool soft_cooperative(void (*kernel)(P...))
{
    soft_kernels()[(const void *)kernel] = [kernel](void **arguments) {
        soft_call(kernel, arguments, std::index_sequence_for<P...>());
    };
    return true;
}

static inline cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                                      size_t, cudaStream_t)
{
    const auto known = soft_kernels().find(kernel);
    if (known == soft_kernels().end()) return cudaErrorInvalidValue;
    soft_launch(grid, block, true, [&] { known->second(arguments); });
    return cudaSuccess;
}

static inline cudaError_t cudaLaunchCooperativeKernel(const void *kernel, int grid, int block, void **arguments,
                                                      size_t bytes, cudaStream_t stream)
{
    return cudaLaunchCooperativeKernel(kernel, dim3{(unsigned)grid}, dim3{(unsigned)block}, arguments, bytes, stream);
}
