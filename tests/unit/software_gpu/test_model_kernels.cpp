// SPDX-License-Identifier: MIT
//
// test_model_kernels.cpp - learning on a simulated GPU (cuda_runtime.h in this folder): tables, mixtures and levels of
// nearness equal those of the host, bit for bit, for strokes, boxes and masks. So do smaller copies, the regions of
// a mask, and what is seen of it in its box.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "coarse_kernels.cuh"
#include "device_nearness.cuh"
#include "evidence_kernels.cuh"
#include "islands_kernels.cuh"
#include "lattice_kernels.cuh"
#include "model_kernels.cuh"
#include "nearness_kernels.cuh"

extern "C" {
#include "box_evidence.h"
#include "islands.h"
#include "params.h"
#include "random_graph.h"
}

static const dim3 rows_of_32 = {32, 8, 1};

static unsigned over(size_t n, unsigned by)
{
    return (unsigned)((n + by - 1) / by);
}

/* ---- Scenes ------------------------------------------------------------------------------------- */

enum seeding { STROKES, BOX, BOX_AND_STROKES, SEEDINGS };

struct scene {
    std::vector<uint16_t> samples; /* each entry is one 16-bit sample, or two of 8 bits */
    std::vector<uint8_t> seeds;
    tilecut_image image;
    tc_setup setup;
    int split; /* of the lanes of a mixture, as on devices of different sizes */
};

static int below(uint64_t *state, int n)
{
    return random_below(state, n);
}

/* Draws an image or, with `slices`, a volume of so many slices. */
static scene draw_scene(uint64_t seed, int slices)
{
    uint64_t state = seed;
    const int width = 33 + below(&state, 40), rows = 2 + below(&state, 60), height = slices ? slices * rows : rows;
    /* most pictures are grey, because their table of colours is much smaller */
    const int channels = seed % 4 || slices ? 1 : 3, depth = seed % 3 ? 8 : 16;
    const int noise = 10 + below(&state, 60), seeding = slices && seed % 4 ? STROKES : (int)(seed % SEEDINGS);
    const int level = slices ? height / slices : height; /* rows in which strokes are drawn */
    scene s;
    s.split = slices ? 0 : (int)((seed + 1) % 3);
    s.samples.resize((size_t)width * height * channels);
    s.seeds.assign((size_t)width * height, TILECUT_UNKNOWN);
    s.image = {sizeof s.image, width, height, channels, depth, 0, s.samples.data()};
    for (int i = 0; i < width * height * channels; i++) {
        const int x = i / channels % width, y = i / channels / width;
        const int level = (x / 9 + y / 7) % 3 * 60 + 20 * (i % channels) + below(&state, noise);
        if (depth == 16) s.samples[i] = (uint16_t)(level * 257 + below(&state, 200));
        else ((uint8_t *)s.samples.data())[i] = (uint8_t)level;
    }
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            uint8_t &label = s.seeds[(size_t)y * width + x];
            if (seeding != STROKES && (x < 4 || x > width - 6 || y % level == 0)) label = TILECUT_OUTSIDE;
            if (seeding != BOX && y == height / 2 && x / 5 % 4 == 1) label = TILECUT_FOREGROUND;
            if (seeding != BOX && y == height - 1 && x % 3) label = TILECUT_BACKGROUND;
            if (seeding != BOX && slices && y == level / 2 && x % 11 == 4) label = TILECUT_BACKGROUND;
        }
    s.setup = {};
    s.setup.colors = seed % 5 == 4 ? "hist" : "gmm";
    s.setup.lambda = 1 + below(&state, 100), s.setup.spatial = seed % 7 ? 1.5 : 0, s.setup.data_weight = 1;
    s.setup.sigma = seed % 6 ? 0 : 9, s.setup.connectivity = seed % 4 > 1 ? 8 : 4;
    s.setup.threads = 1;
    s.setup.soft_seeds = seed % 8 == 5;
    if (!slices) return s;
    s.setup.connectivity = 6, s.setup.slice_rows = rows, s.setup.spatial = seeding == STROKES ? 10 : 0;
    s.setup.lambda_by_strokes = seed % 2;
    if (seed % 3 == 2) s.setup.colors = "none";
    for (int k = 0; k < 3; k++) s.setup.spacing[(k + seed / 2) % 3] = 1 + (seed % 2 ? 0.7 * k * k : 0);
    return s;
}

