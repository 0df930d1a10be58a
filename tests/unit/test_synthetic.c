/* SPDX-License-Identifier: MIT
 *
 * test_synthetic.c - synthetic instances have the properties that they promise, and are the same on every machine.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "synthetic.h"


#include "run_suite.h"

enum { PHOTO_W = 90, PHOTO_H = 60 };

/* Returns a photo of gradients with one seed of each class. */
static family_photo test_photo(void)
{
    static uint8_t pixels[PHOTO_W * PHOTO_H * 3], labels[PHOTO_W * PHOTO_H];
    for (int p = 0; p < PHOTO_W * PHOTO_H; p++) {
        pixels[3 * p] = (uint8_t)(p % PHOTO_W * 2);
        pixels[3 * p + 1] = (uint8_t)(p / PHOTO_W * 4);
        pixels[3 * p + 2] = (uint8_t)(p * 7);
        labels[p] = p < PHOTO_W ? TILECUT_BACKGROUND : TILECUT_UNKNOWN;
        if (p / PHOTO_W == PHOTO_H / 2) labels[p] = TILECUT_FOREGROUND;
    }
    return (family_photo){PHOTO_W, PHOTO_H, 3, pixels, labels};
}

static uint64_t hash(uint64_t start, const void *data, size_t size)
{
    const uint8_t *at = data;
    for (size_t i = 0; i < size; i++) start = (start ^ at[i]) * 0x100000001b3u;
    return start;
}

static uint64_t hash_instance(const instance *it)
{
    const size_t pixels = (size_t)it->width * (size_t)it->height;
    uint64_t sum = 0xcbf29ce484222325u;
    if (it->channels) {
        sum = hash(sum, it->pixels, pixels * (size_t)it->channels);
        return hash(sum, it->labels, pixels);
    }
    for (size_t i = 0; i < 4 * pixels; i++) { /* hashes values and not bytes, so that the byte order has no effect */
        const uint8_t bytes[4] = {(uint8_t)it->cells[i], (uint8_t)(it->cells[i] >> 8),
                                  (uint8_t)(it->cells[i] >> 16), (uint8_t)(it->cells[i] >> 24)};
        sum = hash(sum, bytes, sizeof bytes);
    }
    return sum;
}

static instance made(const family *kind, int size, uint64_t seed, const family_photo *photo)
{
    const family_request request = {.size = size, .seed = seed, .lambda = -1, .photo = photo};
    instance out;
    failure why = {0};
    ck_assert_msg(instance_make(kind, &request, &out, &why) == EXIT_DONE, "%s: %s", kind->name,
                  why.text);
    return out;
}

/* Published figures use these instances. If a hash changes, all of them change. */
static const struct {
    const char *family;
    int size;
    uint64_t seed, hash;
} known[] = {
    {"hussein", 64, 1, 0x5c46a31a24e55c19},
    {"hussein", 130, 42, 0x12f96df83bbf05e4},
    {"photo", 64, 1, 0xdb97c5e770bb08ef},
    {"photo", 130, 42, 0xee4dc3e3dd63cb84},
    {"spot", 64, 1, 0x546f00620bbf7bed},
    {"spot", 130, 42, 0x7e70bbb946bb28dd},
    {"frame", 64, 1, 0x0d9c65bf1b8b0914},
    {"frame", 130, 42, 0x41ca8a3be3b56450},
    {"random", 64, 1, 0x78566b23e0b19b3c},
    {"random", 130, 42, 0xf5642923942f3062},
    {"checker", 64, 1, 0xb1276a3d6c488e4e},
    {"checker", 130, 42, 0xb00316cd2c9377b7},
    {"maze", 64, 1, 0x31452db8931a5147},
    {"maze", 130, 42, 0xe81ab22583e2c05b},
};

LOOP_TEST(same_on_every_machine, 0, sizeof known / sizeof *known)
{
    const family_photo photo = test_photo();
    const family *kind = family_find(known[_i].family);
    instance it = made(kind, known[_i].size, known[_i].seed, kind->needs_photo ? &photo : NULL);
    const uint64_t sum = hash_instance(&it);
    ck_assert_msg(sum == known[_i].hash, "{\"%s\", %d, %llu, 0x%016llx},", known[_i].family,
                  known[_i].size, (unsigned long long)known[_i].seed, (unsigned long long)sum);
    instance_free(&it);
}

