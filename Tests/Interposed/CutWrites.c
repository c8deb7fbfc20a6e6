// Stops a process in the middle of what it writes to its folder, as the loss of power would.
//
// Loaded with LD_PRELOAD, it counts every call that changes a file below a folder or makes a change durable: open that
// creates or empties, write, pwrite, ftruncate, fsync, fdatasync, rename and unlink. At a chosen call it ends the process.
// Until then it keeps what stood on the disk before each change that nobody has synced yet, so that it can leave behind
// what a disk without power might: a file's bytes and length are safe once the file was synced, names once their folder
// was. Making a folder is safe at once; no other promise of a file system is taken for granted.
//
//   MOOT_CUT_FOLDER  the folder, as an absolute path
//   MOOT_CUT_KEPT    an empty folder of the same file system, for files that lose their name
//   MOOT_CUT_AT      the number of the call, from 1; without it calls are only counted
//   MOOT_CUT_MANNER  before  the call is not made; what was written before stays, synced or not
//                    torn    a write is made by half, up to the end of a sector; another call is made
//                    lost    everything that was not synced is undone
//                    partly  of what was not synced some sectors are undone, and some of the latest names
//   MOOT_CUT_SEED    decides which sectors and names
//
// The last line on standard error names the call, or says how many there were when the process ended in peace.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SECTOR = 512, LONGEST_PATH = 4096, STATUS = 137 };

enum manner { BEFORE, TORN, LOST, PARTLY };

// Bytes that stood in a file before they were written over or cut off.
struct piece {
    off_t offset;
    size_t length;
    bool cut_off;
    struct piece *older;
    char bytes[];
};

// A file with everything that was done to it since it was last synced. Its own descriptor is never closed, which would
// release the process's locks; it also keeps the inode's number from coming to mean another file.
struct file {
    dev_t device;
    ino_t number;
    int descriptor;
    bool changed;
    off_t synced_size;
    struct piece *newest;
    struct file *next;
};

// A change of a folder that was not synced since.
struct name {
    char *made;     // the name that is new, if any
    char *unmade;   // the name that is gone, if any
    char *kept;     // a second name of the file that `unmade`, or before it `made`, meant
    bool moved;     // whether `made` is the file that was called `unmade`
    struct name *older;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char folder[LONGEST_PATH];
static size_t folder_length;
static const char *kept_folder;
static long calls, cut_at;
static enum manner manner;
static uint64_t seed;
static struct file *files;
static struct name *newest_name;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("MOOT_CUT_FOLDER"), *at = getenv("MOOT_CUT_AT"), *how = getenv("MOOT_CUT_MANNER");
    const char *number = getenv("MOOT_CUT_SEED");
    kept_folder = getenv("MOOT_CUT_KEPT");
    if (!path || !kept_folder || strlen(path) >= sizeof folder) return;
    if (at) cut_at = atol(at);
    if (number) seed = strtoull(number, NULL, 10);
    if (how) manner = how[0] == 't' ? TORN : how[0] == 'l' ? LOST : how[0] == 'p' ? PARTLY : BEFORE;
    strcpy(folder, path);
    folder_length = strlen(folder);
}

__attribute__((destructor)) static void end(void) {
    if (folder_length) dprintf(2, "CutWrites: %ld calls\n", calls);
}

// MARK: - What is watched

static bool is_inside(const char *path) {
    return folder_length && strncmp(path, folder, folder_length) == 0
        && (path[folder_length] == '/' || path[folder_length] == 0);
}

static bool path_of(int descriptor, char path[LONGEST_PATH]) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, path, LONGEST_PATH - 1);
    path[length < 0 ? 0 : length] = 0;
    return length > 0;
}

// Whether a call on the descriptor counts. Leaves errno as it was.
static bool is_watched(int descriptor, char path[LONGEST_PATH]) {
    int error = errno;
    bool watched = folder_length && path_of(descriptor, path) && is_inside(path);
    errno = error;
    return watched;
}

static struct file *file_of(int descriptor) {
    struct stat status;
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return NULL;
    for (struct file *file = files; file; file = file->next)
        if (file->device == status.st_dev && file->number == status.st_ino) return file;
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    struct file *file = calloc(1, sizeof *file);
    if (!file) abort();
    *file = (struct file){.device = status.st_dev, .number = status.st_ino, .next = files};
    file->descriptor = syscall(SYS_openat, AT_FDCWD, link, O_RDWR | O_CLOEXEC, 0);
    if (file->descriptor < 0) abort();
    return files = file;
}

static off_t size_of(const struct file *file) {
    struct stat status;
    return fstat(file->descriptor, &status) == 0 ? status.st_size : 0;
}

// MARK: - What could be lost

static void keep(struct file *file, off_t offset, size_t length, bool cut_off) {
    if (!file->changed) file->synced_size = size_of(file);
    file->changed = true;
    if (!length) return;
    struct piece *piece = calloc(1, sizeof *piece + length);
    if (!piece) abort();
    *piece = (struct piece){.offset = offset, .length = length, .cut_off = cut_off, .older = file->newest};
    // What lies beyond the end stays zero, as it would read.
    if (pread(file->descriptor, piece->bytes, length, offset) < 0) abort();
    file->newest = piece;
}