static std::vector<uint8_t> draw_mask(const scene &s, uint64_t seed)
{
    std::vector<uint8_t> mask(s.seeds.size());
    for (size_t p = 0; p < mask.size(); p++) {
        const int x = (int)(p % s.image.width), y = (int)(p / s.image.width);
        mask[p] = s.seeds[p] == TILECUT_FOREGROUND || (x / 9 + y / 7 + (int)seed) % 3 == 1 ? 255 : 0;
    }
    return mask;
}

/* ---- A graph's lessons there --------------------------------------------------------------------- */

struct soft_model {
    const scene &s;
    std::vector<int32_t> straight, slanted, source_cost, sink_cost, near_cost;
    std::vector<uint8_t> nearness, mask;
    std::vector<char> scratch;
    learnt facts;
    built_links links = {1, 1, 7};
    const char *odd = NULL;     /* what is wrong with `links` */
    std::vector<uint8_t> seeds; /* those there */
    model m = {};

    explicit soft_model(const scene &from) : s(from), seeds(from.seeds)
    {
        const bool gmm = strcmp(s.setup.colors, "gmm") == 0, grey = s.image.channels == 1;
        const uint64_t levels = s.image.depth == 8 ? 255 : 65535, most = levels * levels * (uint64_t)s.image.channels;
        device_energy &e = m.energy;
        m.gmm = gmm, m.totals = true, m.slice_rows = s.setup.slice_rows;
        for (int k = 0; k < 3; k++) m.spacing[k] = s.setup.spacing[k];
        if (gmm) m.bits = grey ? TC_GMM_GREY_BITS : TC_GMM_COLOUR_BITS;
        else m.bits = grey ? TC_HIST_GREY_BITS : TC_HIST_COLOUR_BITS;
        if (strcmp(s.setup.colors, "none") == 0) m.bits = 0;
        m.bins = m.bits ? (size_t)1 << (s.image.channels * m.bits) : 0;
        m.lambda = s.setup.lambda, m.sigma = s.setup.sigma;
        m.data_weight = s.setup.data_weight, m.spatial = s.setup.spatial;
        e.width = s.image.width, e.height = s.image.height;
        e.channels = s.image.channels, e.depth = s.image.depth;
        e.stride = tc_image_row_bytes(&s.image);
        e.pixels = (const uint8_t *)s.image.pixels, e.seeds = seeds.data();
        e.last = s.image.depth == 8 ? (int32_t)most : tc_contrast_key(most);
        e.soft_seeds = s.setup.soft_seeds;
        straight.assign((m.slice_rows ? 3 : 1) * ((size_t)e.last + 1), -7);
        near_cost.assign(2 * TC_NEARNESS_LEVELS, -7);
        source_cost.assign(m.bins, -7), sink_cost.assign(m.bins, -7), nearness.assign(s.seeds.size(), 255);
        if (s.setup.connectivity == 8) slanted = straight;
        m.tables = {straight.data(), slanted.empty() ? NULL : slanted.data(), source_cost.data(), sink_cost.data(),
                    near_cost.data(), &facts, &links};
        m.split = s.split;
        m.far = m.slice_rows && s.setup.spatial > 0;
        if (!m.bits) m.spatial = 0;
        if (m.slice_rows) look_at_volume();
        else look_at_seeds();
    }

    /* Does the same as look_at_seeds() and weigh_strokes() in device_training.cu. */
    void look_at_volume()
    {
        const int w = s.image.width, h = s.image.height;
        const double *const step = s.setup.spacing;
        std::vector<int> room(2 * seeds.size(), 12345);
        const strokes_request r = {&m.energy, {w, h, m.slice_rows, {step[0], step[1], step[2]}}, &facts, seeds.data(),
                                   room.data()};
        memset(&facts, 0, sizeof facts);
        soft_launch({over(w, 32) * over(h, MODEL_ROWS)}, rows_of_32, false,
                    [&] { census_kernel<true>(m.energy, m.slice_rows, &facts.census); });
        if (!m.far) return;
        if (m.bits) m.energy.nearness = nearness.data();
        (void)strokes_measure(&r, NULL);
        const double gap = tc_gap_of((int64_t)facts.gap, facts.census.labels[TILECUT_FOREGROUND]);
        const tc_block seeded = block_of(facts.census.foreground, w, h, m.slice_rows);
        if (s.setup.lambda_by_strokes) m.lambda = tc_lambda_of_gap(gap);
        (void)strokes_weigh(&r, &seeded, gap, NULL);
    }

