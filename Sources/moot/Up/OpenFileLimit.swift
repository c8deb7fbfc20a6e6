import Glibc
import LocalAPIModel

/// How many files and sockets the process may have open.
enum OpenFileLimit {
    /// Room for the event streams and connections of both servers of the local API, and for peers.
    private static let wanted: rlim_t = 8_192

    /// Fewer are too few for the database, the sockets and a handful of peers.
    private static let needed: rlim_t = 128

    /// Asks the system for as many as are wanted, within what it allows; most systems begin with 1,024, for the sake of
    /// old programs.
    ///
    /// - Throws: `bad_configuration` where it allows too few.
    static func increase() throws(Failure) {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = max(limit.rlim_cur, min(wanted, limit.rlim_max))
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        guard limit.rlim_cur >= needed else {
            throw Failure(
                .badConfiguration,
                "This process may have \(limit.rlim_cur) files and sockets open; a node needs \(needed)",
                hint: "Raise the limit, with ulimit -n 1024 or in a unit of systemd with LimitNOFILE=1024.")
        }
    }
}
