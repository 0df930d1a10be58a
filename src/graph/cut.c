/* SPDX-License-Identifier: MIT
 *
 * cut.c - finds the canonical cut by a flood that goes backwards from all nodes with residual capacity to the sink.
 *
 * The flood works on bit rows. A tile has 32 words of labels and, for each direction, 32 words that say which links
 * have residual capacity. A visit floods one tile completely: it handles 32 pixels per instruction, and whole runs of a
 * row in log2(32) steps. If pixels at a tile's border change, its neighbours are visited again. The flood needs 1/2
 * byte a pixel (1 byte with 8 neighbours) besides the labels.
 */
#include "cut.h"

#include <stdlib.h>
#include <string.h>

#include "large.h"
#include "parallel.h"
#include "status.h"
#include "tile_board.h"

typedef tc_flood flood;

/* Reads residuals and excesses of one row of tiles into bit rows. */
static void scan_tile_row(const flood *f, int ty)
{
    const tc_grid *grid = f->grid;
    const tc_board_kernels *const kernel = tc_board_kernels_get();
    uint32_t *const sinks = f->sink ? f->sink : f->label, unread[TC_TILE] = {0};
    for (int tile = ty * grid->tiles_x; tile < (ty + 1) * grid->tiles_x; tile++) {
        const size_t p = (size_t)tile * TC_TILE_NODES;
        uint32_t(*const open)[TC_TILE] = f->open + (size_t)tile * (size_t)f->planes;
        for (int d = 0; d < f->planes; d += 4) {
            const tc_float4 *const four = (d ? grid->diagonal : grid->residual) + p;
            if (grid->by_rows) kernel->scan_link_rows(four->to, open + d);
            else kernel->scan_links(four, open + d);
        }
        const size_t row = (size_t)tile * TC_TILE;
        kernel->scan_excess(grid->excess + p, sinks + row, f->source ? f->source + row : unread);
    }
}

/* Begins the flood of one row of tiles: labels only the nodes with residual capacity to the sink. */
static void begin_tile_row(void *context, int ty)
{
    const flood *const f = context;
    const size_t words = (size_t)f->grid->tiles_x * TC_TILE, first = (size_t)ty * words;
    if (!f->stale || f->stale[ty]) scan_tile_row(f, ty);
    if (f->sink) memcpy(f->label + first, f->sink + first, words * sizeof *f->label);
}

static size_t ring_of(const flood *f)
{
    return (size_t)(f->end - f->first) * (size_t)f->grid->tiles_x;
}

static void wake(flood *f, int tile)
{
    if (f->queued[tile]) return;
    f->queued[tile] = 1;
    f->queue[(f->head + f->waiting++) % ring_of(f)] = tile;
}

/* The rows of a tile with a halo of one pixel from its neighbours: bit x + 1 of row[y + 1] is pixel (x, y). */
typedef struct window {
    uint64_t row[TC_TILE + 2];
} window;

static const uint64_t inside = (uint64_t)UINT32_MAX << 1;

/* Returns word `y` of tile (tx, ty), or 0 if the tile is not flooded. */
static uint64_t label_word(const flood *f, int tx, int ty, int y)
{
    const tc_grid *g = f->grid;
    if (tx < 0 || ty < f->first || tx >= g->tiles_x || ty >= f->end) return 0;
    return f->label[((size_t)ty * (size_t)g->tiles_x + (size_t)tx) * TC_TILE + (size_t)y];
}

static void open_window(const flood *f, int tile, window *w)
{
    const int tx = tile % f->grid->tiles_x, ty = tile / f->grid->tiles_x;
    for (int i = 0; i < TC_TILE + 2; i++) {
        const int up = i == 0, down = i == TC_TILE + 1;
        const int row = up ? TC_TILE - 1 : down ? 0 : i - 1;
        const int at = ty - up + down;
        w->row[i] = label_word(f, tx, at, row) << 1 | label_word(f, tx - 1, at, row) >> (TC_TILE - 1) |
                    (label_word(f, tx + 1, at, row) & 1) << (TC_TILE + 1);
    }
}

/* Extends the set bits of `set` through adjacent bits of `pass`, towards higher bits. By the method of Kogge and Stone,
 * a run of any length takes five steps. */
