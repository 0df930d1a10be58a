/* SPDX-License-Identifier: MIT
 *
 * seed_scene.h - pictures in memory and one reading of seeds, for the tests of seeds.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "seeds_parts.h"

enum { SCENE_W = 40, SCENE_H = 30, SCENE_N = SCENE_W * SCENE_H, SCENE_FILES = 4 };

/* 0xAARRGGBB. */
#define CLEAR UINT32_C(0x00000000)
#define WHITE UINT32_C(0xffffffff)
#define BLACK UINT32_C(0xff000000)
#define GREY UINT32_C(0xff808080)
#define GREEN UINT32_C(0xff00ff00)
#define RED UINT32_C(0xffff0000)
#define BLUE UINT32_C(0xff0000ff)

/* A picture of one colour, in 1 to 4 channels of 8 or 16 bits; grey takes the red. */
image picture_of(int width, int height, int channels, int depth, uint32_t argb);
void picture_set(image *img, int x, int y, uint32_t argb);
void picture_rect(image *img, int x, int y, int width, int height, uint32_t argb);

/* A picture of the photo's size. scribbles(): with a foreground stroke of 30 pixels on the left and a background stroke
 * of 40 on the right. */
image canvas(int channels, int depth, uint32_t argb);
image scribbles(int channels, int depth, uint32_t under, uint32_t fg, uint32_t bg);

typedef struct scene {
    image photo;                        /* 40 x 30 RGB: noise, its left half dark and its right half light */
    seeds_request request;              /* files are "a.png" .. in the order of scene_add() */
    const char *files[SCENE_FILES];
    seeds out;
    notes log;
    failure why;
    int status;
} scene;

void scene_open(scene *s);
/* For tests that read many scenes. */
void scene_again(scene *s);
/* Takes `img` over as the next seed picture. */
void scene_add(scene *s, image img);
void scene_stroke(scene *s, bool foreground, const char *points);
void scene_box(scene *s, double x, double y, double width, double height);
/* Reads; may be called again after changes of the request. */
void scene_read(scene *s);
void scene_close(scene *s);

bool scene_noted(const scene *s, const char *fragment);
/* Pixels with that label. */
int scene_count(const scene *s, int label);

/* REFUSED: reading must be refused with this status and words. GIVES: it must give these counts. */
#define REFUSED(s, expected, fragment)                                                                   \
    do {                                                                                                 \
        scene_read(s);                                                                                   \
        ck_assert_msg((s)->status == (expected), "status %d: %s", (s)->status, (s)->why.text);           \
        ck_assert_msg(strstr((s)->why.text, fragment) != NULL, "no '%s' in: %s", fragment, (s)->why.text); \
        ck_assert_ptr_null((s)->out.label);                                                              \
    } while (0)

#define GIVES(s, reading, fg, bg)                                                                        \
    do {                                                                                                 \
        scene_read(s);                                                                                   \
        ck_assert_msg((s)->status == EXIT_DONE, "status %d: %s", (s)->status, (s)->why.text);            \
        ck_assert_str_eq((s)->out.format, reading);                                                      \
        ck_assert_int_eq((s)->out.foreground, fg);                                                       \
        ck_assert_int_eq((s)->out.background, bg);                                                       \
        ck_assert_int_eq((s)->out.unknown, SCENE_N - (fg) - (bg));                                       \
        ck_assert_int_eq(scene_count(s, TILECUT_FOREGROUND), fg);                                        \
    } while (0)
