/* SPDX-License-Identifier: MIT
 *
 * test_file.c - reading reports faults. Writing leaves either the new file or the old one, and no other file.
 */
#include "file.h"

/* Must follow our headers, because check.h defines a macro named fail. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run_suite.h"

static char folder[64];

static void enter_folder(void)
{
    strcpy(folder, "/tmp/tilecut-test-" "XX" "XX" "XX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
    signal(SIGPIPE, SIG_IGN); /* main() does the same */
    signal(SIGXFSZ, SIG_IGN);
    umask(022);
}

/* Counts the names in a folder, except "." and "..". */
static int count_files(const char *path)
{
    DIR *const listing = opendir(path);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(listing));)
        count += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
    closedir(listing);
    return count;
}

static void leave_folder(void)
{
    char command[128];
    if (getuid() == 0) ck_assert_int_eq(seteuid(0), 0);
    ck_assert_int_eq(chdir("/"), 0);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    ck_assert_int_eq(system(command), 0);
}

static void put(const char *path, const char *text)
{
    FILE *const file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

static void expect_content(const char *path, const char *text)
{
    bytes content;
    failure why;
    ck_assert_msg(file_read(path, 0, &content, &why) == EXIT_DONE, "%s", why.text);
    ck_assert_uint_eq(content.size, strlen(text));
    ck_assert_mem_eq(content.data, text, content.size);
    bytes_free(&content);
}

static void expect_unread(const char *path, uint64_t max_size, const char *says)
{
    bytes content;
    failure why = {0};
    ck_assert_int_eq(file_read(path, max_size, &content, &why), EXIT_INPUT);
    ck_assert_msg(strstr(why.text, says), "%s", why.text);
    ck_assert(!content.data && !content.size);
}

static void expect_unwritten(const char *path, const char *says)
{
    failure why = {0};
    ck_assert_int_eq(file_write(path, "new", 3, &why), EXIT_RUNTIME);
    ck_assert_msg(strstr(why.text, says), "%s", why.text);
}

static void write_new(const char *path)
{
    failure why = {0};
    ck_assert_msg(file_write(path, "new", 3, &why) == EXIT_DONE, "%s", why.text);
}

/* Permission tests need an ordinary user, so root gives up its rights in the process of this test. */
static void be_nobody(void)
{
    if (geteuid() == 0) {
        ck_assert_int_eq(chmod(folder, 0777), 0);
        ck_assert_int_eq(seteuid(65534), 0);
    }
}

/* ---- Reading ---------------------------------------------------------------------------------- */

TEST(reading_says_what_is_wrong)
{
    put("empty", "");
    put("five", "12345");
    put("secret", "x");
    expect_unread("none", 0, "none: there is no such file");
    expect_unread("five/x", 0, "five/x: there is no such file");
    expect_unread("", 0, "'': there is no such file");
    expect_unread(".", 0, ".: is a directory");
    expect_unread("empty", 0, "empty: is empty");
    expect_unread("/dev/null", 0, "is empty");
    expect_unread("five", 4, "five: is 5 bytes long; at most 4 are read");
    expect_unread("/dev/zero", 1 << 20, "is longer than the 1048576 bytes");
    expect_content("five", "12345");
    ck_assert_int_eq(chmod("secret", 0), 0);
    be_nobody();
    expect_unread("secret", 0, "secret: may not be read: permission denied");
}

TEST(standard_input_is_binary_safe)
{
    int ends[2];
    uint8_t all[256 * 3];
    bytes content;
    failure why;
    for (size_t i = 0; i < sizeof all; i++) all[i] = (uint8_t)i;
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(write(ends[1], all, sizeof all), (int)sizeof all);
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    ck_assert_int_eq(file_read("-", 0, &content, &why), EXIT_DONE);
    ck_assert_uint_eq(content.size, sizeof all);
    ck_assert_mem_eq(content.data, all, sizeof all);
    bytes_free(&content);
    expect_unread("-", 0, "standard input: is empty");
    close(STDIN_FILENO);
    expect_unread("-", 0, "standard input: cannot be read");
}

TEST(a_buffer_grows)
{
    bytes buffer = {0};
    for (unsigned i = 0; i < 100000; i++) ck_assert(bytes_append(&buffer, &i, i % 5));
    ck_assert_uint_eq(buffer.size, 200000);
    ck_assert(!bytes_append(&buffer, "", SIZE_MAX - 4));
    ck_assert_uint_eq(buffer.size, 200000);
    bytes_free(&buffer);
    ck_assert(!buffer.data && !buffer.room);
}

/* ---- Writing ---------------------------------------------------------------------------------- */

static int mode_of(const char *path)
{
    struct stat about;
    ck_assert_int_eq(stat(path, &about), 0);
    return about.st_mode & 0777;
}

TEST(writing_replaces_and_keeps_the_mode)
{
    umask(027);
    write_new("new");
    expect_content("new", "new");
    ck_assert_int_eq(mode_of("new"), 0640);
    put("old", "old old old");
    ck_assert_int_eq(chmod("old", 0606), 0);
    write_new("old");
    expect_content("old", "new");
    ck_assert_int_eq(mode_of("old"), 0606);
    ck_assert_int_eq(count_files("."), 2);
}

TEST(writing_goes_through_links)
{
    struct stat about;
    ck_assert_int_eq(mkdir("deep", 0777), 0);
    put("deep/target", "old");
    ck_assert_int_eq(symlink("deep/second", "link"), 0);
    ck_assert_int_eq(symlink("target", "deep/second"), 0);
    ck_assert_int_eq(symlink("deep/later", "dangling"), 0);
    ck_assert_int_eq(symlink("loop", "loop"), 0);
    write_new("link");
    expect_content("deep/target", "new");
    write_new("dangling");
    expect_content("deep/later", "new");
    ck_assert(lstat("link", &about) == 0 && S_ISLNK(about.st_mode));
    ck_assert(lstat("dangling", &about) == 0 && S_ISLNK(about.st_mode));
    ck_assert(lstat("deep/second", &about) == 0 && S_ISLNK(about.st_mode));
    expect_unwritten("loop", "loop: not written: ");
    ck_assert_int_eq(count_files("deep"), 3);
    ck_assert_int_eq(count_files("."), 4);
}

TEST(writing_says_what_is_wrong)
{
    put("file", "old");
    expect_unwritten("", "'': not written: a file needs a name");
    expect_unwritten("none/x", "none/x: not written: there is no folder none");
    expect_unwritten("/nowhere-at-all/x", "there is no folder /nowhere-at-all");
    expect_unwritten("file/x", "file/x: not written: ");
    expect_unwritten("x/", "x/: not written: that is a folder's name");
    expect_unwritten(".", "it is a directory");
    expect_unwritten("/dev/full", "/dev/full: not written: no space left on the device");
    write_new("/dev/null");
    ck_assert_int_eq(chmod("file", 0444), 0);
    be_nobody();
    expect_unwritten("file", "file: not written: the file there is write-protected");
    if (geteuid() != 65534) ck_assert_int_eq(chmod(".", 0555), 0);
    expect_unwritten(geteuid() == 65534 ? "/x-of-tilecut" : "x", "no file may be created in the folder");
    if (geteuid() != 65534) ck_assert_int_eq(chmod(".", 0777), 0);
    ck_assert_int_eq(count_files("."), 1);
    expect_content("file", "old");
}

/* A limit on file sizes simulates a full disk on machines where none can be mounted. */
TEST(a_full_disk_keeps_the_old_file)
{
    static uint8_t data[1 << 20];
    failure why;
    const struct rlimit limit = {1 << 18, 1 << 18};
    ck_assert_int_eq(mkdir("disk", 0777), 0);
    const bool mounted = mount("none", "disk", "tmpfs", 0, "size=256k") == 0;
    if (!mounted) setrlimit(RLIMIT_FSIZE, &limit);
    put("disk/mask", "old");
    const int status = file_write("disk/mask", data, sizeof data, &why);
    const int other = file_write("disk/other", data, sizeof data, &why);
    const int files = count_files("disk");
    bytes content = {0};
    failure ignored;
    const int readable = file_read("disk/mask", 0, &content, &ignored);
    if (mounted) umount("disk");
    ck_assert_int_eq(status, EXIT_RUNTIME);
    ck_assert_int_eq(other, EXIT_RUNTIME);
    ck_assert_msg(strstr(why.text, mounted ? "disk/other: not written: no space left" : "larger than files may be"),
                  "%s", why.text);
    ck_assert_int_eq(files, 1);
    ck_assert(readable == EXIT_DONE && content.size == 3);
    bytes_free(&content);
}

TEST(standard_output_can_fail)
{
    int ends[2];
    const int full = open("/dev/full", O_WRONLY), kept = dup(STDOUT_FILENO);
    failure why[3];
    ck_assert_int_eq(pipe(ends), 0);
    close(ends[0]);
    dup2(full, STDOUT_FILENO);
    const int on_full = file_write("-", "new", 3, &why[0]);
    dup2(ends[1], STDOUT_FILENO);
    const int on_pipe = file_write("-", "new", 3, &why[1]);
    close(STDOUT_FILENO);
    const int on_closed = file_write("-", "new", 3, &why[2]);
    dup2(kept, STDOUT_FILENO);
    ck_assert(on_full == EXIT_RUNTIME && on_pipe == EXIT_RUNTIME && on_closed == EXIT_RUNTIME);
    ck_assert_str_eq(why[0].text, "standard output: not written: no space left on the device");
    ck_assert_str_eq(why[1].text, "standard output: not written: nobody reads the other end of the pipe");
    ck_assert_str_eq(why[2].text, "standard output: not written: it is closed");
}

static void on_signal(int number)
{
    file_remove_temporaries();
    _exit(128 + number);
}

/* Kills a writer while its temporary file exists. The right moment is a matter of luck, so the test tries a few
 * times. */
TEST(a_signal_leaves_no_temporary)
{
    const size_t size = 32 << 20;
    uint8_t *const data = calloc(size, 1);
    int hits = 0;
    put("mask", "old");
    for (int attempt = 0; attempt < 20 && hits < 3; attempt++) {
        const pid_t writer = fork();
        if (writer == 0) {
            failure why;
            signal(SIGTERM, on_signal);
            for (int i = 0; i < 100; i++) file_write("big", data, size, &why);
            _exit(0);
        }
        int status;
        for (int i = 0; i < 100000 && count_files(".") < 2; i++) usleep(10);
        usleep((useconds_t)(500 * attempt));
        kill(writer, SIGTERM);
        waitpid(writer, &status, 0);
        hits += WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGTERM;
        unlink("big");
        ck_assert_int_eq(count_files("."), 1);
    }
    free(data);
    ck_assert_int_gt(hits, 0);
}

TEST(same_file)
{
    put("a", "a");
    put("b", "a");
    ck_assert_int_eq(link("a", "hard"), 0);
    ck_assert_int_eq(symlink("a", "soft"), 0);
    ck_assert(file_same("a", "a") && file_same("a", "./a") && file_same("a", "hard") && file_same("soft", "hard"));
    ck_assert(!file_same("a", "b") && !file_same("-", "-") && !file_same("none", "none"));
    ck_assert_str_eq(file_input_name("-"), "standard input");
    ck_assert_str_eq(file_output_name("-"), "standard output");
    ck_assert_str_eq(file_input_name("a"), "a");
}

int main(void)
{
    return run_suite((test_suite){.name = "file", .seconds = 60, .set_up = enter_folder, .tear_down = leave_folder});
}
