/* SPDX-License-Identifier: MIT
 *
 * tiff_axes.c - see tiff_axes.h. ImageJ writes lines like "channels=2"; from page to page the channel changes fastest,
 * then the slice, then the frame. tifffile writes {"shape": [2, 12, 20, 24], "axes": "CZYX"}, the last axis fastest.
 * Source: https://imagej.net/ij/docs/guide/146-26.html and https://pypi.org/project/tifffile
 */
#include "tiff_axes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int refuse_pages(const char *name, const tiff_axes *a, int64_t pages, failure *why)
{
    return fail(why, EXIT_INPUT, "%s: has %" PRId64 " pages, and its description (%s) says %" PRId64 " channels of %"
                PRId64 " slices at %" PRId64 " moments; save it again", name, pages, a->by, a->channels, a->slices,
                a->moments);
}

/* Returns the whole number after a word like "
 * slices=": 1 if the word is missing, -1 if no number follows it. */
static int64_t number_after(const char *text, const char *word)
{
    const char *const at = strstr(text, word);
    char *end;
    if (!at) return 1;
    const long long value = strtoll(at + strlen(word), &end, 10);
    return end > at + strlen(word) && value > 0 && value < INT32_MAX ? value : -1;
}

static int read_imagej(const char *name, const char *text, int64_t pages, tiff_axes *a, failure *why)
{
    const bool said = strstr(text, "\nchannels=") || strstr(text, "\nslices=") || strstr(text, "\nframes=");
    a->by = "ImageJ";
    strcpy(a->order, "CZT");
    if (!said) return EXIT_DONE;
    a->channels = number_after(text, "\nchannels=");
    a->slices = number_after(text, "\nslices=");
    a->moments = number_after(text, "\nframes=");
    const bool good = a->channels > 0 && a->slices > 0 && a->moments > 0;
    return good && a->channels * a->slices <= pages && a->channels * a->slices * a->moments == pages
        ? EXIT_DONE : refuse_pages(name, a, pages, why);
}

/* Records the size of an axis. Returns false if the axis has no known meaning or occurs twice. */
static bool take_axis(tiff_axes *a, char axis, int64_t size, size_t *used)
{
    int64_t *const count = axis == 'C' ? &a->channels : axis == 'Z' ? &a->slices : axis == 'T' ? &a->moments : NULL;
    if (size == 1) return true;
    if (!count || *count > 1) return false;
    *count = size;
    a->order[(*used)++] = axis;
    return true;
}

/* Reads the sizes in brackets after "shape". The last two of them are those of a page, or the last three if it has
 * colours. */
static int read_shaped(const char *name, const char *text, int64_t pages, tiff_axes *a, failure *why)
{
    enum { MOST = 16 };
    const char *at = strstr(text, "shape"), *const axes = strstr(text, "\"axes\": \"");
    const char *const letters = axes ? axes + strlen("\"axes\": \"") : "";
    int64_t size[MOST], product = 1;
    int count = 0, several = 0, stacked = 0;
    size_t used = 0;
    at += strcspn(at, "[(");
    for (char *end; *at && *at != ']' && *at != ')' && count < MOST; at = end + strspn(end, ", ")) {
        size[count] = strtoll(at + (*at == '[' || *at == '('), &end, 10);
        if (end == at || size[count++] < 1) return EXIT_DONE; /* something else */
    }
    while (stacked < count && product < pages) {
        if (size[stacked] > pages / product) break;
        several += size[stacked] > 1;
        product *= size[stacked++];
    }
    if (product != pages) return EXIT_DONE; /* of other pages */
    a->by = "tifffile";
    a->slices = 1;
    bool known = !*letters || strcspn(letters, "\"") == (size_t)count;
    for (int i = stacked; known && i-- > 0;) {
        const bool slices = several == 1 && !strchr("CZT", *letters ? letters[i] : 'Q');
        known = take_axis(a, slices ? 'Z' : *letters ? letters[i] : 'Q', size[i], &used);
    }
    for (const char *rest = "CZT"; *rest; rest++)
        if (!strchr(a->order, *rest) && used < 3) a->order[used++] = *rest;
    if (known && used == 3) return EXIT_DONE;
    return fail(why, EXIT_INPUT, "%s: has pages along %d axes, and its description does not say which of them are "
                "slices, channels or moments; save it with axes (tifffile: metadata={'axes': 'CZYX'})", name, several);
}

int tiff_axes_read(const char *name, const char *text, int64_t pages, tiff_axes *out, failure *why)
{
    *out = (tiff_axes){.channels = 1, .slices = pages, .moments = 1};
    if (!text) return EXIT_DONE;
    if (!strncmp(text, "ImageJ=", 7)) return read_imagej(name, text, pages, out, why);
    if ((*text == '{' && strstr(text, "\"shape\"")) || !strncmp(text, "shape=", 6)) {
        const int status = read_shaped(name, text, pages, out, why);
        if (!out->by) *out = (tiff_axes){.channels = 1, .slices = pages, .moments = 1};
        return status;
    }
    if (strstr(text, "OME") && strchr(text, '<')) return tiff_axes_ome(name, text, pages, out, why);
    return EXIT_DONE;
}

void tiff_axes_free(tiff_axes *a)
{
    free(a->page);
    *a = (tiff_axes){0};
}

int64_t tiff_axes_page(const tiff_axes *a, int64_t channel, int64_t z, int64_t moment)
{
    int64_t page = 0, step = 1;
    for (int i = 0; i < 3 && a->order[i]; i++) {
        const char axis = a->order[i];
        page += step * (axis == 'C' ? channel : axis == 'Z' ? z : moment);
        step *= axis == 'C' ? a->channels : axis == 'Z' ? a->slices : a->moments;
    }
    if (!*a->order) page = z;
    return a->page ? a->page[page] : page;
}
