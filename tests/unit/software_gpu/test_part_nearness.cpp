// SPDX-License-Identifier: MIT
//
// test_part_nearness.cpp - levels of nearness of images in parts on simulated devices (host_calls.h) equal those of
// tc_nearness() in one part: for few and many random strokes, images wider than a block of threads, and parts of down
// to a single row.
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "cuda_runtime.h"
#include "random_graph.h"

extern "C" {
#include "cuda_parts.h"
#include "nearness.h"
}

struct scene {
    int width, height;
    std::vector<uint8_t> seeds, level;
};

static scene draw(uint64_t seed)
{
    static const int widths[] = {384, 40, 3, 500};
    uint64_t state = seed;
    scene s = {};
    s.width = widths[seed % 4] + random_below(&state, 30);
    s.height = 8 + random_below(&state, s.width > 300 ? 30 : 90);
    s.seeds.assign((size_t)s.width * (size_t)s.height, TILECUT_UNKNOWN);
    const int strokes = 1 + random_below(&state, seed % 3 ? 4 : 200);
    for (int i = 0; i < strokes; i++) {
        const int label = i == 0 ? TILECUT_FOREGROUND : 1 + random_below(&state, 3);
        int x = random_below(&state, s.width), y = random_below(&state, s.height);
        for (int length = random_below(&state, 30); length >= 0; length--) {
            if (x >= 0 && x < s.width && y >= 0 && y < s.height)
                s.seeds[(size_t)y * (size_t)s.width + (size_t)x] = (uint8_t)label;
            x += random_below(&state, 3) - 1, y += random_below(&state, 3) - 1;
        }
    }
    /* Adds a foreground seed, because later strokes may have covered all others. */
    s.seeds[(size_t)random_below(&state, s.width * s.height)] = TILECUT_FOREGROUND;
    s.level.resize(s.seeds.size());
    return s;
}

/* Returns the number of rows of each part: as equal as possible or, if `single`, one each and the rest in the last
 * part. */
static std::vector<int> rows_of(const scene &s, int parts, bool single)
{
    std::vector<int> rows;
    int left = s.height;
    for (int i = 0; i < parts; i++) {
        rows.push_back(i + 1 == parts ? left : single ? 1 : left / (parts - i));
        left -= rows.back();
    }
    return rows;
}

static tilecut_status look(const scene &s, const tilecut_exchange *exchange, int first, int rows, uint8_t *level)
{
    const int above = exchange->part > 0, below = exchange->part + 1 < exchange->parts, height = rows + above + below;
    const size_t width = (size_t)s.width, from = (size_t)(first - above) * width;
    std::vector<uint8_t> own((size_t)height * width, 77);
    tc_comm comm = {};
    comm.with = exchange, comm.root = &comm, comm.first = above, comm.rows = rows, comm.above = first - above;
    comm.height = s.height, comm.device = exchange->part % SOFT_DEVICES;
    const tilecut_status status = tc_cuda_part_nearness(&comm, s.seeds.data() + from, s.width, height, own.data());
    if (status != TILECUT_OK) exchange->leave(exchange->context);
    memcpy(level + (size_t)first * width, own.data() + (size_t)above * width, (size_t)rows * width);
    for (size_t x = 0; x < width; x++) /* the halo must have a valid level, so that its costs can be looked up */
        if ((above && own[x] != 0) || (below && own[(size_t)(height - 1) * width + x] != 0)) return TILECUT_EINVAL;
    return status;
}

/* True if cutting into `parts` parts gives the levels of one part. */
static bool try_parts(const scene &s, int parts, bool single)
{
    std::vector<uint8_t> level(s.level.size());
    std::vector<tilecut_status> status((size_t)parts, TILECUT_EINVAL);
    std::vector<std::thread> threads;
    const std::vector<int> rows = rows_of(s, parts, single);
    tilecut_exchange *exchanges = NULL;
    int first = 0;
    if (tilecut_exchange_threads(&exchanges, parts) != TILECUT_OK) return false;
    for (int i = 0; i < parts; first += rows[(size_t)i++])
        threads.emplace_back([&, i, first] {
            status[(size_t)i] = look(s, &exchanges[i], first, rows[(size_t)i], level.data());
        });
    for (std::thread &one : threads) one.join();
    tilecut_exchange_free(exchanges);
    for (const tilecut_status one : status)
        if (one != TILECUT_OK) return false;
    return level == s.level;
}

int main(int argc, char **argv)
{
    static const int counts[] = {1, 2, 3, 5};
    const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 4;
    const uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    int tried = 0, failed = 0;
    for (uint64_t seed = first; seed < first + count; seed++) {
        scene s = draw(seed);
        const tc_nearness_lattice lattice = {s.width, s.height, 0, {1, 1, 1}};
        if (tc_nearness(s.seeds.data(), &lattice, 1, NULL, s.level.data(), NULL) != TILECUT_OK) failed++;
        for (const int parts : counts) {
            tried++;
            if (try_parts(s, parts, (seed + (uint64_t)parts) % 3 == 0)) continue;
            failed++;
            printf("seed %llu, %dx%d in %d parts: other levels\n", (unsigned long long)seed, s.width, s.height, parts);
        }
    }
    printf("%d images in parts on devices in software, %d with other levels\n", tried, failed);
    return failed ? 1 : 0;
}
