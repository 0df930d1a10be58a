/* SPDX-License-Identifier: MIT
 *
 * svg_style.c - see svg_style.h. Source: CSS 2.1, chapters 4 and 6. A selector's weight is 100 for an id, 10 for a
 * class, 1 for an element. The attribute `style` outweighs rules, and rules outweigh other attributes.
 */
#include "svg_style.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { OF_ATTRIBUTE = -1, OF_STYLE = 1 << 16, IMPORTANT = 1 << 20, SHEET = 1 << 16 };

static const char blanks[] = " \t\r\n\f";

/* A part of a text; no 0 byte ends it. */
typedef struct span {
    const char *at;
    size_t size;
} span;

static span trimmed(const char *at, size_t size)
{
    while (size && strchr(blanks, *at)) at++, size--;
    while (size && strchr(blanks, at[size - 1])) size--;
    return (span){at, size};
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '-' || c == '_' || (c & 0x80); }

/* ---- Declarations: "fill: red; stroke: none" ------------------------------------------------------- */

static span value_of(span declaration, const char *name)
{
    const size_t length = strlen(name);
    if (declaration.size <= length || strncmp(declaration.at, name, length) != 0) return (span){NULL, 0};
    const span rest = trimmed(declaration.at + length, declaration.size - length);
    return rest.size && *rest.at == ':' ? trimmed(rest.at + 1, rest.size - 1) : (span){NULL, 0};
}

static void take(span found, int weight, int *best, char value[SVG_VALUE])
{
    char text[SVG_VALUE];
    snprintf(text, sizeof text, "%.*s", (int)(found.size < SVG_VALUE ? found.size : SVG_VALUE - 1), found.at);
    for (char *c = text; *c; c++) *c = (char)tolower((unsigned char)*c);
    char *const mark = strchr(text, '!');
    if (mark) *mark = '\0', weight += IMPORTANT;
    if (weight < *best) return;
    const span clean = trimmed(text, strlen(text));
    snprintf(value, SVG_VALUE, "%.*s", (int)clean.size, clean.at);
    *best = weight;
}

static void take_declared(span body, const char *name, int weight, int *best, char value[SVG_VALUE])
{
    for (const char *at = body.at, *const end = body.at + body.size; at < end;) {
        const char *const stop = memchr(at, ';', (size_t)(end - at)), *const next = stop ? stop : end;
        const span found = value_of(trimmed(at, (size_t)(next - at)), name);
        if (found.at) take(found, weight, best, value);
        at = next + 1;
    }
}

/* ---- Rules: "path, .a { fill: red }" --------------------------------------------------------------- */

static bool has_class(const xml_reader *r, span word)
{
    const char *at = xml_attribute(r, "class");
    for (at = at ? at : ""; *(at += strspn(at, blanks)); at += strcspn(at, blanks))
        if (strcspn(at, blanks) == word.size && !strncmp(at, word.at, word.size)) return true;
    return false;
}

/* Returns the weight of a selector such as "path.a#b", 0 for "*", or -1 if it does not match the element at `r`, which
 * may be NULL. *plain becomes false if the selector has another form. */
static int weight_of(span selector, const xml_reader *r, bool *plain)
{
    int weight = 0;
    bool fits = selector.size > 0;
    for (size_t i = 0; *plain && i < selector.size;) {
        const char kind = selector.at[i];
        const size_t from = i + (kind == '.' || kind == '#');
        for (i = from; i < selector.size && is_word(selector.at[i]);) i++;
        const span word = {selector.at + from, i - from};
        if (kind == '*' && !from) i++;
        else if (!word.size || (from == i)) *plain = false;
        const char *const id = r ? xml_attribute(r, "id") : NULL;
        if (kind == '.') fits = fits && r && has_class(r, word);
        else if (kind == '#') fits = fits && id && strlen(id) == word.size && !strncmp(id, word.at, word.size);
        else if (kind != '*') fits = fits && r && strlen(r->tag) == word.size && !strncmp(r->tag, word.at, word.size);
        weight += kind == '#' ? 100 : kind == '.' ? 10 : kind != '*';
    }
    return *plain && fits ? weight : -1;
}

