// Stands for a picture that has taken over the process that reads it.
//
// Loaded with LD_PRELOAD, it runs in place of libjpeg's first call, so when everything is confined that ever will be, and does what
// MOOT_ATTEMPT names. Status 0 means that nothing stopped it.

#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

static void attempt(const char *name) {
    if (strcmp(name, "open") == 0) open("/etc/passwd", O_RDONLY);
    if (strcmp(name, "create") == 0) open("moot-taken-over", O_WRONLY | O_CREAT, 0600);
    if (strcmp(name, "socket") == 0) socket(AF_INET, SOCK_STREAM, 0);
    if (strcmp(name, "fork") == 0 && fork() == 0) _exit(0);
    if (strcmp(name, "execute") == 0) execl("/bin/true", "true", (char *)NULL);
    if (strcmp(name, "signal") == 0) kill(getppid(), 0);
    if (strcmp(name, "read-other") == 0) {
        char byte;
        if (read(STDERR_FILENO, &byte, 1) < 0) _exit(0);
    }
    if (strcmp(name, "new-code") == 0) mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (strcmp(name, "memory") == 0) {
        size_t size = (size_t)2 << 30;
        if (mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED) _exit(1);
    }
    if (strcmp(name, "for-ever") == 0)
        for (;;) __asm__ volatile("");
}

void jpeg_CreateDecompress(void *codec, int version, size_t size);

void jpeg_CreateDecompress(void *codec, int version, size_t size) {
    (void)codec, (void)version, (void)size;
    const char *name = getenv("MOOT_ATTEMPT");
    if (name) attempt(name);
    _exit(0);
}
