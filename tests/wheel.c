/* SPDX-License-Identifier: MIT
 *
 * wheel.c - does in C what the Python binding does to cut a photo, for platforms without a Python at hand. Loads the
 * two libraries of a wheel and writes the mask to standard output, with 255 for foreground.
 *
 *   wheel LIBRARY FILES-LIBRARY PHOTO SEEDS
 */
#include "../src/python/files/files.h"
#include "../src/tilecut.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#include <windows.h>
#define LOAD(path) LoadLibraryA(path)
#define FIND(library, name) (void *)GetProcAddress(library, name)
#else
#include <dlfcn.h>
#define LOAD(path) dlopen(path, RTLD_NOW)
#define FIND(library, name) dlsym(library, name)
#define SYSTEM_SAYS dlerror()
#endif
#ifndef SYSTEM_SAYS
#define SYSTEM_SAYS "LoadLibrary failed"
#endif

static void *load(const char *path)
{
    void *const library = (void *)LOAD(path);
    if (library) return library;
    fprintf(stderr, "%s: %s\n", path, SYSTEM_SAYS);
    exit(1);
}

/* Casts a found symbol to its function type. On POSIX, pointers to data and to functions have the same bits. */
#define TAKE(library, name)                                                  \
    do {                                                                     \
        void *const address = FIND(library, #name);                          \
        if (!address) return fprintf(stderr, "there is no %s\n", #name), 1; \
        memcpy(&name##_, &address, sizeof address);                          \
    } while (0)

int main(int argc, char **argv)
{
    if (argc != 5) return 2;
    void *const library = load(argv[1]), *const files = load(argv[2]);
    int (*files_image_)(const char *, files_picture *, char *, size_t);
    int (*files_seeds_)(const files_picture *, const char *, const files_reading *, uint8_t *, char *, size_t);
    void (*files_free_)(files_picture *);
    tilecut_status (*tilecut_segment_)(const tilecut_image *, const uint8_t *, const tilecut_params *, uint8_t *,
                                       tilecut_report *);
    TAKE(files, files_image);
    TAKE(files, files_seeds);
    TAKE(files, files_free);
    TAKE(library, tilecut_segment);

    char sentence[700];
    files_picture photo;
    if (files_image_(argv[3], &photo, sentence, sizeof sentence)) return fprintf(stderr, "%s\n", sentence), 1;
    const size_t pixels = (size_t)photo.width * (size_t)photo.height;
    uint8_t *const seeds = calloc(2, pixels), *const mask = seeds + pixels;
    if (!seeds) return 1;
    const char *const path = argv[4];
    const files_reading reading = {.paths = &path, .count = 1, .tolerance = -1, .band = -1, .brush = -1};
    if (files_seeds_(&photo, argv[3], &reading, seeds, sentence, sizeof sentence))
        return fprintf(stderr, "%s\n", sentence), 1;
    const tilecut_image image = {.width = photo.width, .height = photo.height, .channels = photo.channels,
                                 .depth = photo.depth, .pixels = photo.pixels};
    if (tilecut_segment_(&image, seeds, NULL, mask, NULL)) return fprintf(stderr, "not cut\n"), 1;
    for (size_t i = 0; i < pixels; i++) mask[i] = mask[i] ? 255 : 0;
#ifdef _WIN32
    (void)_setmode(1, _O_BINARY);
#endif
    const bool written = fwrite(mask, 1, pixels, stdout) == pixels && !fflush(stdout);
    files_free_(&photo);
    free(seeds);
    return !written;
}
