/* SPDX-License-Identifier: MIT
 *
 * peer.h - shared by the peers: reading a grid file (docs/guide/formats.md), time, and the line that each peer prints
 * for `tilecut bench`. For C and C++; only a header, so that a peer is one file.
 *
 *     NAME build_ms=.. solve_ms=.. bytes=.. flow=..
 *
 * A peer is called as `NAME GRAPH [MASK]` and writes the canonical mask (0 background, 255 foreground, a byte a pixel)
 * to MASK: a pixel is background if and only if it still reaches the sink.
 */
#ifndef PEER_H
#define PEER_H

#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct peer_grid {
    int width, height, connectivity, links, symmetric;
    int depth, rows; /* slices (1 for an image); rows of all slices, one slice below the other */
    size_t pixels;
    /* Arrays of width * rows capacities; from[k] == to[k] if links are symmetric. */
    int32_t *source, *sink, *to[4], *from[4];
} peer_grid;

static inline void peer_refuse(const char *path, const char *what)
{
    fprintf(stderr, "%s: %s\n", path, what);
    exit(3);
}

static inline void peer_no(const char *why)
{
    printf("no: %s\n", why);
    exit(0);
}

/* Reads a grid file in this machine's byte order with 32-bit integers, as tilecut writes it. */
static inline peer_grid peer_read(const char *path)
{
    peer_grid g;
    unsigned char header[72];
    uint32_t field[8], depth = 1;
    memset(&g, 0, sizeof g);
    FILE *file = fopen(path, "rb");
    if (!file) peer_refuse(path, "cannot be opened");
    if (fread(header, 1, 64, file) != 64 || memcmp(header, "\211TCG\r\n\032\n", 8))
        peer_refuse(path, "not a grid file");
    /* the fields are version, order, width, height, connectivity, type, flags */
    memcpy(field, header + 8, sizeof field);
    if (field[0] == 2 && fread(header + 64, 1, 8, file) == 8) memcpy(&depth, header + 56, sizeof depth);
    if (field[0] < 1 || field[0] > 2 || field[1] != 0x01020304 || field[5] != 0 || field[2] > 65536 ||
        field[3] > 65536 || !field[2] || !field[3] || !depth || depth > 65536)
        peer_refuse(path, "a grid file that peers do not read");
    g.width = (int)field[2];
    g.height = (int)field[3];
    g.connectivity = (int)field[4];
    g.links = g.connectivity / 2;
    g.symmetric = (int)(field[6] & 1);
    g.depth = (int)depth;
    g.rows = g.height * g.depth;
    g.pixels = (size_t)g.width * (size_t)g.rows;
    const size_t pixels = g.pixels;
    const int planes = 2 + g.links * (g.symmetric ? 1 : 2);
    int32_t *cells = (int32_t *)malloc(pixels * (size_t)planes * sizeof *cells);
    if (!cells) peer_refuse(path, "no memory");
    for (int y = 0; y < g.rows; y++)
        for (int i = 0; i < planes; i++)
            if (fread(cells + pixels * (size_t)i + (size_t)y * (size_t)g.width, 4, (size_t)g.width,
                      file) != (size_t)g.width)
                peer_refuse(path, "ends early");
    fclose(file);
    g.source = cells;
    g.sink = cells + pixels;
    for (int k = 0; k < g.links; k++) {
        g.to[k] = cells + pixels * (size_t)(2 + k);
        g.from[k] = g.symmetric ? g.to[k] : cells + pixels * (size_t)(2 + g.links + k);
    }
    return g;
}

/* The steps of the forward links in columns and rows. */
static const int peer_dx[4] = {1, 0, 1, -1}, peer_dy[4] = {0, 1, 1, 1};

/* True if pixel x of row r has a neighbour in direction k. */
static inline int peer_inside(const peer_grid *g, int x, int r, int k)
{
    if (g->connectivity == 6 && k == 2) return r + g->height < g->rows;
    return x + peer_dx[k] >= 0 && x + peer_dx[k] < g->width && r % g->height + peer_dy[k] < g->height;
}

/* Returns the distance between the array indices of a pixel and of its neighbour in direction k. */
static inline int peer_step(const peer_grid *g, int k)
{
    return g->connectivity == 6 && k == 2 ? g->height * g->width : peer_dy[k] * g->width + peer_dx[k];
}

static inline double peer_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* Returns the current resident memory, for libraries whose memory cannot be counted. */
static inline double peer_resident(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file) {
        if (fscanf(file, "%*s %ld", &pages) != 1) pages = 0;
        fclose(file);
    }
    return (double)pages * 4096;
}

/* Call at the start of a round. Returns memory of the previous round to the system, as `bench` does for tilecut before
 * each run; otherwise arrays would be built twice as fast in existing pages. Returns the resident memory before the
 * first round. */
static inline double peer_baseline(void)
{
    static double first;
    (void)malloc_trim(0);
    if (first <= 0) first = peer_resident();
    return first;
}

/* Returns the peak resident memory so far. */
static inline double peer_peak(void)
{
    char line[256];
    double kb = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (!strncmp(line, "VmHWM:", 6)) kb = atof(line + 6);
    if (file) fclose(file);
    return kb * 1024;
}

/* Returns how often to build and solve; only the last round is reported. A peer is a new process for every run, so
 * small instances are solved once before, to be as warm as tilecut's solvers. */
static inline int peer_rounds(const peer_grid *g)
{
    return g->pixels <= (size_t)1 << 18 ? 2 : 1;
}

static inline void peer_report(const char *name, double build, double solve, double bytes,
                               long long flow)
{
    printf("%s build_ms=%.3f solve_ms=%.3f bytes=%.0f flow=%lld\n", name, build, solve, bytes, flow);
    fflush(stdout);
}

static inline void peer_write_mask(const char *path, const unsigned char *mask, size_t pixels)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(mask, 1, pixels, file) != pixels || fclose(file))
        peer_refuse(path, "cannot be written");
}

#endif
