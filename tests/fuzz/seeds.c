/* SPDX-License-Identifier: MIT
 *
 * seeds.c - fuzz target: seeds in every format. The input is a small photo and up to two seed pictures as raw samples,
 * the options of the request, and texts for strokes, box and colours.
 */
#include <string.h>

#include "fuzz.h"
#include "seeds_parts.h"
#include "tilecut.h"

enum { MOST_SIDE = 12 };

static supply input;

static bool make_picture(image *pic, int width, int height)
{
    const int channels = 1 + (int)take_below(&input, 4), depth = take_below(&input, 4) ? 8 : 16;
    const bool palette = depth == 8 && channels >= 3 && take_below(&input, 3) == 0;
    const size_t pixels = (size_t)width * (size_t)height, size = pixels * (size_t)channels * (size_t)(depth / 8);
    /* Each sample is drawn from a small table, because real seeds have few values. */
    uint8_t table[4];
    *pic = (image){.width = width, .height = height, .channels = channels, .depth = depth, .orientation = 1,
                   .format = "PNG", .lossy = take_below(&input, 8) == 0, .pixels = malloc(size),
                   .index = palette ? malloc(pixels) : NULL};
    for (int i = 0; i < 4; i++) table[i] = (uint8_t)take(&input);
    for (size_t i = 0; pic->pixels && i < size; i++) pic->pixels[i] = table[take(&input) & 3];
    for (size_t i = 0; pic->index && i < pixels; i++) pic->index[i] = (uint8_t)take(&input);
    return pic->pixels && (!palette || pic->index);
}

static int read_picture(const char *path, const image_limits *limits, image *out, notes *log, failure *why)
{
    (void)path, (void)limits, (void)log, (void)why;
    const int odd = take_below(&input, 16) == 0; /* some seed pictures have another size than the photo */
    MUST(make_picture(out, 1 + (int)take_below(&input, MOST_SIDE - 1) + odd, 1 + (int)take_below(&input, MOST_SIDE)));
    return EXIT_DONE;
}

/* Takes a word from the input, up to a zero byte. */
static void take_word(char *word, size_t room)
{
    size_t length = 0;
    for (unsigned c; length + 1 < room && (c = take(&input)) != 0;) word[length++] = (char)c;
    word[length] = '\0';
}

static void add_stroke(seeds_request *request)
{
    char word[64];
    seeds_stroke stroke;
    take_word(word, sizeof word);
    if (!seeds_stroke_parse(word, take_below(&input, 2) == 0, &stroke)) return;
    MUST(stroke.count >= 1);
    request->strokes = malloc(sizeof *request->strokes);
    MUST(request->strokes);
    request->strokes[0] = stroke;
    request->stroke_count = 1;
}

static void make_request(seeds_request *request, const char *const *names)
{
    static const char *const formats[] = {"auto", "color", "trimap", "grabcut", "labels", "mask", "diff"};
    static const char *const conflicts[] = {"error", "fg", "bg", "drop"};
    char word[64];
    seeds_request_init(request);
    request->files = names;
    request->file_count = (int)take_below(&input, 3);
    MUST(seeds_format_parse(formats[take_below(&input, 7)], &request->format));
    MUST(seeds_conflict_parse(conflicts[take_below(&input, 4)], &request->conflict));
    request->tolerance = (int)take(&input);
    request->band = 1 + (int)take_below(&input, 40);
    request->brush = take_below(&input, 5);
    const unsigned more = take(&input);
    if (more & 1) add_stroke(request);
    if (more & 2) take_word(word, sizeof word), request->box_given = seeds_box_parse(word, request->box);
    if (more & 4) take_word(word, sizeof word), request->fg_color.given = seeds_color_parse(word, &request->fg_color);
    if (more & 8) take_word(word, sizeof word), request->bg_color.given = seeds_color_parse(word, &request->bg_color);
}

static void check_seeds(const seeds *all, const image *photo)
{
    int64_t count[4] = {0};
    MUST(all->width == photo->width && all->height == photo->height);
    for (int p = 0; p < all->width * all->height; p++) {
        MUST(all->label[p] <= TILECUT_OUTSIDE);
        count[all->label[p]]++;
    }
    MUST(count[TILECUT_FOREGROUND] == all->foreground && count[TILECUT_UNKNOWN] == all->unknown);
    MUST(count[TILECUT_BACKGROUND] + count[TILECUT_OUTSIDE] == all->background && all->background > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"a.png", "b.png"};
    seeds_request request;
    seeds all = {0};
    image photo;
    notes log = {0};
    failure why = {0};

    input = (supply){data, size};
    make_request(&request, names);
    request.reader = read_picture;
    MUST(make_picture(&photo, 1 + (int)take_below(&input, MOST_SIDE), 1 + (int)take_below(&input, MOST_SIDE)));
    const int status = seeds_read(&request, &photo, "photo.png", &all, &log, &why);
    if (status == EXIT_DONE)
        check_seeds(&all, &photo);
    else
        MUST(why.status == status && *why.text && !strchr(why.text, '\n') && !all.label);
    seeds_free(&all);
    seeds_request_free(&request);
    image_free(&photo);
    notes_free(&log);
    return 0;
}
