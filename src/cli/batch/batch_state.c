/* SPDX-License-Identifier: MIT */
#include "batch_state.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "folders.h"
#include "tilecut.h"

static const char state_name[] = "/.tilecut-state";

/* One line of a state file, split in place. */
typedef struct entry {
    const char *key, *kind, *sum, *name;
} entry;

typedef struct state_folder {
    char *path;
    bytes text;
    entry *entry; /* sorted by name; lines of the same name, the latest first */
    size_t count;
} state_folder;

struct batch_state {
    const option_log *given;
    bool labels;
    pthread_mutex_t lock; /* protects the fields below */
    state_folder *folder;
    size_t count;
    char shared[SHA256_TEXT]; /* SHA-256 of the mask file that all photos share; "": not computed */
};

batch_state *batch_state_create(const option_log *given, bool labels)
{
    batch_state *const state = calloc(1, sizeof *state);
    if (!state) return NULL;
    state->given = given;
    state->labels = labels;
    pthread_mutex_init(&state->lock, NULL);
    return state;
}

void batch_state_free(batch_state *state)
{
    for (size_t i = 0; state && i < state->count; i++) {
        free(state->folder[i].path);
        free(state->folder[i].entry);
        bytes_free(&state->folder[i].text);
    }
    if (state) {
        free(state->folder);
        pthread_mutex_destroy(&state->lock);
    }
    free(state);
}

/* ---- keys ------------------------------------------------------------------------------------- */

/* Computes the SHA-256 of a regular file. Returns false if the file is not regular or cannot be read. */
static bool sum_file(const char *path, char sum[SHA256_TEXT])
{
    struct stat about;
    bytes content;
    failure why;
    if (stat(path, &about) || !S_ISREG(about.st_mode) || file_read(path, 0, &content, &why)) return false;
    sha256(content.data, content.size, sum);
    bytes_free(&content);
    return true;
}

static bool put_text(bytes *all, const char *text)
{
    return bytes_append(all, text, strlen(text) + 1);
}

static bool put_sum(bytes *all, const char *path)
{
    char sum[SHA256_TEXT];
    return sum_file(path, sum) && put_text(all, sum);
}

/* Adds the content of the mask to begin from to the key. A file that all photos share is read only once. */
static bool put_given(batch_state *state, bytes *all, const batch_item *item)
{
    if (!item->shared) return put_sum(all, item->given);
    pthread_mutex_lock(&state->lock);
    if (!state->shared[0] && !sum_file(item->given, state->shared)) state->shared[0] = '\0';
    pthread_mutex_unlock(&state->lock);
    return state->shared[0] && put_text(all, state->shared);
}

/* True if an option affects the content of results. Options about where results go and how fast do not. */
static bool matters(const char *name)
{
    static const char *const others[] = {"output-dir", "name", "cutout", "alpha", "overlay", "confidence", "recursive",
                                         "list", "resume", "fail-fast", "max-pixels", "max-memory", "threads", "device",
                                         "solver", "quiet", "verbose", "json", "shard", "mask", "refine", "coco"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strcmp(name, others[i])) return false;
    return true;
}

/* Adds an option to the key. Patterns of seeds add only the format after the colon. A background or a legend also adds
 * the content of its file; a background may be a colour instead. */
static bool put_option(bytes *all, const char *name, const char *value)
{
    const char *const colon = strrchr(value, ':');
    char sum[SHA256_TEXT];
    if (!strcmp(name, "background") && sum_file(value, sum) && !put_text(all, sum)) return false;
    if (!strcmp(name, "legend") && !put_sum(all, value)) return false;
    return put_text(all, name) && put_text(all, strcmp(name, "seeds") ? value : colon ? colon : "");
}

bool batch_state_key(batch_state *state, const batch_item *item, char key[SHA256_TEXT])
{
    char results[16];
    bytes all = {0};
    snprintf(results, sizeof results, "%d", TILECUT_RESULTS);
    bool good = put_text(&all, tilecut_version()) && put_text(&all, results) && put_sum(&all, item->photo);
    for (int i = 0; good && i < item->seed_count; i++) good = put_text(&all, "seeds") && put_sum(&all, item->seeds[i]);
    if (good && state->labels) good = put_text(&all, "labels");
    if (good && item->given) good = put_text(&all, "mask") && put_given(state, &all, item);
    if (good && item->object) good = bytes_append(&all, &item->object, sizeof item->object);
    for (int i = 0; good && i < state->given->count; i++) {
        const struct option_given *const one = &state->given->items[i];
        if (matters(one->row->name)) good = put_option(&all, one->row->name, one->value ? one->value : "yes");
    }
    for (int i = 0; good && i < item->setting_count; i++)
        good = put_option(&all, item->setting[i].name, item->setting[i].value);
    if (good) sha256(all.data, all.size, key);
    bytes_free(&all);
    return good;
}

/* ---- reading ---------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    const entry *const one = a, *const two = b;
    const int order = strcmp(one->name, two->name);
    /* lines of the same name are sorted by their position in the text */
    return order ? order : (one->key < two->key) - (one->key > two->key);
}

/* Splits the line that begins at `at`. Returns false if the line is not valid. */
static bool cut_up(char *at, entry *out)
{
    const char **const field[] = {&out->key, &out->kind, &out->sum};
    for (size_t i = 0; i < sizeof field / sizeof *field; i++) {
        char *const blank = strchr(at, ' ');
        if (!blank) return false;
        *blank = '\0';
        *field[i] = at;
        at = blank + 1;
    }
    out->name = at;
    return *at && strlen(out->key) == SHA256_TEXT - 1 && strlen(out->sum) == SHA256_TEXT - 1;
}

