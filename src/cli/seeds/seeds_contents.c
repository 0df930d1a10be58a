/* SPDX-License-Identifier: MIT
 *
 * seeds_contents.c - counts the values and colours of a seed picture in one pass, to recognise its format, or to name
 * them in an error message.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "seeds_parts.h"

/* Counts of different colours, hashed with linear probing. After CONTENTS_MANY colours, further ones are all treated as
 * one: such a picture is a photograph, and its canvas, if it has one, came early. */
enum { SLOTS = 8192 };

typedef struct color_table {
    struct {
        uint32_t rgb;
        int64_t count;
    } slot[SLOTS]; /* count 0: free */
    int used;
} color_table;

static void colors_add(color_table *table, uint32_t rgb, int64_t count)
{
    uint32_t at = (rgb * UINT32_C(2654435761)) >> 19;
    while (table->slot[at].count && table->slot[at].rgb != rgb) at = (at + 1) % SLOTS;
    if (!table->slot[at].count) {
        if (table->used == CONTENTS_MANY) return;
        table->used++;
        table->slot[at].rgb = rgb;
    }
    table->slot[at].count += count;
}

/* if two counts are equal, the smaller colour comes first, so that the result does not depend on the order of slots */
static void colors_most_common(const color_table *table, contents *out)
{
    for (int s = 0; s < SLOTS; s++) {
        const uint32_t rgb = table->slot[s].rgb;
        const int64_t count = table->slot[s].count;
        if (!count) continue;
        int at = CONTENTS_COMMON;
        while (at > 0 && (out->common[at - 1].count < count ||
                          (out->common[at - 1].count == count && out->common[at - 1].rgb > rgb)))
            at--;
        if (at == CONTENTS_COMMON) continue;
        memmove(&out->common[at + 1], &out->common[at], (size_t)(CONTENTS_COMMON - 1 - at) * sizeof out->common[0]);
        out->common[at].rgb = rgb;
        out->common[at].count = count;
    }
    out->colors = table->used;
}

/* Counts `count` opaque pixels of one colour. */
static void add_run(contents *out, color_table *table, uint32_t rgb, int64_t count, int tolerance)
{
    if (!count) return;
    colors_add(table, rgb, count);
    if (!rgb_grey(rgb, tolerance)) out->grey = false;
    out->level[argb_channel(rgb, 1)] += count;
}

static void group_levels(contents *out)
{
    for (int v = 0; v < 256; v++) {
        if (v <= BLACK_MAX)
            out->black += out->level[v];
        else if (v >= WHITE_MIN)
            out->white += out->level[v];
        else if (v >= MIDDLE_MIN && v <= MIDDLE_MAX)
            out->middle += out->level[v];
        else
            out->between += out->level[v];
    }
}

/* Finds out if the samples look like class numbers: all are 0..3 or the largest possible value. */
static void count_raw(const image *pic, contents *out)
{
    const bool indices = pic->index && !out->grey;
    if (!out->grey && !indices) return;
    const int full = !indices && pic->depth == 16 ? 65535 : 255;
    out->raw_small = true;
    for (size_t p = 0; p < image_area(pic); p += indices ? 1 : pixels_alike(pic, p)) {
        const int v = picture_value(pic, p, indices);
        if (v > out->largest) out->largest = v;
        if (v > 3 && v != full) out->raw_small = false;
        if (v <= 3 && v > out->raw_max) out->raw_max = v;
    }
}

bool contents_narrow(image *pic)
{
    const size_t n = (size_t)pic->channels, samples = image_area(pic) * n;
    if (pic->depth == 8) return false;
    for (size_t i = 0; i < samples; i++)
        if ((n % 2 || i % n < n - 1) && sample_at(pic, i) > UINT8_MAX) return false;
    for (size_t i = 0; i < samples; i++)
        pic->pixels[i] = (uint8_t)(n % 2 || i % n < n - 1 ? sample_at(pic, i) : sample_at(pic, i) >> 8);
    pic->depth = 8;
    return true;
}

bool contents_of_picture(const image *pic, contents *out)
{
    const size_t pixels = (size_t)pic->width * (size_t)pic->height;
    const int tolerance = pic->lossy ? 8 : 0;
    color_table *table = calloc(1, sizeof *table);
    if (!table) return false;
    memset(out, 0, sizeof *out);
    out->pixels = (int64_t)pixels;
    out->grey = true;
    uint32_t last = 0;
    int64_t run = 0;
    for (size_t p = 0, alike; p < pixels; p += alike) {
        const uint32_t argb = picture_argb(pic, p), rgb = argb & 0xffffff;
        alike = pixels_alike(pic, p);
        if ((int)(argb >> 24) > out->strongest) out->strongest = (int)(argb >> 24);
        if (argb_transparent(argb)) {
            out->transparent += (int64_t)alike;
        } else if (run && rgb == last) {
            run += (int64_t)alike;
        } else {
            add_run(out, table, last, run, tolerance);
            last = rgb;
            run = (int64_t)alike;
        }
    }
    add_run(out, table, last, run, tolerance);
    colors_most_common(table, out);
    group_levels(out);
    count_raw(pic, out);
    free(table);
    return true;
}

int contents_add_up(const seeds_rows *rows, const char *name, contents *s, failure *why)
{
    enum { WIDE = 256, NOT_SMALL, RAW, PIXELS = RAW + 4, COUNTS };
    int64_t sum[COUNTS];
    memcpy(sum, s->level, sizeof s->level);
    sum[WIDE] = s->largest > 255, sum[NOT_SMALL] = !s->raw_small, sum[PIXELS] = s->pixels;
    for (int v = 0; v < 4; v++) sum[RAW + v] = s->raw_max == v;
    STEP(seeds_sum(rows, sum, COUNTS, why));
    color_table *const table = calloc(1, sizeof *table);
    if (!table) return fail(why, EXIT_RESOURCES, "%s: not enough memory to read the seeds", name);
    *s = (contents){.pixels = sum[PIXELS], .strongest = 255, .grey = true, .raw_small = !sum[NOT_SMALL]};
    memcpy(s->level, sum, sizeof s->level);
    for (int v = 0; v < 256; v++) {
        if (!sum[v]) continue;
        colors_add(table, (uint32_t)v * 0x010101, sum[v]);
        s->largest = sum[WIDE] ? UINT16_MAX : v;
    }
    for (int v = 0; v < 4; v++)
        if (sum[RAW + v]) s->raw_max = v;
    colors_most_common(table, s);
    group_levels(s);
    free(table);
    return EXIT_DONE;
}

void contents_describe(const contents *s, uint32_t skip, char *text, size_t room)
{
    size_t used = 0;
    int shown = 0;
    text[0] = '\0';
    for (int i = 0; i < CONTENTS_COMMON && s->common[i].count && shown < 3; i++) {
        const uint32_t rgb = s->common[i].rgb;
        if (skip != NO_COLOR && rgb_distance(rgb, skip) <= 8) continue;
        const int n = snprintf(text + used, room - used, "%s#%06x (%lld px)", shown ? ", " : "", (unsigned)rgb,
                               (long long)s->common[i].count);
        if (n < 0 || (size_t)n >= room - used) break;
        used += (size_t)n;
        shown++;
    }
}

bool picture_values_are_indices(const image *pic)
{
    if (!pic->index) return false;
    const size_t pixels = (size_t)pic->width * (size_t)pic->height;
    for (size_t p = 0; p < pixels; p++) {
        const uint32_t argb = picture_argb(pic, p);
        const int v = argb_channel(argb, 1);
        if (!rgb_grey(argb, 0) || (v > 3 && v != 255)) return true;
    }
    return false;
}