    void look_at_seeds()
    {
        const int w = s.image.width, h = s.image.height;
        size_t total;
        memset(&facts, 0, sizeof facts);
        soft_launch({over(w, 32) * over(h, MODEL_ROWS)}, rows_of_32, false,
                    [&] { census_kernel<false>(m.energy, 0, &facts.census); });
        (void)place_maps(w, h, NULL, (char *)256, &total);
        scratch.assign(total + 256, 0x55);
        const maps near = place_maps(w, h, &facts.census, aligned(), &total);
        soft_launch({over(2 * (size_t)h, NEAR_BLOCK / 32)}, {NEAR_BLOCK}, false,
                    [&] { along_kernel(near, s.seeds.data()); });
        soft_launch({over(w, NEAR_BLOCK) * (unsigned)near.chunks, 2}, {NEAR_BLOCK}, false, [&] { least_kernel(near); });
        soft_launch({(unsigned)near_tiles(w, near.chunks)}, near_tile(), false,
                    [&] { level_kernel(near, nearness.data()); });
    }

    char *aligned()
    {
        return scratch.data() + (256 - (uintptr_t)scratch.data() % 256);
    }

    /* Does the same as model_learn() in device_model.cu. */
    void learn(const model_training &training)
    {
        const unsigned bins = over(m.bins, MODEL_BLOCK);
        const dim3 columns = {over(m.energy.width, 32) * over(m.energy.height, MODEL_ROWS)};
        size_t total, entries = std::max((size_t)m.energy.last + 1, m.bins);
        (void)place_model(m.energy.width, m.energy.height, m.bins, (char *)256, &total, m.slice_rows);
        scratch.assign(total + 256, 0x55);
        m.training = training;
        m.scratch = place_model(m.energy.width, m.energy.height, m.bins, aligned(), &total, m.slice_rows);
        facts.samples[0] = facts.labelled[1] = facts.blocks = 77, facts.highest = 1 << 30, facts.shared = 7;
        const std::vector<int32_t> straight_before = straight, slanted_before = slanted;
        const built_links links_before = links;
        learnt before, was = facts;
        soft_launch({3}, {MODEL_BLOCK}, false, [&] { begin_kernel(m, training.mask ? &before : NULL); });
        if (training.mask && memcmp(&before, &was, sizeof was)) abort();
        soft_launch(columns, rows_of_32, false, [&] { inspect_kernel(m); });
        if (m.gmm) {
            soft_launch({bins}, {MODEL_BLOCK}, false, [&] { count_used_kernel(m); });
            soft_launch({bins, 2}, {MODEL_BLOCK}, false, [&] { take_samples_kernel(m); });
            soft_launch({TC_LANES / 32u << m.split, 2}, {MIXTURE_THREADS}, true, [&] { fit_kernel(m); });
        }
        if (m.bits) soft_launch({bins}, {MODEL_BLOCK}, false, [&] { cost_kernel(m); });
        else soft_launch({1}, {1}, false, [&] { settle_kernel(m); });
        soft_launch({over(entries, MODEL_BLOCK)}, {MODEL_BLOCK}, false, [&] { table_kernel(m); });
        const bool other = straight != straight_before || slanted != slanted_before;
        const bool scales = links.quantum == links_before.quantum && links.beta == links_before.beta;
        if (links.same != (training.goes_on && scales) || (links.same && other)) odd = "whether a flow may stay";
    }
};

