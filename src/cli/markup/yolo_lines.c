/* SPDX-License-Identifier: MIT */
#include "yolo_lines.h"

#include <math.h>
#include <string.h>

const char *yolo_parse(const char *text, void *field)
{
    static const char *const words[] = {"", "boxes", "polygons", "tracks"};
    for (int i = YOLO_BOXES; i <= YOLO_TRACKS; i++)
        if (!strcmp(text, words[i])) return *(int *)field = i, NULL;
    return "boxes, polygons or tracks";
}

typedef enum verdict { MUST_BE_BOX, MUST_BE_POLYGON, CAN_BE_BOTH } verdict;

static bool is_whole(double value)
{
    return value >= 1 && value <= floor(value);
}

static bool is_same(double a, double b)
{
    return fabs(a - b) < 1e-9;
}

/* ---- Key points -------------------------------------------------------------------------------- */

/* True if the line begins with a box that lies within the picture. */
static bool has_box(const double *v)
{
    const double more = 0.02;
    for (int k = 1; k < 3; k++)
        if (v[k + 2] < 0 || v[k] - v[k + 2] / 2 < -more || v[k] + v[k + 2] / 2 > 1 + more) return false;
    return true;
}

/* True if the `points` points behind the box, of `size` numbers each, can be its key points: at most one in eight lies
 * far from the box. Points at 0, 0 count as not in the picture. False if all numbers of the line, read as corners, lie
 * close together: that is usual in small polygons and rare in boxes with key points. */
static bool are_key_points(const double *v, int points, int size)
{
    double least[2] = {fmin(v[1], v[3]), fmin(v[2], v[4])}, most[2] = {fmax(v[1], v[3]), fmax(v[2], v[4])};
    int shown = 0, far = 0;
    for (int i = 0; i < points; i++) {
        const double *const at = v + 5 + i * size;
        const double flag = size == 3 ? at[2] : 1;
        bool away = false;
        if (flag < 0 || (flag > 1 && !is_same(flag, 2))) return false;
        if (fabs(at[0]) + fabs(at[1]) <= 0) continue;
        for (int k = 0; k < 2; k++) {
            away |= fabs(at[k] - v[1 + k]) > v[3 + k] * 0.75 + 2e-3;
            least[k] = fmin(least[k], at[k]), most[k] = fmax(most[k], at[k]);
        }
        far += away;
        shown++;
    }
    const double close = shown > 1 ? 0.25 : 0.0625;
    const bool wide = most[0] - least[0] > v[3] * close || most[1] - least[1] > v[4] * close;
    return !shown || (far * 8 <= shown && wide);
}

/* True if every third number behind the box is a visibility: all of these are 0, 1 or 2, and one of three facts shows
 * that this is no coincidence. One of them is 2, which no coordinate is; or all key points are zeros; or there are at
 * least three key points and the box has an area. */
static bool has_flags(const double *v, int count)
{
    bool two = false, zeros = true;
    if (count < 8 || (count - 5) % 3) return false;
    for (int i = 5; i < count; i++) {
        zeros = zeros && fabs(v[i]) <= 0;
        if ((i - 5) % 3 != 2) continue;
        if (fabs(v[i]) > 0 && !is_same(v[i], 1) && !is_same(v[i], 2)) return false;
        two |= v[i] > 1;
    }
    return two || zeros || (count >= 14 && has_box(v) && v[3] > 0 && v[4] > 0);
}

/* True if the line can be a box with key points, or with a confidence and a track number. */
static bool can_be_box(const double *v, int count)
{
    if (!has_box(v)) return false;
    if (count == 7 && is_whole(v[6])) return true;
    for (int size = 2; size <= 3; size++)
        for (int more = 0; more <= 2; more++) {
            const int points = (count - 5 - more) / size;
            const bool ends = !more || (more == 1 ? v[count - 1] <= 1 : v[count - 2] <= 1 && is_whole(v[count - 1])) ||
                              (more == 1 && is_whole(v[count - 1]));
            if (points > 0 && points * size + more == count - 5 && ends && are_key_points(v, points, size)) return true;
        }
    return false;
}

/* ---- Polygons ---------------------------------------------------------------------------------- */

