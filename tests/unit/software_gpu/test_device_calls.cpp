// SPDX-License-Identifier: MIT
//
// test_device_calls.cpp - whole calls on a simulated GPU (host_calls.h): their masks are the CPU's, a lesson with its
// cut takes 12 launches, and from the third call of a thread on, nothing is asked for that takes a lock or the
// driver's memory, whatever the call is. Pixels go to the device once, and those that are there stay. Copies through
// pinned pieces arrive complete, even if the device makes them as late as it may. With NIGHTLY set, every kind of call
// is made with every colour model.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "device_lane.cuh"
#include "random_graph.h"
#include "walled.h"

extern "C" {
#include "cuda_backend.h"
#include "tilecut.h"
#include "tilecut_correct.h"
#include "tilecut_labels.h"
#include "tilecut_volume.h"
}

/* ---- Copies ------------------------------------------------------------------------------------- */

/* Copies rows there and back through pieces of 64 KB to 256 KB. Returns what is wrong, or NULL. */
static const char *try_copies(uint64_t seed)
{
    uint64_t state = seed;
    const size_t bytes = 1 + (size_t)random_below(&state, 90000), rows = 1 + (size_t)random_below(&state, 40);
    const size_t stride = seed % 3 ? bytes + (size_t)random_below(&state, 50) : bytes;
    std::vector<uint8_t> from(stride * rows), there(bytes * rows, 1), back(bytes * rows, 2);
    device_staging staging = {};
    bool same = true;
    for (uint8_t &byte : from) byte = (uint8_t)random_below(&state, 256);
    if (staging_init(&staging) != TILECUT_OK) return "no events";
    staging_reserve(&staging, 1);
    staging.threads = 2;
    soft_late = true;
    const bool sent = staging_send(&staging, there.data(), from.data(), stride, bytes, rows) == TILECUT_OK;
    const std::vector<uint8_t> given = from;
    for (uint8_t &byte : from) byte = (uint8_t)~byte; /* what was sent is in the pieces, or there */
    const bool got = staging_receive(&staging, back.data(), there.data(), bytes * rows) == TILECUT_OK;
    soft_late = false;
    staging_free(&staging);
    for (size_t y = 0; y < rows; y++) same &= !memcmp(&back[y * bytes], &given[y * stride], bytes);
    return !sent || !got ? "a copy failed" : back != there ? "what came back" : same ? NULL : "what went there";
}

/* ---- Calls -------------------------------------------------------------------------------------- */

/* All that takes a lock or the driver's memory, so far. */
static int taken(void)
{
    return soft_asked.memory + soft_asked.pinned + soft_asked.streams + soft_asked.events;
}

struct scene {
    int width, height;
    std::vector<uint8_t> pixels, seeds;
};

static scene draw(uint64_t seed)
{
    uint64_t state = seed;
    scene s;
    s.width = 40 + random_below(&state, 30), s.height = 30 + random_below(&state, 20);
    for (int y = 0; y < s.height; y++)
        for (int x = 0; x < s.width; x++) {
            const bool inside = abs(x - s.width / 2) < s.width / 4 && abs(y - s.height / 2) < s.height / 4;
            s.pixels.push_back((uint8_t)((inside ? 150 : 60) + random_below(&state, 70)));
            s.seeds.push_back(y == s.height / 2 && abs(x - s.width / 2) < 4 ? TILECUT_FOREGROUND
                              : y == 1                                     ? TILECUT_BACKGROUND
                                                                           : TILECUT_UNKNOWN);
        }
    return s;
}

static tilecut_status cut(const scene &s, const char *solver, std::vector<uint8_t> *mask, tilecut_report *report)
{
    tilecut_params params = tilecut_params_default();
    tilecut_image image = {};
    image.size = sizeof image, image.width = s.width, image.height = s.height, image.channels = 1, image.depth = 8;
    image.pixels = s.pixels.data();
    params.solver = solver, params.threads = 1, params.connectivity = 8, params.colors = "hist";
    mask->assign(s.pixels.size(), 7);
    *report = {};
    return tilecut_segment(&image, s.seeds.data(), &params, mask->data(), report);
}

