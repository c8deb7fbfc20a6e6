import CProcess
import Glibc
import Photos

/// What the process gives up before it looks at a byte of a picture.
enum Confinement {
    /// Leaves nothing but standard input, output and error, memory and a processor for a while.
    ///
    /// - Returns: whether all of it is in force. If not, no picture may be read.
    static func apply(_ limits: PhotoLimits) -> Bool {
        guard let filter = SystemCallFilter() else { return false }
        let bounds: [(__rlimit_resource, Int)] = [
            (RLIMIT_CORE, 0), (RLIMIT_NOFILE, 0), (__RLIMIT_NPROC, 0), (RLIMIT_AS, limits.processMemory),
            (RLIMIT_FSIZE, PhotoResponse.maximumBytes(limits)),
        ]
        return hearsOfTime() && moot_close_all_from(UInt32(STDERR_FILENO) + 1) == 0
            && bounds.allSatisfy { bound($0, soft: $1, hard: $1) }
            // At the first limit a signal tells whoever waits that time was short; nobody gets past the second.
            && bound(RLIMIT_CPU, soft: limits.processorSeconds, hard: limits.processorSeconds + 1)
            && moot_forbid_dumps() == 0 && moot_forbid_new_rights() == 0 && filter.apply()
    }

    /// Lets the signal of the first limit end the process, which whoever started it may have blocked or ignored.
    private static func hearsOfTime() -> Bool {
        var none = sigset_t()
        sigemptyset(&none)
        signal(SIGXCPU, SIG_DFL)
        return sigprocmask(SIG_SETMASK, &none, nil) == 0
    }

    private static func bound(_ resource: __rlimit_resource, soft: Int, hard: Int) -> Bool {
        var limit = rlimit(rlim_cur: rlim_t(soft), rlim_max: rlim_t(hard))
        return setrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0
    }
}
