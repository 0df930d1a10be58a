/* SPDX-License-Identifier: MIT */
#include "inputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine.h"
#include "pixel.h"
#include "tilecut.h"
#include "yolo_lines.h"

/* ---- options ---------------------------------------------------------------------------------- */

static const char *parse_format(const char *text, void *field)
{
    return seeds_format_parse(text, field) ? NULL : "a way to read seeds ('tilecut help segment --all' lists them)";
}

static const char *parse_conflict(const char *text, void *field)
{
    return seeds_conflict_parse(text, field) ? NULL : "error, fg, bg, drop or last";
}

/* True if the first `length` characters of `text` are the name of a file. */
static bool is_file(const char *text, size_t length, bool *no_memory)
{
    char *const name = strndup(text, length);
    *no_memory = !name;
    const bool found = name && access(name, F_OK) == 0;
    free(name);
    return found;
}

/* Parses FILE or FILE:FORMAT. If a file has the whole text as its name, the ending belongs to the name. */
static const char *parse_seeds(const char *text, void *field)
{
    inputs *const in = field;
    const char *const colon = strrchr(text, ':');
    const size_t count = (size_t)in->files.count + 1, length = colon ? (size_t)(colon - text) : 0;
    enum seeds_format format = SEEDS_UNNAMED;
    if (!*text) return "anything; it is empty";
    bool no_memory = false;
    const bool split = length > 0 && access(text, F_OK) != 0 && seeds_format_parse(colon + 1, &format);
    if (length > 0 && !split && access(text, F_OK) != 0 && is_file(text, length, &no_memory))
        return "a file, nor a file and its format ('tilecut help segment --all' lists them) after a colon";
    if (no_memory) return option_no_memory;
    enum seeds_format *const formats = realloc(in->formats, count * sizeof *formats);
    if (formats) in->formats = formats;
    char **const stripped = realloc(in->stripped, count * sizeof *stripped);
    if (stripped) in->stripped = stripped;
    if (!formats || !stripped) return option_no_memory;
    char *const name = split ? strndup(text, length) : NULL;
    if (split && !name) return option_no_memory;
    const char *const wanted = option_texts(name ? name : text, &in->files);
    if (wanted) {
        free(name);
        return wanted;
    }
    formats[count - 1] = format;
    stripped[count - 1] = name;
    return NULL;
}

static const char *parse_color(const char *text, void *field)
{
    return seeds_color_parse(text, field) ? NULL : "a colour such as #00ff00 or lime";
}

static const char *parse_box(const char *text, void *field)
{
    seeds_request *request = field;
    request->box_given = seeds_box_parse(text, request->box);
    request->volume_box_given = !request->box_given && seeds_volume_box_parse(text, request->volume_box);
    return request->box_given || request->volume_box_given
               ? NULL : "a box X,Y,W,H, in a volume X,Y,Z,W,H,D, whose sides are above 0";
}

static const char *parse_band(const char *text, void *field)
{
    seeds_request *const request = field;
    request->band_given = true;
    return option_count(text, &request->band);
}

static const char *add_stroke(seeds_request *request, const char *text, bool foreground)
{
    seeds_stroke stroke;
    errno = 0;
    if (!seeds_stroke_parse(text, foreground, &stroke))
        return errno == ENOMEM ? option_no_memory : "a list of points \"X,Y X,Y ...\"";
    seeds_stroke *strokes = realloc(request->strokes, ((size_t)request->stroke_count + 1) * sizeof *strokes);
    if (!strokes) {
        free(stroke.points);
        return option_no_memory;
    }
    request->strokes = strokes;
    request->strokes[request->stroke_count++] = stroke;
    return NULL;
}

static const char *parse_foreground(const char *text, void *field) { return add_stroke(field, text, true); }
static const char *parse_background(const char *text, void *field) { return add_stroke(field, text, false); }

static const char *parse_exif(const char *text, void *field)
{
    image_limits *limits = field;
    limits->exif_ignore = !strcmp(text, "ignore");
    return limits->exif_ignore || !strcmp(text, "apply") ? NULL : "apply or ignore";
}

