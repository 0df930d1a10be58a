/* SPDX-License-Identifier: MIT
 *
 * manifest.c - fuzz target: lists of batch jobs and name patterns. The first line of the input is the pattern, the rest
 * is the list.
 */
#include <string.h>

#include "batch_list.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *const end = size ? memchr(data, '\n', size) : NULL;
    const size_t length = end ? (size_t)(end - data) : 0, list_at = end ? length + 1 : 0;
    char *const pattern = strndup(data ? (const char *)data : "", length);
    const char *const seeds[] = {pattern};
    const batch_names names = {.seeds = seeds, .seed_count = 1, .folder = "out", .result = {pattern, pattern}};
    batch_list list = {0};
    failure why = {0};

    MUST(pattern);
    if (batch_names_check(&names, &why) == EXIT_DONE) {
        const int status = batch_list_parse(&list, &names, "fuzz", data + list_at, size - list_at, &why);
        MUST(status == EXIT_DONE || (status == EXIT_INPUT && !strncmp(why.text, "fuzz: line ", 11)));
        for (int i = 0; i < list.count; i++) {
            const batch_item *const item = &list.item[i];
            MUST(*item->photo && *item->result[BATCH_MASK] && item->result[BATCH_CUTOUT] && item->seed_count >= 1);
        }
    } else {
        MUST(why.status == EXIT_USAGE);
    }
    batch_list_free(&list);
    free(pattern);
    return 0;
}
