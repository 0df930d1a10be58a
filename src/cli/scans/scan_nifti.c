/* SPDX-License-Identifier: MIT
 *
 * scan_nifti.c - NIfTI, versions 1 and 2, in one file (.nii) or two (.hdr and .img), with or without gzip. libnifti
 * interprets the header: axes, spacing, scale, and where the voxels are in the patient. Headers on which it would fail
 * or print something are refused before that. The voxels are read here and not by libnifti, so that no header can make
 * it take or unpack more memory than was checked.
 *
 * Labels of a NIfTI scan get a copy of the scan's header, in its version and byte order, so that the axes are the same
 * bit for bit; only the type and meaning of the voxels differ. For labels of other scans libnifti makes a header.
 */
#include <stddef.h>
#include <stdlib.h>

#include <nifti2_io.h>

#include "scan.h"
#include "tilecut_volume.h"

/* The header in this machine's byte order. scan.head is one of these. */
typedef struct nifti_header {
    int version;     /* 1 or 2                            */
    bool swapped;    /* the byte order of the file differs from this machine's */
    union {
        nifti_1_header one;
        nifti_2_header two;
    } as;
} nifti_header;

/* ---- reading ---------------------------------------------------------------------------------- */

/* The number that libnifti gives each type, and how many values of a voxel lie side by side. */
static const struct datatype {
    int number;
    enum scan_kind kind;
    int values;
} datatypes[] = {{DT_UINT8, SCAN_U8, 1},     {DT_INT8, SCAN_I8, 1},     {DT_UINT16, SCAN_U16, 1},
                 {DT_INT16, SCAN_I16, 1},    {DT_UINT32, SCAN_U32, 1},  {DT_INT32, SCAN_I32, 1},
                 {DT_UINT64, SCAN_U64, 1},   {DT_INT64, SCAN_I64, 1},   {DT_FLOAT32, SCAN_F32, 1},
                 {DT_FLOAT64, SCAN_F64, 1},  {DT_RGB24, SCAN_U8, 3},    {DT_RGBA32, SCAN_U8, 4}};

static int32_t word_at(const uint8_t *at, bool swapped)
{
    uint8_t word[4] = {at[0], at[1], at[2], at[3]};
    int32_t value;
    for (int k = 0; swapped && k < 4; k++) word[k] = at[3 - k];
    memcpy(&value, word, 4);
    return value;
}

/* Recognises the header of Analyze 7.5, the format that NIfTI-1 extends. It has no magic bytes, but the same fields for
 * the array, and an 'r' in the field `regular`. nibabel omits the 'r', so a data type that fits the bits of a voxel is
 * also accepted. */
static bool is_analyze(const uint8_t *header, bool swapped)
{
    const int type = header[70 + swapped] | header[71 - swapped] << 8;
    const size_t bits = header[72 + swapped] | (size_t)header[73 - swapped] << 8;
    bool fits = header[38] == 'r';
    for (size_t k = 0; k < sizeof datatypes / sizeof *datatypes; k++)
        fits |= datatypes[k].number == type &&
                8 * (size_t)datatypes[k].values * scan_kind_bytes(datatypes[k].kind) == bits;
    return fits && !header[344] && !header[345] && !header[346];
}

static bool probe(const uint8_t *begin, size_t size)
{
    static const char magic2[8] = {'n', '+', '2', '\0', '\r', '\n', '\032', '\n'};
    for (int swapped = 0; swapped < 2 && size >= 4; swapped++) {
        const int32_t header = word_at(begin, swapped);
        const bool whole = size >= 348;
        if (header == 348 && (!whole || !memcmp(begin + 344, "n+1", 4) || !memcmp(begin + 344, "ni1", 4) ||
                              is_analyze(begin, swapped)))
            return true;
        if (header == 540 && size >= 12 && (!memcmp(begin + 4, magic2, 8) || !memcmp(begin + 4, "ni2", 4))) return true;
    }
    return false;
}

