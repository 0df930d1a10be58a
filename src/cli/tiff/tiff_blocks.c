/* SPDX-License-Identifier: MIT
 *
 * tiff_blocks.c - writes a TIFF or BigTIFF from several parts together (TIFF 6.0, and Adobe's technical notes for
 * Deflate). libtiff can write a file from one process only, so header, directory and compressed blocks are written
 * here.
 *
 * A block is a strip or a tile. Each part compresses the blocks whose first row is one of its own rows; if the last of
 * these blocks needs more rows, they come from the part below. The directory comes first in the file, with room for a
 * list of the offsets and a list of the sizes of all blocks; each part fills in the entries of its blocks. Then follow
 * the compressed blocks. They are written in rounds: in each round, every part sends the others the number of bytes
 * that it has ready, so that all parts know where to write.
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "deflate.h"
#include "file_write.h"
#include "image_tiff.h"
#include "numbers.h"
#include "region.h"

enum {
    STRIP = 1 << 18,  /* bytes of a strip before compression; a single longer row is also a strip */
    TILE = 256,       /* columns and rows of a tile; fewer rows if a part is smaller */
    ROUND = 1 << 22,  /* compressed bytes that a part collects before it writes them */
    LEVEL = 1,        /* prefers speed to size, as for masks that one part writes */
    MOST_LANES = 64,
    BIG = 3           /* a file with more GiB of pixels than this becomes a BigTIFF */
};

enum { SHORT = 3, LONG = 4, RATIONAL = 5, DOUBLE = 12, LONG8 = 16 };

typedef struct packing {
    const region_team *team;
    const char *name;
    int file;
    bool big, tiled;
    int64_t width, rows;      /* size of a block                                     */
    int64_t across;           /* blocks side by side                                 */
    int64_t blocks;           /* number of blocks in the picture */
    int64_t next, end;        /* the next block that this part must compress, and the end of its blocks */
    int64_t lists, data;      /* where the lists of offsets and sizes, and the blocks, begin in the file */
    geo_tag tag[2 + GEO_TAGS]; /* tags with values of their own: the density, then the place on earth */
    uint8_t dense[2][8];      /* the values of the density, as they are in the file */
    double geo_room[GEO_ROOM];
    int dense_count, tags;    /* tags of the density: 0 or 2; all tags */
    int64_t values;           /* offset in the file of the values of `tag` */
    /* the first rows of the part below, fewer than `rows`; then room for received rows that are not used */
    uint8_t *below;
    int lanes;                /* number of blocks that are compressed at the same time */
    uint8_t *block;           /* [lanes][rows][width]                                */
    uint8_t *lane;            /* [lanes][bound] packed blocks                        */
    uLongf length[MOST_LANES]; /* lengths of the compressed blocks; 0: memory ran out */
    size_t bound;
    uint8_t *packed;          /* [room]                                              */
    size_t room, held;
    uint8_t *places, *sizes;  /* entries of the two lists for this round, as they are in the file */
    int64_t from;             /* first block of this round */
} packing;

/* ---- Layout ----------------------------------------------------------------------------------- */

static int64_t over(int64_t count, int64_t each)
{
    return (count + each - 1) / each;
}

static size_t word(const packing *k)
{
    return k->big ? 8 : 4;
}

enum { ENTRIES_STRIPS = 10, ENTRIES_TILES = 11 };

static int entries(const packing *k)
{
    return (k->tiled ? ENTRIES_TILES : ENTRIES_STRIPS) + k->tags + (k->dense_count ? 1 : 0);
}

static int64_t tag_size(const geo_tag *tag)
{
    return (int64_t)tag->count * (tag->type == DOUBLE || tag->type == RATIONAL ? 8 : tag->type == SHORT ? 2 : 1);
}

