/* SPDX-License-Identifier: MIT */
#include "scan_options.h"

#include <stdlib.h>
#include <string.h>

/* Finds the type of voxels from the words of --size. */
static bool parse_kind(const char *text, scan_shape *shape)
{
    static const struct word {
        const char *text;
        enum scan_kind kind;
    } words[] = {{"u8", SCAN_U8},   {"i8", SCAN_I8},   {"u16", SCAN_U16}, {"i16", SCAN_I16}, {"u32", SCAN_U32},
                 {"i32", SCAN_I32}, {"f32", SCAN_F32}, {"f64", SCAN_F64}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t length = strlen(words[i].text);
        if (strncmp(text, words[i].text, length)) continue;
        const char *const order = text + length;
        if (strcmp(order, "") && strcmp(order, "le") && strcmp(order, "be")) continue;
        shape->kind = (int)words[i].kind;
        shape->swapped = *order && !strcmp(order, "le") != scan_is_little();
        return true;
    }
    return false;
}

/* Reads WxHxD, or WxHxD:TYPE. */
static const char *parse_size(const char *text, void *field)
{
    static const char wanted[] = "a size WxHxD or WxHxD:TYPE, with sides from 1 to 65536 and TYPE u8, i8, u16, i16, "
        "u32, "
                                 "i32, f32 or f64, followed by be or le";
    scan_shape *const shape = (scan_shape *)field;
    long side[3];
    const char *at = text;
    for (int k = 0; k < 3; k++) {
        char *end;
        side[k] = *at >= '0' && *at <= '9' ? strtol(at, &end, 10) : 0;
        if (side[k] < 1 || side[k] > TILECUT_MAX_SIDE || (k < 2 && *end != 'x')) return wanted;
        at = end + (k < 2);
    }
    shape->kind = SCAN_U8;
    if (*at && (*at != ':' || !parse_kind(at + 1, shape))) return wanted;
    shape->width = (int)side[0], shape->height = (int)side[1], shape->depth = (int)side[2];
    return NULL;
}

/* Reads `count` numbers separated by commas. */
static bool parse_numbers(const char *text, double *out, int count)
{
    char word[64];
    for (int i = 0; i < count; i++) {
        const size_t length = strcspn(text, ",");
        if (length >= sizeof word || (i + 1 < count) != (text[length] == ',')) return false;
        memcpy(word, text, length);
        word[length] = '\0';
        if (!parse_real(word, &out[i])) return false;
        text += length + 1;
    }
    return true;
}

static const char *parse_spacing(const char *text, void *field)
{
    scan_shape *const shape = (scan_shape *)field;
    double s[3];
    const bool good = parse_numbers(text, s, 3);
    for (int k = 0; k < 3; k++)
        if (!good || !(s[k] > 1e-9 && s[k] < 1e9)) return "three distances X,Y,Z from 1e-9 to 1e9";
    memcpy(shape->spacing, s, sizeof s);
    return NULL;
}

/* Counted from 1. */
static const char *parse_which(const char *text, int *which)
{
    char *end;
    const long value = *text >= '0' && *text <= '9' ? strtol(text, &end, 10) : 0;
    if (value < 1 || value > 1000000 || *end) return "a number from 1 on";
    *which = (int)value;
    return NULL;
}

static const char *parse_channel(const char *text, void *field)
{
    scan_shape *const shape = (scan_shape *)field;
    shape->color = !strcmp(text, "color");
    shape->channel = 0;
    return shape->color || !parse_which(text, &shape->channel) ? NULL : "a number from 1 on, or color";
}

static const char *parse_volume(const char *text, void *field)
{
    scan_shape *const shape = (scan_shape *)field;
    return parse_which(text, &shape->volume);
}

static const char *parse_series(const char *text, void *field)
{
    scan_shape *const shape = (scan_shape *)field;
    if (!*text || strlen(text) > 64 || text[strspn(text, "0123456789.")]) return "the UID of a series, digits and dots";
    shape->series = text;
    return NULL;
}

static const char *parse_range(const char *text, void *field)
{
    scan_options *const my = (scan_options *)field;
    if (!parse_numbers(text, my->range, 2) || !(my->range[0] < my->range[1])) return "two values LOW,HIGH, the first "
        "one lower";
    my->ranged = true;
    return NULL;
}