/* Returns what differs between host and device, or NULL. */
static const char *difference(const tc_energy &e, const soft_model &d)
{
    const learnt &f = d.facts;
    if (d.odd) return d.odd;
    const bool gmm = strcmp(d.s.setup.colors, "gmm") == 0;
    if (e.beta != f.beta) return "beta";
    if (e.quantum != f.quantum) return "quantum";
    if (e.seed_capacity != f.seed_capacity) return "K";
    if (e.shared != tc_shared_cost(e.data_weight, (int64_t)f.shared)) return "what all labellings cost";
    for (size_t k = 0, keys = (size_t)d.m.energy.last + 1; k < d.straight.size() / keys; k++)
        for (int32_t key = 0; key <= d.m.energy.last; key++)
            if (d.straight[k * keys + (size_t)key] != e.link[k][key < e.keys ? key : e.keys - 1]) return "links";
    for (int32_t key = 0; e.connectivity == 8 && key <= d.m.energy.last; key++)
        if (d.slanted[(size_t)key] != e.link[2][key < e.keys ? key : e.keys - 1]) return "diagonals";
    if (d.m.bits && memcmp(e.source_cost, d.source_cost.data(), d.m.bins * sizeof(int32_t)))
        return "links from the source";
    if (d.m.bits && memcmp(e.sink_cost, d.sink_cost.data(), d.m.bins * sizeof(int32_t))) return "links to the sink";
    if (gmm && memcmp(e.training.mixture, f.mixture, sizeof f.mixture)) return "mixtures";
    if (e.training.guessed != is_guessed(f.census, d.m.bits)) return "whether it is a guess";
    if (!e.nearness && f.spatial > 0) return "whether anything is near";
    for (const uint8_t level : d.nearness)
        if (d.m.spatial > 0 && level >= TC_NEARNESS_LEVELS) return "a level that there is not";
    if (d.s.setup.slice_rows && memcmp(e.seeds, d.seeds.data(), d.seeds.size())) return "which strokes are far";
    if (d.s.setup.slice_rows && e.lambda != d.m.lambda) return "lambda";
    if (!e.nearness || !d.m.bits) return NULL;
    if (memcmp(e.nearness, d.nearness.data(), d.nearness.size())) return "levels of nearness";
    return memcmp(e.near_cost, d.near_cost.data(), sizeof e.near_cost) ? "costs of nearness" : NULL;
}

/* Learns several times, as a run does. Returns what differs, and in *step the first step with a difference. */
static const char *try_lessons(const scene &s, uint64_t seed, const char **step)
{
    const std::vector<uint8_t> mask = draw_mask(s, seed), other = draw_mask(s, seed + 1);
    const bool gmm = strcmp(s.setup.colors, "gmm") == 0;
    tc_energy first = {}, second = {}, third = {};
    soft_model d(s);
    const char *why = "not learnt on the host";
    *step = "seeds";
    std::vector<uint8_t> own = s.seeds; /* the host marks far strokes in them */
    tc_setup setup = s.setup;
    if (d.m.far) setup.own_seeds = own.data();
    if (tc_energy_init(&first, &s.image, own.data(), &setup) != TILECUT_OK) return tilecut_error_detail();
    d.learn({NULL, false, false, 0, -1, false});
    why = difference(first, d);
    const learnt before = d.facts;
    if (!why && tc_energy_relearn(&first, mask.data(), &second) == TILECUT_OK) {
        *step = "a mask";
        if (seed % 3 == 1) d.links.quantum *= 2; /* then the flow belongs to other links */
        if (seed % 3 == 2) d.links.beta *= 2;
        d.learn({mask.data(), true, true, 0, -1, true});
        why = difference(second, d);
    }
    if (!why && gmm && seed % 2 &&
        tc_energy_move_color(&second, other.data(), (int)(seed % 10), &third) == TILECUT_OK) {
        *step = "a move";
        d.learn({other.data(), true, true, 0, (int)(seed % 10), true});
        why = difference(third, d);
    } else if (!why && gmm && tc_energy_restart(&first, 2, &third) == TILECUT_OK) {
        *step = "another start";
        d.facts = before;
        d.learn({NULL, true, false, 2, -1, false});
        why = difference(third, d);
    }
    tc_energy_free(&first), tc_energy_free(&second), tc_energy_free(&third);
    return why;
}

/* ---- Smaller copies and regions ------------------------------------------------------------------ */

