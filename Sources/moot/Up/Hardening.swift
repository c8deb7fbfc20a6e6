import Glibc

/// What the process gives up before it handles keys.
enum Hardening {
    /// Files are private from the moment they exist, and no memory image with keys in it is written after a crash.
    static func apply() {
        umask(0o077)
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    }
}
