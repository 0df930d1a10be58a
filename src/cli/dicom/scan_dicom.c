/* SPDX-License-Identifier: MIT
 *
 * scan_dicom.c - DICOM, the format of medical scanners: a folder with a file per slice, or one file with several
 * frames. gdcm reads the files in a child process (dicom_child.h); dicom_stack.c orders the slices.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "dicom_child.h"
#include "dicom_probe.h"
#include "dicom_stack.h"
#include "folders.h"
#include "tilecut_volume.h"

/* The images read so far: first all of them, later those of one series. */
typedef struct dicom_set {
    const char *name; /* the folder or the file, for messages */
    apart its;
    dicom_image *images;
    int count, others; /* others: number of files that are no images  */
    char other[64];    /* name of one of the files that are no images */
    notes *log;
    failure *why;
} dicom_set;

/* Frees the images from number `first` on. */
static void drop_images(dicom_set *set, int first)
{
    for (int i = first; i < set->count; i++) {
        free(set->images[i].path);
        free(set->images[i].frames);
    }
    set->count = first;
}

/* ---- What is wrong ---------------------------------------------------------------------------- */

static int refuse(const dicom_set *set, const char *path, const dicom_facts *facts)
{
    failure *const why = set->why;
    switch (facts->answer) {
    case DICOM_NO_LIBRARY:
        return fail(why, EXIT_INPUT, "%s: is a DICOM file, and gdcm, which reads it, cannot be loaded here (%s); "
                    "install it (Debian package libgdcm3.0), or convert the files to NIfTI", path, facts->text);
    case DICOM_NO_IMAGE:
        return fail(why, EXIT_INPUT, "%s: is a DICOM file without an image; name the folder or file of a scan", path);
    case DICOM_CUT_SHORT:
        return fail(why, EXIT_INPUT, "%s: is cut short, values are missing; save or copy it again", path);
    case DICOM_UNSUPPORTED:
        return fail(why, EXIT_INPUT, "%s: is a DICOM file of a kind that is not read (%s)", path, facts->text);
    case DICOM_UNDECODED:
        return fail(why, EXIT_INPUT, "%s: is a DICOM file that gdcm does not decode: it is damaged, or packed in a way "
                    "that gdcm does not know (transfer syntax %s)", path, facts->text);
    case DICOM_NO_MEMORY: return fail(why, EXIT_RESOURCES, "%s: not enough memory to read it", path);
    default:
        return fail(why, EXIT_INPUT, "%s: is a damaged DICOM file (%s); save or copy it again", path, facts->text);
    }
}

/* Refuses a file because the child process has ended while reading it. */
static int refuse_ending(dicom_set *set, const char *path)
{
    const bool stuck = set->its.stuck;
    const int ending = apart_finish(&set->its);
    set->its = (apart){.socket = -1};
    if (stuck)
        return fail(set->why, EXIT_INPUT, "%s: is a damaged DICOM file (reading it comes to no end); save or copy it "
                    "again", path);
    if (WIFSIGNALED(ending))
        return fail(set->why, EXIT_INPUT, "%s: is damaged, or needs far more memory than its size tells: reading it "
                    "ended by signal %d", path, WTERMSIG(ending));
    return fail(set->why, EXIT_INPUT, "%s: is a damaged DICOM file; save or copy it again", path);
}

/* ---- Headers ---------------------------------------------------------------------------------- */

/* Reads the header of the file `path` and takes ownership of `path`. If `alone`, a file that is no image is
 * an error. */
static int take_file(dicom_set *set, char *path, bool alone)
{
    dicom_facts facts = {.answer = DICOM_NO_IMAGE};
    dicom_frame *frames = NULL;
    int status = EXIT_DONE;
    if (alone || scan_holds_dicom(path))
        if (!dicom_ask_header(&set->its, path, &facts, &frames)) status = refuse_ending(set, path);
    const char *const slash = strrchr(path, '/'), *const name = slash ? slash + 1 : path;
    const bool passed = !alone && facts.answer == DICOM_NO_IMAGE;
    if (!status && passed && !set->others++) snprintf(set->other, sizeof set->other, "%s", name);
    if (!status && !passed && facts.answer != DICOM_DONE) status = refuse(set, path, &facts);
    void *const more = status || passed ? NULL : realloc(set->images, ((size_t)set->count + 1) * sizeof *set->images);
    if (more) {
        set->images = more;
        set->images[set->count++] = (dicom_image){.path = path, .name = name, .facts = facts,
                                                  .frames = frames};
        return EXIT_DONE;
    }
    if (!status && !passed) status = fail(set->why, EXIT_RESOURCES, "%s: not enough memory for its header", path);
    free(frames);
    free(path);
    return status;
}

