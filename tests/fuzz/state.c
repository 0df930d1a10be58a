/* SPDX-License-Identifier: MIT
 *
 * state.c - fuzz target: .tilecut-state, the record of a batch's results, with any content. A result counts as done
 * only if the last complete line with its name has its key and its checksum.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "batch_state.h"
#include "fuzz.h"

static char folder[] = "/tmp/fuzz-state-XXXXXX", record[64], mask[64];
static const char content[] = "a mask";

static void clean(void)
{
    unlink(record);
    unlink(mask);
    rmdir(folder);
}

static void write_file(const char *path, const void *data, size_t size)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    MUST(file >= 0 && write(file, data, size) == (ssize_t)size && !close(file));
}

static void begin(void)
{
    MUST(mkdtemp(folder));
    snprintf(record, sizeof record, "%s/.tilecut-state", folder);
    snprintf(mask, sizeof mask, "%s/m.png", folder);
    atexit(clean);
    write_file(mask, content, sizeof content);
}

/* True if the last line with the mask's name has this key and checksum after three fields of the right lengths. */
static int noted(uint8_t *data, size_t size, const char *key, const char *sum)
{
    int found = 0;
    for (size_t at = 0; at < size;) {
        char *const line = (char *)data + at, *field[4] = {line};
        size_t end = at;
        while (end < size && data[end] && data[end] != '\n') end++;
        if (end == size) break; /* an incomplete line */
        data[end] = '\0';
        int count = 1;
        for (char *blank; count < 4 && (blank = strchr(field[count - 1], ' ')) != NULL; count++) {
            *blank = '\0';
            field[count] = blank + 1;
        }
        if (count == 4 && !strcmp(field[3], "m.png") && strlen(field[0]) == SHA256_TEXT - 1 &&
            strlen(field[2]) == SHA256_TEXT - 1)
            found = !strcmp(field[0], key) && !strcmp(field[1], "--output") && !strcmp(field[2], sum);
        at = end + 1;
    }
    return found;
}

/* Replaces $K and $S in the input by the key and the checksum, because random bytes would never contain them. */
static size_t put_in(const uint8_t *data, size_t size, const char *key, const char *sum, uint8_t *out, size_t most)
{
    size_t used = 0;
    for (size_t i = 0; i < size && used + SHA256_TEXT < most; i++) {
        const char *const word = data[i] != '$' || i + 1 == size ? NULL
                                 : data[i + 1] == 'K' ? key : data[i + 1] == 'S' ? sum : NULL;
        if (word) memcpy(out + used, word, SHA256_TEXT - 1), used += SHA256_TEXT - 1, i++;
        else out[used++] = data[i];
    }
    return used;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t text[1 << 16];
    char key[SHA256_TEXT], sum[SHA256_TEXT];
    batch_item item = {.photo = mask, .result = {[BATCH_MASK] = mask}};
    const option_log given = {0};
    if (!*record) begin();
    batch_state *const state = batch_state_create(&given, false);
    MUST(state && batch_state_key(state, &item, key));
    sha256(content, sizeof content, sum);
    const size_t used = put_in(data, size, key, sum, text, sizeof text);
    write_file(record, text, used);
    const int done = batch_state_done(state, &item, key);
    MUST(done == noted(text, used, key, sum));
    batch_state_free(state);
    return 0;
}
