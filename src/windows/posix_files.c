/* SPDX-License-Identifier: MIT
 *
 * posix_files.c - files by name and by descriptor (posix.h).
 */
#include <poll.h>
#include <unistd.h>

#include "utf16.h"

enum { PIECE = 1 << 30 };
static const DWORD shared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

/* Returns the descriptor of a name such as /dev/stdout, or -1. */
static int standard(const char *path)
{
    static const char *const names[] = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};
    for (int i = 0; i < 3; i++)
        if (!strcmp(path, names[i])) return i;
    return -1;
}

/* ---- about a file ------------------------------------------------------------------------------ */

static int64_t whole(DWORD high, DWORD low)
{
    return (int64_t)((uint64_t)high << 32 | low);
}

static bool is_link(HANDLE handle)
{
    FILE_ATTRIBUTE_TAG_INFO tag;
    return GetFileInformationByHandleEx(handle, FileAttributeTagInfo, &tag, sizeof tag) &&
           (tag.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) &&
           (tag.ReparseTag == IO_REPARSE_TAG_SYMLINK || tag.ReparseTag == IO_REPARSE_TAG_MOUNT_POINT);
}

static int look(HANDLE handle, bool link, struct posix_stat *about)
{
    BY_HANDLE_FILE_INFORMATION info;
    const DWORD type = GetFileType(handle);
    *about = (struct posix_stat){.st_mode = type == FILE_TYPE_PIPE ? S_IFIFO : S_IFCHR, .st_nlink = 1};
    if (type != FILE_TYPE_DISK) return 0;
    if (!GetFileInformationByHandle(handle, &info)) { /* wine fails for files to which a POSIX shell redirects */
        about->st_mode = S_IFREG | 0666;
        about->st_ino = (uint64_t)(uintptr_t)handle;
        return 0;
    }
    const bool folder = info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY;
    about->st_mode = (mode_t)(info.dwFileAttributes & FILE_ATTRIBUTE_READONLY && !folder ? 0444 : 0666);
    about->st_mode |= folder ? S_IFDIR : S_IFREG;
    if (link && is_link(handle)) about->st_mode = S_IFLNK | 0777;
    about->st_dev = info.dwVolumeSerialNumber;
    about->st_ino = (uint64_t)whole(info.nFileIndexHigh, info.nFileIndexLow);
    about->st_size = whole(info.nFileSizeHigh, info.nFileSizeLow);
    about->st_nlink = info.nNumberOfLinks;
    about->st_mtime = (whole(info.ftLastWriteTime.dwHighDateTime, info.ftLastWriteTime.dwLowDateTime) -
                       116444736000000000) / 10000000;
    return 0;
}

static int look_at(const char *path, bool link, struct posix_stat *about)
{
    if (standard(path) >= 0) return posix_fstat(standard(path), about);
    const HANDLE handle = wide_look_at(path, link);
    if (handle == INVALID_HANDLE_VALUE) return -1;
    const int failed = look(handle, link, about);
    CloseHandle(handle);
    return failed;
}

int posix_stat(const char *path, struct posix_stat *about) { return look_at(path, false, about); }
int posix_lstat(const char *path, struct posix_stat *about) { return look_at(path, true, about); }

int posix_fstat(int file, struct posix_stat *about)
{
    const HANDLE handle = wide_handle(file);
    return handle == INVALID_HANDLE_VALUE ? -1 : look(handle, false, about);
}

int posix_access(const char *path, int how)
{
    struct posix_stat about;
    if (posix_stat(path, &about)) return -1;
    if (!(how & W_OK) || S_ISDIR(about.st_mode) || (about.st_mode & 0222)) return 0;
    errno = EACCES;
    return -1;
}

int posix_isatty(int file)
{
    DWORD mode;
    return GetConsoleMode((HANDLE)_get_osfhandle(file), &mode) != 0;
}