/* Reads the headers of the folder's regular files, sorted by name. */
static int take_folder(dicom_set *set, const char *folder)
{
    struct dirent **entries = NULL;
    const int count = scandir(folder, &entries, folders_visible, alphasort);
    int status = count < 0 ? fail(set->why, EXIT_INPUT, "%s: cannot be read: %s", folder, strerror(errno)) : EXIT_DONE;
    for (int i = 0; i < count; i++) {
        struct stat about;
        char *const path = status ? NULL : folders_join(folder, entries[i]->d_name);
        free(entries[i]);
        if (status) continue;
        if (!path) status = fail(set->why, EXIT_RESOURCES, "%s: not enough memory for its names", folder);
        else if (stat(path, &about) || !S_ISREG(about.st_mode)) free(path);
        else status = take_file(set, path, false);
    }
    free(entries);
    if (!status && set->others)
        note(set->log, "%s: %d of its files, %s among them, %s no images and %s passed over", folder, set->others,
             set->other, set->others > 1 ? "are" : "is", set->others > 1 ? "are" : "is");
    if (!status && !set->count)
        return fail(set->why, EXIT_INPUT, "%s: holds no DICOM images; name the folder whose files are the slices",
                    folder);
    return status;
}

/* ---- Series ----------------------------------------------------------------------------------- */

/* Returns the number of frames in the series of image `at`; 0 if an earlier image belongs to the same series. */
static int count_series(const dicom_set *set, int at)
{
    int frames = 0;
    for (int i = 0; i < set->count; i++) {
        const bool same = !strcmp(set->images[i].facts.series, set->images[at].facts.series);
        if (same && i < at) return 0;
        if (same) frames += set->images[i].facts.frames;
    }
    return frames;
}

/* Lists the series for a message: "1.2.3 (CT, thorax, 120 images), 1.2.4 (MR, 1 image)". Returns their number. */
static int list_series(const dicom_set *set, char *text, size_t room)
{
    enum { MOST = 3 };
    int count = 0;
    *text = '\0';
    for (int i = 0; i < set->count; i++) {
        const dicom_facts *const f = &set->images[i].facts;
        const int frames = count_series(set, i);
        const size_t used = strlen(text);
        if (!frames || ++count > MOST) continue;
        snprintf(text + used, room - used, "%s%s (%s%s%.24s%s%d image%s)", used ? ", " : "", f->series, f->modality,
                 *f->modality ? ", " : "", f->description, *f->description ? ", " : "", frames, frames > 1 ? "s" : "");
    }
    const size_t used = strlen(text);
    if (count > MOST) snprintf(text + used, room - used, " and %d more", count - MOST);
    return count;
}

/* Drops all images but those of one series. */
static int choose_series(dicom_set *set, const char *wanted)
{
    char text[440];
    const int series = list_series(set, text, sizeof text);
    if (!wanted && series > 1)
        return fail(set->why, EXIT_INPUT, "%s: holds %d series; say which one is meant with --series UID: %s",
                    set->name, series, text);
    int kept = 0;
    for (int i = 0; wanted && i < set->count; i++) {
        const dicom_image it = set->images[i];
        if (strcmp(it.facts.series, wanted)) continue;
        set->images[i] = set->images[kept];
        set->images[kept++] = it;
    }
    if (wanted && !kept)
        return fail(set->why, EXIT_USAGE, "--series %s: %s holds no such series; it holds %s", wanted, set->name, text);
    if (wanted) drop_images(set, kept);
    return EXIT_DONE;
}

/* ---- Values ----------------------------------------------------------------------------------- */

