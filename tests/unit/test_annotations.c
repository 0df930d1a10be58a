/* SPDX-License-Identifier: MIT
 *
 * test_annotations.c - outlines against an independent point-in-polygon test, every format written and read back, run
 * lengths against numbers worked out by hand, and files that readers refuse.
 */
#include "annotation.h" /* before check.h, which has a macro fail() */
#include "coco_runs.h"
#include "keyhole.h"
#include "outline.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random_graph.h"
#include "run_suite.h"

enum { MOST = 17, ROOM = MOST * MOST, ROUNDS = 400 };

typedef struct scene {
    int w, h;
    uint8_t mask[ROOM]; /* 0 or 255 */
} scene;

/* Noise of any density, which has every way in which pixels can touch, or blocks with holes. */
static scene random_scene(uint64_t seed)
{
    scene s = {.w = 1 + random_below(&seed, MOST), .h = 1 + random_below(&seed, MOST)};
    const int density = random_below(&seed, 257), coarse = 1 + random_below(&seed, 3);
    uint8_t cell[ROOM];
    for (int p = 0; p < ROOM; p++) cell[p] = random_below(&seed, 256) < density ? 255 : 0;
    for (int y = 0; y < s.h; y++)
        for (int x = 0; x < s.w; x++) s.mask[y * s.w + x] = cell[y / coarse * MOST + x / coarse];
    return s;
}

/* ---- Outlines ------------------------------------------------------------------------------------ */

/* Whether the middle of a pixel lies within a ring: how often a ray to the right crosses it. */
static bool within(const outline *o, const outline_ring *ring, int x, int y)
{
    int crossed = 0;
    for (size_t i = 0; i < ring->count; i++) {
        const int32_t *const a = outline_corner_at(o, ring->first + i);
        const int32_t *const b = outline_corner_at(o, ring->first + (i + 1) % ring->count);
        const double low = fmin(a[1], b[1]), high = fmax(a[1], b[1]);
        crossed += a[0] > x && y + 0.5 > low && y + 0.5 < high;
    }
    return crossed % 2;
}

static void check_ring(const outline *o, const outline_ring *ring)
{
    int64_t area = 0;
    ck_assert(ring->count >= 4 && ring->count % 2 == 0);
    for (size_t i = 0; i < ring->count; i++) {
        const int32_t *const a = outline_corner_at(o, ring->first + i);
        const int32_t *const b = outline_corner_at(o, ring->first + (i + 1) % ring->count);
        const int32_t *const c = outline_corner_at(o, ring->first + (i + 2) % ring->count);
        ck_assert((a[0] == b[0]) != (a[1] == b[1]));            /* along an edge of pixels */
        ck_assert((a[0] == b[0]) != (b[0] == c[0]));            /* and round a corner      */
        area += (int64_t)a[0] * b[1] - (int64_t)b[0] * a[1];
        for (size_t k = i + 1; k < ring->count; k++) {
            const int32_t *const other = outline_corner_at(o, ring->first + k);
            ck_assert(a[0] != other[0] || a[1] != other[1]);
        }
    }
    ck_assert(ring->hole ? area < 0 : area > 0);
}

START_TEST(outlines_are_simple_and_enclose_the_mask)
{
    for (unsigned seed = 1; seed <= RANDOM_CASES(ROUNDS); seed++) {
        const scene s = random_scene(seed);
        outline o;
        ck_assert(outline_trace(s.mask, s.w, s.h, &o));
        for (size_t i = 0; i < outline_rings(&o); i++) {
            const outline_ring *const ring = outline_ring_at(&o, i), *const before = i ? ring - 1 : NULL;
            check_ring(&o, ring);
            ck_assert_int_eq(ring->hole ? ring->object : ring->object - 1, before ? before->object : -1);
        }
        for (int p = 0; p < s.w * s.h; p++) {
            int object = -1, inside = 0;
            for (size_t i = 0; i < outline_rings(&o); i++) {
                if (!within(&o, outline_ring_at(&o, i), p % s.w, p / s.w)) continue;
                inside++;
                object = outline_ring_at(&o, i)->object;
            }
            ck_assert_msg(inside % 2 == (s.mask[p] != 0), "seed %u: pixel %d,%d", seed, p % s.w, p / s.w);
            ck_assert(!s.mask[p] || object >= 0);
        }
        outline_free(&o);
    }
}
END_TEST

