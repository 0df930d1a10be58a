/* SPDX-License-Identifier: MIT
 *
 * image_heif.c - HEIC and AVIF, picture formats of phones, through libheif. Reads the primary picture, or all as a
 * volume, and writes AVIF without loss. Both happen in child processes (heif_reader.h, heif_writer.h).
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "heif_brands.h"
#include "heif_reader.h"
#include "heif_writer.h"
#include "image.h"
#include "image_exif.h"

typedef struct reading {
    const char *name, *kind;
    int number;       /* of the picture to read; 0: the primary one */
    heif_facts facts; /* by the header of the file */
    apart its;
} reading;

/* The work of the child process: writes the picture `view`; if that is NULL, reads `file` instead. */
typedef struct heif_work {
    bytes file;
    int number;
    bool upright;
    const image_view *view;
} heif_work;

static void work_on_heif(int socket, void *context)
{
    const heif_work *const work = context;
    if (work->view) heif_write(socket, work->view);
    heif_read(socket, &work->file, work->number, work->upright);
}

static bool start_child(reading *r, heif_work work)
{
    return apart_start(&r->its, work_on_heif, &work);
}

static int refuse_heif(const reading *r, const heif_facts *facts, failure *why)
{
    const char *const name = r->name, *const kind = r->kind;
    switch (facts->answer) {
    case HEIF_NO_LIBRARY:
        return fail(why, EXIT_INPUT, "%s: is a %s file, and %s, which reads it, cannot be loaded here (%s); install it "
                    "(Debian package libheif1), or convert the file to PNG", name, kind, HEIF_LIBRARY, facts->text);
    case HEIF_CUT_SHORT:
        return fail(why, EXIT_INPUT, "%s: is cut short, picture data is missing; save or copy it again", name);
    case HEIF_UNSUPPORTED:
        return fail(why, EXIT_INPUT, "%s: is a %s file of a kind that libheif does not read (%s); convert it to PNG "
                    "first", name, kind, facts->text);
    case HEIF_NO_MEMORY: return fail(why, EXIT_RESOURCES, "%s: not enough memory to read it", name);
    default: return fail(why, EXIT_INPUT, "%s: is a damaged %s (%s); save or copy it again", name, kind, facts->text);
    }
}

static bool receive_answer(reading *r, heif_facts *out)
{
    return apart_receive_answer(&r->its, 0, out, sizeof *out);
}

static bool receive_more(const reading *r, uint64_t size, uint8_t **out)
{
    *out = size ? malloc(size) : NULL;
    return !size || (*out && apart_receive(r->its.socket, *out, size));
}

/* Receives pixels, profile and EXIF. Returns false on failure, with the reason in `why`, or if the child has
 * ended early. */
static bool receive_picture(reading *r, const heif_facts *said, const image_limits *limits, image *out,
                            failure *why)
{
    const size_t size = (size_t)out->width * (size_t)out->height * (size_t)out->channels * (size_t)(out->depth / 8);
    heif_facts made;
    uint8_t *exif = NULL;
    if (!receive_answer(r, &made)) return false;
    if (made.answer != HEIF_DONE) {
        refuse_heif(r, &made, why);
        return false;
    }
    if (made.width != said->width || made.height != said->height) {
        fail(why, EXIT_INPUT, "%s: is a damaged %s (%dx%d, and its header says %dx%d); save or copy it again", r->name,
             r->kind, (int)made.width, (int)made.height, (int)said->width, (int)said->height);
        return false;
    }
    bool whole = apart_receive(r->its.socket, out->pixels, size) && receive_more(r, said->icc_size, &out->icc);
    out->icc_size = out->icc ? said->icc_size : 0;
    whole = whole && receive_more(r, said->exif_size, &exif);
    if (whole && exif) exif_keep(r->name, exif, said->exif_size, out, why);
    free(exif);
    /* libheif has already turned the picture as the file says. EXIF only repeats the orientation, so it must not be
     * applied again. */
    if (whole && !why->status && !limits->exif_ignore) exif_set_upright(out);
    return whole && !why->status;
}

