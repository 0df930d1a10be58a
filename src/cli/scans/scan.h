/* SPDX-License-Identifier: MIT
 *
 * scan.h - volumes in files: scans, their seeds, their labels. The format is found by content when reading and by
 * extension when writing, in the table of pictures (image.h). A picture is a volume of one slice.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"
#include "file.h"
#include "image.h"
#include "spill.h"
#include "tilecut_parts.h"

struct file_stream;

/* The names ("": none) and colours of the numbers in a volume of labels. */
typedef struct scan_names {
    char name[256][64];
    uint8_t color[256][3];
    bool colored[256]; /* the file gives the colour */
} scan_names;

/* A volume of grey values or colours. Voxel (x, y, z) has the index (z * height + y) * width + x. */
typedef struct scan {
    int width, height, depth;
    int type;             /* type of the samples in native byte order: TILECUT_VOXEL_U8 and so on */
    int channels;         /* 3: colours, whose samples lie side by side; 0 or 1: grey */
    void *voxels;         /* packed; owned                                                                    */
    double slope, offset; /* the meaning of a voxel is slope * value + offset; 1 and 0 if the file does not say */
    double spacing[3];    /* distances between neighbours along x, y and z; all 0: unknown */
    bool placed;          /* `place` is known                                                                 */
    double place[3][4];   /* matrix from voxel indices (x, y, z, 1) to millimetres right, front, top */
    char stored[24];      /* how the file stores voxels, such as "int16, big endian" */
    const image_format *format;
    bytes head;           /* header data that are needed to write labels of this scan in its format; owned */
    bool flat;            /* `head` describes a picture of two axes; depth is 1 */
    int above, slices;    /* for a part: slices before its first one, and slices of the whole scan; both 0: not a
                             part */
    spill *spill;         /* the file on disk that holds the voxels; NULL: memory holds them */
    scan_names *names;    /* segment names of 3D Slicer's .seg.nrrd; NULL: none; owned */
} scan;

void scan_free(scan *s);

static inline size_t scan_count(const scan *s)
{
    return (size_t)s->width * (size_t)s->height * (size_t)s->depth;
}

/* Samples of a voxel. */
static inline int scan_channels(const scan *s)
{
    return s->channels ? s->channels : 1;
}

/* Of the whole. */
static inline int scan_slices(const scan *s)
{
    return s->slices ? s->slices : s->depth;
}

size_t scan_voxel_bytes(int type); /* bytes of a sample */
double scan_stored(const void *voxels, int type, size_t i); /* returns sample i as it is stored, of that type */
double scan_value(const scan *s, size_t i); /* returns the meaning of sample i: slope * value + offset */

/* The shape of files without a header (--size), width 0: not given; and the channel and the volume of a file to read,
 * counted from 1, 0: not given. */
typedef struct scan_shape {
    int width, height, depth;
    int kind;           /* enum scan_kind */
    bool swapped;       /* byte order differs from that of this machine */
    double spacing[3];  /* distances between voxels given by --spacing; all 0: not given */
    int channel, volume;
    bool color;         /* --channel color */
    bool optional;      /* for seeds and labels: if the file has one channel or volume, read it, whichever was chosen */
    const char *series; /* --series, of a DICOM folder; NULL: not given; not owned */
} scan_shape;

/* The slices of a part that are its own and not copies of a neighbour's: first .. end - 1. Without a team all slices
 * are own. */
typedef struct scan_own {
    int first, end;
} scan_own;
scan_own scan_own_of(const scan *s, const tilecut_exchange *team);

/* Replaces the values by their sums over all parts. Does nothing without a team. Returns false if another part has
 * failed. */
bool scan_sum(const tilecut_exchange *team, int64_t *values, size_t count);

/* The size of a volume and its place. Fields are as in `scan`. */
typedef struct scan_extent {
    int width, height, depth;
    size_t voxel; /* bytes of a voxel in memory */
    bool placed;
    double spacing[3], place[3][4];
} scan_extent;

/* Of the whole. */
scan_extent scan_extent_of(const scan *s);

/* Where the voxels of one volume lie in another: voxel v of the one has the index sign[k] * v[axis[k]] + offset[k]
 * along axis k of the other, which has size[k] voxels there. `same`: indices and sizes are equal. */
typedef struct scan_map {
    bool same;
    int axis[3], sign[3];
    int64_t offset[3], size[3];
} scan_map;