/* Spreads a guess of cells of both classes, with evidence, over the pixels of a scene. Seeds keep their labels. */
static bool guess_is_spread(const scene &s, const device_energy &e, int width, int height)
{
    std::vector<uint8_t> cells((size_t)width * (size_t)height), mask(s.seeds.size()), level(mask), row((size_t)e.width);
    for (size_t i = 0; i < cells.size(); i++) cells[i] = (uint8_t)(i * 37 % 254);
    tc_setup setup = s.setup;
    setup.guess = cells.data(), setup.guess_width = width, setup.guess_height = height, setup.guess_slice_rows = 0;
    soft_launch({over(mask.size(), COARSE_BLOCK)}, {COARSE_BLOCK}, false, [&] {
        guess_kernel({cells.data(), width, height, 0}, e, setup.slice_rows, mask.data(), level.data());
    });
    bool same = true;
    for (int y = 0; y < e.height; y++) {
        tc_setup_guess_row(&setup, e.width, y, e.height, row.data());
        const size_t from = tc_guess_row_at(y, e.height, setup.slice_rows, height, 0) * (size_t)width;
        for (int x = 0; x < e.width; x++) {
            const size_t p = (size_t)y * (size_t)e.width + (size_t)x;
            const size_t cell = from + tc_guess_column_at(x, e.width, width);
            const uint8_t label = s.seeds[p] ? s.seeds[p] : row[(size_t)x];
            same = same && mask[p] == (label == TILECUT_FOREGROUND ? 255 : 0) && level[p] == cells[cell] >> 1;
        }
    }
    return same;
}

static const char *try_copy(const scene &s, int factor)
{
    const soft_model large(s);
    device_energy small = large.m.energy;
    tc_coarse coarse;
    bool has_all_classes;
    if (tc_coarse_init(&coarse, NULL, &s.image, s.seeds.data(), factor, 1, &has_all_classes) != TILECUT_OK)
        return tilecut_error_detail();
    small.width = coarse.image.width, small.height = coarse.image.height;
    small.stride = tc_image_row_bytes(&coarse.image);
    const size_t cells = (size_t)small.width * (size_t)small.height, bytes = small.stride * (size_t)small.height;
    std::vector<uint16_t> pixels(bytes / 2 + 1);
    std::vector<uint8_t> seeds(cells), mask(s.seeds.size()), expected(s.seeds.size());
    soft_launch({over(cells, COARSE_BLOCK)}, {COARSE_BLOCK}, false,
                [&] { shrink_kernel(large.m.energy, factor, small, (uint8_t *)pixels.data(), seeds.data()); });
    soft_launch({over(mask.size(), COARSE_BLOCK)}, {COARSE_BLOCK}, false, [&] {
        spread_kernel(seeds.data(), small.width, factor, mask.data(), s.image.width, s.image.height);
    });
    tc_coarse_spread(&coarse, coarse.seeds, 1, s.image.width, s.image.height, 0, expected.data());
    const bool seeds_stay = guess_is_spread(s, large.m.energy, small.width, small.height);
    const char *const why = memcmp(pixels.data(), coarse.image.pixels, bytes) ? "pixels of the copy"
                            : memcmp(seeds.data(), coarse.seeds, cells)       ? "seeds of the copy"
                            : mask != expected                                ? "a mask at full size"
                            : !seeds_stay                                     ? "the seeds in a guess"
                                                                              : NULL;
    tc_coarse_free(&coarse);
    return why;
}

/* Makes the trees of all runs, as certify_kernel does. */
static void begin_trees(const islands &regions)
{
    int x, y, z;
    const bool inside = thread_pixel(regions, &x, &y, &z);
    const int p = inside ? pixel_number(regions, x, y, z) : 0;
    const unsigned votes = __ballot_sync(WARP, inside && regions.mask[p]);
    if (inside) begin_tree(regions.parent, p, votes);
}