static inline uint64_t spread_up(uint64_t set, uint64_t pass)
{
    set |= pass & set << 1, pass &= pass << 1;
    set |= pass & set << 2, pass &= pass << 2;
    set |= pass & set << 4, pass &= pass << 4;
    set |= pass & set << 8, pass &= pass << 8;
    return set | (pass & set << 16);
}

static inline uint64_t spread_down(uint64_t set, uint64_t pass)
{
    set |= pass & set >> 1, pass &= pass >> 1;
    set |= pass & set >> 2, pass &= pass >> 2;
    set |= pass & set >> 4, pass &= pass >> 4;
    set |= pass & set >> 8, pass &= pass >> 8;
    return set | (pass & set >> 16);
}

/* Floods row i of the window from the rows above and below and along itself. Returns true if it changed. */
static inline bool flood_row(window *w, int i, const uint32_t open[][TC_TILE], int directions)
{
    const uint64_t above = w->row[i - 1], below = w->row[i + 1], before = w->row[i];
    uint64_t pass[8] = {0}, set = before;
    for (int d = 0; d < directions; d++) pass[d] = (uint64_t)open[d][i - 1] << 1;
    set |= (pass[TC_UP] & above) | (pass[TC_DOWN] & below);
    if (directions == 8)
        set |= (pass[TC_DOWN_RIGHT] & below >> 1) | (pass[TC_DOWN_LEFT] & below << 1) |
               (pass[TC_UP_RIGHT] & above >> 1) | (pass[TC_UP_LEFT] & above << 1);
    set = spread_up(set, pass[TC_LEFT]);
    set = spread_down(set, pass[TC_RIGHT]);
    w->row[i] = set;
    return set != before;
}

/* True if a tile lies in the rows of tiles that are flooded. */
static bool has_tile(const flood *f, int tile)
{
    return tile >= f->first * f->grid->tiles_x && tile < f->end * f->grid->tiles_x;
}

/* Floods the window from the tiles at the same place in the next slice and in the slice before. */
static void flood_from_slices(const flood *f, int tile, const uint32_t open[][TC_TILE], window *w)
{
    const bool next = has_tile(f, tile + f->slice), before = has_tile(f, tile - f->slice);
    const uint32_t *const label = f->label + (size_t)tile * TC_TILE;
    const size_t slice = (size_t)f->slice * TC_TILE;
    for (int y = 0; y < TC_TILE; y++) {
        uint32_t reached = next ? open[TC_BEHIND][y] & (label + slice)[y] : 0;
        if (before) reached |= open[TC_BEFORE][y] & (label - slice)[y];
        w->row[y + 1] |= (uint64_t)reached << 1;
    }
}

static void wake_slices(flood *f, int tile, const uint32_t *now, const uint32_t *was)
{
    if (memcmp(now, was, TC_TILE * sizeof *now) == 0) return;
    if (has_tile(f, tile + f->slice)) wake(f, tile + f->slice);
    if (has_tile(f, tile - f->slice)) wake(f, tile - f->slice);
}

/* Queues the neighbours that border on a changed pixel of `tile`. `now` and `was` are the tile's rows. */
static void wake_neighbours(flood *f, int tile, const uint32_t *now, const uint32_t *was)
{
    const tc_grid *g = f->grid;
    const int tx = tile % g->tiles_x, ty = tile / g->tiles_x, last = TC_TILE - 1;
    uint32_t columns = 0;
    for (int y = 0; y < TC_TILE; y++) columns |= now[y] ^ was[y];
    const bool left = tx > 0 && (columns & 1), right = tx + 1 < g->tiles_x && (columns >> last);
    const bool up = ty > f->first && now[0] != was[0], down = ty + 1 < f->end && now[last] != was[last];
    if (left) wake(f, tile - 1);
    if (right) wake(f, tile + 1);
    if (up) wake(f, tile - g->tiles_x);
    if (down) wake(f, tile + g->tiles_x);
    if (f->slice) wake_slices(f, tile, now, was);
    if (f->directions != 8) return;
    if (up && left) wake(f, tile - g->tiles_x - 1);
    if (up && right) wake(f, tile - g->tiles_x + 1);
    if (down && left) wake(f, tile + g->tiles_x - 1);
    if (down && right) wake(f, tile + g->tiles_x + 1);
}