const option input_options[] = {
    OPTION_HEADING("Seeds"),
    {.name = "seeds", .letter = 's', .volumes = VOLUMES_TOO, .argument = "FILE[:F]", .repeatable = true,
     .brief = "a picture of strokes, or shapes (LabelMe, COCO)",
     .help = "a picture of the photo's size with strokes, or shapes of LabelMe, COCO and others; repeatable, each "
             "with its own format F after a colon",
     .parse = parse_seeds, .at = 0},
    {.name = "seeds-format", .volumes = VOLUMES_TOO, .argument = "F",
     .help = "the format of files without :F (default auto):",
     .parse = parse_format, .at = offsetof(inputs, request.format), .choice = seeds_format_name_at,
     .choice_summary = seeds_format_summary_at},
    {.name = "fg-color", .volumes = VOLUMES_TOO, .argument = "#RRGGBB",
     .help = "colour of foreground strokes", .parse = parse_color, .at = offsetof(inputs, request.fg_color)},
    {.name = "bg-color", .volumes = VOLUMES_TOO, .argument = "#RRGGBB",
     .help = "colour of background strokes", .parse = parse_color, .at = offsetof(inputs, request.bg_color)},
    {.name = "seed-tol", .volumes = VOLUMES_TOO, .argument = "N",
     .help = "tolerance of stroke colours per channel (default 64)",
     .kind = OPTION_INT, .most = 255, .wanted = "a whole number from 0 to 255",
     .at = offsetof(inputs, request.tolerance)},
    {.name = "seed-conflict", .volumes = VOLUMES_TOO, .argument = "WHAT",
     .help = "what holds where a pixel is marked as both: error, fg, bg, drop (neither), or last (the later one) "
             "(default error)",
     .parse = parse_conflict, .at = offsetof(inputs, request.conflict)},
    {.name = "band", .volumes = VOLUMES_TOO, .argument = "N",
     .help = "width of the unknown band of a mask, in pixels\n(default 20)",
     .parse = parse_band, .at = offsetof(inputs, request)},
    {.name = "label", .argument = "NAME",
     .help = "of annotations, read only shapes with this label (default all), and write this label (default object)",
     .parse = option_text, .at = offsetof(inputs, request.label)},
    {.name = "box", .volumes = VOLUMES_TOO, .argument = "X,Y,W,H",
     .brief = "a box around the object; outside is background",
     .help = "a box around the object: outside is background, inside unknown; in a volume X,Y,Z,W,H,D",
     .parse = parse_box,
     .at = offsetof(inputs, request)},
    {.name = "fg", .volumes = VOLUMES_TOO, .argument = "\"X,Y ...\"", .repeatable = true,
     .brief = "a click or a stroke on the object; repeatable",
     .help = "a click or a stroke on the object, through these points; X,Y,Z in a volume; repeatable",
     .parse = parse_foreground, .at = offsetof(inputs, request)},
    {.name = "bg", .volumes = VOLUMES_TOO, .argument = "\"X,Y ...\"", .repeatable = true,
     .brief = "the same on the background",
     .help = "the same on the background; repeatable",
     .parse = parse_background, .at = offsetof(inputs, request)},
    {.name = "brush", .volumes = VOLUMES_TOO, .argument = "R", .brief = "radius of these strokes in pixels (default 3)",
     .help = "radius of these strokes in pixels (default 3)",
     .kind = OPTION_REAL, .most = TILECUT_MAX_SIDE, .wanted = "a radius of 0 to 65536 pixels",
     .at = offsetof(inputs, request.brush)},
    OPTION_STRICT(inputs, request.limits.rules.strict),
    OPTION_YOLO(inputs, request.limits.rules.yolo),
    OPTION_HEADING("Reading"),
    {.name = "exif", .volumes = VOLUMES_TOO, .argument = "WHAT",
     .help = "orientation of photo and seeds: apply or ignore\n(default apply)",
     .parse = parse_exif, .at = offsetof(inputs, request.limits)},
    {.name = "max-pixels", .volumes = VOLUMES_TOO, .argument = "N",
     .help = "refuse larger photos by their header (default 268435456)",
     .kind = OPTION_INT64, .least = 1, .most = (int64_t)TILECUT_MAX_SIDE * TILECUT_MAX_SIDE,
     .wanted = "a whole number from 1 to 4294967296", .at = offsetof(inputs, max_pixels)},
    OPTION_MAX_MEMORY(inputs),
    OPTIONS_END
};

const option mask_options[] = {
    OPTION_HEADING("Masks"),
    {.name = "mask", .volumes = VOLUMES_TOO, .argument = "FILE",
     .brief = "another tool's mask, which is refined",
     .help = "another tool's mask, grey or the alpha of a cutout; its outline is refined along edges, and strokes "
             "correct it",
     .parse = option_file, .at = offsetof(inputs, mask)},
    {.name = "previous", .volumes = VOLUMES_TOO, .argument = "FILE",
     .brief = "your last mask, which new strokes correct",
     .help = "your last mask, which strokes correct: foreground strokes only add to it, background strokes only take "
             "away",
     .parse = option_file, .at = offsetof(inputs, previous)},
    OPTIONS_END
};

