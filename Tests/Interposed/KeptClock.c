// Lets a process believe that something keeps the clock of the host right, or that nothing does.
//
// Loaded with LD_PRELOAD, it answers for adjtimex: MOOT_CLOCK_KEPT=0 says that nothing does, anything else that something does.
// Whether the host on which tests run has such a service is no business of theirs.

#include <stdlib.h>
#include <string.h>
#include <sys/timex.h>

int adjtimex(struct timex *clock) {
    const char *kept = getenv("MOOT_CLOCK_KEPT");
    int is_kept = !kept || strcmp(kept, "0") != 0;
    clock->status = is_kept ? 0 : STA_UNSYNC;
    return is_kept ? TIME_OK : TIME_ERROR;
}
