/* SPDX-License-Identifier: MIT
 *
 * nearness.c - computes two chamfer distance maps, and from them the level of each pixel.
 */
#include "nearness.h"

#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "chamfer.h"
#include "large.h"
#include "parallel.h"
#include "simd.h"
#include "status.h"

static const int32_t far = TC_NEARNESS_FAR;

static inline int32_t min_distance(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

typedef tc_near_steps steps;

static int32_t step_cost(double x, double y, double z)
{
    const double cost = TC_NEARNESS_STEP * sqrt(x * x + y * y + z * z);
    return cost < far ? (int32_t)tc_round(cost) : far;
}

tc_near_steps tc_near_steps_of(const tc_nearness_lattice *l, bool space)
{
    const double x = l->spacing[0], y = l->spacing[1], z = l->spacing[2];
    return (steps){.x = step_cost(x, 0, 0), .y = step_cost(0, y, 0), .xy = step_cost(x, y, 0),
                   .wide = space ? far : step_cost(2 * x, y, 0), .tall = space ? far : step_cost(x, 2 * y, 0),
                   .z = step_cost(0, 0, z), .xz = step_cost(x, 0, z), .yz = step_cost(0, y, z),
                   .xyz = step_cost(x, y, z)};
}

/* Rows of a map have two more pixels at either end, set to `far`, so that loops need no test for the border. */
enum { RIM = 2 };

/* Updates a row from the two rows that the sweep visited before. Knight's moves reach two columns aside in the nearer
 * of these rows, and one column aside in the farther one. */
TC_VECTOR_LOOP static void from_rows(int32_t *restrict row, const int32_t *restrict before,
                                     const int32_t *restrict earlier, int width, steps s)
{
    for (int x = 0; x < width; x++) {
        const int32_t straight = before[x] + s.y, slanted = min_distance(before[x - 1], before[x + 1]) + s.xy;
        const int32_t knight = min_distance(min_distance(before[x - 2], before[x + 2]) + s.wide,
                                            min_distance(earlier[x - 1], earlier[x + 1]) + s.tall);
        row[x] = min_distance(min_distance(row[x], straight), min_distance(slanted, knight));
    }
}

/* Updates a row from the same row of the slice that the sweep visited before, and from the rows above and below it. */
TC_VECTOR_LOOP static void from_slice(int32_t *restrict row, const int32_t *restrict same,
                                      const int32_t *restrict above, const int32_t *restrict below, int width, steps s)
{
    for (int x = 0; x < width; x++) {
        const int32_t straight = min_distance(same[x] + s.z, min_distance(same[x - 1], same[x + 1]) + s.xz);
        const int32_t corner = min_distance(min_distance(above[x - 1], above[x + 1]),
                                            min_distance(below[x - 1], below[x + 1]));
        const int32_t slanted = min_distance(min_distance(above[x], below[x]) + s.yz, corner + s.xyz);
        row[x] = min_distance(row[x], min_distance(straight, slanted));
    }
}

/* Updates n distances by the pixels `by` places before them: a distance becomes at most theirs plus `by` steps. `from`
 * holds the old distances, and `at` gets the new ones. Distances before the first are `far`. */
static inline void look_back(const int32_t *restrict from, int by, int32_t step, int n, int32_t *restrict at)
{
    for (int i = 0; i < n; i++) at[i] = min_distance(from[i], from[i - by] + step * by);
}

enum { RUN = 16, CHUNK = 512 };

/* Updates n <= CHUNK pixels along their row, in order: each becomes at most a step farther than the pixel before it,
 * and the first at most a step farther than `before`. Four rounds cover a RUN; longer paths are passed from run to run.
 * Returns the last distance. A step is less than 2^23, so nothing overflows. */
TC_VECTOR_LOOP static int32_t go_along(int32_t *restrict row, int32_t step, int n, bool down, int32_t before)
{
    int32_t a[RUN + CHUNK], b[RUN + CHUNK];
    for (int i = 0; i < RUN; i++) a[i] = b[i] = far;
    for (int i = 0; i < n; i++) a[RUN + i] = down ? row[i] : row[n - 1 - i];
    look_back(a + RUN, 1, step, n, b + RUN);
    look_back(b + RUN, 2, step, n, a + RUN);
    look_back(a + RUN, 4, step, n, b + RUN);
    look_back(b + RUN, 8, step, n, a + RUN);
    for (int first = 0; first < n; first += RUN) {
        for (int i = 0; i < RUN && first + i < n; i++)
            a[RUN + first + i] = min_distance(a[RUN + first + i], before + step * (i + 1));
        before = a[RUN + (first + RUN < n ? first + RUN : n) - 1];
    }
    for (int i = 0; i < n; i++) row[i] = down ? a[RUN + i] : a[RUN + n - 1 - i];
    return before;
}

/* Distances of the own slices; an image counts as one slice. Each slice has EDGE more rows above and below, which
 * are `far`. In an image these rows may belong to neighbouring parts; a volume has one more slice at either end for
 * that. */
typedef struct map {
    int32_t *at, *row;        /* all rows; a copy of one row, to detect changes */
    int width, rows, slices;  /* rows of a slice                                        */
    int lead;                 /* slices before the first: 1 in a volume, 0 in an image  */
    steps steps;
    int store;                /* the descriptor of the file that holds the map, as in tc_comm; 0: it is in memory */
    int64_t from;             /* its offset in that file */
} map;

enum { EDGE = 2 }; /* rows that a knight's move reaches up or down */

static size_t step_of(const map *m)
{
    return (size_t)(m->width + 2 * RIM);
}

/* The number of rows in a slice, including those above and below it. all_rows() is the number in the whole map. */
static int padded_rows(const map *m)
{
    return m->rows + 2 * EDGE;
}

static int all_rows(const map *m)
{
    return (m->slices + 2 * m->lead) * padded_rows(m);
}

/* Returns the first pixel of row y, -EDGE .. rows + EDGE - 1, of slice z, -lead .. slices + lead - 1. */
static int32_t *row_of(const map *m, int z, int y)
{
    const size_t row = (size_t)(z + m->lead) * (size_t)padded_rows(m) + (size_t)(y + EDGE);
    return m->at + row * step_of(m) + RIM;
}

static size_t bytes_of(const map *m)
{
    return step_of(m) * (size_t)all_rows(m) * sizeof(int32_t);
}

/* Maps `bytes` bytes at the end of the file and reserves their disk space, as in grid.c. *from is their offset. Returns
 * NULL if there is no space. */
static void *map_in_file(int file, size_t bytes, int64_t *from)
{
    const int64_t page = sysconf(_SC_PAGESIZE);
    struct stat now;
    if (fstat(file, &now) != 0) return NULL;
    *from = (now.st_size + page - 1) / page * page;
    if (posix_fallocate(file, *from, (off_t)bytes) != 0) return NULL;
    void *const start = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, *from);
    return start == MAP_FAILED ? NULL : start;
}

