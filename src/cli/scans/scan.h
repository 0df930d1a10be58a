/* SPDX-License-Identifier: MIT
 *
 * scan.h - volumes in files: scans, their seeds, their labels. The format is found by content when reading and by
 * extension when writing. A format is one file scan_*.c and one row in scans.def.
 */
#ifndef CLI_SCAN_H
#define CLI_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"
#include "file.h"
#include "image.h"
#include "spill.h"

struct file_stream;
typedef struct scan_format scan_format;

/* What the numbers of a volume of labels are: a name ("": none) and a colour of each. */
typedef struct scan_names {
    char name[256][64];
    uint8_t color[256][3];
} scan_names;

/* Grey values. Voxel (x, y, z) has the number (z * height + y) * width + x. */
typedef struct scan {
    int width, height, depth;
    int type;             /* TILECUT_VOXEL_U8 and friends, in native byte order                               */
    void *voxels;         /* packed; owned                                                                    */
    double slope, offset; /* what a voxel means: slope * value + offset; 1 and 0 where the file does not say  */
    double spacing[3];    /* between neighbours along x, y and z; all 0: the file does not say                */
    bool placed;          /* `place` is known                                                                 */
    double place[3][4];   /* matrix from voxel numbers (x, y, z, 1) to millimetres right, front, top          */
    char stored[24];      /* "int16, big endian": how the file has it                                         */
    const scan_format *format;
    bytes head;           /* what the format needs to write others like this one; owned                       */
    int above, slices;    /* of a part: slices before its first, and slices of the whole; 0 and 0: no part     */
    spill *spill;         /* which has the voxels; NULL: they are in memory                                    */
    scan_names *names;    /* of 3D Slicer's segmentations: .seg.nrrd; NULL: there are none; owned               */
} scan;

void scan_free(scan *s);

static inline size_t scan_count(const scan *s)
{
    return (size_t)s->width * (size_t)s->height * (size_t)s->depth;
}

/* Of the whole. */
static inline int scan_slices(const scan *s)
{
    return s->slices ? s->slices : s->depth;
}

size_t scan_voxel_bytes(int type);
double scan_value(const scan *s, size_t i); /* slope * value + offset */

/* The shape of files without a header: --size. width 0: not given. And which of several channels and volumes is meant,
 * counted from 1; 0: not given. */
typedef struct scan_shape {
    int width, height, depth;
    int kind;           /* enum scan_kind */
    bool swapped;       /* the other byte order than this machine's */
    double spacing[3];  /* --spacing; all 0: not given              */
    int channel, volume;
    bool optional;      /* files with one channel or one volume are fine, whatever is given */
    const char *series; /* --series: of a DICOM folder; NULL: not given; not owned */
} scan_shape;

/* One of the parts of a volume, each of which has some slices. All parts do the same steps at the same time. */
typedef struct scan_team {
    int part, parts;
    void *context;
    int (*sum)(void *context, int64_t *values, size_t count); /* over all; not 0: another one has failed */
} scan_team;

/* Own slices of a part among those that it has: first .. end - 1. Without a team: all. */
typedef struct scan_own {
    int first, end;
} scan_own;
scan_own scan_own_of(const scan *s, const scan_team *team);

/* Sums over all; without a team nothing is done. False: another one has failed. */
bool scan_sum(const scan_team *team, int64_t *values, size_t count);

/* How large a volume is, and where it lies; as in a scan. */
typedef struct scan_extent {
    int width, height, depth;
    size_t voxel; /* bytes of one in memory */
    bool placed;
    double spacing[3], place[3][4];
} scan_extent;

/* Of the whole. */
scan_extent scan_extent_of(const scan *s);

/* How the voxels of a volume lie on the axes of another one: along axis k of that one, voxel v has the number
 * sign[k] * v[axis[k]] + offset[k]. `same`: all three numbers are equal, and so are the sizes. */
typedef struct scan_map {
    bool same;
    int axis[3], sign[3];
    int64_t offset[3];
} scan_map;

/* Finds the map from the voxels of `from` to those of `to`. False: there is none; *apart is then by how many
 * millimetres the nearest such map misses in a corner, or -1 if one of them has another spacing or lies askew. If the
 * files do not say the place of both, sizes have to be equal, or it is false with *apart 0. */
bool scan_find_map(const scan_extent *from, const scan_extent *to, scan_map *out, double *apart);

/* Where voxel `v` lies; it may be outside. */
void scan_map_voxel(const scan_map *map, const int64_t v[3], int64_t to[3]);

