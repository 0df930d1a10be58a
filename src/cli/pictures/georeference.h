/* SPDX-License-Identifier: MIT
 *
 * georeference.h - where on earth a picture lies, as GeoTIFF 1.1 (OGC 19-008r4) says it: a map from places in the
 * picture to coordinates, and keys that name the system of these coordinates.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { GEO_KEYS = 160, GEO_NUMBERS = 48, GEO_TEXT = 320 };

/* Where a picture lies on earth; all zeros: unknown. Places in the picture are x to the right and y down in pixels; (0,
 * 0) is the upper left corner of the first pixel. */
typedef struct georeference {
    bool placed;
    double origin[2], across[2], down[2]; /* place (x, y) has the coordinates origin + x * across + y * down */
    bool by_centers;                      /* the keys define place (0, 0) as the middle of a pixel, not its corner */
    int epsg;                             /* EPSG number of the coordinate system; 0: none */
    /* Tags 34735 (the keys), 34736 and 34737, as in the file; a count of 0: the tag is missing. */
    uint16_t key[GEO_KEYS];
    double number[GEO_NUMBERS];
    char text[GEO_TEXT];
    uint16_t keys, numbers, letters;
} georeference;

/* georeference_move() changes *where for a part of the picture that begins at x, y; georeference_scale() does so for a
 * scaled picture, where a factor of 1 changes nothing. */
void georeference_move(georeference *where, double x, double y);
void georeference_scale(georeference *where, double across, double down);

void georeference_to_map(const georeference *where, const double place[2], double map[2]);
/* Converts coordinates on earth to a place in the picture. Returns false if the picture has no area on earth. */
bool georeference_to_place(const georeference *where, const double map[2], double place[2]);

/* A tag of a TIFF. Types have TIFF's numbers: 2 is text, 3 are whole numbers of 16 bits, 12 is double. */
typedef struct geo_tag {
    uint16_t number, type;
    uint32_t count;
    const void *values;
} geo_tag;

/* Makes the tags that describe where the picture lies, in ascending order. Returns their number. `room` holds some of
 * the values. */
enum { GEO_TAGS = 5, GEO_ROOM = 16 };
int georeference_tags(const georeference *where, double room[GEO_ROOM], geo_tag tags[GEO_TAGS]);

/* Reads where a picture lies from the tags of its TIFF. `find` returns the values of a tag of the given type and their
 * count, or NULL if there is no such tag. If the tags do not describe the place, `placed` is false. */
typedef const void *geo_find(void *context, int number, int type, uint32_t *count);
georeference georeference_of_tags(geo_find *find, void *context);
