import CProcess
import Glibc

/// What the process gives up before it handles keys.
enum Hardening {
    /// Files are private from the moment they exist, no memory image with keys in it is written after a crash, and no
    /// other process of the user may read the memory or attach to it. Only root can.
    static func apply() {
        umask(0o077)
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        _ = moot_forbid_dumps()
    }
}
