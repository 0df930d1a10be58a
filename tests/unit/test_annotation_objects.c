/* SPDX-License-Identifier: MIT
 *
 * test_annotation_objects.c - files of many objects and pictures: objects by number, and pictures read by a memo.
 */
#include "annotation.h" /* must precede check.h, which defines a macro fail() */

#include <stdio.h>
#include <string.h>

#include "run_suite.h"

/* The polygons of one annotation are one object. The background is not an object. */
TEST(objects_are_numbered)
{
    static const char coco[] = "{\"annotations\":[{\"segmentation\":[[0,0,1,0,1,1,0,1],[2,0,3,0,3,1,2,1]]},"
                               "{\"bbox\":[5,3,1,1]}]}";
    static const char labelme[] = "{\"shapes\":[{\"points\":[[0,0],[2,0],[2,1],[0,1]]},{\"label\":\"bg\",\"points\":"
                                  "[[0,0],[1,0],[1,1],[0,1]]},{\"points\":[[5,3],[6,3],[6,4],[5,4]]}]}";
    static const struct { const char *file, *rows; int object, status; } cases[] = {
        {coco, "#.#.....................", 1, EXIT_DONE},    {coco, ".......................#", 2, EXIT_DONE},
        {labelme, ".#......................", 1, EXIT_DONE}, {labelme, ".......................#", 2, EXIT_DONE},
        {coco, "", 3, EXIT_SEEDS}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const uint8_t *const data = (const uint8_t *)cases[i].file;
        const annotation_request request = {.name = "a.json", .photo = "cat.jpg", .object = cases[i].object};
        uint8_t out[24];
        shapes all;
        failure why = {0};
        ck_assert_int_eq(annotation_objects(&request, data, strlen(cases[i].file)), cases[i].status ? 0 : 2);
        ck_assert_int_eq(annotation_read(&request, data, strlen(cases[i].file), &all, NULL, &why), cases[i].status);
        if (cases[i].status) continue;
        ck_assert_int_eq(annotation_paint(&request, &all, 6, 4, out, NULL, &why), EXIT_DONE);
        for (int p = 0; p < 24; p++) ck_assert_int_eq(out[p] > 0, cases[i].rows[p] == '#');
        shapes_free(&all);
    }
}

/* Reads the annotations of one photo. Returns the status, and in `words` what is known of the photo afterwards. */
static int describe(const char *file, const char *photo, bool strict, annotation_memo *memo, char words[400])
{
    const annotation_request request = {.name = "a.json", .photo = photo, .rules = {.strict = strict}, .memo = memo};
    notes log = {0};
    failure why = {0};
    shapes all;
    const int status = annotation_read(&request, (const uint8_t *)file, strlen(file), &all, &log, &why);
    int used = snprintf(words, 400, "%s: %d %dx%d %s %s", photo, status, all.width, all.height, why.text,
                        log.count ? log.text[0] : "");
    for (size_t i = 0; i < shapes_count(&all); i++) {
        double box[4] = {0};
        shapes_box(&all, i, box);
        used += snprintf(words + used, (size_t)(400 - used), " %g,%g,%g,%g", box[0], box[1], box[2], box[3]);
    }
    shapes_free(&all);
    notes_free(&log);
    return status;
}

/* Reading a file again with a memo must give the same for each picture as reading it without one. */
TEST(a_memo_changes_nothing)
{
    static const char *const files[] = {
        "{\"images\":[{\"id\":1,\"file_name\":\"cat.jpg\",\"width\":6},{\"id\":2,\"file_name\":\"dog.jpg\"}],\n"
        "\"annotations\":[{\"image_id\":2,\"bbox\":[1,1,2,2]},{\"image_id\":1,\"bbox\":[3,0,1,1]},\n"
        "{\"bbox\":[0,0,9,9]},{\"image_id\":2,\"bbox\":[4,4,1,1]},{\"image_id\":2,\"segmentation\":[[0,0,1,1]]}]}",
        /* the annotations precede the images, in two lists, and two of them are invalid */
        "{\"annotations\":[{\"image_id\":2,\"bbox\":[1,1,2]},\n{\"image_id\":1,\"bbox\":[3,0,1,1]}],"
        "\"annotations\":[{\"image_id\":1,\"bbox\":[5,5,1,1]},7]"
        ",\"images\":[{\"id\":1,\"file_name\":\"cat.jpg\"},{\"id\":2,\"file_name\":"
        "\"dog.jpg\"}]}",
        ("[{\"image_id\":\"dog\",\"bbox\":[1,1,2,2]},{\"image_id\":\"cat\",\"bbox\":[3,0,1,1]},"
         "{\"image_id\":\"dog\",\"bbox\":[2,2,1,1]}]"),
        "{\"annotations\":[{\"image_id\":\"dog\",\"bbox\":[1,1,2,2]},{\"image_id\":\"cat\",\"bbox\":[3,0,1,1]}]}",
        "{\"images\":[{\"file_name\":\"cat.jpg\"}],\"annotations\":[{\"image_id\":7,\"bbox\":[3,0,1,1]}]}",
        "{\"shapes\":[{\"points\":[[0,0],[2,0],[2,1],[0,1]]}]}", "[]", "{\"annotations\":[", "{\"annotations\":7}",
    };
    static const char *const photos[] = {"cat.jpg", "dog.jpg", "cow.jpg", "cat.jpg"};
    int read = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        annotation_memo memo = {0};
        for (size_t k = 0; k < 2 * sizeof photos / sizeof *photos; k++) {
            char want[400], got[400];
            read += describe(files[i], photos[k / 2], k % 2, NULL, want) == EXIT_DONE;
            describe(files[i], photos[k / 2], k % 2, &memo, got);
            ck_assert_str_eq(got, want);
        }
        annotation_memo_free(&memo);
    }
    ck_assert_int_gt(read, 20);
}

int main(void) { return run_suite((test_suite){.name = "annotation objects"}); }