typedef struct taking {
    dicom_set *set;
    const dicom_stack *stack;
    int channel, volume;
    bool colors;     /* all channels are read, and not only `channel` */
    uint8_t *values; /* scratch buffer for the values of one frame */
    size_t room;     /* size of `values` in bytes                  */
} taking;

/* Reads a stored value, of which only the low f->stored bits count. */
static double stored_value(const dicom_facts *f, const uint8_t *at)
{
    uint8_t one;
    uint16_t two;
    uint32_t bits;
    if (f->bytes == 1) memcpy(&one, at, 1), bits = one;
    else if (f->bytes == 2) memcpy(&two, at, 2), bits = two;
    else memcpy(&bits, at, 4);
    const uint32_t mask = f->stored >= 32 ? UINT32_MAX : (UINT32_C(1) << f->stored) - 1;
    bits &= mask;
    return f->is_signed && bits >> (f->stored - 1) ? (double)bits - (double)mask - 1 : (double)bits;
}

/* Converts one frame, one of its channels or all of them, to samples of type `type`. */
static void convert(const taking *t, const dicom_image *source, const dicom_frame *frame, int type, void *to)
{
    const dicom_facts *const f = &source->facts;
    const size_t samples = t->colors ? (size_t)f->channels : 1, count = (size_t)f->columns * (size_t)f->rows * samples;
    const size_t step = (size_t)f->channels * (size_t)f->bytes / samples;
    const uint8_t *from = t->values + (size_t)t->channel * (size_t)f->bytes;
    for (size_t i = 0; i < count; i++, from += step) {
        double value = stored_value(f, from);
        if (t->stack->scaled) value = frame->slope * value + frame->offset;
        if (type == TILECUT_VOXEL_U8) ((uint8_t *)to)[i] = (uint8_t)value;
        else if (type == TILECUT_VOXEL_U16) ((uint16_t *)to)[i] = (uint16_t)value;
        else if (type == TILECUT_VOXEL_I16) ((int16_t *)to)[i] = (int16_t)value;
        else ((float *)to)[i] = (float)value;
    }
}

static int take_slices(taking *t, scan *out)
{
    const dicom_stack *const stack = t->stack;
    dicom_set *const set = t->set;
    const size_t voxel = scan_voxel_bytes(out->type) * (size_t)scan_channels(out);
    const size_t slice = (size_t)out->width * (size_t)out->height * voxel;
    for (int z = 0; z < out->depth; z++) {
        const dicom_slice *const it = &stack->slice[(z + out->above) * stack->volumes + t->volume];
        dicom_image *const source = &set->images[it->image];
        dicom_facts made;
        const size_t room = source->facts.frame_bytes * (size_t)source->facts.frames * 3;
        if (!dicom_ask_values(&set->its, source->path, it->frame, room, &made, t->values,
                              (size_t)source->facts.frame_bytes))
            return refuse_ending(set, source->path);
        if (made.answer != DICOM_DONE) return refuse(set, source->path, &made);
        convert(t, source, &source->frames[it->frame], out->type, (uint8_t *)out->voxels + (size_t)z * slice);
    }
    return EXIT_DONE;
}

static int take_voxels(taking *t, scan_input *in, const scan_reading *request, scan *out)
{
    const dicom_facts *const f = &t->set->images[0].facts;
    const dicom_stack *const stack = t->stack;
    failure *const why = t->set->why;
    const int64_t size[3] = {f->columns, f->rows, stack->depth};
    static const enum scan_kind kinds[2][3] = {{SCAN_U8, SCAN_U16, SCAN_U32}, {SCAN_I8, SCAN_I16, SCAN_I32}};
    const enum scan_kind kind = stack->scaled ? SCAN_F32 : kinds[f->is_signed][f->bytes / 2];
    out->type = scan_type_of(kind);
    /* The decoder holds a file with several frames twice: encoded, and decoded as a whole. */
    out->channels = t->colors ? 3 : 1;
    const size_t stays = scan_voxel_bytes(out->type) * (size_t)scan_channels(out);
    const size_t voxel = stays + (f->frames > 1 ? 2 * (size_t)(f->bytes * f->channels) : 0);
    STEP(scan_check_size(in->name, size, voxel, request, why));
    scan_set_shape(out, size, request);
    snprintf(out->stored, sizeof out->stored, "%s", scan_kind_name(kind));
    out->voxels = scan_take_memory(out, request, scan_count(out) * stays);
    for (int i = 0; i < t->set->count; i++)
        if (t->set->images[i].facts.frame_bytes > t->room) t->room = (size_t)t->set->images[i].facts.frame_bytes;
    t->values = malloc(t->room);
    if (!out->voxels || !t->values)
        return fail(why, EXIT_RESOURCES, "%s: not enough %s for its voxels", in->name,
                    out->spill ? "room on the disk" : "memory");
    return take_slices(t, out);
}