/* Reads the picture; if `out` is NULL, only the header. */
static int read_picture(reading *r, size_t size, const image_limits *limits, image *out, failure *why)
{
    /* Besides the result, libheif holds the planes of the picture, its alpha, and the picture in RGB. */
    enum { DECODER = 12 };
    heif_facts *const facts = &r->facts;
    if (!receive_answer(r, facts)) return EXIT_INPUT;
    if (facts->answer != HEIF_DONE) return refuse_heif(r, facts, why);
    if (facts->width < 0 || facts->height < 0 || facts->icc_size > size || facts->exif_size > size) return EXIT_INPUT;
    const uint64_t width = (uint64_t)facts->width, height = (uint64_t)facts->height, deep = (uint64_t)facts->depth / 8;
    if (!out && facts->pictures < 2) return EXIT_DONE;
    STEP(image_check_size(r->name, width, height, ((uint64_t)facts->channels + DECODER) * deep, limits, why));
    if (!out) return EXIT_DONE;
    STEP(image_allocate(r->name, facts->width, facts->height, facts->channels, facts->depth, out, why));
    const uint64_t room = width * height * DECODER * deep;
    out->lossy = true;
    const bool whole = apart_send(r->its.socket, &room, sizeof room) && receive_picture(r, facts, limits, out, why);
    return whole ? EXIT_DONE : why->status ? why->status : EXIT_INPUT;
}

/* Does read_picture() in a process of its own. */
static int decode_heif(reading *r, const uint8_t *file, size_t size, const image_limits *limits, image *out,
                       failure *why)
{
    const char *const name = r->name, *const kind = r->kind = heif_probe_avif(file, size) ? "AVIF" : "HEIC";
    const bytes from = {.data = (uint8_t *)(uintptr_t)file, .size = size};
    if (!start_child(r, (heif_work){.file = from, .number = r->number, .upright = !limits->exif_ignore}))
        return fail(why, EXIT_RESOURCES, "%s: no process can be started to decode it: %s", name, strerror(errno));
    *why = (failure){0};
    const int status = read_picture(r, size, limits, out, why);
    const int ending = apart_finish(&r->its);
    if (!status || why->status) return status;
    if (r->its.stuck)
        return fail(why, EXIT_INPUT, "%s: is a damaged %s (decoding it comes to a halt); save or copy it again", name,
                    kind);
    if (WIFSIGNALED(ending))
        return fail(why, EXIT_INPUT, "%s: is damaged, or needs far more memory than its size tells: decoding it "
                    "ended by signal %d", name, WTERMSIG(ending));
    return fail(why, EXIT_INPUT, "%s: is a damaged %s; save or copy it again", name, kind);
}

static int decode_primary(const char *name, const uint8_t *file, size_t size, const image_limits *limits, image *out,
                          notes *list, failure *why)
{
    reading r = {.name = name};
    STEP(decode_heif(&r, file, size, limits, out, why));
    if (r.facts.pictures > 1) note(list, "%s: holds %d pictures; the primary one is read", name, (int)r.facts.pictures);
    if (out->depth == 8) image_simplify(out);
    return EXIT_DONE;
}

static int begin_pictures(image_series *series, const image_limits *limits, failure *why)
{
    reading r = {.name = series->name, .number = 1};
    STEP(decode_heif(&r, series->data, series->size, limits, NULL, why));
    series->count = r.facts.pictures, series->depth = r.facts.depth;
    series->width = (uint64_t)r.facts.width, series->height = (uint64_t)r.facts.height;
    return EXIT_DONE;
}

static int next_picture(image_series *series, const image_limits *limits, image *out, failure *why)
{
    reading r = {.name = series->name, .number = (int)series->taken};
    return decode_heif(&r, series->data, series->size, limits, out, why);
}

/* ---- Writing ---------------------------------------------------------------------------------- */

static int refuse_writing(const reading *r, const heif_facts *facts, failure *why)
{
    const char *const name = r->name;
    if (facts->answer == HEIF_NO_LIBRARY)
        return fail(why, EXIT_USAGE, "%s: AVIF is written by %s with an encoder of AV1, which is not here (%s); "
                    "use .png", name, HEIF_LIBRARY, facts->text);
    if (facts->answer == HEIF_NO_MEMORY) return fail(why, EXIT_RESOURCES, "%s: not enough memory to write it", name);
    return fail(why, EXIT_RUNTIME, "%s: not written: libheif refuses to (%s); use .png", name, facts->text);
}

