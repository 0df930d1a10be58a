/* SPDX-License-Identifier: MIT
 *
 * devices.c - see devices.h. The parser of options has checked the form of a list.
 */
#include "devices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "tilecut.h"
#include "tilecut_parts.h"

static const char prefix[] = "cuda:";

static bool is_all(const char *word)
{
    return !strcmp(word + strlen(prefix), "all");
}

bool devices_listed(const char *word)
{
    return word && !strncmp(word, prefix, strlen(prefix)) && (strchr(word, ',') || is_all(word));
}

/* Lists all GPUs. If there are none, GPU 0 is listed, so that using it gives the reason. */
static void list_all(device_list *list)
{
    const int found_count = tilecut_cuda_devices();
    for (list->count = 0; list->count < DEVICES_MOST && (list->count < found_count || !list->count); list->count++)
        list->index[list->count] = list->count;
}

int devices_read(const char *word, int parts, device_list *list, failure *why)
{
    const bool any = tilecut_cuda_built() && machine_has_gpu();
    list->count = 0;
    if (is_all(word)) list_all(list);
    else
        for (const char *at = word + strlen(prefix) - 1; at && list->count < DEVICES_MOST; at = strchr(at + 1, ','))
            list->index[list->count++] = atoi(at + 1);
    for (int i = any ? parts : 0; i < list->count; i++)
        if (tilecut_cuda_device(list->index[i], NULL, 0) != TILECUT_OK)
            return fail(why, EXIT_RESOURCES, "--device: %s is not available: %s; use cpu or auto", word,
                        tilecut_error_detail());
    return EXIT_DONE;
}

const char *devices_of_part(const device_list *list, int part, const char *word, char name[DEVICE_NAME])
{
    if (!list->count) return word;
    snprintf(name, DEVICE_NAME, "%s%d", prefix, list->index[part % list->count]);
    return name;
}

/* ---- Waking ------------------------------------------------------------------------------------ */

static void *wake(void *context)
{
    (void)tilecut_cuda_memory(*(const int *)context);
    return NULL;
}

/* Wakes all GPUs of the list at the same time. */
static void *wake_all(void *context)
{
    devices_waking *const waking = context;
    int begun = 0;
    while (begun < waking->list.count && !pthread_create(&waking->each[begun], NULL, wake, &waking->list.index[begun]))
        begun++;
    for (int i = 0; i < begun; i++) (void)pthread_join(waking->each[i], NULL);
    return NULL;
}

void devices_wake(const device_list *list, devices_waking *waking)
{
    waking->list = *list;
    waking->begun = list->count && tilecut_cuda_built() && !pthread_create(&waking->thread, NULL, wake_all, waking);
}

void devices_wake_named(const char *word, devices_waking *waking)
{
    if (!word || strncmp(word, prefix, strlen(prefix) - 1) || devices_listed(word)) return;
    devices_wake(&(device_list){.count = 1, .index = {word[strlen(prefix) - 1] ? atoi(word + strlen(prefix)) : 0}},
                 waking);
}

void devices_awake(devices_waking *waking)
{
    if (waking->begun) (void)pthread_join(waking->thread, NULL);
    waking->begun = false;
}
