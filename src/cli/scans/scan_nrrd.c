/* SPDX-License-Identifier: MIT
 *
 * scan_nrrd.c - NRRD: lines of text, an empty line, and the voxels, with or without gzip, in the same file or in
 * another one. Lines about the place of the scan are kept unchanged in scan.head, for files of its labels. Three axes
 * lie in space, or two in a picture; another axis may be channels or volumes. Source:
 * http://teem.sourceforge.net/nrrd/format.html
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "gzip.h"
#include "scan_segments.h"

enum { LINE = 4096, HEADER = 1 << 20, DIMENSIONS = 16, WORD = 32 };

/* The values of the header's lines. */
typedef struct lines {
    const char *name;
    int dimension;           /* 0: not said                                  */
    int64_t size[DIMENSIONS];
    int sizes;
    int kind;                /* -1: not said                                 */
    bool big, endian;        /* endian is true if the header has this field */
    bool packed, encoded;
    char kinds[LINE], word[DIMENSIONS][WORD]; /* meaning of each axis; "": unknown */
    double spacing[DIMENSIONS]; /* NAN: not said                             */
    double direction[DIMENSIONS][3], origin[3];
    bool no_direction[DIMENSIONS];
    bool directed, has_origin, pairs; /* pairs: a vector has two numbers, as in pictures */
    double sign[3];          /* factors from the file's space to right, front, top; 0: the space is unknown */
    char file[LINE];         /* name of the file with the voxels; "": this file */
    int64_t skip_lines, skip_bytes; /* what to skip before the voxels; skip_bytes -1: the voxels are at the end of the
                                       file */
    scan_segments segments;
    int axis[3], other;      /* the three axes in space, in a picture two and -1; the axis of size > 1 that is not in
                                space, or -1 */
} lines;

static bool probe(const uint8_t *begin, size_t size)
{
    return size >= 8 && (!memcmp(begin, "NRRD000", 7) || !memcmp(begin, "NRRD00.0", 8));
}

/* ---- values ----------------------------------------------------------------------------------- */

static int damaged(const lines *l, const char *field, const char *value, failure *why)
{
    return fail(why, EXIT_INPUT, "%s: is a damaged NRRD file (%s: %.60s)", l->name, field, value);
}

static int refuse_files(const lines *l, failure *why)
{
    return fail(why, EXIT_INPUT, "%s: has its voxels in several files; save header and voxels as one .nrrd", l->name);
}

static int take_type(lines *l, const char *value, failure *why)
{
    static const struct word {
        const char *text;
        enum scan_kind kind;
    } words[] = {
        {"uchar", SCAN_U8}, {"unsigned char", SCAN_U8}, {"uint8", SCAN_U8}, {"uint8_t", SCAN_U8},
        {"signed char", SCAN_I8}, {"int8", SCAN_I8}, {"int8_t", SCAN_I8},
        {"short", SCAN_I16}, {"short int", SCAN_I16}, {"signed short", SCAN_I16}, {"signed short int", SCAN_I16},
        {"int16", SCAN_I16}, {"int16_t", SCAN_I16},
        {"ushort", SCAN_U16}, {"unsigned short", SCAN_U16}, {"unsigned short int", SCAN_U16}, {"uint16", SCAN_U16},
        {"uint16_t", SCAN_U16},
        {"int", SCAN_I32}, {"signed int", SCAN_I32}, {"int32", SCAN_I32}, {"int32_t", SCAN_I32},
        {"uint", SCAN_U32}, {"unsigned int", SCAN_U32}, {"uint32", SCAN_U32}, {"uint32_t", SCAN_U32},
        {"longlong", SCAN_I64}, {"long long", SCAN_I64}, {"int64", SCAN_I64}, {"int64_t", SCAN_I64},
        {"ulonglong", SCAN_U64}, {"unsigned long long", SCAN_U64}, {"uint64", SCAN_U64}, {"uint64_t", SCAN_U64},
        {"float", SCAN_F32}, {"double", SCAN_F64}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcasecmp(value, words[i].text)) return l->kind = (int)words[i].kind, EXIT_DONE;
    return fail(why, EXIT_INPUT, "%s: has voxels of NRRD's type '%.40s'; whole numbers and floats are read", l->name,
                value);
}

