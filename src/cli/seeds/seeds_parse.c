/* SPDX-License-Identifier: MIT
 *
 * seeds_parse.c - parses the values of options about seeds. Numbers are read without the locale, because a decimal
 * comma would make "1,5" ambiguous.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "seeds_parts.h"
#include "svg_style.h"

static const char *const conflict_names[] = {"error", "fg", "bg", "drop", "last"};

const char *seeds_format_name_at(int index)
{
    return index < SEEDS_UNNAMED ? seeds_kinds[index].name : NULL;
}

const char *seeds_format_summary_at(int index)
{
    return seeds_kinds[index].summary;
}

bool seeds_format_parse(const char *text, enum seeds_format *out)
{
    for (int i = 0; i < SEEDS_UNNAMED; i++)
        if (strcmp(text, seeds_kinds[i].name) == 0) return *out = (enum seeds_format)i, true;
    return false;
}

bool seeds_conflict_parse(const char *text, enum seeds_conflict *out)
{
    for (size_t i = 0; i < sizeof conflict_names / sizeof *conflict_names; i++)
        if (strcmp(text, conflict_names[i]) == 0) return *out = (enum seeds_conflict)i, true;
    return false;
}

static seeds_color color_of(uint32_t rgb)
{
    return (seeds_color){true, {(uint8_t)(rgb >> 16), (uint8_t)(rgb >> 8 & 255), (uint8_t)(rgb & 255)}};
}

bool seeds_color_parse(const char *text, seeds_color *out)
{
    uint32_t named;
    if (css_color(text, &named)) return *out = color_of(named), true;
    const size_t digits = text[0] == '#' ? strlen(text + 1) : 0;
    if ((digits != 6 && digits != 3) || strspn(text + 1, "0123456789abcdefABCDEF") != digits) return false;
    unsigned long rgb = strtoul(text + 1, NULL, 16);
    if (digits == 3) rgb = ((rgb & 0xf00) << 8 | (rgb & 0xf0) << 4 | (rgb & 0xf)) * 0x11; /* #fff is #ffffff */
    return *out = color_of((uint32_t)rgb), true;
}

/* Reads a finite decimal number at *text and moves *text behind it. The characters are checked, because strtod() would
 * also accept "nan", "0x1p3" and leading blanks. The program always has the C locale. */
static bool number(const char **text, double *out)
{
    const size_t length = strspn(*text, "+-.0123456789eE");
    char *end;
    if (!length) return false;
    *out = strtod(*text, &end);
    if (end != *text + length || !isfinite(*out)) return false;
    *text = end;
    return true;
}

static const char blanks[] = " \t\n\r";

static const char *behind_blanks(const char *text) { return text + strspn(text, blanks); }

/* Reads a comma, with or without blanks around it; with `blanks_do`, blanks alone are enough. */
static bool separator(const char **text, bool blanks_do)
{
    const char *const at = behind_blanks(*text);
    if (*at != ',' && (!blanks_do || at == *text)) return false;
    *text = *at == ',' ? behind_blanks(at + 1) : at;
    return true;
}

/* Reads `count` numbers with separators between them. */
static bool numbers(const char **text, double *out, int count, bool blanks_do)
{
    for (int i = 0; i < count; i++)
        if ((i && !separator(text, blanks_do)) || !number(text, &out[i])) return false;
    return true;
}

/* Reads `count` numbers that are the whole text. */
static bool box_numbers(const char *text, double *out, int count)
{
    text = behind_blanks(text);
    return numbers(&text, out, count, true) && !*behind_blanks(text);
}

/* True if the first point has three coordinates. */
static bool has_third(const char *text)
{
    double unused[3];
    return numbers(&text, unused, 3, false);
}

bool seeds_stroke_parse(const char *text, bool foreground, seeds_stroke *out)
{
    static const char between[] = " \t\n\r;";
    /* a point takes at least four characters: "0,0" and a blank */
    double *points = malloc((strlen(text) / 4 + 1) * 3 * sizeof *points);
    int count = 0;
    bool good = points != NULL;
    text += strspn(text, between);
    const bool spatial = has_third(text);
    const int axes = spatial ? 3 : 2;
    while (good && *text) {
        good = numbers(&text, points + axes * count, axes, false) && (!*text || strchr(between, *text));
        text += strspn(text, between);
        count++;
    }
    if (!good || !count) {
        free(points);
        return false;
    }
    *out = (seeds_stroke){foreground, points, count, spatial};
    return true;
}