/* ---- There and back ------------------------------------------------------------------------------ */

static void there_and_back(const scene *s, const annotation_format *format, unsigned seed)
{
    const annotation_about about = {"cat.jpg", "cat", s->w, s->h};
    const annotation_request request = {"cat.json", "some/cat.jpg", "cat"};
    bytes file = {0};
    failure why = {0};
    shapes all;
    uint8_t back[ROOM] = {0};
    const bool empty = !memchr(s->mask, 255, (size_t)(s->w * s->h));
    ck_assert_int_eq(annotation_encode(format, &about, s->mask, &file, &why), EXIT_DONE);
    const int status = annotation_read(&request, file.data, file.size, &all, NULL, &why);
    if (empty) {
        ck_assert_int_eq(status, EXIT_SEEDS);
    } else {
        ck_assert_msg(status == EXIT_DONE, "%s, seed %u: %s", format->name, seed, why.text);
        ck_assert_int_eq(all.width, s->w);
        ck_assert_int_eq(all.height, s->h);
        ck_assert_int_eq(annotation_paint(&request, &all, s->w, s->h, back, NULL, &why), EXIT_DONE);
        for (int p = 0; p < s->w * s->h; p++)
            ck_assert_msg(back[p] == (s->mask[p] != 0), "%s, seed %u: pixel %d,%d", format->name, seed, p % s->w,
                          p / s->w);
    }
    shapes_free(&all);
    bytes_free(&file);
}

START_TEST(every_format_comes_back_to_the_pixel)
{
    for (unsigned seed = 1; seed <= RANDOM_CASES(ROUNDS); seed++) {
        const scene s = random_scene(seed);
        there_and_back(&s, &annotation_labelme, seed);
        there_and_back(&s, &annotation_coco, seed);
        there_and_back(&s, &annotation_coco_rle, seed);
        if (memchr(s.mask, 255, (size_t)(s.w * s.h))) there_and_back(&s, &annotation_geojson, seed);
    }
}
END_TEST

/* An SVG path is read here: M, H, V and Z. */
START_TEST(svg_paths_enclose_the_mask)
{
    for (unsigned seed = 1; seed <= RANDOM_CASES(ROUNDS); seed++) {
        const scene s = random_scene(seed);
        const annotation_about about = {"cat.jpg", "cat", s.w, s.h};
        bytes file = {0};
        failure why = {0};
        uint8_t parity[ROOM] = {0};
        ck_assert_int_eq(annotation_encode(&annotation_svg, &about, s.mask, &file, &why), EXIT_DONE);
        ck_assert(bytes_append(&file, "", 1));
        const char *at = strstr((const char *)file.data, " d=\"");
        ck_assert_ptr_nonnull(at);
        int x = 0, y = 0, from_y = 0;
        for (at += 4; *at != '"';) {
            int to = 0, used = 0, start_x = 0;
            if (sscanf(at, "M%d %d%n", &start_x, &to, &used) == 2) {
                x = start_x;
                y = from_y = to;
            } else if (sscanf(at, "H%d%n", &to, &used) == 1) {
                x = to;
            } else {
                if (sscanf(at, "V%d%n", &to, &used) != 1) {
                    ck_assert(at[0] == 'Z' && at[1] == '\n');
                    to = from_y;
                    used = 2;
                }
                for (int row = to < y ? to : y; row < (to < y ? y : to); row++)
                    for (int column = x; column < s.w; column++) parity[row * s.w + column] ^= 1;
                y = to;
            }
            at += used;
        }
        for (int p = 0; p < s.w * s.h; p++) ck_assert_int_eq(parity[p], s.mask[p] != 0);
        bytes_free(&file);
    }
}
END_TEST

/* ---- Run lengths --------------------------------------------------------------------------------- */

START_TEST(runs_as_text)
{
    /* Groups of five bits by hand: 6 = '6', 1 = '1', 40 = 8 + 32 -> "X1", 5 - 1 = 4 = '4', 20 - 40 = -20 -> 12 + 32
     * then all ones without more = "\\O". */
    static const uint32_t runs[] = {6, 1, 40, 5, 20};
    bytes text = {0};
    ck_assert(coco_runs_write(runs, 5, &text) && bytes_append(&text, "", 1));
    ck_assert_str_eq((const char *)text.data, "61X14\\O");
    bytes_free(&text);
}
END_TEST