/* Allocates the map; its size and `store` must be set. */
static tilecut_status map_init(map *m)
{
    const size_t bytes = bytes_of(m);
    m->at = m->store ? map_in_file(m->store, bytes, &m->from) : tc_large_alloc(bytes);
    m->row = malloc((size_t)m->width * sizeof *m->row);
    if (m->at && m->row) return TILECUT_OK;
    if (m->store && !m->at)
        return tc_fail(TILECUT_ENOMEM, "no room for %zu bytes of distances in the file of a part that waits", bytes);
    return tc_fail(TILECUT_ENOMEM, "no memory for distances of %dx%d pixels", m->width,
                   m->rows * m->slices);
}

/* Releases the memory of a map in a file until it is read again, because other parts work next. */
static void map_rest(const map *m)
{
#ifdef __linux__
    if (m->store && m->at) (void)madvise(m->at, bytes_of(m), MADV_DONTNEED);
#else
    (void)m;
#endif
}

/* Frees the map. If it is at the end of its file, shortens the file. */
static void map_free(map *m)
{
    const size_t bytes = bytes_of(m);
    struct stat now;
    free(m->row);
    if (!m->store) free(m->at);
    if (!m->store || !m->at) return;
    munmap(m->at, bytes);
    if (fstat(m->store, &now) == 0 && now.st_size == m->from + (int64_t)bytes) (void)!ftruncate(m->store, m->from);
}

TC_VECTOR_LOOP static void mark(const uint8_t *restrict seed, int width, uint8_t a, uint8_t b, int32_t *restrict row)
{
    for (int x = 0; x < width; x++) row[x] = seed[x] == a || seed[x] == b ? 0 : far;
}

