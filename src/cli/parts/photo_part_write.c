/* SPDX-License-Identifier: MIT
 *
 * photo_part_write.c - writes the mask of a photo in parts. Part 0 creates the file, under a temporary name, and all
 * parts write their own rows to it. Where that is impossible, the others send their rows to part 0 (job_part_relay.c),
 * which writes all. The file gets its name after the rows of all parts are on the disk.
 */
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "photo_part.h"
#include "pixel.h"
#include "sha256.h"

/* ---- The file --------------------------------------------------------------------------------- */

enum { NAME_WORDS = 4 };

/* Says how to open the file; part 0 sends it to all. together: 1 if all parts can write to the file; file: its
 * descriptor; name: its temporary name. */
typedef struct way {
    int64_t together, file;
    int64_t name[NAME_WORDS];
} way;

static int create(photo_part *own, way *how)
{
    const job *const j = own->part.job;
    STEP(region_create(j->files.mask, j->request->style->format, &own->by_rows, &own->writer, &own->part.why));
    const char *const name = region_shared_as(own->writer);
    how->together = name && strlen(name) < sizeof how->name;
    how->file = region_descriptor(own->writer);
    if (how->together) memcpy(how->name, name, strlen(name));
    return EXIT_DONE;
}

/* Opens the file that part 0 created. Returns false if it is not visible from this machine. */
static bool join(photo_part *own, const way *how)
{
    const job *const j = own->part.job;
    char name[sizeof how->name + 1] = "";
    if (own->part.request->parts) { /* threads of one process */
        own->mask_file = (int)how->file;
        return true;
    }
    memcpy(name, how->name, sizeof how->name);
    if (own->part.exchange->part != 0 && !region_join(j->files.mask, j->request->style->format, name, &own->writer))
        return false;
    own->mask_file = region_descriptor(own->writer);
    return true;
}

int photo_part_open_mask(photo_part *own)
{
    job_part *const p = &own->part;
    const char *const mask = p->job->files.mask;
    way how = {0};
    int64_t *const words = (int64_t *)(void *)&how;
    int64_t blind = 0;
    if (!mask) return EXIT_DONE;
    if (p->exchange->part == 0) STEP(create(own, &how));
    if (!job_part_sum(p, words, sizeof how / sizeof *words)) return p->status;
    own->together = how.together;
    if (!own->together) return EXIT_DONE;
    blind = !join(own, &how);
    if (!job_part_sum(p, &blind, 1)) return p->status;
    own->together = !blind;
    if (blind && p->exchange->part == 0)
        note(&p->job->run.notes, "%s: lies where not all machines see it, so all rows go through the first", mask);
    return EXIT_DONE;
}

void photo_part_close_mask(photo_part *own)
{
    failure ignored;
    (void)region_finish(own->writer, own->part.status == EXIT_DONE, &ignored);
    own->writer = NULL;
}

/* ---- Writing ---------------------------------------------------------------------------------- */

/* Returns the head of the whole mask, with the density and place that are to be written. */
static image_view head_of(const job_part *p)
{
    const image *const photo = &p->job->photo;
    image_view head = {.width = photo->width, .height = p->layers, .channels = 1, .depth = 8,
                       .threads = job_part_threads(p, true)};
    if (p->job->request->style->bare) return head;
    memcpy(head.density, photo->density, sizeof head.density);
    if (photo->place.placed) head.place = &photo->place;
    return head;
}

/* Returns the mask of the part's own rows. */
static const uint8_t *own_mask(const job_part *p)
{
    return p->job->mask + (size_t)(p->first - p->from) * (size_t)p->job->photo.width;
}