START_TEST(runs_come_back)
{
    for (unsigned seed = 1; seed <= RANDOM_CASES(ROUNDS); seed++) {
        uint64_t state = seed;
        uint32_t runs[64], before[2] = {0, 0};
        const size_t count = 1 + random_next(&state) % 64;
        bytes text = {0};
        for (size_t i = 0; i < count; i++) runs[i] = (uint32_t)random_next(&state) >> random_below(&state, 32);
        ck_assert(coco_runs_write(runs, count, &text) && bytes_append(&text, "", 1));
        const char *at = (const char *)text.data;
        for (size_t i = 0; i < count; i++) {
            uint32_t run = 0;
            ck_assert(coco_runs_read(&at, i > 2 ? (int64_t)before[i % 2] : 0, &run));
            ck_assert_uint_eq(run, runs[i]);
            before[i % 2] = run;
        }
        ck_assert(!*at);
        bytes_free(&text);
    }
    const char *const none[] = {"/", "p", "PPPPPPPPPP1", "O"};
    for (int i = 0; i < 4; i++) {
        const char *at = none[i];
        uint32_t run;
        ck_assert(!coco_runs_read(&at, 0, &run));
    }
}
END_TEST

/* ---- What files say ------------------------------------------------------------------------------ */

/* Paints a file's shapes on 6 x 4 pixels; rows of '.' and '#'. Returns the status of reading and painting. */
static int paint(const char *file, const char *label, char rows[25], failure *why)
{
    const annotation_request request = {"a.json", "cat.jpg", label};
    shapes all;
    uint8_t out[24] = {0};
    int status = annotation_read(&request, (const uint8_t *)file, strlen(file), &all, NULL, why);
    if (!status) status = annotation_check_size(&request, &all, 6, 4, why);
    if (!status) status = annotation_paint(&request, &all, 6, 4, out, NULL, why);
    for (int p = 0; p < 24; p++) rows[p] = out[p] ? '#' : '.';
    rows[24] = '\0';
    shapes_free(&all);
    return status;
}

