/* SPDX-License-Identifier: MIT
 *
 * image_jpeg.c - JPEG through libjpeg-turbo. By default, libjpeg ends the program on errors, and paints missing parts
 * grey; here both return a status and a sentence. setjmp() is only used in this file, in a function that does nothing
 * else.
 */
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>

#include <jerror.h>

#include "image.h"
#include "image_exif.h"

enum { EXIF = JPEG_APP0 + 1, ICC = JPEG_APP0 + 2, NOTES_MAX = 4, SCANS_MAX = 1000, ROWS = 16 };

typedef struct reading {
    struct jpeg_error_mgr errors; /* must be first, because libjpeg returns a pointer to it */
    struct jpeg_progress_mgr progress;
    jmp_buf jump;
    struct jpeg_decompress_struct jpeg;
    const char *name;
    const uint8_t *bytes;
    size_t size;
    const image_limits *limits;
    image *out;
    notes *list;
    int notes_made, orientation;
    bool begun, ended;   /* begun: samples are being read; ended: the file ends too early */
    failure *why;
} reading;

static bool probe_jpeg(const uint8_t *file, size_t size)
{
    return size >= 3 && file[0] == 0xff && file[1] == 0xd8 && file[2] == 0xff;
}

static reading *reader_of(j_common_ptr jpeg)
{
    return (reading *)(void *)jpeg->err;
}

/* ---- What libjpeg has to say ------------------------------------------------------------------ */

static void leave_libjpeg(reading *reader)
{
    longjmp(reader->jump, 1);
}

static void leave_cut_short(reading *reader)
{
    fail(reader->why, EXIT_INPUT, "%s: is cut short, picture data is missing; save or copy it again", reader->name);
    leave_libjpeg(reader);
}

static void on_error(j_common_ptr jpeg)
{
    reading *const reader = reader_of(jpeg);
    char text[JMSG_LENGTH_MAX];
    jpeg->err->format_message(jpeg, text);
    switch (jpeg->err->msg_code) {
    case JERR_OUT_OF_MEMORY:
        fail(reader->why, EXIT_RESOURCES, "%s: not enough memory to read it", reader->name);
        break;
    case JERR_INPUT_EOF: leave_cut_short(reader); break;
    case JERR_EMPTY_IMAGE:
        fail(reader->why, EXIT_INPUT, "%s: its header says 0 pixels; a picture has at least one", reader->name);
        break;
    case JERR_BAD_PRECISION:
        fail(reader->why, EXIT_INPUT, "%s: is a JPEG of %d bits a sample; only 8 are supported, convert it to PNG",
             reader->name, jpeg->err->msg_parm.i[0]);
        break;
    case JERR_SOF_UNSUPPORTED:
#if JPEG_LIB_VERSION < 70 /* with a newer interface, as in Ubuntu's build, libjpeg-turbo decodes arithmetic coding */
    case JERR_ARITH_NOTIMPL:
#endif
        fail(reader->why, EXIT_INPUT, "%s: is a JPEG of a rare kind (%s); convert it to PNG first", reader->name, text);
        break;
    default:
        fail(reader->why, EXIT_INPUT, "%s: is a damaged JPEG (%s); save or copy it again", reader->name, text);
    }
    leave_libjpeg(reader);
}

/* Handles a message of libjpeg. Warnings have a level below 0. Missing data would become grey pixels, so they are an
 * error; other damage becomes a note. */
static void on_message(j_common_ptr jpeg, int level)
{
    reading *const reader = reader_of(jpeg);
    char text[JMSG_LENGTH_MAX];
    if (level >= 0) return;
    if (jpeg->err->msg_code == JWRN_HIT_MARKER) leave_cut_short(reader);
    if (jpeg->err->msg_code == JWRN_JPEG_EOF) {
        reader->ended = true;
        /* If reading has not begun, or the coding is arithmetic, check_end() cannot detect the loss. */
        if (!reader->begun || reader->jpeg.arith_code) leave_cut_short(reader);
        return;
    }
    if (reader->notes_made++ >= NOTES_MAX) return;
    jpeg->err->format_message(jpeg, text);
    note(reader->list, "%s: JPEG: %s", reader->name, text);
}

static void on_output(j_common_ptr jpeg)
{
    (void)jpeg;
}

