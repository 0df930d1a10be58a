/* SPDX-License-Identifier: MIT
 *
 * nearness.c - computes two chamfer distance maps, and from them the level of each pixel.
 */
#include "nearness.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "large.h"
#include "parallel.h"
#include "simd.h"
#include "status.h"

static const int32_t far = 1 << 29;

static inline int32_t min_distance(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* Rows of a map have two more pixels at either end, set to `far`, so that loops need no test for the border. */
enum { RIM = 2 };

/* Updates a row from the two rows before it in the sweep. Knight's moves reach two columns aside in the nearer of
 * these rows, and one column aside in the farther one. */
TC_VECTOR_LOOP static void from_rows(int32_t *restrict row, const int32_t *restrict before,
                                     const int32_t *restrict earlier, int width)
{
    for (int x = 0; x < width; x++) {
        const int32_t straight = before[x] + 5, slanted = min_distance(before[x - 1], before[x + 1]) + 7;
        const int32_t knight = min_distance(min_distance(before[x - 2], before[x + 2]),
                                            min_distance(earlier[x - 1], earlier[x + 1])) +
                               11;
        row[x] = min_distance(min_distance(row[x], straight), min_distance(slanted, knight));
    }
}

/* Lowers the first n distances of `at` to the least of those `by` before them, each with its way, of which `from` has
 * a copy; distances before the first one are `far`. */
static inline void look_back(const int32_t *restrict from, int by, int n, int32_t *restrict at)
{
    for (int i = 0; i < n; i++) at[i] = min_distance(from[i], from[i - by] + 5 * by);
}

enum { RUN = 16, CHUNK = 512 };

/* Updates n <= CHUNK pixels along their row, in order: each is at most 5 farther than the one before it, and the first
 * than `before`. In four rounds they look back over a RUN; what comes from farther goes from run to run. Returns the
 * last. */
TC_VECTOR_LOOP static int32_t go_along(int32_t *restrict row, int n, bool down, int32_t before)
{
    int32_t a[RUN + CHUNK], b[RUN + CHUNK];
    for (int i = 0; i < RUN; i++) a[i] = b[i] = far;
    for (int i = 0; i < n; i++) a[RUN + i] = down ? row[i] : row[n - 1 - i];
    look_back(a + RUN, 1, n, b + RUN);
    look_back(b + RUN, 2, n, a + RUN);
    look_back(a + RUN, 4, n, b + RUN);
    look_back(b + RUN, 8, n, a + RUN);
    for (int first = 0; first < n; first += RUN) {
        for (int i = 0; i < RUN && first + i < n; i++)
            a[RUN + first + i] = min_distance(a[RUN + first + i], before + 5 * (i + 1));
        before = a[RUN + (first + RUN < n ? first + RUN : n) - 1];
    }
    for (int i = 0; i < n; i++) row[i] = down ? a[RUN + i] : a[RUN + n - 1 - i];
    return before;
}

/* Distances of `height` rows, and of EDGE rows above and below them, which are `far` or belong to neighbouring parts.
 */
typedef struct map {
    int32_t *at, *row; /* all rows; a copy of one row, to see whether it changes */
    int width, height;
    int store;         /* descriptor of the file, as in tc_comm, that holds the map; 0: it is in memory */
    int64_t from;      /* its offset in that file */
} map;

enum { EDGE = 2 }; /* rows that a knight's move reaches up or down */

static size_t step_of(const map *m)
{
    return (size_t)(m->width + 2 * RIM);
}

/* The first pixel of row y, -EDGE .. height + EDGE - 1. */
static int32_t *row_of(const map *m, int y)
{
    return m->at + (size_t)(y + EDGE) * step_of(m) + RIM;
}

static size_t bytes_of(const map *m)
{
    return step_of(m) * (size_t)(m->height + 2 * EDGE) * sizeof(int32_t);
}

/* Maps `bytes` bytes at the end of the file, whose disk space is reserved now, as for a grid (grid.c). *from: their
 * offset. Returns NULL if there is no space. */
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

/* Allocates the map; m->width, height and store must be set. */
static tilecut_status map_init(map *m)
{
    const size_t bytes = bytes_of(m);
    m->at = m->store ? map_in_file(m->store, bytes, &m->from) : tc_large_alloc(bytes);
    m->row = malloc((size_t)m->width * sizeof *m->row);
    if (m->at && m->row) return TILECUT_OK;
    if (m->store && !m->at)
        return tc_fail(TILECUT_ENOMEM, "no room for %zu bytes of distances in the file of a part that waits", bytes);
    return tc_fail(TILECUT_ENOMEM, "no memory for distances of %dx%d pixels", m->width, m->height);
}

/* Frees the memory of a map in a file until it is read again, because other parts work next. */
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

/* Sets row y to 0 where the label is foreground (or, if not `foreground`, background or outside), else to `far`. */
TC_VECTOR_LOOP static void mark(const uint8_t *restrict seed, int width, uint8_t a, uint8_t b, int32_t *restrict row)
{
    for (int x = 0; x < width; x++) row[x] = seed[x] == a || seed[x] == b ? 0 : far;
}

static void mark_row(const uint8_t *seeds, bool foreground, const map *m, int y)
{
    int32_t *const row = row_of(m, y);
    const uint8_t a = foreground ? TILECUT_FOREGROUND : TILECUT_BACKGROUND, b = foreground ? a : TILECUT_OUTSIDE;
    mark(seeds + (size_t)y * (size_t)m->width, m->width, a, b, row);
    for (int x = 0; x < RIM; x++) row[-1 - x] = row[m->width + x] = far;
}

/* Updates the pixels from x0 to x1 - 1 of row y from the two rows above (down) or below it, and along the row. */
static void update_piece(const map *m, int y, int x0, int x1, bool down)
{
    const int by = down ? -1 : 1;
    int32_t *const row = row_of(m, y), before = down ? row[x0 - 1] : row[x1];
    from_rows(row + x0, row_of(m, y + by) + x0, row_of(m, y + 2 * by) + x0, x1 - x0);
    for (int done = 0; done < x1 - x0; done += CHUNK) {
        const int n = min_distance(x1 - x0 - done, CHUNK);
        before = go_along(row + (down ? x0 + done : x1 - done - n), n, down, before);
    }
}

static void update_row(const map *m, int y, bool down)
{
    update_piece(m, y, 0, m->width, down);
}

/* ---- By many threads -------------------------------------------------------------------------- */

/* A sweep by many threads goes over slanted blocks. Column u in row i, both counted in the direction of the sweep, is
 * in block (u + 2 i) / BLOCK_WIDTH of line i / BLOCK_ROWS. A pixel depends on at most two columns ahead in the row
 * before, so a block depends only on the block before it and on the line before. So all blocks with the same sum of
 * block and line numbers can be swept at once. */
enum { BLOCK_WIDTH = 512, BLOCK_ROWS = 64 };

/* Whether block `place` of a line has pixels. */
static bool block_is_there(const map *m, int line, int place)
{
    const int64_t first = line * BLOCK_ROWS, last = min_distance(line * BLOCK_ROWS + BLOCK_ROWS, m->height) - 1;
    const int64_t from = (int64_t)place * BLOCK_WIDTH;
    return from - 2 * last < m->width && from + BLOCK_WIDTH > 2 * first;
}

static void sweep_block(const map *m, int line, int place, bool down)
{
    const int end = min_distance((line + 1) * BLOCK_ROWS, m->height);
    for (int i = line * BLOCK_ROWS; i < end; i++) {
        const int64_t from = (int64_t)place * BLOCK_WIDTH - 2 * (int64_t)i, to = from + BLOCK_WIDTH;
        const int u0 = from > 0 ? (int)from : 0, u1 = to < m->width ? (int)to : m->width;
        if (u0 >= u1) continue;
        if (down) update_piece(m, i, u0, u1, true);
        else update_piece(m, m->height - 1 - i, m->width - u1, m->width - u0, false);
    }
}

/* One sweep over both maps, by all members of a team. */
static void sweep_together(const map *m, tc_team *team, int worker, bool down)
{
    const int size = tc_team_size(team), lines = (m->height + BLOCK_ROWS - 1) / BLOCK_ROWS;
    const int64_t places = ((int64_t)m->width + 2 * (int64_t)m->height) / BLOCK_WIDTH + 1;
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

/* Reads only pixels that could widen the box. */
tc_extent tc_extent_of(const uint8_t *seeds, int width, int height, uint8_t label)
{
    tc_extent box = {width, -1, height, -1};
    for (int y = 0; y < height; y++) {
        const uint8_t *const seed = seeds + (size_t)y * (size_t)width;
        const uint8_t *const first = memchr(seed, label, (size_t)width);
        int last = width - 1;
        if (!first) continue;
        while (last > box.x1 && seed[last] != label) last--;
        if (first - seed < box.x0) box.x0 = (int)(first - seed);
        if (last > box.x1) box.x1 = last;
        if (y < box.y0) box.y0 = y;
        box.y1 = y;
    }
    return box;
}

/* ---- Across parts ----------------------------------------------------------------------------- */

/* Updates rows from the upper edge on (down) or from the lower one, after distances beyond that edge became smaller. It
 * stops after EDGE unchanged rows in succession, as the rows after them cannot change. Shortest paths never turn back,
 * so after the sweep away from the edge only steps along rows are missing, which the sweep back makes. */
static void spread_from_edge(const map *m, bool down)
{
    const int by = down ? 1 : -1;
    int y = down ? 0 : m->height - 1;
    for (int same = 0; same < EDGE && y >= 0 && y < m->height; y += by) {
        int32_t *const row = row_of(m, y);
        memcpy(m->row, row, (size_t)m->width * sizeof *row);
        update_row(m, y, down);
        same = memcmp(m->row, row, (size_t)m->width * sizeof *row) ? 0 : same + 1;
    }
    for (y -= by; y >= 0 && y < m->height; y -= by) update_row(m, y, !down);
}

/* Lowers the distances of the EDGE rows from y on to those of `other`. Returns whether one became smaller. */
static bool lessen(const map *m, int y, const int32_t *other)
{
    int32_t *const at = row_of(m, y) - RIM;
    bool less = false;
    for (size_t i = 0; i < EDGE * step_of(m); i++) {
        less = less || other[i] < at[i];
        at[i] = min_distance(at[i], other[i]);
    }
    return less;
}

/* Exchanges the rows along the edges with the neighbours and updates the map. *more: whether any part has changed. */
static tilecut_status swap_edges(const map *m, tc_comm *comm, int32_t *got, bool *more)
{
    const size_t edge = EDGE * step_of(m);
    bool above, below;
    NEED(tc_comm_exchange_halo(comm, row_of(m, 0) - RIM, row_of(m, m->height - EDGE) - RIM, got, got + edge,
                        edge * sizeof *got));
    above = tc_has_above(comm) && lessen(m, -EDGE, got);
    below = tc_has_below(comm) && lessen(m, m->height, got + edge);
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
    got = malloc(2 * EDGE * step_of(m) * sizeof *got);
    if (!got) return tc_fail(TILECUT_ENOMEM, "no memory for distances along the edges of a part");
    while (more) TRY(swap_edges(m, comm, got, &more));
done:
    free(got);
    return status;
}

tilecut_status tc_extent_across(tc_extent *box, tc_comm *comm)
{
    if (!comm) return TILECUT_OK;
    const int64_t above = comm->above + comm->first;
    const int64_t own[4] = {box->x0, box->x1, box->y0 + above, box->y1 + above};
    const size_t parts = (size_t)comm->with->parts;
    int64_t *const all = malloc(parts * sizeof own);
    tilecut_status status = TILECUT_OK;
    if (!all) return tc_fail(TILECUT_ENOMEM, "no memory to compare %zu parts", parts);
    TRY(tc_comm_allgather(comm, own, 4, all));
    *box = (tc_extent){INT32_MAX, -1, INT32_MAX, -1};
    for (size_t i = 0; i < parts; i++) {
        const int x0 = (int)all[4 * i], x1 = (int)all[4 * i + 1], y0 = (int)all[4 * i + 2], y1 = (int)all[4 * i + 3];
        if (x1 < x0) continue;
        if (x0 < box->x0) box->x0 = x0;
        if (x1 > box->x1) box->x1 = x1;
        if (y0 < box->y0) box->y0 = y0;
        if (y1 > box->y1) box->y1 = y1;
    }
done:
    free(all);
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

/* Initialises row y of map k: 0 at seeds, else `far`; rows beyond the edges are all `far`. */
static void begin_row(const maps *m, int k, int y)
{
    const map *const one = &m->of[k];
    if (y >= 0 && y < one->height) {
        mark_row(m->seeds, k == 0, one, y);
        return;
    }
    int32_t *const row = row_of(one, y) - RIM;
    for (size_t i = 0; i < step_of(one); i++) row[i] = far;
}

static void fill_map(const maps *m, int k)
{
    const map *const one = &m->of[k];
    for (int y = -EDGE; y < one->height + EDGE; y++) {
        begin_row(m, k, y);
        if (y >= 0 && y < one->height) update_row(one, y, true); /* while it is in the cache */
    }
    for (int y = one->height - 1; y >= 0; y--) update_row(one, y, false);
    map_rest(one);
}

/* Fills both maps with distances within the own rows. Two threads take a map each, more share both. */
static void fill_maps(void *context, tc_team *team, int worker)
{
    const maps *const m = context;
    const int size = tc_team_size(team), rows = m->of[0].height + 2 * EDGE;
    if (size <= 2) {
        for (int k = worker; k < 2; k += size) fill_map(m, k);
        return;
    }
    const int end = (int)((int64_t)rows * (worker + 1) / size) - EDGE;
    for (int y = (int)((int64_t)rows * worker / size) - EDGE; y < end; y++)
        for (int k = 0; k < 2; k++) begin_row(m, k, y);
    tc_team_barrier(team);
    sweep_together(m->of, team, worker, true);
    sweep_together(m->of, team, worker, false);
    if (worker < 2) map_rest(&m->of[worker]);
}

enum { LEVEL_ROWS = 16 }; /* rows that a thread writes at a time */

/* Writes the levels of a row from its distances. `rim`: the row's distance to the border; `margin`: the distance beyond
 * which the border does not matter. */
TC_VECTOR_LOOP static void write_row(const int32_t *restrict fg, const int32_t *restrict bg, double extent, int rim,
                                     double margin, int width, uint8_t *restrict level)
{
    for (int x = 0; x < width; x++) {
        const int across = tc_rim_distance(x, width);
        level[x] = tc_nearness_level(fg[x], bg[x], bg[x] < far, extent, across < rim ? across : rim, margin);
    }
}

static void write_rows(void *context, int turn)
{
    const maps *const m = context;
    const int width = m->of[0].width, rows = m->of[0].height, first = turn * LEVEL_ROWS;
    for (int y = first; y < rows && y < first + LEVEL_ROWS; y++)
        write_row(row_of(&m->of[0], y), row_of(&m->of[1], y), m->extent, tc_rim_distance(m->above + y, m->height),
                  m->margin, width, m->level + (size_t)y * (size_t)width);
}

tilecut_status tc_nearness(const uint8_t *seeds, int width, int height, int threads, tc_comm *comm, uint8_t *level)
{
    const tc_own_rows own = tc_own_rows_of(comm, height);
    const size_t before = (size_t)own.first * (size_t)width;
    const int rows = own.end - own.first, all = tc_comm_height(comm, height);
    const map none = {.width = width, .height = rows, .store = comm ? comm->store : 0};
    maps m = {.of = {none, none}, .seeds = seeds + before, .margin = tc_nearness_margin(width, all), .height = all,
              .above = comm ? comm->above + comm->first : 0, .level = level + before};
    const int useful = tc_threads_that_pay(threads, (int64_t)width * rows);
    tilecut_status status = TILECUT_OK;

    for (int k = 0; k < 2; k++) TRY(map_init(&m.of[k])); /* here: memory of a thread that ends stays with the process */
    tc_parallel_team(useful, fill_maps, &m);
    for (int k = 0; k < 2; k++) TRY(spread_across(&m.of[k], comm));
    tc_extent seeded = tc_extent_of(m.seeds, width, rows, TILECUT_FOREGROUND);
    TRY(tc_extent_across(&seeded, comm));
    m.extent = tc_squared_extent(&seeded, width, all);
    memset(level, 0, before); /* rows of the halo are not used, only copied */
    memset(level + before + (size_t)width * (size_t)rows, 0, (size_t)width * (size_t)(height - own.end));
    tc_parallel(useful, (rows + LEVEL_ROWS - 1) / LEVEL_ROWS, write_rows, &m);
done:
    map_free(&m.of[1]); /* the later one first */
    map_free(&m.of[0]);
    return status;
}
