/* SPDX-License-Identifier: MIT
 *
 * scan_space.c - finds the corresponding voxels of two volumes, if both files say where they lie in the patient.
 */
#include <math.h>
#include <string.h>

#include "scan.h"

scan_extent scan_extent_of(const scan *s)
{
    scan_extent e = {.width = s->width, .height = s->height, .depth = scan_slices(s),
                     .voxel = scan_voxel_bytes(s->type), .placed = s->placed};
    memcpy(e.spacing, s->spacing, sizeof e.spacing);
    memcpy(e.place, s->place, sizeof e.place);
    return e;
}

bool scan_map_voxel(const scan_map *map, const int64_t v[3], int64_t to[3])
{
    bool inside = true;
    for (int k = 0; k < 3; k++) {
        to[k] = map->sign[k] * v[map->axis[k]] + map->offset[k];
        inside &= to[k] >= 0 && to[k] < map->size[k];
    }
    return inside;
}

bool scan_place_picture(double place[3][4], double step)
{
    double normal[3], length = 0;
    for (int r = 0; r < 3; r++) {
        const int a = (r + 1) % 3, b = (r + 2) % 3;
        normal[r] = place[a][0] * place[b][1] - place[b][0] * place[a][1];
        length += normal[r] * normal[r];
    }
    length = sqrt(length);
    for (int r = 0; r < 3; r++) place[r][2] = length > 0 ? normal[r] / length * step : 0;
    return length > 0 && isfinite(length);
}

/* Inverts the first three columns by cofactors. Returns false if they have no inverse. */
static bool invert(double m[3][4], double out[3][3])
{
    double det = 0;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            const int r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
            out[c][r] = m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1];
        }
    for (int c = 0; c < 3; c++) det += m[0][c] * out[c][0];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) out[r][c] /= det;
    return isfinite(det) && det != 0;
}

static void place_of(const scan_extent *e, const int64_t v[3], double out[3])
{
    for (int r = 0; r < 3; r++) {
        out[r] = e->place[r][3];
        for (int k = 0; k < 3; k++) out[r] += e->place[r][k] * (double)v[k];
    }
}

/* Returns the largest error of the map at the eight corners of `from`, in millimetres. */
static double miss(const scan_extent *from, const scan_extent *to, const scan_map *map)
{
    double worst = 0;
    for (int corner = 0; corner < 8; corner++) {
        const int64_t v[3] = {corner & 1 ? from->width - 1 : 0, corner & 2 ? from->height - 1 : 0,
                              corner & 4 ? from->depth - 1 : 0};
        int64_t w[3];
        double is[3], should[3], sum = 0;
        scan_map_voxel(map, v, w);
        place_of(to, w, is);
        place_of(from, v, should);
        for (int r = 0; r < 3; r++) sum += (is[r] - should[r]) * (is[r] - should[r]);
        worst = fmax(worst, sqrt(sum));
    }
    return worst;
}

/* Finds for each axis of `to` the axis of `from` that runs along it. Returns false if that is the same one for two
 * axes, or if along an axis the voxels of the two volumes are not of similar length. */
static bool find_axes(const scan_extent *from, double to_voxels[3][3], scan_map *out)
{
    int used = 0;
    for (int k = 0; k < 3; k++) {
        double step[3];
        int best = 0;
        for (int a = 0; a < 3; a++) {
            step[a] = 0;
            for (int r = 0; r < 3; r++) step[a] += to_voxels[k][r] * from->place[r][a];
            if (fabs(step[a]) > fabs(step[best])) best = a;
        }
        if (!(fabs(step[best]) > 0.75 && fabs(step[best]) < 1.5) || used & 1 << best) return false;
        used |= 1 << best;
        out->axis[k] = best;
        out->sign[k] = step[best] < 0 ? -1 : 1;
    }
    return true;
}

/* True if any voxel of `from` lies in `to`. */
static bool meet(const scan_extent *from, const scan_map *map)
{
    const int64_t last[3] = {from->width - 1, from->height - 1, from->depth - 1}, first[3] = {0};
    int64_t a[3], b[3];
    scan_map_voxel(map, first, a);
    scan_map_voxel(map, last, b);
    for (int k = 0; k < 3; k++)
        if ((a[k] < 0 && b[k] < 0) || (a[k] >= map->size[k] && b[k] >= map->size[k])) return false;
    return true;
}

bool scan_find_map(const scan_extent *from, const scan_extent *to, scan_map *out, double *apart)
{
    const int64_t middle[3] = {from->width / 2, from->height / 2, from->depth / 2};
    const bool size = from->width == to->width && from->height == to->height && from->depth == to->depth;
    double inverse[3][3], at[3];
    *out = (scan_map){.same = size, .axis = {0, 1, 2}, .sign = {1, 1, 1},
                      .size = {to->width, to->height, to->depth}};
    *apart = 0;
    if (!from->placed || !to->placed) return size;
    const double half = 0.5 * fmin(to->spacing[0], fmin(to->spacing[1], to->spacing[2]));
    if (size && miss(from, to, out) <= half) return true;
    *apart = -1;
    double place[3][4];
    memcpy(place, to->place, sizeof place);
    if (!invert(place, inverse) || !find_axes(from, inverse, out)) return false;
    place_of(from, middle, at);
    for (int k = 0; k < 3; k++) {
        double v = 0;
        for (int r = 0; r < 3; r++) v += inverse[k][r] * (at[r] - to->place[r][3]);
        if (!(fabs(v) < 1e9)) return false;
        out->offset[k] = (int64_t)llround(v) - out->sign[k] * middle[out->axis[k]];
    }
    out->same = false;
    *apart = miss(from, to, out);
    if (*apart <= half && !meet(from, out)) *apart = INFINITY;
    return *apart <= half;
}

static int refuse_elsewhere(const char *name, const char *other, failure *why)
{
    return fail(why, EXIT_SEEDS, "%s: lies elsewhere in the patient than %s: nothing of it is inside", name, other);
}

int scan_check_map(const scan_extent *from, const char *name, const scan_extent *to, const char *other,
                   const char *what, scan_map *out, failure *why)
{
    double apart;
    if (scan_find_map(from, to, out, &apart)) return EXIT_DONE;
    if (isinf(apart)) return refuse_elsewhere(name, other, why);
    if (apart > 0)
        return fail(why, EXIT_SEEDS, "%s: lies elsewhere in the patient than %s, by %.4g mm in a corner; resample it "
                    "to the scan's axes", name, other, apart);
    if (apart < 0)
        return fail(why, EXIT_SEEDS, "%s: has other voxels in the patient than %s (another spacing, or askew); "
                    "resample it to the scan's axes", name, other);
    return fail(why, EXIT_SEEDS, "%s: is %dx%dx%d but %s is %dx%dx%d; %s must have the scan's size", name, from->width,
                from->height, from->depth, other, to->width, to->height, to->depth, what);
}

int scan_check_outside(const char *name, const char *other, int64_t outside, int64_t marked, notes *log, failure *why)
{
    if (outside && outside == marked) return refuse_elsewhere(name, other, why);
    if (outside) note(log, "%s: %lld of its marked voxels lie outside of %s", name, (long long)outside, other);
    return EXIT_DONE;
}
