#pragma once
// What Swift does not see: functions with any number of arguments, and what Glibc's headers show only on request.
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/timex.h>

/* No memory image of this process, and no look into its memory for other processes of its user. */
static inline int moot_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

/* All threads share so many pools of memory. */
static inline int moot_limit_memory_pools(int count) { return mallopt(M_ARENA_MAX, count); }

extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

/* A process that is started closes every descriptor from this number on. */
static inline int moot_close_from(posix_spawn_file_actions_t *actions, int from) {
    return posix_spawn_file_actions_addclosefrom_np(actions, from);
}

extern int memfd_create(const char *name, unsigned flags);

/* A file in memory, which no folder knows of; no process that is started inherits it. */
static inline int moot_memory_file(const char *name) { return memfd_create(name, 1 /* MFD_CLOEXEC */); }

extern int pidfd_open(pid_t process, unsigned flags);

/* A descriptor that becomes readable when the process ends. */
static inline int moot_process_descriptor(pid_t process) { return pidfd_open(process, 0); }

extern int close_range(unsigned first, unsigned last, int flags);

/* Closes every descriptor of this process from this number on. */
static inline int moot_close_all_from(unsigned first) { return close_range(first, ~0U, 0); }

/* This process and all that it becomes never get more rights than it has. */
static inline int moot_forbid_new_rights(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

/* From now on the filter judges every system call of this process. */
static inline int moot_filter_system_calls(const struct sock_fprog *filter) {
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, filter, 0, 0);
}

/* 1 where nothing keeps the clock of this host right, 0 where something does, -1 where the kernel does not say. */
static inline int moot_clock_is_unsynchronized(void) {
    struct timex clock = {.modes = 0};
    return adjtimex(&clock) < 0 ? -1 : (clock.status & STA_UNSYNC) != 0;
}

/* What the kernel calls the instruction set of this program, or 0 where no filter was written for it. */
static inline unsigned moot_audit_architecture(void) {
#if defined(__x86_64__)
    return AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
    return AUDIT_ARCH_AARCH64;
#else
    return 0;
#endif
}

/* The numbers of system calls, which differ between instruction sets. */
enum {
    moot_call_brk = __NR_brk,
    moot_call_exit = __NR_exit,
    moot_call_exit_group = __NR_exit_group,
    moot_call_futex = __NR_futex,
    moot_call_getrandom = __NR_getrandom,
    moot_call_madvise = __NR_madvise,
    moot_call_mmap = __NR_mmap,
    moot_call_mprotect = __NR_mprotect,
    moot_call_mremap = __NR_mremap,
    moot_call_munmap = __NR_munmap,
    moot_call_read = __NR_read,
    moot_call_write = __NR_write
};
