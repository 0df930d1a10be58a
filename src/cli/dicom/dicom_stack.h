/* SPDX-License-Identifier: MIT
 *
 * dicom_stack.h - finds how the images of a DICOM series lie on each other: by their positions along the normal of the
 * slices, and not by the names of files. Space is right to left, front to back, bottom to top there: its first two axes
 * are turned.
 * Source: DICOM PS3.3, C.7.6.2 (Image Plane Module)
 */
#pragma once

#include "dicom_talk.h"
#include "scan.h"

/* A file with one frame or more; all three pointers are owned. */
typedef struct dicom_image {
    char *path;
    const char *name; /* the end of `path`, for messages */
    dicom_facts facts;
    dicom_frame *frames;
} dicom_image;

typedef struct dicom_slice {
    int image, frame;
    double along; /* the normal of the first one, in millimetres */
} dicom_slice;

typedef struct dicom_stack {
    dicom_slice *slice;   /* z * volumes + v is slice z of volume v; owned     */
    int count, depth, volumes;
    bool scaled;          /* slices differ in what values mean or in their type: they become float */
    scan facts;           /* only spacing, placed, place, slope and offset are set */
} dicom_stack;

/* Orders all frames of the `count` images, which are of one series. `name` is the folder or the file.
 * EXIT_INPUT: they are no volume; EXIT_RESOURCES. Call dicom_stack_free() in any case. */
int dicom_stack_make(const char *name, const dicom_image *images, int count, dicom_stack *out, notes *log,
                     failure *why);
void dicom_stack_free(dicom_stack *stack);
