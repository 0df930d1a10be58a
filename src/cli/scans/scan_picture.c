/* SPDX-License-Identifier: MIT
 *
 * scan_picture.c - pictures as volumes of one slice, for formats that hold pictures alone.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "region.h"
#include "scan.h"
#include "tilecut_volume.h"

enum { COLORS = 3 };

/* The pictures of a file, each a slice; nearly always one. */
typedef struct picture {
    scan_input *in;
    const scan_reading *request;
    const image_format *format;
    picture_source from;   /* the current picture and what follows it */
    bytes file;            /* the whole file, of a format with a series; owned */
    image_series series;   /* count above 1: the pictures are decoded one after another; else not used */
    region_reader *reader;
    region_shape shape;    /* of the current picture */
    bool grey;             /* the colours read so far are all grey, and opaque if their alpha is read */
    int colors;            /* the number of channels that are read at once; 0: one is */
    int64_t seen;          /* transparent pixels */
    uint8_t *row; /* owned */
    failure *why;
} picture;

static size_t sample_bytes(const picture *p)
{
    return (size_t)p->shape.depth / 8;
}

static void close_picture(picture *p)
{
    region_close(p->reader);
    free(p->row);
    p->reader = NULL, p->row = NULL;
}

/* Returns the limits for one picture, without those of the cut, which follow when the size of the volume is known. */
static image_limits limits_of_one(const picture *p)
{
    image_limits limits = *p->request->limits;
    limits.need = NULL, limits.admit = NULL;
    return limits;
}

static int take_next(picture *p, const image_limits *limits)
{
    image next = {.format = p->format->name, .orientation = 1};
    p->series.taken++;
    const int status = p->format->next(&p->series, limits, &next, p->why);
    if (!status) return region_open_image(p->in->name, &next, &p->shape, &p->reader, p->why);
    image_free(&next);
    return status;
}

/* True if alpha is read, too, because seeds in colour are wanted: it says which pixels are none. */
static bool keeps_alpha(const picture *p)
{
    return p->request->shape.optional && p->request->picture;
}

/* Opens the current picture, without palette and alpha, but for seeds with the indices of a palette, and alpha of
 * colours. */
static int open_picture(picture *p)
{
    const image_limits limits = limits_of_one(p);
    if (p->series.count > 1) STEP(take_next(p, &limits));
    else STEP(region_open_source(&p->from, &limits, &p->shape, &p->reader, p->why));
    const bool stays = p->shape.palette ? p->request->shape.optional : p->shape.channels == 4 && keeps_alpha(p);
    if (!stays) STEP(region_flatten(&p->reader, &p->shape, p->why));
    p->row = malloc((size_t)p->shape.width * (size_t)p->shape.channels * sample_bytes(p));
    return p->row ? EXIT_DONE : fail(p->why, EXIT_RESOURCES, "%s: not enough memory to read it", p->in->name);
}

/* Closes the current picture and goes to the next one of the file. Returns false if there is none. */
static bool next_picture(picture *p)
{
    const uint64_t step = p->shape.next;
    close_picture(p);
    if (p->series.count > 1) return p->series.taken < p->series.count;
    if (!step) return false;
    if (p->from.data) p->from.data += step;
    else p->from.begin += step;
    p->from.size -= step;
    return true;
}

static void first_picture(picture *p)
{
    p->from = (picture_source){.name = p->in->name, .path = p->in->path, .data = p->in->data,
                               .file = p->in->data ? -1 : p->in->file, .size = p->in->size};
    if (p->file.data) p->from.data = p->file.data, p->from.file = -1;
}

/* True if the colours of a row are all grey, and opaque if alpha was kept. */
static bool is_grey(const picture *p)
{
    static const uint8_t opaque[2] = {0xff, 0xff};
    const size_t sample = sample_bytes(p), pixel = (size_t)p->shape.channels * sample, width = (size_t)p->shape.width;
    bool grey = true;
    for (size_t x = 0; grey && x < width; x++)
        grey = !memcmp(p->row + x * pixel, p->row + x * pixel + sample, 2 * sample) &&
               (p->shape.channels < 4 || !memcmp(p->row + x * pixel + 3 * sample, opaque, sample));
    return grey;
}

