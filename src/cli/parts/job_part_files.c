/* SPDX-License-Identifier: MIT
 *
 * job_part_files.c - checks that all parts of a photo, which may run on several machines, read the same files and have
 * the same seeds. Only samples of the files are compared; src/parts compares the rows at the borders of parts.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "file.h"
#include "job_part.h"
#include "sha256.h"

/* Hashes a file's size, and samples from its beginning to its end. */
static int hash_file(const char *name, uint64_t *hash, failure *why)
{
    enum { SAMPLES = 64, SAMPLE = 4096 };
    FILE *const file = fopen(name, "rb");
    uint8_t sample[SAMPLE];
    if (!file) return file_open_failed(name, errno, why);
    if (fseeko(file, 0, SEEK_END) != 0) {
        fclose(file);
        return fail(why, EXIT_INPUT, "%s: cannot be read at any place; parts need a file", name);
    }
    const off_t size = ftello(file), step = size / SAMPLES;
    for (int i = 0; i <= SAMPLES; i++) {
        const off_t at = i < SAMPLES ? i * step : size > SAMPLE ? size - SAMPLE : 0;
        const size_t got = fseeko(file, at, SEEK_SET) == 0 ? fread(sample, 1, SAMPLE, file) : 0;
        *hash = fnv_on(*hash, sample, got);
    }
    *hash = fnv_on(*hash, &size, sizeof size);
    fclose(file);
    return EXIT_DONE;
}

/* Hashes the strokes, the box, the options and the files of seeds. */
static int hash_seeds(const inputs *in, uint64_t *hash, failure *why)
{
    const seeds_request *const r = &in->request;
    int status = EXIT_DONE;
    for (int i = 0; !status && i < in->files.count; i++) {
        *hash = fnv_on(*hash, &in->formats[i], sizeof in->formats[i]);
        if (strcmp(in->files.items[i], "-")) status = hash_file(in->files.items[i], hash, why);
    }
    for (int i = 0; i < r->stroke_count; i++) {
        const seeds_stroke *const stroke = &r->strokes[i];
        *hash = fnv_on(*hash, &stroke->foreground, sizeof stroke->foreground);
        *hash = fnv_on(*hash, stroke->points,
                       (stroke->spatial ? 3 : 2) * (size_t)stroke->count * sizeof *stroke->points);
    }
    *hash = fnv_on(*hash, r->box, r->box_given ? sizeof r->box : 0);
    *hash = fnv_on(*hash, r->volume_box, r->volume_box_given ? sizeof r->volume_box : 0);
    *hash = fnv_on(*hash, &r->brush, sizeof r->brush);
    *hash = fnv_on(*hash, &r->format, sizeof r->format);
    *hash = fnv_on(*hash, &r->conflict, sizeof r->conflict);
    return status;
}

int job_part_compare_files(job_part *p)
{
    const job_division *const r = p->request;
    uint64_t hash[] = {FNV_START, FNV_START};
    int64_t own[2], first[2], other[2];
    int status = hash_file(r->job->files.photo, &hash[0], &p->why);
    if (!status) status = hash_seeds(r->job->request->inputs, &hash[1], &p->why);
    if (status) return status;
    for (int i = 0; i < 2; i++) {
        own[i] = (int64_t)(hash[i] >> 12);
        first[i] = p->exchange->part == 0 ? own[i] : 0;
    }
    if (!job_part_sum(p, first, 2)) return p->status; /* `first` is now what part 0 has hashed */
    for (int i = 0; i < 2; i++) other[i] = first[i] != own[i];
    if (!job_part_sum(p, other, 2)) return p->status;
    if (other[0])
        return fail(&p->why, EXIT_INPUT, "%s: is not the same file for all parts; copy it to all machines again",
                    r->job->files.photo);
    if (!other[1]) return EXIT_DONE;
    return fail(&p->why, EXIT_INPUT, "%s: its seeds are not the same for all parts; give all the same options, and "
                "copy files of seeds to all machines again", r->job->files.photo);
}
