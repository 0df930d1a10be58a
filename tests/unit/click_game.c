/* SPDX-License-Identifier: MIT
 *
 * click_game.c - see click_game.h. It finds regions and depths by plain methods that differ from those of the library.
 */
#include "click_game.h"

#include <check.h>
#include <math.h>
#include <string.h>

#include "random_graph.h"

static bool inside(int p, double x, double y, double rx, double ry)
{
    const double dx = (p % W - x) / rx, dy = (p / W - y) / ry;
    return dx * dx + dy * dy <= 1;
}

void game_init(game *g, uint64_t *state)
{
    int color[7][3], part[3][4];
    memset(g, 0, sizeof *g);
    g->image = (tilecut_image){.width = W, .height = H, .channels = 3, .depth = 8, .pixels = g->pixels};
    for (int i = 0; i < 7; i++)
        for (int c = 0; c < 3; c++) color[i][c] = 20 + random_below(state, 200);
    for (int c = 0; c < 3; c++) color[6][c] = color[1][c] + random_below(state, 9) - 4;
    const int x = 30 + random_below(state, 20), y = 24 + random_below(state, 12);
    for (int i = 0; i < 3; i++) {
        part[i][0] = x + (i ? random_below(state, 24) - 12 : 0);
        part[i][1] = y + (i ? random_below(state, 20) - 10 : 0);
        part[i][2] = 5 + random_below(state, 10), part[i][3] = 5 + random_below(state, 8);
    }
    for (int p = 0; p < N; p++) {
        int of = 3 + (p % W > 40) + 2 * (p / W > 30);
        for (int i = 0; i < 3; i++)
            if (inside(p, part[i][0], part[i][1], part[i][2], part[i][3])) of = i, g->truth[p] = 255;
        for (int c = 0; c < 3; c++) g->pixels[3 * p + c] = (uint8_t)(color[of][c] + random_below(state, 24));
        if (p % W == 0 || p % W == W - 1 || p / W == 0 || p / W == H - 1) g->seeds[p] = TILECUT_OUTSIDE;
    }
}

/* ---- Regions and depths, plainly ---------------------------------------------------------------- */

int flood(const uint8_t *set, int *number, int p, int i)
{
    static int stack[4 * N];
    int top = 0, size = 0;
    stack[top++] = p;
    while (top) {
        const int q = stack[--top];
        if (!set[q] || number[q]) continue;
        number[q] = i;
        size++;
        if (q % W > 0) stack[top++] = q - 1;
        if (q % W < W - 1) stack[top++] = q + 1;
        if (q >= W) stack[top++] = q - W;
        if (q < N - W) stack[top++] = q + W;
    }
    return size;
}

int rim_of(const int *number, int i, int *border)
{
    int count = 0;
    for (int q = 0; q < N; q++) {
        bool beside = false;
        for (int dy = q >= W ? -1 : 0; dy <= (q < N - W ? 1 : 0); dy++)
            for (int dx = q % W ? -1 : 0; dx <= (q % W < W - 1 ? 1 : 0); dx++) beside |= number[q + dy * W + dx] == i;
        if (beside && number[q] != i) border[count++] = q;
    }
    return count;
}

double depth(const int *border, int count, int p)
{
    const int x = p % W, y = p / W;
    double least = fmin(fmin(x + 1, W - x), fmin(y + 1, H - y));
    for (int i = 0; i < count; i++) least = fmin(least, hypot(border[i] % W - x, border[i] / W - y));
    return least;
}

double deepest(const int *number, int i, int *where)
{
    static int border[N];
    const int count = rim_of(number, i, border);
    double most = -1;
    for (int p = 0; p < N; p++) {
        const double d = number[p] == i ? depth(border, count, p) : -1;
        if (d > most) most = d, *where = p;
    }
    return most;
}

/* ---- Clicks ------------------------------------------------------------------------------------ */

int largest_fault(const game *g)
{
    static uint8_t wrong[N];
    static int number[N];
    int largest = 0, at = -1;
    for (int label = 0; label < 2; label++) {
        memset(number, 0, sizeof number);
        for (int p = 0; p < N; p++) wrong[p] = g->mask[p] != g->truth[p] && (g->truth[p] != 0) == (label != 0);
        for (int p = 0, i = 0; p < N; p++) {
            if (!wrong[p] || number[p]) continue;
            const int size = flood(wrong, number, p, ++i);
            if (size <= largest) continue;
            largest = size;
            (void)deepest(number, i, &at);
        }
    }
    return at;
}

void click(game *g, int at)
{
    g->foreground = g->truth[at] != 0;
    for (int p = 0; p < N; p++) {
        const bool hit = hypot(p % W - at % W, p / W - at / W) <= BRUSH && g->truth[p] == g->truth[at];
        if (!hit || (g->foreground && g->seeds[p] == TILECUT_OUTSIDE)) continue;
        g->seeds[p] = g->foreground ? TILECUT_FOREGROUND : TILECUT_BACKGROUND;
    }
    for (int p = 0; p < N; p++)
        g->painted[p] = g->seeds[p] == (g->foreground ? TILECUT_FOREGROUND : TILECUT_BACKGROUND) &&
                        (g->mask[p] != 0) != g->foreground;
}

void begin(game *g)
{
    int middle = 0, number[N] = {0};
    for (int p = 0; p < N; p++) number[p] = g->truth[p] != 0;
    (void)deepest(number, 1, &middle);
    click(g, middle);
    ck_assert_int_eq(tilecut_segment(&g->image, g->seeds, &g->params, g->mask, NULL), TILECUT_OK);
}

void begin_wrong(game *g, uint64_t seed)
{
    int at = -1;
    for (uint64_t state = seed; at < 0; seed++) {
        game_init(g, &state);
        begin(g);
        at = largest_fault(g);
    }
    click(g, at);
}
