/* SPDX-License-Identifier: MIT
 *
 * make_scans.c - writes one small scan in many forms in which other programs store scans, byte by byte and without any
 * library. `make_scans FOLDER` draws a bright box in a dark volume of 12 x 10 x 8. A second channel and a second time
 * step have boxes elsewhere. It also writes seeds, and the true labels (0 and 255) to truth.raw, truth_c2.raw and
 * truth_t2.raw.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { W = 12, H = 10, D = 8, N = W * H * D };

static const char *folder;

/* True if a voxel is in the box with this number. 0: first channel; 1: second channel; 2 and 3: the two channels at the
 * second time step. */
static int inside(int which, int x, int y, int z)
{
    const int dx = which & 1 ? 2 : 0, dy = which & 2 ? 2 : 0;
    return x >= 3 + dx && x < 8 + dx && y >= 2 + dy && y < 6 + dy && z >= 2 && z < 6;
}

static uint8_t value[4][N], seeds[N], truth[4][N];

static void draw(void)
{
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < N; i++) {
            const int in = inside(k, i % W, i / W % H, i / W / H);
            value[k][i] = (uint8_t)((in ? 200 : 40) + i % 7);
            truth[k][i] = in ? 255 : 0;
        }
    seeds[(3 * H + 4) * W + 6] = seeds[(4 * H + 5) * W + 6] = 1;
    for (int i = 0; i < N; i++)
        if (i % W == 0 || i / W % H == 0 || i / W / H == 0) seeds[i] = 2;
}

static FILE *make(const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *const f = fopen(path, "wb");
    if (!f) exit(1);
    return f;
}

static void put(FILE *f, uint64_t v, int size) /* little endian */
{
    for (int i = 0; i < size; i++) fputc((int)(v >> 8 * i & 255), f);
}

static void putf(FILE *f, float v)
{
    uint32_t bits;
    memcpy(&bits, &v, 4);
    put(f, bits, 4);
}

static void whole(const char *name, const uint8_t *data, size_t size)
{
    FILE *const f = make(name);
    fwrite(data, 1, size, f);
    fclose(f);
}

/* ---- TIFF ------------------------------------------------------------------------------------- */

/* Writes a stack of pages with 1 or 3 samples a pixel, or with indices into a palette that gets darker if `samples` is
 * 0. `text` is the description of the pages. */
static void tiff(const char *name, const char *text, const uint8_t *const *page, int pages, uint32_t samples)
{
    FILE *const f = make(name);
    enum { PALETTE = 3 * 256 };
    const uint32_t length = (uint32_t)strlen(text) + 1, map = 8 + length, start = map + 2 * PALETTE;
    const uint32_t entries = samples ? 11 : 12, planes = samples ? samples : 1, size = W * H * planes;
    const uint32_t each = 2 + entries * 12 + 4 + 6 + size;
    put(f, 0x002a4949, 4), put(f, start, 4);
    fwrite(text, 1, length, f);
    for (uint32_t i = 0; i < PALETTE; i++) put(f, (255 - i % 256) * 257, 2);
    for (int i = 0; i < pages; i++) {
        const uint32_t at = start + (uint32_t)i * each;
        const uint32_t entry[12][4] = {{254, 4, 1, 0}, {256, 4, 1, W}, {257, 4, 1, H},
                                       {258, 3, planes, planes > 1 ? at + each - size - 6 : 8}, {259, 3, 1, 1},
                                       {262, 3, 1, !samples ? 3 : samples > 1 ? 2 : 1},
                                       {270, 2, i ? 1 : length, i ? 0 : 8}, {273, 4, 1, at + each - size},
                                       {277, 3, 1, planes}, {278, 4, 1, H}, {279, 4, 1, size}, {320, 3, PALETTE, map}};
        put(f, entries, 2);
        for (uint32_t e = 0; e < 4 * entries; e++) put(f, entry[e / 4][e % 4], e % 4 < 2 ? 2 : 4);
        put(f, i + 1 < pages ? at + each : 0, 4);
        put(f, 0x000800080008, 6);
        fwrite(page[i], 1, size, f);
    }
    fclose(f);
}

/* Writes a stack in colour: of each pixel a value of each of three volumes. */
static void tiff_rgb(const char *name, const uint8_t *r, const uint8_t *g, const uint8_t *b)
{
    static uint8_t rgb[D][W * H * 3];
    const uint8_t *const from[3] = {r, g, b}, *page[D];
    for (int i = 0; i < D * W * H * 3; i++) rgb[i / (W * H * 3)][i % (W * H * 3)] = from[i % 3][i / 3];
    for (int z = 0; z < D; z++) page[z] = rgb[z];
    tiff(name, "ImageJ=1.53t\nimages=8\nslices=8\n", page, D, 3);
}