static const char *try_regions(const scene &s, uint64_t seed, int connectivity)
{
    uint64_t state = seed;
    const int w = s.image.width, h = connectivity == 6 ? s.setup.slice_rows : s.image.height;
    const int slices = s.image.height / h, dense = 2 + below(&state, 4);
    std::vector<uint8_t> mask(s.seeds.size()), before(s.seeds.size(), 255), expected;
    std::vector<int> parent(1 + mask.size(), 7);
    proof_sums sums = {};
    int64_t kept = 0, changed = 0;
    bool seeded = false;
    for (uint8_t &pixel : mask) pixel = below(&state, dense) ? 255 : 0;
    for (const uint8_t seed_label : s.seeds) seeded |= seed_label == TILECUT_FOREGROUND;
    if (!seeded) return NULL; /* without foreground seeds no kernel is launched */
    expected = mask;
    if (tc_drop_islands(NULL, s.seeds.data(),
                        tc_islands_of(expected.data(), w, h, slices, connectivity), &kept) != TILECUT_OK)
        return tilecut_error_detail();
    for (const uint8_t pixel : expected) changed += pixel != 255;
    islands regions = {w, h, connectivity == 8, s.seeds.data(), before.data(), NULL, mask.data(), parent.data()};
    const dim3 grid = {over(w, 32) * over(h, ISLANDS_BLOCK / 32) * (unsigned)slices};
    const std::vector<uint8_t> untouched = mask;
    for (int done = 0; done < 2; done++) {
        const std::vector<int> memory = parent;
        regions.done = &done;
        soft_launch(grid, rows_of_32, true, [&] { join_kernel(regions); });
        soft_launch(grid, rows_of_32, false, [&] { keep_kernel(regions, &sums); });
        if (!done && (mask != untouched || parent != memory || sums.foreground)) return "what it does too early";
        soft_launch(grid, rows_of_32, false, [&] { begin_trees(regions); });
    }
    if (mask != expected) return "what hangs together";
    if ((int64_t)sums.foreground != kept) return "how much of it there is";
    return (int64_t)sums.changed != changed ? "how much has changed" : NULL;
}

/* ---- What is seen of a mask ----------------------------------------------------------------------- */

static const char *try_look(const scene &s, uint64_t seed)
{
    const soft_model model(s);
    const std::vector<uint8_t> mask = draw_mask(s, seed);
    device_tally seen = {};
    tc_box_tally sum;
    if (!tc_box_count(&s.image, s.seeds.data(), mask.data(), 1, &sum)) return "no memory";
    soft_launch({3}, {TALLY_BLOCK}, false, [&] { tally_kernel(model.m.energy, mask.data(), &seen); });
    for (int i = 0; i < TC_TALLY_BINS; i++)
        if (seen.mask[i] != sum.mask[i] || seen.outside[i] != sum.outside[i]) return "colours of a mask and its box";
    if ((int64_t)seen.in_mask != sum.in_mask || (int64_t)seen.in_ring != sum.in_ring ||
        (int64_t)seen.open != sum.open)
        return "pixels of a mask and its box";
    return (int64_t)seen.links != sum.links || (int64_t)seen.across != sum.across ? "an outline's edges" : NULL;
}

int main(int argc, char **argv)
{
    /* by day seeds 2 to 4: all kinds of seeds, splits of lanes, depths and colour models, and colour */
    const bool all = argc > 1 || getenv("NIGHTLY");
    const uint64_t first = all ? 1 : 2, count = argc > 1 ? strtoull(argv[1], NULL, 10) : all ? 6 : 3;
    int failed = 0;
    for (uint64_t seed = first; seed < first + count; seed++) {
        const scene s = draw_scene(seed, 0), volume = draw_scene(seed, 2 + (int)(seed % 3));
        const char *step = "", *why = try_lessons(s, seed, &step);
        if (!why) why = try_lessons(volume, seed, &step);
        const char *const others[] = {try_copy(s, 1 + (int)(seed % 5)), try_regions(s, seed, 4),
                                      try_regions(s, seed, 8), try_regions(volume, seed, 6), try_look(s, seed)};
        if (why) printf("seed %llu, lesson from %s: %s\n", (unsigned long long)seed, step, why), failed++;
        for (const char *other : others)
            if (other) printf("seed %llu: %s\n", (unsigned long long)seed, other), failed++;
    }
    printf("%llu images learnt by a GPU in software, %d wrong\n", (unsigned long long)count, failed);
    return failed ? 1 : 0;
}