const option refine_options[] = {
    {.name = "mask-cell", .volumes = VOLUMES_TOO, .argument = "N",
     .help = "the given mask has cells of N pixels, so its outline moves by at most half of that (default: found in "
             "the mask; with --band N, N pixels)",
     .kind = OPTION_REAL, .most = 10000, .wanted = "a number of 0 to 10000 pixels", .at = offsetof(inputs, mask_cell)},
    OPTIONS_END
};

const option learn_options[] = {
    {.name = "learn", .volumes = VOLUMES_TOO,
     .help = "with --previous: learn the colours anew from all strokes, so that a stroke may change the whole region "
             "in whose middle it lies; for masks of few clicks",
     .at = offsetof(inputs, learn)},
    OPTIONS_END
};

/* ---- reading ---------------------------------------------------------------------------------- */

void inputs_init(inputs *in)
{
    *in = (inputs){0};
    seeds_request_init(&in->request);
}

void inputs_free(inputs *in)
{
    for (int i = 0; i < in->files.count; i++) free(in->stripped[i]);
    free(in->stripped);
    free(in->formats);
    free(in->files.items);
    in->stripped = NULL;
    in->formats = NULL;
    in->files = (option_list){0};
    seeds_request_free(&in->request);
}

int inputs_check(const inputs *in, const char *path, failure *why)
{
    int times = !strcmp(path, "-");
    for (int i = 0; i < in->files.count; i++) times += !strcmp(in->files.items[i], "-");
    if (in->mask && in->previous)
        return fail(why, EXIT_USAGE, "--previous: is the mask to correct, --mask one to begin from; give one of them");
    if (in->learn && !in->previous)
        return fail(why, EXIT_USAGE, "--learn: is how seeds correct a mask; give the mask by --previous");
    const seeds_request request = inputs_seeds(in);
    STEP(seeds_check_band(&request, why));
    times += in->mask && !strcmp(in->mask, "-");
    times += in->previous && !strcmp(in->previous, "-");
    if (times < 2) return EXIT_DONE;
    return fail(why, EXIT_USAGE, "standard input: is named %d times but can be read once; name files for the others",
                times);
}

int inputs_take_reach(inputs *in, bool masks, failure *why)
{
    const bool band = in->request.band_given;
    if (in->mask_cell > 0 && !masks)
        return fail(why, EXIT_USAGE, "--mask-cell: is of a mask to begin from; give one by --mask");
    if (!masks) return EXIT_DONE;
    if (band && in->mask_cell > 0)
        return fail(why, EXIT_USAGE, "--mask-cell: --band says how far the outline may move, too; give one of them");
    if (band && (in->request.band < 1 || in->request.band > 5000))
        return fail(why, EXIT_USAGE, "--band: %d; the outline of a mask to refine may move by 1 to 5000 pixels",
                    in->request.band);
    in->mask_reach = band ? in->request.band : in->mask_cell / 2;
    return EXIT_DONE;
}

uint64_t inputs_memory(const inputs *in)
{
    if (in->max_memory) return in->max_memory;
    return in->free_memory ? in->free_memory : machine_memory();
}

memory_lattice inputs_lattice(const inputs *in, int connectivity)
{
    return (memory_lattice){.depth = 1, .connectivity = connectivity, .beside = in->beside,
                            .another = in->another, .corrects = in->previous != NULL};
}

static image_limits limits_of(const inputs *in, const memory_plan *plan)
{
    image_limits limits = in->request.limits;
    limits.max_pixels = in->max_pixels;
    limits.max_bytes = inputs_memory(in);
    if (plan->lattice.connectivity) limits.need = memory_need, limits.plan = plan;
    return limits;
}

int inputs_read_photo(const inputs *in, const char *path, int connectivity, image *photo, notes *log, failure *why)
{
    const memory_plan plan = {.lattice = inputs_lattice(in, connectivity)};
    const image_limits limits = limits_of(in, &plan);
    return image_read(path, &limits, photo, log, why);
}

int inputs_decode_photo(const inputs *in, const char *name, const uint8_t *file, size_t size, image *photo, notes *log,
                        failure *why)
{
    const memory_plan plan = {.lattice = inputs_lattice(in, 4)};
    const image_limits limits = limits_of(in, &plan);
    return image_decode(name, file, size, &limits, photo, log, why);
}

/* Sets the limits for seeds and masks. The check of the photo has counted their memory already. */
static void bound_seeds(const inputs *in, image_limits *limits)
{
    limits->max_pixels = in->max_pixels;
    limits->max_bytes = inputs_memory(in);
    limits->admit = NULL;
}

