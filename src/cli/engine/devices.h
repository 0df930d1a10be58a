/* SPDX-License-Identifier: MIT
 *
 * devices.h - several GPUs, as --device names them: cuda:0,1 or cuda:all. An image is then cut in parts, which are
 * dealt out to the GPUs in this order.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>

#include "failure.h"

enum { DEVICES_MOST = 256, DEVICE_NAME = 16 };

typedef struct device_list {
    int count; /* number of GPUs in the list */
    int index[DEVICES_MOST];
} device_list;

/* True if `word`, the value of --device or NULL, names several GPUs. */
bool devices_listed(const char *word);

/* Reads a list of GPUs. Returns EXIT_RESOURCES if this machine has no GPU, or if a GPU of the list after the first
 * `parts` cannot be used. The first `parts` are checked later, by the threads that cut on them: asking the driver takes
 * a quarter of a second, in which files can be read. */
int devices_read(const char *word, int parts, device_list *list, failure *why);

/* Returns the device of a part, as a word for --device. If the list is empty, returns `word`, the value of --device. */
const char *devices_of_part(const device_list *list, int part, const char *word, char name[DEVICE_NAME]);

/* Wakes GPUs while the caller reads files, because waking takes a third of a second. Call devices_awake() before the
 * process ends: it waits until the GPUs are awake. */
typedef struct devices_waking {
    device_list list;
    pthread_t thread, each[DEVICES_MOST];
    bool begun;
} devices_waking;

void devices_wake(const device_list *list, devices_waking *waking);
/* Starts waking the GPU that --device names. Does nothing for NULL, "auto", "cpu" and lists. */
void devices_wake_named(const char *word, devices_waking *waking);
void devices_awake(devices_waking *waking);
