/* SPDX-License-Identifier: MIT
 *
 * bad_arguments.h - valid arguments for all functions of the library, and a table of faults that break their contract.
 */
#pragma once

#include <math.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "run_suite.h"
#include "tilecut.h"
#include "tilecut_correct.h"
#include "tilecut_labels.h"
#include "tilecut_network.h"
#include "tilecut_parts.h"

enum { W = 24, H = 18, D = 5, PIXELS = W * H, VOXELS = PIXELS * D, UNTOUCHED = 77, PAGE = 4096 };

/* The kinds of arguments that functions take. A fault in one kind is tried with every function that takes that kind. */
enum {
    IMAGE = 1, SEEDS = 2, SEED_ROWS = 4, MASK = 8, MASK_ROWS = 16, PARAMS = 32, NEIGHBOURS = 64, VOLUME = 128,
    ARRAYS = 256, VOLUME_ARRAYS = 512, PART = 1024, STROKE = 2048, TRIMAP = 4096, ALPHA = 8192, FILM = 16384,
    ARCS = 32768, EDGES = 65536, NET_PARAMS = 131072, REPORT = 262144, HOW = 524288, COSTS = 1048576,
    COLORS = 2097152, THREADS = 4194304, SOLVER = 8388608, CLEANING = 16777216
};

/* The arguments of a call. They are valid until a fault is put in. */
static struct {
    tilecut_image image;
    tilecut_volume volume;
    tilecut_params params;
    tilecut_arrays arrays;
    tilecut_volume_arrays volume_arrays;
    tilecut_part part;
    tilecut_stroke stroke;
    tilecut_film_shape film;
    tilecut_network_arcs arcs;
    tilecut_network_edges edges;
    tilecut_network_params net_params;
    tilecut_report report;
    tilecut_cleaning cleaning;
    tilecut_cleaned cleaned;
    const uint8_t *seeds;
    uint8_t *mask;
    const uint8_t *trimap;
    uint16_t *alpha;
    int how, threads;
} w;

/* The arrays that `w` points to. The memory before and after `pixels` cannot be read. */
static uint8_t *pixels, seeds[VOXELS], mask[VOXELS], trimap[VOXELS], painted[64], colors[3 * PIXELS];
static uint16_t alpha[PIXELS + 1];
static int32_t cells[8][VOXELS + 1];
static int32_t tails[] = {0, 0, 1, 2, 3, 9}, heads[] = {1, 2, 3, 3, 4, 9}, source[] = {0, 9}, sink[] = {4, 9};
static int64_t capacity[] = {3, 2, 4, 1, 9, 9}, flow[6];
static int32_t rows[] = {0, 1, 2, 9}, columns[] = {1, 0, 2, 9}, level[8];
static int64_t costs[] = {5, -3, 0, 9}, price[8];
static uint8_t side[8], cover[8];
static tilecut_exchange *alone;

