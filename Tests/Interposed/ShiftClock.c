// Gives a process a wall clock that is wrong, and lets it step while the process runs.
//
// Loaded with LD_PRELOAD, it adds a number of seconds to everything that tells the time of day. The file named by
// MOOT_CLOCK_FILE holds that number as 64 bits in the machine's order; who writes another into it sets the clock. Clocks
// that only measure how much time passes stay right, as they do on a machine whose clock is set.

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *shift;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("MOOT_CLOCK_FILE");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *bytes = mmap(NULL, sizeof *shift, PROT_READ, MAP_SHARED, file, 0);
    if (bytes != MAP_FAILED) shift = bytes;
    close(file);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int result = (int)syscall(SYS_clock_gettime, clock, now);
    if (result == 0 && shift && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += *shift;
    return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    int result = (int)syscall(SYS_gettimeofday, now, zone);
    if (result == 0 && shift) now->tv_sec += *shift;
    return result;
}

time_t time(time_t *out) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out) *out = now.tv_sec;
    return now.tv_sec;
}