/* Finds the next rule. Returns false if there is none. */
static bool next_rule(const char **at, span *selectors, span *body)
{
    const char *const open = strchr(*at, '{'), *const shut = open ? strchr(open, '}') : NULL;
    if (!shut) return false;
    *selectors = trimmed(*at, (size_t)(open - *at));
    *body = (span){open + 1, (size_t)(shut - open - 1)};
    *at = shut + 1;
    return true;
}

/* Returns the largest weight of the selectors in a list "a, .b" that match the element; -1 if none does. */
static int heaviest(span selectors, const xml_reader *r, bool *plain)
{
    int weight = -1;
    for (size_t i = 0; i <= selectors.size;) {
        size_t end = i;
        while (end < selectors.size && selectors.at[end] != ',') end++;
        const int one = weight_of(trimmed(selectors.at + i, end - i), r, plain);
        weight = one > weight ? one : weight;
        i = end + 1;
    }
    return weight;
}

static bool about_shapes(span body)
{
    static const char *const names[] = {"fill", "stroke", "fill-rule", "fill-opacity", "display", "visibility",
                                        "opacity", "clip-path", "mask", "filter", "transform"};
    char value[SVG_VALUE];
    int best = -1;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) take_declared(body, names[i], 0, &best, value);
    return best >= 0;
}

int svg_sheet_add(svg_sheet *sheet, const xml_reader *r, const char *text)
{
    const size_t before = sheet->size ? sheet->size - 1 : 0;
    sheet->size = before;
    while (*text) {
        const char *const remark = strstr(text, "/*"), *const stop = remark ? strstr(remark, "*/") : NULL;
        if (!bytes_append(sheet, text, remark ? (size_t)(remark - text) : strlen(text))) break;
        text = stop ? stop + 2 : remark ? "" : text + strlen(text);
    }
    if (*text || !bytes_append(sheet, "", 1))
        return fail(r->why, EXIT_RESOURCES, "%s: not enough memory to read it", r->name);
    if (sheet->size > SHEET) return xml_refuse(r, "a <style> of more than %d bytes", SHEET);
    span selectors, body;
    for (const char *at = (const char *)sheet->data + before; next_rule(&at, &selectors, &body);) {
        bool plain = true;
        heaviest(selectors, NULL, &plain);
        const bool of_text = !strncmp(selectors.at, "@font-face", 10) || (*selectors.at != '@' && !about_shapes(body));
        if (plain || of_text) continue;
        return xml_refuse(r, "a <style> for \"%.*s\"; of elements, .classes and #ids it is read, so save the drawing "
                          "with attributes in its place", (int)(selectors.size < 60 ? selectors.size : 60),
                          selectors.at);
    }
    return EXIT_DONE;
}

const char *svg_property(const svg_sheet *sheet, const xml_reader *r, const char *name, char value[SVG_VALUE])
{
    const char *const attribute = xml_attribute(r, name), *const style = xml_attribute(r, "style");
    int best = OF_ATTRIBUTE;
    span selectors, body;
    *value = '\0';
    if (attribute) take((span){attribute, strlen(attribute)}, OF_ATTRIBUTE, &best, value);
    for (const char *at = sheet->size ? (const char *)sheet->data : ""; next_rule(&at, &selectors, &body);) {
        bool plain = true;
        const int weight = heaviest(selectors, r, &plain);
        if (plain && weight >= 0) take_declared(body, name, weight, &best, value);
    }
    if (style) take_declared((span){style, strlen(style)}, name, OF_STYLE, &best, value);
    return value;
}

/* ---- Values ---------------------------------------------------------------------------------------- */

bool css_color(const char *name, uint32_t *rgb)
{
    static const struct { const char *name; uint32_t rgb; } colors[] = {
#define COLOR(name, rgb) {#name, rgb},
#include "css_colors.def"
#undef COLOR
    };
    for (size_t i = 0; i < sizeof colors / sizeof *colors; i++)
        if (!strcasecmp(name, colors[i].name)) return *rgb = colors[i].rgb, true;
    return false;
}