static void begin(void)
{
    const size_t bytes = (2 * PIXELS * 3 + PAGE - 1) / PAGE * PAGE, with = bytes + 2 * (size_t)PAGE;
    uint8_t *const all = mmap(NULL, with, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(all, MAP_FAILED);
    ck_assert(!mprotect(all, PAGE, PROT_NONE) && !mprotect(all + PAGE + bytes, PAGE, PROT_NONE));
    pixels = all + PAGE;
    for (size_t i = 0; i < bytes; i++) pixels[i] = (uint8_t)(i * 7 % 40 + (i / 3 % W > W / 2 ? 150 : 20));
    ck_assert_int_eq(tilecut_exchange_threads(&alone, 1), TILECUT_OK);
}

static void set_up(void)
{
    memset(&w, 0, sizeof w);
    memset(seeds, 0, sizeof seeds);
    memset(mask, UNTOUCHED, sizeof mask);
    for (int i = 0; i < H; i++) seeds[i * W] = TILECUT_BACKGROUND, seeds[i * W + W - 2] = TILECUT_FOREGROUND;
    for (int i = 0; i < PIXELS; i++) trimap[i] = i % W < 8 ? 0 : i % W < 16 ? 128 : 255, alpha[i] = (uint16_t)(i * 100);
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < VOXELS; i++) cells[k][i] = (i * (k + 3)) % 20;
    memset(painted, 1, sizeof painted);
    w.image = (tilecut_image){.width = W, .height = H, .channels = 3, .depth = 8, .pixels = pixels};
    w.volume = (tilecut_volume){.width = W, .height = H, .depth = D, .voxels = pixels};
    w.arrays = (tilecut_arrays){.width = W, .height = H, .source = cells[0], .sink = cells[1],
                                .to = {cells[2], cells[3]}};
    w.volume_arrays = (tilecut_volume_arrays){.width = W, .height = H, .depth = D, .source = cells[0],
                                              .sink = cells[1], .to = {cells[2], cells[3], cells[4]}};
    w.part = (tilecut_part){.height = H, .rows = H, .exchange = alone};
    w.stroke = (tilecut_stroke){.x = 2, .y = 2, .width = 8, .height = 8, .label = TILECUT_FOREGROUND,
                                .painted = painted};
    w.film = (tilecut_film_shape){.width = W, .height = H, .channels = 3};
    w.arcs = (tilecut_network_arcs){.nodes = 5, .arcs = 5, .tail = tails, .head = heads, .capacity = capacity,
                                    .sources = source, .sinks = sink, .source_count = 1, .sink_count = 1};
    w.edges = (tilecut_network_edges){.rows = 3, .columns = 3, .edges = 3, .row = rows, .column = columns,
                                      .cost = costs};
    w.cleaning = (tilecut_cleaning){.width = W, .height = H, .min_area = 2};
    w.params = tilecut_params_default();
    w.params.colors = "none", w.params.iterations = TILECUT_NONE;
    w.seeds = seeds, w.mask = mask, w.trimap = trimap, w.alpha = alpha, w.threads = 1;
}

/* ---- The faults ------------------------------------------------------------------------------- */

