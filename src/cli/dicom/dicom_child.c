/* SPDX-License-Identifier: MIT
 *
 * dicom_child.c - see dicom_child.h. The child never frees memory, because it ends soon.
 */
#include "dicom_child.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OBJECT "tilecut-dicom.so"

/* ---- The child -------------------------------------------------------------------------------- */

typedef struct calls {
    __typeof__(tilecut_dicom_look) *look;
    __typeof__(tilecut_dicom_values) *values;
} calls;

/* Loads tilecut-dicom.so. Returns false on failure, with the reason in `text`. */
static bool load_calls(calls *out, char *text, size_t room)
{
    char path[PATH_MAX];
    *out = (calls){0};
    if (!apart_find_object(OBJECT, path)) {
        snprintf(text, room, "%s is neither beside the program nor in ../lib/tilecut", OBJECT);
        return false;
    }
    void *const object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (object) *(void **)&out->look = dlsym(object, "tilecut_dicom_look");
    if (object) *(void **)&out->values = dlsym(object, "tilecut_dicom_values");
    if (out->look && out->values) return true;
    const char *const said = dlerror();
    snprintf(text, room, "%s", said ? said : OBJECT);
    return false;
}

static void answer(int socket, const calls *call, const dicom_question *asked, const char *path)
{
    dicom_facts facts;
    dicom_frame *frames = NULL;
    const char *values = NULL;
    if (asked->frame < 0) call->look(path, &facts, &frames);
    else call->values(path, asked->frame, &facts, &values);
    if (!apart_send(socket, &facts, sizeof facts)) _exit(0);
    if (frames) apart_send(socket, frames, (size_t)facts.frames * sizeof *frames);
    if (values) apart_send(socket, values, facts.frame_bytes);
    free(frames);
}

static void work_on_dicom(int socket, void *context)
{
    dicom_facts missing = {.answer = DICOM_NO_LIBRARY};
    dicom_question asked;
    calls call;
    (void)context;
    apart_withdraw();
    const bool loaded = load_calls(&call, missing.text, sizeof missing.text);
    while (apart_receive(socket, &asked, sizeof asked)) {
        char path[PATH_MAX];
        if (asked.path >= sizeof path || !apart_receive(socket, path, asked.path)) break;
        path[asked.path] = '\0';
        apart_limit_memory(asked.room);
        if (loaded) answer(socket, &call, &asked, path);
        else if (!apart_send(socket, &missing, sizeof missing)) break;
    }
    _exit(0);
}

/* ---- The program ------------------------------------------------------------------------------ */

bool dicom_is_here(void)
{
    calls call;
    char ignored[256];
    return load_calls(&call, ignored, sizeof ignored);
}

bool dicom_begin(apart *its)
{
    return apart_start(its, work_on_dicom, NULL);
}

/* Asks the child about a file. The child may use twenty seconds of processor time, plus one for each 100 kB of the
 * file, and as much memory as the file has bytes, plus `room` bytes. */
static bool ask(apart *its, const char *path, int frame, uint64_t room, dicom_facts *out)
{
    struct stat about;
    const uint64_t size = stat(path, &about) ? 0 : (uint64_t)about.st_size;
    const dicom_question what = {.frame = frame, .path = (uint32_t)strlen(path), .room = room + size};
    *out = (dicom_facts){0};
    return apart_send(its->socket, &what, sizeof what) && apart_send(its->socket, path, what.path) &&
           apart_receive_answer(its, 20 + (double)size / 1e5, out, sizeof *out);
}

bool dicom_ask_header(apart *its, const char *path, dicom_facts *out, dicom_frame **frames)
{
    *frames = NULL;
    if (!ask(its, path, -1, 0, out)) return false;
    if (out->answer != DICOM_DONE) return true;
    if (out->frames < 1 || out->frames > 1000000) return false;
    *frames = malloc((size_t)out->frames * sizeof **frames);
    if (!*frames) out->answer = DICOM_NO_MEMORY;
    return !*frames || apart_receive(its->socket, *frames, (size_t)out->frames * sizeof **frames);
}

bool dicom_ask_values(apart *its, const char *path, int frame, size_t room, dicom_facts *out, void *values,
                      size_t size)
{
    if (!ask(its, path, frame, room, out)) return false;
    return out->answer != DICOM_DONE || (out->frame_bytes == size && apart_receive(its->socket, values, size));
}
