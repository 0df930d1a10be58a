/* SPDX-License-Identifier: MIT
 *
 * calibration.c - see calibration.h: the arithmetic, the built-in figures, the file.
 */
#include "calibration.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "file.h"
#include "machine.h"
#include "numbers.h"
#include "tilecut.h"

static const char MAGIC[] = "tilecut-calibration 1";
enum { MOST_THREADS = 256, MOST_BYTES = 1 << 16 };
static const double MOST_NS = 1e6, MOST_MS = 1e6;

/* Returns cautious figures: those of a fast processor and of a GPU that wakes slowly. device_ns was
 * measured in a batch. */
calibration calibration_builtin(void)
{
    return (calibration){.gpu = true, .wake_ms = 350, .fixed_ms = 2, .device_ns = 3, .rows = 4,
                         .row = {{1, 120, 30}, {2, 80, 24}, {4, 65, 20}, {16, 32, 4}}};
}

/* ---- arithmetic ------------------------------------------------------------------------------- */

/* The time of a pixel, relative to a pixel of a photo with 4 neighbours. */
static const struct {
    double cpu, gpu;
} TIMES[] = {[CALIBRATION_PHOTO] = {1, 1}, [CALIBRATION_EIGHT] = {1.4, 1.1}, [CALIBRATION_BOX] = {2.4, 2},
             [CALIBRATION_VOLUME] = {1.6, 2.2}, [CALIBRATION_HOST] = {1, HUGE_VAL}};

static const calibration_row *row_for(const calibration *c, int threads)
{
    const calibration_row *best = &c->row[0];
    for (int i = 1; i < c->rows; i++)
        if (c->row[i].threads <= threads) best = &c->row[i];
    return best;
}

/* Jobs run side by side, as many at a time as there are threads. Returns the number of such rounds; *threads_each
 * becomes the threads of one job. */
static double turns(const calibration_load *load, int *threads_each)
{
    const int most = load->threads > 0 ? load->threads : 1, jobs = load->jobs > 0 ? load->jobs : 1;
    const int side_by_side = jobs < most ? jobs : most;
    *threads_each = most / side_by_side;
    return ceil((double)jobs / side_by_side);
}

double calibration_cpu_ms(const calibration *c, const calibration_load *load)
{
    int threads;
    const double times = turns(load, &threads);
    return times * (double)load->pixels * TIMES[load->work].cpu * row_for(c, threads)->cpu_ns * 1e-6;
}

/* The GPU takes one job at a time; meanwhile the CPU works on the other jobs. */
double calibration_gpu_ms(const calibration *c, const calibration_load *load)
{
    int threads;
    const double times = turns(load, &threads), pixels = (double)load->pixels * TIMES[load->work].gpu;
    const double jobs = load->jobs > 0 ? load->jobs : 1;
    const double queue = jobs * (c->fixed_ms + pixels * c->device_ns * 1e-6);
    const double whole = times * (c->fixed_ms + pixels * row_for(c, threads)->gpu_ns * 1e-6);
    return (load->awake ? 0 : c->wake_ms) + (queue > whole ? queue : whole);
}

/* ---- reading ---------------------------------------------------------------------------------- */

/* Removes the first word from `*line` and returns it; NULL if there is none. */
static char *next_word(char **line)
{
    char *word = *line + strspn(*line, " ");
    char *end = word + strcspn(word, " ");
    if (!*word) return NULL;
    *line = *end ? end + 1 : end;
    *end = 0;
    return word;
}

static bool take_number(char **line, double least, double most, double *out)
{
    const char *word = next_word(line);
    return word && parse_real(word, out) && *out >= least && *out <= most;
}

static bool take_row(char **line, calibration *c)
{
    calibration_row *row = &c->row[c->rows];
    double threads;
    if (c->rows == CALIBRATION_ROWS || !take_number(line, 1, MOST_THREADS, &threads)) return false;
    row->threads = (int)threads;
    if (row->threads != threads || (c->rows ? row->threads <= row[-1].threads : row->threads != 1)) return false;
    c->rows++;
    return take_number(line, 1e-6, MOST_NS, &row->cpu_ns) && take_number(line, 0, MOST_NS, &row->gpu_ns) && !*line[0];
}

/* The lines of a file that have been read so far. */
typedef struct reading {
    calibration c;
    bool version, machine, wake, fixed, device, ended;
} reading;

static bool take_line(char *line, reading *r)
{
    char *rest = line;
    const char *key = next_word(&rest);
    if (!key || r->ended) return false;
    if (!strcmp(key, "threads")) return take_row(&rest, &r->c);
    if (!strcmp(key, "end")) return r->ended = !*rest;
    if (!strcmp(key, "version")) return !r->version && (r->version = !strcmp(rest, tilecut_version()));
    if (!strcmp(key, "machine") && !r->machine && strlen(rest) < sizeof r->c.machine) {
        snprintf(r->c.machine, sizeof r->c.machine, "%s", rest);
        return r->machine = true;
    }
    if (!strcmp(key, "wake_ms") && !r->wake) return r->wake = take_number(&rest, 0, MOST_MS, &r->c.wake_ms) && !*rest;
    if (!strcmp(key, "fixed_ms") && !r->fixed)
        return r->fixed = take_number(&rest, 0, MOST_MS, &r->c.fixed_ms) && !*rest;
    if (!strcmp(key, "device_ns") && !r->device)
        return r->device = take_number(&rest, 0, MOST_NS, &r->c.device_ns) && !*rest;
    return false;
}

