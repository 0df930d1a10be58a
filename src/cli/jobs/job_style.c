/* SPDX-License-Identifier: MIT
 *
 * job_style.c - the looks of results: the options, which of them contradict each other, and the memory they need. See
 * job.h.
 */
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "annotated.h"
#include "graph_file.h"
#include "job.h"
#include "tilecut_correct.h"

/* Parses --background. A word that is no colour is a picture if such a file exists, or if the word looks like a
 * file's name. */
static const char *parse_background(const char *text, void *field)
{
    job_background *const background = field;
    *background = (job_background){0};
    if (seeds_color_parse(text, &background->color)) return NULL;
    if (!strcmp(text, "-") || text[0] == '#' || (!strpbrk(text, "./") && access(text, F_OK)))
        return "a colour such as #ffffff or white, nor the name of a picture";
    background->picture = text;
    return NULL;
}

/* Returns the index-th format for --format: those of pictures, then those of annotations. */
const char *result_format(int index)
{
    int pictures = 0;
    while (image_extension(pictures)) pictures++;
    return index < pictures ? image_extension(index) : annotation_name(index - pictures);
}

const char *result_format_summary(int index)
{
    const image_format *const format = image_format_named(result_format(index));
    return format ? format->name : "shapes, of a mask only";
}

/* Parses --crop; `text` is NULL if it has no argument. */
static const char *parse_margin(const char *text, void *field)
{
    job_style *const style = (job_style *)(void *)((char *)field - offsetof(job_style, crop));
    int64_t value = 0;
    if (text && (!strcmp(text, "yes") || !strcmp(text, "no"))) { /* the text comes from a column of a batch's list */
        style->crop = !strcmp(text, "yes");
        return NULL;
    }
    if (text && !parse_integer(text, 0, TILECUT_MAX_SIDE, &value)) return "a whole number of pixels from 0 to 65536";
    style->crop = true;
    style->margin = (int)value;
    return NULL;
}

const option style_options[] = {
    {.name = "invert", .volumes = VOLUMES_TOO,
     .help = "the mask: 0 foreground, 255 background", .at = offsetof(job_style, invert)},
    {.name = "background", .argument = "FILE",
     .brief = "a picture or a colour behind the cutout",
     .help = "what lies behind the cutout instead of transparency: a\npicture, which is scaled to cover it, or a "
             "colour such as\nwhite or #ffffff", .parse = parse_background,
     .at = offsetof(job_style, background)},
    {.name = "edge", .argument = "KIND",
     .brief = "edge of the cutout: hard, soft, or matte for hair",
     .help = "edge of the cutout: soft, without stairs and without the\nold background's colour, within 3 pixels of "
             "the cut; hard,\nas the mask is; or matte, for hair and fur, which is\n--matte auto (default soft)",
     .parse = edge_parse, .at = offsetof(job_style, edge)},
    {.name = "feather", .argument = "R",
     .help = "soft edge of the cutout, up to R pixels on either side\nof the cut (0 to 32; 0: hard)",
     .parse = edge_parse_feather, .at = offsetof(job_style, edge)},
    {.name = "matte", .argument = "BAND",
     .help = "soft edge of the cutout by matting, for hair and fur.\nauto: in a band found around the cut; seeds: in "
             "all\npixels without a seed, as for a trimap",
     .parse = edge_parse_matte, .at = offsetof(job_style, edge)},
    OPTION_FORMAT(job_style),
    {.name = "crop", .argument = "[MARGIN]", .optional = true,
     .brief = "crop mask and cutout to the object",
     .help = "crop mask and cutout to the object, with MARGIN pixels around it (default 0)",
     .parse = parse_margin, .at = offsetof(job_style, crop)},
    {.name = "resize", .argument = "SIZE",
     .brief = "of the cutout: 800, 800x600 or 50%",
     .help = "resize the cutout and its alpha: 800 (the longer side),\n800x600 (to fit in) or 50%",
     .parse = scale_size_parse, .at = offsetof(job_style, size)},
    {.name = "keep-hidden", .help = "leave the photo's colours where the cutout is transparent",
     .at = offsetof(job_style, keep_hidden)},
    {.name = "no-metadata", .help = "leave the photo's EXIF, dpi, ICC profile and place\non earth out of the results",
     .at = offsetof(job_style, bare)},
    {.name = "keep-colors", .help = "do not remove the background's colour from a soft edge",
     .at = offsetof(job_style, keep_colors)},
    {.name = "outline", .argument = "KIND",
     .help = "outlines in annotations and in the overlay: exact, along\nthe edges of pixels; or smooth, between their "
             "middles, as\nthe soft edge is (default smooth in SVG, else exact)",
     .parse = outline_parse, .at = offsetof(job_style, outline)},
    {.name = "snap",
     .help = "move the mask's outline by a few pixels, to where the\ncolours on both sides of it say that it is",
     .at = offsetof(job_style, snap)},
    OPTIONS_END
};