static double side_of(const double *a, const double *b, const double *c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* How often the edges of a polygon cross each other. */
static int crossings(const double *at, int corners)
{
    int found = 0;
    for (int i = 0; i < corners; i++)
        for (int j = i + 2; j < corners; j++) {
            const double *const a = at + 2 * i, *const b = a + 2, *const c = at + 2 * j;
            const double *const d = at + 2 * ((j + 1) % corners);
            found += d != a && side_of(a, b, c) * side_of(a, b, d) < 0 && side_of(c, d, a) * side_of(c, d, b) < 0;
        }
    return found;
}

/* True if most edges are upright or level, as edges of pixels are, or if there are four that make a turned box. */
static bool is_outline(const double *at, int corners)
{
    bool box = corners == 4;
    int level = 0;
    for (int i = 0; i < corners; i++) {
        const double *const next = at + 2 * ((i + 1) % corners);
        level += is_same(at[2 * i], next[0]) != is_same(at[2 * i + 1], next[1]);
    }
    for (int k = 0; k < 2 && box; k++) box = fabs(at[k] - at[2 + k] + at[4 + k] - at[6 + k]) < 2e-3;
    return level * 2 > corners || box;
}

static verdict judge(const double *v, int count)
{
    enum { FEW = 8,     /* numbers that happen to look like a polygon have fewer corners than this */
           MOST = 500 }; /* more corners than a pose ever has */
    const int corners = (count - 1) / 2;
    if (has_flags(v, count)) return MUST_BE_BOX;
    if (corners > MOST || !can_be_box(v, count)) return MUST_BE_POLYGON;
    if (count == 7 && v[6] > 1) return MUST_BE_BOX;
    if (count % 2 && is_outline(v + 1, corners)) return MUST_BE_POLYGON;
    const int found = crossings(v + 1, corners);
    if (corners >= FEW && found > corners) return MUST_BE_BOX;
    return corners >= FEW && found <= corners / 16 ? MUST_BE_POLYGON : CAN_BE_BOTH;
}

/* ---- The lines together ------------------------------------------------------------------------- */

/* Decides if a polygon ends with a corner or with a track number. A 1 can be a track number or the lower edge of the
 * picture. */
static int end_of(const double *v, int count)
{
    const double *const last = v + count - 2;
    if (count % 2 == 0 || count < 9 || !is_whole(last[1]) || last[0] > 1) return 'c';
    if (last[1] > 1) return 't';
    return is_same(last[0], last[-2]) || is_same(last[0], v[1]) ? 'c' : '?'; /* edges of pixels share a coordinate */
}

void yolo_add(yolo_lines *all, const double *v, int count, long line)
{
    if (count < 7) return;
    const verdict is = judge(v, count);
    /* seven numbers are a box with a track number, or a triangle */
    const bool track = count == 7 && is_whole(v[6]) && is != MUST_BE_POLYGON;
    const int end = track ? (is == MUST_BE_BOX ? 't' : '?') : is == MUST_BE_BOX ? 0 : end_of(v, count);
    all->boxes += is == MUST_BE_BOX && !track;
    all->polygons += is == MUST_BE_POLYGON;
    all->either += is == CAN_BE_BOTH && !track;
    if (!track) all->numbers = !all->numbers || all->numbers == count ? count : -1;
    all->tracks += end == 't';
    all->corners += end == 'c' && count % 2;
    all->ends += end == '?';
    if (!all->first && (is == CAN_BE_BOTH || end == '?')) all->first = line;
}

/* Decides how to read the lines that can be boxes or polygons, from all lines together. All poses of a file have the
 * same number of key points. A few lines that cannot be poses are ignored, because boxes of poses may extend a little
 * beyond the picture. */
static verdict all_are(const yolo_lines *all)
{
    if (all->stated) return all->stated == YOLO_BOXES ? MUST_BE_BOX : MUST_BE_POLYGON;
    if (!all->boxes && (all->numbers < 0 || all->polygons > all->either)) return MUST_BE_POLYGON;
    return all->boxes && all->numbers > 0 ? MUST_BE_BOX : CAN_BE_BOTH;
}

const char *yolo_unclear(const yolo_lines *all)
{
    const verdict are = all_are(all);
    if (all->either && are == CAN_BE_BOTH)
        return "can be a polygon, or a box with key points or a track; say with --yolo polygons or boxes which it is";
    if (!all->stated && all->ends && !all->tracks == !all->corners && are != MUST_BE_BOX)
        return "its last number 1 can be a track or a coordinate; say with --yolo tracks or polygons which it is";
    return NULL;
}

int yolo_decide(const yolo_lines *all, const double *v, int count, bool *box)
{
    verdict is = count < 7 ? MUST_BE_BOX : judge(v, count);
    const verdict are = all_are(all);
    if (count == 7 && is_whole(v[6]) && is == CAN_BE_BOTH && !all->stated)
        is = all->tracks ? MUST_BE_BOX : MUST_BE_POLYGON;
    else if (count >= 7 && (all->stated || is == CAN_BE_BOTH || are == MUST_BE_BOX)) is = are;
    *box = is == MUST_BE_BOX || (all->stated == YOLO_TRACKS && count == 7);
    if (*box) return 4;
    if (count % 2 == 0) return count - 2;
    const int end = end_of(v, count);
    const bool track = all->stated ? all->stated == YOLO_TRACKS : end == 't' || (end == '?' && all->tracks);
    return count - (track ? 3 : 1);
}
