/* SPDX-License-Identifier: MIT
 *
 * scan_memory.c - estimates the memory that parts of a volume take, all at once or in turn, and how many would fit.
 */
#include <inttypes.h>
#include <string.h>

#include "file.h"
#include "scan_parts.h"
#include "tilecut_parts.h"

enum { MB = 1 << 20 };

/* Eighths of a byte (bits) per voxel, halos included, that parts keep while they wait: marks of reached voxels, of
 * excess and of room to the sink. */
enum { RESTING_EIGHTHS = 4 };

/* Bytes that a waiting part keeps: during learning its tables (up to 0.79 MB were measured); later its borders, per
 * voxel of a slice, and beside them the costs of links and some pages of its file (0.27 MB, with 26 neighbours 0.78
 * MB). */
enum { LEARNING_BYTES = 800000, WAITING_BYTES = 300000, WIDE_WAITING_BYTES = 800000 };

/* Bytes that a part of any size takes, if all are cut at once. */
enum { PART_BYTES = 1 << 20 };

static uint64_t slice_of(const scan_extent *e)
{
    return (uint64_t)e->width * (uint64_t)e->height;
}

/* Bytes of all strips: slices along a border that two parts solve together. Parts in turn have none. */
static uint64_t strips_of(const scan_extent *e, int parts)
{
    return (uint64_t)(parts - 1) * (uint64_t)scan_strip_slices(e->depth / parts) * slice_of(e) * SCAN_STRIP_BYTES;
}

/* Bytes of all parts at once. Slices of halos belong to two parts, so they count twice. */
static uint64_t at_once(const scan_extent *e, int parts, bool wide)
{
    const uint64_t halos = 2 * (uint64_t)(parts - 1), slices = (uint64_t)e->depth + halos;
    const uint64_t borders = halos * slice_of(e) * (wide ? SCAN_WIDE_BORDER_BYTES : SCAN_BORDER_BYTES) / 2;
    const uint64_t labels = slices * slice_of(e), strips = wide ? 0 : strips_of(e, parts);
    return scan_job_need(e, slices, wide) + labels + borders + strips + (uint64_t)parts * PART_BYTES;
}

static uint64_t in_turn(const scan_extent *e, int parts, bool wide)
{
    const uint64_t slices = (uint64_t)((e->depth + parts - 1) / parts + 2);
    const uint64_t tiled = scan_tiled_slice(e->width, e->height);
    const uint64_t rest = tiled * (uint64_t)(e->depth + 2 * (parts - 1)) * RESTING_EIGHTHS / 8;
    const uint64_t waiting = wide ? slice_of(e) * SCAN_WIDE_BORDER_BYTES + WIDE_WAITING_BYTES
                                  : slice_of(e) * SCAN_BORDER_BYTES + WAITING_BYTES;
    const uint64_t learning = (uint64_t)parts * LEARNING_BYTES; /* before there is a grid */
    const uint64_t solving = slices * tiled * (wide ? SCAN_WIDE_TILED_BYTES : SCAN_TILED_BYTES) +
                             (uint64_t)parts * waiting;
    return rest + (solving > learning ? solving : learning) + SCAN_BASE_BYTES;
}

/* Reads the size of the volume. Returns false if that fails; whoever reads the volume reports what is wrong. */
static bool measure(const scan_job *j, scan_extent *out)
{
    image_limits limits;
    const scan_reading reading = scan_job_reading(j->base->request->inputs, j->options, &limits);
    limits.max_bytes = 0;
    return scan_measure(j->base->files.photo, &reading, out);
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
