/* SPDX-License-Identifier: MIT
 *
 * synthetic_graphs.c - the families that make capacities without a photo: random, checker, maze.
 */
#include <stdlib.h>

#include "chance.h"
#include "synthetic.h"

enum { RANDOM_LINK = 100, RANDOM_TERMINAL = 2000, RANDOM_SHARE = 5 };

/* Draws links of 1 .. 100. 5 % of the pixels have a terminal: half of them the source, half the sink. */
bool family_random(const family_request *request, instance *out)
{
    chance dice = chance_of(request->seed, 1);
    if (!instance_alloc_cells(out, request->size, request->size)) return false;
    int32_t *source = instance_plane(out, 0), *sink = instance_plane(out, 1);
    int32_t *right = instance_plane(out, 2), *down = instance_plane(out, 3);
    const size_t pixels = (size_t)request->size * (size_t)request->size;
    for (size_t p = 0; p < pixels; p++) {
        right[p] = chance_between(&dice, 1, RANDOM_LINK);
        down[p] = chance_between(&dice, 1, RANDOM_LINK);
        const int terminal = chance_between(&dice, 1, RANDOM_TERMINAL);
        const int lot = chance_below(&dice, 200);
        if (lot < RANDOM_SHARE) source[p] = terminal;
        else if (lot < 2 * RANDOM_SHARE) sink[p] = terminal;
    }
    return true;
}

enum { SQUARE = 32 };

bool family_checker(const family_request *request, instance *out)
{
    chance dice = chance_of(request->seed, 2);
    if (!instance_alloc_cells(out, request->size, request->size)) return false;
    int32_t *source = instance_plane(out, 0), *sink = instance_plane(out, 1);
    int32_t *right = instance_plane(out, 2), *down = instance_plane(out, 3);
    size_t p = 0;
    for (int y = 0; y < request->size; y++)
        for (int x = 0; x < request->size; x++, p++) {
            right[p] = chance_between(&dice, 20, 39);
            down[p] = chance_between(&dice, 20, 39);
            ((x / SQUARE + y / SQUARE) % 2 ? source : sink)[p] = chance_between(&dice, 1, 20);
        }
    return true;
}

/* ---- maze ------------------------------------------------------------------------------------- */

enum { MAZE_LINK = 100, MAZE_TERMINAL = 100000 };

typedef struct maze {
    int corridor, pitch;  /* width of a corridor, without and with its wall */
    int rooms;            /* number of rooms along a side     */
    int size;
    uint8_t *open;        /* per pixel                        */
} maze;

static void open_box(maze *m, int x0, int y0, int x1, int y1)
{
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++) m->open[(size_t)y * (size_t)m->size + (size_t)x] = 1;
}

/* Opens the neighbouring rooms a and b and the wall between them. */
static void join_rooms(maze *m, int a, int b)
{
    const int low = a < b ? a : b, high = a < b ? b : a;
    open_box(m, low % m->rooms * m->pitch, low / m->rooms * m->pitch,
             high % m->rooms * m->pitch + m->corridor, high / m->rooms * m->pitch + m->corridor);
}

/* Digs a maze by a random depth-first walk through all rooms: long winding corridors without loops. */
static bool dig(maze *m, chance *dice)
{
    const int rooms = m->rooms * m->rooms;
    uint8_t *seen = calloc((size_t)rooms, 1);
    int *path = malloc((size_t)rooms * sizeof *path);
    int length = 1;
    if (!seen || !path) {
        free(seen);
        free(path);
        return false;
    }
    path[0] = 0;
    seen[0] = 1;
    open_box(m, 0, 0, m->corridor, m->corridor);
    while (length) {
        const int at = path[length - 1], x = at % m->rooms, y = at / m->rooms;
        int choice[4], choices = 0;
        if (x + 1 < m->rooms && !seen[at + 1]) choice[choices++] = at + 1;
        if (x > 0 && !seen[at - 1]) choice[choices++] = at - 1;
        if (y + 1 < m->rooms && !seen[at + m->rooms]) choice[choices++] = at + m->rooms;
        if (y > 0 && !seen[at - m->rooms]) choice[choices++] = at - m->rooms;
        if (!choices) {
            length--;
            continue;
        }
        const int next = choice[chance_below(dice, choices)];
        seen[next] = 1;
        path[length++] = next;
        join_rooms(m, at, next);
    }
    free(seen);
    free(path);
    return true;
}

/* Draws links of 1 .. 100 inside corridors, and none through walls. The first room is linked to the source, the last to
 * the sink. */
bool family_maze(const family_request *request, instance *out)
{
    chance dice = chance_of(request->seed, 3);
    maze m = {.corridor = request->corridor ? request->corridor : 7, .size = request->size};
    const size_t width = (size_t)m.size;
    m.pitch = m.corridor + 1;
    m.rooms = (m.size + 1) / m.pitch;
    m.open = calloc(width * width, 1);
    if (!m.open || !instance_alloc_cells(out, m.size, m.size) || !dig(&m, &dice)) {
        free(m.open);
        return false;
    }
    int32_t *right = instance_plane(out, 2), *down = instance_plane(out, 3);
    const int last = (m.rooms - 1) * m.pitch;
    for (size_t p = 0; p < width * width; p++) {
        const int a = chance_between(&dice, 1, MAZE_LINK), b = chance_between(&dice, 1, MAZE_LINK);
        if (m.open[p] && p % width + 1 < width && m.open[p + 1]) right[p] = a;
        if (m.open[p] && p / width + 1 < width && m.open[p + width]) down[p] = b;
    }
    for (int y = 0; y < m.corridor; y++)
        for (int x = 0; x < m.corridor; x++) {
            instance_plane(out, 0)[(size_t)y * width + (size_t)x] = MAZE_TERMINAL;
            instance_plane(out, 1)[(size_t)(y + last) * width + (size_t)(x + last)] = MAZE_TERMINAL;
        }
    free(m.open);
    return true;
}