static void keep_what_is_cut_off(struct file *file, off_t size) {
    off_t length = size_of(file) - size;
    keep(file, size, length > 0 ? (size_t)length : 0, true);
}

static void forget(struct file *file) {
    while (file->newest) {
        struct piece *piece = file->newest;
        file->newest = piece->older;
        free(piece);
    }
    file->changed = false;
}

// Gives the file called `path`, if there is one, a second name outside the folder.
static char *second_name(const char *path) {
    static long count;
    char kept[LONGEST_PATH];
    snprintf(kept, sizeof kept, "%s/%d-%ld", kept_folder, getpid(), ++count);
    return syscall(SYS_linkat, AT_FDCWD, path, AT_FDCWD, kept, 0) == 0 ? strdup(kept) : NULL;
}

static void keep_name(const char *made, const char *unmade, char *kept, bool moved) {
    struct name *name = calloc(1, sizeof *name);
    if (!name) abort();
    *name = (struct name){
        .made = made ? strdup(made) : NULL, .unmade = unmade ? strdup(unmade) : NULL, .kept = kept, .moved = moved,
        .older = newest_name,
    };
    newest_name = name;
}

static bool is_in(const char *path, const char *parent) {
    size_t length = strlen(parent);
    return path && strncmp(path, parent, length) == 0 && path[length] == '/' && !strchr(path + length + 1, '/');
}

static void forget_names(const char *parent) {
    for (struct name **place = &newest_name; *place;) {
        struct name *name = *place;
        if (is_in(name->made, parent) || is_in(name->unmade, parent)) *place = name->older;
        else place = &name->older;
    }
}

// MARK: - Losing it

// SplitMix64's mixing (Steele, Lea, Flood 2014): a coin for each thing that may be lost.
static uint64_t mixed(uint64_t value) {
    value += seed + 0x9e3779b97f4a7c15;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
    value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
    return value ^ (value >> 31);
}

static bool is_undone(const struct file *file, uint64_t what) {
    return manner == LOST || mixed(file->number * 0x10001 + what) % 2;
}

static void undo(struct file *file) {
    if (!file->changed) return;
    bool size_undone = is_undone(file, UINT32_MAX);
    off_t size = size_undone ? file->synced_size : size_of(file);
    for (struct piece *piece = file->newest; piece; piece = piece->older) {
        for (size_t begin = 0, length; begin < piece->length; begin += length) {
            off_t offset = piece->offset + (off_t)begin;
            length = SECTOR - (size_t)(offset % SECTOR);
            if (length > piece->length - begin) length = piece->length - begin;
            if (!(piece->cut_off ? size_undone : is_undone(file, (uint64_t)(offset / SECTOR)))) continue;
            if (syscall(SYS_pwrite64, file->descriptor, piece->bytes + begin, length, offset) < 0) abort();
        }
    }
    if (syscall(SYS_ftruncate, file->descriptor, size) != 0) abort();
}

static void undo_name(const struct name *name) {
    if (name->made && name->moved) syscall(SYS_renameat, AT_FDCWD, name->made, AT_FDCWD, name->unmade);
    else if (name->made) syscall(SYS_unlinkat, AT_FDCWD, name->made, 0);
    if (name->kept)
        syscall(SYS_renameat, AT_FDCWD, name->kept, AT_FDCWD, name->made ? name->made : name->unmade);
}

static void undo_names(void) {
    uint64_t count = 0;
    for (struct name *name = newest_name; name; name = name->older) count++;
    if (manner == PARTLY) count = mixed(count) % (count + 1);
    for (struct name *name = newest_name; name && count; name = name->older, count--) undo_name(name);
}

_Noreturn static void stop(void) {
    if (manner == LOST || manner == PARTLY) {
        for (struct file *file = files; file; file = file->next) undo(file);
        undo_names();
    }
    for (;;) syscall(SYS_exit_group, STATUS);
}

// Counts a call. True if it is the one at which the process stops; with BEFORE and LOST it has stopped by then.
static bool is_last(const char *call, const char *path) {
    if (++calls != cut_at) return false;
    static const char *const names[] = {"before", "torn", "lost", "partly"};
    dprintf(2, "CutWrites: call %ld, %s of %s, %s\n", calls, call, path, names[manner]);
    if (manner == BEFORE || manner == LOST) stop();
    return true;
}

// MARK: - The calls

