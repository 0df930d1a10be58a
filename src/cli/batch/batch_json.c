/* SPDX-License-Identifier: MIT
 *
 * batch_json.c - reads a flat JSON object from a line, as batch_line.h describes. Values become the texts of columns,
 * so numbers keep their spelling.
 */
#include <string.h>

#include "batch_line.h"
#include "json_reader.h"

/* Appends a value that is not a string: a number as it is written, true as "yes", false as "no", null as nothing. */
static int read_plain(json_reader *r, bytes *out)
{
    const char kind = json_kind(r);
    const char *const at = (const char *)r->at, *const word = kind == 'n' ? "" : *at == 't' ? "yes" : "no";
    if (!kind || !strchr("0tn", kind))
        return json_refuse(r, "a value is neither text, number, true, false, null nor an array of these");
    STEP(json_skip(r));
    const bool room = kind == '0' ? bytes_append(out, at, (size_t)((const char *)r->at - at))
                                  : bytes_append(out, word, strlen(word));
    return room ? EXIT_DONE : batch_no_memory(r->why);
}

/* Reads one value, or if `array` the values of a list. Each string in a list is a value of its own; the numbers of a
 * list are joined with commas to one value. */
static int read_values(json_reader *r, batch_line *line, bool array)
{
    const char *const column = (const char *)r->key.data;
    bytes plain = {0};
    int status = EXIT_DONE;
    bool more = !array || json_more(r);
    while (!status && more) {
        if (json_kind(r) == '"') {
            status = json_string(r);
            if (!status) status = batch_line_put(line, column, (const char *)r->text.data, r->why);
        } else {
            if (plain.size && !bytes_append(&plain, ",", 1)) status = batch_no_memory(r->why);
            if (!status) status = read_plain(r, &plain);
        }
        more = !status && array && json_more(r);
    }
    if (!status) status = r->status;
    if (!status && plain.size)
        status = bytes_append(&plain, "", 1) ? batch_line_put(line, column, (const char *)plain.data, r->why)
                                             : batch_no_memory(r->why);
    bytes_free(&plain);
    return status;
}

static int read_member(json_reader *r, batch_line *line)
{
    const char *const name = (const char *)r->key.data;
    bool repeatable;
    if (!batch_column_known(name, &repeatable))
        return fail(r->why, EXIT_INPUT, "%s: '%.80s' is neither a file nor an option of a photo", r->name, name);
    for (int i = 0; i < line->count; i++)
        if (!repeatable && !strcmp(line->cell[i].column, name))
            return fail(r->why, EXIT_INPUT, "%s: '%.80s' is there twice", r->name, name);
    const bool array = json_kind(r) == '[';
    const int status = array ? json_enter(r, '[') : EXIT_DONE;
    return status ? status : read_values(r, line, array);
}

int batch_line_parse_json(batch_line *line, const char *from, const char *text, failure *why)
{
    json_reader r;
    json_reader_init(&r, from, (const uint8_t *)text, strlen(text), why);
    r.each_once = true;
    r.line = 0; /* messages need no line number, because the name `from` contains it */
    int status = json_enter(&r, '{');
    while (!status && json_more(&r)) status = read_member(&r, line);
    if (!status) status = r.status;
    if (!status) status = json_end(&r);
    json_reader_free(&r);
    return status;
}