const option scan_option_rows[] = {
    OPTION_HEADING("Volumes"),
    {.name = "size", .volumes = VOLUMES_ONLY, .argument = "WxHxD[:T]",
     .help = "size of voxels without a header, and their type: u8, i8, u16, i16, u32, i32, f32, f64, with be or le "
             "for the byte order (default u8)",
     .parse = parse_size, .at = offsetof(scan_options, shape)},
    {.name = "spacing", .volumes = VOLUMES_ONLY, .argument = "X,Y,Z",
     .help = "distances between voxels (default what the scan says, else 1,1,1)", .parse = parse_spacing,
     .at = offsetof(scan_options, shape)},
    {.name = "channel", .volumes = VOLUMES_ONLY, .argument = "N",
     .help = "the N-th of several channels in a file, from 1 on; color: all three (default for three of 8 or 16 bits)",
     .parse = parse_channel,
     .at = offsetof(scan_options, shape)},
    {.name = "volume", .volumes = VOLUMES_ONLY, .argument = "N",
     .help = "the N-th of a series of volumes in a file, from 1 on", .parse = parse_volume,
     .at = offsetof(scan_options, shape)},
    {.name = "series", .volumes = VOLUMES_ONLY, .argument = "UID",
     .help = "the series with that UID, of several in a folder of DICOM files", .parse = parse_series,
     .at = offsetof(scan_options, shape)},
    {.name = "range", .volumes = VOLUMES_ONLY, .argument = "LOW,HIGH",
     .help = "values of the scan that become black and white (default\n0,255 for 8 bits, else what 0.1 % and 99.9 % "
             "lie below)",
     .parse = parse_range, .at = 0},
    OPTIONS_END
};

bool scan_is_flat(const char *path)
{
    const size_t length = strlen(path);
    const bool tiff = length > 4 && (!strcmp(path + length - 4, ".tif") || !strcmp(path + length - 4, "tiff"));
    return image_has_extension(path) && !tiff;
}

bool scan_is_meant(const scan_options *my, const inputs *in, const char *path)
{
    bool meant = in->request.volume_box_given;
    for (int i = 0; i < in->request.stroke_count; i++) meant = meant || in->request.strokes[i].spatial;
    const scan_shape *const how = &my->shape;
    if (how->width || how->channel || how->color || how->volume || how->spacing[0] > 0 || my->ranged) return true;
    if (meant && !(path && scan_is_flat(path) && !scan_has_pictures(path))) return true;
    return path && scan_is_among(my, path, in->files.items, in->files.count);
}

/* Formats of scans are recognised by name or content. A TIFF of several pages, and any other file of several pictures,
 * counts as a scan, too, if its seeds are one. */
bool scan_is_among(const scan_options *my, const char *path, const char *const *marked, int count)
{
    if (my->shape.width || scan_is_named(path)) return true;
    const bool flat = scan_is_flat(path);
    for (int i = 0; i < count; i++)
        if (scan_recognise(marked[i]) || (scan_has_pages(marked[i]) && scan_recognise(path)))
            return !flat || scan_has_pictures(path);
    return !flat && scan_is_certain(path);
}

int scan_check_links(const option_log *given, const char *path, failure *why)
{
    for (int i = 0; i < given->count; i++) {
        const char *const value = given->items[i].value;
        if (!strcmp(given->items[i].row->name, "connectivity") && strlen(value) == 1 && *value != '6')
            return fail(why, EXIT_USAGE, "--connectivity: %s is for photos, and %s is a volume, with 6 or 26", value,
                        file_input_name(path));
    }
    return EXIT_DONE;
}

int scan_check_options(const option_log *given, const char *path, failure *why)
{
    for (int i = 0; i < given->count; i++)
        if (given->items[i].row->volumes == VOLUMES_NOT)
            return fail(why, EXIT_USAGE, "--%s: is for photos, and %s is a volume; leave it out",
                        given->items[i].row->name, file_input_name(path));
    return scan_check_links(given, path, why);
}

bool scan_is_photo(const scan_options *my, const option_log *given, const char *path)
{
    const image_limits limits = {0};
    int channels = 1;
    const scan_reading reading = {.limits = &limits, .shape = my->shape, .picture = &channels};
    scan_extent e;
    failure ignored;
    if (my->shape.width || !scan_measure(path, &reading, &e)) return false;
    return scan_check_options(given, path, &ignored) || (channels > 1 && !scan_check_none(given, path, &ignored));
}

int scan_check_none(const option_log *given, const char *path, failure *why)
{
    for (int i = 0; i < given->count; i++)
        if (given->items[i].row->volumes == VOLUMES_ONLY)
            return fail(why, EXIT_USAGE, "--%s: is for volumes, and %s is none; leave it out",
                        given->items[i].row->name, file_input_name(path));
    return EXIT_DONE;
}