int posix_fcntl(int file, int what)
{
    (void)what;
    return wide_handle(file) == INVALID_HANDLE_VALUE ? -1 : 0;
}

char *posix_realpath(const char *path, char *out)
{
    wchar_t name[PATH_MAX];
    const int own = standard(path);
    const HANDLE handle = own < 0 ? wide_look_at(path, false) : wide_handle(own);
    if (handle == INVALID_HANDLE_VALUE) return NULL;
    if (own >= 0 && GetFileType(handle) != FILE_TYPE_DISK) return out ? strcpy(out, path) : strdup(path);
    const DWORD length = GetFinalPathNameByHandleW(handle, name, PATH_MAX, FILE_NAME_NORMALIZED | VOLUME_NAME_DOS);
    if (!length) (void)wide_failed();
    if (own < 0) CloseHandle(handle);
    if (!length || length >= PATH_MAX || (!out && !(out = malloc(PATH_MAX)))) return NULL;
    const bool far_away = !wcsncmp(name, L"\\\\?\\UNC\\", 8), prefix = !wcsncmp(name, L"\\\\?\\", 4);
    if (far_away) name[6] = L'\\';
    return wide_to_text(name + (far_away ? 6 : prefix ? 4 : 0), true, out, PATH_MAX);
}

ssize_t posix_readlink(const char *path, char *target, size_t room)
{
    wchar_t name[PATH_MAX];
    char text[PATH_MAX];
    errno = EINVAL;
    if (strcmp(path, "/proc/self/exe") || !GetModuleFileNameW(NULL, name, PATH_MAX)) return -1;
    const size_t length = strlen(wide_to_text(name, true, text, sizeof text));
    memcpy(target, text, length < room ? length : room);
    return (ssize_t)(length < room ? length : room);
}

/* ---- opening ----------------------------------------------------------------------------------- */

static DWORD disposition(int flags)
{
    if (flags & O_CREAT) return flags & O_EXCL ? CREATE_NEW : flags & O_TRUNC ? CREATE_ALWAYS : OPEN_ALWAYS;
    return flags & O_TRUNC ? TRUNCATE_EXISTING : OPEN_EXISTING;
}

static int open_wide(const wchar_t *name, int flags)
{
    static const DWORD access[] = {GENERIC_READ, GENERIC_WRITE, GENERIC_READ | GENERIC_WRITE, 0};
    SECURITY_ATTRIBUTES inherit = {.nLength = sizeof inherit, .bInheritHandle = !(flags & O_CLOEXEC)};
    const DWORD more = (flags & O_NOFOLLOW ? FILE_FLAG_OPEN_REPARSE_POINT : 0) |
                       (flags & O_TEMPORARY ? FILE_FLAG_DELETE_ON_CLOSE : 0);
    const HANDLE handle = CreateFileW(name, access[flags & 3] | (flags & O_TEMPORARY ? DELETE : 0), shared, &inherit,
                                      disposition(flags), FILE_ATTRIBUTE_NORMAL | more, NULL);
    if (handle == INVALID_HANDLE_VALUE) {
        (void)wide_failed();
        const DWORD is = errno == EACCES ? GetFileAttributesW(name) : INVALID_FILE_ATTRIBUTES;
        if (is != INVALID_FILE_ATTRIBUTES && (is & FILE_ATTRIBUTE_DIRECTORY)) errno = EISDIR;
        return -1;
    }
    const int file = _open_osfhandle((intptr_t)handle, (flags & (O_APPEND | O_CLOEXEC)) | O_BINARY);
    if (file < 0) CloseHandle(handle);
    return file;
}

int posix_open(const char *path, int flags, ...)
{
    wchar_t name[PATH_MAX];
    if (standard(path) >= 0) return _dup(standard(path));
    return wide_path(path, name) ? open_wide(name, flags) : -1;
}

