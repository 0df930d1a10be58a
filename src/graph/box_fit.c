/* SPDX-License-Identifier: MIT */
#include "box_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "colors.h"
#include "energy_math.h"
#include "status.h"

/* A mask leaks through a side if its contact there is more than this times the square root of the mask's area. */
#define CONTACT 0.05

/* Pixels beyond a box are painted where a link to them weighs more than ALIKE times as much as a link between equal
 * colours. They are painted to a depth of DEEP times the square root of the box's area. */
#define ALIKE 0.3
#define DEEP 0.025

bool tc_box_alone(const uint8_t *seeds, int width, int height, tc_comm *comm, tc_window *box)
{
    const tc_window all = {0, 0, width, tc_comm_height(comm, height)};
    const bool strokes = tc_box_has(seeds, width, height, comm, &all, TILECUT_FOREGROUND) ||
                         tc_box_has(seeds, width, height, comm, &all, TILECUT_BACKGROUND);
    if (strokes || !tc_box_rectangle(seeds, width, height, comm, box)) return false;
    return !tc_box_has(seeds, width, height, comm, box, TILECUT_OUTSIDE);
}

/* The weight of the link between two pixels, divided by that of a link between equal colours. */
static double link_between(const tilecut_image *image, double beta, int x, int y, int dx, int dy)
{
    const void *const row = tc_image_row(image, y), *const far = tc_image_row(image, y + dy);
    double squared = 0;
    for (int c = 0; c < image->channels; c++) {
        const int i = x * image->channels + c, k = (x + dx) * image->channels + c;
        const double d = image->depth == 8 ? ((const uint8_t *)row)[i] - ((const uint8_t *)far)[k]
                                           : (((const uint16_t *)row)[i] - ((const uint16_t *)far)[k]) / 257.0;
        squared += d * d;
    }
    return tc_link_weight(1, beta, squared);
}

/* A side of the box: `count` pixels along it, beginning at (x, y). The pixel outside is (dx, dy) away. */
typedef struct side {
    int x, y, dx, dy, count;
    const tilecut_image *strip; /* as in tc_boxed */
} side;

/* The sides, in the order left, up, right, down. */
static void sides_of(const tc_window *box, const tilecut_image *strip, side sides[TC_BOX_SIDES])
{
    const int x1 = box->x + box->width - 1, y1 = box->y + box->height - 1;
    sides[0] = (side){box->x, box->y, -1, 0, box->height, strip};
    sides[1] = (side){box->x, box->y, 0, -1, box->width, strip ? strip + 1 : NULL};
    sides[2] = (side){x1, box->y, 1, 0, box->height, strip ? strip + 2 : NULL};
    sides[3] = (side){box->x, y1, 0, 1, box->width, strip ? strip + 3 : NULL};
}

tc_window tc_box_strip(const tc_window *box, int number, int width, int height)
{
    side sides[TC_BOX_SIDES];
    sides_of(box, NULL, sides);
    const side *const s = &sides[number];
    const int u = s->x + s->dx, v = s->y + s->dy;
    if (u < 0 || u >= width || v < 0 || v >= height) return (tc_window){s->x, s->y, 0, 0};
    return (tc_window){u < s->x ? u : s->x, v < s->y ? v : s->y, s->dx ? 2 : s->count, s->dx ? s->count : 2};
}

/* The weight of the link from pixel (x, y), in this part's rows, over a side. */
static double link_over(const tc_boxed *b, const side *s, int x, int y)
{
    if (!s->strip) return link_between(b->image, b->beta, x, y, s->dx, s->dy);
    return link_between(s->strip, b->beta, s->dx ? s->dx < 0 : x - s->x, s->dx ? y - s->y : s->dy < 0, s->dx, s->dy);
}

/* True if row y of the whole image is this part's own. */
static bool is_own(const tc_boxed *b, int y)
{
    const tc_own_rows own = tc_own_rows_of(b->comm, b->image->height);
    y -= tc_comm_above(b->comm);
    return y >= own.first && y < own.end;
}

static bool lies_outside_image(const tc_boxed *b, const side *s)
{
    const int u = s->x + s->dx, v = s->y + s->dy;
    return u < 0 || u >= b->image->width || v < 0 || v >= tc_comm_height(b->comm, b->image->height);
}

/* Adds the contact of this part's pixels along a side to `sum`. */
static double add_contact(const tc_boxed *b, const side *s, double sum)
{
    const int above = tc_comm_above(b->comm);
    int x = s->x, y = s->y;
    if (lies_outside_image(b, s)) return sum;
    for (int i = 0; i < s->count; i++, x += s->dy != 0, y += s->dx != 0)
        if (is_own(b, y) && b->mask[(size_t)(y - above) * (size_t)b->image->width + (size_t)x])
            sum += link_over(b, s, x, y - above);
    return sum;
}

