/* SPDX-License-Identifier: MIT */
#include "scan_families.h"

#include <stdlib.h>
#include <string.h>

#include "chance.h"
#include "tilecut_volume.h"

const scan_family scan_families[] = {
#define SCAN_FAMILY(name, colors, summary) {#name, summary, colors, scan_family_##name},
#include "scan_families.def"
#undef SCAN_FAMILY
    {NULL, NULL, NULL, NULL}};

enum { SIDE_LEAST = 16, SIDE_MOST = 1000, DARK = 90, BRIGHT = 150, NOISE = 30, BORDER = 2, JOINTS = 7 };

const scan_family *scan_family_find(const char *name)
{
    for (const scan_family *f = scan_families; f->name; f++)
        if (!strcmp(f->name, name)) return f;
    return NULL;
}

static size_t voxel_of(const scan_drawing *d, int x, int y, int z)
{
    return ((size_t)z * (size_t)d->size + (size_t)y) * (size_t)d->size + (size_t)x;
}

/* Draws the line from a to b: BRIGHT voxels within `radius` of it, and foreground seeds within `seeds` of it. */
static void draw_line(scan_drawing *d, const double a[3], const double b[3], double radius, double seeds)
{
    double length = 0;
    for (int k = 0; k < 3; k++) length += (b[k] - a[k]) * (b[k] - a[k]);
    for (int z = 0; z < d->size; z++)
        for (int y = 0; y < d->size; y++)
            for (int x = 0; x < d->size; x++) {
                const double p[3] = {x, y, z};
                double along = 0, apart = 0;
                for (int k = 0; k < 3; k++) along += (p[k] - a[k]) * (b[k] - a[k]);
                const double t = length > 0 ? (along < 0 ? 0 : along > length ? 1 : along / length) : 0;
                for (int k = 0; k < 3; k++) {
                    const double step = p[k] - a[k] - t * (b[k] - a[k]);
                    apart += step * step;
                }
                if (apart <= radius * radius) d->voxels[voxel_of(d, x, y, z)] = BRIGHT;
                if (apart <= seeds * seeds) d->labels[voxel_of(d, x, y, z)] = 1;
            }
}

void scan_family_ball(scan_drawing *d)
{
    const double middle = (d->size - 1) / 2.0, at[3] = {middle, middle, middle};
    draw_line(d, at, at, d->size / 4.0, d->size / 16.0);
}

void scan_family_seeds3(scan_drawing *d)
{
    scan_family_ball(d);
}

/* Draws a vessel: its joints are at random heights, each in a slab of its own, and straight pieces connect them. */
void scan_family_vessel(scan_drawing *d)
{
    chance dice = chance_of(d->seed, 31);
    double joint[JOINTS][3];
    const double radius = d->size / 24.0 + 1;
    for (int i = 0; i < JOINTS; i++) {
        joint[i][0] = (double)chance_between(&dice, 200, 800) * d->size / 1000;
        joint[i][1] = (double)chance_between(&dice, 200, 800) * d->size / 1000;
        joint[i][2] = (0.15 + 0.7 * i / (JOINTS - 1)) * d->size;
    }
    for (int i = 0; i + 1 < JOINTS; i++) draw_line(d, joint[i], joint[i + 1], radius, -1);
    draw_line(d, joint[0], joint[0], 0, radius / 2);
    draw_line(d, joint[JOINTS - 1], joint[JOINTS - 1], 0, radius / 2);
}

/* Adds noise everywhere, and background seeds on the border. */
static void finish(scan_drawing *d)
{
    chance dice = chance_of(d->seed, 32);
    for (int z = 0; z < d->size; z++)
        for (int y = 0; y < d->size; y++)
            for (int x = 0; x < d->size; x++) {
                const size_t i = voxel_of(d, x, y, z);
                const int value = d->voxels[i] + chance_bell(&dice, NOISE), last = d->size - 1 - BORDER;
                d->voxels[i] = (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
                if (x < BORDER || y < BORDER || z < BORDER || x > last || y > last || z > last) d->labels[i] = 2;
            }
}

int scan_family_draw(const scan_family *family, int size, uint64_t seed, scan_drawing *out, failure *why)
{
    *out = (scan_drawing){.size = size, .seed = seed};
    if (size < SIDE_LEAST || size > SIDE_MOST)
        return fail(why, EXIT_USAGE, "--size: %d; drawn volumes have sides of %d to %d voxels", size, SIDE_LEAST,
                    SIDE_MOST);
    const size_t count = (size_t)size * (size_t)size * (size_t)size;
    out->voxels = malloc(count);
    out->labels = calloc(count, 1);
    if (!out->voxels || !out->labels) return fail(why, EXIT_RESOURCES, "not enough memory for a volume of %d^3", size);
    memset(out->voxels, DARK, count);
    family->draw(out);
    finish(out);
    return EXIT_DONE;
}

void scan_drawing_free(scan_drawing *d)
{
    free(d->voxels);
    free(d->labels);
    *d = (scan_drawing){0};
}

int scan_drawing_encode(const scan_drawing *d, uint8_t *what, const char *path, bytes *sink, failure *why)
{
    const scan whole = {.width = d->size, .height = d->size, .depth = d->size, .type = TILECUT_VOXEL_U8, .voxels = what,
                        .slope = 1};
    return scan_encode(path, &whole, NULL, sink, why);
}
