/* SPDX-License-Identifier: MIT
 *
 * failure.h - exit statuses, and the one line that describes a failure. Failures are passed up to main(), which prints
 * them. Nothing below main() and the verbs prints errors, so that a batch can collect them.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    EXIT_DONE = 0,
    EXIT_RUNTIME = 1,    /* failed during the run: disk, interrupted write */
    EXIT_USAGE = 2,      /* wrong usage                                         */
    EXIT_INPUT = 3,      /* input unreadable or unsupported                     */
    EXIT_SEEDS = 4,      /* seeds unusable                                      */
    EXIT_RESOURCES = 5,  /* the device does not exist, or memory does not suffice */
    EXIT_UNPROVEN = 6    /* an answer failed its certificate, or two solvers differ */
};

typedef struct failure {
    int status;     /* one of the above */
    char text[640]; /* such as "seeds.png: is 640x480 but photo.jpg is 800x600; ...", without "tilecut: "; one line.
                       Bytes of file names that are not printable are shown as '?' */
} failure;

/* Sets `failure` and returns `status`, so that one can write `return fail(f, EXIT_INPUT, "%s: ...", path)`. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
int fail(failure *failure, int status, const char *format, ...);

/* Tells a static analyser that fail() returns `status`; otherwise it assumes that the caller may go on after a failure.
 * (check.h has a macro of the same name, so ordinary builds have none.) */
#ifdef __clang_analyzer__
#define fail(failure, status, ...) ((void)(fail)((failure), (status), __VA_ARGS__), (status))
#endif

/* Like fail() with EXIT_INPUT, and with "NAME: line LINE: " before the text; if line is 0, only "NAME: ". */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
int fail_at_line(failure *failure, const char *name, int64_t line, const char *format, ...);

/* Writes `text`, such as a file name, to `line` in the form that fail() would show. Returns `line`. */
enum { PRINTABLE_ROOM = 640 };
const char *printable_name(const char *text, char line[PRINTABLE_ROOM]);

/* Notes tell a user about oddities that do not stop the run. They are collected for -v, stderr and the JSON report. */
typedef struct notes {
    char **text; /* each one line, owned */
    int count;
} notes;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void note(notes *notes, const char *format, ...); /* does nothing if `notes` is NULL */
void notes_show(const notes *notes, bool quiet); /* prints each note as a line on standard error, unless `quiet` */
void notes_free(notes *notes);

/* Returns EXIT_RESOURCES, with the text "NAME: WHAT and needs 12.5 MB of memory; at most 10.0 MB are allowed". */
int fail_memory(const char *name, const char *what, uint64_t need, uint64_t most, failure *why);

/* Makes a call and returns its status from the calling function if that is not EXIT_DONE. */
#define STEP(call)                                        \
    do {                                                  \
        const int step_status = (call);                   \
        if (step_status != EXIT_DONE) return step_status; \
    } while (0)