/* A photo's channels are red, green and blue; a scan may take any one of others, too. */
static int check_colors(const dicom_set *set, const scan_reading *request)
{
    const dicom_facts *const f = &set->images[0].facts;
    if (!request->picture || f->channels == 1 || f->is_rgb) return EXIT_DONE;
    return fail(set->why, EXIT_INPUT, "%s: by its header its channels are not red, green and blue; convert it, or cut "
                "it as a scan with --channel 1 to %d", set->name, (int)f->channels);
}

static int read_set(dicom_set *set, scan_input *in, const scan_reading *request, scan *out)
{
    dicom_stack stack = {0};
    int64_t chosen[2];
    int status = choose_series(set, request->shape.series);
    if (!status) status = dicom_stack_make(set->name, set->images, set->count, &stack, set->log, set->why);
    if (!status) status = check_colors(set, request);
    const dicom_facts *const f = &set->images[0].facts;
    const int kind = f->bytes == 1 ? SCAN_U8 : SCAN_U16;
    const bool colors = !status && f->is_rgb && !f->is_signed && f->bytes < 3 && !stack.scaled &&
                        scan_takes_colors(request, f->channels, kind);
    if (!status) status = scan_select(in, request, colors ? 1 : f->channels, stack.volumes, chosen, set->why);
    if (!status) {
        taking t = {.colors = colors, .set = set, .stack = &stack, .channel = (int)chosen[0], .volume = (int)chosen[1]};
        out->placed = stack.facts.placed;
        out->slope = stack.facts.slope, out->offset = stack.facts.offset;
        memcpy(out->spacing, stack.facts.spacing, sizeof out->spacing);
        memcpy(out->place, stack.facts.place, sizeof out->place);
        status = take_voxels(&t, in, request, out);
        free(t.values);
    }
    dicom_stack_free(&stack);
    return status;
}

static int decode_dicom(scan_input *in, const scan_reading *request, scan *out, failure *why)
{
    dicom_set set = {.name = in->name, .log = in->log, .why = why};
    struct stat about;
    if (in->packed) return fail(why, EXIT_INPUT, "%s: is a DICOM file packed by gzip; unpack it first", in->name);
    if (!in->path)
        return fail(why, EXIT_INPUT, "%s: is a DICOM file, which is read by its name only; save it, and name the file",
                    in->name);
    if (!dicom_begin(&set.its))
        return fail(why, EXIT_RESOURCES, "%s: no process can be started to read it: %s", in->name, strerror(errno));
    const bool folder = !stat(in->path, &about) && S_ISDIR(about.st_mode);
    char *const path = folder ? NULL : strdup(in->path);
    int status = folder ? take_folder(&set, in->path)
                 : path ? take_file(&set, path, true)
                        : fail(why, EXIT_RESOURCES, "%s: not enough memory for its name", in->name);
    if (!status) status = read_set(&set, in, request, out);
    if (set.its.socket >= 0) apart_finish(&set.its);
    drop_images(&set, 0);
    free(set.images);
    return status;
}

static const char *line_here(void)
{
    return dicom_is_here() ? image_dicom.slices
                           : "DICOM  no            tilecut-dicom.so or libgdcm cannot be loaded; Debian package "
                             "libgdcm3.0";
}

const image_format image_dicom = {
    .name = "DICOM",
    .slices = "DICOM  read         a folder with a file a slice, or one file of several frames; place, spacing, units",
    .line_here = line_here,
    .probe = dicom_probe,
    .decode_slices = decode_dicom,
    .flat = &scan_flat,
};
