/* SPDX-License-Identifier: MIT
 *
 * seed_scene.c - see seed_scene.h. A reader written for the tests serves pictures from memory, so a test can state the
 * content of a file without an encoder.
 */
#include "seed_scene.h"

#include <stdlib.h>
#include <string.h>

#include "random_graph.h"

static image shelf[SCENE_FILES];
static const char *const names[SCENE_FILES] = {"a.png", "b.png", "c.png", "d.png"};

image picture_of(int width, int height, int channels, int depth, uint32_t argb)
{
    image img = {.width = width, .height = height, .channels = channels, .depth = depth, .orientation = 1,
                 .format = "PNG"};
    img.pixels = malloc(image_area(&img) * (size_t)channels * (size_t)(depth / 8));
    picture_rect(&img, 0, 0, width, height, argb);
    return img;
}

void picture_set(image *img, int x, int y, uint32_t argb)
{
    const size_t p = (size_t)y * (size_t)img->width + (size_t)x, n = (size_t)img->channels;
    const uint32_t scale = sample_max(img) / 255, alpha = argb >> 24;
    const size_t colors = n >= 3 ? 3 : 1;
    for (size_t c = 0; c < colors; c++)
        sample_set(img, p * n + c, (uint32_t)argb_channel(argb, (int)c) * scale);
    if (n == 2 || n == 4) sample_set(img, p * n + colors, alpha * scale);
}

void picture_rect(image *img, int x, int y, int width, int height, uint32_t argb)
{
    for (int j = y; j < y + height; j++)
        for (int i = x; i < x + width; i++) picture_set(img, i, j, argb);
}

image canvas(int channels, int depth, uint32_t argb)
{
    return picture_of(SCENE_W, SCENE_H, channels, depth, argb);
}

image scribbles(int channels, int depth, uint32_t under, uint32_t fg, uint32_t bg)
{
    image img = canvas(channels, depth, under);
    picture_rect(&img, 5, 5, 10, 3, fg);
    picture_rect(&img, 25, 10, 10, 4, bg);
    return img;
}

static void *copy(const void *from, size_t size)
{
    void *to = malloc(size);
    return memcpy(to, from, size);
}

static int read_shelf(const char *path, const image_limits *limits, image *out, notes *log, failure *why)
{
    (void)limits, (void)log;
    for (int i = 0; i < SCENE_FILES; i++) {
        if (strcmp(path, names[i]) != 0 || !shelf[i].pixels) continue;
        *out = shelf[i];
        out->pixels = copy(out->pixels, image_area(out) * (size_t)(out->channels * out->depth / 8));
        if (out->index) out->index = copy(out->index, image_area(out));
        return EXIT_DONE;
    }
    *out = (image){0};
    return fail(why, EXIT_INPUT, "%s: does not exist", path);
}

void scene_open(scene *s)
{
    uint64_t state = 7;
    memset(s, 0, sizeof *s);
    seeds_request_init(&s->request);
    s->request.reader = read_shelf;
    s->request.files = s->files;
    s->photo = picture_of(SCENE_W, SCENE_H, 3, 8, BLACK);
    for (int i = 0; i < 3 * SCENE_N; i++)
        s->photo.pixels[i] = (uint8_t)((i / 3 % SCENE_W < SCENE_W / 2 ? 40 : 150) + random_below(&state, 40));
}

void scene_add(scene *s, image img)
{
    const int i = s->request.file_count++;
    shelf[i] = img;
    s->files[i] = names[i];
}

void scene_stroke(scene *s, bool foreground, const char *points)
{
    seeds_request *r = &s->request;
    r->strokes = realloc(r->strokes, ((size_t)r->stroke_count + 1) * sizeof *r->strokes);
    if (!seeds_stroke_parse(points, foreground, &r->strokes[r->stroke_count++])) abort();
}

void scene_box(scene *s, double x, double y, double width, double height)
{
    const double box[4] = {x, y, width, height};
    s->request.box_given = true;
    memcpy(s->request.box, box, sizeof box);
}

void scene_read(scene *s)
{
    seeds_free(&s->out);
    notes_free(&s->log);
    s->log = (notes){0};
    s->why = (failure){0};
    s->status = seeds_read(&s->request, &s->photo, "photo.png", &s->out, &s->log, &s->why);
}

void scene_close(scene *s)
{
    seeds_free(&s->out);
    notes_free(&s->log);
    seeds_request_free(&s->request);
    free(s->photo.pixels);
    for (int i = 0; i < SCENE_FILES; i++) {
        free(shelf[i].pixels);
        free(shelf[i].index);
        shelf[i] = (image){0};
    }
}

void scene_again(scene *s)
{
    scene_close(s);
    scene_open(s);
}

bool scene_noted(const scene *s, const char *fragment)
{
    for (int i = 0; i < s->log.count; i++)
        if (strstr(s->log.text[i], fragment)) return true;
    return false;
}

int scene_count(const scene *s, int label)
{
    int count = 0;
    for (size_t p = 0; p < image_area(&s->photo); p++) count += s->out.label[p] == label;
    return count;
}