static ssize_t write_at(int descriptor, const char *path, const void *bytes, size_t length, off_t offset, bool moves) {
    pthread_mutex_lock(&lock);
    struct file *file = file_of(descriptor);
    if (file) {
        char call[64];
        snprintf(call, sizeof call, "write of %zu bytes at %lld", length, (long long)offset);
        bool last = is_last(call, path);
        keep(file, offset, length, false);
        if (last) {
            size_t half = length / 2;
            if (half > SECTOR) half -= half % SECTOR;
            syscall(SYS_pwrite64, file->descriptor, bytes, manner == TORN ? half : length, offset);
            stop();
        }
    }
    ssize_t written = moves ? syscall(SYS_write, descriptor, bytes, length)
                            : syscall(SYS_pwrite64, descriptor, bytes, length, offset);
    pthread_mutex_unlock(&lock);
    return written;
}

ssize_t write(int descriptor, const void *bytes, size_t length) {
    char path[LONGEST_PATH];
    if (!is_watched(descriptor, path)) return syscall(SYS_write, descriptor, bytes, length);
    bool appends = fcntl(descriptor, F_GETFL) & O_APPEND;
    return write_at(descriptor, path, bytes, length, lseek(descriptor, 0, appends ? SEEK_END : SEEK_CUR), true);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t length, off64_t offset) {
    char path[LONGEST_PATH];
    if (!is_watched(descriptor, path)) return syscall(SYS_pwrite64, descriptor, bytes, length, offset);
    return write_at(descriptor, path, bytes, length, offset, false);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t length, off_t offset) {
    return pwrite64(descriptor, bytes, length, offset);
}

int ftruncate64(int descriptor, off64_t size) {
    char path[LONGEST_PATH];
    if (!is_watched(descriptor, path)) return (int)syscall(SYS_ftruncate, descriptor, size);
    pthread_mutex_lock(&lock);
    bool last = is_last("ftruncate", path);
    struct file *file = file_of(descriptor);
    if (file) keep_what_is_cut_off(file, size);
    int result = (int)syscall(SYS_ftruncate, descriptor, size);
    if (last) stop();
    pthread_mutex_unlock(&lock);
    return result;
}

int ftruncate(int descriptor, off_t size) {
    return ftruncate64(descriptor, size);
}

// The real call would only cost time: the machine of the test keeps its power.
static int synced(int descriptor, const char *path, const char *call) {
    pthread_mutex_lock(&lock);
    // A sync that power did not last for is one that was not made.
    if (is_last(call, path)) stop();
    struct file *file = file_of(descriptor);
    if (file) forget(file);
    else forget_names(path);
    pthread_mutex_unlock(&lock);
    return 0;
}

int fsync(int descriptor) {
    char path[LONGEST_PATH];
    if (!is_watched(descriptor, path)) return (int)syscall(SYS_fsync, descriptor);
    return synced(descriptor, path, "fsync");
}

int fdatasync(int descriptor) {
    char path[LONGEST_PATH];
    if (!is_watched(descriptor, path)) return (int)syscall(SYS_fdatasync, descriptor);
    return synced(descriptor, path, "fdatasync");
}

int rename(const char *from, const char *to) {
    if (!is_inside(from) && !is_inside(to)) return (int)syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
    pthread_mutex_lock(&lock);
    bool last = is_last("rename", from);
    char *kept = second_name(to);
    int result = (int)syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
    if (result == 0) keep_name(to, from, kept, true);
    if (last) stop();
    pthread_mutex_unlock(&lock);
    return result;
}

int unlink(const char *path) {
    if (!is_inside(path)) return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    pthread_mutex_lock(&lock);
    bool last = is_last("unlink", path);
    char *kept = second_name(path);
    int result = (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    if (result == 0) keep_name(NULL, path, kept, false);
    if (last) stop();
    pthread_mutex_unlock(&lock);
    return result;
}

static int opened(int parent, const char *path, int flags, mode_t mode) {
    bool creates = (flags & O_CREAT) && faccessat(AT_FDCWD, path, F_OK, 0) != 0;
    if (!is_inside(path) || !(creates || (flags & O_TRUNC))) return (int)syscall(SYS_openat, parent, path, flags, mode);
    pthread_mutex_lock(&lock);
    bool last = is_last(creates ? "creation" : "emptying", path);
    if (!creates) {
        int before = (int)syscall(SYS_openat, parent, path, O_RDWR | O_CLOEXEC, 0);
        struct file *file = before < 0 ? NULL : file_of(before);
        if (file) keep_what_is_cut_off(file, 0);
        if (before >= 0) close(before);
    }
    int descriptor = (int)syscall(SYS_openat, parent, path, flags, mode);
    if (descriptor >= 0 && creates) keep_name(path, NULL, NULL, false);
    if (last) stop();
    pthread_mutex_unlock(&lock);
    return descriptor;
}

static mode_t mode_in(int flags, va_list arguments) {
    return flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
}

int open64(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = mode_in(flags, arguments);
    va_end(arguments);
    return opened(AT_FDCWD, path, flags, mode);
}

int open(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = mode_in(flags, arguments);
    va_end(arguments);
    return opened(AT_FDCWD, path, flags, mode);
}

int openat(int parent, const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = mode_in(flags, arguments);
    va_end(arguments);
    return opened(parent, path, flags, mode);
}