static int take_sizes(lines *l, const char *value, failure *why)
{
    const char *at = value;
    for (l->sizes = 0; *at; l->sizes++) {
        char *end;
        if (l->sizes == DIMENSIONS) return damaged(l, "sizes", value, why);
        l->size[l->sizes] = strtoll(at, &end, 10);
        if (end == at || l->size[l->sizes] < 1) return damaged(l, "sizes", value, why);
        at = end + strspn(end, " \t");
    }
    return EXIT_DONE;
}

static int take_encoding(lines *l, const char *value, failure *why)
{
    l->packed = !strcasecmp(value, "gzip") || !strcasecmp(value, "gz");
    l->encoded = l->packed || !strcasecmp(value, "raw");
    if (l->encoded) return EXIT_DONE;
    return fail(why, EXIT_INPUT, "%s: is NRRD in the encoding '%.40s'; raw and gzip are read", l->name, value);
}

/* Reads a vector, "(a,b,c)" or in a picture "(a,b)", and moves *at behind it. */
static bool take_vector(lines *l, const char **at, double out[3])
{
    const char *c = *at + strspn(*at, " \t");
    for (int k = 0; k < 3; k++) {
        char *end;
        out[k] = 0;
        if (k == 2 && *c == ')') {
            l->pairs = true;
            break;
        }
        if (*c++ != (k ? ',' : '(')) return false;
        out[k] = strtod(c, &end);
        if (end == c || !isfinite(out[k])) return false;
        c = end + strspn(end, " \t");
    }
    if (*c++ != ')') return false;
    *at = c;
    return true;
}

static int refuse_vectors(const lines *l, failure *why)
{
    return fail(why, EXIT_INPUT, "%s: its 'space directions' or 'space origin' are not vectors of three numbers, as "
                "those of a volume are", l->name);
}

/* Reads a vector for each axis in space, and the word "none" for each other axis. */
static int take_directions(lines *l, const char *value, failure *why)
{
    const char *at = value;
    for (int k = 0; *at && k < DIMENSIONS; k++, at += strspn(at, " \t")) {
        l->no_direction[k] = !strncmp(at, "none", 4);
        if (l->no_direction[k]) at += 4;
        else if (!take_vector(l, &at, l->direction[k]))
            return refuse_vectors(l, why);
        l->directed = l->directed || !l->no_direction[k];
    }
    /* all axes are "none", so the field says nothing */
    if (!l->directed) memset(l->no_direction, 0, sizeof l->no_direction);
    return EXIT_DONE;
}

static void take_kinds(lines *l, const char *value)
{
    snprintf(l->kinds, sizeof l->kinds, "%s", value);
    for (int k = 0; *value && k < DIMENSIONS; k++) {
        const size_t length = strcspn(value, " \t");
        snprintf(l->word[k], WORD, "%.*s", (int)(length < WORD ? length : WORD - 1), value);
        value += length + strspn(value + length, " \t");
    }
}

static void take_space(lines *l, const char *value)
{
    static const struct space {
        const char *text, *brief;
        double sign[3];
    } spaces[] = {{"right-anterior-superior", "RAS", {1, 1, 1}},
                  {"left-anterior-superior", "LAS", {-1, 1, 1}},
                  {"left-posterior-superior", "LPS", {-1, -1, 1}}};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (!strcasecmp(value, spaces[i].text) || !strcasecmp(value, spaces[i].brief))
            memcpy(l->sign, spaces[i].sign, sizeof l->sign);
}

static void take_spacings(lines *l, const char *value)
{
    const char *at = value;
    for (int k = 0; k < DIMENSIONS; k++) {
        char *end;
        l->spacing[k] = strtod(at, &end);
        if (end == at) l->spacing[k] = NAN;
        at = end;
    }
}

