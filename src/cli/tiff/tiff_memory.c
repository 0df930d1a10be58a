/* SPDX-License-Identifier: MIT
 *
 * image_tiff_memory.c - a TIFF file in memory, for libtiff. libtiff seeks, so it may also write in the middle of a
 * sink.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "file_write.h"
#include "image_tiff.h"

enum { NOTES_MAX = 4 };

static uint64_t size_of(const tiff_memory *m)
{
    return m->sink ? m->sink->size - m->start : m->size;
}

static tmsize_t on_read(thandle_t handle, void *to, tmsize_t count)
{
    tiff_memory *const m = handle;
    const uint64_t size = size_of(m), left = m->at < size ? size - m->at : 0;
    const uint8_t *const from = m->sink && m->sink->data ? m->sink->data + m->start : m->file;
    if (count < 0) return -1;
    size_t take = (uint64_t)count < left ? (size_t)count : (size_t)left;
    if (!from) {
        const ssize_t got = take ? pread(m->descriptor, to, take, (off_t)m->at) : 0;
        take = got > 0 ? (size_t)got : 0;
    } else if (take) memcpy(to, from + m->at, take);
    m->at += take;
    return (tmsize_t)take;
}

static tmsize_t write_there(tiff_memory *m, const void *from, tmsize_t count)
{
    if (!m->failed) m->failed = file_write_at(m->descriptor, from, (size_t)count, (int64_t)m->at);
    if (m->failed) return -1;
    m->at += (uint64_t)count;
    if (m->size < m->at) m->size = (size_t)m->at;
    return count;
}

static tmsize_t on_write(thandle_t handle, void *from, tmsize_t count)
{
    static const uint8_t zeros[256] = {0};
    tiff_memory *const m = handle;
    size_t over = 0;
    if (count < 0 || (!m->sink && !m->written)) return -1;
    if (m->written) return write_there(m, from, count);
    while (size_of(m) < m->at) {
        const uint64_t gap = m->at - size_of(m);
        m->no_memory = !bytes_append(m->sink, zeros, gap < sizeof zeros ? (size_t)gap : sizeof zeros);
        if (m->no_memory) return -1;
    }
    if (m->at < size_of(m)) { /* in the middle */
        const uint64_t left = size_of(m) - m->at;
        over = (uint64_t)count < left ? (size_t)count : (size_t)left;
        memcpy(m->sink->data + m->start + m->at, from, over);
    }
    m->no_memory = !bytes_append(m->sink, (const uint8_t *)from + over, (size_t)count - over);
    if (m->no_memory) return -1;
    m->at += (uint64_t)count;
    return count;
}

static toff_t on_seek(thandle_t handle, toff_t offset, int whence)
{
    tiff_memory *const m = handle;
    m->at = whence == SEEK_SET ? offset : (whence == SEEK_CUR ? m->at : size_of(m)) + offset;
    return m->at;
}

static int on_close(thandle_t handle)
{
    (void)handle;
    return 0;
}

static toff_t on_size(thandle_t handle)
{
    return size_of(handle);
}

static int on_map(thandle_t handle, void **base, toff_t *size)
{
    tiff_memory *const m = handle;
    if (m->sink || !m->file) return 0;
    *base = (void *)(uintptr_t)m->file; /* the cast is safe: libtiff only reads mapped bytes */
    *size = m->size;
    return 1;
}

static void on_unmap(thandle_t handle, void *base, toff_t size)
{
    (void)handle, (void)base, (void)size;
}

static int on_error(TIFF *tiff, void *context, const char *module, const char *format, va_list arguments)
{
    tiff_memory *const m = context;
    (void)tiff, (void)module;
    if (m->error[0]) return 1;
    vsnprintf(m->error, sizeof m->error, format, arguments);
    for (size_t end = strlen(m->error); end && strchr(". \n", m->error[end - 1]); end--) m->error[end - 1] = '\0';
    if (strstr(m->error, "emory") || strstr(m->error, "alloc")) m->no_memory = true;
    return 1;
}

/* Drops warnings about tags that cameras and editors invent, but not that sizes of strips make no sense, which libtiff
 * then reckons from the rows. */
static int on_warning(TIFF *tiff, void *context, const char *module, const char *format, va_list arguments)
{
    tiff_memory *const m = context;
    char text[200];
    (void)tiff;
    if (m->list && !m->sizes_noted && strstr(format, "calculating from imagelength")) {
        m->sizes_noted = true;
        note(m->list, "%s: its strips have not the sizes that it says; they are read as long as their rows need",
             m->name);
    }
    if (!m->list || (module && (strstr(module, "Directory") || strstr(module, "NormalTag")))) return 1;
    if (m->notes_made++ >= NOTES_MAX) return 1;
    vsnprintf(text, sizeof text, format, arguments);
    note(m->list, "%s: TIFF: %s", m->name, text);
    return 1;
}

TIFF *tiff_open(tiff_memory *memory, const char *mode, uint64_t most)
{
    TIFFOpenOptions *const options = TIFFOpenOptionsAlloc();
    memory->no_memory = !options;
    if (!options) return NULL;
    TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, memory);
    TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, memory);
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)most);
    TIFF *const tiff = TIFFClientOpenExt(memory->name, mode, memory, on_read, on_write, on_seek, on_close, on_size,
                                         on_map, on_unmap, options);
    TIFFOpenOptionsFree(options);
    return tiff;
}

void tiff_describe(TIFF *tiff, int64_t width, int64_t height, int bits, int samples)
{
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, (uint32_t)width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, (uint32_t)height);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, bits);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, samples);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, samples > 2 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, TIFFIsCODECConfigured(COMPRESSION_ADOBE_DEFLATE) ? COMPRESSION_ADOBE_DEFLATE
                                                                                             : COMPRESSION_LZW);
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, TIFFDefaultStripSize(tiff, 0));
}