/* Cuts an image three times on the device. Returns what is wrong, or NULL. */
static const char *try_image(uint64_t seed)
{
    const scene s = draw(seed);
    std::vector<uint8_t> expected, mask;
    tilecut_report here, there;
    if (cut(s, "bk", &expected, &here) != TILECUT_OK) return tilecut_error_detail();
    for (int call = 0; call < 3; call++) {
        const int before = taken();
        if (cut(s, "cuda", &mask, &there) != TILECUT_OK) return tilecut_error_detail();
        if (mask != expected || there.flow != here.flow) return "another mask";
        if (call > 1 && taken() != before) return "something was made for a warm call";
    }
    return NULL;
}

/* ---- Calls of every kind ------------------------------------------------------------------------ */

enum task { OF_STROKES, OF_A_BOX, OF_A_WRONG_BOX, OF_BOTH, OF_A_CORRECTION, OF_A_PRIOR, OF_LABELS, TASKS };

/* Draws pixels in rows with gaps. A wrong box cuts through its object, so the mask leaks. */
static scene draw_task(task what, uint64_t seed)
{
    scene s = draw(seed);
    const std::vector<uint8_t> packed = s.pixels;
    s.pixels.clear();
    for (int y = 0; y < s.height; y++) {
        for (int x = 0; x < s.width; x++) {
            const int most = what == OF_A_WRONG_BOX ? s.width / 2 : s.width * 7 / 8;
            const bool in = x > s.width / 8 && x < most && y > s.height / 8 && y < s.height * 7 / 8;
            uint8_t &label = s.seeds[(size_t)(y * s.width + x)];
            if (what == OF_A_BOX || what == OF_A_WRONG_BOX || (what == OF_BOTH && label != TILECUT_FOREGROUND))
                label = in ? TILECUT_UNKNOWN : TILECUT_OUTSIDE;
            if (what == OF_LABELS && y == s.height - 2) label = 3;
            s.pixels.push_back(packed[(size_t)(y * s.width + x)]);
        }
        s.pixels.insert(s.pixels.end(), 5, 0);
    }
    return s;
}

/* Cuts with every default option but the colour model and, with mixtures, fewer lessons; or changes a mask that is half
 * of the image. */
static tilecut_status do_task(task what, const scene &s, const char *colors, const char *solver, int where,
                              std::vector<uint8_t> *mask)
{
    tilecut_params params = tilecut_params_default();
    tilecut_image image = {};
    const size_t pixels = s.seeds.size();
    std::vector<uint8_t> half(pixels, 0);
    image.size = sizeof image, image.width = s.width, image.height = s.height, image.channels = 1, image.depth = 8;
    image.stride = (size_t)s.width + 5, image.pixels = s.pixels.data();
    params.solver = solver, params.threads = 3, params.colors = colors, params.where = where;
    if (!strcmp(colors, "gmm")) params.iterations = params.effort = 1;
    for (size_t p = 0; p < pixels / 2; p++) half[p] = 255;
    if (what == OF_A_PRIOR) params.prior = half.data();
    *mask = what == OF_A_CORRECTION ? half : std::vector<uint8_t>(pixels, 0);
    if (what == OF_LABELS) return tilecut_labels(&image, s.seeds.data(), &params, NULL, mask->data(), NULL);
    if (what != OF_A_CORRECTION) return tilecut_segment(&image, s.seeds.data(), &params, mask->data(), NULL);
    return tilecut_correct(&image, s.seeds.data(), &params, TILECUT_BY_LEARNING, mask->data(), NULL, NULL);
}

