/* SPDX-License-Identifier: MIT
 *
 * score_drawn.c - compares two annotation files: for each picture, the shapes in one with those in the other. The files
 * also give the sizes of the pictures.
 */
#include <stdlib.h>
#include <string.h>

#include "annotation.h"
#include "pixel.h"
#include "score.h"

/* One of the two annotation files, and the names of its pictures. */
typedef struct drawn {
    const char *name;
    bytes text, names;  /* owned */
    const char **first; /* the start of each name in `names`, sorted, without duplicates; owned */
    int count;
    bool empty;         /* true: the file is an empty list of results */
    annotation_memo memo;
    shape_rules rules;
} drawn;

static const char *id_of(const char *name)
{
    return name + strlen(name) + 1;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int list_names(drawn *d, failure *why)
{
    int status = annotation_names(d->name, d->rules, d->text.data, d->text.size, &d->names, why), all = 0;
    d->empty &= !d->names.size;
    const char *const begin = (const char *)d->names.data, *const end = begin ? begin + d->names.size : NULL;
    if (status) return status;
    for (const char *at = begin; at && at < end; at = id_of(id_of(at))) all++;
    d->first = malloc(((size_t)all + 1) * sizeof *d->first);
    if (!d->first) return fail(why, EXIT_RESOURCES, "%s: not enough memory for its names", d->name);
    all = 0;
    for (const char *at = begin; at && at < end; at = id_of(id_of(at))) d->first[all++] = at;
    qsort(d->first, (size_t)all, sizeof *d->first, by_name);
    for (int i = 0; i < all; i++)
        if (!i || strcmp(d->first[i], d->first[i - 1]) != 0) d->first[d->count++] = d->first[i];
    return EXIT_DONE;
}

static int load(const char *path, drawn *d, bool *is_drawn, failure *why)
{
    enum { LONGEST = 1 << 30 };
    *d = (drawn){.name = path};
    *is_drawn = false;
    if (!strcmp(path, "-")) return EXIT_DONE;
    const int status = file_read_if(path, LONGEST, image_json.probe, &d->text, why);
    *is_drawn = !status && image_json.probe(d->text.data, d->text.size);
    d->empty = *is_drawn && d->text.data[utf8_mark(d->text.data, d->text.size)] == '[';
    return status;
}

static void unload(drawn *d)
{
    bytes_free(&d->text);
    bytes_free(&d->names);
    annotation_memo_free(&d->memo);
    free(d->first);
}

static int paint(const annotation_request *request, shapes *all, const int size[2], image *out, notes *log,
                 failure *why)
{
    int status = annotation_fit(request, all, size[0], size[1], why);
    if (!status) status = image_allocate(request->name, size[0], size[1], 1, 8, out, why);
    return status ? status : annotation_paint(request, all, size[0], size[1], out->pixels, log, why);
}

/* Of one picture. */
static int compare(const annotation_request request[2], shapes all[2], score *out, notes *log, failure *why)
{
    static const image_limits none = {0};
    const int size[2] = {all[1].width ? all[1].width : all[0].width, all[1].height ? all[1].height : all[0].height};
    const char *const photo = request[0].photo ? request[0].photo : "the picture";
    image pic[2] = {{0}, {0}};
    if (!size[0] || !size[1])
        return fail(why, EXIT_INPUT, "%s: how large %.200s is stands neither there nor in %s; give one of them as a "
                    "picture", request[0].name, photo, request[1].name);
    int status = image_check_size(request[0].name, (uint64_t)size[0], (uint64_t)size[1], 1, &none, why);
    for (int i = 0; i < 2 && !status; i++) status = paint(&request[i], &all[i], size, &pic[i], log, why);
    for (size_t p = 0; !status && p < image_area(&pic[0]); p++)
        if (pic[0].pixels[p] == 128) pic[1].pixels[p] = 128; /* pixels that one file ignores are not judged */
    if (!status) status = score_pair(&pic[0], request[0].name, &pic[1], request[1].name, out, why);
    image_free(&pic[0]);
    image_free(&pic[1]);
    return status;
}

/* Scores the picture of that name in two files; a name of NULL: each file describes one picture. Sets *about to false
 * if a file does not know the picture. A list of results may omit pictures without objects: if the first file is such a
 * list and omits the picture, *missed is set and the mask counts as empty. */
static int score_picture(drawn of[2], const char *name, score *out, bool *about, bool *missed, notes *log, failure *why)
{
    const char *const single = of[1].count ? of[1].first[0] : NULL;
    annotation_request request[2];
    shapes all[2] = {{0}, {0}};
    int status = EXIT_DONE;
    *about = true;
    for (int i = 0; i < 2 && !status; i++) {
        request[i] = (annotation_request){.name = of[i].name, .photo = name ? name : single, .by_name = name != NULL,
                                          .id = name ? id_of(name) : single ? id_of(single) : NULL,
                                          .missed = i || !name ? NULL : missed, .memo = &of[i].memo,
                                          .rules = of[i].rules};
        status = annotation_read(&request[i], of[i].text.data, of[i].text.size, &all[i], log, why);
    }
    if (status == EXIT_SEEDS && name) {
        *about = false;
        *why = (failure){0};
        status = EXIT_DONE;
    } else if (!status) {
        status = compare(request, all, out, log, why);
    }
    shapes_free(&all[0]);
    shapes_free(&all[1]);
    return status;
}

/* Scores all pictures. Lists of results know pictures only by numbers, so the names are those of the other file. */
static int score_pictures(drawn of[2], score_table *out, notes *log, failure *why)
{
    int status = EXIT_DONE, missing = 0;
    for (int i = 0; i < 2; i++)
        if (!of[i].count && (i || !of[i].empty))
            return fail(why, EXIT_INPUT, "%s: does not name its picture, so which of those in %s it is about is not "
                        "known", of[i].name, of[1 - i].name);
    const drawn *const by = &of[*of[1].first[0] != '#'];
    out->row = calloc((size_t)by->count, sizeof *out->row);
    if (!out->row) return fail(why, EXIT_RESOURCES, "%s: not enough memory to score it", of[0].name);
    for (int i = 0; i < by->count && !status; i++) {
        score_row *const row = &out->row[out->count];
        bool about, missed = false;
        status = score_picture(of, by->first[i], &row->score, &about, &missed, log, why);
        if (status || !about) continue;
        missing += missed;
        row->name = strdup(by->first[i]);
        if (!row->name) return fail(why, EXIT_RESOURCES, "%s: not enough memory to score it", of[0].name);
        out->count++;
    }
    if (status) return status;
    if (!out->count || (missing == out->count && of[0].count))
        return fail(why, EXIT_INPUT, "%s: names no picture of %s", of[0].name, of[1].name);
    for (int i = 0; i < 2; i++) {
        const int more = of[i].count - out->count + (i ? 0 : missing);
        if (more > 0) note(log, "%s: %d pictures are not in %s and were left out", of[i].name, more, of[1 - i].name);
    }
    score_note_missed(of[0].name, of[1].name, missing, log);
    score_table_mean(out);
    return EXIT_DONE;
}

int score_drawn(const char *mask, const char *truth, bool *both, score_table *out, notes *log, failure *why)
{
    drawn of[2] = {{.count = 0}, {.count = 0}};
    bool about, missed, also = false;
    *out = (score_table){.rules = out->rules};
    int status = load(mask, &of[0], both, why);
    if (!status && *both) status = load(truth, &of[1], &also, why);
    *both &= also;
    of[0].rules = of[1].rules = out->rules;
    for (int i = 0; i < 2 && *both && !status; i++) status = list_names(&of[i], why);
    if (!status && *both)
        status = of[0].count > 1 || of[1].count > 1 || (of[0].empty && of[1].count)
                     ? score_pictures(of, out, log, why)
                     : score_picture(of, NULL, &out->mean, &about, &missed, log, why);
    unload(&of[0]);
    unload(&of[1]);
    if (status) score_table_free(out);
    return status;
}
