/* SPDX-License-Identifier: MIT
 *
 * svg_path.c - see svg_path.h. Source of the arcs: SVG 1.1, appendix F.6.
 */
#include "svg_path.h"

#include <math.h>
#include <string.h>

#include "xml_reader.h"

/* APART: the largest distance between a curve and its chord, in pixels */
static const double PI = 3.14159265358979323846, APART = 1e-3;

enum { CHORDS = 4096 };

/* ---- Transforms ---------------------------------------------------------------------------------- */

static svg_transform product(const svg_transform *a, const svg_transform *b)
{
    const double *const m = a->m, *const n = b->m;
    return (svg_transform){{m[0] * n[0] + m[2] * n[1], m[1] * n[0] + m[3] * n[1], m[0] * n[2] + m[2] * n[3],
                            m[1] * n[2] + m[3] * n[3], m[0] * n[4] + m[2] * n[5] + m[4],
                            m[1] * n[4] + m[3] * n[5] + m[5]}};
}

static bool make_one(const char *word, const double *v, int count, svg_transform *one)
{
    const double angle = count ? v[0] * PI / 180 : 0;
    *one = (svg_transform){{1, 0, 0, 1, 0, 0}};
    if (!strcmp(word, "matrix") && count == 6) memcpy(one->m, v, sizeof one->m);
    else if (!strcmp(word, "translate") && count) one->m[4] = v[0], one->m[5] = count > 1 ? v[1] : 0;
    else if (!strcmp(word, "scale") && count) one->m[0] = v[0], one->m[3] = count > 1 ? v[1] : v[0];
    else if (!strcmp(word, "skewX") && count == 1) one->m[2] = tan(angle);
    else if (!strcmp(word, "skewY") && count == 1) one->m[1] = tan(angle);
    else if (!strcmp(word, "rotate") && (count == 1 || count == 3)) {
        const double x = count == 3 ? v[1] : 0, y = count == 3 ? v[2] : 0, c = cos(angle), s = sin(angle);
        *one = (svg_transform){{c, s, -s, c, x - c * x + s * y, y - s * x - c * y}};
    } else {
        return false;
    }
    return true;
}

bool svg_transform_read(const char *text, svg_transform *to)
{
    static const char blanks[] = " \t\r\n,";
    for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
        char word[12] = "";
        double v[6];
        svg_transform one;
        const size_t length = strcspn(text, " (");
        if (length >= sizeof word) return false;
        memcpy(word, text, length);
        text += length;
        text += strspn(text, blanks);
        if (*text++ != '(') return false;
        const int count = xml_numbers(&text, v, 6);
        if (*text++ != ')' || !make_one(word, v, count, &one)) return false;
        *to = product(to, &one);
    }
    return true;
}

/* ---- Points and curves --------------------------------------------------------------------------- */

static bool put_point(svg_path *p, double x, double y)
{
    const double *const m = p->transform.m;
    const double u = m[0] * x + m[2] * y + m[4], v = m[1] * x + m[3] * y + m[5];
    p->beyond |= !(fabs(u) <= 1e7 && fabs(v) <= 1e7);
    return shapes_add_point(p->out, u, v);
}

bool svg_path_to(svg_path *p, double x, double y, bool begin)
{
    if (begin || p->closed) {
        const double at[2] = {begin ? x : p->from[0], begin ? y : p->from[1]};
        if (!shapes_begin_ring(p->out) || !put_point(p, at[0], at[1])) return false;
        p->from[0] = at[0], p->from[1] = at[1];
        p->closed = false;
    }
    p->x = x, p->y = y;
    p->control[0] = x, p->control[1] = y;
    return begin || put_point(p, x, y);
}

/* The largest factor by which the transform enlarges a length. */
static double scale_of(const svg_path *p)
{
    const double *const m = p->transform.m;
    return hypot(hypot(m[0], m[1]), hypot(m[2], m[3]));
}

static bool cubic(svg_path *p, const double c[6])
{
    const double from[2] = {p->x, p->y};
    const double first = hypot(from[0] - 2 * c[0] + c[2], from[1] - 2 * c[1] + c[3]);
    const double second = hypot(c[0] - 2 * c[2] + c[4], c[1] - 2 * c[3] + c[5]);
    const int chords = (int)fmin(1 + sqrt(0.75 * fmax(first, second) * scale_of(p) / APART), CHORDS);
    for (int i = 1; i <= chords; i++) {
        const double t = (double)i / chords, u = 1 - t;
        const double w[4] = {u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t};
        if (!svg_path_to(p, w[0] * from[0] + w[1] * c[0] + w[2] * c[2] + w[3] * c[4],
                         w[0] * from[1] + w[1] * c[1] + w[2] * c[3] + w[3] * c[5], false)) return false;
    }
    p->control[0] = c[2], p->control[1] = c[3];
    return true;
}

static bool quadratic(svg_path *p, double x1, double y1, double x, double y)
{
    const double c[6] = {p->x + 2 * (x1 - p->x) / 3, p->y + 2 * (y1 - p->y) / 3, x + 2 * (x1 - x) / 3,
                         y + 2 * (y1 - y) / 3, x, y};
    if (!cubic(p, c)) return false;
    p->control[0] = x1, p->control[1] = y1;
    return true;
}

