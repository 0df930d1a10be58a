/* SPDX-License-Identifier: MIT
 *
 * dicom_stack.h - stacks the images of a DICOM series by their positions along the normal of the slices; names of files
 * do not matter. DICOM's axes point to the patient's left, back and head; the first two are reversed here, to right and
 * front. Source: DICOM PS3.3, C.7.6.2 (Image Plane Module)
 */
#pragma once

#include "dicom_talk.h"
#include "scan.h"

/* A file with one or more frames; all three pointers are owned. */
typedef struct dicom_image {
    char *path;
    const char *name; /* points to the file name in `path`, for messages */
    dicom_facts facts;
    dicom_frame *frames;
} dicom_image;

typedef struct dicom_slice {
    int image, frame;
    double along; /* position along the normal of the first slice, in millimetres */
} dicom_slice;

typedef struct dicom_stack {
    dicom_slice *slice;   /* slice z of volume v is at z * volumes + v; owned */
    int count, depth, volumes;
    bool scaled;          /* true: slices differ in slope, offset or type, so voxels become float */
    scan facts;           /* only spacing, placed, place, slope and offset are set */
} dicom_stack;

/* Orders all frames of the `count` images, which belong to one series. `name` is the folder or the file, for messages.
 * EXIT_INPUT: the frames form no volume; EXIT_RESOURCES. Call dicom_stack_free() even after a failure. */
int dicom_stack_make(const char *name, const dicom_image *images, int count, dicom_stack *out, notes *log,
                     failure *why);
void dicom_stack_free(dicom_stack *stack);