/* Limits the scans: a progressive file of a few kilobytes can ask for thousands of passes over millions of pixels. */
static void on_progress(j_common_ptr jpeg)
{
    reading *const reader = reader_of(jpeg);
    if (!jpeg->is_decompressor || reader->jpeg.input_scan_number <= SCANS_MAX) return;
    fail(reader->why, EXIT_INPUT, "%s: is a JPEG of more than %d scans; convert it to PNG first", reader->name,
         SCANS_MAX);
    leave_libjpeg(reader);
}

/* ---- Reading ---------------------------------------------------------------------------------- */

static const char XMP_NAME[] = "http://ns.adobe.com/xap/1.0/";

/* Finds the first APP1 segment that begins with `name`, which has `size` bytes. */
static jpeg_saved_marker_ptr find_marker(const struct jpeg_decompress_struct *jpeg, const char *name, size_t size)
{
    jpeg_saved_marker_ptr marker = jpeg->marker_list;
    while (marker && (marker->marker != EXIF || marker->data_length < size || memcmp(marker->data, name, size) != 0))
        marker = marker->next;
    return marker;
}

/* Keeps the EXIF data and its density, and the orientation from EXIF or XMP. */
static void keep_exif(reading *reader)
{
    const struct jpeg_decompress_struct *const jpeg = &reader->jpeg;
    if (jpeg->saw_JFIF_marker && jpeg->X_density && jpeg->Y_density) {
        reader->out->density[0] = density_of(jpeg->X_density, jpeg->density_unit + 1);
        reader->out->density[1] = density_of(jpeg->Y_density, jpeg->density_unit + 1);
    }
    const jpeg_saved_marker_ptr exif = find_marker(jpeg, "Exif\0", 6);
    const jpeg_saved_marker_ptr xmp = find_marker(jpeg, XMP_NAME, sizeof XMP_NAME);
    reader->orientation = exif_orientation(exif ? exif->data : NULL, exif ? exif->data_length : 0,
                                           xmp ? xmp->data : NULL, xmp ? xmp->data_length : 0);
    if (exif && exif_keep(reader->name, exif->data, exif->data_length, reader->out, reader->why)) leave_libjpeg(reader);
}

static bool is_cmyk(const struct jpeg_decompress_struct *jpeg)
{
    return jpeg->jpeg_color_space == JCS_CMYK || jpeg->jpeg_color_space == JCS_YCCK;
}

static void check_kind(reading *reader)
{
    const struct jpeg_decompress_struct *const jpeg = &reader->jpeg;
    const int components = jpeg->num_components;
    /* A file with several scans makes libjpeg hold the coefficients of the whole picture, 16 bits each. */
    const int bytes_per_pixel = components * (jpeg_has_multiple_scans(&reader->jpeg) ? 3 : 1);
    int status = EXIT_DONE;
    if (jpeg->data_precision != 8)
        status = fail(reader->why, EXIT_INPUT, "%s: is a JPEG of %d bits a sample; only 8 are supported, convert it to "
                      "PNG", reader->name, jpeg->data_precision);
    else if (components != 1 && components != 3 && !is_cmyk(jpeg))
        status = fail(reader->why, EXIT_INPUT, "%s: is a JPEG of %d colour components; only grey and colour with 3 are "
                      "supported", reader->name, components);
    else
        status = image_check_size(reader->name, jpeg->image_width, jpeg->image_height,
                                  (uint64_t)bytes_per_pixel, reader->limits, reader->why);
    if (status) leave_libjpeg(reader);
}

static void keep_profile(reading *reader)
{
    JOCTET *profile = NULL;
    unsigned size = 0;
    if (is_cmyk(&reader->jpeg)) return; /* the profile describes inks, but the result is RGB */
    if (!jpeg_read_icc_profile(&reader->jpeg, &profile, &size)) return;
    reader->out->icc = profile; /* from malloc() */
    reader->out->icc_size = size;
}

/* Converts CMYK to RGB. As in Adobe's files, each sample is the share of light that an ink leaves, so a colour is
 * multiplied by black. djpeg, PIL and browsers read all CMYK files in this way, with or without Adobe's marker. */
