/* SPDX-License-Identifier: MIT
 *
 * scan_open.c - opens the files of volumes, and files with voxels that a header names; chooses one of several channels
 * and volumes in a file.
 */
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "folders.h"
#include "gzip.h"
#include "scan.h"

bool scan_open(const char *path, scan_input *in)
{
    struct stat about;
    const int file = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    if (file < 0) return false;
    if (fstat(file, &about) || !S_ISREG(about.st_mode) || !about.st_size) {
        close(file);
        return false;
    }
    in->file = file;
    in->path = path;
    in->size = (size_t)about.st_size;
    return true;
}

bool scan_holds_dicom(const char *path)
{
    uint8_t begin[SCAN_BEGIN];
    scan_input in = {.name = path};
    failure ignored;
    if (!scan_open(path, &in)) return false;
    const size_t have = in.size < SCAN_BEGIN ? in.size : SCAN_BEGIN;
    const bool is = !scan_take(&in, begin, have, "header", &ignored) && image_dicom.probe(begin, have);
    close(in.file);
    return is;
}

bool scan_is_folder(const char *path)
{
    struct stat about;
    DIR *const folder = !stat(path, &about) && S_ISDIR(about.st_mode) ? opendir(path) : NULL;
    bool is = false;
    for (struct dirent *entry; folder && !is && (entry = readdir(folder));) {
        char *const file = folders_visible(entry) ? folders_join(path, entry->d_name) : NULL;
        is = file && scan_holds_dicom(file);
        free(file);
    }
    if (folder) closedir(folder);
    return is;
}

int scan_open_beside(const scan_input *in, const char *name, scan_input *out, failure *why)
{
    *out = (scan_input){.log = in->log, .file = -1};
    if (!in->path)
        return fail(why, EXIT_INPUT, "%s: has its voxels in another file, %.60s, which cannot be found from here; name "
                    "the file", in->name, name);
    const char *const slash = strrchr(in->path, '/');
    const int folder = !file_is_absolute(name) && slash ? (int)(slash + 1 - in->path) : 0;
    const size_t room = (size_t)folder + strlen(name) + 1;
    char *const path = malloc(room);
    if (!path) return fail(why, EXIT_RESOURCES, "%s: not enough memory for its name", in->name);
    snprintf(path, room, "%.*s%s", folder, in->path, name);
    out->name = path;
    if (scan_open(path, out)) return EXIT_DONE;
    out->file = -1;
    return fail(why, EXIT_INPUT, "%s: has its voxels in %.200s, which cannot be read", in->name, path);
}

void scan_close_beside(scan_input *in)
{
    gzip_close(in->packed);
    if (in->file >= 0) close(in->file);
    free((char *)(uintptr_t)in->name);
    *in = (scan_input){.file = -1};
}

/* Chooses one channel or one volume of a file; `word` says which: "channel" or "volume". */
static int choose(const char *name, const char *word, int given, bool optional, int64_t count, int64_t *chosen,
                  failure *why)
{
    *chosen = count > 1 && given ? given - 1 : 0;
    if (count == 1 && (optional || given <= 1)) return EXIT_DONE;
    if (!given)
        return fail(why, EXIT_INPUT, "%s: holds %" PRId64 " %ss; say which one is meant with --%s 1 to %" PRId64, name,
                    count, word, word, count);
    if (given <= count) return EXIT_DONE;
    if (count == 1)
        return fail(why, EXIT_USAGE, "--%s %d: %s holds one %s; leave it out", word, given, name, word);
    return fail(why, EXIT_USAGE, "--%s %d: %s holds %" PRId64 " %ss, counted from 1", word, given, name, count, word);
}

bool scan_takes_colors(const scan_reading *request, int64_t channels, int kind)
{
    const bool fits = channels == 3 || (channels == 4 && !request->picture);
    return request->colors && !request->shape.channel && fits && (kind == SCAN_U8 || kind == SCAN_U16);
}

int scan_select(scan_input *in, const scan_reading *request, int64_t channels, int64_t volumes, int64_t chosen[2],
                failure *why)
{
    const scan_shape *const shape = &request->shape;
    in->chosen = true;
    const bool fits = volumes == 1 && (channels == 1 || channels == 3 || channels == 4);
    if (request->picture && !fits && !shape->optional)
        return fail(why, EXIT_INPUT, "%s: holds %" PRId64 " %s, and one picture is wanted here, in grey or of 3 or 4 "
                    "channels", in->name, volumes > 1 ? volumes : channels, volumes > 1 ? "volumes" : "channels");
    if (request->picture && fits) {
        *request->picture = (int)channels;
        return chosen[1] = 0, choose(in->name, "channel", shape->channel ? shape->channel : 1, shape->optional,
                                     channels, &chosen[0], why);
    }
    if (channels > 1 && volumes > 1 && !(shape->channel && shape->volume))
        return fail(why, EXIT_INPUT, "%s: holds %" PRId64 " channels of %" PRId64 " volumes; say which are meant with "
                    "--channel 1 to %" PRId64 " and --volume 1 to %" PRId64, in->name, channels, volumes, channels,
                    volumes);
    const int status = choose(in->name, "channel", shape->channel, shape->optional, channels, &chosen[0], why);
    return status ? status : choose(in->name, "volume", shape->volume, shape->optional, volumes, &chosen[1], why);
}
