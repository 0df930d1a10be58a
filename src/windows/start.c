/* SPDX-License-Identifier: MIT
 *
 * start.c - the start of the program on Windows: converts its arguments to UTF-8 with '/' for backslashes, and makes
 * its streams binary.
 */
#include "utf16.h"

int program_main(int argc, char **argv);
int wmain(int argc, wchar_t **words);
static UINT code_page; /* of the console, before */

static void give_back_code_page(void)
{
    SetConsoleOutputCP(code_page);
}

int wmain(int argc, wchar_t **words)
{
    char **const argv = calloc((size_t)argc + 1, sizeof *argv);
    if (!argv) return 5;
    for (int i = 0; i < argc; i++) {
        const size_t room = 4 * wcslen(words[i]) + 1;
        argv[i] = malloc(room);
        if (!argv[i]) return 5;
        wide_to_text(words[i], true, argv[i], room);
    }
    for (int i = 0; i < 3; i++) (void)_setmode(i, _O_BINARY);
    code_page = GetConsoleOutputCP();
    if (code_page && SetConsoleOutputCP(CP_UTF8)) atexit(give_back_code_page);
    return program_main(argc, argv);
}
