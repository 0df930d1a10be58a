/* SPDX-License-Identifier: MIT
 *
 * paper_run.cuh - the host's side of the solvers of the papers: arrays that are copied between host and device, and the
 * loop that alternates between kernels and relabelling on the host.
 */
#pragma once

#include "device_net.cuh"
#include "paper_kernels.cuh"

/* An array of the host and its copy on the device. */
typedef struct mirror {
    void *host, *device;
    size_t bytes;
    bool changes; /* true: the device changes the array, so it is copied to the host after each kernel */
} mirror;

enum { PAPER_ARRAYS = 9, PAPER_BLOCK = 256 };

/* The state of a solve: the layout's arrays, with excess and heights. */
typedef struct paper_run {
    mirror array[PAPER_ARRAYS];
    int arrays;
    int nodes, source, sink;
    long long *excess; /* on the host                       */
    int *height, *queue;
    paper_nodes there; /* on the device                     */
    device_room room;   /* open from paper_place() on       */
    bool stale;        /* true: the host has changed arrays with `changes` since they were last copied to the device */
} paper_run;

/* Prepares a solve of `net`, except for its slots. Call paper_close() in any case. */
tilecut_status paper_open(paper_run *p, const tc_net *net, tc_net_run *run);

/* Adds an array. Call it before paper_place(). Returns the number of the array. */
int paper_add(paper_run *p, void *host, size_t bytes, bool changes);

/* Allocates device memory for all arrays and copies them to it. */
tilecut_status paper_place(paper_run *p, tc_net_run *run);
void paper_close(paper_run *p);

/* paper_send() copies heights and the host's changes to the device; the other function copies excess and the device's
 * changes back. */
tilecut_status paper_send(paper_run *p);
tilecut_status paper_fetch(paper_run *p);

/* Returns the number of pushes and lifts of the last kernel. */
tilecut_status paper_steps(const paper_run *p, long long *steps);

/* Copies arrays and counters to the device, runs the kernel, and copies them back. `cooperative`: all blocks must run
 * at the same time. */
tilecut_status paper_launch(paper_run *p, const void *kernel, bool cooperative, void **arguments, tc_net_run *run);

/* Alternates between relabelling on the host and launches of `kernel`, until no excess reaches the sink. */
template <class Layout>
static tilecut_status paper_loop(paper_run *p, Layout host, Layout there, const void *kernel, bool cooperative,
                                 int cycles, tc_net_run *run)
{
    void *arguments[] = {&there, &p->there, &cycles};
    while (relabel_on_host(host, p->nodes, p->source, p->sink, p->excess, p->height, p->queue)) {
        if (tc_flag_raised(run->cancel)) return tc_fail(TILECUT_ECANCELLED, "cancelled between two launches");
        NEED(paper_launch(p, kernel, cooperative, arguments, run));
    }
    return TILECUT_OK;
}