static void light_of_inks(uint8_t *pixels, size_t count)
{
    for (size_t p = 0; p < count; p++) {
        const unsigned black = pixels[4 * p + 3];
        for (size_t c = 0; c < 3; c++) pixels[3 * p + c] = (uint8_t)((pixels[4 * p + c] * black + 127) / 255);
    }
}

static void read_rows(reading *reader)
{
    struct jpeg_decompress_struct *const jpeg = &reader->jpeg;
    const size_t row = (size_t)jpeg->output_width * (size_t)reader->out->channels;
    while (jpeg->output_scanline < jpeg->output_height) {
        JSAMPROW rows[ROWS];
        const unsigned left = jpeg->output_height - jpeg->output_scanline, count = left < ROWS ? left : ROWS;
        for (unsigned i = 0; i < count; i++) rows[i] = reader->out->pixels + (jpeg->output_scanline + i) * row;
        jpeg_read_scanlines(jpeg, rows, count);
    }
}

/* Checks a file that lacks its end mark; all samples may still be there. They are not if a whole scan is missing: then
 * a colour has no table, or some coefficients lack their lowest bits. */
static void check_end(reading *reader)
{
    const struct jpeg_decompress_struct *const jpeg = &reader->jpeg;
    bool whole = true;
    for (int c = 0; c < jpeg->num_components; c++) {
        whole = whole && jpeg->comp_info[c].quant_table;
        for (int k = 0; jpeg->progressive_mode && jpeg->coef_bits && k < DCTSIZE2; k++)
            whole = whole && jpeg->coef_bits[c][k] == 0;
    }
    if (!whole) leave_cut_short(reader);
    note(reader->list, "%s: lacks the mark at its end; all of its pixels are there", reader->name);
}

static void read_picture(reading *reader)
{
    struct jpeg_decompress_struct *const jpeg = &reader->jpeg;
    jpeg_create_decompress(jpeg);
    jpeg->progress = &reader->progress;
    jpeg_mem_src(jpeg, reader->bytes, (unsigned long)reader->size);
    jpeg_save_markers(jpeg, EXIF, 0xffff);
    jpeg_save_markers(jpeg, ICC, 0xffff);
    jpeg_read_header(jpeg, TRUE);
    check_kind(reader);
    keep_exif(reader);
    keep_profile(reader);
    const int channels = jpeg->num_components;
    jpeg->out_color_space = channels == 1 ? JCS_GRAYSCALE : channels == 4 ? JCS_CMYK : JCS_RGB;
    reader->begun = true;
    jpeg_start_decompress(jpeg);
    if (image_allocate(reader->name, (int)jpeg->output_width, (int)jpeg->output_height, channels, 8,
                       reader->out, reader->why))
        leave_libjpeg(reader);
    read_rows(reader);
    if (channels == 4) {
        light_of_inks(reader->out->pixels, (size_t)jpeg->output_width * jpeg->output_height);
        reader->out->channels = 3;
    }
    if (reader->ended) check_end(reader);
    const bool report = reader->ended;
    jpeg_finish_decompress(jpeg); /* reads on to the end of the file, and frees the markers   */
    if (reader->ended && !report)
        note(reader->list, "%s: lacks the mark at its end; all of its pixels are there", reader->name);
    reader->out->lossy = true;
}

static bool read_guarded(reading *reader)
{
    if (setjmp(reader->jump)) return false;
    read_picture(reader);
    return true;
}

static int decode_jpeg(const char *name, const uint8_t *file, size_t size, const image_limits *limits, image *out,
                  notes *list, failure *why)
{
    reading reader = {
        .name = name, .bytes = file, .size = size, .limits = limits, .out = out, .list = list, .why = why};
    reader.jpeg.err = jpeg_std_error(&reader.errors);
    reader.errors.error_exit = on_error;
    reader.errors.emit_message = on_message;
    reader.errors.output_message = on_output;
    reader.progress.progress_monitor = on_progress;
    const int status = read_guarded(&reader) ? image_orient(name, reader.orientation, limits, out, why) : why->status;
    jpeg_destroy_decompress(&reader.jpeg);
    return status;
}

const image_format image_jpeg = {
    .name = "JPEG",
    .line = "JPEG  read          8 bits, grey, colour and CMYK; EXIF orientation; ICC, EXIF, dpi kept",
    .probe = probe_jpeg,
    .decode = decode_jpeg,
};