/* Makes the path of a name in the folder of a descriptor. Returns false with errno on failure. */
static bool path_in(int at, const char *name, char path[PATH_MAX])
{
    wchar_t folder[PATH_MAX];
    const HANDLE handle = wide_handle(at);
    if (handle == INVALID_HANDLE_VALUE) return false;
    const DWORD length = GetFinalPathNameByHandleW(handle, folder, PATH_MAX, FILE_NAME_NORMALIZED | VOLUME_NAME_DOS);
    if (!length || length >= PATH_MAX) return wide_failed() == 0;
    const size_t used = strlen(wide_to_text(folder, false, path, PATH_MAX));
    if ((size_t)snprintf(path + used, PATH_MAX - used, "\\%s", name) < PATH_MAX - used) return true;
    errno = ENAMETOOLONG;
    return false;
}

int posix_openat(int at, const char *name, int flags, ...)
{
    char path[PATH_MAX];
    return path_in(at, name, path) ? posix_open(path, flags) : -1;
}

int posix_unlinkat(int at, const char *name, int flags)
{
    char path[PATH_MAX];
    (void)flags;
    return path_in(at, name, path) ? posix_unlink(path) : -1;
}

FILE *posix_fopen(const char *path, const char *how)
{
    static const char modes[][4] = {"rb", "wb", "ab", "r+b", "w+b", "a+b"};
    const bool both = strchr(how, '+') != NULL;
    const int kind = *how == 'r' ? 0 : *how == 'w' ? 1 : 2;
    const int create = kind == 0 ? 0 : O_CREAT | (kind == 1 ? O_TRUNC : O_APPEND);
    const int file = posix_open(path, (both ? O_RDWR : kind ? O_WRONLY : O_RDONLY) | create | O_CLOEXEC, 0666);
    FILE *const stream = file < 0 ? NULL : _fdopen(file, modes[kind + 3 * both]);
    if (file >= 0 && !stream) posix_close(file);
    return stream;
}

/* Replaces the X letters before the ending until the name is new, and makes a file or folder of that name. */
static int make_unique(char *path, int ending, int (*make)(const char *path))
{
    static const char alphabet[] = "abcdefghijklmnopqrstuvwxyz012345";
    enum { LETTERS = 6 };
    char *const at = path + strlen(path) - ending - LETTERS;
    for (int attempt = 0; attempt < 100; attempt++) {
        uint8_t random[LETTERS];
        if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random) return -1;
        for (int i = 0; i < LETTERS; i++) at[i] = alphabet[random[i] % 32];
        const int made = make(path);
        if (made >= 0 || errno != EEXIST) return made;
    }
    return -1;
}

static int make_file(const char *path) { return posix_open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC); }
static int make_folder(const char *path) { return posix_mkdir(path, 0700); }

int posix_mkstemps(char *path, int ending) { return make_unique(path, ending, make_file); }
char *posix_mkdtemp(char *path) { return make_unique(path, 0, make_folder) ? NULL : path; }

/* ---- names ------------------------------------------------------------------------------------- */

/* Repeats a rename that fails: virus scanners open new files for a moment, and nobody can rename them meanwhile. */
int posix_rename(const char *from, const char *to)
{
    wchar_t old[PATH_MAX], new[PATH_MAX];
    if (!wide_path(from, old) || !wide_path(to, new)) return -1;
    for (int tries = 0; tries < 20; tries++) {
        if (MoveFileExW(old, new, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH)) return 0;
        if (GetLastError() != ERROR_ACCESS_DENIED && GetLastError() != ERROR_SHARING_VIOLATION) break;
        if (tries < 19) Sleep(25);
    }
    return wide_failed();
}

int posix_unlink(const char *path)
{
    wchar_t name[PATH_MAX];
    return wide_path(path, name) ? DeleteFileW(name) ? 0 : wide_failed() : -1;
}

int posix_mkdir(const char *path, int mode)
{
    wchar_t name[PATH_MAX];
    (void)mode;
    if (!wide_path(path, name)) return -1;
    if (CreateDirectoryW(name, NULL)) return 0;
    const DWORD error = GetLastError(), is = GetFileAttributesW(name); /* the error of the C library is "access
                                                                          denied" */
    SetLastError(is == INVALID_FILE_ATTRIBUTES ? error : ERROR_ALREADY_EXISTS);
    return wide_failed();
}