static int check_alike(const picture *p, const region_shape *first, int64_t number)
{
    const region_shape *const s = &p->shape;
    if (s->width == first->width && s->height == first->height && s->channels == first->channels &&
        s->depth == first->depth) return EXIT_DONE;
    return fail(p->why, EXIT_INPUT, "%s: picture %lld differs from the first one in size, channels or bits; the slices "
                "of a volume are alike", p->in->name, (long long)number);
}

/* Begins a series of pictures, if the file is one. */
static int begin_series(picture *p)
{
    const image_limits limits = limits_of_one(p);
    if (!p->format->begin) return EXIT_DONE;
    if (!p->in->data) STEP(image_take_file(&p->from, &p->file, p->why));
    first_picture(p);
    p->series = (image_series){.name = p->in->name, .data = p->from.data, .size = (size_t)p->from.size, .depth = 8};
    return p->format->begin(&p->series, &limits, p->why);
}

/* Finds the size of all pictures by their headers, and leaves the first one open, if there is only one. */
static int look_at_all(picture *p, int64_t size[3])
{
    region_shape first;
    first_picture(p);
    STEP(begin_series(p));
    if (p->series.count > 1) {
        size[0] = (int64_t)p->series.width, size[1] = (int64_t)p->series.height, size[2] = p->series.count;
        p->shape = (region_shape){.width = size[0], .height = size[1], .channels = keeps_alpha(p) ? 4 : 3,
                                  .depth = p->series.depth};
        return EXIT_DONE;
    }
    STEP(open_picture(p));
    first = p->shape;
    size[0] = first.width, size[1] = first.height, size[2] = 1;
    if (!first.next) return EXIT_DONE;
    while (next_picture(p)) {
        STEP(open_picture(p));
        STEP(check_alike(p, &first, ++size[2]));
    }
    first_picture(p);
    p->shape = first;
    return EXIT_DONE;
}

/* Copies one channel of the current row, or all of its colours. A grey row has three that are the same. */
static uint8_t *put_row(const picture *p, int64_t channel, uint8_t *to)
{
    const size_t sample = sample_bytes(p), channels = (size_t)p->shape.channels, width = (size_t)p->shape.width;
    for (size_t x = 0; x < width; x++)
        for (size_t c = 0; c < (p->colors ? (size_t)p->colors : 1); c++, to += sample) {
            const size_t from = p->colors ? c < channels ? c : 0 : (size_t)channel;
            memcpy(to, p->row + (x * channels + from) * sample, sample);
        }
    return to;
}

/* True if it counts whether all colours of the file are grey, as in a PPM of a grey photo: one channel is wanted and
 * none was chosen, or a picture is. */
static bool asks_for_grey(const picture *p)
{
    return p->shape.channels > 1 && !p->request->shape.channel && (!p->colors || p->request->picture);
}

/* True if the channels that are wanted can still be read: one channel of colours that are not grey cannot. */
static bool goes_on(const picture *p)
{
    return p->grey || p->colors;
}

/* Reads the channels that are wanted of the current picture, if `to` is not NULL; and checks if all its colours are
 * grey, if that counts. */
static int take_channel(picture *p, int64_t channel, uint8_t *to)
{
    const bool check = asks_for_grey(p);
    for (int64_t y = 0; goes_on(p) && (to || (check && p->grey)) && y < p->shape.height; y++) {
        STEP(region_read(p->reader, y, 1, p->row, p->why));
        if (check && p->grey) p->grey = is_grey(p);
        if (to) to = put_row(p, channel, to);
    }
    return EXIT_DONE;
}

/* Reads the slices of `out`, which begin with number out->above of the file; and looks at all others if the file may be
 * in colour. */
static int take_slices(picture *p, int64_t channel, size_t slice, scan *out)
{
    region_shape first = p->shape;
    const int end = out->above + out->depth;
    const bool all = asks_for_grey(p);
    const bool some = !all && p->series.count > 1 && p->format->skip;
    const int begin = some ? (int)p->format->skip(&p->series, out->above) : 0;
    bool more = true;
    p->series.taken += begin;
    for (int z = begin; goes_on(p) && more && ((all && p->grey) || z < end); z++) {
        const bool here = z >= out->above && z < end;
        if (!p->reader) STEP(open_picture(p));
        if (z == begin) first.channels = p->shape.channels; /* of a series not known before */
        STEP(check_alike(p, &first, z + 1));
        STEP(take_channel(p, channel, here ? (uint8_t *)out->voxels + (size_t)(z - out->above) * slice : NULL));
        if (here) p->seen += region_transparent(p->reader);
        if (goes_on(p) && !p->shape.next) region_note_oddities(p->reader, p->in->log);
        more = next_picture(p);
    }
    return EXIT_DONE;
}

