/* SPDX-License-Identifier: MIT
 *
 * image_foreign.c - recognises other kinds of files, because "is a PDF file; convert it to PNG first" helps more than
 * "not a picture".
 */
#include "image_foreign.h"

#include <stdbool.h>
#include <string.h>

/* A known kind of file has the bytes `magic` at offset `at`. The first matching row is used. */
static const struct {
    size_t at, size;
    const char *magic, *is;
} kinds[] = {
    {8, 4, "AVI ", "an AVI video"},
    {4, 7, "ftypcrx", "a CR3 raw file"},
    {4, 4, "ftyp", "an MP4 video"},
    {0, 8, "\0\0\0\x0cJXL ", "a JPEG XL file"},
    {0, 2, "\xff\x0a", "a JPEG XL file"},
    {0, 8, "\0\0\0\x0cjP  ", "a JPEG 2000 file"},
    {0, 4, "\xff\x4f\xff\x51", "a JPEG 2000 file"},
    {0, 3, "P7\n", "a PAM file"},
    {0, 6, "P7 332", "a thumbnail of xv"},
    {0, 3, "PF\n", "a PFM file"},
    {0, 3, "Pf\n", "a PFM file"},
    {0, 4, "qoif", "a QOI file"},
    {0, 4, "8BPS", "a Photoshop file"},
    {0, 8, "gimp xcf", "a GIMP file"},
    {0, 4, "%PDF", "a PDF file"},
    {0, 4, "\x76\x2f\x31\x01", "an OpenEXR file"},
    {0, 10, "#?RADIANCE", "a Radiance HDR file"},
    {0, 4, "DDS ", "a DDS file"},
    {0, 4, "\x8aMNG", "an MNG file"},
    {0, 4, "\x8bJNG", "a JNG file"},
    {0, 6, "\x93NUMPY", "a NumPy array"},
    {0, 3, "\x01\xda\x01", "an SGI picture"},
    {0, 3, "\x01\xda\0", "an SGI picture"},
    {0, 4, "\x59\xa6\x6a\x95", "a Sun raster file"},
    {0, 9, "/* XPM */", "an XPM picture"},
};

/* True if the text begins with `word`, in upper or lower case. Blanks and a byte order mark before it are skipped. */
static bool starts_with(const uint8_t *bytes, size_t size, const char *word)
{
    size_t i = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (i < size && (bytes[i] == ' ' || (bytes[i] >= '\t' && bytes[i] <= '\r'))) i++;
    for (; *word; word++, i++)
        if (i >= size || (bytes[i] | 0x20) != (*word | 0x20)) return false;
    return true;
}

/* True for an icon or a cursor, which is a list of pictures; the first picture must lie behind the list. */
static bool is_icon(const uint8_t *bytes, size_t size)
{
    if (size < 22 || memcmp(bytes, "\0\0", 2) != 0 || bytes[2] < 1 || bytes[2] > 2 || bytes[3]) return false;
    const uint32_t count = bytes[4] | (uint32_t)bytes[5] << 8;
    const uint32_t at = bytes[18] | (uint32_t)bytes[19] << 8 | (uint32_t)bytes[20] << 16 | (uint32_t)bytes[21] << 24;
    return count && !bytes[9] && at >= 6 + 16 * count && at < 1 << 24;
}

static bool ends_with(const char *name, const char *ending)
{
    const size_t n = strlen(name), size = strlen(ending);
    return n > size && !strcmp(name + n - size, ending);
}

/* Returns the name of a scan format that tilecut does not read, found from the file's name; or NULL. Sets *by to a
 * program that converts it. */
static const char *scan_of(const char *name, const char **by)
{
    static const struct {
        const char *ending, *is, *by;
    } scans[] = {
        {".mgz", "a FreeSurfer scan", "mri_convert"}, {".mgh", "a FreeSurfer scan", "mri_convert"},
        {".mnc", "a MINC scan", "mnc2nii"},
    };
    for (size_t i = 0; i < sizeof scans / sizeof *scans; i++) {
        *by = scans[i].by;
        if (ends_with(name, scans[i].ending)) return scans[i].is;
    }
    return NULL;
}

int image_fail_foreign(const char *name, const uint8_t *bytes, size_t size, const char *readable, failure *why)
{
    const char *by, *const scan = scan_of(name, &by);
    if (scan) return fail(why, EXIT_INPUT, "%s: is %s; convert it to NIfTI first (%s)", name, scan, by);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (size >= kinds[i].at + kinds[i].size && memcmp(bytes + kinds[i].at, kinds[i].magic, kinds[i].size) == 0)
            return fail(why, EXIT_INPUT, "%s: is %s; convert it to PNG first", name, kinds[i].is);
    if (ends_with(name, ".csv") || ends_with(name, ".wkt"))
        return fail(why, EXIT_INPUT, "%s: is no picture, and shapes are not read from CSV or WKT; export them as JSON, "
                    "XML, SVG or YOLO's text", name);
    if (is_icon(bytes, size)) return fail(why, EXIT_INPUT, "%s: is an icon file; convert it to PNG first", name);
    if (starts_with(bytes, size, "<svg") || starts_with(bytes, size, "<?xml"))
        return fail(why, EXIT_INPUT, "%s: is an SVG or XML file; convert it to PNG first", name);
    if (starts_with(bytes, size, "<!doctype") || starts_with(bytes, size, "<html"))
        return fail(why, EXIT_INPUT, "%s: is a web page, not a picture; download the picture itself", name);
    if (size >= 2 && (memcmp(bytes, "\xff\xfe", 2) == 0 || memcmp(bytes, "\xfe\xff", 2) == 0))
        return fail(why, EXIT_INPUT, "%s: is text in UTF-16; save it in UTF-8", name);
    if (starts_with(bytes, size, "version https://git-lfs"))
        return fail(why, EXIT_INPUT, "%s: is a pointer of Git LFS; fetch the file itself (git lfs pull)", name);
    if (size >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b)
        return fail(why, EXIT_INPUT, "%s: is compressed with gzip; unpack it first", name);
    if (size >= 4 && memcmp(bytes, "PK\3\4", 4) == 0)
        return fail(why, EXIT_INPUT, "%s: is a ZIP archive; unpack it first", name);
    if (size >= 4 && memcmp(bytes + (size >= 4 && bytes[0] == 0x89), "PNG", 3) == 0)
        return fail(why, EXIT_INPUT, "%s: is a PNG damaged by a transfer as text; transfer it as binary", name);
    return fail(why, EXIT_INPUT, "%s: not a %s file", name, readable);
}