/* Sets row y of slice z to 0 where the label is foreground (or, with `foreground` false, background or outside), and to
 * `far` elsewhere. */
static void mark_row(const uint8_t *seeds, bool foreground, const map *m, int z, int y)
{
    int32_t *const row = row_of(m, z, y);
    const uint8_t a = foreground ? TILECUT_FOREGROUND : TILECUT_BACKGROUND, b = foreground ? a : TILECUT_OUTSIDE;
    mark(seeds + ((size_t)z * (size_t)m->rows + (size_t)y) * (size_t)m->width, m->width, a, b, row);
    for (int x = 0; x < RIM; x++) row[-1 - x] = row[m->width + x] = far;
}

/* Updates pixels x0 .. x1 - 1 of row y from the two rows above (with `down`) or below it, and along the row. */
static void update_piece(const map *m, int z, int y, int x0, int x1, bool down)
{
    const int by = down ? -1 : 1;
    int32_t *const row = row_of(m, z, y), before = down ? row[x0 - 1] : row[x1];
    from_rows(row + x0, row_of(m, z, y + by) + x0, row_of(m, z, y + 2 * by) + x0, x1 - x0, m->steps);
    for (int done = 0; done < x1 - x0; done += CHUNK) {
        const int n = min_distance(x1 - x0 - done, CHUNK);
        before = go_along(row + (down ? x0 + done : x1 - done - n), m->steps.x, n, down, before);
    }
}

static void update_row(const map *m, int z, int y, bool down)
{
    const int by = down ? -1 : 1;
    if (m->lead)
        from_slice(row_of(m, z, y), row_of(m, z + by, y), row_of(m, z + by, y - 1), row_of(m, z + by, y + 1), m->width,
                   m->steps);
    update_piece(m, z, y, 0, m->width, down);
}

/* ---- By many threads -------------------------------------------------------------------------- */

/* A sweep of an image by many threads goes over slanted blocks. Column u in row i, both counted in the direction of
 * the sweep, is in block (u + 2 i) / BLOCK_WIDTH of line i / BLOCK_ROWS. A pixel depends on at most two columns ahead
 * in the row before, so a block depends only on the block before it and on the line before. So all blocks with the same
 * sum of block and line numbers can be swept at once. */
enum { BLOCK_WIDTH = 512, BLOCK_ROWS = 64 };

/* True if block `place` of a line contains pixels. */
static bool block_is_there(const map *m, int line, int place)
{
    const int64_t first = line * BLOCK_ROWS, last = min_distance(line * BLOCK_ROWS + BLOCK_ROWS, m->rows) - 1;
    const int64_t from = (int64_t)place * BLOCK_WIDTH;
    return from - 2 * last < m->width && from + BLOCK_WIDTH > 2 * first;
}

static void sweep_block(const map *m, int line, int place, bool down)
{
    const int end = min_distance((line + 1) * BLOCK_ROWS, m->rows);
    for (int i = line * BLOCK_ROWS; i < end; i++) {
        const int64_t from = (int64_t)place * BLOCK_WIDTH - 2 * (int64_t)i, to = from + BLOCK_WIDTH;
        const int u0 = from > 0 ? (int)from : 0, u1 = to < m->width ? (int)to : m->width;
        if (u0 >= u1) continue;
        if (down) update_piece(m, 0, i, u0, u1, true);
        else update_piece(m, 0, m->rows - 1 - i, m->width - u1, m->width - u0, false);
    }
}

/* Sweeps over both maps once, down or up; all members of the team share the work. */
static void sweep_together(const map *m, tc_team *team, int worker, bool down)
{
    const int size = tc_team_size(team), lines = (m->rows + BLOCK_ROWS - 1) / BLOCK_ROWS;
    const int64_t places = ((int64_t)m->width + 2 * (int64_t)m->rows) / BLOCK_WIDTH + 1;
    for (int64_t sum = 0; sum < lines + places; sum++) {
        int turn = 0;
        for (int line = 0; line < lines && line <= sum; line++) {
            const int place = (int)(sum - line);
            if (!block_is_there(m, line, place)) continue;
            for (int k = 0; k < 2; k++)
                if (turn++ % size == worker) sweep_block(&m[k], line, place, down);
        }
        tc_team_barrier(team);
    }
}

/* ---- Across parts ----------------------------------------------------------------------------- */

