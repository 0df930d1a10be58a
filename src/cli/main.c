/* SPDX-License-Identifier: MIT
 *
 * main.c - the program: finds the verb, runs it, prints its error.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "folders.h"
#include "options.h"
#include "job_part.h"
#include "signals.h"
#include "tilecut.h"
#include "verbs.h"

/* The user may leave out the name of the first verb. Rows without a name are chapters. */
static const struct verb {
    const char *name, *synopsis, *summary;
    verb_function *run;
} verbs[] = {
#define VERB(name, synopsis, summary) {#name, synopsis, summary, verb_##name},
#define CHAPTER(text) {NULL, NULL, text, NULL},
#include "verbs.def"
#undef VERB
#undef CHAPTER
};

enum { ROWS = sizeof verbs / sizeof *verbs };

static const struct verb *find_verb(const char *name)
{
    for (int i = 0; i < ROWS; i++)
        if (verbs[i].name && !strcmp(verbs[i].name, name)) return &verbs[i];
    return NULL;
}

static void print_overview(void)
{
    printf("tilecut %s - cut an object out of a photo, exactly\n", tilecut_version());
    for (const struct verb *verb = verbs; verb < verbs + ROWS; verb++)
        if (verb->name) printf("  tilecut %-8s %-26s %s\n", verb->name, verb->synopsis, verb->summary);
        else printf("\n%s\n", verb->summary);
    printf("\n  tilecut %-8s %-26s %s\n", "help", "VERB [--all]", "options of a verb");
    printf("\n"
           "'segment' may be left out. SEEDS is a picture of the photo's size with strokes\n"
           "on object and background.\n"
           "'-' as a file is standard input or output. Messages go to standard error.\n"
           "Exit status: 0 done, 1 failed while running, 2 wrong usage, 3 input unreadable,\n"
           "4 seeds unusable, 5 no such device or not enough memory, 6 answer not proven.\n");
}

static int refuse_verb(const char *word, failure *why)
{
    nearest near = {.word = word};
    if (!*word)
        return fail(why, EXIT_USAGE,
                    "'': an empty word is neither a verb nor a file; 'tilecut --help' lists the verbs");
    for (int i = 0; i < ROWS; i++)
        if (verbs[i].name) nearest_try(&near, verbs[i].name);
    nearest_try(&near, "help");
    if (near.best)
        return fail(why, EXIT_USAGE, "%s: neither a verb nor a file; did you mean 'tilecut %s'?", word, near.best);
    return fail(why, EXIT_USAGE, "%s: neither a verb nor a file; 'tilecut --help' lists the verbs", word);
}

static int help(int argc, char **argv, failure *why)
{
    char word[] = "--help";
    char *words[] = {word, argc > 1 ? argv[1] : NULL, NULL};
    const int extra = argc > 1 && (!strcmp(argv[1], "--all") || !strcmp(argv[1], "--labels"));
    if (argc > 1 + extra)
        return fail(why, EXIT_USAGE, "%s: one word too many; 'tilecut help VERB' takes one, and --all",
                    argv[1 + extra]);
    if (argc && strcmp(argv[0], "help")) {
        const struct verb *verb = find_verb(argv[0]);
        return verb ? verb->run(1 + extra, words, why) : refuse_verb(argv[0], why);
    }
    print_overview();
    return file_finish_lines(why);
}

/* True if a word that is not a verb is a photo to segment: such a file exists, or the word looks like a file name. */
static bool is_photo(const char *word)
{
    struct stat about;
    return word[0] == '-' || strpbrk(word, "./") || !stat(word, &about);
}

static int run_words(int argc, char **argv, failure *why)
{
    if (argc < 2)
        return fail(why, EXIT_USAGE,
                    "nothing to do; 'tilecut IMAGE --fg X,Y -o MASK' cuts, 'tilecut --help' tells more");
    const char *word = argv[1];
    if (!strcmp(word, "-h") || !strcmp(word, "--help")) return help(0, NULL, why);
    if (!strcmp(word, "help")) return help(argc - 2, argv + 2, why);
    if (!strcmp(word, "--version")) {
        printf("tilecut %s\n", tilecut_version());
        return file_finish_lines(why);
    }
    if (argc == 2 && !strncmp(word, "--", 2)) { /* perhaps a misspelt --version or --help */
        nearest near = {.word = word + 2};
        nearest_try(&near, "version");
        nearest_try(&near, "help");
        if (near.best) return fail(why, EXIT_USAGE, "%s: no such option; did you mean --%s?", word, near.best);
    }
    const struct verb *verb = find_verb(word);
    if (verb) return verb->run(argc - 2, argv + 2, why);
    if (is_photo(word)) return verb_segment(argc - 1, argv + 1, why);
    return job_part_refuse(refuse_verb(word, why), NULL, why);
}

/* Opens /dev/null in place of a closed standard stream, so that no file opened later gets its number. It is opened in
 * such a way that using the stream fails, as it should. */
static void fill_standard_streams(void)
{
    static const int modes[] = {O_WRONLY, O_RDONLY, O_WRONLY};
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) == -1 && open("/dev/null", modes[fd]) != fd) _exit(EXIT_RUNTIME);
}

typedef struct words {
    int argc;
    char **argv;
    failure why;
    int status;
} words;

static void *run_thread(void *all)
{
    words *const w = all;
    w->status = run_words(w->argc, w->argv, &w->why);
    return NULL;
}

/* Ensures a large enough stack. Some readers of pictures take more stack than a small `ulimit -s` allows, which would
 * kill the program without a message. If the limit is below a megabyte, the program runs in a thread with a stack of
 * the usual size, which its own threads then have, too. */
static void run_on_stack(words *w)
{
    enum { ENOUGH = 1 << 20, USUAL = 8 << 20 };
    struct rlimit limit;
    pthread_attr_t usual;
    pthread_t thread;
    bool started = false;
    if (!getrlimit(RLIMIT_STACK, &limit) && limit.rlim_cur < ENOUGH && !pthread_attr_init(&usual)) {
        started = !pthread_attr_setstacksize(&usual, USUAL) && !pthread_setattr_default_np(&usual) &&
                  !pthread_create(&thread, &usual, run_thread, w);
        pthread_attr_destroy(&usual);
    }
    if (started) pthread_join(thread, NULL);
    else run_thread(w);
}

int main(int argc, char **argv)
{
    words all = {.argc = argc, .argv = argv};
    fill_standard_streams();
    signals_install();
    run_on_stack(&all);
    folders_sync();
    if (all.status != EXIT_DONE) folders_drop_made();
    if (all.status != EXIT_DONE && all.why.text[0]) fprintf(stderr, "tilecut: %s\n", all.why.text);
    return all.status;
}