/* Every family, with sizes around the limits and irregular ones, gives a graph that can be solved and certified. */
LOOP_TEST(every_family_can_be_cut, 0, 3)
{
    static const int sizes[] = {64, 97, 160};
    const family_photo photo = test_photo();
    for (const family *kind = families; kind->name; kind++)
        for (int with_photo = kind->needs_photo; with_photo <= kind->takes_photo; with_photo++) {
            instance it = made(kind, sizes[_i], 7, with_photo ? &photo : NULL);
            uint8_t *mask = malloc((size_t)it.width * (size_t)it.height);
            tilecut_params params = tilecut_params_default();
            tilecut_graph *graph;
            tilecut_report report = {0};
            ck_assert_msg(instance_graph(&it, NULL, &graph) == TILECUT_OK, "%s: %s", kind->name,
                          tilecut_error_detail());
            ck_assert_msg(tilecut_graph_solve(graph, &params, mask, &report) == TILECUT_OK, "%s: %s",
                          kind->name, tilecut_error_detail());
            ck_assert_msg(report.flow > 0 && report.certified, "%s", kind->name);
            ck_assert_msg(report.foreground > 0 && report.foreground < (int64_t)it.width * it.height,
                          "%s: %lld foreground", kind->name, (long long)report.foreground);
            ck_assert_int_eq(kind->is_graph, it.channels == 0);
            tilecut_graph_destroy(graph);
            free(mask);
            instance_free(&it);
        }
}

TEST(seeds_and_sizes_differ)
{
    for (const family *kind = families; kind->name; kind++) {
        if (kind->needs_photo) continue;
        instance a = made(kind, 64, 1, NULL), b = made(kind, 64, 2, NULL), c = made(kind, 64, 1, NULL);
        ck_assert_uint_ne(hash_instance(&a), hash_instance(&b));
        ck_assert_uint_eq(hash_instance(&a), hash_instance(&c));
        instance_free(&a);
        instance_free(&b);
        instance_free(&c);
    }
}

LOOP_TEST(patches_of_hussein, 0, 5)
{
    const int size = (const int[]){64, 65, 127, 128, 129}[_i], patch = size < 128 ? size / 4 : 32;
    instance it = made(family_find("hussein"), size, 3, NULL);
    int64_t count[3] = {0};
    for (int p = 0; p < size * size; p++) count[it.labels[p]]++;
    ck_assert_int_eq(count[TILECUT_BACKGROUND], patch * patch);
    ck_assert_int_eq(count[TILECUT_FOREGROUND], patch * patch);
    ck_assert_int_eq(it.labels[0], TILECUT_BACKGROUND);
    ck_assert_int_eq(it.labels[size / 2 * size + size / 2], TILECUT_FOREGROUND);
    ck_assert_int_ne(it.params.soft_seeds, 0);
    ck_assert_double_eq(it.params.lambda, 2.5);
    ck_assert_double_eq(it.params.sigma, 50);
    instance_free(&it);
}

/* With a corridor of one pixel there is one path: every link of the maze is open and there is no ring. */
LOOP_TEST(mazes_have_no_rings, 1, 4)
{
    const family_request request = {.size = 101, .seed = 5, .corridor = _i, .lambda = -1};
    instance it;
    failure why = {0};
    ck_assert_int_eq(instance_make(family_find("maze"), &request, &it, &why), EXIT_DONE);
    int64_t links = 0, open = 0;
    for (int p = 0; p < 101 * 101; p++) {
        const bool right = instance_plane(&it, 2)[p] > 0, down = instance_plane(&it, 3)[p] > 0;
        const bool left = p % 101 && instance_plane(&it, 2)[p - 1] > 0;
        const bool up = p >= 101 && instance_plane(&it, 3)[p - 101] > 0;
        links += right + down;
        open += right || down || left || up;
    }
    if (_i == 1) ck_assert_int_eq(links, open - 1); /* the maze is a tree, which has one link less than nodes */
    else ck_assert_int_gt(links, open);
    instance_free(&it);
}

TEST(scaling_keeps_a_flat_photo_flat)
{
    static uint8_t pixels[50 * 30], labels[50 * 30];
    memset(pixels, 119, sizeof pixels);
    labels[0] = TILECUT_FOREGROUND;
    labels[50 * 30 - 1] = TILECUT_BACKGROUND;
    const family_photo photo = {50, 30, 1, pixels, labels};
    instance it = made(family_find("photo"), 100, 1, &photo);
    ck_assert_int_eq(it.width, 129);
    ck_assert_int_eq(it.height, 77);
    for (int p = 0; p < it.width * it.height; p++) ck_assert_int_eq(it.pixels[p], 119);
    ck_assert_int_eq(it.labels[0], TILECUT_FOREGROUND);
    ck_assert_int_eq(it.labels[it.width * it.height - 1], TILECUT_BACKGROUND);
    instance_free(&it);
}

TEST(impossible_requests_are_refused)
{
    static const struct {
        const char *family;
        family_request request;
    } bad[] = {{"maze", {.size = 63}},
               {"maze", {.size = 8193}},
               {"maze", {.size = 64, .corridor = 17}},
               {"maze", {.size = 64, .corridor = -1}},
               {"photo", {.size = 64}}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        instance it;
        failure why = {0};
        ck_assert_int_eq(instance_make(family_find(bad[i].family), &bad[i].request, &it, &why),
                         EXIT_USAGE);
        ck_assert_int_ne(why.text[0], 0);
    }
    ck_assert_ptr_null(family_find("mazes"));
}

int main(void) { return run_suite((test_suite){.name = "families", .seconds = 120}); }