/* Updates row y of an image, or slice y of a volume. Returns true if a distance has changed. */
static bool update_line(const map *m, int y, bool down)
{
    const size_t bytes = (size_t)m->width * sizeof *m->row;
    bool changed = false;
    for (int i = 0; i < (m->lead ? m->rows : 1); i++) {
        const int z = m->lead ? y : 0, at = !m->lead ? y : down ? i : m->rows - 1 - i;
        memcpy(m->row, row_of(m, z, at), bytes);
        update_row(m, z, at, down);
        changed = memcmp(m->row, row_of(m, z, at), bytes) || changed;
    }
    return changed;
}

/* Updates rows (slices), beginning at the upper edge (with `down`) or at the lower one, after distances beyond that
 * edge became smaller. It stops when as many successive rows are unchanged as a step spans, because then no later row
 * can change. Shortest paths never turn back, so the sweep away from the edge misses only steps within rows (slices),
 * and the sweep back makes them. */
static void spread_from_edge(const map *m, bool down)
{
    const int by = down ? 1 : -1, lines = m->lead ? m->slices : m->rows, reach = m->lead ? 1 : EDGE;
    int y = down ? 0 : lines - 1;
    for (int same = 0; same < reach && y >= 0 && y < lines; y += by) same = update_line(m, y, down) ? 0 : same + 1;
    for (y -= by; y >= 0 && y < lines; y -= by) (void)update_line(m, y, !down);
}

/* The size of the data that a part sends to a neighbour: EDGE rows, or a slice. */
static size_t edge_of(const map *m)
{
    return (size_t)(m->lead ? padded_rows(m) : EDGE) * step_of(m);
}

/* Returns where the edge begins: the part's own edge or, with `own` false, the neighbour's edge beyond it. */
static int32_t *edge_at(const map *m, bool above, bool own)
{
    const int y = above ? own ? 0 : -EDGE : own ? m->rows - EDGE : m->rows;
    const int z = above ? own ? 0 : -1 : own ? m->slices - 1 : m->slices;
    return (m->lead ? row_of(m, z, -EDGE) : row_of(m, 0, y)) - RIM;
}

/* Lowers the distances of the neighbour's edge to those of `other`. Returns true if any became smaller. */
static bool lessen(const map *m, bool above, const int32_t *other)
{
    int32_t *const at = edge_at(m, above, false);
    bool less = false;
    for (size_t i = 0; i < edge_of(m); i++) {
        less = less || other[i] < at[i];
        at[i] = min_distance(at[i], other[i]);
    }
    return less;
}

/* Exchanges the rows along the edges with the neighbours and updates the map. Sets *more to true if any part has
 * changed. */
static tilecut_status swap_edges(const map *m, tc_comm *comm, int32_t *got, bool *more)
{
    const size_t edge = edge_of(m);
    bool above, below;
    NEED(tc_comm_exchange_halo(comm, edge_at(m, true, true), edge_at(m, false, true), got, got + edge,
                        edge * sizeof *got));
    above = tc_has_above(comm) && lessen(m, true, got);
    below = tc_has_below(comm) && lessen(m, false, got + edge);
    if (above) spread_from_edge(m, true);
    if (below) spread_from_edge(m, false);
    *more = above || below;
    map_rest(m);
    return tc_comm_any(comm, more);
}

/* Exchanges edges until no distance changes in any part. */
static tilecut_status spread_across(const map *m, tc_comm *comm)
{
    tilecut_status status = TILECUT_OK;
    int32_t *got = NULL;
    bool more = comm != NULL;
    if (!more) return TILECUT_OK;
    got = malloc(2 * edge_of(m) * sizeof *got);
    if (!got) return tc_fail(TILECUT_ENOMEM, "no memory for distances along the edges of a part");
    while (more) TRY(swap_edges(m, comm, got, &more));
done:
    free(got);
    return status;
}

/* ---- Levels ----------------------------------------------------------------------------------- */

/* The two maps of own rows, and the levels to write. */
typedef struct maps {
    map of[2]; /* distances to the foreground, to the background */
    const uint8_t *seeds;
    double extent, margin;
    int above, height; /* the first own row, and the number of rows, of the whole image */
    uint8_t *level;
} maps;