/* Finds the map from the voxels of `from` to those of `to`. Returns false if there is none, and then sets *apart: to
 * the distance in millimetres by which the nearest map misses a corner; to infinity if no voxel of `from` lies in `to`;
 * or to -1 if a spacing differs or a volume is oblique. If the place of one volume is unknown, both must have the same
 * size; otherwise returns false, with *apart 0. */
bool scan_find_map(const scan_extent *from, const scan_extent *to, scan_map *out, double *apart);

/* Does scan_find_map() for the volumes `name` and `other`, and returns EXIT_SEEDS with a sentence if there is no map.
 * `what` is the word for the first volume in that sentence, such as "a mask". */
int scan_check_map(const scan_extent *from, const char *name, const scan_extent *to, const char *other,
                   const char *what, scan_map *out, failure *why);

/* Checks marked voxels of the volume `name`: `outside` of them lie outside of `other`. If that is all of them, refuses
 * the volume; if it is some, adds a note. */
int scan_check_outside(const char *name, const char *other, int64_t outside, int64_t marked, notes *log,
                       failure *why);

/* Computes where voxel `v` lies in the other volume. Returns false if that is outside of it. */
bool scan_map_voxel(const scan_map *map, const int64_t v[3], int64_t to[3]);

/* How to read. */
typedef struct scan_reading {
    const image_limits *limits; /* the limits, as for pictures; max_pixels counts voxels; `need` is set if the volume is
                                   to be cut */
    scan_shape shape;
    const tilecut_exchange *team; /* read only the slices of this part and its halo; NULL: read all */
    int parts;       /* number of parts in which the volume will be cut; 1: as a whole; 0: it will not be cut */
    spill *spill;    /* the file on disk for the voxels; NULL: memory */
    scan_extent *extent; /* of scan_measure() */
    bool colors;     /* three channels of whole numbers without a sign are read as colours, and a fourth is their alpha,
                        unless a channel is chosen; scan_settle_colors() follows. False: one channel is read */
    int *picture;    /* a picture is wanted, one slice in grey or in colour, or seeds that may have colours; channels
                        are counted here, and one is read. NULL: a volume in grey is wanted */
} scan_reading;

/* Reads `path` ("-": standard input), with or without gzip. On failure `*out` is empty. EXIT_INPUT, EXIT_RESOURCES;
 * EXIT_USAGE if the file has no header and no shape was given. */
int scan_read(const char *path, const scan_reading *request, scan *out, notes *log, failure *why);

/* Reads the size of the volume in the file `path`, but not its voxels. Returns false on failure; scan_read() would
 * report the error. */
bool scan_measure(const char *path, const scan_reading *request, scan_extent *out);

/* Does scan_read() for a file in memory; `name` is for messages. */
int scan_decode(const char *name, const uint8_t *data, size_t size, const scan_reading *request, scan *out, notes *log,
                failure *why);

/* Returns the format of the file `path` if its content or its name shows that it is a volume; otherwise NULL. A TIFF is
 * a volume if it has two pages or more. Does not read from pipes. */
const image_format *scan_recognise(const char *path);

/* True if this file in memory may be a volume of several slices by its content. */
bool scan_is_content(const uint8_t *data, size_t size);

/* scan_holds_dicom() is true if the file begins as DICOM does, scan_is_folder() if `path` is a folder that contains
 * such a file. */
bool scan_holds_dicom(const char *path);
bool scan_is_folder(const char *path);

/* True if the file is certainly a volume. A TIFF is not, because its pages may also be photos. */
bool scan_is_certain(const char *path);

/* Checks that a volume of so many slices (0: not known yet) can be written under that name: returns EXIT_DONE, or
 * EXIT_USAGE with a sentence. "-" is NRRD. One slice can be written as a picture that loses nothing. */
int scan_can_write(const char *path, int slices, failure *why);

/* True if the name alone shows that the file is a volume and not a picture: .nii, .nii.gz, .nrrd. */
bool scan_is_named(const char *path);

/* Appends the content of the file `path` to `sink`. Place and spacing are those of `like`, bit for bit if `like` was
 * read from the same format; if `like` is NULL, those of `what`. Returns EXIT_RESOURCES, EXIT_USAGE or EXIT_RUNTIME on
 * failure. */
int scan_encode(const char *path, const scan *what, const scan *like, bytes *sink, failure *why);

