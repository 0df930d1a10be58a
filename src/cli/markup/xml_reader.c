/* SPDX-License-Identifier: MIT */
#include "xml_reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void xml_reader_init(xml_reader *r, const char *name, const uint8_t *data, size_t size, failure *why)
{
    *r = (xml_reader){.name = name, .at = data + utf8_mark(data, size), .end = data + size, .line = 1, .why = why};
}

void xml_reader_free(xml_reader *r)
{
    bytes_free(&r->text);
    bytes_free(&r->attribute);
    bytes_free(&r->entity);
}

static int no_memory(const xml_reader *r)
{
    return fail(r->why, EXIT_RESOURCES, "%s: not enough memory to read it", r->name);
}

/* ---- Characters ---------------------------------------------------------------------------------- */

static bool is_blank(uint8_t c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void skip_blanks(xml_reader *r)
{
    for (; r->at < r->end && is_blank(*r->at); r->at++) r->line += *r->at == '\n';
}

static bool starts(const xml_reader *r, const char *word)
{
    const size_t length = strlen(word);
    return (size_t)(r->end - r->at) >= length && !memcmp(r->at, word, length);
}

/* Skips everything up to and including the next `word`. */
static int skip_past(xml_reader *r, const char *word)
{
    for (; r->at < r->end && !starts(r, word); r->at++) r->line += *r->at == '\n';
    if (r->at == r->end) return xml_refuse(r, "the file ends before %s", word);
    r->at += strlen(word);
    return EXIT_DONE;
}

static bool is_name(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c >= 0x80 || c == '_' ||
           c == '-' || c == '.' || c == ':';
}

static int read_name(xml_reader *r, char word[XML_WORD])
{
    size_t length = 0;
    for (; r->at < r->end && is_name(*r->at); r->at++)
        if (length < XML_WORD - 1) word[length++] = (char)*r->at;
    word[length] = '\0';
    return length ? EXIT_DONE : xml_refuse(r, "a name is missing");
}

/* Looks up a name in a list of names and values, each with a 0 byte at its end. NULL: the name is not in the list. */
static const char *value_of(const bytes *list, const char *name, size_t length)
{
    const char *at = (const char *)list->data, *const end = list->size ? at + list->size : at;
    while (at < end) {
        const char *const value = at + strlen(at) + 1;
        if (strlen(at) == length && !memcmp(at, name, length)) return value;
        at = value + strlen(value) + 1;
    }
    return NULL;
}

/* Reads an entity that the document type has declared. Returns false if the next entity is not declared. */
static bool read_declared(xml_reader *r, bytes *out, bool *room)
{
    const uint8_t *end = r->at + 1;
    while (end < r->end && is_name(*end)) end++;
    const char *const text = end < r->end && *end == ';'
                                 ? value_of(&r->entity, (const char *)r->at + 1, (size_t)(end - r->at) - 1) : NULL;
    if (!text) return false;
    *room = bytes_append(out, text, strlen(text));
    r->at = end + 1;
    return true;
}

/* Reads an entity such as "&lt;" or "&#65;". */
static int read_entity(xml_reader *r, bytes *out)
{
    bool room = true;
    if (read_declared(r, out, &room)) return room ? EXIT_DONE : no_memory(r);
    static const struct { const char *word; char means; } known[] = {
        {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
    char digits[16] = "", *stop;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (starts(r, known[i].word)) {
            r->at += strlen(known[i].word);
            return bytes_append(out, &known[i].means, 1) ? EXIT_DONE : no_memory(r);
        }
    for (size_t i = 0; i < sizeof digits - 1 && r->at + i < r->end && r->at[i] != ';'; i++) digits[i] = (char)r->at[i];
    const bool hex = digits[1] == '#' && digits[2] == 'x';
    const unsigned long code = digits[1] == '#' ? strtoul(digits + (hex ? 3 : 2), &stop, hex ? 16 : 10) : 0;
    if (!code || code > 0x10ffff || *stop || r->at + strlen(digits) >= r->end || r->at[strlen(digits)] != ';')
        return xml_refuse(r, "an & that begins no character");
    r->at += strlen(digits) + 1;
    return bytes_append_character(out, code) ? EXIT_DONE : no_memory(r);
}

/* Reads characters up to `stop`, but not `stop` itself. */
static int read_characters(xml_reader *r, char stop, bytes *out)
{
    while (r->at < r->end && *r->at != (uint8_t)stop) {
        const uint8_t *const from = r->at;
        if (*r->at == 0) return xml_refuse(r, "a zero byte");
        if (*r->at == '&') {
            const int status = read_entity(r, out);
            if (status) return status;
            continue;
        }
        for (; r->at < r->end && *r->at && *r->at != (uint8_t)stop && *r->at != '&'; r->at++)
            r->line += *r->at == '\n';
        if (!bytes_append(out, from, (size_t)(r->at - from))) return no_memory(r);
    }
    return EXIT_DONE;
}

/* ---- Tags ---------------------------------------------------------------------------------------- */

/* Reads attributes NAME="VALUE" up to > or />. */
static int read_attributes(xml_reader *r)
{
    r->attribute.size = 0;
    for (skip_blanks(r); r->at < r->end && is_name(*r->at); skip_blanks(r)) {
        char word[XML_WORD];
        int status = read_name(r, word);
        skip_blanks(r);
        if (!status && (r->at == r->end || *r->at != '=')) status = xml_refuse(r, "a = is missing after %s", word);
        if (status) return status;
        r->at++;
        skip_blanks(r);
        if (r->at == r->end || (*r->at != '"' && *r->at != '\''))
            return xml_refuse(r, "a quote is missing after %s=", word);
        const char quote = (char)*r->at++;
        if (!bytes_append(&r->attribute, word, strlen(word) + 1)) return no_memory(r);
        status = read_characters(r, quote, &r->attribute);
        if (status) return status;
        if (r->at == r->end) return xml_refuse(r, "the file ends within %s", word);
        r->at++;
        if (!bytes_append(&r->attribute, "", 1)) return no_memory(r);
    }
    return EXIT_DONE;
}

static void take_tag(xml_reader *r, const char *word)
{
    const char *const colon = strrchr(word, ':');
    snprintf(r->tag, sizeof r->tag, "%s", colon ? colon + 1 : word);
}

static int read_open(xml_reader *r)
{
    char word[XML_WORD];
    r->at++;
    int status = read_name(r, word);
    if (!status) status = read_attributes(r);
    if (status) return status;
    r->empty = starts(r, "/>");
    if (!r->empty && !starts(r, ">")) return xml_refuse(r, "a > is missing after <%s", word);
    r->at += r->empty ? 2 : 1;
    if (r->depth == XML_DEPTH) return xml_refuse(r, "more than %d elements within each other", XML_DEPTH);
    snprintf(r->open[r->depth++], XML_WORD, "%s", word);
    take_tag(r, word);
    r->event = XML_OPEN;
    return EXIT_DONE;
}

static int close_element(xml_reader *r)
{
    take_tag(r, r->open[--r->depth]);
    r->empty = false;
    r->event = XML_CLOSE;
    return EXIT_DONE;
}

static int read_close(xml_reader *r)
{
    char word[XML_WORD];
    r->at += 2;
    const int status = read_name(r, word);
    skip_blanks(r);
    if (status) return status;
    if (!starts(r, ">")) return xml_refuse(r, "a > is missing after </%s", word);
    r->at++;
    if (!r->depth || strcmp(r->open[r->depth - 1], word))
        return xml_refuse(r, "</%s> closes no <%s>", word, word);
    return close_element(r);
}

/* Stores the entity <!ENTITY name "text">, unless it is long or refers to other entities or a file. A file that uses an
 * entity that is not stored is refused. */
static int read_declaration(xml_reader *r)
{
    enum { LONGEST = 512 };
    char word[XML_WORD];
    r->at += strlen("<!ENTITY");
    skip_blanks(r);
    if (r->at == r->end || !is_name(*r->at)) return EXIT_DONE;
    const int status = read_name(r, word);
    skip_blanks(r);
    if (status || r->at == r->end || (*r->at != '"' && *r->at != '\'')) return status;
    const uint8_t *const from = r->at + 1, *const end = memchr(from, *r->at, (size_t)(r->end - from));
    const size_t size = end ? (size_t)(end - from) : 0;
    if (!end || size > LONGEST || memchr(from, '&', size) || memchr(from, 0, size)) return EXIT_DONE;
    for (r->at = from; r->at < end; r->at++) r->line += *r->at == '\n';
    r->at = end + 1;
    return bytes_append(&r->entity, word, strlen(word) + 1) && bytes_append(&r->entity, from, size) &&
                   bytes_append(&r->entity, "", 1) ? EXIT_DONE : no_memory(r);
}

/* Reads a document type, which may have declarations in brackets. */
static int read_document_type(xml_reader *r)
{
    for (int depth = 0; r->at < r->end; r->at++) {
        if (starts(r, "<!ENTITY")) {
            const int status = read_declaration(r);
            if (status || r->at == r->end) return status ? status : xml_refuse(r, "the file ends within <!DOCTYPE");
        }
        r->line += *r->at == '\n';
        depth += (*r->at == '[') - (*r->at == ']');
        if (*r->at == '>' && depth <= 0) return r->at++, EXIT_DONE;
    }
    return xml_refuse(r, "the file ends within <!DOCTYPE");
}

static int read_text(xml_reader *r)
{
    r->text.size = 0;
    r->event = XML_TEXT;
    while (r->at < r->end && (*r->at != '<' || starts(r, "<![CDATA["))) {
        const bool quoted = starts(r, "<![CDATA[");
        const uint8_t *const from = r->at + (quoted ? strlen("<![CDATA[") : 0);
        int status = quoted ? skip_past(r, "]]>") : read_characters(r, '<', &r->text);
        if (!status && quoted && !bytes_append(&r->text, from, (size_t)(r->at - from) - 3)) status = no_memory(r);
        if (status) return status;
    }
    return bytes_append(&r->text, "", 1) ? EXIT_DONE : no_memory(r);
}

static int step(xml_reader *r, bool *more)
{
    *more = true;
    if (r->empty) return close_element(r);
    for (int status = EXIT_DONE; !status;) {
        if (!r->depth) skip_blanks(r);
        if (r->at == r->end) {
            *more = false;
            return r->depth ? xml_refuse(r, "the file ends within <%s>", r->open[r->depth - 1]) : EXIT_DONE;
        }
        if (r->depth && (*r->at != '<' || starts(r, "<![CDATA["))) return read_text(r);
        if (starts(r, "<!--")) status = skip_past(r, "-->");
        else if (starts(r, "<?")) status = skip_past(r, "?>");
        else if (starts(r, "<!")) status = read_document_type(r);
        else if (starts(r, "</")) return read_close(r);
        else if (*r->at == '<') return read_open(r);
        else return xml_refuse(r, "something that is no XML stands there");
        if (status) return status;
    }
    return EXIT_DONE;
}

bool xml_next(xml_reader *r)
{
    bool more;
    r->status = step(r, &more);
    return more && !r->status;
}

const char *xml_attribute(const xml_reader *r, const char *name)
{
    return value_of(&r->attribute, name, strlen(name));
}

int xml_root(const char *name, const uint8_t *data, size_t size, char *root, size_t room, failure *why)
{
    xml_reader r;
    xml_reader_init(&r, name, data, size, why);
    while (xml_next(&r))
        if (r.event == XML_OPEN && r.depth == 1 && !*root) snprintf(root, room, "%s", r.tag);
    if (!r.status && !*root) xml_refuse(&r, "there is no element");
    const int status = r.status ? r.status : *root ? EXIT_DONE : why->status;
    xml_reader_free(&r);
    return status;
}

int xml_numbers(const char **text, double *values, int most)
{
    static const char between[] = " \t\r\n,;";
    int count = 0;
    for (; count < most; count++) {
        *text += strspn(*text, between);
        const char *const from = *text;
        const size_t sign = *from == '-' || *from == '+';
        if (!((from[sign] >= '0' && from[sign] <= '9') || from[sign] == '.')) break; /* refuses "nan" and "inf" */
        char *end;
        const double value = strtod(from, &end); /* the program always uses the C locale */
        if (end == from || !isfinite(value) || from[sign + 1] == 'x') break;
        values[count] = value;
        *text = end;
    }
    *text += strspn(*text, between);
    return count;
}