/* Initialises row i of the memory of map k: 0 at seeds, `far` elsewhere. Rows beyond the edges are all `far`. */
static void begin_row(const maps *m, int k, int i)
{
    const map *const one = &m->of[k];
    const int z = i / padded_rows(one) - one->lead, y = i % padded_rows(one) - EDGE;
    if (z >= 0 && z < one->slices && y >= 0 && y < one->rows) {
        mark_row(m->seeds, k == 0, one, z, y);
        return;
    }
    int32_t *const row = row_of(one, z, y) - RIM;
    for (size_t x = 0; x < step_of(one); x++) row[x] = far;
}

static void fill_map(const maps *m, int k)
{
    const map *const one = &m->of[k];
    for (int i = 0; i < all_rows(one); i++) {
        const int z = i / padded_rows(one) - one->lead, y = i % padded_rows(one) - EDGE;
        begin_row(m, k, i);
        /* while the row is in the cache */
        if (z >= 0 && z < one->slices && y >= 0 && y < one->rows) update_row(one, z, y, true);
    }
    for (int z = one->slices - 1; z >= 0; z--)
        for (int y = one->rows - 1; y >= 0; y--) update_row(one, z, y, false);
    map_rest(one);
}

/* Fills both maps with distances within the own rows. Two threads take one map each; more threads share both maps. */
static void fill_maps(void *context, tc_team *team, int worker)
{
    const maps *const m = context;
    const int size = tc_team_size(team), rows = all_rows(&m->of[0]);
    if (size <= 2) {
        for (int k = worker; k < 2; k += size) fill_map(m, k);
        return;
    }
    const int end = (int)((int64_t)rows * (worker + 1) / size);
    for (int i = (int)((int64_t)rows * worker / size); i < end; i++)
        for (int k = 0; k < 2; k++) begin_row(m, k, i);
    tc_team_barrier(team);
    sweep_together(m->of, team, worker, true);
    sweep_together(m->of, team, worker, false);
    if (worker < 2) map_rest(&m->of[worker]);
}

enum { LEVEL_ROWS = 16 }; /* rows that a thread writes at a time */

/* Writes the levels of a row from its distances. `rim` is the row's distance to the border, and `margin` the distance
 * beyond which the border does not matter. */
TC_VECTOR_LOOP static void write_row(const int32_t *restrict fg, const int32_t *restrict bg, double extent, int rim,
                                     double margin, int width, uint8_t *restrict level)
{
    for (int x = 0; x < width; x++) {
        const int across = tc_border_distance(x, width);
        level[x] = tc_nearness_level(fg[x], bg[x], bg[x] < far, extent, across < rim ? across : rim, margin);
    }
}

static void write_rows(void *context, int turn)
{
    const maps *const m = context;
    const map *const one = &m->of[0];
    const int width = one->width, rows = one->rows * one->slices, first = turn * LEVEL_ROWS;
    for (int y = first; y < rows && y < first + LEVEL_ROWS; y++)
        write_row(row_of(one, y / one->rows, y % one->rows), row_of(&m->of[1], y / one->rows, y % one->rows), m->extent,
                  tc_border_distance(m->above + y, m->height), m->margin, width, m->level + (size_t)y * (size_t)width);
}

double tc_extent_in_space(const tc_nearness_lattice *l, const tc_block *box, double gap)
{
    const double step = TC_NEARNESS_STEP * TC_NEARNESS_STEP, *const s = l->spacing;
    const double w = box->width * s[0], h = box->height * s[1], d = box->depth * s[2], squared = w * w + h * h + d * d;
    const double x = l->width * s[0], y = l->slice_rows * s[1], z = l->height / l->slice_rows * s[2];
    const double dot = 3 * 3 + 3 * 3 + 1; /* a single voxel counts like a dot five pixels wide */
    const double lone = fmax(dot, TC_DOT_REACH * TC_DOT_REACH * gap * gap);
    return step * fmax(squared, fmax(lone, (x * x + y * y + z * z) / (50 * 50)));
}

/* Computes s^2 of the formula in nearness.h over all parts, in the units of distances. `gap` is the mean gap between
 * the strokes. */