/* Computes the contact of each side, divided by the square root of the mask's area. Parts add their contacts one after
 * the other, so that the sum is rounded as in an image in one part. */
static void contacts(const tc_boxed *b, double contact[TC_BOX_SIDES])
{
    const double root = sqrt((double)(b->foreground > 1 ? b->foreground : 1));
    const int parts = b->comm ? b->comm->with->parts : 1;
    int64_t words[TC_BOX_SIDES];
    side sides[TC_BOX_SIDES];
    sides_of(&b->box, b->strip, sides);
    for (int i = 0; i < TC_BOX_SIDES; i++) contact[i] = 0;
    for (int turn = 0; turn < parts; turn++) {
        if (!b->comm || b->comm->with->part == turn)
            for (int i = 0; i < TC_BOX_SIDES; i++) contact[i] = add_contact(b, &sides[i], contact[i]);
        memcpy(words, contact, sizeof words);
        if (tc_comm_broadcast(b->comm, turn, words, TC_BOX_SIDES) != TILECUT_OK) break;
        memcpy(contact, words, sizeof words);
    }
    for (int i = 0; i < TC_BOX_SIDES; i++) contact[i] /= root;
}

bool tc_box_no_longer_leaks(double before, double after)
{
    return !tc_box_leaks(after) || after <= 0.3 * before;
}

double tc_box_contact(const tc_boxed *b)
{
    double contact[TC_BOX_SIDES], most = 0;
    contacts(b, contact);
    for (int i = 0; i < TC_BOX_SIDES; i++) most = contact[i] > most ? contact[i] : most;
    return most;
}

bool tc_box_leaks(double contact)
{
    return contact > CONTACT;
}

/* ---- What lies beyond ------------------------------------------------------------------------- */

/* Finds the pixels of a side through which the mask leaks, as a bit set. Each part gets the bits of all parts. */
static tilecut_status find_leaks(const tc_boxed *b, const side *s, uint64_t *leaks, size_t words)
{
    const int above = tc_comm_above(b->comm);
    int x = s->x, y = s->y;
    memset(leaks, 0, words * sizeof *leaks);
    for (int i = 0; i < s->count && !lies_outside_image(b, s); i++, x += s->dy != 0, y += s->dx != 0) {
        if (!is_own(b, y) || !b->mask[(size_t)(y - above) * (size_t)b->image->width + (size_t)x]) continue;
        if (link_over(b, s, x, y - above) > ALIKE)
            leaks[i / 64] |= UINT64_C(1) << (i % 64);
    }
    return tc_comm_allreduce(b->comm, (int64_t *)leaks, words);
}

/* Paints `deep` pixels beyond each marked pixel of a side, in this part's rows. */
static void paint_side(const tc_boxed *b, const side *s, const uint64_t *leaks, int deep, uint8_t *seeds)
{
    const int above = tc_comm_above(b->comm), width = b->image->width;
    int x = s->x, y = s->y;
    for (int i = 0; i < s->count; i++, x += s->dy != 0, y += s->dx != 0) {
        for (int k = 1; k <= deep && leaks[i / 64] >> (i % 64) & 1; k++) {
            const int u = x + k * s->dx, v = y + k * s->dy - above;
            if (u >= 0 && u < width && v >= 0 && v < b->image->height)
                seeds[(size_t)v * (size_t)width + (size_t)u] = TILECUT_BACKGROUND;
        }
    }
}

tilecut_status tc_box_paint_beyond(const tc_boxed *b, uint8_t *seeds)
{
    const int most = b->box.width > b->box.height ? b->box.width : b->box.height;
    const int deep = (int)ceil(sqrt((double)b->box.width * b->box.height) * DEEP);
    const size_t words = ((size_t)most + 63) / 64;
    uint64_t *const leaks = malloc(words * sizeof *leaks);
    tilecut_status status = TILECUT_OK;
    double contact[TC_BOX_SIDES];
    side sides[TC_BOX_SIDES];
    if (!leaks) return tc_fail(TILECUT_ENOMEM, "no memory for the sides of a box");
    sides_of(&b->box, b->strip, sides);
    contacts(b, contact);
    for (int i = 0; i < TC_BOX_SIDES; i++) {
        if (!(contact[i] > CONTACT)) continue;
        TRY(find_leaks(b, &sides[i], leaks, words));
        paint_side(b, &sides[i], leaks, deep, seeds);
    }
done:
    free(leaks);
    return status;
}