/* Does a task three times on the device, with pixels, seeds and mask on the host; or once with them there, which is to
 * follow. The third call may take no lock and no memory of the driver, nor may the one that follows. A photo's pixels
 * go to the device once, however often its box is cut; those that the caller has there do not come down. Returns what
 * is wrong, or NULL. */
static const char *try_task(task what, int where)
{
    /* the most bytes a pixel that are copied between host and device: pixels, seeds, masks and first guesses */
    static const double most[TASKS][2] = {{4.4, 3.4}, {4.4, 5.5}, {8.4, 9.8}, {8.7, 9.8}, {200, 0}, {200, 0}, {200, 0}};
    const scene s = draw_task(what, 3);
    std::vector<uint8_t> expected, mask;
    if (what >= OF_A_CORRECTION && where == TILECUT_DEVICE) return NULL; /* their masks are in host memory */
    if (do_task(what, s, "hist", "bk", TILECUT_HOST, &expected) != TILECUT_OK) return tilecut_error_detail();
    for (int call = where == TILECUT_DEVICE ? 2 : 0; call < 3; call++) {
        const int before = taken(), launches = soft_asked.launches;
        const size_t across = soft_asked.across;
        if (do_task(what, s, "hist", "cuda", where, &mask) != TILECUT_OK) return tilecut_error_detail();
        const double copied = (double)(soft_asked.across - across) / (double)mask.size();
        if (mask != expected) return "another mask";
        if (soft_asked.launches == launches) return "nothing was done there";
        if (call > 1 && taken() != before) return "something was made for a warm call";
        if (copied > most[what][where == TILECUT_DEVICE]) return printf("%.2f bytes a pixel\n", copied), "more copies";
    }
    return NULL;
}

/* Does a task with a colour model until it is warm. Mixtures are not to be fitted, as that takes minutes here, so masks
 * are not compared. Returns what is wrong, or NULL. */
static const char *try_colors(task what, const char *colors)
{
    const scene s = draw_task(what, 3);
    std::vector<uint8_t> mask;
    const bool boxed = what == OF_A_BOX || what == OF_A_WRONG_BOX;
    const char *why = NULL;
    if (boxed && !strcmp(colors, "none")) return NULL; /* a box says nothing without colours */
    for (int call = 0; call < 3 && !why; call++) {
        const int before = taken(), launches = soft_asked.launches;
        if (do_task(what, s, colors, "cuda", TILECUT_HOST, &mask) != TILECUT_OK) why = tilecut_error_detail();
        else if (soft_asked.launches == launches) why = "nothing was done there";
        else if (call > 1 && taken() != before) why = "something was made for a warm call";
    }
    return why;
}

/* Counts the launches of a lesson and its cut. Returns what is wrong, or NULL. */
static const char *try_lesson(void)
{
    const scene s = draw(5);
    tilecut_params params = tilecut_params_default();
    tilecut_image image = {};
    tc_setup setup;
    tc_cuda_graph *graph = NULL;
    tc_cuda_origin origin;
    tc_cuda_answer answer;
    image.size = sizeof image, image.width = s.width, image.height = s.height, image.channels = 1, image.depth = 8;
    image.pixels = s.pixels.data();
    params.threads = 1;
    if (tc_setup_resolve(&setup, &params) != TILECUT_OK) return tilecut_error_detail();
    const tc_solve_params solve = {};
    const char *why = NULL;
    if (tc_cuda_graph_learn(&graph, &image, s.seeds.data(), &setup, NULL, false, &origin) != TILECUT_OK ||
        tc_cuda_graph_solve(graph, &solve, true, &answer) != TILECUT_OK)
        why = tilecut_error_detail();
    const int before = soft_asked.launches;
    if (!why) tc_cuda_graph_keep(graph);
    if (!why && (tc_cuda_graph_relearn(graph, &origin) != TILECUT_OK ||
                 tc_cuda_graph_solve(graph, &solve, true, &answer) != TILECUT_OK ||
                 tc_cuda_graph_answer(graph, true, NULL, &answer) != TILECUT_OK))
        why = tilecut_error_detail();
    if (!why && (answer.violations || answer.flow != answer.cut)) why = "no proof";
    if (!why && soft_asked.launches - before != 12) why = "not 12 launches";
    tc_cuda_graph_destroy(graph);
    return why;
}