/* Reads the header and converts it to this machine's byte order. */
static int take_header(scan_input *in, nifti_header *h, failure *why)
{
    uint8_t first[4];
    memset(h, 0, sizeof *h);
    int status = scan_take(in, first, 4, "header", why);
    if (status) return status;
    const int32_t size = word_at(first, false), other = word_at(first, true);
    h->swapped = size != 348 && size != 540;
    h->version = (h->swapped ? other : size) == 348 ? 1 : 2;
    if (h->swapped && other != 348 && other != 540)
        return fail(why, EXIT_INPUT, "%s: is no NIfTI file: its header claims %d bytes, and has 348 or 540", in->name,
                    size);
    memcpy(&h->as, first, 4);
    status = scan_take(in, (uint8_t *)&h->as + 4, (h->version == 1 ? sizeof h->as.one : sizeof h->as.two) - 4,
                       "header", why);
    if (!status && h->swapped) swap_nifti_header(&h->as, h->version);
    return status;
}

/* The header's description of the array: `size` voxels along each axis, their type, and the byte where they begin. */
typedef struct layout {
    int64_t size[3];
    int64_t volumes, channels; /* sizes along the fourth axis (time) and the fifth axis (components), or colours */
    scan_numbers numbers;
    int64_t begins;
    bool pair;                 /* the voxels are in another file than the header */
    uint64_t taken;            /* how many bytes of the file with the voxels were read as header */
} layout;

static int refuse_dimensions(const char *name, const int64_t dim[8], failure *why)
{
    char text[160] = "";
    for (int k = 1; k <= dim[0]; k++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%lld", k > 1 ? "x" : "", (long long)dim[k]);
    }
    return fail(why, EXIT_INPUT, "%s: is %s in %lld dimensions; up to five are read, the fourth of volumes, the fifth "
                "of channels", name, text, (long long)dim[0]);
}

static int check_dimensions(const char *name, const int64_t dim[8], layout *out, failure *why)
{
    if (dim[0] < 1 || dim[0] > 7)
        return fail(why, EXIT_INPUT, "%s: is a damaged NIfTI file (%lld dimensions)", name, (long long)dim[0]);
    for (int k = 1; k <= dim[0]; k++)
        if (dim[k] < 1)
            return fail(why, EXIT_INPUT, "%s: is a damaged NIfTI file (%lld voxels along axis %d)", name,
                        (long long)dim[k], k);
    for (int k = 6; k <= dim[0]; k++)
        if (dim[k] > 1) return refuse_dimensions(name, dim, why);
    out->volumes = dim[0] > 3 ? dim[4] : 1;
    out->channels = dim[0] > 4 ? dim[5] : 1;
    for (int k = 0; k < 3; k++) out->size[k] = k < dim[0] ? dim[k + 1] : 1; /* a picture has one slice */
    return scan_check_count(name, dim + 1, (int)dim[0], why);
}

static int check_header(const char *name, const nifti_header *h, layout *out, failure *why)
{
    const bool one = h->version == 1;
    const int datatype = one ? h->as.one.datatype : h->as.two.datatype;
    const char *const magic = one ? h->as.one.magic : h->as.two.magic;
    const size_t header = one ? sizeof h->as.one : sizeof h->as.two, count = sizeof datatypes / sizeof *datatypes;
    int64_t dim[8];
    size_t i = 0;
    for (int k = 0; k < 8; k++) dim[k] = one ? h->as.one.dim[k] : h->as.two.dim[k];
    out->pair = memcmp(magic, one ? "n+1" : "n+2", 4) != 0;
    const int status = check_dimensions(name, dim, out, why);
    if (status) return status;
    while (i < count && datatypes[i].number != datatype) i++;
    if (i == count)
        return fail(why, EXIT_INPUT, "%s: has voxels of NIfTI's type %d (%s); whole numbers, floats and colours of 8 "
                    "bits are read", name, datatype, nifti_datatype_string(datatype));
    out->numbers = (scan_numbers){.kind = datatypes[i].kind, .swapped = h->swapped};
    if (datatypes[i].values > 1 && (out->channels > 1 || !*magic))
        return fail(why, EXIT_INPUT, "%s: has voxels in colour, and %s", name,
                    *magic ? "a fifth axis besides; one of the two is read"
                           : "Analyze 7.5 does not say how they lie; save it as NIfTI");
    if (datatypes[i].values > 1) out->channels = datatypes[i].values, out->numbers.pick.inner = 1;
    const double begins = one ? (double)h->as.one.vox_offset : (double)h->as.two.vox_offset;
    out->taken = out->pair ? 0 : header;
    const double least = (double)out->taken;
    out->begins = begins >= least && begins < 1e12 ? (int64_t)begins : -1;
    if (begins == 0 && !out->pair) out->begins = (int64_t)header + 4;
    if (out->begins < 0)
        return fail(why, EXIT_INPUT, "%s: is a damaged NIfTI file (its voxels begin at byte %g)", name, begins);
    return EXIT_DONE;
}

