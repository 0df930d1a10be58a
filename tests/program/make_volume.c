/* SPDX-License-Identifier: MIT
 *
 * make_volume.c - writes volumes for the tests of the program, byte by byte and without any library: a bright ball with
 * noise in a dark volume of 28 x 24 x 20, its seeds and its true labels. `make_volume FOLDER` writes
 *
 *   scan.nii, big.nii     NIfTI-1, int16, little and big endian, oblique sform and qform, spacing 1 x 1 x 2
 *   two.nii               NIfTI-2, uint16
 *   float.nii, inf.nii    float32; infinite at 3,4,5
 *   scan.nrrd             NRRD, raw, int16, oblique
 *   scan.raw              int16, little endian
 *   labels.nii, trimap.nrrd, seeds.raw   seeds: 0 1 2, and 0 128 255
 *   truth.nii             0 and 255, and 128 on the ball's surface
 *   far.nii               labels.nii, shifted by some millimetres and a fraction of a voxel
 *   away.nii              truth.nii, shifted by so many voxels that it lies outside of the volume
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { W = 28, H = 24, D = 20, N = W * H * D };

static uint32_t state = 7;
static int noise(void)
{
    state = state * 1664525 + 1013904223;
    return (int)(state >> 24) % 41 - 20;
}

static double radius_at(int x, int y, int z)
{
    const double dx = x - 13.5, dy = y - 11.5, dz = 2 * (z - 9.5);
    return sqrt(dx * dx + dy * dy + dz * dz);
}

static int16_t value[N];
static uint8_t labels[N], trimap[N], truth[N];

static void make(void)
{
    for (int i = 0; i < N; i++) {
        const double r = radius_at(i % W, i / W % H, i / W / H);
        value[i] = (int16_t)((r < 8 ? 300 : -200) + noise());
        labels[i] = r < 3 ? 1 : r > 12 ? 2 : 0;
        trimap[i] = r < 3 ? 255 : r > 12 ? 0 : 128;
        truth[i] = r < 7.5 ? 255 : r > 8.5 ? 0 : 128;
    }
}

static FILE *out;
static int big;

static void put(const void *data, size_t size) /* writes a number in the byte order of the file */
{
    const uint8_t *const at = data;
    const uint16_t one = 1;
    const int native_big = !*(const uint8_t *)&one;
    for (size_t i = 0; i < size; i++) fputc(at[big == native_big ? i : size - 1 - i], out);
}

static void put16(int v) { put(&(int16_t){(int16_t)v}, 2); }
static void put32(int v) { put(&(int32_t){v}, 4); }
static void put64(int64_t v) { put(&v, 8); }
static void putf(double v) { put(&(float){(float)v}, 4); }
static void putd(double v) { put(&v, 8); }
static void zeros(int count)
{
    for (int i = 0; i < count; i++) fputc(0, out);
}

static const double quatern[6] = {0.1, 0.2, 0.3, -11.25, 7.5, 3.125};
static double srow[3][4] = {{0.9125, -0.2875, 0.4, -11.25}, {0.3, 0.9375, -0.175, 7.5}, {-0.2, 0.15, 1.9, 3.125}};

static void put_text(const char *text, int size)
{
    const int length = (int)strlen(text);
    fwrite(text, 1, (size_t)length, out);
    zeros(size - length);
}

static void open_file(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    out = fopen(path, "wb");
    if (!out) exit(1);
}

/* Writes the header of NIfTI version 1 as the standard defines it. */
static void head1(int type, int bits, int width)
{
    put32(348), put_text("", 36);
    put16(3), put16(width), put16(H), put16(D), put16(1), put16(1), put16(1), put16(1);
    putf(0), putf(0), putf(0);
    put16(0), put16(type), put16(bits), put16(0);
    putf(-1), putf(1), putf(1), putf(2), putf(0), putf(0), putf(0), putf(0);
    putf(352), putf(type == 4 ? 2 : 0), putf(type == 4 ? -1024 : 0), put16(0), fputc(0, out), fputc(2, out);
    putf(0), putf(0), putf(0), putf(0), put32(0), put32(0);
    put_text("Doe^John", 80), put_text("", 24);
    put16(1), put16(2);
    for (int k = 0; k < 6; k++) putf(quatern[k]);
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < 4; k++) putf(srow[r][k]);
    put_text("", 16);
    fwrite("n+1\0\0\0\0", 1, 8, out);
}