static int write_together(photo_part *own)
{
    job_part *const p = &own->part;
    const job_style *const style = p->job->request->style;
    const image_view head = head_of(p);
    const region_team team = {
        .part = p->exchange->part, .parts = p->exchange->parts, .width = head.width, .height = head.height,
        .first = p->first, .rows = p->rows, .fewest = p->layers / p->exchange->parts, .pixels = own_mask(p),
        .flip = style->invert ? 0xff : 0, .tiles = own->tiles, .place = head.place,
        .density = {head.density[0], head.density[1]}, .threads = job_part_threads(p, false), .context = p,
        .sum = job_part_sums, .swap = job_part_swaps};
    return region_write_together(p->job->files.mask, style->format, own->mask_file, &team, &p->why);
}

/* ---- All rows through part 0 ------------------------------------------------------------------- */

static int write_rows(photo_part *own, relay *r, uint8_t *row)
{
    job_part *const p = &own->part;
    const size_t width = (size_t)p->job->photo.width;
    const uint8_t flip = p->job->request->style->invert ? 0xff : 0;
    const image_view head = head_of(p);
    STEP(region_begin(own->writer, &head, &p->why));
    for (int y = 0; y < head.height; y++) {
        STEP(relay_take(r, row, width));
        for (size_t x = 0; x < width; x++) row[x] ^= flip;
        STEP(region_write(own->writer, row, &p->why));
    }
    return EXIT_DONE;
}

/* Gathers the whole mask, and makes its file in memory. */
static int write_whole(photo_part *own, relay *r)
{
    job_part *const p = &own->part;
    const image *const rows = &p->job->photo;
    const image whole = {.width = rows->width, .height = p->layers, .place = rows->place,
                         .density = {rows->density[0], rows->density[1]}};
    uint8_t *const mask = malloc(image_area(&whole));
    bytes file = {0};
    int status = mask ? relay_take(r, mask, image_area(&whole))
                      : fail(&p->why, EXIT_RESOURCES, "%s: not enough memory to write its mask", p->job->files.photo);
    if (!status) status = job_encode_mask(p->job, &whole, mask, &file, &p->why);
    if (!status) status = region_put(own->writer, &file, &p->why);
    free(mask);
    bytes_free(&file);
    return status;
}

/* Sends all rows to part 0, which writes them. */
static int write_relayed(photo_part *own)
{
    job_part *const p = &own->part;
    const size_t width = (size_t)p->job->photo.width;
    uint8_t *const row = malloc(width);
    relay r;
    int status = relay_begin(&r, p, own_mask(p), width);
    if (!row) status = fail(&p->why, EXIT_RESOURCES, "%s: not enough memory to write", p->job->files.photo);
    if (!status && p->exchange->part == 0) status = own->by_rows ? write_rows(own, &r, row) : write_whole(own, &r);
    status = relay_end(&r, status);
    free(row);
    return status;
}

/* Computes the SHA-256 of the mask for --json. The parts add their rows one after the other; each sends the state of
 * the hash to the next. */
static int hash(job_part *p)
{
    union {
        sha256_sum sum;
        int64_t words[(sizeof(sha256_sum) + 7) / 8];
    } state;
    const size_t width = (size_t)p->job->photo.width, words = sizeof state / sizeof *state.words;
    if (!p->job->files.json) return EXIT_DONE;
    sha256_begin(&state.sum);
    for (int i = 0; i < p->exchange->parts; i++) {
        if (i == p->exchange->part) sha256_add(&state.sum, own_mask(p), (size_t)p->rows * width);
        else memset(&state, 0, sizeof state);
        if (!job_part_sum(p, state.words, words)) return p->status;
    }
    sha256_end(&state.sum, p->job->run.mask_sha256);
    return EXIT_DONE;
}

int photo_part_write(photo_part *own)
{
    job *const j = own->part.job;
    const double start = machine_ms();
    STEP(hash(&own->part));
    j->run.parts.together = own->together;
    if (j->files.mask) STEP(own->together ? write_together(own) : write_relayed(own));
    j->run.write_ms = machine_ms() - start;
    return EXIT_DONE;
}

int photo_part_finish(job *j, failure *why)
{
    photo_part *const own = j->part;
    const int status = region_finish(own->writer, true, why);
    own->writer = NULL;
    if (j->mask_out) j->mask_out->done = !status;
    return status;
}
