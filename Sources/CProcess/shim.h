#pragma once
// Swift cannot call functions with any number of arguments, and prctl is one.
#include <sys/prctl.h>

/* No memory image of this process, and no look into its memory for other processes of its user. */
static inline int moot_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