/* Chooses the size of blocks so that each lies in at most two parts, and finds the blocks that this part compresses. */
static void assign_blocks(packing *k)
{
    const region_team *const t = k->team;
    const int64_t most = t->fewest < TILE ? t->fewest / 16 * 16 : TILE; /* the sides of tiles are multiples of 16 */
    const int64_t strip = t->width < STRIP ? STRIP / t->width : 1;
    k->tiled = t->tiles && most > 0;
    k->width = k->tiled ? most : t->width;
    k->rows = k->tiled ? most : strip < t->fewest ? strip : t->fewest;
    k->across = over(t->width, k->width);
    k->blocks = k->across * over(t->height, k->rows);
    k->next = over(t->first, k->rows) * k->across;
    k->end = over(t->first + t->rows, k->rows) * k->across;
    k->big = t->width * t->height > (int64_t)BIG << 30;
    k->lists = k->big ? 16 + 8 + 20 * (int64_t)entries(k) + 8 : 8 + 2 + 12 * (int64_t)entries(k) + 4;
    k->values = over(k->lists, 8) * 8;
    k->lists = k->values;
    for (int i = 0; i < k->tags; i++) k->lists += over(tag_size(&k->tag[i]), 8) * 8;
    k->data = k->lists + 2 * k->blocks * (int64_t)word(k);
}

/* ---- Packing ---------------------------------------------------------------------------------- */

static const uint8_t *row_of(const packing *k, int64_t y)
{
    const region_team *const t = k->team;
    return y < t->first + t->rows ? t->pixels + (y - t->first) * t->width
                                  : k->below + (y - t->first - t->rows) * t->width;
}

/* Fills `block` with pixels. Pixels outside of the picture become background. Returns the number of rows. */
static int64_t fill_block(const packing *k, int64_t number, uint8_t *block)
{
    const region_team *const t = k->team;
    const int64_t x = number % k->across * k->width, y = number / k->across * k->rows;
    const int64_t columns = t->width - x < k->width ? t->width - x : k->width;
    const int64_t rows = t->height - y < k->rows ? t->height - y : k->rows;
    memset(block, t->flip, (size_t)(k->rows * k->width));
    for (int64_t i = 0; i < rows; i++) {
        uint8_t *const to = block + i * k->width;
        memcpy(to, row_of(k, y + i) + x, (size_t)columns);
        for (int64_t c = 0; c < columns; c++) to[c] ^= t->flip;
    }
    return k->tiled ? k->rows : rows;
}

/* Compresses block number k->next + lane. */
static void pack_lane(void *context, int lane)
{
    packing *const k = context;
    uint8_t *const block = k->block + (size_t)lane * (size_t)(k->rows * k->width);
    const int64_t rows = fill_block(k, k->next + lane, block);
    k->length[lane] = k->bound;
    if (compress2(k->lane + (size_t)lane * k->bound, &k->length[lane], block, (uLong)(rows * k->width), LEVEL) != Z_OK)
        k->length[lane] = 0;
}

/* Compresses blocks of this part until there are enough bytes for a round. Offsets count from the first byte of the
 * round. */
static int pack(packing *k, failure *why)
{
    const size_t w = word(k);
    k->held = 0;
    k->from = k->next;
    while (k->next < k->end && k->held < ROUND) {
        const int some = k->end - k->next < k->lanes ? (int)(k->end - k->next) : k->lanes;
        deflate_share(k->team->threads, some, pack_lane, k);
        for (int lane = 0; lane < some; lane++, k->next++) {
            const size_t at = (size_t)(k->next - k->from) * w, length = k->length[lane];
            if (!length) return fail(why, EXIT_RESOURCES, "%s: not enough memory to pack it", k->name);
            memcpy(k->packed + k->held, k->lane + (size_t)lane * k->bound, length);
            put_little_endian(k->places + at, k->held, w);
            put_little_endian(k->sizes + at, length, w);
            k->held += length;
        }
    }
    return EXIT_DONE;
}

/* Writes the blocks from pack() to the file, beginning at byte `at`, and their entries in the two lists. Returns 0 or
 * errno. */
static int write_round(const packing *k, int64_t at)
{
    const size_t w = word(k), length = (size_t)(k->next - k->from) * w;
    const int64_t list = k->lists + k->from * (int64_t)w;
    for (size_t i = 0; i < length; i += w)
        put_little_endian(k->places + i, little_endian(k->places + i, w) + (uint64_t)at, w);
    int error = file_write_at(k->file, k->packed, k->held, at);
    if (!error) error = file_write_at(k->file, k->places, length, list);
    if (!error) error = file_write_at(k->file, k->sizes, length, list + k->blocks * (int64_t)w);
    return error;
}

