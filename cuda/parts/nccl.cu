/* SPDX-License-Identifier: MIT
 *
 * nccl.cu - an exchange between threads of one process whose rows go from device to device by NCCL. All other calls use
 * the exchange between threads. NCCL is loaded by name when it is first asked for, so it is needed neither to build nor
 * to start; the few functions used are declared here.
 */
#include <dlfcn.h>
#include <stdlib.h>

#include "device_scope.cuh"

extern "C" {
#include "cuda_parts.h"
#include "tilecut_parts.h"
}

/* The functions of nccl.h that are used. They return 0 on success. */
typedef struct nccl_calls {
    int (*version)(int *number);
    int (*begin)(void **communicators, int count, const int *devices);
    int (*end)(void *communicator);
    int (*group)(void), (*group_end)(void);
    int (*send)(const void *from, size_t count, int type, int peer, void *communicator, cudaStream_t stream);
    int (*receive)(void *to, size_t count, int type, int peer, void *communicator, cudaStream_t stream);
    const char *(*why)(int result);
} nccl_calls;

enum { NCCL_BYTES = 0 /* ncclInt8 */ };

typedef struct nccl_exchange {
    const tilecut_exchange *inner;
    nccl_calls calls;
    void *communicator;
    int device;
} nccl_exchange;

static bool load_nccl(nccl_calls *c)
{
    /* never unloaded, because its threads may outlive a call */
    void *const object = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!object) return false;
    const struct {
        void **to;
        const char *name;
    } names[] = {{(void **)&c->version, "ncclGetVersion"}, {(void **)&c->begin, "ncclCommInitAll"},
                 {(void **)&c->end, "ncclCommDestroy"},    {(void **)&c->group, "ncclGroupStart"},
                 {(void **)&c->group_end, "ncclGroupEnd"}, {(void **)&c->send, "ncclSend"},
                 {(void **)&c->receive, "ncclRecv"},       {(void **)&c->why, "ncclGetErrorString"}};
    for (const auto &one : names)
        if (!(*one.to = dlsym(object, one.name))) return false;
    return true;
}

extern "C" int tilecut_nccl_version(void)
{
    nccl_calls c;
    int number = 0;
    return load_nccl(&c) && c.version(&number) == 0 ? number : 0;
}

static tilecut_status judge(const nccl_calls *c, int result)
{
    if (result == 0) return TILECUT_OK;
    return tc_fail(TILECUT_EDEVICE, "NCCL failed: %s", c->why(result));
}

static int sum_values(void *context, int64_t *values, size_t count)
{
    const tilecut_exchange *const inner = ((const nccl_exchange *)context)->inner;
    return inner->sum(inner->context, values, count);
}

static int swap_rows(void *context, const void *to_above, const void *to_below, void *from_above, void *from_below,
                size_t bytes)
{
    const tilecut_exchange *const inner = ((const nccl_exchange *)context)->inner;
    return inner->swap(inner->context, to_above, to_below, from_above, from_below, bytes);
}

static void leave_nccl(void *context)
{
    const tilecut_exchange *const inner = ((const nccl_exchange *)context)->inner;
    inner->leave(inner->context);
}

/* Queues a send to a neighbour and a receive from it. */
static int queue(const nccl_exchange *own, int peer, const void *to, void *from, size_t bytes)
{
    const int sent = own->calls.send(to, bytes, NCCL_BYTES, peer, own->communicator, cudaStreamPerThread);
    return sent ? sent
                : own->calls.receive(from, bytes, NCCL_BYTES, peer, own->communicator, cudaStreamPerThread);
}

static tilecut_status send_rows(const nccl_exchange *own, const void *to_above, const void *to_below, void *from_above,
                                void *from_below, size_t bytes)
{
    const device_scope scope(own->device);
    const int number = own->inner->part, parts = own->inner->parts;
    int first = 0, second = 0, last = 0;
    NEED(judge(&own->calls, own->calls.group()));
    if (number > 0) first = queue(own, number - 1, to_above, from_above, bytes);
    if (number + 1 < parts) second = queue(own, number + 1, to_below, from_below, bytes);
    last = own->calls.group_end();
    NEED(judge(&own->calls, first ? first : second ? second : last));
    return CUDA_STATUS(cudaStreamSynchronize(cudaStreamPerThread));
}

/* Waits for all parts before anything is sent, because NCCL would wait forever for a part that has left. */
static int swap_there(void *context, const void *to_above, const void *to_below, void *from_above, void *from_below,
                      size_t bytes)
{
    const nccl_exchange *const own = (const nccl_exchange *)context;
    int64_t nothing = 0;
    if (own->inner->sum(own->inner->context, &nothing, 1)) return 1;
    return send_rows(own, to_above, to_below, from_above, from_below, bytes) == TILECUT_OK ? 0 : -1;
}

static tilecut_status check_devices(const int *devices, int parts)
{
    for (int i = 0; i < parts; i++) {
        NEED(tc_cuda_device(devices[i], NULL, 0));
        for (int k = 0; k < i; k++)
            if (devices[k] == devices[i])
                return tc_fail(TILECUT_EINVAL, "NCCL sends between different devices; device %d is named twice",
                               devices[i]);
    }
    return TILECUT_OK;
}

/* Makes an NCCL exchange around each exchange of `inner`. */
static tilecut_status open_exchanges(tilecut_exchange *inner, const nccl_calls *calls, const int *devices, int parts,
                                     tilecut_exchange **exchanges)
{
    tilecut_status status = TILECUT_OK;
    nccl_exchange *const seats = (nccl_exchange *)calloc((size_t)parts, sizeof *seats);
    tilecut_exchange *all = (tilecut_exchange *)calloc((size_t)parts, sizeof *all);
    void **const communicators = (void **)calloc((size_t)parts, sizeof *communicators);
    if (!seats || !all || !communicators) status = tc_fail(TILECUT_ENOMEM, "no memory for %d parts to meet", parts);
    if (status == TILECUT_OK) status = judge(calls, calls->begin(communicators, parts, devices));
    for (int i = 0; status == TILECUT_OK && i < parts; i++) {
        seats[i] = {&inner[i], *calls, communicators[i], devices[i]};
        all[i] = {sizeof *all, i, parts, &seats[i], sum_values, swap_rows, leave_nccl, swap_there, inner[i].one_way};
    }
    free(communicators);
    if (status == TILECUT_OK) {
        *exchanges = all;
        return status;
    }
    free(seats);
    free(all);
    return status;
}

extern "C" tilecut_status tc_cuda_nccl_open(tilecut_exchange *inner, const int *devices, int parts,
                                            tilecut_exchange **exchanges)
{
    nccl_calls calls;
    NEED(check_devices(devices, parts));
    if (!load_nccl(&calls)) return tc_fail(TILECUT_ENODEVICE, "there is no NCCL: libnccl.so.2 cannot be loaded");
    return open_exchanges(inner, &calls, devices, parts, exchanges);
}

extern "C" tilecut_exchange *tc_cuda_nccl_close(tilecut_exchange *exchanges)
{
    nccl_exchange *const seats = (nccl_exchange *)exchanges[0].context;
    tilecut_exchange *const inner = (tilecut_exchange *)seats[0].inner;
    for (int i = 0; i < exchanges[0].parts; i++) (void)seats[i].calls.end(seats[i].communicator);
    free(seats);
    free(exchanges);
    return inner;
}