static const uint8_t *slice(const uint8_t *const volume[4], int c, int z, int t)
{
    return volume[2 * t + c] + z * W * H;
}

static void stack(const char *name, const char *text, const char *order, int channels, int moments)
{
    const uint8_t *const volume[4] = {value[0], value[1], value[2], value[3]}, *page[4 * D];
    const int size[3] = {*order == 'C' ? channels : *order == 'Z' ? D : moments,
                         order[1] == 'C' ? channels : order[1] == 'Z' ? D : moments, 0};
    const int pages = channels * moments * D;
    for (int i = 0; i < pages; i++) {
        const int at[3] = {i % size[0], i / size[0] % size[1], i / size[0] / size[1]};
        int of[128] = {0};
        for (int k = 0; k < 3; k++) of[(int)order[k]] = at[k];
        page[i] = slice(volume, of['C'], of['Z'], of['T']);
    }
    tiff(name, text, page, pages, 1);
}

static void stacks(void)
{
    static const char *const orders[] = {"CZT", "CTZ", "ZCT", "ZTC", "TCZ", "TZC"};
    char text[900], name[40];
    const uint8_t *page[D];
    snprintf(text, sizeof text, "ImageJ=1.53t\nimages=%d\nchannels=2\nslices=%d\nframes=2\n", 4 * D, D);
    stack("imagej.tif", text, "CZT", 2, 2);
    stack("plain.tif", "", "CZT", 1, 1);
    stack("odd.tif", "ImageJ=1.53t\nimages=9\nslices=9\n", "CZT", 1, 1);
    stack("unsaid.tif", "{\"shape\": [2, 2, 8, 10, 12]}", "ZCT", 2, 2);
    stack("shaped.tif", "{\"shape\": [8, 2, 10, 12], \"axes\": \"ZCYX\"}", "CZT", 2, 1);
    for (int o = 0; o < 6; o++) {
        snprintf(text, sizeof text, "<?xml version=\"1.0\"?><OME><Image ID=\"Image:0\"><Pixels DimensionOrder=\"XY%s\" "
                 "SizeX=\"12\" SizeY=\"10\" SizeZ=\"8\" SizeC=\"2\" SizeT=\"2\" PhysicalSizeX=\"500\" "
                 "PhysicalSizeXUnit=\"nm\" PhysicalSizeY=\"0.5\" PhysicalSizeZ=\"1.5\">"
                 "<TiffData/></Pixels></Image></OME>", orders[o]);
        snprintf(name, sizeof name, "ome_%s.tif", orders[o]);
        stack(name, text, orders[o], 2, 2);
    }
    /* lists the slices from the last to the first, one element each */
    size_t used = (size_t)snprintf(text, sizeof text, "<o:OME><o:Image><o:Pixels DimensionOrder='XYZCT' SizeZ='8'>");
    for (int z = 0; z < D; z++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "<o:TiffData IFD='%d' FirstZ='%d'/>", D - 1 - z, z);
        page[z] = value[0] + (D - 1 - z) * W * H;
    }
    snprintf(text + used, sizeof text - used, "</o:Pixels></o:Image></o:OME>");
    tiff("ome_turned.tif", text, page, D, 1);
    tiff_rgb("colour.tif", value[0], value[1], value[2]);
    tiff_rgb("same.tif", value[0], value[0], value[0]);
    tiff("palette.tif", "", page, D, 0);
}

/* ---- NIfTI ------------------------------------------------------------------------------------ */

/* Writes a header with the number of voxels and volumes, their type, and their position. `place` is the sform matrix,
 * or NULL. */
static void nifti_head(FILE *f, const char *magic, const int dim[5], int bits, const float place[3][4])
{
    put(f, 348, 4);
    for (int i = 0; i < 34; i++) fputc(0, f);
    fputc(*magic ? 'r' : 0, f), fputc(0, f); /* Analyze files by nibabel lack this byte */
    put(f, 5, 2);
    for (int k = 0; k < 5; k++) put(f, (uint64_t)dim[k], 2);
    put(f, 1, 2), put(f, 1, 2);
    for (int k = 0; k < 3; k++) putf(f, 0);
    put(f, 0, 2), put(f, bits == 8 ? 2 : 16, 2), put(f, (uint64_t)bits, 2), put(f, 0, 2);
    for (int k = 0; k < 8; k++) putf(f, k < 4 ? 1 : 0);
    putf(f, strcmp(magic, "n+1") ? 0 : 352), putf(f, *magic ? 0 : 2), putf(f, 0); /* in Analyze, SPM's scale */
    for (int i = 120; i < 252; i++) fputc(0, f);
    /* In NIfTI these are the qform and sform codes; Analyze has other fields here. */
    put(f, *magic ? 1 : 7, 2), put(f, *magic ? 1 : 7, 2);
    for (int k = 0; k < 6; k++) putf(f, 0);
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < 4; k++) putf(f, place ? place[r][k] : 0);
    for (int i = 0; i < 16; i++) fputc(0, f);
    fwrite(magic, 1, strlen(magic) + 1, f);
    for (size_t i = strlen(magic) + 1; i < 4; i++) fputc(0, f);
}

