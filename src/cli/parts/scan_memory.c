/* SPDX-License-Identifier: MIT
 *
 * scan_memory.c - what parts of a volume take of memory, all at once or in turn, and how many parts would fit.
 */
#include <inttypes.h>
#include <string.h>

#include "file.h"
#include "scan_parts.h"
#include "tilecut_parts.h"

enum { TILE = 32, MB = 1 << 20 };

/* Bytes a voxel that a part takes which works while others wait; voxels come to it. A slice is cut in whole tiles. */
enum { WORK_BYTES = 80 };

/* Bytes a voxel of the whole that stay when parts wait: which are reached. And labels, as such and as they are written,
 * when all have been cut. */
enum { RESTING_EIGHTHS = 4, WRITTEN_BYTES = 2 };

/* Bytes a voxel of a slice: what a part has of its borders; and what it takes whatever its size. Measured were 0.45 MB
 * of the latter; the program itself takes BASE_BYTES. */
enum { BORDER_BYTES = 28, PART_BYTES = 1 << 20, BASE_BYTES = 12 << 20 };

/* Slices of a strip, of both parts, and bytes for each of its voxels. */
enum { STRIP_SLICES = 64, STRIP_BYTES = 50 };

/* What 26 neighbours send and receive for a voxel of a rim: nine numbers each. They have no strips. */
enum { ACROSS_BYTES = 2 * 9 * 4 };

static uint64_t padded(const scan_extent *e)
{
    const uint64_t across = (uint64_t)(e->width + TILE - 1) / TILE, down = (uint64_t)(e->height + TILE - 1) / TILE;
    return across * down * TILE * TILE;
}

static uint64_t slice_of(const scan_extent *e)
{
    return (uint64_t)e->width * (uint64_t)e->height;
}

/* Slices along a border that are solved together (src/parts/strips.h); parts in turn have none. */
static uint64_t strips_of(const scan_extent *e, int parts)
{
    const int own = e->depth / parts, slices = own < STRIP_SLICES ? own : STRIP_SLICES;
    return (uint64_t)(parts - 1) * (uint64_t)slices * slice_of(e) * STRIP_BYTES;
}

/* Rims are cut twice. */
static uint64_t at_once(const scan_extent *e, int parts, bool wide)
{
    const uint64_t rims = 2 * (uint64_t)(parts - 1) * slice_of(e), voxels = slice_of(e) * (uint64_t)e->depth;
    const uint64_t across = wide ? rims * ACROSS_BYTES : strips_of(e, parts);
    return scan_job_need(voxels, e->voxel, rims, wide) + voxels + rims + across + (uint64_t)parts * PART_BYTES;
}

static uint64_t in_turn(const scan_extent *e, int parts, bool wide)
{
    const uint64_t slices = (uint64_t)((e->depth + parts - 1) / parts + 2), voxels = slice_of(e) * (uint64_t)e->depth;
    const uint64_t cut = WORK_BYTES + (wide ? SCAN_WIDE_BYTES : 0), borders = BORDER_BYTES + (wide ? ACROSS_BYTES : 0);
    const uint64_t work = slices * (slice_of(e) * e->voxel + padded(e) * cut);
    const uint64_t rest = padded(e) * (uint64_t)e->depth * RESTING_EIGHTHS / 8;
    const uint64_t most = work + rest > WRITTEN_BYTES * voxels ? work + rest : WRITTEN_BYTES * voxels;
    return most + (uint64_t)parts * (PART_BYTES + borders * slice_of(e)) + BASE_BYTES;
}

/* How large the volume is. What is wrong with it is for those to say who read it. */
static bool measure(const scan_job *j, scan_extent *out)
{
    image_limits limits;
    const scan_wish wish = scan_job_wish(j->base->request->inputs, j->options, true, &limits);
    limits.max_bytes = 0;
    return scan_measure(j->base->files.photo, &wish, out);
}

uint64_t scan_parts_need(const scan_extent *e, int parts, bool wide)
{
    return at_once(e, parts, wide);
}

bool scan_must_take_turns(const scan_job *j)
{
    scan_extent e;
    if (j->parts < 2 || j->preview || j->on_gpu || !measure(j, &e) || e.depth < j->parts) return false;
    return at_once(&e, j->parts, scan_job_is_wide(j)) > inputs_memory(j->base->request->inputs);
}

int scan_check_turns(const scan_job *j, failure *why)
{
    const inputs *const in = j->base->request->inputs;
    const uint64_t room = inputs_memory(in);
    const int parts = j->parts;
    scan_extent e;
    if (!measure(j, &e)) return EXIT_DONE;
    const uint64_t need = in_turn(&e, parts, scan_job_is_wide(j));
    const int most = (e.depth + parts - 1) / parts;
    run_stage(&j->base->run, "parts", 0, "%d, each with %d or %d slices, in turn; about %.0f MB of memory", parts,
              e.depth / parts, most, (double)need / 1e6);
    if (need <= room) return EXIT_DONE;
    return fail(why, EXIT_RESOURCES, "%s: %d parts of %d slices, in turn, take about %.0f MB of memory, but %.0f MB %s",
                file_input_name(j->base->files.photo), parts, most, (double)need / 1e6, (double)room / 1e6,
                in->max_memory ? "are allowed by --max-memory" : "are free");
}

void scan_advise(const scan_job *j, failure *why)
{
    enum { MOST = 256 };
    const uint64_t room = inputs_memory(j->base->request->inputs);
    const failure before = *why;
    failure ignored = {0};
    scan_job in_parts = *j;
    scan_extent e;
    in_parts.parts = 2;
    if (j->preview || j->on_gpu || strlen(before.text) > sizeof before.text / 2) return;
    if (scan_parts_check(&in_parts, &ignored) || !measure(j, &e)) return;
    for (int parts = 2; parts <= MOST && parts <= e.depth; parts++) {
        const uint64_t megabytes = (in_turn(&e, parts, scan_job_is_wide(j)) + MB - 1) / MB;
        if (megabytes > room / MB) continue;
        (void)fail(why, before.status, "%s; --parts %d --max-memory %" PRIu64 "M cuts it in parts, from disk",
                   before.text, parts, megabytes);
        return;
    }
}