START_TEST(shapes_mean_what_their_formats_say)
{
    static const struct { const char *file, *label, *rows;
    } cases[] = {
        {"{\"shapes\":[{\"label\":\"a\",\"points\":[[1,1],[4,1],[4,3],[1,3]],\"shape_type\":\"polygon\"}]}", NULL,
         "......"
         ".###.."
         ".###.."
         "......"},
        {"{\"shapes\":[{\"points\":[[5,3],[2.4,0.6]],\"shape_type\":\"rectangle\"}],\"imageWidth\":6,\"imageHeight\":"
         "4}",
         NULL,
         "......"
         "..###."
         "..###."
         "......"},
        {"{\"shapes\":[{\"points\":[[3,2],[3,3.5]],\"shape_type\":\"circle\",\"label\":\"b\"}]}", NULL,
         "......"
         "..##.."
         "..##.."
         "......"},
        {"\xef\xbb\xbf{\"shapes\":[{\"label\":\"x\",\"points\":[[0,0],[6,0],[6,1],[0,1]]},"
         "{\"label\":\"y\",\"points\":[[0,3],[2,3],[2,4],[0,4]]}]}",
         "y",
         "......"
         "......"
         "......"
         "##...."},
        {"{\"annotations\":[{\"bbox\":[1,2,3,1]}]}", NULL,
         "......"
         "......"
         ".###.."
         "......"},
        {"{\"annotations\":[{\"segmentation\":[[0,0,2,0,2,2,0,2],[1,1,3,1,3,2,1,2]],\"bbox\":[0,0,6,4]}]}", NULL,
         "##...."
         "###..."
         "......"
         "......"},
        {"{\"size\":[4,6],\"counts\":[4,2,6,1,11]}", NULL,
         ".#.#.."
         ".#...."
         "......"
         "......"},
        {"[{\"image_id\":7,\"segmentation\":{\"counts\":[0,1,23],\"size\":[4,6]}}]", NULL,
         "#....."
         "......"
         "......"
         "......"},
        {"{\"annotations\":[{\"image_id\":1,\"category_id\":3,\"bbox\":[0,0,1,1]},{\"image_id\":2,\"category_id\":3,"
         "\"bbox\":[5,3,1,1]},{\"image_id\":2,\"category_id\":4,\"bbox\":[4,3,1,1]}],\"categories\":[{\"id\":3,"
         "\"name\":\"u\"},{\"id\":4,\"name\":\"v\"}],\"images\":[{\"id\":1,\"file_name\":\"dog.jpg\",\"width\":9,"
         "\"height\":9},{\"id\":2,\"file_name\":\"some/cat.jpg\",\"width\":6,\"height\":4}]}",
         "v",
         "......"
         "......"
         "......"
         "....#."},
        {"{\"image\":{\"image_id\":1,\"width\":6,\"height\":4},\"annotations\":[{\"id\":5,\"bbox\":[0,0,2,1]}]}",
         NULL,
         "##...."
         "......"
         "......"
         "......"},
        {"{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[6,0],[6,4],[0,4],[0,0]],[[1,1],[5,1],[5,3],[1,3],[1,1]]]}",
         NULL,
         "######"
         "#....#"
         "#....#"
         "######"},
        {"{\"type\":\"Feature\",\"geometry\":{\"coordinates\":[[[[0,0],[1,0],[1,1]]],[[[2.2,0],[9,0,7],[9,1],[2.2,1]]"
         "]],"
         "\"type\":\"MultiPolygon\"},\"properties\":{\"classification\":{\"name\":\"q\"}}}",
         "q",
         "#.####"
         "......"
         "......"
         "......"},
        {"{\"type\":\"GeometryCollection\",\"geometries\":[{\"type\":\"Point\",\"coordinates\":[1,1]},{\"type\":"
         "\"Polygon\",\"coordinates\":[[[0,0],[1,0],[1,4],[0,4]]]}]}",
         NULL,
         "#....."
         "#....."
         "#....."
         "#....."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char rows[25];
        failure why = {0};
        const int status = paint(cases[i].file, cases[i].label, rows, &why);
        ck_assert_msg(status == EXIT_DONE, "case %zu: %s", i, why.text);
        ck_assert_msg(!strcmp(rows, cases[i].rows), "case %zu: %s", i, rows);
    }
}
END_TEST

START_TEST(what_is_wrong_is_told_with_its_line)
{
    static const struct { const char *file, *text;
    } cases[] = {
        {"", "line 1: an object is missing; the end of the file stands there"},
        {"{\"shapes\":[\n{\"points\":[[1,1],[2,2]\n}]}",
         "line 3: a , or ] is missing; something that is no JSON stands"},
        {"{\"shapes\":[]", "line 1: a , or } is missing; the end of the file"},
        {"{\"shapes\":[]}\n x", "line 2: something that is no JSON follows"},
        {"{\"shapes\":[],}", "line 1: text in quotes is missing"},
        {"{\"a\":tru}", "line 1: a value is missing"},
        {"{\"a\":01}", "'01' is no number"},
        {"{\"a\":1e999}", "1e999 is too large a number"},
        {"{\"a\":\"\\x\"}", "a \\ that begins nothing"},
        {"{\"a\":\"\\ud800\"}", "a \\u that is no character"},
        {"{\"a\":\"\n\"}", "a line end or control character within text"},
        {"{\"a\":1}", "neither LabelMe's"},
        {"{\"shapes\":[]}", "a.json: has no shapes"},
        {"{\"shapes\":[\n{\"points\":[[1,1],[2,2]]}]}", "line 2: a polygon of 2 points"},
        {"{\"shapes\":[{\"points\":[[1],[2,2]]}]}", "a point has 1 coordinates"},
        {"{\"shapes\":[{\"points\":[[1,\"2\"]]}]}", "a number is missing; text stands there"},
        {"{\"shapes\":[{\"points\":[[1,2e9]]}]}", "2e+09 is beyond any picture"},
        {"{\"shapes\":[{\"points\":[[1,2]],\"shape_type\":\"blob\"}]}", "a shape of the type 'blob'"},
        {"{\"shapes\":[{\"label\":\"a\"}]}", "a shape without \"points\""},
        {"{\"shapes\":[],\"imageWidth\":0}", "0 is no width or height"},
        {"{\"shapes\":[{\"points\":[[1,2]],\"shape_type\":\"point\"}]}", "has lines and points alone"},
        {"{\"shapes\":[{\"points\":[[1,1],[2,2],[1,2]]}],\"imageWidth\":4,\"imageHeight\":6}", "turned by a quarter"},
        {"{\"shapes\":[{\"points\":[[1,1],[2,2],[1,2]]}],\"imageWidth\":5}",
         "is about a picture of 5x0 but cat.jpg is 6x4"},
        {"{\"size\":[4,6],\"counts\":[4,2]}", "the runs of an RLE make 6 pixels, but 6x4 are 24"},
        {"{\"size\":[4,6],\"counts\":\"0 \"}", "run 2 of the RLE is none"},
        {"{\"size\":[0,6],\"counts\":[0]}", "an RLE whose \"size\" is 6x0"},
        {"{\"size\":[4,6],\"counts\":[1.5]}", "1.5 is no length of a run"},
        {"{\"size\":[4,6,7],\"counts\":[]}", "is height and width"},
        {"{\"annotations\":[{\"segmentation\":[[1,1,2]]}]}", "3 coordinates are no pairs"},
        {"{\"annotations\":[{\"segmentation\":[[1,1,2,2]]}]}", "a polygon of 2 points"},
        {"{\"annotations\":[{\"segmentation\":{\"size\":[4,6]}}]}", "an RLE without \"counts\""},
        {"{\"annotations\":[{\"bbox\":[1,2,3]}]}", "a \"bbox\" of 3 numbers"},
        {"{\"annotations\":[],\"images\":[{\"id\":1},{\"id\":2}]}",
         "is about 2 pictures, and none of them has the name of"},
        {"[{\"image_id\":1,\"bbox\":[0,0,1,1]},{\"image_id\":2,\"bbox\":[0,0,1,1]}]",
         "several pictures, and does not say"},
        {"{\"type\":\"FeatureCollection\"}", "without \"features\""},
        {"{\"type\":\"Blob\"}", "'Blob' is no geometry"},
        {"{\"type\":\"Polygon\"}", "a Polygon without \"coordinates\""},
        {"{\"type\":\"Polygon\",\"coordinates\":[[1,2]]}", "an array is missing; a number stands there"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char rows[25];
        failure why = {0};
        const int status = paint(cases[i].file, NULL, rows, &why);
        ck_assert_msg(status == EXIT_INPUT || status == EXIT_SEEDS, "case %zu: %d", i, status);
        ck_assert_msg(strstr(why.text, cases[i].text) && !strncmp(why.text, "a.json: ", 8), "case %zu: %s", i,
                      why.text);
        ck_assert_ptr_null(strchr(why.text, '\n'));
    }
}
END_TEST

START_TEST(deep_nesting_is_refused)
{
    char file[400] = "{\"a\":";
    failure why = {0};
    char rows[25];
    memset(file + 5, '[', 300);
    ck_assert_int_eq(paint(file, NULL, rows, &why), EXIT_INPUT);
    ck_assert_ptr_nonnull(strstr(why.text, "more than 64 brackets"));
}
END_TEST

START_TEST(names_choose_formats)
{
    static const struct { const char *path, *as, *name; } cases[] = {
        {"a.svg", NULL, "svg"}, {"a.GeoJSON", NULL, "geojson"}, {"b/a.coco.json", NULL, "coco"},
        {"a.labelme.json", NULL, "labelme"}, {"a.rle.json", NULL, "coco-rle"}, {"a.json", "coco-rle", "coco-rle"},
        {"-", "labelme", "labelme"}, {"a.png", NULL, NULL}, {".svg", NULL, NULL}, {"-", NULL, NULL}};
    const annotation_format *format;
    failure why = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_int_eq(annotation_choose(cases[i].path, cases[i].as, &format, &why), EXIT_DONE);
        ck_assert_msg(cases[i].name ? format && !strcmp(format->name, cases[i].name) : !format, "%s", cases[i].path);
    }
    ck_assert_int_eq(annotation_choose("a.json", NULL, &format, &why), EXIT_USAGE);
    ck_assert_ptr_nonnull(strstr(why.text, "--format labelme"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("annotations");
    TCase *tests = tcase_create("formats");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, outlines_are_simple_and_enclose_the_mask);
    tcase_add_test(tests, every_format_comes_back_to_the_pixel);
    tcase_add_test(tests, svg_paths_enclose_the_mask);
    tcase_add_test(tests, runs_as_text);
    tcase_add_test(tests, runs_come_back);
    tcase_add_test(tests, shapes_mean_what_their_formats_say);
    tcase_add_test(tests, what_is_wrong_is_told_with_its_line);
    tcase_add_test(tests, deep_nesting_is_refused);
    tcase_add_test(tests, names_choose_formats);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