static int take_field(lines *l, const char *field, const char *value, failure *why)
{
    if (!strcasecmp(field, "type")) return take_type(l, value, why);
    if (!strcasecmp(field, "sizes")) return take_sizes(l, value, why);
    if (!strcasecmp(field, "encoding")) return take_encoding(l, value, why);
    if (!strcasecmp(field, "space directions")) return take_directions(l, value, why);
    if (!strcasecmp(field, "space origin")) {
        l->has_origin = take_vector(l, &value, l->origin);
        return l->has_origin || !strcmp(value, "none") ? EXIT_DONE : damaged(l, field, value, why);
    }
    if (!strcasecmp(field, "dimension")) l->dimension = atoi(value);
    if (!strcasecmp(field, "space")) take_space(l, value);
    if (!strcasecmp(field, "spacings")) take_spacings(l, value);
    if (!strcasecmp(field, "kinds")) take_kinds(l, value);
    if (!strcasecmp(field, "endian")) l->big = !strcasecmp(value, "big"), l->endian = l->big || !strcasecmp(value,
                                                                                                            "little");
    if (!strcasecmp(field, "data file") || !strcasecmp(field, "datafile")) snprintf(l->file, LINE, "%s", value);
    if (!strcasecmp(field, "byte skip") || !strcasecmp(field, "byteskip")) l->skip_bytes = strtoll(value, NULL, 10);
    if (!strcasecmp(field, "line skip") || !strcasecmp(field, "lineskip")) l->skip_lines = strtoll(value, NULL, 10);
    return l->skip_bytes < -1 || l->skip_lines < 0 ? damaged(l, field, value, why) : EXIT_DONE;
}

/* ---- lines ------------------------------------------------------------------------------------ */

/* True if the field is about the place of the scan, so that labels get this line, too. */
static bool is_place_field(const char *field)
{
    static const char *const fields[] = {"space", "space dimension", "space directions", "space origin", "space units",
                                         "spacings", "units", "kinds", "centers", "centerings", "thicknesses",
                                         "axis mins", "axis maxs", "axismins", "axismaxs", "measurement frame"};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (!strcasecmp(field, fields[i])) return true;
    return false;
}

/* Reads one line without its end, byte by byte, because the input may be compressed. */
static int take_line(scan_input *in, char line[LINE], failure *why)
{
    for (size_t n = 0; n < LINE; n++) {
        const int status = scan_take(in, line + n, 1, "header", why);
        if (status) return status;
        if (line[n] != '\n') continue;
        if (n && line[n - 1] == '\r') n--;
        line[n] = '\0';
        return strlen(line) == n ? EXIT_DONE
                                 : fail(why, EXIT_INPUT, "%s: is a damaged NRRD file (a zero in its header)", in->name);
    }
    return fail(why, EXIT_INPUT, "%s: is a damaged NRRD file (a line of its header is longer than %d bytes)", in->name,
                LINE);
}

static int take_header(scan_input *in, lines *l, bytes *head, failure *why)
{
    char line[LINE];
    size_t used = 0;
    int status = take_line(in, line, why);
    while (!status) {
        status = take_line(in, line, why);
        if (status && in->at == in->size && !in->packed && *l->file) return EXIT_DONE; /* the end of the last line may
                                                                                          be missing */
        if (status || !*line) break;
        used += strlen(line);
        if (used > HEADER) return fail(why, EXIT_INPUT, "%s: is a damaged NRRD file (its header has no end)", in->name);
        char *const colon = strchr(line, ':');
        if (*line != '#' && colon && colon[1] == '=') scan_take_key(&l->segments, line);
        /* a comment, or a key that the user added */
        if (*line == '#' || (colon && colon[1] == '=')) continue;
        if (!colon && !strncmp(l->file, "LIST", 4)) return refuse_files(l, why); /* their names */
        if (!colon) return damaged(l, "line", line, why);
        *colon = '\0';
        const char *const value = colon + 1 + strspn(colon + 1, " \t");
        for (char *end = colon + strlen(colon + 1); end > value && strchr(" \t", *end); end--) *end = '\0';
        if (is_place_field(line) && !(bytes_append(head, line, strlen(line)) && bytes_append(head, ": ", 2) &&
                                      bytes_append(head, value, strlen(value)) && bytes_append(head, "\n", 1)))
            return fail(why, EXIT_RESOURCES, "%s: not enough memory for its header", in->name);
        status = take_field(l, line, value, why);
    }
    return status;
}

/* ---- axes ------------------------------------------------------------------------------------- */

static bool in_space(const lines *l, int axis)
{
    static const char *const words[] = {"", "domain", "space", "none", "???"};
    bool known = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) known = known || !strcasecmp(l->word[axis], words[i]);
    return known && !l->no_direction[axis];
}