/* How to read. */
typedef struct scan_reading {
    const image_limits *limits; /* as for pictures; max_pixels are voxels; `need`: it is to be cut */
    scan_shape shape;
    const scan_team *team; /* only the slices of this part and its halo are wanted; NULL: all */
    int parts;       /* how many it will be cut in; 0 and 1: in one, or not at all */
    spill *spill;    /* has the voxels; NULL: they are in memory */
    scan_extent *extent; /* of scan_measure() */
} scan_reading;

/* Reads `path` ("-": standard input), packed by gzip or not. On failure `*out` is empty. EXIT_INPUT, EXIT_RESOURCES;
 * EXIT_USAGE if the file has no header and no shape was given. */
int scan_read(const char *path, const scan_reading *request, scan *out, notes *log, failure *why);

/* Reads how large the volume in the file `path` is, without its voxels. Returns false if that fails; scan_read() says
 * why. */
bool scan_measure(const char *path, const scan_reading *request, scan_extent *out);

/* scan_read() for a file in memory; `name` is for messages. */
int scan_decode(const char *name, const uint8_t *data, size_t size, const scan_reading *request, scan *out, notes *log,
                failure *why);

/* The format of the file `path`, if its content or its name shows that it is a volume; otherwise NULL. A TIFF is one if
 * it has two pages or more. Pipes are not read. */
const scan_format *scan_recognise(const char *path);

/* Whether `path` is a folder in which the content of a file is DICOM. */
bool scan_is_folder(const char *path);

/* Whether the file is surely a volume. A TIFF is not, as it may also be a photo of several pages. */
bool scan_tells_itself(const char *path);

/* Whether volumes can be written under that name: EXIT_DONE, or EXIT_USAGE with a sentence. "-" is NRRD. */
int scan_can_write(const char *path, failure *why);

/* Whether the name alone says that a volume is meant, and no picture: .nii, .nii.gz, .nrrd. */
bool scan_is_named(const char *path);

/* Appends to `sink` what belongs into `path`. Place and spacing are those of `like`, whatever its format: a file in the
 * format of `like` keeps them bit for bit. NULL: those of `what`. EXIT_RESOURCES, EXIT_USAGE, EXIT_RUNTIME. */
int scan_encode(const char *path, const scan *what, const scan *like, bytes *sink, failure *why);

/* Voxels of a volume that is written, in their order: take() has the next `size` bytes of them. */
typedef struct scan_source {
    int (*take)(void *context, uint8_t *to, size_t size, failure *why);
    void *context;
} scan_source;

/* The same file, written piece by piece to `stream`, which is open for it: of `what` only shape and type are used, and
 * memory is a few pieces. Also what source->take() returns if it fails. */
int scan_encode_to(const char *path, const scan *what, const scan *like, const scan_source *voxels,
                   struct file_stream *stream, failure *why);

/* One line per format for `tilecut info`; NULL past the end. */
const char *scan_format_line(int index);

/* ---- for scan_*.c ---- */

/* How numbers are stored in files. */
enum scan_kind { SCAN_U8, SCAN_I8, SCAN_U16, SCAN_I16, SCAN_U32, SCAN_I32, SCAN_U64, SCAN_I64, SCAN_F32, SCAN_F64,
                 SCAN_KINDS };
size_t scan_kind_bytes(enum scan_kind kind);
const char *scan_kind_name(enum scan_kind kind); /* "uint8" */

/* A file: its bytes, or what gzip has packed into them, in order. */
typedef struct scan_input {
    const char *name;
    const char *path;    /* NULL: it has none, so no files lie beside it                     */
    const uint8_t *data; /* the file as it is, size bytes; NULL: read where it is wanted    */
    int file;            /* then it is open here                                             */
    size_t size, at;
    struct gzip_reader *packed; /* NULL: not packed        */
    notes *log;
    bool chosen;         /* scan_select() was asked        */
} scan_input;

/* Opens the file `path` so that it can be read at any place. False: it is none, is empty, or cannot be read. */
bool scan_open(const char *path, scan_input *in);

/* Opens a file that the header in `in` names, in the same folder unless it says otherwise. scan_close_beside() in any
 * case. EXIT_INPUT, with the name of both. */
int scan_open_beside(const scan_input *in, const char *name, scan_input *out, failure *why);
void scan_close_beside(scan_input *in);

/* Which one of `channels` and of `volumes` is wanted, from 0 on: EXIT_INPUT if there are several and none was chosen,
 * EXIT_USAGE if there are fewer. */
