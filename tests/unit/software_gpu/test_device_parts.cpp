// SPDX-License-Identifier: MIT
//
// test_device_parts.cpp - images and volumes cut in parts on simulated devices (host_calls.h). Random graphs, pictures,
// capacities and scans in 1, 2, 3 and 5 parts must give the mask, flow and energy of `bk` in one part, and a volume of
// one slice those of the image. The kernels, their host code and src/parts are the same as on a GPU.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "label_scene.h"
#include "part_scene.h"

static long waves = 0;

/* ---- Refusals ----------------------------------------------------------------------------------- */

/* One part of several refuses invalid input like the host does: a voxel that is not a number, seeds of one class only,
 * and an invalid label. */
static const char *try_refusals(void)
{
    for (int k = 0; k < 3; k++) {
        drawn_scene d;
        piece pieces[MOST_PIECES];
        tilecut_report report = {};
        drawn_scene_init(&d, PART_SCAN, 3, false); /* a scan of floats */
        const size_t n = part_scene_pixels(&d.scene), at = n - n / (size_t)d.voxels.depth - 1;
        std::vector<uint8_t> mask(n);
        bool said = false;
        if (k == 0) ((float *)d.memory)[at] = NAN;
        for (size_t i = 0; i < n && k == 1; i++)
            if (d.seeds[i] == TILECUT_FOREGROUND) d.seeds[i] = TILECUT_UNKNOWN;
        if (k == 2) d.seeds[at] = 9;
        if (part_scene_solve(&d.scene, "bk", mask.data(), &report) == TILECUT_OK) return "one part takes it";
        const std::string expected = tilecut_error_detail();
        d.scene.devices = 3;
        part_scene_cut(&d.scene, 3, mask.data(), pieces);
        drawn_scene_free(&d);
        for (int i = 0; i < 3; i++) {
            if (pieces[i].status == TILECUT_OK) return "a part takes what one part refuses";
            said |= expected == pieces[i].detail;
        }
        if (!said) return "it is refused for another reason";
    }
    return NULL;
}

/* ---- Answers ------------------------------------------------------------------------------------ */

/* Cuts in 1, 2, 3 and 5 parts (by day, in two of these numbers), with a device for each part or on two devices. Returns
 * the number of wrong answers. */
static int try_scene(drawn_scene *d, int kind, uint64_t seed, int *tried)
{
    static const int counts[] = {1, 2, 3, 5};
    static const bool night = getenv("NIGHTLY");
    static piece pieces[MOST_PIECES];
    part_scene &s = d->scene;
    std::vector<uint8_t> mask(part_scene_pixels(&s));
    tilecut_report one = {};
    int wrong = part_scene_solve(&s, "bk", mask.data(), &one) != TILECUT_OK;
    if (wrong) printf("seed %d, kind %d: %s\n", (int)seed, kind, tilecut_error_detail());
    for (int i = 0; i < 4; i++) {
        const int parts = counts[i];
        if (one.certified == 0 || parts > part_scene_rows(&s) || !(night || (seed / 2 + (uint64_t)i) % 2)) continue;
        s.devices = seed % 2 ? parts : 2, s.by_host = (seed + (uint64_t)parts) % 2;
        const char *why = part_scene_try(&s, parts, mask.data(), &one, pieces);
        /* scans with a box are cut by the host */
        const bool windowed = kind == PART_SCAN && memchr(s.seeds, TILECUT_OUTSIDE, mask.size());
        for (int k = 0; k < parts && !why && !windowed; k++)
            if ((pieces[k].more.direct > 0) != (parts > 1 && !s.by_host)) why = "rows went another way";
        if (why) printf("seed %d, kind %d in %d parts: %s\n", (int)seed, kind, parts, why);
        waves += pieces[0].more.waves;
        wrong += why != NULL;
        ++*tried;
    }
    return wrong;
}

/* Cuts an image of 8 or 16 bits, grey or in colour, and a volume whose only slice it is, both on a device. Returns how
 * the answer differs from that of the image on the host, or NULL. */
