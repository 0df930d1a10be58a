/* SPDX-License-Identifier: MIT
 *
 * signals.c - see signals.h. The handler calls nothing but async-signal-safe functions.
 */
#include "signals.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "file.h"

tilecut_flag signals_flag;
volatile int signals_caught;
static volatile sig_atomic_t held;

int signals_number(void)
{
    return __atomic_load_n(&signals_caught, __ATOMIC_RELAXED);
}

static void on_signal(int number)
{
    if (held && !signals_number()) {
        __atomic_store_n(&signals_caught, number, __ATOMIC_RELAXED);
        tilecut_flag_raise(&signals_flag);
        return;
    }
    file_remove_temporaries();
    _exit(128 + number);
}

/* Handles a signal such as SIGSEGV: removes the temporary files, then ends the program as without this handler, with a
 * core file and the shell's message. */
static void on_deadly(int number)
{
    file_remove_temporaries();
    raise(number); /* ends the program, because SA_RESETHAND has removed the handler */
}

static void install_deadly(void)
{
    static const int numbers[] = {SIGQUIT, SIGABRT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM, SIGPROF, SIGSYS,
                                  SIGTRAP, SIGIO, SIGPWR, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    struct sigaction action = {.sa_handler = on_deadly, .sa_flags = (int)(SA_RESETHAND | SA_NODEFER)}, before;
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) sigdelset(&action.sa_mask, numbers[i]);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) /* signals that a sanitizer handles are left alone */
        if (!sigaction(numbers[i], NULL, &before) && before.sa_handler == SIG_DFL) sigaction(numbers[i], &action, NULL);
}

void signals_install(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    struct sigaction before, ignore = {.sa_handler = SIG_IGN};
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    sigemptyset(&action.sa_mask);
    sigemptyset(&ignore.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) sigaddset(&action.sa_mask, numbers[i]);
    /* Signals that the parent process ignores (nohup, background jobs) stay ignored. */
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!sigaction(numbers[i], NULL, &before) && before.sa_handler != SIG_IGN) sigaction(numbers[i], &action, NULL);
    sigaction(SIGPIPE, &ignore, NULL);
    sigaction(SIGXFSZ, &ignore, NULL);
    install_deadly();
}

void signals_hold(bool hold)
{
    held = hold;
}

int signals_status(void)
{
    return 128 + signals_caught;
}
