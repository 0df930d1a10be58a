/* SPDX-License-Identifier: MIT
 *
 * xml_reader.h - reads XML from memory element by element, in the order of the file, and knows the current line.
 *
 *     while (xml_next(&r))
 *         if (r.event == XML_OPEN && !strcmp(r.tag, "box")) left = xml_attribute(&r, "xtl");
 *     STEP(r.status);
 *
 * Comments and declarations are skipped, except for entities that a document type declares: <!ENTITY name "text">.
 * Apart from these, only the five entities of XML and numbers are accepted.
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
    bytes attribute;    /* of the latest opening tag: name, zero, value, zero, ...; owned */
    bytes entity;       /* entities of the document type, in the same form; owned */
    int depth;          /* elements that are open */
    char open[XML_DEPTH][XML_WORD];
    bool empty;         /* the opened element is empty (<a/>), so the next event closes it */
    int status;
    failure *why;
} xml_reader;

void xml_reader_init(xml_reader *r, const char *name, const uint8_t *data, size_t size, failure *why);
void xml_reader_free(xml_reader *r);

/* Reads up to the next event. False: the outermost element has been closed, or r->status says what is wrong. */
bool xml_next(xml_reader *r);

/* The value of an attribute of the latest opening tag; NULL: the tag has no such attribute. */
const char *xml_attribute(const xml_reader *r, const char *name);

/* Fails with EXIT_INPUT and "cat.xml: line 12: WHAT". */
#define xml_refuse(r, ...) fail_at_line((r)->why, (r)->name, (r)->line, __VA_ARGS__)

/* Reads the whole file, which finds every error of XML, and says what the outermost element is. */
int xml_root(const char *name, const uint8_t *data, size_t size, char *root, size_t room, failure *why);

/* Reads up to `most` finite numbers at *text into `values`. They are separated by blanks, commas or semicolons. Moves
 * *text to what follows, and returns how many were read. */
int xml_numbers(const char **text, double *values, int most);