static void visit(flood *f, int tile, bool first)
{
    const uint32_t(*open)[TC_TILE] = (const uint32_t(*)[TC_TILE])f->open + (size_t)tile * (size_t)f->planes;
    uint32_t *label = f->label + (size_t)tile * TC_TILE, was[TC_TILE] = {0};
    bool changed = true;
    window w;

    if (!first) memcpy(was, label, sizeof was); /* on the first visit, the sinks count as changed, too */
    open_window(f, tile, &w);
    if (f->slice) flood_from_slices(f, tile, open, &w);
    while (changed) {
        changed = false;
        for (int i = 1; i <= TC_TILE; i++) changed |= flood_row(&w, i, open, f->directions);
        if (!changed) break;
        changed = false;
        for (int i = TC_TILE; i >= 1; i--) changed |= flood_row(&w, i, open, f->directions);
    }
    for (int y = 0; y < TC_TILE; y++) label[y] = (uint32_t)((w.row[y + 1] & inside) >> 1);
    wake_neighbours(f, tile, label, was);
}

/* Visits the queued tiles until the queue is empty. */
static void drain(flood *f)
{
    while (f->waiting > 0) {
        const int tile = f->queue[f->head];
        f->head = (f->head + 1) % ring_of(f);
        f->waiting--;
        f->queued[tile] = 0;
        visit(f, tile, false);
    }
}

/* Floods the rows of tiles of this flood, from the sinks in them. */
static void flood_own(flood *f)
{
    const int tx = f->grid->tiles_x;
    for (int tile = f->first * tx; tile < f->end * tx; tile++) {
        uint32_t any = 0;
        for (int y = 0; y < TC_TILE; y++) any |= f->label[(size_t)tile * TC_TILE + (size_t)y];
        if (any) visit(f, tile, true);
    }
    drain(f);
}

/* The least that one thread floods: BAND rows of tiles or, in a volume, BAND_SLICES slices. */
enum { BAND = 16, BAND_SLICES = 8 };

/* Returns how many rows of tiles one thread floods together: 1, or in a volume those of a slice. */
static int rows_together(const flood *f)
{
    return f->slice ? f->grid->slice_rows : 1;
}

/* Returns a flood of only some rows of tiles, which uses the memory of `f`. */
static flood band_of(const flood *f, int i, int bands)
{
    const int together = rows_together(f), all = f->end / together;
    flood band = *f;
    band.first = all * i / bands * together;
    band.end = all * (i + 1) / bands * together;
    band.queue = f->queue + (size_t)band.first * (size_t)f->grid->tiles_x;
    return band;
}

typedef struct banded {
    const flood *all;
    int bands;
} banded;

static void flood_band(void *context, int i)
{
    const banded *const b = context;
    flood band = band_of(b->all, i, b->bands);
    flood_own(&band);
}

/* Each thread floods its own rows of tiles; then one flood continues over the edges between these rows. */
static void flood_all(flood *f, int threads)
{
    const int together = rows_together(f), most = f->end / together / (f->slice ? BAND_SLICES : BAND);
    const int bands = threads < most ? threads : most, width = together * f->grid->tiles_x;
    banded b = {f, bands};
    if (bands < 2) {
        flood_own(f);
        return;
    }
    tc_parallel(threads, bands, flood_band, &b);
    for (int i = 1; i < bands; i++) {
        const int edge = band_of(f, i, bands).first * f->grid->tiles_x;
        for (int tile = edge - width; tile < edge + width; tile++) visit(f, tile, false);
    }
    drain(f);
}

void tc_flood_rows(tc_flood *f, int first, int end)
{
    const int tx = f->grid->tiles_x;
    for (int tile = first * tx; tile < end * tx; tile++) visit(f, tile, true);
    drain(f);
}