/* Delivers the voxels of a volume to be written, in order: each call of take() fetches the next `size` bytes. */
typedef struct scan_source {
    int (*take)(void *context, uint8_t *to, size_t size, failure *why);
    void *context;
} scan_source;

/* Like scan_encode(), but writes piece by piece to `stream`, which is open for the file. Uses only the shape and type
 * of `what`, and keeps only a few pieces in memory. If source->take() fails, returns its status. */
int scan_encode_to(const char *path, const scan *what, const scan *like, const scan_source *voxels,
                   struct file_stream *stream, failure *why);

/* Returns one line about a format for `tilecut info`; NULL past the end. */
const char *scan_format_line(int index);

/* ---- for scan_*.c ---- */

/* The types of numbers that files may contain. */
enum scan_kind { SCAN_U8, SCAN_I8, SCAN_U16, SCAN_I16, SCAN_U32, SCAN_I32, SCAN_U64, SCAN_I64, SCAN_F32, SCAN_F64,
                 SCAN_KINDS };
size_t scan_kind_bytes(enum scan_kind kind);
const char *scan_kind_name(enum scan_kind kind); /* "uint8" */

/* A file that is read in order: its bytes, or what they unpack to if gzip packed them. */
typedef struct scan_input {
    const char *name;
    const char *path;    /* NULL: there is no path, and so no files beside it */
    const uint8_t *data; /* the whole file, `size` bytes; NULL: read from `file` */
    int file;            /* descriptor of the open file, if `data` is NULL */
    size_t size, at;
    struct gzip_reader *packed; /* NULL: not packed        */
    notes *log;
    bool chosen;         /* scan_select() was called       */
    bool counted;        /* scan_note_longer() has said how many bytes the voxels take, of which `due` are left */
    uint64_t due;
} scan_input;

/* Opens the file `path` for reading at any position. Returns false if it does not exist, is empty, or cannot be
 * read. */
bool scan_open(const char *path, scan_input *in);

/* Opens a file that the header in `in` names; a name without a folder means the header's folder. Always call
 * scan_close_beside() afterwards. EXIT_INPUT, with a sentence that names both files. */
int scan_open_beside(const scan_input *in, const char *name, scan_input *out, failure *why);
void scan_close_beside(scan_input *in);

/* Chooses the channel and the volume to read, counted from 0. EXIT_INPUT if there are several and the user chose none;
 * EXIT_USAGE if there are fewer than the chosen number. */
int scan_select(scan_input *in, const scan_reading *request, int64_t channels, int64_t volumes, int64_t chosen[2],
                failure *why);

/* True if a file with so many channels of this kind is read in colour. Four are not if a picture is wanted, because its
 * alpha counts. */
bool scan_takes_colors(const scan_reading *request, int64_t channels, int kind);

/* Turns the colours of a scan into grey values, in place, if they are all grey in all parts. Returns false if another
 * part has failed. */
bool scan_settle_colors(scan *s, const tilecut_exchange *team);

/* Leaves the first channel of each voxel, in place. */
void scan_keep_one_channel(scan *s);

/* Selects one of `count` channels. In the file, `inner` voxels of the first channel are followed by `inner` voxels of
 * the next, and so on; after the last channel the first one continues. */
typedef struct scan_pick {
    int64_t inner, count, which;
} scan_pick;

/* Returns the length of a file's name without .gz at its end, in capitals or not. */
size_t scan_name_unpacked(const char *name);

/* Reads the next `size` bytes. EXIT_INPUT, with a sentence that the file ends within its `part`. */
int scan_take(scan_input *in, void *to, size_t size, const char *part, failure *why);

/* Skips `size` bytes. */
int scan_skip(scan_input *in, uint64_t size, const char *part, failure *why);

/* Notes that a file has more bytes than its voxels, which are about to be read. Of a packed file that is known, and
 * noted, once it has been read to its end. */
void scan_note_longer(scan_input *in, uint64_t voxels);

/* Notes that the spacing in a file is 0, negative or no number along some axis, so that it does not count. */
void scan_note_spacing(const char *name, notes *log);

/* Adds the note that `count` pixels are transparent and used as if they were opaque, if there are any. */
void scan_note_transparent(const char *name, int64_t count, notes *log);

/* Makes later reads from `in` unpack the rest of the file, which gzip packed. */
int scan_unpack(scan_input *in, failure *why);