/* Compresses and writes in rounds until all blocks are written. ready: [parts + 1], the compressed bytes of each part,
 * and then the number of remaining blocks. */
static int write_blocks(packing *k, int64_t *ready, failure *why)
{
    const region_team *const t = k->team;
    int64_t at = k->data, left = 1;
    while (left) {
        const int status = pack(k, why);
        if (status) return status;
        memset(ready, 0, ((size_t)t->parts + 1) * sizeof *ready);
        ready[t->part] = (int64_t)k->held;
        ready[t->parts] = k->end - k->next;
        if (t->sum(t->context, ready, (size_t)t->parts + 1)) return EXIT_RUNTIME;
        int64_t own = at;
        for (int i = 0; i < t->part; i++) own += ready[i];
        for (int i = 0; i < t->parts; i++) at += ready[i];
        left = ready[t->parts];
        if (!k->big && at > UINT32_MAX)
            return fail(why, EXIT_RUNTIME, "%s: not written: larger than a TIFF can be", k->name);
        const int error = write_round(k, own);
        if (error) return file_write_failed(k->name, error, why);
    }
    return EXIT_DONE;
}

/* ---- Directory -------------------------------------------------------------------------------- */

typedef struct directory {
    const packing *of;
    uint8_t text[16 + 8 + 20 * (ENTRIES_TILES + 3 + GEO_TAGS) + 8];
    size_t at;
    int64_t values; /* offset in the file of the values of the next tag */
} directory;

static void add_tag(directory *d, uint64_t value, size_t many)
{
    put_little_endian(d->text + d->at, value, many);
    d->at += many;
}

static void entry(directory *d, int tag, int type, int64_t count, uint64_t value)
{
    const size_t w = word(d->of);
    add_tag(d, (uint64_t)tag, 2);
    add_tag(d, (uint64_t)type, 2);
    add_tag(d, (uint64_t)count, w);
    add_tag(d, value, w);
}

/* Adds the entry for a list with one value per block. If there is only one block, its value is stored in the entry
 * itself; that block belongs to the first part, which writes the directory and so knows the value. */
static void list(directory *d, int tag, const uint8_t *own, int64_t place)
{
    const packing *const k = d->of;
    entry(d, tag, k->big ? LONG8 : LONG, k->blocks, k->blocks == 1 ? little_endian(own, word(k)) : (uint64_t)place);
}

/* Adds the tags first .. end - 1. Values that do not fit into an entry are written between the directory and the
 * lists. */
static int add_tags(directory *d, int first, int end)
{
    const packing *const k = d->of;
    int error = 0;
    for (int i = first; i < end && !error; i++) {
        const geo_tag *const tag = &k->tag[i];
        const int64_t size = tag_size(tag);
        uint8_t own[8] = {0};
        const bool fits = size <= (int64_t)word(k);
        if (fits) memcpy(own, tag->values, (size_t)size);
        else error = file_write_at(k->file, tag->values, (size_t)size, d->values);
        entry(d, tag->number, tag->type, tag->count, fits ? little_endian(own, word(k)) : (uint64_t)d->values);
        d->values += over(size, 8) * 8;
    }
    return error;
}

