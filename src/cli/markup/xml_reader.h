/* SPDX-License-Identifier: MIT
 *
 * xml_reader.h - reads XML from memory element by element, in the order of the file, and knows the current line.
 *
 *     while (xml_next(&r))
 *         if (r.event == XML_OPEN && !strcmp(r.tag, "box")) left = xml_attribute(&r, "xtl");
 *     STEP(r.status);
 *
 * Comments and declarations are skipped. Of a document type the entities count, <!ENTITY name "text">; others than
 * these, the five of XML and numbers are refused.
 */
#ifndef CLI_XML_READER_H
#define CLI_XML_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"
#include "file.h"

enum { XML_DEPTH = 64, XML_WORD = 64 }; /* deepest nesting of elements; longest name of one, with its end */

typedef struct xml_reader {
    const char *name; /* of the file, for messages */
    const uint8_t *at, *end;
    int64_t line;
    enum { XML_OPEN, XML_CLOSE, XML_TEXT } event;
    char tag[XML_WORD]; /* the element that opens or closes, without the prefix of its namespace */
    bytes text;         /* XML_TEXT: between two tags, with a closing zero; owned */
    bytes attribute;    /* name, zero, value, zero, ... of the latest opening tag; owned */
    bytes entity;       /* the same of the document type; owned */
    int depth;          /* elements that are open */
    char open[XML_DEPTH][XML_WORD];
    bool empty;         /* the element that was opened has no contents, so it closes next */
    int status;
    failure *why;
} xml_reader;

void xml_reader_init(xml_reader *r, const char *name, const uint8_t *data, size_t size, failure *why);
void xml_reader_free(xml_reader *r);

/* Reads up to the next event. False: the outermost element has been closed, or r->status says what is wrong. */
bool xml_next(xml_reader *r);

/* The value of an attribute of the latest opening tag; NULL: it has none of that name. */
const char *xml_attribute(const xml_reader *r, const char *name);

/* "cat.xml: line 12: WHAT", EXIT_INPUT. */
#define xml_refuse(r, ...) fail_at_line((r)->why, (r)->name, (r)->line, __VA_ARGS__)

/* Reads the whole file, which finds everything that is not XML, and says what its outermost element is. */
int xml_root(const char *name, const uint8_t *data, size_t size, char *root, size_t room, failure *why);

/* Reads finite numbers at *text, which blanks, commas and semicolons separate, into `values`, `most` of them. Moves
 * *text behind them, and returns how many there are. */
int xml_numbers(const char **text, double *values, int most);

#endif