int posix_rmdir(const char *path)
{
    wchar_t name[PATH_MAX];
    return wide_path(path, name) ? RemoveDirectoryW(name) ? 0 : wide_failed() : -1;
}

/* ---- reading and writing ----------------------------------------------------------------------- */

ssize_t posix_read(int file, void *to, size_t size) { return _read(file, to, size < PIECE ? (unsigned)size : PIECE); }

ssize_t posix_write(int file, const void *from, size_t size)
{
    return _write(file, from, size < PIECE ? (unsigned)size : PIECE);
}

static OVERLAPPED place(int64_t at)
{
    return (OVERLAPPED){.Offset = (DWORD)at, .OffsetHigh = (DWORD)((uint64_t)at >> 32)};
}

ssize_t posix_pread(int file, void *to, size_t size, int64_t at)
{
    OVERLAPPED from = place(at);
    DWORD got = 0;
    const HANDLE handle = wide_handle(file);
    if (handle == INVALID_HANDLE_VALUE) return -1;
    if (ReadFile(handle, to, size < PIECE ? (DWORD)size : PIECE, &got, &from)) return (ssize_t)got;
    return GetLastError() == ERROR_HANDLE_EOF ? 0 : wide_failed();
}

ssize_t posix_pwrite(int file, const void *from, size_t size, int64_t at)
{
    OVERLAPPED to = place(at);
    DWORD put = 0;
    const HANDLE handle = wide_handle(file);
    if (handle == INVALID_HANDLE_VALUE) return -1;
    return WriteFile(handle, from, size < PIECE ? (DWORD)size : PIECE, &put, &to) ? (ssize_t)put : wide_failed();
}

int posix_ftruncate(int file, int64_t size)
{
    FILE_END_OF_FILE_INFO end = {.EndOfFile.QuadPart = size};
    const HANDLE handle = wide_handle(file);
    if (handle == INVALID_HANDLE_VALUE) return -1;
    return SetFileInformationByHandle(handle, FileEndOfFileInfo, &end, sizeof end) ? 0 : wide_failed();
}

int posix_allocate(int file, int64_t at, int64_t size)
{
    struct posix_stat now;
    if (posix_fstat(file, &now)) return errno;
    return now.st_size >= at + size || !posix_ftruncate(file, at + size) ? 0 : errno;
}

/* Locks a byte beyond the end of any file, because a lock on Windows prevents others from reading that byte. */
int posix_flock(int file, int how)
{
    OVERLAPPED at = place(INT64_MAX - 1);
    const HANDLE handle = wide_handle(file);
    const DWORD flags = LOCKFILE_EXCLUSIVE_LOCK | (how & LOCK_NB ? LOCKFILE_FAIL_IMMEDIATELY : 0);
    if (handle == INVALID_HANDLE_VALUE) return -1;
    return LockFileEx(handle, flags, 0, 1, 0, &at) ? 0 : wide_failed();
}

/* Polls a pipe that another process writes: returns when there are data or no process can write any more. */
int posix_poll(struct pollfd *files, unsigned count, int ms)
{
    int ready = 0;
    for (unsigned i = 0; i < count; i++) {
        const HANDLE handle = wide_handle(files[i].fd);
        DWORD there = 0;
        const bool pipe = (files[i].events & POLLIN) && GetFileType(handle) == FILE_TYPE_PIPE;
        files[i].revents = files[i].events;
        if (pipe) files[i].revents = !PeekNamedPipe(handle, NULL, 0, NULL, &there, NULL) ? POLLHUP : there ? POLLIN : 0;
        ready += files[i].revents != 0;
    }
    if (!ready && ms > 0) Sleep((DWORD)ms);
    return ready;
}
