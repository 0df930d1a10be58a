/* SPDX-License-Identifier: MIT */
#include "georeference.h"

#include <math.h>
#include <string.h>

enum { SCALE = 33550, TIES = 33922, MATRIX = 34264, KEYS = 34735, NUMBERS = 34736, TEXT = 34737 };
enum { OF_TEXT = 2, OF_SHORT = 3, OF_DOUBLE = 12 };

/* ---- Places ----------------------------------------------------------------------------------- */

void georeference_move(georeference *g, double x, double y)
{
    const double place[2] = {x, y};
    double map[2];
    georeference_to_map(g, place, map);
    memcpy(g->origin, map, sizeof map);
}

void georeference_scale(georeference *g, double across, double down)
{
    for (int i = 0; i < 2; i++) g->across[i] /= across, g->down[i] /= down;
}

void georeference_to_map(const georeference *g, const double place[2], double map[2])
{
    for (int i = 0; i < 2; i++) map[i] = g->origin[i] + place[0] * g->across[i] + place[1] * g->down[i];
}

bool georeference_to_place(const georeference *g, const double map[2], double place[2])
{
    const double area = g->across[0] * g->down[1] - g->across[1] * g->down[0];
    const double x = map[0] - g->origin[0], y = map[1] - g->origin[1];
    place[0] = (x * g->down[1] - y * g->down[0]) / area;
    place[1] = (y * g->across[0] - x * g->across[1]) / area;
    return isfinite(place[0]) && isfinite(place[1]);
}

/* ---- Tags ------------------------------------------------------------------------------------- */

/* Returns the value of a key that is stored in the list of keys itself; 0 if the key is missing. */
static int key_value(const georeference *g, int number)
{
    for (int i = 4; i + 3 < g->keys; i += 4)
        if (g->key[i] == number && !g->key[i + 1]) return g->key[i + 3];
    return 0;
}

/* If the keys count from the middles of pixels, moves the origin by `pixels` in both directions: -.5 on reading, .5 on
 * writing. */
static void shift_origin(georeference *g, double pixels)
{
    if (g->by_centers) georeference_move(g, pixels, pixels);
}

static void read_keys(georeference *g, geo_find *find, void *context)
{
    enum { RASTER_TYPE = 1025, GEODETIC = 2048, PROJECTED = 3072, BY_CENTERS = 2, OWN = 32767 };
    uint32_t keys = 0, numbers = 0, letters = 0;
    const void *const key = find(context, KEYS, OF_SHORT, &keys);
    const void *const number = find(context, NUMBERS, OF_DOUBLE, &numbers);
    const void *const text = find(context, TEXT, OF_TEXT, &letters);
    if (!key || keys < 4 || keys > GEO_KEYS || numbers > GEO_NUMBERS || letters > GEO_TEXT) return;
    memcpy(g->key, key, keys * sizeof *g->key);
    if (number) memcpy(g->number, number, numbers * sizeof *g->number);
    if (text) memcpy(g->text, text, letters);
    g->keys = (uint16_t)keys, g->numbers = (uint16_t)numbers, g->letters = (uint16_t)letters;
    const int projected = key_value(g, PROJECTED), geodetic = key_value(g, GEODETIC);
    g->epsg = projected ? projected : geodetic;
    if (g->epsg == OWN) g->epsg = 0;
    g->by_centers = key_value(g, RASTER_TYPE) == BY_CENTERS;
}

georeference georeference_of_tags(geo_find *find, void *context)
{
    georeference g = {.placed = false};
    uint32_t scales = 0, ties = 0, entries = 0;
    const double *const scale = find(context, SCALE, OF_DOUBLE, &scales);
    const double *const tie = find(context, TIES, OF_DOUBLE, &ties);
    const double *const matrix = find(context, MATRIX, OF_DOUBLE, &entries);
    if (matrix && entries >= 16) {
        for (int i = 0; i < 2; i++)
            g.across[i] = matrix[4 * i], g.down[i] = matrix[4 * i + 1], g.origin[i] = matrix[4 * i + 3];
    } else if (scale && scales >= 2 && tie && ties >= 6) {
        g.across[0] = scale[0], g.down[1] = -scale[1];
        g.origin[0] = tie[3] - tie[0] * scale[0];
        g.origin[1] = tie[4] + tie[1] * scale[1];
    }
    const double place[2] = {0, 0};
    double ignored[2];
    g.placed = georeference_to_place(&g, place, ignored);
    if (!g.placed) return (georeference){.placed = false};
    read_keys(&g, find, context);
    shift_origin(&g, -0.5);
    return g;
}

int georeference_tags(const georeference *where, double room[GEO_ROOM], geo_tag tags[GEO_TAGS])
{
    georeference g = *where;
    int count = 0;
    shift_origin(&g, 0.5);
    memset(room, 0, GEO_ROOM * sizeof *room);
    if (g.across[1] == 0 && g.down[0] == 0 && g.across[0] > 0 && g.down[1] < 0) {
        double *const tie = room + 3;
        room[0] = g.across[0], room[1] = -g.down[1];
        tie[3] = g.origin[0], tie[4] = g.origin[1];
        tags[count++] = (geo_tag){SCALE, OF_DOUBLE, 3, room};
        tags[count++] = (geo_tag){TIES, OF_DOUBLE, 6, tie};
    } else {
        for (int i = 0; i < 2; i++)
            room[4 * i] = g.across[i], room[4 * i + 1] = g.down[i], room[4 * i + 3] = g.origin[i];
        room[15] = 1;
        tags[count++] = (geo_tag){MATRIX, OF_DOUBLE, 16, room};
    }
    if (g.keys) tags[count++] = (geo_tag){KEYS, OF_SHORT, g.keys, where->key};
    if (g.numbers) tags[count++] = (geo_tag){NUMBERS, OF_DOUBLE, g.numbers, where->number};
    if (g.letters) tags[count++] = (geo_tag){TEXT, OF_TEXT, g.letters, where->text};
    return count;
}
