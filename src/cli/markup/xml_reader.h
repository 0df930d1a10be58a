/* SPDX-License-Identifier: MIT
 *
 * xml_reader.h - reads XML from memory element by element, in the order of the file, and counts lines.
 *
 *     while (xml_next(&r))
 *         if (r.event == XML_OPEN && !strcmp(r.tag, "box")) left = xml_attribute(&r, "xtl");
 *     STEP(r.status);
 *
 * Comments and declarations are skipped, except entities that a document type declares: <!ENTITY name "text">. The only
 * other entities allowed are XML's own five, and characters by number.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"
#include "file.h"

enum { XML_DEPTH = 64, XML_WORD = 64 }; /* deepest nesting of elements; room for the longest name, with a 0 byte */

typedef struct xml_reader {
    const char *name; /* the file's name for messages */
    const uint8_t *at, *end;
    int64_t line;
    enum { XML_OPEN, XML_CLOSE, XML_TEXT } event;
    char tag[XML_WORD]; /* the element that opens or closes, without the prefix of its namespace */
    bytes text;         /* XML_TEXT: the text between two tags, with a closing zero; owned */
    bytes attribute;    /* attributes of the latest opening tag: name, zero, value, zero, ...; owned */
    bytes entity;       /* entities of the document type, in the same form; owned */
    int depth;          /* number of open elements */
    char open[XML_DEPTH][XML_WORD];
    bool empty;         /* true: the opened element is empty (<a/>), so the next event closes it */
    int status;
    failure *why;
} xml_reader;

void xml_reader_init(xml_reader *r, const char *name, const uint8_t *data, size_t size, failure *why);
void xml_reader_free(xml_reader *r);

/* Reads up to the next event. Returns false when the outermost element has been closed, or after an error, which
 * is in r->status. */
bool xml_next(xml_reader *r);

/* Returns the value of an attribute of the latest opening tag; NULL if the tag does not have it. */
const char *xml_attribute(const xml_reader *r, const char *name);

/* Fails with EXIT_INPUT and "cat.xml: line 12: WHAT". */
#define xml_refuse(r, ...) fail_at_line((r)->why, (r)->name, (r)->line, __VA_ARGS__)

/* Reads the whole file, which reveals every error of XML, and writes the name of the outermost element to `root`. */
int xml_root(const char *name, const uint8_t *data, size_t size, char *root, size_t room, failure *why);

/* Reads up to `most` finite numbers, separated by blanks, commas or semicolons, at *text into `values`. Moves *text
 * behind them and returns how many there were. */
int xml_numbers(const char **text, double *values, int most);