static int take_volume(picture *p, scan *out)
{
    int64_t chosen[2] = {0, 0}, size[3];
    STEP(look_at_all(p, size));
    const int64_t channels = p->shape.channels;
    const size_t sample = sample_bytes(p);
    if (channels >= COLORS && scan_takes_colors(p->request, COLORS, sample == 1 ? SCAN_U8 : SCAN_U16))
        p->colors = (int)channels;
    const size_t voxel = (p->colors ? (size_t)p->colors : 1) * sample;
    const size_t slice = (size_t)size[0] * (size_t)size[1] * voxel;
    const bool unknown = channels > 1 && !p->request->shape.channel; /* until it is known if all colours are grey */
    if (!unknown) STEP(scan_select(p->in, p->request, channels, 1, chosen, p->why));
    STEP(scan_check_size(p->in->name, size, voxel, p->request, p->why));
    scan_set_shape(out, size, p->request);
    out->type = sample == 1 ? TILECUT_VOXEL_U8 : TILECUT_VOXEL_U16, out->channels = p->colors ? p->colors : 1;
    strcpy(out->stored, sample == 1 ? "uint8" : "uint16");
    out->voxels = scan_take_memory(out, p->request, (size_t)out->depth * slice);
    if (!out->voxels) return fail(p->why, EXIT_RESOURCES, "%s: not enough memory for its voxels", p->in->name);
    STEP(take_slices(p, chosen[0], slice, out));
    if (p->colors && p->request->picture && p->grey) scan_keep_one_channel(out);
    if (unknown) STEP(scan_select(p->in, p->request, p->grey ? 1 : p->shape.channels, 1, chosen, p->why));
    scan_note_transparent(p->in->name, p->seen, p->in->log);
    return EXIT_DONE;
}

int scan_take_picture(scan_input *in, const scan_reading *request, scan *out, failure *why)
{
    picture p = {.in = in, .request = request, .format = out->format, .grey = true, .why = why};
    const int status = take_volume(&p, out);
    close_picture(&p);
    if (p.format->end) p.format->end(&p.series);
    bytes_free(&p.file);
    return status;
}

bool scan_has_pictures(const char *path)
{
    const image_limits limits = {.by_rows = true};
    const scan_reading request = {.limits = &limits};
    scan_input in = {.name = file_input_name(path)};
    failure ignored = {0};
    image about = {0};
    void *state = NULL;
    picture p = {.in = &in, .request = &request, .format = image_format_of_file(path), .why = &ignored};
    if (!p.format || p.format->slices || !scan_open(path, &in)) return false;
    first_picture(&p);
    const bool one = begin_series(&p) || p.series.count == 1;
    if (!one && !p.series.count && p.format->open)
        p.format->open(&p.from, &limits, &p.shape, &about, &state, NULL, &ignored);
    if (state) p.format->close(state);
    if (p.format->end) p.format->end(&p.series);
    image_free(&about);
    bytes_free(&p.file);
    close(in.file);
    return p.series.count > 1 || p.shape.next;
}

int scan_put_picture(scan_sink *sink, const char *path, const scan *what, const scan_source *voxels, failure *why)
{
    const size_t sample = scan_voxel_bytes(what->type), size = scan_count(what) * sample;
    bytes file = {0};
    if (what->type != TILECUT_VOXEL_U8 && what->type != TILECUT_VOXEL_U16)
        return fail(why, EXIT_USAGE, "%s: a picture has numbers of 8 or 16 bits without a sign, and these are others; "
                    "use .nii.gz, .nii, .nrrd or .mha", path);
    uint8_t *const pixels = malloc(size);
    if (!pixels) return fail(why, EXIT_RESOURCES, "%s: not enough memory to write it", sink->name);
    const image_view view = {.width = what->width, .height = what->height, .channels = 1, .depth = 8 * (int)sample,
                             .pixels = pixels};
    int status = voxels->take(voxels->context, pixels, size, why);
    if (!status) status = image_encode(path, IMAGE_GREY, &view, &file, why);
    if (!status) status = scan_put(sink, file.data, file.size, why);
    free(pixels);
    bytes_free(&file);
    return status;
}