/* Refuses a header whose sizes along `count` axes (including channels and volumes) multiply to more voxels than any
 * file can hold. */
int scan_check_count(const char *name, const int64_t *size, int count, failure *why);

/* Checks the size in the header before memory is taken, and calls limits->admit(). `bytes` is the size of a voxel in
 * memory. Returns EXIT_MEASURED, and no sentence, if the caller only wants to know the size. */
enum { EXIT_MEASURED = -1 };
int scan_check_size(const char *name, const int64_t size[3], size_t bytes, const scan_reading *request, failure *why);

/* Completes the direction of the third axis for a picture of two axes: at right angles to both, and of length `step`.
 * Returns false if the two axes have no directions. */
bool scan_place_picture(double place[3][4], double step);

/* Sets the shape of `out` to that of the slices to read. */
void scan_set_shape(scan *out, const int64_t size[3], const scan_reading *request);

/* Allocates memory for voxels, filled with zeros; NULL if it does not suffice. */
void *scan_take_memory(scan *out, const scan_reading *request, size_t size);

/* How voxels are stored. */
typedef struct scan_numbers {
    enum scan_kind kind;
    bool swapped;   /* byte order differs from that of this machine */
    scan_pick pick; /* count 0: all voxels are read */
    bool colors;    /* the first three channels of `pick` are read, and lie side by side afterwards; a fourth is alpha,
                       which is left out with a note */
} scan_numbers;

/* Checks the size, takes memory and reads all voxels. Types of more than 16 bits become float. Sets the shape, type and
 * stored of `out`. */
int scan_take_voxels(scan_input *in, const scan_reading *request, const int64_t size[3], const scan_numbers *numbers,
                     scan *out, failure *why);

/* scan_convert() converts `count` numbers of a kind to voxels; scan_type_of() is the type of these voxels. */
void scan_convert(enum scan_kind kind, bool swapped, const uint8_t *from, void *to, size_t count);
int scan_type_of(enum scan_kind kind);
bool scan_is_little(void); /* true if this machine is little-endian */

/* A file that is being made. */
typedef struct scan_sink {
    const char *name;            /* for messages                                               */
    bytes *memory;               /* where the file goes; NULL: to `stream` */
    struct file_stream *stream;  /* the file goes here                                         */
    struct gzip_writer *packer;  /* compresses all bytes on their way; NULL: they are not compressed */
} scan_sink;

int scan_put(scan_sink *sink, const void *data, size_t size, failure *why);
int scan_put_voxels(scan_sink *sink, const scan *what, const scan_source *voxels, failure *why);

/* Bytes put between these two calls are compressed by gzip. Always call scan_pack_end(). `status` is the result of
 * those puts; unless it is EXIT_DONE, the compressed file is not completed. Returns the first status that is not
 * EXIT_DONE. */
int scan_pack_begin(scan_sink *sink, failure *why);
int scan_pack_end(scan_sink *sink, int status, failure *why);

/* For the row of a format that holds volumes alone. */
extern const image_flat scan_flat;

/* Writes by a format; `packed`: by gzip, too. */
int scan_encode_as(const image_format *format, bool packed, const scan *what, const scan *like,
                   const scan_source *voxels, scan_sink *sink, failure *why);

/* For scan_source, of voxels in memory: `next` is the address of a pointer to the next ones. */
int scan_take_held(void *next, uint8_t *to, size_t size, failure *why);

/* A picture as a volume of one slice, and several pictures in a file as its slices: decode_slices() and encode_slices()
 * of formats that hold pictures alone. Colours are channels, unless all are grey. A palette is read as its colours, or
 * as its indices where seeds are read. Alpha is left out, but not of seeds in colour. */
int scan_take_picture(scan_input *in, const scan_reading *request, scan *out, failure *why);
/* True if the file `path` is a picture format that holds several pictures, which are slices of a volume. */
bool scan_has_pictures(const char *path);
/* True if the file `path` is a TIFF whose first two pages are alike, in grey or in colour. */
bool scan_has_pages(const char *path);
int scan_put_picture(scan_sink *sink, const char *path, const scan *what, const scan_source *voxels, failure *why);

int nrrd_encode(scan_sink *sink, const scan *what, const scan *like, const scan_source *voxels, failure *why);

enum { SCAN_BEGIN = 1024 };
