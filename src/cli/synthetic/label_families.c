/* SPDX-License-Identifier: MIT
 *
 * label_families.c - see label_families.h.
 */
#include "label_families.h"

#include <stdlib.h>
#include <string.h>

#include "chance.h"

/* ---- Drawing ----------------------------------------------------------------------------------- */

/* Returns for each pixel the index of the nearest of `count` random points; NULL if memory ran out. */
static int *draw_cells(const label_energy *e, int count, chance *dice)
{
    int *const cell = malloc((e->pixels + 2 * (size_t)count) * sizeof *cell);
    if (!cell) return NULL;
    int *const at = cell + e->pixels;
    for (int i = 0; i < 2 * count; i++) at[i] = chance_below(dice, i % 2 ? e->height : e->width);
    for (size_t p = 0; p < e->pixels; p++) {
        int64_t least = INT64_MAX;
        for (int i = 0; i < count; i++) {
            const int64_t x = (int64_t)(p % (size_t)e->width) - at[2 * i];
            const int64_t y = (int64_t)(p / (size_t)e->width) - at[2 * i + 1];
            if (x * x + y * y < least) least = x * x + y * y, cell[p] = i;
        }
    }
    return cell;
}

/* Draws grey levels with noise; the true label of a pixel is its level. */
static bool draw_noise(label_energy *e, chance *dice)
{
    int *const cell = draw_cells(e, 3 * e->labels, dice);
    for (size_t p = 0; cell && p < e->pixels; p++) {
        const int seen = 255 * (cell[p] % e->labels) / (e->labels - 1) + chance_between(dice, -60, 60);
        for (int k = 0; k < e->labels; k++) {
            const int off = seen - 255 * k / (e->labels - 1);
            e->data[(size_t)k * e->pixels + p] = off * off / 8;
        }
        e->link[0][p] = e->link[1][p] = 400;
    }
    free(cell);
    return cell != NULL;
}

/* Draws two views of a random texture: in the second one each region is shifted by its label. Links are weak where grey
 * values differ. */
static bool draw_stereo(label_energy *e, chance *dice)
{
    const size_t w = (size_t)e->width, wide = w + (size_t)e->labels;
    int *const cell = draw_cells(e, 3 * e->labels, dice);
    int *const other = malloc(wide * (size_t)e->height * sizeof *other);
    int *const grey = malloc(e->pixels * sizeof *grey);
    const bool held = cell && other && grey;
    for (size_t i = 0; held && i < wide * (size_t)e->height; i++) other[i] = chance_below(dice, 200);
    for (size_t p = 0; held && p < e->pixels; p++)
        grey[p] = other[p / w * wide + p % w + (size_t)(cell[p] % e->labels)] + chance_between(dice, -15, 15);
    for (size_t p = 0; held && p < e->pixels; p++) {
        for (int k = 0; k < e->labels; k++) {
            const int off = abs(grey[p] - other[p / w * wide + p % w + (size_t)k]);
            e->data[(size_t)k * e->pixels + p] = off < 40 ? off : 40;
        }
        e->link[0][p] = p % w + 1 < w && abs(grey[p] - grey[p + 1]) > 20 ? 15 : 30;
        e->link[1][p] = p + w < e->pixels && abs(grey[p] - grey[p + w]) > 20 ? 15 : 30;
    }
    free(cell);
    free(other);
    free(grey);
    return held;
}

/* Draws patches on a grid (Veksler, Boykov & Mehrani 2010): a pixel may belong to any patch near it, and contrast
 * decides. */
static bool draw_superpixels(label_energy *e, chance *dice)
{
    enum { FORBIDDEN = 100000 };
    const size_t w = (size_t)e->width;
    int *const cell = draw_cells(e, 4 * e->labels, dice);
    int across = 1;
    while (across * across < e->labels) across++;
    const int side = (e->width > e->height ? e->width : e->height) / across + 1;
    for (size_t p = 0; cell && p < e->pixels; p++) {
        const int x = (int)(p % w), y = (int)(p / w);
        for (int k = 0; k < e->labels; k++) {
            const int dx = abs(x - k % across * side - side / 2), dy = abs(y - k / across * side - side / 2);
            e->data[(size_t)k * e->pixels + p] = dx <= side && dy <= side ? 0 : FORBIDDEN;
        }
        const bool right = p % w + 1 < w && cell[p] != cell[p + 1], down = p + w < e->pixels && cell[p] != cell[p + w];
        e->link[0][p] = right ? chance_between(dice, 1, 10) : chance_between(dice, 30, 49);
        e->link[1][p] = down ? chance_between(dice, 1, 10) : chance_between(dice, 30, 49);
    }
    free(cell);
    return cell != NULL;
}

/* ---- The table --------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    bool (*draw)(label_energy *e, chance *dice); /* false: no memory */
} all[] = {
    {"stereo", draw_stereo},
    {"noise", draw_noise},
    {"superpixels", draw_superpixels},
};
enum { COUNT = sizeof all / sizeof *all };

const char *label_family_name(int index)
{
    return index < COUNT ? all[index].name : NULL;
}

static int index_of(const char *name)
{
    int i = 0;
    while (i < COUNT && strcmp(all[i].name, name) != 0) i++;
    return i;
}

bool label_family_known(const char *name)
{
    return index_of(name) < COUNT;
}

bool label_energy_alloc(label_energy *e, int width, int height, int labels)
{
    *e = (label_energy){.width = width, .height = height, .labels = labels, .pixels = (size_t)width * (size_t)height};
    e->data = calloc(e->pixels * ((size_t)labels + 2), sizeof *e->data);
    if (!e->data) return false;
    e->link[0] = e->data + (size_t)labels * e->pixels;
    e->link[1] = e->link[0] + e->pixels;
    return true;
}

void label_energy_free(label_energy *e)
{
    free(e->data);
    *e = (label_energy){0};
}

int label_energy_make(const label_request *what, label_energy *out, failure *why)
{
    chance dice = chance_of(what->seed, 54);
    const size_t w = (size_t)what->size;
    if (!label_energy_alloc(out, what->size, what->size, what->labels) || !all[index_of(what->name)].draw(out, &dice))
        return fail(why, EXIT_RESOURCES, "%s: not enough memory for %d labels of %dx%d pixels", what->name,
                    what->labels, what->size, what->size);
    for (size_t y = 0; y < w; y++) out->link[0][y * w + w - 1] = 0;
    memset(out->link[1] + out->pixels - w, 0, w * sizeof *out->link[1]);
    return EXIT_DONE;
}

int64_t label_energy_of(const label_energy *e, const uint8_t *label)
{
    int64_t sum = 0;
    for (size_t p = 0; p < e->pixels; p++) {
        sum += label_cost(e, p, label[p]);
        for (int k = 0; k < 2; k++)
            if (e->link[k][p] && label[p] != label[label_next(e, p, k)]) sum += e->link[k][p];
    }
    return sum;
}