static tilecut_status find_extent(const maps *m, const tc_nearness_lattice *l, tc_comm *comm, double gap,
                                  double *extent)
{
    const map *const one = &m->of[0];
    tc_nearness_lattice all = *l;
    const tc_slices own = {one->width, one->rows, one->slices};
    tc_block box;
    if (!one->lead) {
        tc_extent across = tc_extent_of(m->seeds, one->width, one->rows, TILECUT_FOREGROUND);
        NEED(tc_extent_across(&across, comm));
        *extent = tc_squared_extent(&across, one->width, m->height);
        return TILECUT_OK;
    }
    NEED(tc_box_in_space(m->seeds, &own, TILECUT_FOREGROUND, comm, false, &box));
    all.height = m->height;
    *extent = tc_extent_in_space(&all, &box, gap);
    return TILECUT_OK;
}

/* Finds the mean distance from foreground seeds to background seeds, over all parts, and marks far strokes. */
static tilecut_status look_at_strokes(const maps *m, tc_comm *comm, uint8_t *seeds, double *gap)
{
    const map *const one = &m->of[0];
    const int rows = one->rows * one->slices;
    int64_t sum[2] = {0}; /* the sum of distances; the number of seeds */
    for (int y = 0; y < rows; y++) {
        const int32_t *const to_bg = row_of(&m->of[1], y / one->rows, y % one->rows);
        const uint8_t *const seed = m->seeds + (size_t)y * (size_t)one->width;
        for (int x = 0; x < one->width; x++)
            if (seed[x] == TILECUT_FOREGROUND) sum[0] += to_bg[x], sum[1]++;
    }
    NEED(tc_comm_allreduce(comm, sum, 2));
    *gap = tc_gap_of(sum[0], sum[1]);
    const double most = tc_far_of(*gap);
    for (int y = 0; seeds && y < rows; y++) {
        const int32_t *const to_fg = row_of(one, y / one->rows, y % one->rows);
        uint8_t *const seed = seeds + (size_t)y * (size_t)one->width;
        for (int x = 0; x < one->width; x++)
            if (seed[x] == TILECUT_BACKGROUND && to_fg[x] > most) seed[x] = TILECUT_OUTSIDE;
    }
    return TILECUT_OK;
}

void tc_nearness_distances(uint16_t *distance, const tc_nearness_lattice *l)
{
    if (!l->slice_rows) tc_chamfer(distance, l->width, l->height);
    else tc_chamfer_space(distance, l->width, l->slice_rows, l->height / l->slice_rows, l->spacing);
}

tilecut_status tc_nearness(const uint8_t *seeds, const tc_nearness_lattice *l, int threads, tc_comm *comm,
                           uint8_t *level, tc_nearness_strokes *strokes)
{
    const int width = l->width, height = l->height;
    const tc_own_rows own = tc_own_rows_of(comm, height);
    const size_t before = (size_t)own.first * (size_t)width;
    const int rows = own.end - own.first, all = tc_comm_height(comm, height);
    const bool space = l->slice_rows && l->slice_rows < all;
    const map none = {.width = width, .rows = space ? l->slice_rows : rows, .slices = space ? rows / l->slice_rows : 1,
                      .lead = space, .steps = tc_near_steps_of(l, space), .store = comm ? comm->store : 0};
    maps m = {.of = {none, none}, .seeds = seeds + before, .margin = space ? 0 : tc_nearness_margin(width, all),
              .height = all, .above = comm ? comm->above + comm->first : 0, .level = level + before};
    const int useful = tc_threads_that_pay(threads, (int64_t)width * rows);
    tilecut_status status = TILECUT_OK;

    for (int k = 0; k < 2; k++) TRY(map_init(&m.of[k])); /* here, as memory from a thread outlives the thread */
    tc_parallel_team(space && useful > 2 ? 2 : useful, fill_maps, &m);
    for (int k = 0; k < 2; k++) TRY(spread_across(&m.of[k], comm));
    if (strokes) TRY(look_at_strokes(&m, comm, strokes->seeds ? strokes->seeds + before : NULL, &strokes->gap));
    TRY(find_extent(&m, l, comm, strokes ? strokes->gap : 0, &m.extent));
    memset(level, 0, before); /* rows of the halo are copied, but not used */
    memset(level + before + (size_t)width * (size_t)rows, 0, (size_t)width * (size_t)(height - own.end));
    tc_parallel(useful, (rows + LEVEL_ROWS - 1) / LEVEL_ROWS, write_rows, &m);
done:
    map_free(&m.of[1]); /* the later map first */
    map_free(&m.of[0]);
    return status;
}
