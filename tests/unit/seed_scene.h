/* SPDX-License-Identifier: MIT
 *
 * seed_scene.h - pictures in memory and a reading of seeds from them, for the tests of seeds.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "seeds_parts.h"

enum { SCENE_W = 40, SCENE_H = 30, SCENE_N = SCENE_W * SCENE_H, SCENE_FILES = 4 };

/* Colours as 0xAARRGGBB. */
#define CLEAR UINT32_C(0x00000000)
#define WHITE UINT32_C(0xffffffff)
#define BLACK UINT32_C(0xff000000)
#define GREY UINT32_C(0xff808080)
#define GREEN UINT32_C(0xff00ff00)
#define RED UINT32_C(0xffff0000)
#define BLUE UINT32_C(0xff0000ff)

/* Returns a picture of one colour, with 1 to 4 channels of 8 or 16 bits. A grey picture uses the red value. */
image picture_of(int width, int height, int channels, int depth, uint32_t argb);
void picture_set(image *img, int x, int y, uint32_t argb);
void picture_rect(image *img, int x, int y, int width, int height, uint32_t argb);

/* canvas() returns a picture of the photo's size. scribbles() adds a foreground stroke of 30 pixels on the left and a
 * background stroke of 40 pixels on the right. */
image canvas(int channels, int depth, uint32_t argb);
image scribbles(int channels, int depth, uint32_t under, uint32_t fg, uint32_t bg);

typedef struct scene {
    image photo;  /* a photo of 40 x 30 pixels in RGB: noise, dark on the left and light on the right */
    seeds_request request;              /* file names are "a.png", "b.png" and so on, in the order of scene_add() */
    const char *files[SCENE_FILES];
    seeds out;
    notes log;
    failure why;
    int status;
} scene;

void scene_open(scene *s);
/* Clears the seeds and results of a scene, so that the next reading can use it. */
void scene_again(scene *s);
/* Adds `img` as the next seed picture, and takes ownership of it. */
void scene_add(scene *s, image img);
void scene_stroke(scene *s, bool foreground, const char *points);
void scene_box(scene *s, double x, double y, double width, double height);
/* Reads the seeds. May be called again after changes of the request. */
void scene_read(scene *s);
void scene_close(scene *s);

bool scene_noted(const scene *s, const char *fragment);
/* Returns the number of pixels with that label. */
int scene_count(const scene *s, int label);

/* REFUSED checks that the seeds are refused with this status and these words. GIVES checks the number of pixels of each
 * label. */
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