/* True if the matrix can describe a place: its numbers are finite and it has an inverse. Some programs leave it zero or
 * NaN. */
static bool means_something(const nifti_dmat44 *m)
{
    const double(*const a)[4] = m->m;
    const double det = a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) -
                       a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
                       a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++)
            if (!isfinite(a[r][c])) return false;
    return isfinite(det) && det != 0;
}

/* Completes the header of a picture, which may lack the values of the third axis. */
static void complete_picture(nifti_image *nim)
{
    double place[3][4];
    if (!(isfinite(nim->dz) && nim->dz > 0)) nim->dz = 1;
    nifti_dmat44 *const both[2] = {&nim->sto_xyz, &nim->qto_xyz};
    for (int i = 0; i < 2; i++) {
        if (means_something(both[i])) continue;
        memcpy(place, both[i]->m, sizeof place);
        if (scan_place_picture(place, nim->dz)) memcpy(both[i]->m, place, sizeof place);
    }
}

/* Keeps spacing, scale and place, as libnifti interprets them. */
static void keep_meaning(const scan_input *in, const nifti_image *nim, scan *out)
{
    const double step[3] = {nim->dx, nim->dy, nim->dz};
    const bool sform = nim->sform_code > 0 && means_something(&nim->sto_xyz);
    const nifti_dmat44 *const m = sform ? &nim->sto_xyz : &nim->qto_xyz;
    bool good = true;
    for (int k = 0; k < 3; k++) good = good && isfinite(step[k]) && step[k] != 0 && fabs(step[k]) < 1e9 &&
        fabs(step[k]) > 1e-9;
    for (int k = 0; k < 3 && good; k++) out->spacing[k] = fabs(step[k]);
    if (!good) note(in->log, "%s: its spacing of %g x %g x %g means nothing; 1 x 1 x 1 is taken", in->name, step[0],
                    step[1], step[2]);
    if (nim->scl_slope != 0 && isfinite(nim->scl_slope) && isfinite(nim->scl_inter))
        out->slope = nim->scl_slope, out->offset = nim->scl_inter;
    out->placed = sform || (nim->qform_code > 0 && means_something(m));
    if (nim->sform_code > 0 && !sform)
        note(in->log, "%s: its sform means nothing; %s", in->name,
             out->placed ? "its qform is taken" : "where it lies in the patient is not known");
    for (int r = 0; r < 3 && out->placed; r++) memcpy(out->place[r], m->m[r], sizeof out->place[r]);
}

/* Reduces the header to one volume, for files of its labels. Switches a useless sform off. A picture stays a
 * picture. */
static void keep_one(nifti_header *h, bool sform)
{
    int16_t *const one = h->as.one.dim;
    int64_t *const two = h->as.two.dim;
    if (h->version == 1 && one[0] > 3) one[0] = 3;
    if (h->version == 2 && two[0] > 3) two[0] = 3;
    for (int k = 4; k < 8; k++) {
        if (h->version == 1) one[k] = 1;
        else two[k] = 1;
    }
    if (sform) return;
    if (h->version == 1) h->as.one.sform_code = 0;
    else h->as.two.sform_code = 0;
}