static void read_folder(state_folder *f)
{
    enum { LONGEST = 1 << 30 };
    char path[PATH_MAX + sizeof state_name];
    struct stat about;
    failure why;
    size_t lines = 0;
    snprintf(path, sizeof path, "%s%s", f->path, state_name);
    if (stat(path, &about) || !S_ISREG(about.st_mode)) return; /* reading from a pipe would block */
    if (file_read(path, LONGEST, &f->text, &why) || !bytes_append(&f->text, "", 1)) return;
    for (size_t i = 0; i + 1 < f->text.size; i++) {
        if (!f->text.data[i]) f->text.data[i] = '\n'; /* a power failure may leave zeros */
        lines += f->text.data[i] == '\n';
    }
    f->entry = malloc((lines + 1) * sizeof *f->entry);
    if (!f->entry) return;
    char *at = (char *)f->text.data;
    for (char *end; (end = strchr(at, '\n')) != NULL; at = end + 1) {
        *end = '\0';
        f->count += cut_up(at, &f->entry[f->count]);
    }
    qsort(f->entry, f->count, sizeof *f->entry, by_name);
}

/* Finds the state of a folder; reads it the first time. The caller holds the lock. NULL: no memory. */
static const state_folder *find_folder(batch_state *state, const char *path)
{
    for (size_t i = state->count; i-- > 0;)
        if (!strcmp(state->folder[i].path, path)) return &state->folder[i];
    state_folder *const all = realloc(state->folder, (state->count + 1) * sizeof *all);
    if (!all) return NULL;
    state->folder = all;
    all[state->count] = (state_folder){.path = strdup(path)};
    if (!all[state->count].path) return NULL;
    read_folder(&all[state->count]);
    return &all[state->count++];
}

static const char *base_name(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Finds the recorded SHA-256 of the file at `path` as the result of kind `kind` for the job `key`. Returns false if
 * none is recorded. */
static bool look_up(batch_state *state, const char *path, const char *kind, const char *key, char sum[SHA256_TEXT])
{
    char folder[PATH_MAX];
    const char *const name = base_name(path);
    bool known = false;
    if (!folders_of(path, folder)) return false;
    pthread_mutex_lock(&state->lock);
    const state_folder *const f = find_folder(state, folder);
    size_t low = 0, high = f ? f->count : 0;
    while (low < high) { /* find the first line of this name */
        const size_t middle = low + (high - low) / 2;
        if (strcmp(f->entry[middle].name, name) < 0) low = middle + 1;
        else high = middle;
    }
    if (f && low < f->count && !strcmp(f->entry[low].name, name)) {
        const entry *const found = &f->entry[low];
        known = !strcmp(found->key, key) && !strcmp(found->kind, kind);
        memcpy(sum, found->sum, SHA256_TEXT);
    }
    pthread_mutex_unlock(&state->lock);
    return known;
}

static bool is_done(batch_state *state, const char *path, const char *kind, const char *key)
{
    char noted[SHA256_TEXT], real[SHA256_TEXT];
    if (!path) return true;
    return look_up(state, path, kind, key, noted) && sum_file(path, real) && !strcmp(noted, real);
}

bool batch_state_done(batch_state *state, const batch_item *item, const char *key)
{
    static const char *const kind[BATCH_RESULTS] = {"--output", "--cutout", "--alpha", "--overlay", "--confidence"};
    bool done = true;
    for (int i = 0; done && i < BATCH_RESULTS; i++) done = is_done(state, item->result[i], kind[i], key);
    return done;
}

/* ---- writing ---------------------------------------------------------------------------------- */

/* Appends a line in one write, so that lines of several threads and programs do not mix. `line` begins with a line end,
 * which is written only if the file ends in half a line, as a full disk or a power failure may leave it. */
static void add_line(const char *folder, const char *line, size_t size)
{
    char path[PATH_MAX + sizeof state_name], last = '\n';
    struct stat about;
    snprintf(path, sizeof path, "%s%s", folder, state_name);
    const int descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (descriptor < 0) return;
    if (fstat(descriptor, &about) == 0 && about.st_size > 0 && pread(descriptor, &last, 1, about.st_size - 1) != 1)
        last = 0;
    size_t sent = last == '\n';
    while (sent < size) {
        const ssize_t n = write(descriptor, line + sent, size - sent);
        if (n > 0) sent += (size_t)n;
        else if (n == 0 || errno != EINTR) break;
    }
    close(descriptor);
}

void batch_state_note(const outputs *all, const char *key)
{
    char folder[PATH_MAX], sum[SHA256_TEXT];
    for (int i = 0; i < all->count; i++) {
        const output *const one = &all->item[i];
        const char *const name = base_name(one->path);
        bytes line = {0};
        if (!one->picture || strchr(name, '\n') || !folders_of(one->path, folder)) continue;
        sha256(one->data.data, one->data.size, sum);
        const char *const part[] = {"\n", key, " ", one->option, " ", sum, " ", name, "\n"};
        bool room = true;
        for (size_t k = 0; room && k < sizeof part / sizeof *part; k++)
            room = bytes_append(&line, part[k], strlen(part[k]));
        if (room) add_line(folder, (const char *)line.data, line.size);
        bytes_free(&line);
    }
}
