#pragma once
// What Swift does not see: a function with any number of arguments, and one that Glibc's headers show only on request.
#include <spawn.h>
#include <sys/prctl.h>

/* No memory image of this process, and no look into its memory for other processes of its user. */
static inline int moot_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

/* A process that is started closes every descriptor from this number on. */
static inline int moot_close_from(posix_spawn_file_actions_t *actions, int from) {
    return posix_spawn_file_actions_addclosefrom_np(actions, from);
}