/* Finds the three axes in space, or two in a picture, and the one that is not in space. */
static int find_axes(lines *l, failure *why)
{
    int spatial = 0, others = 0;
    l->other = -1;
    for (int k = 0; k < l->sizes; k++) {
        const bool spread = l->size[k] > 1 || k < 3, space = spread && in_space(l, k);
        if (space && spatial < 3) l->axis[spatial] = k;
        if (space) spatial++;
        else if (l->size[k] > 1) l->other = k, others++;
    }
    if (spatial == 3 && others < 2) return l->pairs ? refuse_vectors(l, why) : EXIT_DONE;
    if (spatial == 2 && others < 2) return l->axis[2] = -1, EXIT_DONE;
    if (spatial > 3 && !others)
        return fail(why, EXIT_INPUT, "%s: has %d dimensions, and its 'kinds' do not say which of them are no axes in "
                    "space; a volume has three", l->name, l->dimension);
    if (spatial == l->dimension)
        return fail(why, EXIT_INPUT, "%s: has %d dimensions; a picture has two, a volume three", l->name, l->dimension);
    return fail(why, EXIT_INPUT, "%s: has %d axes in space (%s%.100s); a volume has three", l->name, spatial,
                *l->kinds ? "kinds: " : "by its directions", l->kinds);
}

static int check(lines *l, failure *why)
{
    if (l->sizes != l->dimension || !l->sizes || l->kind < 0 || !l->encoded)
        return fail(why, EXIT_INPUT, "%s: is a damaged NRRD file (its header lacks %s)", l->name,
                    l->kind < 0 ? "a type" : !l->encoded ? "an encoding" : "as many sizes as dimensions");
    if (!l->endian && scan_kind_bytes((enum scan_kind)l->kind) > 1)
        return fail(why, EXIT_INPUT, "%s: is a damaged NRRD file (its header lacks the byte order, 'endian')", l->name);
    const int status = scan_check_count(l->name, l->size, l->sizes, why);
    return status ? status : find_axes(l, why);
}

static void keep_place(const lines *l, notes *log, scan *out)
{
    const bool flat = l->axis[2] < 0;
    bool good = true, any = false;
    out->spacing[2] = 1;
    for (int k = 0; k < 3 - flat; k++) {
        const double *const d = l->direction[l->axis[k]];
        const double step = l->directed ? sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])
                                        : fabs(l->spacing[l->axis[k]]);
        good = good && step > 1e-9 && step < 1e9;
        any = any || step > 0;
        out->spacing[k] = step;
    }
    if (any && !good) scan_note_spacing(l->name, log);
    if (!good) out->spacing[0] = out->spacing[1] = out->spacing[2] = 0;
    out->placed = good && l->directed && l->has_origin && l->sign[0] != 0;
    for (int r = 0; r < 3 && out->placed; r++) {
        for (int k = 0; k < 3 - flat; k++) out->place[r][k] = l->sign[r] * l->direction[l->axis[k]][r];
        out->place[r][3] = l->sign[r] * l->origin[r];
    }
    if (flat && out->placed) out->placed = scan_place_picture(out->place, out->spacing[2]);
}

/* ---- voxels ----------------------------------------------------------------------------------- */

/* Skips the lines and bytes before the voxels in their file. */
static int skip_to_voxels(scan_input *in, const lines *l, failure *why)
{
    uint64_t whole = 0;
    char c = 0;
    int status = EXIT_DONE;
    for (int64_t i = 0; i < l->skip_lines && !status; c = 0)
        if (!(status = scan_take(in, &c, 1, "lines before the voxels", why))) i += c == '\n';
    if (!status && l->packed && in->packed)
        status = fail(why, EXIT_INPUT, "%s: is packed by gzip twice; unpack it once", in->name);
    if (!status && l->packed) status = scan_unpack(in, why);
    if (!status && l->skip_bytes > 0) status = scan_skip(in, (uint64_t)l->skip_bytes, "bytes before the voxels", why);
    whole = scan_kind_bytes((enum scan_kind)l->kind);
    for (int k = 0; k < l->sizes; k++) whole *= (uint64_t)l->size[k];
    if (!status && l->skip_bytes >= 0) scan_note_longer(in, whole);
    if (status || l->skip_bytes >= 0) return status;
    if (in->packed)
        return fail(why, EXIT_INPUT, "%s: has its voxels at the end of what gzip packed; save it without 'byte skip'",
                    l->name);
    if (whole > in->size - in->at) return EXIT_DONE; /* the file is too short; reading will report that */
    in->at = in->size - (size_t)whole;
    return EXIT_DONE;
}

