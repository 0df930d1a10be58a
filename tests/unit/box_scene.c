/* SPDX-License-Identifier: MIT */
#include "box_scene.h"

#include "random_graph.h"

bool in_window(const tc_window *w, int x, int y)
{
    return x >= w->x && x < w->x + w->width && y >= w->y && y < w->y + w->height;
}

void set_box(scene *s, tc_window box, uint8_t outside)
{
    s->box = box;
    for (int p = 0; p < N; p++) s->seeds[p] = in_window(&box, p % W, p / W) ? TILECUT_UNKNOWN : outside;
}

void draw(scene *s, uint64_t *state, int depth)
{
    static const int color[2][2][3] = {{{40, 110, 40}, {60, 160, 70}}, {{180, 50, 40}, {150, 40, 110}}};
    const int rx = 18 + random_below(state, 8), ry = 15 + random_below(state, 6), noise = 60;
    const int middle_x = W / 2 + random_below(state, 9) - 4, middle_y = H / 2 + random_below(state, 9) - 4;
    for (int p = 0; p < N; p++) {
        const int x = p % W - middle_x, y = p / W - middle_y, kind = (p % W / 6 + p / W / 5) & 1;
        const bool inside = x * x * ry * ry + y * y * rx * rx <= rx * rx * ry * ry;
        for (int c = 0; c < 3; c++) {
            s->pixels[3 * p + c] = (uint8_t)(color[inside][kind][c] + random_below(state, noise));
            s->deep[3 * p + c] = (uint16_t)(257 * s->pixels[3 * p + c]);
        }
        s->truth[p] = inside ? 255 : 0;
    }
    s->image = (tilecut_image){.width = W, .height = H, .channels = 3, .depth = depth,
                              .pixels = depth == 8 ? (const void *)s->pixels : s->deep};
    s->tight = (tc_window){middle_x - rx, middle_y - ry, 2 * rx + 1, 2 * ry + 1};
    set_box(s, s->tight, TILECUT_OUTSIDE);
}

tc_window shifted(const scene *s, uint64_t *state)
{
    const int dx = s->tight.width * (10 + random_below(state, 4)) / 100;
    const int dy = s->tight.height * (10 + random_below(state, 4)) / 100;
    const int sign_x = random_below(state, 2) ? 1 : -1, sign_y = random_below(state, 2) ? 1 : -1;
    return (tc_window){s->tight.x + sign_x * dx, s->tight.y + sign_y * dy, s->tight.width, s->tight.height};
}

void draw_leak(scene *s, uint64_t *state)
{
    static const int color[3][2][3] = {
        {{40, 110, 40}, {60, 160, 70}}, {{180, 50, 40}, {150, 40, 110}}, {{40, 60, 170}, {70, 90, 200}}};
    const tc_window box = {12, 20, 52, 56};
    for (int p = 0; p < N; p++) {
        const int x = p % W - 36, y = p / W - 48;
        const bool inside = 4 * x * x + 3 * y * y <= 900;
        const bool water = p % W >= 36 && (p % W < 64 ? y >= -24 && y < 24 : y >= -8 && y <= 8);
        const int kind = (p % W / 6 + p / W / 5) & 1;
        for (int c = 0; c < 3; c++)
            s->pixels[3 * p + c] = (uint8_t)(color[inside ? 1 : water ? 2 : 0][kind][c] + random_below(state, 40));
        s->truth[p] = inside ? 255 : 0;
    }
    s->image = (tilecut_image){.width = W, .height = H, .channels = 3, .depth = 8, .pixels = s->pixels};
    set_box(s, box, TILECUT_OUTSIDE);
}