static const char *try_volume(uint64_t seed)
{
    std::vector<uint8_t> expected, mask;
    walled_volume volume;
    const char *why = NULL;
    walled_volume_draw(&volume, seed, 40, 36, 4);
    expected.assign(volume.voxels, 7), mask.assign(volume.voxels, 7);
    tilecut_params params = tilecut_params_default();
    tilecut_report here = {}, there = {};
    params.threads = 2, params.solver = "bk";
    if (tilecut_volume_solve(&volume.arrays, &params, expected.data(), &here) != TILECUT_OK)
        why = tilecut_error_detail();
    params.solver = "cuda";
    for (int call = 0; call < 3 && !why; call++) {
        const int before = taken(), pinned = soft_asked.pinned;
        if (tilecut_volume_solve(&volume.arrays, &params, mask.data(), &there) != TILECUT_OK)
            why = tilecut_error_detail();
        else if (mask != expected || there.flow != here.flow) why = "another mask";
        else if (call == 1 && seed == 1 && soft_asked.pinned != pinned + 1) why = "no pinned pieces";
        else if (call > 1 && taken() != before) why = "something was made for a warm call";
    }
    walled_volume_free(&volume);
    return why;
}

/* How a scan is cut: from strokes, a box or a click, as a single slice, or with other options than the default. */
enum way { PLAIN, STROKES, BOX, BOX_AND_STROKES, ITERATED, CLICK, SLICE, WAYS };

static void choose_way(way how, tilecut_params *params)
{
    if (how == PLAIN) params->spatial = params->iterations = TILECUT_NONE, params->islands = 1;
    if (how == ITERATED) params->iterations = getenv("NIGHTLY") ? 2 : 1, params->effort = 2;
}

/* Cuts a scan, in a session if `session`. */
static tilecut_status cut_scan(const tilecut_volume *scan, bool session, const uint8_t *seeds,
                               const tilecut_params *params, uint8_t *mask, tilecut_report *report)
{
    tilecut_volume_session *s = NULL;
    if (!session) return tilecut_volume_segment(scan, seeds, params, mask, report);
    tilecut_status status = tilecut_volume_session_create(&s, scan);
    if (status == TILECUT_OK) status = tilecut_volume_session_solve(s, seeds, params, mask, report);
    tilecut_volume_session_destroy(s);
    return status;
}