/* Reads "hsl(120, 100%, 50% / 0.5)". Of the colour, only white and black are told apart from the rest. */
static bool read_lightness(const char *value, double share[4])
{
    if (strncmp(value, "hsl", 3) != 0 || !(value = strchr(value, '('))) return false;
    double all[4] = {0, 0, 0, 1};
    int count = 0;
    for (value++; count < 4; count++) {
        value += strspn(value, " ,/%degratun");
        if (xml_numbers(&value, &all[count], 1) != 1) break;
    }
    if (*value == '%') all[3] /= 100;
    for (int i = 0; i < 3; i++) share[i] = all[2] >= 100 ? 1 : all[2] > 0 ? 0.5 : 0;
    share[3] = all[3];
    return count >= 3;
}

/* Reads "#fff", "#ffffff00" or "rgb(100%, 100% 100% / 0)" into fractions of red, green, blue and opacity. */
static bool read_color(const char *value, double share[4])
{
    const size_t digits = *value == '#' ? strspn(value + 1, "0123456789abcdef") : 0;
    const int each = digits == 6 || digits == 8 ? 2 : 1;
    share[3] = 1;
    if (digits && (digits == 3 || digits == 4 || each == 2) && !value[1 + digits]) {
        for (int i = 0; i < (int)digits / each; i++) {
            unsigned level = 0;
            const char two[3] = {value[1 + i * each], value[i * each + each], '\0'};
            if (sscanf(two, "%x", &level) == 1) share[i] = level / 255.0;
        }
        return true;
    }
    if (strncmp(value, "rgb", 3) != 0 || !(value = strchr(value, '('))) return false;
    value++;
    for (int i = 0; i < 4; i++) {
        value += strspn(value, " ,/");
        const char *const from = value;
        if (xml_numbers(&value, &share[i], 1) != 1) return i == 3 && *from == ')';
        share[i] /= *value == '%' ? 100 : i < 3 ? 255 : 1;
        value += *value == '%';
    }
    return true;
}

svg_paint svg_paint_of(const char *value)
{
    double share[4] = {0, 0, 0, 1};
    uint32_t rgb;
    if (!strcmp(value, "none") || !strcmp(value, "transparent")) return SVG_NONE;
    if (!strcmp(value, "currentcolor")) return SVG_BLACK;
    if (!strncmp(value, "url(", 4)) return SVG_SERVER;
    if (css_color(value, &rgb)) return rgb == 0xffffff ? SVG_WHITE : rgb ? SVG_OTHER : SVG_BLACK;
    if (!read_color(value, share) && !read_lightness(value, share)) return SVG_INVALID;
    if (share[3] < 0.5) return share[3] > 0 ? SVG_FAINT : SVG_NONE;
    const double low = fmin(fmin(share[0], share[1]), share[2]), high = fmax(fmax(share[0], share[1]), share[2]);
    return low >= 1 ? SVG_WHITE : high > 0 ? SVG_OTHER : SVG_BLACK;
}

double svg_share(const char *text)
{
    double value;
    if (xml_numbers(&text, &value, 1) != 1) return 1;
    return fmin(fmax(*text == '%' ? value / 100 : value, 0), 1);
}

bool svg_length(const char *text, double whole, double *pixels)
{
    static const struct { const char *unit; double pixels; } units[] = {
        {"", 1}, {"px", 1}, {"mm", 96 / 25.4}, {"cm", 96 / 2.54}, {"in", 96}, {"pt", 96.0 / 72}, {"pc", 16}};
    double value;
    if (xml_numbers(&text, &value, 1) != 1 || fabs(value) > 1e9) return false;
    const span unit = trimmed(text, strlen(text));
    if (unit.size == 1 && *unit.at == '%') return *pixels = value / 100 * whole, true;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strlen(units[i].unit) == unit.size && !strncmp(units[i].unit, unit.at, unit.size))
            return *pixels = value * units[i].pixels, true;
    return false;
}
