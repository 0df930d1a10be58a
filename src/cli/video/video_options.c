/* SPDX-License-Identifier: MIT */
#include "video_options.h"

#include <stdio.h>
#include <string.h>

#include "numbers.h"
#include "tilecut_volume.h"

static const char *format_name(int i) { return film_format_at(i) ? film_format_at(i)->name : NULL; }
static const char *format_summary(int i) { return film_format_at(i)->summary; }

static const char *parse_size(const char *text, void *field)
{
    film_shape *const shape = field;
    const char *const x = strchr(text, 'x');
    char first[16];
    int64_t width, height;
    if (!x || x - text >= (ptrdiff_t)sizeof first) return "a size such as 1280x720";
    snprintf(first, sizeof first, "%.*s", (int)(x - text), text);
    if (!parse_integer(first, 1, TILECUT_MAX_SIDE, &width) || !parse_integer(x + 1, 1, TILECUT_MAX_SIDE, &height))
        return "a size such as 1280x720, with sides from 1 to 65536";
    shape->width = (int)width, shape->height = (int)height;
    return NULL;
}

static const char *parse_pixels(const char *text, void *field)
{
    film_shape *const shape = field;
    shape->format = film_format_find(text);
    return shape->format ? NULL : "a way to store frames";
}

static const char *parse_format(const char *text, void *field)
{
    const film_format *const found = film_format_find(text);
    if (!found || !found->head) return "a way to store masks: gray or y4m";
    *(const film_format **)field = found;
    return NULL;
}

const option video_options[] = {
    OPTION_HEADING("Film"),
    {.name = "size", .argument = "WxH", .help = "size of raw frames; y4m has its own", .parse = parse_size,
     .at = offsetof(wanted, shape)},
    {.name = "pixels", .argument = "F", .help = "how frames are stored (default y4m if the film begins as\nthat does, "
     "else rgb24):", .parse = parse_pixels, .at = offsetof(wanted, shape), .choice = format_name,
     .choice_summary = format_summary},
    {.name = "output", .letter = 'o', .argument = "FILE", .help = "the masks, a byte a pixel: 0 background, 255 "
     "foreground\n(default standard output). A folder: a PNG for each frame", .parse = option_file,
     .at = offsetof(wanted, output)},
    {.name = "format", .argument = "F", .help = "format of the masks: gray or y4m (default y4m if their file's name "
             "ends in .y4m, else gray)", .parse = parse_format, .at = offsetof(wanted, format)},
    {.name = "confidence", .argument = "FILE", .help = "also how sure the masks are, a byte a pixel: 255 sure, 128 as\n"
     "good as guessed; a film or a folder, as of --output", .parse = option_file, .at = offsetof(wanted, sure)},
    {.name = "invert", .help = "masks: 0 foreground, 255 background", .at = offsetof(wanted, invert)},
    {.name = "carry", .argument = "F", .help = "weight of the last mask in the next frame (default 1; with\n"
     "--window that of patches found again, default 8)",
     .kind = OPTION_REAL, .most = INT64_C(1000000000000), .wanted = "a number from 0 to 1e12",
     .at = offsetof(wanted, carry)},
    {.name = "window", .argument = "N", .help = "cut N frames at once, as a volume of width, height and time,\n"
     "1 to 256 (default frame by frame)", .kind = OPTION_INT, .least = 1,
     .most = TILECUT_MAX_WINDOW, .wanted = "a number of frames from 1 to 256", .at = offsetof(wanted, window)},
    {.name = "overlap", .argument = "N", .help = "frames of a window that the next one cuts again (default half\nof "
     "them)", .kind = OPTION_INT, .most = TILECUT_MAX_WINDOW - 1, .wanted = "a number of frames from 0 to 255",
     .at = offsetof(wanted, overlap)},
    {.name = "ahead", .argument = "N", .help = "frames that are read beyond a window, 0 to 256, to see what moves, "
             "and strokes to come (default up to 32, as far as frames with strokes are apart)",
     .kind = OPTION_INT, .most = TILECUT_MAX_AHEAD, .wanted = "a number of frames from 0 to 256",
     .at = offsetof(wanted, ahead)},
    {.name = "time", .argument = "F", .help = "weight of links along time, over those in a frame, 0 to 4\n(default "
     "0.2)", .kind = OPTION_REAL, .most = 4, .wanted = "a number from 0 to 4", .at = offsetof(wanted, time)},
    {.name = "mask", .argument = "FILE", .help = "a mask of the first frame to begin with, for instance another "
             "tool's",
     .parse = option_file, .at = offsetof(wanted, in) + offsetof(inputs, mask)},
    {.name = "labels", .help = "-s and --mask are label maps: each label but the background is an object, and the "
             "output is labels", .at = offsetof(wanted, labelled)},
    {.name = "legend", .argument = "FILE", .help = "names and colours of labels: lines \"2 cup #c02010\"",
     .parse = option_file, .at = offsetof(wanted, legend)},
    {.name = "background-label", .argument = "N",
     .help = "the label that is the background (default 0 if --mask has it,\nelse that of the name background, or "
             "the least)",
     .kind = OPTION_INT, .least = 1, .most = 254,
     .wanted = "a label from 1 to 254", .at = offsetof(wanted, background)},
    OPTIONS_END
};

/* With label maps, refuses the options for seeds and mask of a single object. */
static int check_labels(const wanted *my, failure *why)
{
    static const char *const both[] = {"seeds", "max-pixels", "max-memory", "exif"};
    const option *only = my->sure ? options_find(video_options, "confidence")
                         : my->invert ? options_find(video_options, "invert") : NULL;
    for (int i = 0; i < my->given.count; i++) {
        const option *const row = my->given.items[i].row;
        bool fits = options_find(input_options, row->name) != row;
        for (int k = 0; k < 4; k++) fits = fits || !strcmp(row->name, both[k]);
        if (!fits) only = row;
    }
    if (!only) return EXIT_DONE;
    return fail(why, EXIT_USAGE, "--%s: is for one object; with --labels leave it out", only->name);
}

int video_options_check(const wanted *my, failure *why)
{
    if (my->labelled && check_labels(my, why)) return why->status;
    if (!my->labelled && (my->legend || my->background))
        return fail(why, EXIT_USAGE, "--%s: is for label maps; give --labels, too",
                    my->legend ? "legend" : "background-label");
    if (!my->window && (my->overlap >= 0 || my->ahead >= 0 || my->time >= 0))
        return fail(why, EXIT_USAGE, "--%s: is for windows of frames; give --window N, too",
                    my->overlap >= 0 ? "overlap" : my->ahead >= 0 ? "ahead" : "time");
    const int links = my->model.connectivity;
    if (!my->window && links != 4 && links != 8)
        return fail(why, EXIT_USAGE, "--connectivity: %d is for volumes; a pixel of a frame has 4 or 8 neighbours",
                    links);
    if (!my->window) return EXIT_DONE;
    if (my->overlap >= my->window)
        return fail(why, EXIT_USAGE, "--overlap: %d frames of a window of %d; it has to be less", my->overlap,
                    my->window);
    if (links == 8)
        return fail(why, EXIT_USAGE, "--connectivity: with --window a pixel has 6 neighbours; leave it out");
    return EXIT_DONE;
}