/* Lets the child encode `view`, and appends the file to `sink`. */
static int pack_avif(const char *name, const image_view *view, bytes *sink, failure *why)
{
    reading r = {.name = name, .kind = "AVIF"};
    heif_facts facts = {0};
    uint8_t *file = NULL;
    if (!start_child(&r, (heif_work){.view = view}))
        return fail(why, EXIT_RESOURCES, "%s: no process can be started to encode it: %s", name, strerror(errno));
    const bool answered = receive_answer(&r, &facts);
    const bool whole = answered && facts.answer == HEIF_DONE && receive_more(&r, facts.file_size, &file);
    apart_finish(&r.its);
    const bool kept = whole && bytes_append(sink, file, facts.file_size);
    free(file);
    if (kept) return EXIT_DONE;
    if (answered && facts.answer != HEIF_DONE) return refuse_writing(&r, &facts, why);
    return fail(why, EXIT_RESOURCES, "%s: not written: libheif ended, perhaps for lack of memory; use .png", name);
}

/* Decodes a grey picture again, usually a mask, and compares it with the original, because some encoders are not exact
 * even if asked for lossless files. */
static int check_greys(const char *name, const image_view *view, const bytes *sink, size_t begins, failure *why)
{
    const image_limits limits = {.max_pixels = INT64_MAX};
    const size_t size = (size_t)view->width * (size_t)view->height;
    image read = {0};
    const int status = decode_primary(name, sink->data + begins, sink->size - begins, &limits, &read, NULL, why);
    const bool same = !status && read.channels == 1 && read.depth == 8 && read.width == view->width &&
                      read.height == view->height && !memcmp(read.pixels, view->pixels, size);
    image_free(&read);
    if (same || status == EXIT_RESOURCES) return status;
    return fail(why, EXIT_RUNTIME, "%s: not written: libheif does not give back here what it packs; use .png", name);
}

static int encode_avif(const char *name, const image_view *view, bytes *sink, failure *why)
{
    uint8_t *owned;
    image_view plain = *view;
    const size_t begins = sink->size;
    plain.pixels = image_view_8bit(view, view->channels, &owned);
    plain.depth = 8;
    if (!plain.pixels) return fail(why, EXIT_RESOURCES, "%s: not enough memory to write it", name);
    int status = pack_avif(name, &plain, sink, why);
    if (!status && view->channels == 1) status = check_greys(name, &plain, sink, begins, why);
    if (status) sink->size = begins;
    free(owned);
    return status;
}

/* Checks that AVIF can be written on this machine, by encoding a tiny picture. After a success the test is
 * not repeated. */
static int try_avif(const char *name, failure *why)
{
    static atomic_bool works;
    uint8_t pixels[256];
    if (works) return EXIT_DONE;
    bytes file = {0};
    for (int i = 0; i < 256; i++) pixels[i] = (uint8_t)(i * 149);
    const int status = encode_avif(name, &(image_view){.width = 16, .height = 16, .channels = 1, .depth = 8,
                                                       .pixels = pixels}, &file, why);
    bytes_free(&file);
    if (!status) works = true;
    return status == EXIT_RUNTIME ? why->status = EXIT_USAGE : status;
}

#define NOT_HERE "  no            " HEIF_LIBRARY " cannot be loaded; Debian package libheif1"

static const char *line_of_heic(void)
{
    return heif_is_here() ? image_heic.line : "HEIC" NOT_HERE;
}

static const char *line_of_avif(void)
{
    return heif_is_here() ? image_avif.line : "AVIF" NOT_HERE;
}

const image_format image_heic = {
    .name = "HEIC",
    .line = "HEIC  read          8 to 16 bits, colour, alpha, the primary picture, turned upright; ICC, EXIF kept",
    .line_here = line_of_heic,
    .extensions = {"heic", "heif"},
    .probe = heif_probe_heic,
    .decode = decode_primary,
    .begin = begin_pictures,
    .next = next_picture,
};

const image_format image_avif = {
    .name = "AVIF",
    .line = "AVIF  read, write   as HEIC; written with 8 bits, without loss, if libheif has an encoder; ICC, EXIF kept",
    .line_here = line_of_avif,
    .extensions = {"avif"},
    .lossless = true,
    .alpha = true,
    .color = true,
    .pixel_bytes = 16, /* peak bytes per pixel; for an overlay, both processes together took 60 */
    .ready = try_avif,
    .encode = encode_avif,
    .probe = heif_probe_avif,
    .decode = decode_primary,
    .begin = begin_pictures,
    .next = next_picture,
};