seeds_request inputs_seeds(const inputs *in)
{
    seeds_request request = in->request;
    request.files = (const char *const *)in->files.items;
    request.file_count = in->files.count;
    request.formats = in->formats;
    request.mask_given = in->mask || (in->previous && !in->learn);
    request.mask_learns = in->previous && in->learn;
    if (in->mask) request.band_given = false; /* it says how far the outline of that mask may move */
    bound_seeds(in, &request.limits);
    return request;
}

int inputs_read_seeds(const inputs *in, const option_list *files, const char *path, const image *photo, seeds *out,
                      notes *log, failure *why)
{
    seeds_request request = inputs_seeds(in);
    request.files = files->items;
    request.file_count = files->count;
    request.formats = files->count == in->files.count ? in->formats : NULL;
    return seeds_read(&request, photo, file_input_name(path), out, log, why);
}

/* Refuses a mask to refine in which all pixels are of one class. */
static int refuse_one_class(const char *name, const mask_file *mask, size_t pixels, failure *why)
{
    const bool none = !mask->inside;
    int edge = mask->foreground[0]; /* the value in the mask that is nearest to the other class */
    for (size_t p = 1; p < pixels; p++)
        if (none == (mask->foreground[p] > edge)) edge = mask->foreground[p];
    if (mask->objects > 1)
        return fail(why, EXIT_SEEDS, "%s: its palette numbers %d objects and no background, so it is no mask; a label "
                    "map goes to 'tilecut refine --labels'", name, mask->objects);
    if (edge == 0 || edge == 255)
        return fail(why, EXIT_SEEDS, "%s: has no %s, every pixel is %s; there is nothing to refine", name,
                    none ? "foreground" : "background", none ? "background" : "foreground");
    return fail(why, EXIT_SEEDS, "%s: has no %s, its %s value is %d of 255 and %s there is nothing to refine", name,
                none ? "foreground" : "background", none ? "largest" : "smallest", edge,
                none ? "foreground is 128 and more; a label map goes to 'tilecut refine --labels', and as a mask"
                     : "background is less than 128;");
}

/* Refuses a mask to correct if none of its values reaches foreground although some are above 0. */
static int check_previous(const char *name, const mask_file *mask, size_t pixels, failure *why)
{
    int most = 0;
    for (size_t p = 0; p < pixels && !mask->inside; p++)
        if (mask->foreground[p] > most) most = mask->foreground[p];
    if (!most) return EXIT_DONE;
    return fail(why, EXIT_SEEDS, "%s: has no foreground, its largest value is %d of 255 and foreground is 128 and "
                "more; label maps are corrected by 'tilecut labels --previous'", name, most);
}

int inputs_read_mask(const inputs *in, const char *path, const image *photo, mask_file *out, notes *log, failure *why)
{
    const char *const file = in->mask ? in->mask : in->previous;
    seeds_request request = in->request;
    *out = (mask_file){0};
    if (!file) return EXIT_DONE;
    bound_seeds(in, &request.limits);
    const int status = mask_file_read(file, &request, photo, file_input_name(path), out, log, why);
    if (status) return status;
    const size_t pixels = image_area(photo);
    int refused = EXIT_DONE;
    if (!in->mask) refused = check_previous(file_input_name(file), out, pixels, why);
    else if (!out->inside || (size_t)out->inside == pixels)
        refused = refuse_one_class(file_input_name(file), out, pixels, why);
    if (refused) mask_file_free(out);
    return refused;
}

static memory_lattice lattice_of(const inputs *in, const image *photo, int connectivity)
{
    const bool alpha = photo->channels == 2 || photo->channels == 4;
    memory_lattice l = inputs_lattice(in, connectivity);
    l.width = photo->width, l.height = photo->height;
    l.colored = photo->channels > 2, l.wide = photo->depth > 8;
    l.sample = (uint64_t)(photo->channels + (alpha ? photo->channels - 1 : 0)) * (uint64_t)photo->depth / 8;
    return l;
}

uint64_t inputs_need(const inputs *in, const image *photo, int connectivity)
{
    const memory_lattice l = lattice_of(in, photo, connectivity);
    return memory_whole(&l);
}

int inputs_check_memory(const inputs *in, const char *path, const image *photo, int connectivity, failure *why)
{
    const memory_lattice l = lattice_of(in, photo, connectivity);
    const uint64_t need = memory_whole(&l), room = inputs_memory(in);
    return need <= room ? EXIT_DONE : memory_refuse(file_input_name(path), &l, 0, false, need, room, why);
}