bool svg_path_arc(svg_path *p, const double ellipse[3], bool large, bool sweep, double x, double y)
{
    double a = fabs(ellipse[0]), b = fabs(ellipse[1]);
    const double turn = ellipse[2] * PI / 180, c = cos(turn), s = sin(turn);
    const double dx = (p->x - x) / 2, dy = (p->y - y) / 2, u = c * dx + s * dy, v = c * dy - s * dx;
    if (!(a > 0 && b > 0) || !(fabs(dx) > 0 || fabs(dy) > 0)) return svg_path_to(p, x, y, false);
    const double reach = u * u / (a * a) + v * v / (b * b), grow = reach > 1 ? sqrt(reach) : 1;
    a *= grow, b *= grow;
    const double below = a * a * v * v + b * b * u * u, above = a * a * b * b - below;
    const double k = (large == sweep ? -1 : 1) * sqrt(fmax(above, 0) / below);
    const double mid_u = k * a * v / b, mid_v = -k * b * u / a;
    const double middle[2] = {c * mid_u - s * mid_v + (p->x + x) / 2, s * mid_u + c * mid_v + (p->y + y) / 2};
    const double from = atan2((v - mid_v) / b, (u - mid_u) / a);
    double by = atan2((-v - mid_v) / b, (-u - mid_u) / a) - from;
    if (sweep && by < 0) by += 2 * PI;
    if (!sweep && by > 0) by -= 2 * PI;
    const int chords = (int)fmin(2 + fabs(by) / 2 * sqrt(fmax(a, b) * scale_of(p) / (2 * APART)), CHORDS);
    for (int i = 1; i < chords; i++) {
        const double at = from + by * i / chords, e = a * cos(at), f = b * sin(at);
        if (!svg_path_to(p, middle[0] + c * e - s * f, middle[1] + s * e + c * f, false)) return false;
    }
    return svg_path_to(p, x, y, false);
}

/* ---- Paths --------------------------------------------------------------------------------------- */

/* Reads a flag of an arc. A flag is one digit; the next number may follow without a blank. */
static bool flag(const char **text, double *value)
{
    *text += strspn(*text, " \t\r\n,");
    if (**text != '0' && **text != '1') return false;
    *value = *(*text)++ == '1';
    return true;
}

static bool arguments(const char **text, char command, double *v, int count)
{
    if (command != 'A') return xml_numbers(text, v, count) == count;
    return xml_numbers(text, v, 3) == 3 && flag(text, &v[3]) && flag(text, &v[4]) && xml_numbers(text, v + 5, 2) == 2;
}

/* Makes relative coordinates absolute. */
static void add_offset(char command, double *v, int count, double x, double y)
{
    if (command == 'H') v[0] += x;
    else if (command == 'V') v[0] += y;
    else if (command == 'A') v[5] += x, v[6] += y;
    else for (int i = 0; i < count; i++) v[i] += i % 2 ? y : x;
}

static bool step(svg_path *p, char command, const double *v, char before)
{
    const double mirror_x = 2 * p->x - p->control[0], mirror_y = 2 * p->y - p->control[1];
    const bool cubic_before = before == 'C' || before == 'S', quad_before = before == 'Q' || before == 'T';
    switch (command) {
    case 'M': return svg_path_to(p, v[0], v[1], true);
    case 'H': return svg_path_to(p, v[0], p->y, false);
    case 'V': return svg_path_to(p, p->x, v[0], false);
    case 'C': return cubic(p, v);
    case 'S':
        return cubic(p, (double[]){cubic_before ? mirror_x : p->x, cubic_before ? mirror_y : p->y, v[0], v[1], v[2],
                                   v[3]});
    case 'Q': return quadratic(p, v[0], v[1], v[2], v[3]);
    case 'T': return quadratic(p, quad_before ? mirror_x : p->x, quad_before ? mirror_y : p->y, v[0], v[1]);
    case 'A': return svg_path_arc(p, v, v[3] > 0, v[4] > 0, v[5], v[6]);
    default: return svg_path_to(p, v[0], v[1], false);
    }
}

bool svg_path_read(svg_path *p, const char *text, bool *fine)
{
    static const char commands[] = "MLHVCSQTAZ";
    static const int counts[] = {2, 2, 1, 1, 6, 4, 4, 2, 7, 0};
    char command = 0, before = 0;
    bool relative = false, begun = false;
    double v[7];
    *fine = text != NULL;
    while (*fine && *(text += strspn(text, " \t\r\n,"))) {
        const char upper = (char)(*text & ~0x20);
        const bool named = strchr(commands, upper) && ((*text | 0x20) >= 'a');
        if (named) relative = *text++ != upper, command = upper;
        else if (command == 'M') command = 'L'; /* after "M", each further point means a line to it */
        *fine = command && (begun || command == 'M') && (named || command != 'Z');
        const int count = *fine ? counts[strchr(commands, command) - commands] : 0;
        *fine = *fine && arguments(&text, command, v, count);
        if (!*fine) break;
        begun = true;
        if (command == 'Z') {
            p->x = p->from[0], p->y = p->from[1];
            p->closed = true;
            before = 'Z';
            continue;
        }
        if (relative) add_offset(command, v, count, p->x, p->y);
        if (!step(p, command, v, before)) return false;
        before = command;
    }
    return true;
}
