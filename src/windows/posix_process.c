/* SPDX-License-Identifier: MIT
 *
 * posix_process.c - memory, processors, signals, the environment and other programs (posix.h).
 */
#include "utf16.h"

#include <psapi.h>
#include <shellapi.h>
#include <signal.h>

char **posix_environ;

/* ---- memory ------------------------------------------------------------------------------------ */

void *posix_mmap(void *at, size_t size, int access, int flags, int file, int64_t offset)
{
    const bool write = access & PROT_WRITE, copy = write && !(flags & MAP_SHARED);
    if (flags & MAP_ANONYMOUS) {
        void *const memory = VirtualAlloc(at, size, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
        if (memory) return memory;
        (void)wide_failed();
        return MAP_FAILED;
    }
    const HANDLE handle = wide_handle(file);
    if (handle == INVALID_HANDLE_VALUE) return MAP_FAILED;
    const DWORD how = copy || !write ? PAGE_READONLY : PAGE_READWRITE;
    const HANDLE mapping = CreateFileMappingW(handle, NULL, how, 0, 0, NULL);
    void *const view = mapping ? MapViewOfFile(mapping, copy ? FILE_MAP_COPY : write ? FILE_MAP_WRITE : FILE_MAP_READ,
                                               (DWORD)((uint64_t)offset >> 32), (DWORD)offset, size)
                               : NULL;
    if (!view) (void)wide_failed();
    if (mapping) CloseHandle(mapping);
    return view ? view : MAP_FAILED;
}

/* True if `memory` is a view of a file. */
static bool is_view(const void *memory)
{
    MEMORY_BASIC_INFORMATION info;
    return VirtualQuery(memory, &info, sizeof info) && info.Type == MEM_MAPPED;
}

int posix_munmap(void *memory, size_t size)
{
    (void)size;
    return (is_view(memory) ? UnmapViewOfFile(memory) : VirtualFree(memory, 0, MEM_RELEASE)) ? 0 : wide_failed();
}

int posix_madvise(void *memory, size_t size, int advice)
{
    (void)advice;
    if (is_view(memory)) return 0;
    if (!VirtualFree(memory, size, MEM_DECOMMIT)) return wide_failed();
    if (VirtualAlloc(memory, size, MEM_COMMIT, PAGE_READWRITE)) return 0;
    return wide_failed();
}

/* ---- processors and limits --------------------------------------------------------------------- */

int sched_getaffinity(int process, size_t size, cpu_set_t *allowed)
{
    DWORD_PTR own, all;
    (void)process, (void)size;
    if (!GetProcessAffinityMask(GetCurrentProcess(), &own, &all) || !own) return wide_failed();
    allowed->bits = own;
    return 0;
}

static long third_cache(void)
{
    SYSTEM_LOGICAL_PROCESSOR_INFORMATION info[256];
    DWORD size = sizeof info;
    long largest = 0;
    if (!GetLogicalProcessorInformation(info, &size)) return 0;
    for (size_t i = 0; i < size / sizeof *info; i++)
        if (info[i].Relationship == RelationCache && info[i].Cache.Level == 3 && (long)info[i].Cache.Size > largest)
            largest = (long)info[i].Cache.Size;
    return largest;
}

long posix_sysconf(int what)
{
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    if (what == _SC_NPROCESSORS_ONLN) return (long)info.dwNumberOfProcessors;
    return what == _SC_PAGESIZE ? (long)info.dwAllocationGranularity : third_cache();
}

int getrlimit(int what, struct rlimit *limit)
{
    MEMORYSTATUSEX memory = {.dwLength = sizeof memory};
    limit->rlim_cur = limit->rlim_max = RLIM_INFINITY;
    if (what == RLIMIT_AS && GlobalMemoryStatusEx(&memory))
        limit->rlim_cur = memory.ullAvailPhys < memory.ullAvailPageFile ? memory.ullAvailPhys : memory.ullAvailPageFile;
    return 0;
}

static struct timeval span(FILETIME time)
{
    const uint64_t ticks = (uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime; /* of 100 ns */
    return (struct timeval){.tv_sec = (long)(ticks / 10000000), .tv_usec = (long)(ticks % 10000000 / 10)};
}

int getrusage(int of, struct rusage *used)
{
    PROCESS_MEMORY_COUNTERS memory = {.cb = sizeof memory};
    FILETIME begun, ended, kernel, user;
    *used = (struct rusage){.ru_maxrss = 0};
    if (of != RUSAGE_SELF) return 0;
    if (K32GetProcessMemoryInfo(GetCurrentProcess(), &memory, sizeof memory))
        used->ru_maxrss = (long)(memory.PeakWorkingSetSize >> 10);
    if (GetProcessTimes(GetCurrentProcess(), &begun, &ended, &kernel, &user))
        used->ru_utime = span(user), used->ru_stime = span(kernel);
    return 0;
}

/* ---- signals ----------------------------------------------------------------------------------- */

static void (*handlers[32])(int);

/* Handles Ctrl-C and the like; Windows calls it in a new thread. */
static BOOL WINAPI on_console(DWORD event)
{
    const int number = event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT ? SIGINT : SIGTERM;
    if (!handlers[number]) return FALSE;
    handlers[number](number);
    return TRUE;
}

int sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
    if (before) before->sa_handler = SIG_DFL;
    if (!action || action->sa_handler == SIG_IGN) return 0;
    if (number == SIGINT || number == SIGTERM) {
        handlers[number] = action->sa_handler;
        return SetConsoleCtrlHandler(on_console, TRUE) ? 0 : wide_failed();
    }
    if (number == SIGSEGV || number == SIGFPE || number == SIGILL || number == SIGABRT)
        return signal(number, action->sa_handler) == SIG_ERR ? -1 : 0;
    errno = EINVAL;
    return -1;
}

#undef raise
int posix_raise(int number)
{
    return raise(number);
}

/* ---- the environment, and chance --------------------------------------------------------------- */

/* Results of earlier calls, so that callers may keep them. */
static struct {
    char *name, *value;
} known[64];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Returns the name that Windows uses for a variable, or NULL. */
static const wchar_t *windows_name(const char *name, wchar_t room[64])
{
    if (!strcmp(name, "HOME")) return L"USERPROFILE";
    if (!strcmp(name, "TMPDIR")) return L"TEMP";
    if (!strcmp(name, "XDG_CACHE_HOME")) return L"LOCALAPPDATA";
    return MultiByteToWideChar(CP_UTF8, 0, name, -1, room, 64) ? room : NULL;
}

/* Checks if the terminal moves its cursor like those of POSIX, which must be switched on first. */
static const char *terminal(void)
{
    const HANDLE error = GetStdHandle(STD_ERROR_HANDLE);
    DWORD mode;
    if (!GetConsoleMode(error, &mode)) return NULL;
    return SetConsoleMode(error, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING) ? "windows" : NULL;
}

/* Returns a copy of an environment variable; NULL: it is not set, or memory ran out. */
static char *read_variable(const char *name)
{
    wchar_t room[64], wide[8192];
    char text[4 * 8192];
    const wchar_t *const its = windows_name(name, room);
    const DWORD length = its ? GetEnvironmentVariableW(its, wide, 8192) : 0;
    if (length && length < 8192) return strdup(wide_to_text(wide, its != room, text, sizeof text));
    return strcmp(name, "TERM") || !terminal() ? NULL : strdup(terminal());
}

char *posix_getenv(const char *name)
{
    char *value = NULL;
    size_t i = 0;
    pthread_mutex_lock(&lock);
    while (i < 64 && known[i].name && strcmp(known[i].name, name)) i++;
    if (i < 64 && !known[i].name && (known[i].name = strdup(name))) known[i].value = read_variable(name);
    if (i < 64) value = known[i].value;
    pthread_mutex_unlock(&lock);
    return value;
}

int posix_setenv(const char *name, const char *value, int replace)
{
    wchar_t its[64], wide[8192];
    if (!replace && posix_getenv(name)) return 0;
    if (!MultiByteToWideChar(CP_UTF8, 0, name, -1, its, 64) ||
        !MultiByteToWideChar(CP_UTF8, 0, value, -1, wide, 8192) || !SetEnvironmentVariableW(its, wide))
        return wide_failed();
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < 64 && known[i].name; i++)
        if (!strcmp(known[i].name, name)) known[i].value = strdup(value);
    pthread_mutex_unlock(&lock);
    return 0;
}

ssize_t getrandom(void *to, size_t size, unsigned flags)
{
    unsigned number;
    (void)flags;
    for (size_t at = 0; at < size; at++) {
        if (rand_s(&number)) return -1;
        ((uint8_t *)to)[at] = (uint8_t)number;
    }
    return (ssize_t)size;
}

/* ---- other programs ---------------------------------------------------------------------------- */

int posix_spawnp(pid_t *child, const char *command, const void *actions, const void *how, char *const *words,
                 char *const *environment)
{
    wchar_t page[PATH_MAX];
    (void)actions, (void)how, (void)environment;
    *child = 0;
    if (strcmp(command, "xdg-open") || !wide_path(words[1], page)) return ENOSYS;
    for (wchar_t *c = page; *c; c++)
        if (*c == L'/') *c = L'\\';
    return (intptr_t)ShellExecuteW(NULL, L"open", page, NULL, NULL, SW_SHOWNORMAL) > 32 ? 0 : ENOENT;
}