static const char *try_depth_one(uint64_t seed)
{
    static const char *const models[] = {"hist", "none", "gmm"};
    uint64_t state = seed;
    const int width = 8 + random_below(&state, 40), height = 8 + random_below(&state, 40), depth = seed % 2 ? 8 : 16;
    const size_t n = (size_t)width * (size_t)height, channels = seed / 2 % 2 ? 3 : 1;
    std::vector<uint16_t> wide(channels * n);
    std::vector<uint8_t> narrow(channels * n), seeds(n), mask(n);
    for (size_t i = 0; i < channels * n; i++) {
        const size_t p = i / channels;
        const bool inside = p % (size_t)width > (size_t)width / 3 && p / (size_t)width > (size_t)height / 3;
        narrow[i] = (uint8_t)(60 + 90 * inside + random_below(&state, 80));
        wide[i] = (uint16_t)(narrow[i] << 8 | random_below(&state, 256));
    }
    for (int k = 0; k < 12; k++) seeds[(size_t)random_below(&state, (int)n)] = (uint8_t)(1 + k % 2);
    seeds[0] = TILECUT_BACKGROUND, seeds[n - 1] = TILECUT_FOREGROUND;
    tilecut_image image = {};
    tilecut_volume volume = {};
    part_scene s = {};
    piece pieces[MOST_PIECES];
    tilecut_report one = {};
    image.width = volume.width = width, image.height = volume.height = height, volume.depth = 1;
    image.channels = volume.channels = (int)channels, image.depth = depth, volume.size = sizeof volume;
    image.pixels = volume.voxels = depth == 8 ? (void *)narrow.data() : (void *)wide.data();
    volume.type = depth == 8 ? TILECUT_VOXEL_U8 : TILECUT_VOXEL_U16, volume.high = depth == 8 ? 0 : 65535;
    s.image = &image, s.seeds = seeds.data(), s.params = tilecut_params_default();
    s.params.lambda = 5 + random_below(&state, 196), s.params.colors = models[seed % 3], s.params.connectivity = 4;
    s.params.iterations = TILECUT_NONE; /* the fibers would take seconds for further iterations */
    if (part_scene_solve(&s, "bk", mask.data(), &one) != TILECUT_OK) return tilecut_error_detail();
    s.devices = 1;
    if (const char *const why = part_scene_try(&s, 1, mask.data(), &one, pieces)) return why;
    s.image = NULL, s.voxels = &volume, s.params.connectivity = 6;
    one.connectivity = 6;
    return part_scene_try(&s, 1, mask.data(), &one, pieces);
}

/* Labels a scene in parts on two devices. Labels, energy and bound must equal those of one part on the host. */
static int try_labels(uint64_t seed, int *tried)
{
    label_scene s;
    tilecut_labels_report one = {};
    char why[400];
    label_scene_draw(&s, seed, seed % 3 == 2);
    s.params.iterations = TILECUT_NONE; /* the fibers would take seconds for further iterations */
    std::vector<uint8_t> expected(s.row * s.rows);
    const char *wrong = label_scene_whole(&s, expected.data(), &one) == TILECUT_OK ? NULL : tilecut_error_detail();
    s.devices = 2;
    for (int parts = 2; parts <= (getenv("NIGHTLY") ? 3 : 2) && !wrong; parts++, ++*tried)
        wrong = label_scene_try(&s, parts, expected.data(), &one, why);
    if (wrong) printf("labels, seed %d: %s\n", (int)seed, wrong);
    label_scene_free(&s);
    return wrong != NULL;
}

int main(int argc, char **argv)
{
    const bool night = getenv("NIGHTLY");
    const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : night ? 4 : 2;
    const uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    const char *const refused = try_refusals();
    int tried = 0, failed = refused != NULL;
    if (refused) printf("%s\n", refused);
    for (uint64_t seed = first; seed < first + count; seed++)
        for (int kind = 0; kind < PART_KINDS; kind++) {
            drawn_scene d;
            drawn_scene_init(&d, kind, seed, false);
            failed += try_scene(&d, kind, seed, &tried);
            drawn_scene_free(&d);
        }
    /* By day, each colour model is tried with each depth. */
    for (uint64_t seed = first; seed < first + (night ? 3 * count : 6); seed++) {
        const char *const why = try_depth_one(seed);
        if (why) printf("seed %d, depth one: %s\n", (int)seed, why);
        failed += why != NULL, tried += 2;
    }
    failed += try_labels(19, &tried); /* a small scene in which some labels change */
    if (night) failed += try_labels(23, &tried); /* a volume */
    for (uint64_t seed = first; night && seed < first + count; seed++) failed += try_labels(seed, &tried);
    printf("%d cuts in parts on devices in software, in %ld waves, %d wrong\n", tried, waves, failed);
    return failed || (count && !waves) ? 1 : 0; // with `count` 0, only refusals, depth one and labels are tried
}
