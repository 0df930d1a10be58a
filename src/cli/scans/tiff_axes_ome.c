/* SPDX-License-Identifier: MIT
 *
 * tiff_axes_ome.c - OME-XML in the description of a TIFF: the element Pixels has the sizes, order and distances, and
 * the elements TiffData in it say which page holds which plane. Source:
 * https://docs.openmicroscopy.org/ome-model/6.3.1/ome-tiff/specification.html
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tiff_axes.h"

enum { VALUE = 64, PLANES_MOST = 1 << 24 };

/* Finds the next element of that name between `at` and `end`, with any prefix. Returns the position after the name, or
 * NULL. */
static const char *find_element(const char *at, const char *end, const char *name)
{
    const size_t length = strlen(name);
    while ((at = strchr(at, '<')) != NULL && at < end) {
        at++;
        const char *const colon = at + strcspn(at, ": \t\r\n/>"), *const local = *colon == ':' ? colon + 1 : at;
        if (!strncmp(local, name, length) && strchr(" \t\r\n/>", local[length])) return local + length;
    }
    return NULL;
}

/* Copies the value of an attribute of the element whose name ends at `at`. Returns false if the attribute is
 * missing. */
static bool attribute(const char *at, const char *name, char value[VALUE])
{
    const size_t length = strlen(name);
    while (*at && *at != '>') {
        at += strspn(at, " \t\r\n/");
        const char *const equals = at + strcspn(at, "=>");
        if (*equals != '=' || !equals[1]) return false;
        const char quote = equals[1];
        const char *const close = strchr(equals + 2, quote);
        if (!close) return false;
        if ((size_t)(equals - at) == length && !strncmp(at, name, length)) {
            const ptrdiff_t size = close - equals - 2;
            snprintf(value, VALUE, "%.*s", (int)(size < VALUE ? size : VALUE - 1), equals + 2);
            return true;
        }
        at = close + 1;
    }
    return false;
}

static int64_t whole(const char *at, const char *name, int64_t otherwise)
{
    char value[VALUE], *end;
    if (!attribute(at, name, value)) return otherwise;
    const long long number = strtoll(value, &end, 10);
    return *value && !*end && number >= 0 && number < INT32_MAX ? number : -1;
}

/* Returns the micrometres of a unit, or 0 if it is not a unit of length. */
static double unit_of(const char *pixels, const char *name)
{
    static const struct {
        const char *name;
        double length;
    } units[] = {{"\xc2\xb5m", 1}, {"\xce\xbcm", 1}, {"&#181;m", 1}, {"um", 1}, {"nm", 1e-3}, {"pm", 1e-6}, {"mm", 1e3},
                 {"cm", 1e4}, {"dm", 1e5}, {"m", 1e6}, {"in", 25400}, {"\xc3\x85", 1e-4}};
    char value[VALUE];
    if (!attribute(pixels, name, value)) return 1;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (!strcmp(value, units[i].name)) return units[i].length;
    return 0;
}

/* Reads the distances and converts them to the unit of the first axis. */
static void read_spacing(const char *pixels, tiff_axes *a)
{
    static const char *const sizes[] = {"PhysicalSizeX", "PhysicalSizeY", "PhysicalSizeZ"};
    static const char *const units[] = {"PhysicalSizeXUnit", "PhysicalSizeYUnit", "PhysicalSizeZUnit"};
    char value[VALUE], first[VALUE] = "", unit[VALUE];
    const double one = unit_of(pixels, units[0]);
    int said = 0;
    bool good = true;
    attribute(pixels, units[0], first);
    for (int k = 0; k < 3; k++) {
        if (!attribute(pixels, sizes[k], value)) continue;
        const bool alike = k == 0 || !strcmp(attribute(pixels, units[k], unit) ? unit : "", first);
        const double scale = alike ? 1 : one > 0 ? unit_of(pixels, units[k]) / one : 0;
        a->spacing[k] = strtod(value, NULL) * scale;
        said++;
        good = good && a->spacing[k] > 1e-9 && a->spacing[k] < 1e9;
    }
    if (said == 3 && good) return;
    if (said) snprintf(a->doubt, sizeof a->doubt, "says the distances of its voxels along %s; 1 x 1 x 1 is taken",
                       said < 3 ? "some axes only" : "its axes in units that cannot be compared");
    memset(a->spacing, 0, sizeof a->spacing);
}