int scan_select(scan_input *in, const scan_reading *request, int64_t channels, int64_t volumes, int64_t chosen[2],
                failure *why);

/* One of several channels of a file: `inner` voxels of the first one are followed by as many of the next, and after the
 * last of `count` the first one goes on. */
typedef struct scan_pick {
    int64_t inner, count, which;
} scan_pick;

/* The next `size` bytes; EXIT_INPUT with a sentence that the file ends within its `part`. */
int scan_take(scan_input *in, void *to, size_t size, const char *part, failure *why);

/* Passes over `size` bytes. */
int scan_skip(scan_input *in, uint64_t size, const char *part, failure *why);

/* From here on `in` is what gzip has packed into the rest of the file. */
int scan_unpack(scan_input *in, failure *why);

/* Refuses a header of sizes along `count` axes, channels and volumes among them, whose voxels no file can hold. */
int scan_check_count(const char *name, const int64_t *size, int count, failure *why);

/* Refuses a size from the header, before memory is taken; asks limits->admit(). `bytes`: a voxel in memory.
 * EXIT_MEASURED, without a sentence: nothing but the size is wanted. */
enum { EXIT_MEASURED = -1 };
int scan_check_size(const char *name, const int64_t size[3], size_t bytes, const scan_reading *request, failure *why);

/* Sets the shape: of the slices that are wanted. */
void scan_set_shape(scan *out, const int64_t size[3], const scan_reading *request);

/* Memory for voxels, zero; NULL: there is none. */
void *scan_take_memory(scan *out, const scan_reading *request, size_t size);

/* How voxels are stored. */
typedef struct scan_numbers {
    enum scan_kind kind;
    bool swapped;   /* the other byte order than this machine's */
    scan_pick pick; /* count 0: all voxels are wanted           */
} scan_numbers;

/* Checks the size, takes memory and reads all voxels. Kinds of more than 16 bits become float. Sets the shape, type and
 * stored of `out`. */
int scan_take_voxels(scan_input *in, const scan_reading *request, const int64_t size[3], const scan_numbers *numbers,
                     scan *out, failure *why);

/* Converts `count` numbers of that kind to voxels of the type that scan_take_voxels() gives them. */
void scan_convert(enum scan_kind kind, bool swapped, const uint8_t *from, void *to, size_t count);
int scan_type_of(enum scan_kind kind);
bool scan_is_little(void); /* this machine's byte order */

/* A file in the making. */
typedef struct scan_sink {
    const char *name;            /* for messages                                              */
    bytes *memory;               /* where it goes; or NULL, and                               */
    struct file_stream *stream;  /* it goes there                                             */
    struct gzip_writer *packer;  /* what is put is packed first; NULL: it is not              */
} scan_sink;

int scan_put(scan_sink *sink, const void *data, size_t size, failure *why);
int scan_put_voxels(scan_sink *sink, const scan *what, const scan_source *voxels, failure *why);

/* What is put in between is packed by gzip. scan_pack_end() in any case. `status`: of what was put; the file
 * is ended only if that is EXIT_DONE, and what is returned is the first status that is not. */
int scan_pack_begin(scan_sink *sink, failure *why);
int scan_pack_end(scan_sink *sink, int status, failure *why);

struct scan_format {
    const char *name;          /* "NIfTI"                                                        */
    const char *line;          /* for scan_format_line()                                         */
    const char *(*line_here)(void); /* the same, where it depends on the machine; NULL: it does not */
    const char *extensions[4]; /* ".nii", ".nii.gz": longest first where one ends another        */
    const char *without;       /* "libnifti": needed, and not found when this was built          */
    /* NULL: there is nothing to recognise it by. `begin`: the first bytes, unpacked. */
    bool (*probe)(const uint8_t *begin, size_t size);
    /* Whether the whole file is meant, where its beginning does not tell; NULL: it does. */
    bool (*confirm)(const scan_input *in);
    int (*decode)(scan_input *in, const scan_reading *request, scan *out, failure *why);
    int (*encode)(scan_sink *sink, const scan *what, const scan *like, const scan_source *voxels, failure *why);
};

int nrrd_encode(scan_sink *sink, const scan *what, const scan *like, const scan_source *voxels, failure *why);

#define SCAN(variable) extern const scan_format scan_##variable;
#include "scans.def"
#undef SCAN

enum { SCAN_BEGIN = 1024 };

#endif