/* Lets libnifti interpret the header. Analyze 7.5 has other data where NIfTI has the place, so that is switched off
 * first. The scale stays, because SPM writes it in the same field of Analyze. */
static int take_meaning(const scan_input *in, nifti_header *h, scan *out, failure *why)
{
    if (h->version == 1 && !*h->as.one.magic) {
        h->as.one.qform_code = h->as.one.sform_code = 0;
        note(in->log, "%s: is Analyze 7.5, which does not say where the scan lies in the patient", in->name);
    }
    nifti_image *const nim = h->version == 1 ? nifti_convert_n1hdr2nim(h->as.one, NULL)
                                             : nifti_convert_n2hdr2nim(h->as.two, NULL);
    if (!nim) return fail(why, EXIT_INPUT, "%s: is a damaged NIfTI file (libnifti does not understand its header)",
                          in->name);
    if (h->version == 1 && !*h->as.one.magic) /* libnifti passes it over */
        nim->scl_slope = (double)h->as.one.scl_slope, nim->scl_inter = (double)h->as.one.scl_inter;
    out->flat = (h->version == 1 ? h->as.one.dim[0] : h->as.two.dim[0]) < 3;
    if (out->flat) complete_picture(nim);
    keep_meaning(in, nim, out);
    keep_one(h, means_something(&nim->sto_xyz));
    nifti_image_free(nim);
    if (bytes_append(&out->head, h, sizeof *h)) return EXIT_DONE;
    return fail(why, EXIT_RESOURCES, "%s: not enough memory for its header", in->name);
}

/* Opens the file with the voxels of a pair: NAME.img beside NAME.hdr or NAME.hdr.gz, or else NAME.img.gz. */
static int open_pair(const scan_input *in, scan_input *voxels, failure *why)
{
    const char *const slash = in->path ? strrchr(in->path, '/') : NULL;
    const char *const name = slash ? slash + 1 : in->path ? in->path : "its .img";
    const size_t length = scan_name_unpacked(name), stem = length > 4 && name[length - 4] == '.' ? length - 4 : length;
    char *const file = malloc(stem + sizeof ".img.gz");
    failure packed = {0};
    if (!file) return fail(why, EXIT_RESOURCES, "%s: not enough memory for its name", in->name);
    memcpy(file, name, stem);
    memcpy(file + stem, ".img", sizeof ".img");
    int status = scan_open_beside(in, file, voxels, why);
    if (status && in->path) {
        scan_close_beside(voxels);
        memcpy(file + stem, ".img.gz", sizeof ".img.gz");
        if (!scan_open_beside(in, file, voxels, &packed)) status = scan_unpack(voxels, why);
    }
    free(file);
    return status;
}

/* Reads the chosen channel of the chosen volume, or its colours. Those of RGB24 lie voxel by voxel, all other channels
 * after one another. */
static int take_array(scan_input *in, const scan_reading *request, const layout *array, scan *out, failure *why)
{
    const bool colors = array->numbers.pick.inner == 1;
    scan_numbers numbers = array->numbers;
    int64_t chosen[2];
    numbers.colors = (colors || array->volumes == 1) &&
                     scan_takes_colors(request, array->channels, (int)array->numbers.kind);
    int status = scan_select(in, request, numbers.colors ? 1 : array->channels, array->volumes, chosen, why);
    if (status) return status;
    const int64_t voxels = array->size[0] * array->size[1] * array->size[2];
    const uint64_t volume = (uint64_t)voxels * scan_kind_bytes(array->numbers.kind);
    const uint64_t before = (uint64_t)(colors ? chosen[1] * array->channels : chosen[0] * array->volumes + chosen[1]);
    if (colors || numbers.colors) numbers.pick = (scan_pick){colors ? 1 : voxels, array->channels, chosen[0]};
    status = scan_skip(in, (uint64_t)array->begins - array->taken, "header", why);
    if (!status) scan_note_longer(in, volume * (uint64_t)(array->channels * array->volumes));
    if (!status) status = scan_skip(in, volume * before, "header", why);
    return status ? status : scan_take_voxels(in, request, array->size, &numbers, out, why);
}

