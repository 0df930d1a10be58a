/* SPDX-License-Identifier: MIT */
#include "label_parts.h"

#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "scan.h"

/* A part with its labels. */
typedef struct label_part {
    job_part part; /* must be first, so that a pointer to it is one to the label_part */
    const label_scene *scene;
    tilecut_params params;
    uint8_t *labels; /* of the whole */
    int number;
    tilecut_labels_report report;
} label_part;

int label_parts_check(int parts, const common *asked, failure *why)
{
    const char *const device = asked->device;
    if (!parts && !job_part_by_mpi()) return EXIT_DONE;
    if (parts && job_part_by_mpi())
        return fail(why, EXIT_USAGE, "--parts: under mpirun each process is one part; leave it out");
    if (parts > PARTS_MOST) return fail(why, EXIT_USAGE, "--parts: %d; up to %d are possible", parts, PARTS_MOST);
    if (devices_listed(device))
        return fail(why, EXIT_USAGE, "--device: %s lists GPUs; all parts of several labels are cut on one, name that",
                    device);
    return EXIT_DONE;
}

static int layers_of(const label_scene *s)
{
    return s->photo ? s->photo->height : s->volume->depth;
}

static size_t layer_of(const label_scene *s)
{
    return s->photo ? (size_t)s->photo->width : (size_t)s->volume->width * (size_t)s->volume->height;
}

static int check_layers(const label_scene *s, int parts, failure *why)
{
    const char *const what = s->photo ? "rows" : "slices";
    if (layers_of(s) >= parts) return EXIT_DONE;
    return fail(why, EXIT_USAGE, "%s: has %d %s, fewer than %d parts; use fewer parts", file_input_name(s->path),
                layers_of(s), what, parts);
}

/* Labels the part's own rows and their halo. */
static tilecut_status label_rows(label_part *own, uint8_t *labels)
{
    const label_scene *const s = own->scene;
    const tilecut_part part = job_part_of(&own->part);
    const size_t from = (size_t)own->part.from;
    const uint8_t *const painted = s->seeds + from * layer_of(s);
    own->report.size = sizeof own->report;
    if (s->photo) {
        const tilecut_image *const all = s->photo;
        const size_t row = (size_t)all->width * (size_t)all->channels * (size_t)(all->depth / 8);
        tilecut_image view = *all;
        view.height = own->part.count;
        view.pixels = (const char *)all->pixels + from * (all->stride ? all->stride : row);
        return tilecut_part_labels(&part, &view, painted, &own->params, s->how, labels, &own->report);
    }
    tilecut_volume view = *s->volume;
    view.depth = own->part.count;
    view.voxels = (const char *)view.voxels + from * layer_of(s) * scan_voxel_bytes(view.type) * (size_t)view.channels;
    return tilecut_part_volume_labels(&part, &view, painted, &own->params, s->how, labels, &own->report);
}

/* Sends the labels of all processes of mpirun to the first. Labels are summed as words, in which all processes but the
 * owner have 0. */
static void gather(label_part *own)
{
    enum { WORDS = 1 << 16 };
    const size_t layer = layer_of(own->scene), all = layer * (size_t)layers_of(own->scene);
    const size_t first = (size_t)own->part.first * layer, end = first + (size_t)own->part.rows * layer;
    static int64_t words[WORDS];
    memset(own->labels, 0, first);
    memset(own->labels + end, 0, all - end);
    for (size_t at = 0; at < all; at += sizeof words) {
        const size_t size = all - at < sizeof words ? all - at : sizeof words;
        words[(size - 1) / sizeof *words] = 0;
        memcpy(words, own->labels + at, size);
        if (!job_part_sum(&own->part, words, (size - 1) / sizeof *words + 1)) return;
        memcpy(own->labels + at, words, size);
    }
}

static void work(job_part *p)
{
    label_part *const own = (label_part *)(void *)p;
    const size_t layer = layer_of(own->scene);
    own->number = p->exchange->part;
    if (check_layers(own->scene, p->exchange->parts, &p->why)) {
        (void)job_part_leave(p, p->why.status);
        return;
    }
    job_part_share(p, layers_of(own->scene));
    uint8_t *const labels = malloc((size_t)p->count * layer);
    if (!labels) {
        (void)job_part_leave(p, fail(&p->why, EXIT_RESOURCES, "not enough memory for the labels of part %d",
                                      own->number));
        return;
    }
    const tilecut_status done = label_rows(own, labels);
    if (done == TILECUT_OK)
        memcpy(own->labels + (size_t)p->first * layer, labels + (size_t)(p->first - p->from) * layer,
               (size_t)p->rows * layer);
    else (void)job_part_fail_cut(p, done);
    free(labels);
    if (done == TILECUT_OK && job_part_by_mpi()) gather(own);
}

int label_parts_cut(const label_scene *s, int parts, uint8_t *labels, tilecut_labels_report *report, bool *first,
                    failure *why)
{
    const common quiet = {.quiet = true, .threads = s->params->threads};
    const job_request asked = {.common = &quiet};
    const job_files files = {.photo = s->path};
    job own_job = {.request = NULL};
    job_init(&own_job, &asked, &files);
    const job_division request = {.job = &own_job, .parts = parts, .report = s->report};
    label_part own = {.part = {.work = work}, .scene = s, .params = *s->params, .labels = labels};
    const bool ranks = job_part_by_mpi();
    *first = true;
    if (!ranks) {
        STEP(check_layers(s, parts, why));
        own.params.threads = s->params->threads > parts ? s->params->threads / parts : 1;
    }
    const int status = ranks ? job_part_by_ranks(&request, &own.part, why)
                             : job_part_by_threads(&request, &(part_threads){&own, sizeof own, false, work}, why);
    *first = own.number == 0;
    *report = own.report;
    if (!ranks) report->threads = s->params->threads;
    return status;
}
