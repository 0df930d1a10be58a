/* SPDX-License-Identifier: MIT
 *
 * job_part_devices.c - parts on several GPUs: how rows are copied from one to another, and whether a photo needs more
 * than one.
 */
#include <stdio.h>
#include <string.h>

#include "engine.h"
#include "machine.h"
#include "job_part.h"

/* ---- The exchange ------------------------------------------------------------------------------ */

enum { PEER, NCCL, HOST, WAYS };
static const char *const way_names[WAYS + 1] = {"peer", "nccl", "host"};
static const char *const way_summaries[WAYS + 1] = {
    "from one GPU's memory to the other's, where they reach it (the default)", "by NCCL, if libnccl.so.2 is there",
    "through the memory of the host"};

const char *job_part_exchange_name(int index)
{
    return index >= 0 && index < WAYS ? way_names[index] : NULL;
}

const char *job_part_exchange_summary(int index)
{
    return index >= 0 && index < WAYS ? way_summaries[index] : NULL;
}

static bool is_way(const job_division *r, int way)
{
    return r->exchange && !strcmp(r->exchange, way_names[way]);
}

const char *job_part_nccl_line(char line[NCCL_LINE])
{
    const int number = tilecut_nccl_version(), patch = number % 100;
    if (number) snprintf(line, NCCL_LINE, "NCCL %d.%d.%d: --exchange nccl", number / 10000, number / 100 % 100, patch);
    else if (tilecut_cuda_built()) return "no, libnccl.so.2 is not there";
    else return "no, this tilecut was built without CUDA";
    return line;
}

int job_part_open_exchange(const job_division *r, tilecut_exchange **exchanges, failure *why)
{
    int devices[DEVICES_MOST] = {0};
    if (is_way(r, NCCL)) {
        for (int i = 0; i < r->parts; i++) devices[i] = r->devices.count ? r->devices.index[i % r->devices.count] : 0;
        const tilecut_status status = tilecut_exchange_nccl(exchanges, devices, r->parts);
        return status == TILECUT_OK ? EXIT_DONE : engine_failure(status, "--exchange nccl", why);
    }
    if (tilecut_exchange_threads(exchanges, r->parts) != TILECUT_OK)
        return fail(why, EXIT_RESOURCES, "not enough memory for %d parts", r->parts);
    for (int i = 0; is_way(r, HOST) && i < r->parts; i++) (*exchanges)[i].swap_there = NULL;
    return EXIT_DONE;
}

void job_part_close_exchange(const job_division *r, tilecut_exchange *exchanges)
{
    (is_way(r, NCCL) ? tilecut_exchange_nccl_free : tilecut_exchange_free)(exchanges);
}

void job_part_note_devices(const job_division *r, notes *log)
{
    const device_list *const list = &r->devices;
    if (r->exchange && !is_way(r, PEER)) return;
    for (int i = 1; i < r->parts && i <= list->count; i++) {
        const int one = list->index[i - 1], next = list->index[i % list->count];
        if (tilecut_cuda_reaches(one, next)) continue;
        note(log, "GPUs %d and %d do not reach each other's memory, so what goes from one to the other passes through "
             "the host", one, next);
        return;
    }
}

/* ---- auto ------------------------------------------------------------------------------------- */

/* Bytes of a GPU's memory per pixel: in one part with colours, in one part without, and in several parts. */
enum { ONE_BYTES = 48, PLAIN_BYTES = 72, PART_BYTES = 48 };

/* True if the photo and its seeds can be read, and the mask written, in parts. Seeds whose format is not given can only
 * be read as a whole. */
static bool can_divide(const job *j, memory_lattice *out)
{
    failure ignored;
    for (int i = 0; i < j->request->inputs->files.count; i++)
        if (j->request->inputs->formats[i] == SEEDS_UNNAMED) return false;
    if (j->files.mask && job_can_write_mask(j->request->style, j->files.mask, &ignored)) return false;
    return job_measure(j, out);
}

void photo_part_choose_devices(const job_division *r, notes *log, device_list *list)
{
    tilecut_params params = tilecut_params_default();
    const job_request *const asked = r->job->request;
    const bool plain = asked->model->colors && !strcmp(asked->model->colors, "none");
    memory_lattice photo;
    engine_auto engine;
    char reason[200];
    *list = (device_list){0};
    if (!tilecut_cuda_built() || !machine_has_gpu() || !can_divide(r->job, &photo)) return;
    const uint64_t pixels = (uint64_t)photo.width * (uint64_t)photo.height;
    const uint64_t need = pixels * (plain ? PLAIN_BYTES : ONE_BYTES);
    if (!engine_may_divide(need, machine_gpus(""))) return; /* asked first, because it wakes no GPU */
    engine_auto_init(&engine, asked->common,
                     asked->model->connectivity == 8 ? CALIBRATION_EIGHT : CALIBRATION_PHOTO, log);
    params.threads = machine_threads(NULL);
    if (engine.open) engine_auto_plan(&engine, pixels, 1, &params, reason, sizeof reason);
    if (!params.solver || tilecut_cuda_memory(0) >= need) return;
    const int there = tilecut_cuda_devices();
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < there && i < DEVICES_MOST; i++) {
        const size_t here = tilecut_cuda_memory(i);
        if (here < least) least = here;
    }
    if (there < 2 || least < pixels * PART_BYTES / (uint64_t)there) return;
    for (; list->count < there && list->count < DEVICES_MOST; list->count++) list->index[list->count] = list->count;
}
