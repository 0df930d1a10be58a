/* SPDX-License-Identifier: MIT
 *
 * exports_labels.c - cuts several labels at once (tilecut_labels.h), for the editor's objects and for programs that use
 * the npm package.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "exports.h"
#include "tilecut_labels.h"

static void describe(const tilecut_labels_report *r, char *text)
{
    snprintf(text, EDIT_ANSWER_BYTES,
             "used\t%d\ncertified\t%d\nenergy\t%.17g\nbound\t%.17g\ngap\t%.17g\ncuts\t%" PRId64 "\nmoves\t%" PRId64
             "\ncertain\t%" PRId64 "\ncolors\t%s\nms\t%.1f\n",
             r->labels, r->certified, r->energy, r->bound, r->gap, r->cuts, r->moves, r->certain, r->colors,
             r->model_ms + r->solve_ms + r->bound_ms);
}

/* Divides the photo among the labels of web_labels(), a label map (0: unknown), and writes web_mask(). `options`: words
 * of the model, as for web_photo_cut(). `background`: the label of the background; 0: the smallest. `rounds`: as
 * bound_rounds. Stores an answer in lines, or a sentence, as the text, see web_text(). */
EXPORT(web_divide) int web_divide(const char *options, size_t size, int background, int rounds)
{
    const web_photo_parts web = web_parts();
    const tilecut_labels_params how = {.size = sizeof how, .background = background, .bound_rounds = rounds};
    tilecut_labels_report report = {.size = sizeof report};
    tilecut_params params = tilecut_params_default();
    edit_options wanted;
    tilecut_image view;
    uint8_t *copy = NULL;
    int status = edit_read_options(options, size, &wanted, web.why);
    if (status) return web_end(status);
    model_apply(&wanted.model, &params);
    if (!matting_opaque(web.photo, &view, &copy, NULL))
        return web_end(fail(web.why, EXIT_RESOURCES, "not enough memory for the photo"));
    const tilecut_status done = tilecut_labels(&view, web.labels, &params, &how, web.mask, &report);
    free(copy);
    if (done != TILECUT_OK) return web_end(edit_failure(done, web.why));
    describe(&report, web.text);
    return EXIT_DONE;
}

/* Does edit_divide() and writes web_mask() and `map`, a byte a pixel. `wanted`: method, shown label, background. */
EXPORT(web_divide_objects) int web_divide_objects(const char *options, size_t size, const int wanted[3],
                                                  const uint8_t *body, size_t count, uint8_t *map)
{
    const web_photo_parts web = web_parts();
    const edit_division how = {.way = (enum edit_way)wanted[0], .shown = wanted[1], .background = wanted[2],
                               .body = body, .size = count, .map = map, .mask = web.mask};
    const tilecut_params params = tilecut_params_default();
    edit_options read;
    edit_answer answer;
    int status = edit_read_options(options, size, &read, web.why);
    if (!status) status = edit_divide(web.photo, &how, &read, &params, &answer, web.why);
    if (!status) edit_describe(&answer, web.text);
    return web_end(status);
}