bool seeds_box_parse(const char *text, double box[4])
{
    double value[4];
    if (!box_numbers(text, value, 4) || value[2] <= 0 || value[3] <= 0) return false;
    memcpy(box, value, sizeof value);
    return true;
}

bool seeds_volume_box_parse(const char *text, double box[6])
{
    double value[6];
    if (!box_numbers(text, value, 6) || value[3] <= 0 || value[4] <= 0 || value[5] <= 0) return false;
    memcpy(box, value, sizeof value);
    return true;
}

bool seeds_lift(seeds_request *request)
{
    const seeds_stroke *const from = request->strokes;
    const size_t count = (size_t)request->stroke_count;
    size_t points = 0;
    for (size_t i = 0; i < count; i++) points += (size_t)from[i].count;
    seeds_stroke *const to = malloc(count * sizeof *to + points * 3 * sizeof(double) + 1);
    if (!to) return false;
    double *next = (double *)(void *)(to + count);
    for (size_t i = 0; i < count; i++) {
        const int axes = from[i].spatial ? 3 : 2;
        to[i] = (seeds_stroke){from[i].foreground, next, from[i].count, true};
        for (int k = 0; k < from[i].count; k++, next += 3) {
            next[2] = 0;
            memcpy(next, from[i].points + k * axes, (size_t)axes * sizeof *next);
        }
    }
    request->strokes = to;
    const double *const flat = request->box, box[6] = {flat[0], flat[1], 0, flat[2], flat[3], 1};
    if (request->box_given) memcpy(request->volume_box, box, sizeof box);
    request->volume_box_given |= request->box_given;
    request->box_given = false;
    return true;
}

static int check_dimension(const seeds_request *request, const char *name, bool volume, failure *why)
{
    if (volume ? request->box_given : request->volume_box_given)
        return volume ? fail(why, EXIT_USAGE, "--box: %s is a volume, whose boxes have six numbers; give X,Y,Z,W,H,D",
                             name)
                      : fail(why, EXIT_USAGE, "--box: six numbers are a box in a volume, and %s is none; give X,Y,W,H",
                             name);
    for (int i = 0; i < request->stroke_count; i++) {
        const char *const option = request->strokes[i].foreground ? "--fg" : "--bg";
        if (request->strokes[i].spatial == volume) continue;
        return volume ? fail(why, EXIT_USAGE, "%s: %s is a volume, whose points have three coordinates; give "
                             "\"X,Y,Z X,Y,Z\"", option, name)
                      : fail(why, EXIT_USAGE, "%s: three coordinates are a point in a volume, and %s is none; give "
                             "\"X,Y X,Y\"", option, name);
    }
    return EXIT_DONE;
}

int seeds_check_flat(const seeds_request *request, const char *photo_name, failure *why)
{
    return check_dimension(request, photo_name, false, why);
}

int seeds_check_band(const seeds_request *request, failure *why)
{
    for (int i = 0; i < request->file_count; i++)
        if (seeds_format_of(request, i) == SEEDS_MASK) return EXIT_DONE;
    if (!request->band_given) return EXIT_DONE;
    return fail(why, EXIT_USAGE, "--band: is about the edge of a mask, one to refine or one as seeds (-s FILE:mask), "
                "and there is none");
}

int seeds_check_request(const seeds_request *request, const char *name, bool volume, failure *why)
{
    if (!request->file_count && !request->stroke_count && !request->box_given && !request->volume_box_given &&
        !request->mask_given)
        return fail(why, EXIT_USAGE, "%s: has no seeds; give a click or strokes with --fg and --bg, a box around the "
                    "object with --box, or a %s of strokes with -s; tilecut refine takes a mask", name,
                    volume ? "volume" : "picture");
    if (request->tolerance < 0 || request->tolerance > 255)
        return fail(why, EXIT_USAGE, "--seed-tol: %d is not within 0 to 255", request->tolerance);
    if (request->band < 0) return fail(why, EXIT_USAGE, "--band: %d is below 0", request->band);
    STEP(seeds_check_band(request, why));
    return check_dimension(request, name, volume, why);
}