static int take_voxels(scan_input *in, const scan_reading *request, const lines *l, scan *out, failure *why)
{
    const int64_t size[3] = {l->size[l->axis[0]], l->size[l->axis[1]], l->axis[2] < 0 ? 1 : l->size[l->axis[2]]};
    const int64_t several = l->other < 0 ? 1 : l->size[l->other];
    const bool time = l->other >= 0 && (!strcasecmp(l->word[l->other], "time") ||
                                        (!strcasecmp(l->word[l->other], "list") && request->shape.volume));
    const size_t at = in->at;
    scan_numbers numbers = {(enum scan_kind)l->kind, l->endian && l->big == scan_is_little(), {1, several, 0}, false};
    int64_t chosen[2];
    for (int k = 0; k < l->other; k++) numbers.pick.inner *= l->size[k];
    if (several == 1) numbers.pick.count = 0;
    int status = skip_to_voxels(in, l, why);
    if (!status && several > 1 && l->segments.count && !request->extent &&
        (!request->shape.channel || request->shape.optional)) {
        scan_layers layers = {.in = in, .request = request, .size = size, .numbers = numbers, .segments = &l->segments};
        in->chosen = true;
        for (int i = 0; i < several && !status; i++) {
            if (i) gzip_close(in->packed), in->packed = NULL, in->at = at;
            if (i) status = skip_to_voxels(in, l, why);
            layers.numbers.pick.which = i;
            if (!status) status = scan_take_layer(&layers, i, out, why);
        }
        return status;
    }
    /* a list may be moments, too */
    const bool unclear = l->other >= 0 && !strcasecmp(l->word[l->other], "list") && !request->shape.color;
    numbers.colors = !time && !unclear && scan_takes_colors(request, several, l->kind);
    const bool one = time || numbers.colors;
    if (!status) status = scan_select(in, request, one ? 1 : several, time ? several : 1, chosen, why);
    numbers.pick.which = status ? 0 : chosen[time];
    return status ? status : scan_take_voxels(in, request, size, &numbers, out, why);
}

static int decode(scan_input *in, const scan_reading *request, scan *out, failure *why)
{
    lines l = {.name = in->name, .kind = -1};
    scan_input beside = {.file = -1};
    for (int k = 0; k < DIMENSIONS; k++) l.spacing[k] = NAN;
    int status = take_header(in, &l, &out->head, why);
    if (!status) status = check(&l, why);
    if (status) return status;
    keep_place(&l, in->log, out);
    const bool joined = l.other >= 0 && l.size[l.other] > 1;
    if (l.segments.count && !scan_name_segments(&l.segments, joined, out))
        return fail(why, EXIT_RESOURCES, "%s: not enough memory for the names of its segments", l.name);
    out->flat = l.axis[2] < 0;
    if (l.sizes > 3 - out->flat) bytes_free(&out->head); /* these lines also describe another axis */
    if (!*l.file) return take_voxels(in, request, &l, out, why);
    if (!strncmp(l.file, "LIST", 4) || strchr(l.file, '%')) return refuse_files(&l, why);
    status = scan_open_beside(in, l.file, &beside, why);
    if (!status) status = take_voxels(&beside, request, &l, out, why);
    in->chosen = beside.chosen;
    scan_close_beside(&beside);
    return status;
}

const image_format image_nrrd = {
    .name = "NRRD",
    .slices = "NRRD  read, write   raw and gzip, detached headers and .seg.nrrd read; space, directions and origin "
        "kept",
    .extensions = {"nrrd"},
    .probe = probe,
    .decode_slices = decode,
    .encode_slices = nrrd_encode,
    .lossless = true,
    .pixel_bytes = 1,
    .flat = &scan_flat,
};
