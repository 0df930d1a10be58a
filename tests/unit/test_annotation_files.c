/* SPDX-License-Identifier: MIT
 *
 * test_annotation_files.c - what readers of annotations make of files: shapes on a few pixels, and refusals with the
 * line that is at fault.
 */
#include "annotation.h" /* before check.h, which has a macro fail() */

#include <check.h>
#include <string.h>

#include "run_suite.h"

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
    Suite *suite = suite_create("annotation files");
    TCase *tests = tcase_create("files");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, shapes_mean_what_their_formats_say);
    tcase_add_test(tests, what_is_wrong_is_told_with_its_line);
    tcase_add_test(tests, deep_nesting_is_refused);
    tcase_add_test(tests, names_choose_formats);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
