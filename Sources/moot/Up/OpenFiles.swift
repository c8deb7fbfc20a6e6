import Glibc

/// How many files and sockets the process may have open.
enum OpenFiles {
    /// Room for the event streams and connections of both servers of the local API, and for peers.
    private static let wanted: rlim_t = 8_192

    /// Asks the system for as many as are wanted, within what it allows; most systems begin with 1,024, for the sake of old
    /// programs.
    static func allowMore() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = max(limit.rlim_cur, min(wanted, limit.rlim_max))
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
