/* SPDX-License-Identifier: MIT
 *
 * annotations.c - fuzz target: annotation files, read for a photo and painted.
 */
#include <string.h>

#include "annotation.h"
#include "fuzz.h"

enum { WIDTH = 12, HEIGHT = 9 };

/* Reads the file twice with a memo, which must give the same result as reading it without one. */
static void check_memo(annotation_request request, const uint8_t *data, size_t size, const shapes *want, int status,
                       const failure *said)
{
    annotation_memo memo = {0};
    request.memo = &memo;
    for (int i = 0; i < 2; i++) {
        shapes all;
        failure why = {0};
        MUST(annotation_read(&request, data, size, &all, NULL, &why) == status && !strcmp(why.text, said->text));
        MUST(shapes_count(&all) == shapes_count(want) && all.left_out == want->left_out);
        MUST(all.width == want->width && all.height == want->height);
        shapes_free(&all);
    }
    annotation_memo_free(&memo);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const annotation_request request = {.name = "fuzz", .photo = size % 7 ? "cat.jpg" : "cat_7.jpg",
                                        .label = size % 3 ? NULL : "cat",
                                        .width = 40, .height = 30, .rules = {.strict = size % 5 == 0}};
    uint8_t out[WIDTH * HEIGHT];
    shapes all;
    notes log = {0};
    failure why = {0};
    int status = annotation_read(&request, data, size, &all, &log, &why);
    MUST(status == EXIT_DONE || status == EXIT_INPUT || status == EXIT_SEEDS);
    if (status) MUST(!strncmp(why.text, "fuzz: ", 6) && !strchr(why.text, '\n') && !shapes_count(&all));
    check_memo(request, data, size, &all, status, &why);
    for (size_t i = 0; i < shapes_count(&all); i++) {
        double box[4];
        const shape *const s = shapes_at(&all, i);
        MUST(s->first <= s->ends);
        if (shapes_box(&all, i, box)) MUST(box[2] > 0 && box[3] > 0);
    }
    if (!status && !annotation_fit(&request, &all, WIDTH, HEIGHT, &why)) {
        status = annotation_paint(&request, &all, WIDTH, HEIGHT, out, &log, &why);
        MUST(status == EXIT_DONE || status == EXIT_SEEDS || status == EXIT_INPUT);
        for (int p = 0; !status && p < WIDTH * HEIGHT; p++) MUST(out[p] == 0 || out[p] == 128 || out[p] == 255);
    }
    bytes names = {0};
    const int named = annotation_names("fuzz", request.rules, data, size, &names, &why);
    MUST(named == EXIT_DONE || named == EXIT_INPUT);
    MUST(!names.size || !names.data[names.size - 1]);
    bytes_free(&names);
    shapes_free(&all);
    notes_free(&log);
    return 0;
}