static int decode(scan_input *in, const scan_reading *request, scan *out, failure *why)
{
    nifti_header h;
    layout array = {.begins = 0};
    scan_input pair = {.file = -1};
    scan_extent unasked;
    int status = take_header(in, &h, why);
    if (!status) status = check_header(in->name, &h, &array, why);
    const image_limits limits = {.max_pixels = request->limits->max_pixels};
    const scan_reading silent = {.limits = &limits, .extent = &unasked};
    if (!status) status = scan_check_size(in->name, array.size, 1, &silent, why);
    if (status != EXIT_MEASURED) return status;
    status = take_meaning(in, &h, out, why);
    if (array.numbers.pick.inner) out->slope = 1, out->offset = 0; /* the standard scales no colours */
    if (!status && array.pair && !request->extent) {
        status = open_pair(in, &pair, why);
        if (!status) status = take_array(&pair, request, &array, out, why);
        scan_close_beside(&pair);
        in->chosen = true;
    } else if (!status) {
        status = take_array(in, request, &array, out, why);
    }
    return status;
}

/* ---- writing ---------------------------------------------------------------------------------- */

static int datatype_of(int type)
{
    return type == TILECUT_VOXEL_U8    ? DT_UINT8
           : type == TILECUT_VOXEL_U16 ? DT_UINT16
           : type == TILECUT_VOXEL_I16 ? DT_INT16
                                       : DT_FLOAT32;
}

/* Sets the fields that both versions have and that differ between labels and scan. Text fields are cleared, because
 * they may name a patient. */
#define DESCRIBE(h, what, begins)                                                                    \
    do {                                                                                             \
        (h)->datatype = (int16_t)datatype_of((what)->type);                                          \
        (h)->bitpix = (int16_t)(8 * scan_voxel_bytes((what)->type));                                 \
        (h)->scl_slope = 1, (h)->scl_inter = 0, (h)->cal_min = 0, (h)->cal_max = 0;                  \
        (h)->intent_code = 0, (h)->intent_p1 = 0, (h)->intent_p2 = 0, (h)->intent_p3 = 0;            \
        (h)->vox_offset = (begins);                                                                  \
        if (!flat) (h)->dim[0] = 3;                                                                  \
        (h)->dim[1] = (DIM)(what)->width, (h)->dim[2] = (DIM)(what)->height;                         \
        (h)->dim[3] = (DIM)(what)->depth;                                                            \
        for (int k = 4; k < 8; k++) (h)->dim[k] = 1;                                                 \
        memset((h)->intent_name, 0, sizeof (h)->intent_name);                                        \
        memset((h)->descrip, 0, sizeof (h)->descrip);                                                \
        memset((h)->aux_file, 0, sizeof (h)->aux_file);                                              \
    } while (0)

static void describe(nifti_header *h, const scan *what, bool flat)
{
    if (h->version == 1) {
#define DIM int16_t
        DESCRIBE(&h->as.one, what, 352);
#undef DIM
        memset(h->as.one.data_type, 0, sizeof h->as.one.data_type);
        memset(h->as.one.db_name, 0, sizeof h->as.one.db_name);
    } else {
#define DIM int64_t
        DESCRIBE(&h->as.two, what, 544);
#undef DIM
    }
}

static nifti_dmat44 place_of(const scan *like)
{
    nifti_dmat44 m;
    memset(&m, 0, sizeof m);
    for (int r = 0; r < 3; r++) memcpy(m.m[r], like->place[r], sizeof m.m[r]);
    m.m[3][3] = 1;
    return m;
}