/* Reserves memory besides the cut. The graph needs most memory by far. Unless it is to be written, it is freed before
 * the mask is cleaned and pictures are made; these add to the peak only if the graph stays. */
static void ask_for_memory(const job_style *style, const style_outputs *to, inputs *in)
{
    const edge_kind edge = to->cutout || to->alpha ? style->edge.kind : EDGE_HARD;
    const char *const graph = to->graph;
    const uint64_t file = graph ? graph_file_bytes(graph, to->connectivity) : 0;
    if (graph && cleanup_wanted(&style->cleanup)) in->beside = MEMORY_CLEANUP;
    if (graph && edge != EDGE_HARD) in->beside = MEMORY_EDGE;
    if (edge > EDGE_HARD) in->beside = MEMORY_EDGE + MEMORY_MATTING - (graph ? 0 : MEMORY_GRID);
    const uint64_t snap = style->snap ? TILECUT_SNAP_BYTES - (graph ? 0 : MEMORY_GRID) : 0;
    if (snap > in->beside) in->beside = snap;
    if (file > MEMORY_GRID + in->beside) in->beside = file - MEMORY_GRID;
    for (int i = 0; i < STYLE_PICTURES; i++) {
        const uint64_t pixel = to->file[i] ? (uint64_t)image_pixel_bytes(to->file[i]) : 0;
        if (pixel > in->beside) in->beside = pixel;
    }
    if (graph && in->beside < MEMORY_GRAPH) in->beside = MEMORY_GRAPH;
    if (style->background.picture) in->beside += MEMORY_BACKGROUND;
    if (in->mask) in->beside += MEMORY_REFINE;
}

/* Checks the options of the edge. */
static int check_edge(const job_style *style, const style_outputs *to, failure *why)
{
    const edge_style *const edge = &style->edge;
    const bool hard = edge->kind == EDGE_HARD;
    const char *const said = edge->said ? edge->said : style->keep_colors ? "keep-colors" : "edge";
    STEP(edge_check(edge, why));
    if ((style->keep_colors || (edge->said && !hard)) && !to->cutout && !to->alpha)
        return fail(why, EXIT_USAGE, "--%s: is about the soft edge of the cutout; --cutout %s is missing", said,
                    to->missing);
    if (hard && to->alpha)
        return fail(why, EXIT_USAGE, "--alpha: is the alpha of a soft edge, and --%s makes it hard; leave one of them "
                    "out", said);
    if (hard && style->keep_colors)
        return fail(why, EXIT_USAGE, "--keep-colors: is about a soft edge, and --%s makes it hard; leave one of them "
                    "out", edge->said ? said : "edge");
    return EXIT_DONE;
}

int job_check_style(const job_style *style, const style_outputs *to, inputs *in, failure *why)
{
    ask_for_memory(style, to, in);
    if ((style->background.color.given || style->background.picture) && !to->cutout)
        return fail(why, EXIT_USAGE, "--background: is what lies behind the cutout; --cutout %s is missing",
                    to->missing);
    if (scale_wanted(&style->size) && !to->cutout && !to->alpha)
        return fail(why, EXIT_USAGE, "--resize: resizes the cutout; --cutout %s is missing", to->missing);
    if (style->keep_hidden && !to->cutout)
        return fail(why, EXIT_USAGE, "--keep-hidden: is about the colours of the cutout; --cutout %s is missing",
                    to->missing);
    return check_edge(style, to, why);
}

int job_can_write_mask(const job_style *style, const char *path, failure *why)
{
    const bool pipe = !strcmp(path, "-"); /* under mpirun it looks like a terminal and is none */
    return annotated_can_write(pipe ? "standard output" : path, pipe && !style->format ? "png" : style->format, why);
}
