/* SPDX-License-Identifier: MIT
 *
 * devices.h - several GPUs, as --device names them: cuda:0,1 or cuda:all. An image is then cut in parts, which are
 * dealt to them in this order.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>

#include "failure.h"

enum { DEVICES_MOST = 256, DEVICE_NAME = 16 };

typedef struct device_list {
    int count; /* 0: none is named                                                                  */
    int index[DEVICES_MOST];
} device_list;

/* Whether that word of --device, which may be NULL, is a list, or stands for one. */
bool devices_listed(const char *word);

/* Reads a list. EXIT_RESOURCES if this machine has no GPU, or those after the first `parts` cannot be used. The others
 * whoever cuts a part checks: asking the driver takes a quarter of a second, in which files can be read. */
int devices_read(const char *word, int parts, device_list *list, failure *why);

/* The device of a part, as a word for --device. `word`: what was asked for, if nothing is listed. */
const char *devices_of_part(const device_list *list, int part, const char *word, char name[DEVICE_NAME]);

/* Wakes GPUs while the caller reads files: that takes a third of a second. devices_awake() waits for it, before the
 * process ends at the latest. */
typedef struct devices_waking {
    device_list list;
    pthread_t thread, each[DEVICES_MOST];
    bool begun;
} devices_waking;

void devices_wake(const device_list *list, devices_waking *waking);
/* The GPU that an option --device names; none: NULL, "auto", "cpu" and lists. */
void devices_wake_named(const char *word, devices_waking *waking);
void devices_awake(devices_waking *waking);