/* Writes the place of the volume as a matrix, and as the nearest quaternion. */
#define PUT_PLACE(h, like)                                                                           \
    do {                                                                                             \
        double b, c, d, x, y, z, dx, dy, dz, fac;                                                    \
        nifti_dmat44_to_quatern(place_of(like), &b, &c, &d, &x, &y, &z, &dx, &dy, &dz, &fac);        \
        (h)->quatern_b = (TYPE)b, (h)->quatern_c = (TYPE)c, (h)->quatern_d = (TYPE)d;                \
        (h)->qoffset_x = (TYPE)x, (h)->qoffset_y = (TYPE)y, (h)->qoffset_z = (TYPE)z;                \
        (h)->pixdim[0] = (TYPE)fac;                                                                  \
        for (int k = 0; k < 4; k++) {                                                                \
            (h)->srow_x[k] = (TYPE)(like)->place[0][k];                                              \
            (h)->srow_y[k] = (TYPE)(like)->place[1][k];                                              \
            (h)->srow_z[k] = (TYPE)(like)->place[2][k];                                              \
        }                                                                                            \
        (h)->qform_code = (h)->sform_code = NIFTI_XFORM_SCANNER_ANAT;                                \
    } while (0)

/* Makes a header for a volume that does not come from NIfTI: version 1, unless a side is too long for it. */
static bool make_header(nifti_header *h, const scan *what, const scan *like)
{
    const int64_t dim[8] = {3, what->width, what->height, what->depth, 1, 1, 1, 1};
    const bool small = what->width <= INT16_MAX && what->height <= INT16_MAX && what->depth <= INT16_MAX;
    memset(h, 0, sizeof *h);
    h->version = small ? 1 : 2;
    void *const made = small ? (void *)nifti_make_new_n1_header(dim, datatype_of(what->type))
                             : (void *)nifti_make_new_n2_header(dim, datatype_of(what->type));
    if (!made) return false;
    memcpy(&h->as, made, small ? sizeof h->as.one : sizeof h->as.two);
    free(made);
    for (int k = 0; k < 3; k++) {
        const double step = like->spacing[0] > 0 ? like->spacing[k] : 1;
        if (small) h->as.one.pixdim[k + 1] = (float)step;
        else h->as.two.pixdim[k + 1] = step;
    }
    if (small) h->as.one.xyzt_units = NIFTI_UNITS_MM;
    else h->as.two.xyzt_units = NIFTI_UNITS_MM;
#define TYPE float
    if (like->placed && small) PUT_PLACE(&h->as.one, like);
#undef TYPE
#define TYPE double
    if (like->placed && !small) PUT_PLACE(&h->as.two, like);
#undef TYPE
    return true;
}

static int encode(scan_sink *sink, const scan *what, const scan *like, const scan_source *voxels, failure *why)
{
    static const uint8_t no_extension[4] = {0};
    nifti_header h;
    bool done = true;
    const bool kept = like->format == &image_nifti && like->head.size == sizeof h && what->type == TILECUT_VOXEL_U8;
    if (kept)
        memcpy(&h, like->head.data, sizeof h);
    else
        done = make_header(&h, what, like);
    describe(&h, what, kept && like->flat);
    memcpy(h.version == 1 ? h.as.one.magic : h.as.two.magic, h.version == 1 ? "n+1" : "n+2", 4);
    if (h.swapped) swap_nifti_header(&h.as, h.version);
    int status = done ? EXIT_DONE : fail(why, EXIT_RESOURCES, "%s: not enough memory to write it", sink->name);
    if (!status) status = scan_put(sink, &h.as, h.version == 1 ? sizeof h.as.one : sizeof h.as.two, why);
    if (!status) status = scan_put(sink, no_extension, sizeof no_extension, why);
    return status ? status : scan_put_voxels(sink, what, voxels, why);
}

const image_format image_nifti = {
    .name = "NIfTI",
    .slices = "NIfTI  read, write  versions 1 and 2, packed by gzip or not; pairs read; qform, sform and spacing kept",
    .extensions = {"nii.gz", "nii"},
    .probe = probe,
    .decode_slices = decode,
    .encode_slices = encode,
    .lossless = true,
    .pixel_bytes = 1,
    .flat = &scan_flat,
};
