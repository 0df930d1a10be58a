/* SPDX-License-Identifier: MIT
 *
 * browser.c - see browser.h. A signal that ends the program removes the file, too, like a temporary file.
 */
#include "browser.h"

#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "file.h"
#include "file_write.h"

extern char **environ;

/* Chooses a folder for files of this session: that of the login session, or else one for temporary files. */
static const char *choose_folder(void)
{
    const char *const names[] = {getenv("XDG_RUNTIME_DIR"), getenv("TMPDIR")};
    struct stat about;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i] && file_is_absolute(names[i]) && strlen(names[i]) < PATH_MAX - 64 && !stat(names[i], &about) &&
            S_ISDIR(about.st_mode))
            return names[i];
    return "/tmp";
}

/* Makes the file with mode 0600, under an unpredictable name. */
static bool write_redirect(browser *b, const char *address, char path[PATH_MAX])
{
    static const char ending[] = ".html";
    char page[1024];
    snprintf(path, PATH_MAX, "%s/tilecut-XXXXXX%s", choose_folder(), ending);
    const int length = snprintf(page, sizeof page,
                                "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<title>tilecut</title>\n"
                                "<meta name=\"referrer\" content=\"no-referrer\">\n"
                                "<meta http-equiv=\"refresh\" content=\"0; url=%s\">\n<a href=\"%s\">tilecut</a>\n",
                                address, address);
    const int made = mkstemps(path, sizeof ending - 1);
    if (made < 0) return false;
    const int error = length < (int)sizeof page ? file_write_all(made, (const uint8_t *)page, (size_t)length) : EINVAL;
    if (!error) b->file = beside_join(path, strrchr(path, '/') + 1, &b->descriptor);
    const int kept = error ? error : errno;
    close(made);
    if (!b->file) unlink(path);
    errno = kept;
    return b->file;
}

/* Starts the browser. The output of xdg-open goes to standard error, because programs may read the address from our
 * standard output. */
static int start_browser(pid_t *child, char *path)
{
    char command[] = "xdg-open";
    char *words[] = {command, path, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    const int error = posix_spawnp(child, command, &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

bool browser_open(browser *b, const char *address)
{
    char path[PATH_MAX];
    *b = (browser){0};
    if (!write_redirect(b, address, path)) return false;
    const int error = start_browser(&b->child, path);
    if (!error) return true;
    browser_close(b);
    errno = error;
    return false;
}

void browser_close(browser *b)
{
    if (b->file) beside_close(b->file, b->descriptor);
    if (b->child) waitpid(b->child, NULL, WNOHANG);
    *b = (browser){0};
}