static bool whole(reading *r)
{
    r->c.gpu = r->wake && r->fixed && r->device;
    for (int i = 0; i < r->c.rows; i++)
        if ((r->c.row[i].gpu_ns > 0) != r->c.gpu) return false;
    return r->ended && r->version && r->machine && r->c.rows > 0 && r->wake == r->fixed && r->fixed == r->device;
}

bool calibration_parse(const char *text, size_t size, calibration *out)
{
    reading r = {.c = {.measured = true}};
    char line[1024];
    size_t at = 0;
    if (size > MOST_BYTES || memchr(text, 0, size)) return false;
    for (int number = 0; at < size; number++) {
        const char *end = memchr(text + at, '\n', size - at);
        const size_t length = end ? (size_t)(end - (text + at)) : 0;
        if (!end || length >= sizeof line) return false;
        memcpy(line, text + at, length);
        line[length] = 0;
        at += length + 1;
        if (number == 0 ? strcmp(line, MAGIC) != 0 : !take_line(line, &r)) return false;
    }
    if (!whole(&r)) return false;
    *out = r.c;
    return true;
}

/* ---- the file --------------------------------------------------------------------------------- */

bool calibration_path(char *path, size_t room)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = -1;
    if (cache && file_is_absolute(cache)) /* the XDG specification tells programs to ignore relative paths */
        length = snprintf(path, room, "%s/tilecut/calibration", cache);
    else if (home && file_is_absolute(home))
        length = snprintf(path, room, "%s/.cache/tilecut/calibration", home);
    return length > 0 && (size_t)length < room;
}

calibration calibration_load_file(notes *log)
{
    const int gpus = machine_gpus("");
    calibration c = calibration_builtin(), read;
    char path[1024], machine[sizeof c.machine];
    struct stat about;
    bytes text = {0};
    failure why = {0};

    if (gpus > 1) c.wake_ms *= gpus; /* the driver seems to wake all, also to use one */
    if (!calibration_path(path, sizeof path) || stat(path, &about)) return c;
    if (!S_ISREG(about.st_mode) || file_read(path, MOST_BYTES, &text, &why) != EXIT_DONE ||
        !calibration_parse((const char *)text.data, text.size, &read)) {
        note(log, "%s: is not a calibration of this version; ignored: tilecut info --calibrate makes a new one", path);
    } else {
        machine_name("", machine, sizeof machine);
        if (strcmp(machine, read.machine))
            note(log, "%s: was measured on another machine; ignored: tilecut info --calibrate makes a new one", path);
        else if (!read.gpu && tilecut_cuda_built() && machine_has_gpu())
            note(log, "%s: was measured without the GPU; ignored: tilecut info --calibrate makes a new one", path);
        else
            c = read;
    }
    bytes_free(&text);
    return c;
}

static void append(bytes *text, const char *format, ...)
{
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length > 0 && (size_t)length < sizeof line) bytes_append(text, line, (size_t)length);
}

int calibration_save(const calibration *c, char *path, size_t room, failure *why)
{
    bytes text = {0};
    calibration again;
    if (!calibration_path(path, room))
        return fail(why, EXIT_RUNTIME, "neither XDG_CACHE_HOME nor HOME names a folder to keep the calibration in");
    for (char *slash = path + 1; (slash = strchr(slash, '/')) != NULL; *slash++ = '/') {
        *slash = 0;
        if (mkdir(path, 0700) && errno != EEXIST)
            return fail(why, EXIT_RUNTIME, "%s: cannot be made: %s", path, strerror(errno));
    }
    append(&text, "%s\nmachine %s\nversion %s\n", MAGIC, c->machine, tilecut_version());
    if (c->gpu) append(&text, "wake_ms %.3f\nfixed_ms %.4f\ndevice_ns %.4f\n", c->wake_ms, c->fixed_ms, c->device_ns);
    for (int i = 0; i < c->rows; i++)
        append(&text, "threads %d %.4f %.4f\n", c->row[i].threads, c->row[i].cpu_ns, c->row[i].gpu_ns);
    append(&text, "end\n");
    int status = EXIT_DONE;
    if (!text.data || !calibration_parse((const char *)text.data, text.size, &again))
        status = fail(why, EXIT_RUNTIME, "%s: these figures cannot be kept", path);
    if (!status) status = file_write(path, text.data, text.size, why);
    bytes_free(&text);
    return status;
}
