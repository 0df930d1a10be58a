/* SPDX-License-Identifier: MIT
 *
 * dicom_talk.h - the protocol between the program and tilecut-dicom.so (src/dicom), which is linked with gdcm. The
 * object is loaded in a child process (apart.h), which answers one question after the other. A question is a
 * dicom_question and the path. The answer is dicom_facts, followed by a dicom_frame for each frame, or by the bytes of
 * one frame.
 */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum dicom_answer {
    DICOM_DONE,
    DICOM_NO_LIBRARY,  /* text: the loader's message */
    DICOM_NO_IMAGE,    /* the file is a directory of files, a report, strokes, or not DICOM */
    DICOM_CUT_SHORT,
    DICOM_DAMAGED,     /* text: what is wrong                */
    DICOM_UNSUPPORTED, /* `text` names what is not supported */
    DICOM_UNDECODED,   /* `text` names the compression       */
    DICOM_NO_MEMORY
};

typedef struct dicom_question {
    int32_t frame;  /* the frame whose values are asked for, from 0; -1 asks for the header */
    uint32_t path;  /* length in bytes of the path that follows                             */
    uint64_t room;  /* memory in bytes that answering may take                              */
} dicom_question;

typedef struct dicom_facts {
    int32_t answer; /* a value of enum dicom_answer; unless it is DICOM_DONE, all other numbers are 0 */
    int32_t columns, rows, frames, channels;
    int32_t bytes;      /* bytes per value: 1, 2 or 4               */
    int32_t stored;     /* number of low bits of a value that count */
    int32_t is_signed;
    int32_t inverted;   /* 1 if large values are dark (MONOCHROME1)                   */
    int32_t is_rgb;     /* 1 if the channels are red, green and blue                  */
    int32_t tabled;     /* 1 if values are indices into a table (Modality LUT)        */
    double spacing[2];  /* millimetres between columns and between rows; 0: not given */
    double between;     /* millimetres between slices, from the header; 0: not given */
    uint64_t frame_bytes;
    char series[72], image[72], description[72], modality[20], text[160];
} dicom_facts;

typedef struct dicom_frame {
    int32_t placed;               /* 1 if position and direction are given */
    int32_t number, moment;       /* number of the image in its series, and in time; 0: not given */
    double position[3];           /* the first voxel, in millimetres to the patient's left, back and head */
    double direction[6];          /* unit vectors along a row and along a column */
    double slope, offset;         /* the value v stands for slope * v + offset   */
} dicom_frame;

/* The two functions of the shared object tilecut-dicom.so. Neither throws. *frames is allocated by malloc(). */
void tilecut_dicom_look(const char *path, dicom_facts *facts, dicom_frame **frames);

/* Decodes the frame with number `frame`. *values has facts->frame_bytes bytes in this machine's byte order, with the
 * channels of a pixel side by side, and stays valid until the next call. */
void tilecut_dicom_values(const char *path, int32_t frame, dicom_facts *facts, const char **values);

#ifdef __cplusplus
}
#endif