/* Cuts a drawn scan from its voxels, which the device learns. Returns what is wrong, or NULL. */
static const char *try_scan(uint64_t seed)
{
    static const char *const colors[] = {"none", "hist", "gmm"};
    const way how = (way)(seed % WAYS);
    const int w = 34 + (int)(seed % 5), h = 20, d = how == SLICE ? 1 : 5, count = w * h * d;
    uint64_t state = seed;
    std::vector<uint16_t> voxels((size_t)count);
    std::vector<uint8_t> seeds(voxels.size(), TILECUT_UNKNOWN), expected(seeds), mask(seeds);
    for (int i = 0; i < count; i++) {
        const int x = i % w, y = i / w % h;
        const bool inside = abs(x - w / 2) < w / 4 && abs(y - h / 2) < h / 4, island = x > w - 6 && y > h - 6;
        const int value = (inside || island ? 150 : 60) + random_below(&state, 70), z = i / w / h;
        if (seed % 2) voxels[(size_t)i] = (uint16_t)(13 * value);
        else ((uint8_t *)voxels.data())[i] = (uint8_t)value;
        const bool boxed = how == BOX || how == BOX_AND_STROKES;
        if (boxed && (x < 6 || y < 3 || y > h - 4 || x > w - 8)) seeds[(size_t)i] = TILECUT_OUTSIDE;
        const bool click = z == 2 && x == w / 2, line = z != 1 && abs(x - w / 2) < 5;
        if (how != BOX && y == h / 2 && (how == CLICK ? click : line)) seeds[(size_t)i] = TILECUT_FOREGROUND;
        if (how != BOX && y == 4 && x > 8 && x < w - 10) seeds[(size_t)i] = TILECUT_BACKGROUND;
        if (how != BOX && x == 0 && z > 2) seeds[(size_t)i] = TILECUT_BACKGROUND; /* far away */
    }
    tilecut_volume scan = {};
    scan.size = sizeof scan, scan.width = w, scan.height = h, scan.depth = d, scan.voxels = voxels.data();
    scan.type = seed % 2 ? TILECUT_VOXEL_U16 : TILECUT_VOXEL_U8;
    scan.spacing[0] = scan.spacing[1] = scan.spacing[2] = 1, scan.spacing[how == SLICE ? 2 : seed % 3] = 2.5;
    tilecut_params params = tilecut_params_default();
    tilecut_report here = {}, there = {};
    params.threads = 2, params.solver = "bk", params.colors = colors[seed / 2 % 3];
    if (how == BOX && seed / 2 % 3 == 0) params.colors = "gmm"; /* without colours a box says nothing */
    choose_way(how, &params);
    if (tilecut_volume_segment(&scan, seeds.data(), &params, expected.data(), &here) != TILECUT_OK)
        return tilecut_error_detail();
    params.solver = "cuda";
    int before = 0;
    for (int call = 0; call < (seed == 3 || getenv("NIGHTLY") ? 3 : 1); call++) {
        const int asked = taken();
        before = soft_asked.launches;
        if (cut_scan(&scan, seed / WAYS % 2, seeds.data(), &params, mask.data(), &there) != TILECUT_OK)
            return tilecut_error_detail();
        if (call > 1 && taken() != asked) return "something was made for a warm call";
    }
    if (mask != expected || there.flow != here.flow) return "another mask";
    if (there.beta != here.beta || there.quantum != here.quantum || there.lambda != here.lambda) return "another scale";
    if (there.energy != here.energy || there.islands != here.islands) return "another energy";
    if (there.iterations != here.iterations) return "other iterations";
    /* census, clearing, inspection and tables, without those of colours; grid, solve and proof, in each cut */
    return soft_asked.launches - before < 7 * (1 + there.iterations) ? "the host has learnt" : NULL;
}

int main(int argc, char **argv)
{
    const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    int failed = 0;
    const auto expect = [&](const char *what, uint64_t seed, const char *why) {
        if (!why) return;
        printf("%s, seed %llu: %s\n", what, (unsigned long long)seed, why), failed++;
    };
    for (uint64_t seed = 1; seed <= 20 * count; seed++) expect("copies", seed, try_copies(seed));
    for (uint64_t seed = 1; seed <= count; seed++) expect("a volume", seed, try_volume(seed));
    for (uint64_t seed = 1; seed <= count; seed++) expect("an image", seed, try_image(seed));
    for (uint64_t seed = 1; seed <= 10 * count; seed++) expect("a scan", seed, try_scan(seed));
    for (int what = 0; what < TASKS; what++)
        for (int where : {TILECUT_HOST, TILECUT_DEVICE}) expect("a task", (uint64_t)what, try_task((task)what, where));
    soft_skips = true;
    for (int what = 0; what < (getenv("NIGHTLY") ? TASKS : 1); what++)
        for (const char *colors : {"none", "gmm"}) expect(colors, (uint64_t)what, try_colors((task)what, colors));
    expect("a lesson", 5, try_lesson());
    printf("%llu volumes and images on a GPU in software, %d faults\n", (unsigned long long)count, failed);
    return failed ? 1 : 0;
}