static void nifti(const char *name, const int dim[5], const uint8_t *data, const float place[3][4])
{
    FILE *const f = make(name);
    nifti_head(f, "n+1", dim, 8, place);
    put(f, 0, 4);
    fwrite(data, 1, (size_t)dim[0] * (size_t)dim[1] * (size_t)dim[2] * (size_t)dim[3] * (size_t)dim[4], f);
    fclose(f);
}

static const float upright[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};

/* Writes the voxels along other axes: axis k of the file runs along axis[k] of the scan, backwards if back[k], and has
 * only the voxels from[k] .. to[k] - 1 of the scan. */
static void turned(const char *name, const uint8_t *voxels, const int axis[3], const int back[3], const int from[3],
                   const int to[3])
{
    int dim[5] = {1, 1, 1, 1, 1};
    float place[3][4] = {{0}};
    uint8_t data[N];
    for (int k = 0; k < 3; k++) {
        const int a = axis[k];
        dim[k] = to[a] - from[a];
        place[a][k] = back[k] ? -1 : 1;
        place[a][3] = (float)(back[k] ? to[a] - 1 : from[a]);
    }
    for (int i = 0; i < dim[0] * dim[1] * dim[2]; i++) {
        const int at[3] = {i % dim[0], i / dim[0] % dim[1], i / dim[0] / dim[1]};
        int v[3];
        for (int k = 0; k < 3; k++) v[axis[k]] = back[k] ? to[axis[k]] - 1 - at[k] : from[axis[k]] + at[k];
        data[i] = voxels[(v[2] * H + v[1]) * W + v[0]];
    }
    nifti(name, dim, data, place);
}

/* Writes two volumes in colour: RGB24 or RGBA32, with a scale, which does not count for colours. */
static void nifti_colors(const char *name, int samples)
{
    static const int two[5] = {W, H, D, 2, 1};
    FILE *const f = make(name);
    nifti_head(f, "n+1", two, 8, upright);
    put(f, 0, 4);
    for (int i = 0; i < 2 * N; i++)
        for (int c = 0; c < samples; c++) fputc(c < 2 ? value[i / N * 2 + c][i % N] : 255 * (i % 2), f);
    fseek(f, 70, SEEK_SET);
    put(f, samples == 3 ? 128 : 2304, 2), put(f, (uint64_t)(8 * samples), 2);
    fseek(f, 112, SEEK_SET);
    putf(f, 3), putf(f, 7);
    fclose(f);
}

static void niftis(void)
{
    static const int one[5] = {W, H, D, 1, 1}, four[5] = {W, H, D, 2, 2};
    static const int all[3] = {0}, size[3] = {W, H, D}, low[3] = {0, 0, 2}, high[3] = {9, H, 7};
    static uint8_t series[4 * N];
    for (int t = 0; t < 2; t++) /* axis 4 of the file is time, and axis 5 the channels */
        for (int c = 0; c < 2; c++) memcpy(series + (2 * c + t) * N, value[2 * t + c], N);
    nifti("scan.nii", one, value[0], upright);
    nifti("seeds.nii", one, seeds, upright);
    nifti("series.nii", four, series, upright);
    nifti_colors("rgb.nii", 3);
    nifti_colors("rgba.nii", 4);
    nifti("zero.nii", one, value[0], NULL); /* the sform is all zero, so the upright qform must be used */
    FILE *const f = make("nan.nii");
    nifti_head(f, "n+1", one, 32, upright);
    put(f, 0, 4);
    for (int i = 0; i < N; i++) putf(f, i % W == W - 1 ? NAN : value[0][i]);
    fclose(f);
    for (int analyze = 0; analyze < 2; analyze++) {
        FILE *const h = make(analyze ? "analyze.hdr" : "pair.hdr");
        nifti_head(h, analyze ? "" : "ni1", one, 8, upright);
        fclose(h);
        whole(analyze ? "analyze.img" : "pair.img", value[0], N);
    }
    for (int i = 0; i < 48; i++) { /* writes the scan with every permutation and flip of three axes */
        const int axis[3] = {i / 8 % 3, (i / 8 % 3 + 1 + i / 24) % 3, (i / 8 % 3 + 2 - i / 24) % 3};
        const int back[3] = {i & 1, i >> 1 & 1, i >> 2 & 1};
        char name[40];
        snprintf(name, sizeof name, "turned%d.nii", i);
        turned(name, seeds, axis, back, i % 5 ? all : low, i % 5 ? size : high);
        snprintf(name, sizeof name, "truth%d.nii", i);
        turned(name, truth[0], axis, back, all, size);
    }
}

