/* SPDX-License-Identifier: MIT */
#include "utf16.h"

bool wide_path(const char *path, wchar_t out[PATH_MAX])
{
    if (path[0] == '/' && path[1] && path[2] == ':') path++;
    if (!strcmp(path, "/dev/null")) path = "NUL";
    if (MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, out, PATH_MAX)) return true;
    errno = GetLastError() == ERROR_INSUFFICIENT_BUFFER ? ENAMETOOLONG : ENOENT;
    return false;
}

char *wide_to_text(const wchar_t *from, bool path, char *out, size_t room)
{
    if (!WideCharToMultiByte(CP_UTF8, 0, from, -1, out, (int)room, NULL, NULL)) out[0] = '\0';
    for (char *c = out; path && *c; c++)
        if (*c == '\\') *c = '/';
    return out;
}

int wide_failed(void)
{
    static const struct {
        DWORD windows;
        int number;
    } names[] = {{ERROR_FILE_NOT_FOUND, ENOENT}, {ERROR_PATH_NOT_FOUND, ENOENT}, {ERROR_INVALID_NAME, ENOENT},
                 {ERROR_BAD_NETPATH, ENOENT}, {ERROR_BAD_NET_NAME, ENOENT}, {ERROR_INVALID_DRIVE, ENOENT},
                 {ERROR_DIRECTORY, ENOTDIR}, {ERROR_ACCESS_DENIED, EACCES}, {ERROR_SHARING_VIOLATION, EACCES},
                 {ERROR_LOCK_VIOLATION, EACCES}, {ERROR_WRITE_PROTECT, EROFS}, {ERROR_FILE_EXISTS, EEXIST},
                 {ERROR_ALREADY_EXISTS, EEXIST}, {ERROR_DISK_FULL, ENOSPC}, {ERROR_HANDLE_DISK_FULL, ENOSPC},
                 {ERROR_NO_DATA, EPIPE}, {ERROR_BROKEN_PIPE, EPIPE}, {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
                 {ERROR_OUTOFMEMORY, ENOMEM}, {ERROR_COMMITMENT_LIMIT, ENOMEM}, {ERROR_INVALID_HANDLE, EBADF},
                 {ERROR_DIR_NOT_EMPTY, ENOTEMPTY}, {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG}};
    const DWORD error = GetLastError();
    errno = EIO;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].windows == error) errno = names[i].number;
    return -1;
}

HANDLE wide_handle(int file)
{
    const HANDLE handle = (HANDLE)_get_osfhandle(file);
    if (handle != INVALID_HANDLE_VALUE && handle != (HANDLE)-2) return handle;
    errno = EBADF;
    return INVALID_HANDLE_VALUE;
}

HANDLE wide_look_at(const char *path, bool link)
{
    wchar_t name[PATH_MAX];
    if (!wide_path(path, name)) return INVALID_HANDLE_VALUE;
    const DWORD shared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    const DWORD flags = FILE_FLAG_BACKUP_SEMANTICS | (link ? FILE_FLAG_OPEN_REPARSE_POINT : 0);
    const HANDLE handle = CreateFileW(name, FILE_READ_ATTRIBUTES, shared, NULL, OPEN_EXISTING, flags, NULL);
    if (handle == INVALID_HANDLE_VALUE) (void)wide_failed();
    return handle;
}