#define FAULTS(FAULT)                                                                                                 \
    FAULT(IMAGE, w.image.width = 0)                                                                                   \
    FAULT(IMAGE, w.image.width = TILECUT_MAX_SIDE + 1)                                                                \
    FAULT(IMAGE, w.image.height = -1)                                                                                 \
    FAULT(IMAGE, w.image.channels = 2)                                                                                \
    FAULT(IMAGE, w.image.channels = 1 << 30)                                                                          \
    FAULT(IMAGE, w.image.depth = 12)                                                                                  \
    FAULT(IMAGE, w.image.pixels = NULL)                                                                               \
    FAULT(IMAGE, w.image.stride = 3 * W - 1)                                                                          \
    FAULT(IMAGE, w.image.stride = SIZE_MAX)                                                                           \
    FAULT(IMAGE, w.image.stride = SIZE_MAX - 3 * W)                                                                   \
    FAULT(IMAGE, w.image.stride = (size_t)1 << 62)                                                                    \
    FAULT(IMAGE, w.image.stride = SIZE_MAX / 2)                                                                       \
    FAULT(IMAGE, (w.image.depth = 16, w.image.pixels = pixels + 1))                                                   \
    FAULT(IMAGE, (w.image.depth = 16, w.image.stride = 6 * W + 1))                                                    \
    FAULT(IMAGE, w.image.size = 7)                                                                                    \
    FAULT(SEEDS, w.seeds = NULL)                                                                                      \
    FAULT(MASK, w.mask = NULL)                                                                                        \
    FAULT(SEED_ROWS, w.params.seeds_stride = W - 1)                                                                   \
    FAULT(SEED_ROWS, w.params.seeds_stride = SIZE_MAX)                                                                \
    FAULT(SEED_ROWS, w.params.seeds_stride = (size_t)1 << 63)                                                         \
    FAULT(MASK_ROWS, w.params.mask_stride = W - 1)                                                                    \
    FAULT(MASK_ROWS, w.params.mask_stride = SIZE_MAX)                                                                 \
    FAULT(MASK_ROWS, w.params.mask_stride = SIZE_MAX / H)                                                             \
    FAULT(REPORT, w.report.size = 3)                                                                                  \
    FAULT(HOW, w.how = 2)                                                                                             \
    FAULT(HOW, w.how = -1)                                                                                            \
    FAULT(THREADS, w.threads = -1)                                                                                    \
    FAULT(THREADS, w.threads = 257)                                                                                   \
    FAULT(PARAMS, w.params.lambda = NAN)                                                                              \
    FAULT(PARAMS, w.params.lambda = -5)                                                                               \
    FAULT(PARAMS, w.params.lambda = INFINITY)                                                                         \
    FAULT(PARAMS, w.params.sigma = 1e13)                                                                              \
    FAULT(PARAMS, w.params.sigma = NAN)                                                                               \
    FAULT(PARAMS, w.params.data_weight = -1)                                                                          \
    FAULT(PARAMS, w.params.spatial = 1e13)                                                                            \
    FAULT(PARAMS, w.params.iterations = TILECUT_MAX_ITERATIONS + 1)                                                   \
    FAULT(PARAMS, w.params.effort = 4)                                                                                \
    FAULT(PARAMS, w.params.effort = -1)                                                                               \
    FAULT(PARAMS, w.params.threads = -1)                                                                              \
    FAULT(PARAMS, w.params.threads = 257)                                                                             \
    FAULT(SOLVER, w.params.solver = "")                                                                               \
    FAULT(SOLVER, w.params.solver = "nothere")                                                                        \
    FAULT(PARAMS, w.params.size = 5)                                                                                  \
    FAULT(COLORS, w.params.colors = "nothere")                                                                        \
    FAULT(NEIGHBOURS, w.params.connectivity = 5)                                                                      \
    FAULT(NEIGHBOURS, w.params.connectivity = 26)                                                                     \
    FAULT(VOLUME, w.volume.width = 0)                                                                                 \
    FAULT(VOLUME, w.volume.depth = -1)                                                                                \
    FAULT(VOLUME, w.volume.height = TILECUT_MAX_SIDE + 1)                                                             \
    FAULT(VOLUME, w.volume.width = w.volume.height = w.volume.depth = TILECUT_MAX_SIDE)                               \
    FAULT(VOLUME, w.volume.voxels = NULL)                                                                             \
    FAULT(VOLUME, w.volume.type = 9)                                                                                  \
    FAULT(VOLUME, (w.volume.size = sizeof w.volume, w.volume.channels = 2))                                           \
    FAULT(VOLUME, (w.volume.size = sizeof w.volume, w.volume.reserved = 1))                                           \
    FAULT(VOLUME, (w.volume.size = sizeof w.volume, w.volume.channels = 3, w.volume.type = 2))                        \
    FAULT(VOLUME, w.volume.type = -1)                                                                                 \
    FAULT(VOLUME, w.volume.row_stride = W - 1)                                                                        \
    FAULT(VOLUME, w.volume.row_stride = SIZE_MAX)                                                                     \
    FAULT(VOLUME, w.volume.row_stride = SIZE_MAX / H)                                                                 \
    FAULT(VOLUME, w.volume.row_stride = SIZE_MAX / 2 / H + 1)                                                         \
    FAULT(VOLUME, w.volume.slice_stride = SIZE_MAX)                                                                   \
    FAULT(VOLUME, w.volume.slice_stride = (size_t)1 << 62)                                                            \
    FAULT(VOLUME, w.volume.slice_stride = PIXELS - 1)                                                                 \
    FAULT(VOLUME, (w.volume.type = TILECUT_VOXEL_F32, w.volume.voxels = pixels + 1))                                  \
    FAULT(VOLUME, (w.volume.type = TILECUT_VOXEL_U16, w.volume.voxels = pixels + 1))                                  \
    FAULT(VOLUME, (w.volume.type = TILECUT_VOXEL_I16, w.volume.row_stride = 2 * W + 1))                               \
    FAULT(VOLUME, (w.volume.type = TILECUT_VOXEL_U16, w.volume.slice_stride = 2 * PIXELS + 1))                        \
    FAULT(VOLUME, w.volume.spacing[0] = NAN)                                                                          \
    FAULT(VOLUME, w.volume.spacing[1] = 1)                                                                            \
    FAULT(VOLUME, w.volume.low = NAN)                                                                                 \
    FAULT(VOLUME, (w.volume.low = 5, w.volume.high = 1))                                                              \
    FAULT(VOLUME, w.volume.high = INFINITY)                                                                           \
    FAULT(VOLUME, w.volume.size = 9)                                                                                  \
    FAULT(ARRAYS, w.arrays.width = 0)                                                                                 \
    FAULT(ARRAYS, w.arrays.height = TILECUT_MAX_SIDE + 1)                                                             \
    FAULT(ARRAYS, w.arrays.source = NULL)                                                                             \
    FAULT(ARRAYS, w.arrays.to[1] = NULL)                                                                              \
    FAULT(ARRAYS, w.arrays.to[2] = cells[4])                                                                          \
    FAULT(ARRAYS, w.arrays.sink = (const int32_t *)(const void *)((const char *)cells[1] + 1))                        \
    FAULT(ARRAYS, w.arrays.from[0] = (const int32_t *)(const void *)((const char *)cells[5] + 2))                     \
    FAULT(ARRAYS, cells[0][7] = -1)                                                                                   \
    FAULT(ARRAYS, cells[2][W + 3] = 1 << 24)                                                                          \
    FAULT(ARRAYS, w.arrays.size = 9)                                                                                  \
    FAULT(VOLUME_ARRAYS, w.volume_arrays.depth = 0)                                                                   \
    FAULT(VOLUME_ARRAYS, w.volume_arrays.to[2] = NULL)                                                                \
    FAULT(VOLUME_ARRAYS, w.volume_arrays.source = (const int32_t *)(const void *)((const char *)cells[0] + 1))        \
    FAULT(VOLUME_ARRAYS, w.volume_arrays.from[1] = (const int32_t *)(const void *)((const char *)cells[5] + 3))       \
    FAULT(VOLUME_ARRAYS, cells[3][7] = -1)                                                                            \
    FAULT(VOLUME_ARRAYS, cells[1][VOXELS - 1] = INT32_MAX)                                                            \
    FAULT(VOLUME_ARRAYS, w.volume_arrays.size = 9)                                                                    \
    FAULT(PART, w.part.exchange = NULL)                                                                               \
    FAULT(PART, w.part.height = 0)                                                                                    \
    FAULT(PART, w.part.rows = 0)                                                                                      \
    FAULT(PART, w.part.first = 1)                                                                                     \
    FAULT(PART, w.part.size = 5)                                                                                      \
    FAULT(STROKE, w.stroke.label = 500)                                                                               \
    FAULT(STROKE, w.stroke.painted = NULL)                                                                            \
    FAULT(STROKE, w.stroke.width = 0)                                                                                 \
    FAULT(STROKE, w.stroke.stride = 3)                                                                                \
    FAULT(STROKE, w.stroke.stride = SIZE_MAX)                                                                         \
    FAULT(STROKE, w.stroke.size = 3)                                                                                  \
    FAULT(TRIMAP, w.trimap = NULL)                                                                                    \
    FAULT(TRIMAP, trimap[5] = 7)                                                                                      \
    FAULT(ALPHA, w.alpha = NULL)                                                                                      \
    FAULT(ALPHA, w.alpha = (uint16_t *)(void *)((char *)alpha + 1))                                                   \
    FAULT(FILM, w.film.width = 0)                                                                                     \
    FAULT(FILM, w.film.channels = 2)                                                                                  \
    FAULT(FILM, w.film.window = -1)                                                                                   \
    FAULT(FILM, w.film.window = TILECUT_MAX_WINDOW + 1)                                                               \
    FAULT(FILM, w.film.overlap = 6)                                                                                   \
    FAULT(FILM, w.film.time = NAN)                                                                                    \
    FAULT(FILM, w.film.carry = 1e13)                                                                                  \
    FAULT(FILM, w.film.ahead = TILECUT_MAX_AHEAD + 1)                                                                 \
    FAULT(FILM, w.film.height = H + 1)                                                                                \
    FAULT(ARCS, w.arcs.nodes = 1)                                                                                     \
    FAULT(ARCS, w.arcs.arcs = -1)                                                                                     \
    FAULT(ARCS, w.arcs.head = NULL)                                                                                   \
    FAULT(ARCS, w.arcs.tail = NULL)                                                                                   \
    FAULT(ARCS, w.arcs.arcs = 6)                                                                                      \
    FAULT(ARCS, w.arcs.source_count = 0)                                                                              \
    FAULT(ARCS, w.arcs.sinks = NULL)                                                                                  \
    FAULT(ARCS, w.arcs.sinks = w.arcs.sources)                                                                        \
    FAULT(ARCS, w.arcs.sources = source + 1)                                                                          \
    FAULT(ARCS, w.arcs.threads = 257)                                                                                 \
    FAULT(ARCS, w.arcs.head = (const int32_t *)(const void *)((const char *)heads + 1))                               \
    FAULT(ARCS, w.arcs.capacity = (const int64_t *)(const void *)((const char *)capacity + 4))                        \
    FAULT(ARCS, w.arcs.size = 9)                                                                                      \
    FAULT(EDGES, w.edges.rows = 0)                                                                                    \
    FAULT(EDGES, w.edges.columns = -1)                                                                                \
    FAULT(EDGES, w.edges.edges = 4)                                                                                   \
    FAULT(EDGES, w.edges.edges = -4)                                                                                  \
    FAULT(EDGES, w.edges.row = NULL)                                                                                  \
    FAULT(EDGES, w.edges.column = (const int32_t *)(const void *)((const char *)columns + 2))                         \
    FAULT(EDGES, w.edges.size = 9)                                                                                    \
    FAULT(COSTS, w.edges.cost = NULL)                                                                                 \
    FAULT(COSTS, w.edges.cost = (const int64_t *)(const void *)((const char *)costs + 4))                             \
    FAULT(CLEANING, w.cleaning.width = 0)                                                                             \
    FAULT(CLEANING, w.cleaning.depth = -1)                                                                            \
    FAULT(CLEANING, w.cleaning.height = INT32_MAX)                                                                    \
    FAULT(CLEANING, (w.cleaning.width = w.cleaning.height = w.cleaning.depth = INT32_MAX))                            \
    FAULT(CLEANING, w.cleaning.connectivity = 6)                                                                      \
    FAULT(CLEANING, (w.cleaning.depth = 1, w.cleaning.connectivity = 8))                                              \
    FAULT(CLEANING, w.cleaning.min_area = -1)                                                                         \
    FAULT(CLEANING, w.cleaning.fill_holes = INT64_MIN)                                                                \
    FAULT(CLEANING, w.cleaning.size = 9)                                                                              \
    FAULT(CLEANING, w.cleaned.size = 3)                                                                               \
    FAULT(CLEANING, seeds[9] = 4)                                                                                     \
    FAULT(CLEANING, trimap[9] = 1)                                                                                    \
    FAULT(NET_PARAMS, w.net_params.solver = "nothere")                                                                \
    FAULT(NET_PARAMS, w.net_params.threads = -1)                                                                      \
    FAULT(NET_PARAMS, w.net_params.threads = 257)                                                                     \
    FAULT(NET_PARAMS, w.net_params.size = 3)

/* Puts fault number `number` into the arguments. Returns its description and the kinds of arguments it is in, or NULL
 * if there are no more faults. */
static const char *spoil(int number, unsigned *in)
{
    int at = 0;
#define FAULT(kind, change)                       \
    if (at++ == number) {                         \
        change;                                   \
        *in = kind;                               \
        return #change;                           \
    }
    FAULTS(FAULT)
#undef FAULT
    return NULL;
}