/* ---- NRRD and MetaImage ----------------------------------------------------------------------- */

/* Writes two channels interleaved. */
static void weave(FILE *f, const uint8_t *a, const uint8_t *b)
{
    for (int i = 0; i < N; i++) fputc(a[i], f), fputc(b[i], f);
}

static void nrrds(void)
{
    static const char head[] = "NRRD0004\ntype: uint8\nencoding: raw\nspace: RAS\n";
    static const char axes[] = "(1,0,0) (0,1,0) (0,0,1)\nspace origin: (0,0,0)\n";
    uint8_t one[N], two[N];
    FILE *f = make("list.nrrd");
    fprintf(f, "%sdimension: 4\nsizes: 2 12 10 8\nkinds: vector domain domain domain\nspace directions: none %s\n",
            head, axes);
    weave(f, value[0], value[1]);
    fclose(f);
    f = make("time.nrrd");
    fprintf(f, "%sdimension: 4\nsizes: 12 10 8 2\nkinds: domain domain domain time\n"
            "space directions: (1,0,0) (0,1,0) (0,0,1) none\nspace origin: (0,0,0)\n\n", head);
    fwrite(value[0], 1, N, f), fwrite(value[2], 1, N, f);
    fclose(f);
    f = make("colour.nrrd");
    fprintf(f, "%sdimension: 3\nsizes: 3 10 32\nkinds: RGB-color domain domain\n\n", head);
    fwrite(value[0], 1, N, f);
    fclose(f);
    f = make("scan.nhdr");
    fprintf(f, "%sdimension: 3\nsizes: 12 10 8\nspace directions: %sbyte skip: -1\ndata file: beside.raw\n", head,
            axes);
    fclose(f);
    f = make("beside.raw");
    fprintf(f, "some bytes that are no voxels");
    fwrite(value[0], 1, N, f);
    fclose(f);
    for (int i = 0; i < N; i++) one[i] = seeds[i] == 1, two[i] = seeds[i] == 2;
    f = make("layers.seg.nrrd"); /* makes two segments of value 1, each in its own layer */
    fprintf(f, "%sdimension: 4\nsizes: 2 12 10 8\nkinds: list domain domain domain\nspace directions: none %s"
            "Segment0_Layer:=0\nSegment0_LabelValue:=1\nSegment1_Layer:=1\nSegment1_LabelValue:=1\n\n", head, axes);
    weave(f, one, two);
    fclose(f);
    f = make("both.seg.nrrd"); /* two segments that overlap */
    fprintf(f, "%sdimension: 4\nsizes: 2 12 10 8\nkinds: list domain domain domain\nspace directions: none %s"
            "Segment0_Layer:=0\nSegment0_LabelValue:=1\nSegment1_Layer:=1\nSegment1_LabelValue:=1\n\n", head, axes);
    weave(f, one, one);
    fclose(f);
}

static void metas(void)
{
    static const char head[] = "ObjectType = Image\nBinaryData = True\nBinaryDataByteOrderMSB = False\n"
                               "ElementType = MET_UCHAR\n";
    FILE *f = make("scan.mha"); /* in MetaImage, coordinates to the right and to the front are negative */
    fprintf(f,
            "%sNDims = 3\nTransformMatrix = -1 0 0 0 -1 0 0 0 1\nOffset = 0 0 0\nElementSpacing = 1 1 1\n"
            "DimSize = 12 10 8\nElementDataFile = LOCAL\n", head);
    fwrite(value[0], 1, N, f);
    fclose(f);
    f = make("scan.mhd");
    fprintf(f, "%sNDims = 3\nHeaderSize = -1\nDimSize = 12 10 8\nElementSpacing = 1 1 1\nElementDataFile = beside.raw",
            head);
    fclose(f);
    f = make("several.mha");
    fprintf(f, "%sNDims = 4\nDimSize = 12 10 8 2\nElementNumberOfChannels = 2\nElementDataFile = LOCAL\n", head);
    weave(f, value[0], value[1]), weave(f, value[2], value[3]);
    fclose(f);
}

int main(int argc, char **argv)
{
    if (argc != 2) return 2;
    folder = argv[1];
    draw();
    stacks();
    niftis();
    nrrds();
    metas();
    whole("truth.raw", truth[0], N), whole("truth_c2.raw", truth[1], N);
    whole("truth_t2.raw", truth[2], N), whole("truth_c2t2.raw", truth[3], N);
    whole("scan.raw", value[0], N), whole("seeds.raw", seeds, N);
    return 0;
}