/* Returns the index of a plane in the order of the axes, or -1 if there is no such plane. */
static int64_t place_of(const tiff_axes *a, const char *data)
{
    const int64_t c = whole(data, "FirstC", 0), z = whole(data, "FirstZ", 0), t = whole(data, "FirstT", 0);
    if (c < 0 || z < 0 || t < 0 || c >= a->channels || z >= a->slices || t >= a->moments) return -1;
    tiff_axes plain = *a;
    plain.page = NULL;
    return tiff_axes_page(&plain, c, z, t);
}

/* Reads the name of the file that an element TiffData refers to. Returns false if it names none. */
static bool file_of(const char *data, const char *end, char value[VALUE])
{
    const char *const close = strchr(data, '>');
    if (!close || close[-1] == '/') return false;
    const char *const next = strstr(close, "TiffData");
    const char *const uuid = find_element(close, next && next < end ? next : end, "UUID");
    return uuid && attribute(uuid, "FileName", value);
}

/* Reads which page holds each plane, from the elements TiffData between `at` and `end`. */
static int read_pages(const char *name, const char *at, const char *end, int64_t pages, tiff_axes *a, failure *why)
{
    const int64_t planes = a->channels * a->slices * a->moments;
    char first[VALUE] = "", file[VALUE];
    bool any = false;
    for (int64_t i = 0; i < planes; i++) a->page[i] = -1;
    for (const char *data = at; (data = find_element(data, end, "TiffData")) != NULL; any = true) {
        const bool named = whole(data, "IFD", -2) >= 0;
        const int64_t from = place_of(a, data), page = whole(data, "IFD", 0);
        const int64_t count = whole(data, "PlaneCount", named ? 1 : planes);
        if (file_of(data, end, file)) {
            if (*first && strcmp(file, first) != 0)
                return fail(why, EXIT_INPUT, "%s: has its planes in several files (OME); save it as one", name);
            strcpy(first, file);
        }
        if (from < 0 || page < 0 || count < 0)
            return fail(why, EXIT_INPUT, "%s: has a damaged OME description (an element TiffData)", name);
        for (int64_t i = 0; i < count && from + i < planes && page + i < pages; i++) a->page[from + i] = page + i;
    }
    for (int64_t i = 0; i < planes; i++) {
        if (!any) a->page[i] = i < pages ? i : -1;
        if (a->page[i] < 0)
            return fail(why, EXIT_INPUT, "%s: has no page for plane %" PRId64 " of %" PRId64 ", which its OME "
                        "description names", name, i + 1, planes);
    }
    return EXIT_DONE;
}

int tiff_axes_ome(const char *name, const char *text, int64_t pages, tiff_axes *a, failure *why)
{
    const char *const end = text + strlen(text), *const pixels = find_element(text, end, "Pixels");
    char order[VALUE];
    if (!pixels)
        return fail(why, EXIT_INPUT, "%s: says that its OME description lies in another file; save it as one", name);
    const char *const close = strstr(pixels, "Pixels>"), *const last = close ? close : end;
    const char *const channel = find_element(pixels, last, "Channel");
    const int64_t samples = channel ? whole(channel, "SamplesPerPixel", 1) : 1;
    a->by = "OME";
    a->channels = whole(pixels, "SizeC", 1), a->slices = whole(pixels, "SizeZ", 1);
    a->moments = whole(pixels, "SizeT", 1);
    /* all samples of a pixel are on one page, so count them once */
    if (samples > 1 && a->channels % samples == 0) a->channels /= samples;
    const bool ordered = attribute(pixels, "DimensionOrder", order) && !strncmp(order, "XY", 2) && strlen(order) == 5 &&
                         strchr(order, 'C') && strchr(order, 'Z') && strchr(order, 'T');
    if (!ordered || a->channels < 1 || a->slices < 1 || a->moments < 1 ||
        a->channels > PLANES_MOST / a->slices / a->moments)
        return fail(why, EXIT_INPUT, "%s: has a damaged OME description (DimensionOrder or sizes)", name);
    memcpy(a->order, order + 2, 3);
    a->page = malloc((size_t)(a->channels * a->slices * a->moments) * sizeof *a->page);
    if (!a->page) return fail(why, EXIT_RESOURCES, "%s: not enough memory to read it", name);
    read_spacing(pixels, a);
    if (find_element(last, end, "Pixels"))
        snprintf(a->doubt, sizeof a->doubt, "holds several pictures (OME); the first one is read");
    return read_pages(name, pixels, last, pages, a, why);
}