static void head2(int type, int bits)
{
    put32(540), fwrite("n+2\0\r\n\032\n", 1, 8, out);
    put16(type), put16(bits);
    put64(3), put64(W), put64(H), put64(D), put64(1), put64(1), put64(1), put64(1);
    putd(0), putd(0), putd(0);
    putd(-1), putd(1), putd(1), putd(2), putd(0), putd(0), putd(0), putd(0);
    put64(544), putd(0), putd(0), putd(0), putd(0), putd(0), putd(0), put64(0), put64(0);
    put_text("Doe^John", 80), put_text("", 24);
    put32(1), put32(2);
    for (int k = 0; k < 6; k++) putd(quatern[k]);
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < 4; k++) putd(srow[r][k]);
    put32(0), put32(2), put32(0);
    put_text("", 16), fputc(0, out), zeros(15), zeros(4);
}

static void volumes(const char *folder)
{
    for (big = 0; big < 2; big++) {
        open_file(folder, big ? "big.nii" : "scan.nii");
        head1(4, 16, W);
        for (int i = 0; i < N; i++) put16(value[i]);
        fclose(out);
    }
    big = 0;
    open_file(folder, "two.nii");
    head2(512, 16);
    for (int i = 0; i < N; i++) put16(value[i] + 1000);
    fclose(out);
    for (int odd = 0; odd < 2; odd++) {
        open_file(folder, odd ? "inf.nii" : "float.nii");
        head1(16, 32, W);
        for (int i = 0; i < N; i++) putf(odd && i == (5 * H + 4) * W + 3 ? INFINITY : value[i] * 0.001);
        fclose(out);
    }
    open_file(folder, "scan.raw");
    for (int i = 0; i < N; i++) put16(value[i]);
    fclose(out);
    open_file(folder, "scan.nrrd");
    fprintf(out, "NRRD0004\n# made by hand\ntype: short\ndimension: 3\nspace: left-posterior-superior\nsizes: %d %d "
            "%d\n"
                 "space directions: (-0.9125,-0.3,-0.2) (0.2875,-0.9375,0.15) (-0.4,0.175,1.9)\n"
                 "kinds: domain domain domain\nendian: little\nencoding: raw\nspace origin: (11.25,-7.5,3.125)\n"
                 "patient:=Doe^John\n\n", W, H, D);
    for (int i = 0; i < N; i++) put16(value[i]);
    fclose(out);
}

static void bytes(const char *folder, const char *name, const uint8_t *data, int width, double shift)
{
    srow[0][3] += shift;
    open_file(folder, name);
    head1(2, 8, width);
    fwrite(data, 1, (size_t)width * H * D, out);
    fclose(out);
    srow[0][3] -= shift;
}

int main(int argc, char **argv)
{
    if (argc != 2) return 2;
    make();
    volumes(argv[1]);
    bytes(argv[1], "labels.nii", labels, W, 0);
    bytes(argv[1], "truth.nii", truth, W, 0);
    bytes(argv[1], "far.nii", labels, W, 5);
    for (int r = 0; r < 3; r++) srow[r][3] += (W + 2) * srow[r][0];
    bytes(argv[1], "away.nii", truth, W, 0);
    open_file(argv[1], "trimap.nrrd");
    fprintf(out, "NRRD0001\ntype: unsigned char\ndimension: 3\nsizes: %d %d %d\nencoding: raw\n\n", W, H, D);
    fwrite(trimap, 1, N, out);
    fclose(out);
    open_file(argv[1], "seeds.raw");
    fwrite(labels, 1, N, out);
    return fclose(out) ? 1 : 0;
}