tilecut_status tc_flood_open(tc_flood *f, const tc_grid *grid, uint32_t *kept, int threads)
{
    *f = (tc_flood){.grid = grid, .tiles = grid->tiles_x * grid->tiles_y, .directions = grid->connectivity,
                    .planes = grid->diagonal ? 8 : 4, .slice = grid->slice_rows * grid->tiles_x, .end = grid->tiles_y};
    const size_t tiles = (size_t)f->tiles, open = tiles * (size_t)f->planes * sizeof *f->open;

    f->open = grid->stored ? tc_stored_take(&f->room, open, grid->stored) : tc_large_alloc(open);
    f->label = tc_large_alloc(tiles * TC_TILE * sizeof *f->label);
    f->queue = malloc(tiles * sizeof *f->queue);
    f->queued = calloc(tiles, 1);
    if (!f->open || !f->label || !f->queue || !f->queued) {
        tc_flood_close(f);
        return tc_fail(TILECUT_ENOMEM, "no memory for labels of %zu tiles", tiles);
    }
    f->source = kept;
    f->sink = kept ? kept + tiles * TC_TILE : NULL;
    tc_parallel(threads, grid->tiles_y, begin_tile_row, f);
    flood_all(f, threads);
    return TILECUT_OK;
}

void tc_flood_again(tc_flood *f, const uint8_t *stale, int threads)
{
    f->stale = stale;
    f->head = 0;
    tc_parallel(threads, f->grid->tiles_y, begin_tile_row, f);
    f->stale = NULL;
    flood_all(f, threads);
}

void tc_flood_close(tc_flood *f)
{
    if (!f->room.start) free(f->open);
    tc_stored_free(&f->room);
    free(f->label);
    free(f->queue);
    free(f->queued);
    *f = (tc_flood){0};
}

tilecut_status tc_cut(const tc_grid *grid, int threads, tc_labels *labels)
{
    tc_flood f;
    if (grid->wide) return tc_wide_cut(grid, labels);
    const tilecut_status status = tc_flood_open(&f, grid, NULL, threads);
    labels->background = f.label;
    f.label = NULL;
    tc_flood_close(&f);
    return status;
}

void tc_labels_free(tc_labels *labels)
{
    free(labels->background);
    labels->background = NULL;
}

typedef struct masking {
    const tc_grid *grid;
    const tc_labels *labels;
    uint8_t *mask;
    int64_t foreground;
} masking;

/* Writes the mask of a row of tiles. */
static void mask_tile_row(void *context, int tile_row)
{
    masking *const m = context;
    const tc_grid *const grid = m->grid;
    const int z = tile_row / tc_slice_rows(grid), from = tile_row % tc_slice_rows(grid) * TC_TILE;
    const int end = from + TC_TILE < grid->height ? from + TC_TILE : grid->height;
    int64_t foreground = 0;
    for (int y = from; y < end; y++) {
        uint8_t *const row = m->mask + ((size_t)z * (size_t)grid->height + (size_t)y) * (size_t)grid->width;
        for (int x0 = 0; x0 < grid->width; x0 += TC_TILE) {
            const uint32_t word = ~m->labels->background[tc_volume_at(grid, x0, y, z) / TC_TILE];
            const int n = grid->width - x0 < TC_TILE ? grid->width - x0 : TC_TILE;
            for (int i = 0; i < n; i++) row[x0 + i] = (uint8_t)-(int)(word >> i & 1);
            foreground += __builtin_popcount(n == TC_TILE ? word : word & ((1u << n) - 1));
        }
    }
    __atomic_fetch_add(&m->foreground, foreground, __ATOMIC_RELAXED);
}

int64_t tc_labels_mask(const tc_grid *grid, const tc_labels *labels, int threads, uint8_t *mask)
{
    masking m = {grid, labels, mask, 0};
    tc_parallel(threads, grid->tiles_y, mask_tile_row, &m);
    return m.foreground;
}

int64_t tc_labels_foreground(const tc_grid *grid, const tc_labels *labels, int first, int end)
{
    int64_t foreground = 0;
    for (int y = first; y < end; y++)
        for (int x = 0; x < grid->width; x += TC_TILE) {
            const int n = grid->width - x;
            const uint32_t valid = n < TC_TILE ? (1u << n) - 1 : UINT32_MAX;
            const size_t p = tc_volume_at(grid, x, y % grid->height, y / grid->height);
            foreground += __builtin_popcount(~labels->background[p / TC_TILE] & valid);
        }
    return foreground;
}