static int write_directory(const packing *k, failure *why)
{
    const region_team *const t = k->team;
    const int64_t sizes = k->lists + k->blocks * (int64_t)word(k);
    directory d = {.of = k, .values = k->values};
    add_tag(&d, k->big ? 0x002b4949 : 0x002a4949, 4);
    if (k->big) add_tag(&d, 8, 4);
    add_tag(&d, k->big ? 16 : 8, word(k));
    add_tag(&d, (uint64_t)entries(k), k->big ? 8 : 2);
    entry(&d, 256, LONG, 1, (uint64_t)t->width);
    entry(&d, 257, LONG, 1, (uint64_t)t->height);
    entry(&d, 258, SHORT, 1, 8);
    entry(&d, 259, SHORT, 1, 8); /* Deflate */
    entry(&d, 262, SHORT, 1, 1); /* 0 is black */
    if (!k->tiled) list(&d, 273, k->places, k->lists);
    entry(&d, 277, SHORT, 1, 1);
    if (!k->tiled) entry(&d, 278, LONG, 1, (uint64_t)k->rows);
    if (!k->tiled) list(&d, 279, k->sizes, sizes);
    int error = add_tags(&d, 0, k->dense_count);
    entry(&d, 284, SHORT, 1, 1); /* samples together */
    if (k->dense_count) entry(&d, 296, SHORT, 1, 2); /* density in inches */
    if (k->tiled) entry(&d, 322, LONG, 1, (uint64_t)k->width);
    if (k->tiled) entry(&d, 323, LONG, 1, (uint64_t)k->rows);
    if (k->tiled) list(&d, 324, k->places, k->lists);
    if (k->tiled) list(&d, 325, k->sizes, sizes);
    if (!error) error = add_tags(&d, k->dense_count, k->tags);
    add_tag(&d, 0, word(k)); /* no other directory */
    if (!error) error = file_write_at(k->file, d.text, d.at, 0);
    return error ? file_write_failed(k->name, error, why) : EXIT_DONE;
}

/* ---- All of it -------------------------------------------------------------------------------- */

static bool alloc_packing(packing *k)
{
    const size_t size = (size_t)(k->rows * k->width), own = (size_t)(k->end - k->next) + 1;
    const int wanted = k->team->threads > 1 ? 2 * k->team->threads : 1;
    k->lanes = wanted < MOST_LANES ? wanted : MOST_LANES;
    k->bound = compressBound((uLong)size);
    k->room = ROUND + (size_t)k->lanes * k->bound;
    k->below = malloc((size_t)(2 * k->rows * k->team->width));
    k->block = malloc((size_t)k->lanes * size);
    k->lane = malloc((size_t)k->lanes * k->bound);
    k->packed = malloc(k->room);
    k->places = malloc(own * word(k));
    k->sizes = malloc(own * word(k));
    return k->below && k->block && k->lane && k->packed && k->places && k->sizes;
}

/* Receives the first rows of the part below, and sends this part's own first rows to the part above. The rows received
 * from above are not used. */
static bool get_rows(const packing *k)
{
    const region_team *const t = k->team;
    return t->swap(t->context, t->pixels, t->pixels, k->below + k->rows * t->width, k->below,
                   (size_t)((k->rows - 1) * t->width)) == 0;
}

/* Adds the tags for the density, in hundredths of a pixel per inch, as libtiff's writer here does. */
static void add_density(packing *k)
{
    const uint32_t *const density = k->team->density;
    for (int i = 0; density[0] && density[1] && i < 2; i++) {
        put_little_endian(k->dense[i], (uint64_t)(density[i] * 2.54 + 0.5), 4);
        put_little_endian(k->dense[i] + 4, 100, 4);
        k->tag[k->dense_count++] = (geo_tag){(uint16_t)(282 + i), RATIONAL, 1, k->dense[i]};
    }
}

int tiff_write_together(const region_team *team, const char *name, int file, failure *why)
{
    packing k = {.team = team, .name = name, .file = file};
    int64_t *const ready = malloc(((size_t)team->parts + 1) * sizeof *ready);
    int status = EXIT_DONE;
    if (!ready) return fail(why, EXIT_RESOURCES, "%s: not enough memory to write it", name);
    add_density(&k);
    k.tags = k.dense_count;
    if (team->place) k.tags += georeference_tags(team->place, k.geo_room, k.tag + k.dense_count);
    assign_blocks(&k);
    if (!alloc_packing(&k)) status = fail(why, EXIT_RESOURCES, "%s: not enough memory to write it", name);
    else if (!get_rows(&k)) status = EXIT_RUNTIME;
    if (!status) status = write_blocks(&k, ready, why);
    if (!status && team->part == 0) status = write_directory(&k, why);
    free(ready);
    free(k.below);
    free(k.block);
    free(k.lane);
    free(k.packed);
    free(k.places);
    free(k.sizes);
    return status;
}
