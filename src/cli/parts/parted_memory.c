/* SPDX-License-Identifier: MIT
 *
 * parted_memory.c - estimates the memory that parts of a photo take, all at once or in turn, and how many would fit.
 */
#include <inttypes.h>
#include <string.h>

#include "parted.h"
#include "region.h"
#include "tilecut.h"

/* What parts keep in memory while others work: bytes per pixel, for seeds, masks and marks of reached pixels; and bytes
 * per part, most of them for its table of colours. */
enum { RESTING_BYTES = 6, RESTING_PART = 12 << 20 };

/* The program itself and its libraries. */
enum { PROGRAM = 5 << 20 };

/* The most rows of a strip along a border, which parts solve if all are in memory, and its bytes per pixel with 4 and
 * with 8 neighbours (src/parts/strips.h). */
enum { STRIP_ROWS = 512, STRIP_BYTES = 28, STRIP_BYTES_8 = 44 };

/* The bytes that one part of `rows` rows takes, halo included: for the cut, or for reading, as some formats must be
 * read as a whole, whichever is more. */
static uint64_t need_of(const inputs *in, int connectivity, const region_shape *shape, int64_t rows)
{
    const image part = {.width = (int)shape->width, .height = (int)rows, .channels = shape->channels,
                        .depth = shape->depth};
    const uint64_t row = (uint64_t)shape->width * (uint64_t)shape->channels * (uint64_t)(shape->depth / 8);
    const uint64_t cut = inputs_need(in, &part, connectivity), all = row * (uint64_t)(shape->height + rows);
    return shape->rows_are_free || cut > all ? cut : all;
}

/* The bytes of the strip of a part of `rows` rows, which it has only if all parts are in memory at once. */
static uint64_t strip_of(int connectivity, int64_t width, int64_t rows)
{
    const int64_t some = rows < STRIP_ROWS ? rows : STRIP_ROWS;
    return (uint64_t)(some * width) * (connectivity == 8 ? STRIP_BYTES_8 : STRIP_BYTES);
}

/* The bytes of one part of `rows` own rows, if all parts are in memory at once. */
static uint64_t at_once(const inputs *in, int connectivity, const region_shape *shape, int parts, int64_t rows)
{
    const int64_t halo = parts < 3 ? parts - 1 : 2;
    return need_of(in, connectivity, shape, rows + halo) +
           (parts == 1 ? 0 : strip_of(connectivity, shape->width, rows));
}

/* The bytes of all parts in turn: `need` for the one that works, and what all keep, in->beside bytes per pixel among
 * it. */
static uint64_t in_turn(const inputs *in, const region_shape *shape, uint64_t need, int parts)
{
    const uint64_t pixels = (uint64_t)shape->width * (uint64_t)shape->height;
    return need + (RESTING_BYTES + in->beside) * pixels + (uint64_t)parts * RESTING_PART;
}

int parted_check_memory(parted *p)
{
    const parted_request *const r = p->request;
    const int parts = p->exchange->parts, number = p->exchange->part, here = r->parts ? parts : 1;
    const region_shape whole = {.width = p->width, .height = p->height, .channels = p->channels, .depth = p->depth,
                                .rows_are_free = p->rows_are_free};
    const int connectivity = r->model->connectivity;
    const uint64_t room = inputs_memory(r->in);
    const uint64_t need = p->seat ? need_of(r->in, connectivity, &whole, p->count)
                                  : at_once(r->in, connectivity, &whole, parts, p->rows);
    const uint64_t all = p->seat ? in_turn(r->in, &whole, need, here)
                                 : (need + RESTING_PART) * (uint64_t)here + PROGRAM;
    run_stage(&p->run, "part", 0, "%d of %d: rows %d to %d%s, about %.0f MB of memory%s", number, parts, p->first,
              p->first + p->rows - 1, p->seat ? ", in turn with the others" : "", (double)all / 1e6,
              here > 1 ? " for all" : "");
    if (all <= room) return EXIT_DONE;
    return fail(&p->why, EXIT_RESOURCES, "%s: %d part%s of %d rows%s take about %.0f MB of memory, but %.0f MB %s; "
                "use more %s", r->photo, here, here == 1 ? "" : "s", p->rows, p->seat ? ", in turn," : " here",
                (double)all / 1e6, (double)room / 1e6, r->in->max_memory ? "are allowed by --max-memory" : "are free",
                p->seat && need > all / 2 ? "parts" : "machines");
}

/* Reads the shape of a photo that can be read by rows. Returns false for others; the parts report what is wrong. */
static bool shape_of(const inputs *in, const char *photo, region_shape *shape)
{
    failure ignored;
    region_reader *reader;
    if (region_open(photo, in->request.limits.exif_ignore, shape, &reader, &ignored) != EXIT_DONE) return false;
    region_close(reader);
    return true;
}

bool parted_must_take_turns(const parted_request *r)
{
    const int connectivity = r->model->connectivity;
    region_shape shape;
    if (!shape_of(r->in, r->photo, &shape)) return false;
    const int64_t most = (shape.height + r->parts - 1) / r->parts; /* rows of a part */
    const uint64_t need = at_once(r->in, connectivity, &shape, r->parts, most);
    return (uint64_t)r->parts * (need + RESTING_PART) + PROGRAM > inputs_memory(r->in);
}

void parted_advise(const inputs *in, int connectivity, const char *photo, failure *why)
{
    enum { MOST = 256, MB = 1 << 20 };
    const uint64_t room = inputs_memory(in);
    const size_t length = strlen(why->text);
    const failure before = *why;
    region_shape shape;
    if (!strcmp(photo, "-") || length > sizeof why->text / 2 || !shape_of(in, photo, &shape)) return;
    for (int parts = 2; parts <= MOST && parts <= shape.height; parts++) {
        const uint64_t need = need_of(in, connectivity, &shape, (shape.height + parts - 1) / parts + 2);
        const uint64_t megabytes = (in_turn(in, &shape, need, parts) + MB - 1) / MB;
        if (megabytes > room / MB) continue;
        (void)fail(why, before.status, "%s; --parts %d --max-memory %" PRIu64 "M cuts it in parts, from disk",
                   before.text, parts, megabytes);
        return;
    }
}
